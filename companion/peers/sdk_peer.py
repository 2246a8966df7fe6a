"""The official OpenAI SDK for Python (PyPI `openai`) against `graphground serve`: the list of models, a
plain and a streamed answer, a tool call and its result, and an error. With a GGUF file as a second
argument also against a real model: whole and streamed answers, tokens, a reply held to a schema, and a
tool call that has to be made.
"""

import json
import re
import subprocess
import sys

from openai import NotFoundError, OpenAI

file = sys.argv[2:3]
words = [word for name in file for word in ("--model", name)]
serve = subprocess.Popen([sys.argv[1], "serve", "--port", "0", *words], stdout=subprocess.PIPE, text=True)


def real_model(client, name):
    common = {"model": name, "temperature": 0, "max_tokens": 60}
    messages = [{"role": "user", "content": "How many edges has a tree of 5 nodes?"}]
    plain = client.chat.completions.create(messages=messages, **common)
    pieces = list(
        client.chat.completions.create(
            messages=messages, stream=True, stream_options={"include_usage": True}, **common
        )
    )
    said = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
    assert said == plain.choices[0].message.content, (said, plain)
    tokens = pieces[-1].usage.completion_tokens
    assert tokens == plain.usage.completion_tokens > 0, (pieces[-1], plain.usage)
    schema = {
        "type": "object",
        "properties": {"edges": {"type": "integer", "minimum": 0, "maximum": 99}},
        "required": ["edges"],
        "additionalProperties": False,
    }
    shape = {"type": "json_schema", "json_schema": {"name": "count", "schema": schema}}
    held = client.chat.completions.create(messages=messages, response_format=shape, **common)
    edges = json.loads(held.choices[0].message.content)["edges"]
    assert 0 <= edges <= 99, held
    function = {"name": "count_edges", "description": "Counts edges.", "parameters": schema}
    tools = [{"type": "function", "function": function}]
    called = client.chat.completions.create(messages=messages, tools=tools, tool_choice="required", **common)
    call = called.choices[0].message.tool_calls[0].function
    assert call.name == "count_edges" and "edges" in json.loads(call.arguments), called
    print(f"openai for Python and {name}: {tokens} tokens whole and streamed, {edges} under a schema, a call")


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
    if file:
        real_model(client, names[0])
    print(f"openai for Python: {len(names)} models, the same answer whole and streamed, {n_calls} calls")
finally:
    serve.kill()
