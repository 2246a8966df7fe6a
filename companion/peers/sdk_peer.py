"""The official OpenAI SDK for Python (PyPI `openai`) against `graphground serve`: the list of models, a
plain and a streamed answer, a tool call and its result, and an error.
"""

import re
import subprocess
import sys

from openai import NotFoundError, OpenAI

serve = subprocess.Popen([sys.argv[1], "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
try:
    url = re.search(r"http://[^ ]+/v1", serve.stdout.readline()).group(0)
    client = OpenAI(base_url=url, api_key="none", max_retries=0)
    names = [model.id for model in client.models.list()]
    assert "script" in names, names
    question = (
        "Determine if there is a path between two nodes in the graph. Note that (i,j) means that node i and "
        "node j are connected with an undirected edge.\nGraph: (0,1) (1,2) (3,4)\nQ: Is there a path between "
        "node 0 and node 2?\nA:"
    )
    messages = [{"role": "user", "content": question}]
    plain = client.chat.completions.create(model="script", messages=messages)
    assert plain.choices[0].message.content, plain
    pieces = client.chat.completions.create(model="script", messages=messages, stream=True)
    said = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
    assert said == plain.choices[0].message.content, (said, plain)
    parameters = {
        "create_graph": {"directed": "boolean", "weighted": "boolean"},
        "add_edges": {"edges": "array"},
        "has_path": {"source": "integer", "target": "integer"},
    }
    tools = [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": name,
                "parameters": {"type": "object", "properties": {k: {"type": t} for k, t in fields.items()}},
            },
        }
        for name, fields in parameters.items()
    ]
    n_calls = 0
    for _ in range(12):
        answer = client.chat.completions.create(model="script", messages=messages, tools=tools).choices[0]
        messages.append(answer.message.model_dump(exclude_none=True))
        if not answer.message.tool_calls:
            break
        assert answer.finish_reason == "tool_calls", answer
        for call in answer.message.tool_calls:
            n_calls += 1
            result = '{"result": true}' if call.function.name == "has_path" else '{"result": null}'
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    assert n_calls > 0 and messages[-1]["role"] == "assistant", messages
    try:
        client.chat.completions.create(model="nobody", messages=messages[:1])
        raise SystemExit("sdk: a model that there is not was answered")
    except NotFoundError as error:
        assert "nobody" in str(error), error
    print(f"openai for Python: {len(names)} models, the same answer whole and streamed, {n_calls} calls")
finally:
    serve.kill()
