#!/usr/bin/env python3
"""Lets the programs whose traces are read write some, and holds what is read against what was said.

    python3 crates/trace/peers/programs.py [PROGRAM ...]

Prints a row for each file, and exits with 1 unless everything that was said, called and answered is
there. Needs inspect-ai, langsmith, langchain-core, langfuse, openai-agents,
openinference-instrumentation-openai-agents, opentelemetry-sdk and
opentelemetry-exporter-otlp-proto-common; a program that is not installed is named and left out.
"""

import asyncio
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

RULES, QUESTION, SECOND = "You know the ferries.", "Which ferry goes to Norsund?", "And back?"
ANSWER, LATER, THOUGHT = "The blue one, at noon.", "The red one, at six.", "Noon is the first."
CALL, ARGUMENTS, RESULT = "find_ferry", {"to": "Norsund"}, "blue, 12:00"
LONG = "The pier of Norsund lies behind the church. " * 40


def inspect(folder):
    """A log with an agent within the agent, a long text, a tool that fails and a sample that fails."""
    from inspect_ai import Task, eval as run_eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import includes
    from inspect_ai.solver import Generate, TaskState, solver
    from inspect_ai.tool import ToolError, tool

    @tool
    def find_ferry():
        async def execute(to: str) -> str:
            """Finds a ferry.

            Args:
                to: Where it goes.
            """
            if to == "nowhere":
                raise ToolError("no ferry goes there")
            return RESULT

        return execute

    @solver
    def asks():
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            if state.sample_id == "b:2":
                raise ValueError("the pier is closed")
            state.messages.insert(0, ChatMessageSystem(content=RULES))
            state.tools.append(find_ferry())
            state = await generate(state)
            # An agent of its own, whose messages are not those of the sample.
            inner = get_model("mockllm/inner", custom_outputs=[priced(ModelOutput.from_content("mockllm/inner", THOUGHT))])
            await inner.generate([ChatMessageUser(content="Is noon the first?")])
            state.messages.append(ChatMessageUser(content=SECOND + LONG))
            return await generate(state)

        return solve

    def priced(output):
        # Without its tokens they are counted with a table that is fetched.
        output.usage = ModelUsage(input_tokens=5, output_tokens=2, total_tokens=7)
        return output

    outputs = [
        ModelOutput.for_tool_call("mockllm/model", CALL, ARGUMENTS),
        ModelOutput.for_tool_call("mockllm/model", CALL, {"to": "nowhere"}),
        ModelOutput.from_content("mockllm/model", ANSWER),
        ModelOutput.from_content("mockllm/model", LATER),
    ]
    outputs = [priced(output) for output in outputs]
    task = Task(
        name="ferries",
        dataset=[Sample(id="a/1", input=QUESTION, target="blue"), Sample(id="b:2", input=QUESTION)],
        solver=asks(),
        scorer=includes(),
    )
    wanted = [RULES, QUESTION, SECOND + LONG, ANSWER, LATER, THOUGHT, "Is noon the first?", RESULT, "no ferry goes there"]
    for kind in ["eval", "json"]:
        model = get_model("mockllm/model", custom_outputs=list(outputs), memoize=False)
        logs = run_eval(task, model=model, log_dir=str(folder), log_format=kind, display="none", fail_on_error=False, max_samples=1)
        expect = {"said": wanted, "calls": [CALL, CALL], "ids": ["a/1", "b:2"], "stops": [None, "the pier is closed"]}
        yield f"inspect .{kind}", logs[0].location.removeprefix("file://"), expect


def langsmith(folder):
    """Runs of LangChain, as LangSmith's client sends them."""
    from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tools import tool
    from langchain_core.tracers.run_collector import RunCollectorCallbackHandler

    @tool
    def find_ferry(to: str) -> str:
        """Finds a ferry."""
        return RESULT

    call = {"name": CALL, "args": ARGUMENTS, "id": "c1"}
    model = FakeMessagesListChatModel(responses=[AIMessage(content="", tool_calls=[call]), AIMessage(content=ANSWER), AIMessage(content=LATER)])

    def loop(question, config):
        messages = [SystemMessage(content=RULES), HumanMessage(content=question)]
        messages.append(model.invoke(messages, config))
        messages.append(find_ferry.invoke({**call, "type": "tool_call"}, config))
        messages.append(model.invoke(messages, config))
        messages.append(HumanMessage(content=SECOND))
        return model.invoke(messages, config)

    def broken(question, config):
        raise ValueError("the pier is closed")

    collector = RunCollectorCallbackHandler()
    RunnableLambda(loop).invoke(QUESTION, {"callbacks": [collector]})
    try:
        RunnableLambda(broken).invoke(QUESTION, {"callbacks": [collector]})
    except ValueError:
        pass
    from langsmith._internal._serde import dumps_json

    def row(run):
        fields = ["id", "name", "run_type", "start_time", "end_time", "error", "parent_run_id", "trace_id", "dotted_order", "extra", "tags", "inputs", "outputs"]
        return {name: getattr(run, name) for name in fields}

    def flat(run):
        yield row(run)
        for child in run.child_runs:
            yield from flat(child)

    def tree(run):
        return {**row(run), "child_runs": [tree(child) for child in run.child_runs]}

    runs = [r for run in collector.traced_runs for r in flat(run)]
    expect = {"said": [RULES, QUESTION, SECOND, ANSWER, LATER, RESULT, "the pier is closed"], "calls": [CALL], "records": 2, "no_twice": [QUESTION, ANSWER, RESULT]}
    for name, text in [
        ("list", dumps_json(runs).decode()),
        ("lines", "\n".join(dumps_json(r).decode() for r in runs)),
        ("tree", dumps_json([tree(r) for r in collector.traced_runs]).decode()),
    ]:
        path = folder / f"langsmith-{name}.json"
        path.write_text(text)
        yield f"langsmith {name}", path, expect


def langfuse(folder):
    """Observations, as Langfuse's own types write them, and its spans, as its SDK exports them."""
    from langfuse.api.commons.types.observation_v2 import ObservationV2

    at = datetime.datetime(2026, 5, 1, 10, 0, tzinfo=datetime.timezone.utc)
    system, user = {"role": "system", "content": RULES}, {"role": "user", "content": QUESTION}
    call = {"id": "c1", "type": "function", "function": {"name": CALL, "arguments": json.dumps(ARGUMENTS)}}
    first = {"role": "assistant", "content": None, "tool_calls": [call]}
    result = {"role": "tool", "tool_call_id": "c1", "content": RESULT}
    second = {"role": "user", "content": SECOND}
    rows = [
        ("SPAN", "agent", None, {"question": QUESTION}, ANSWER, None),
        ("GENERATION", "turn", "0", [system, user], first, None),
        ("TOOL", CALL, "0", ARGUMENTS, RESULT, None),
        ("GENERATION", "turn", "0", [system, user, first, result], {"role": "assistant", "content": ANSWER}, None),
        ("GENERATION", "turn", "0", [system, user, first, result, {"role": "assistant", "content": ANSWER}, second], {"role": "assistant", "content": LATER}, None),
        ("GENERATION", "turn", "0", [user], None, "the pier is closed"),
    ]
    observations = [
        ObservationV2(
            id=str(i), trace_id="t1", start_time=at + datetime.timedelta(seconds=i), end_time=at + datetime.timedelta(seconds=i + 1),
            project_id="p", parent_observation_id=parent, type=kind, name=name, input=given, output=gave,
            level="ERROR" if failure else "DEFAULT", status_message=failure, usage_details={"input": 5, "output": 2},
        )
        for i, (kind, name, parent, given, gave, failure) in enumerate(rows)
    ]
    said = [RULES, QUESTION, SECOND, ANSWER, LATER, RESULT, "the pier is closed"]
    expect = {"said": said, "calls": [CALL], "records": 1, "no_twice": [ANSWER, RESULT]}
    lines = [o.json() for o in observations]
    path = folder / "langfuse-v2.json"
    path.write_text('{"data": [' + ",".join(lines) + '], "meta": {"page": 1}}')
    yield "langfuse observations", path, expect
    path = folder / "langfuse-lines.jsonl"
    path.write_text("\n".join(lines))
    yield "langfuse lines", path, expect


def spans_of(run):
    """What OpenTelemetry's SDK has after a run: spans, and the same as OTLP."""
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from google.protobuf.json_format import MessageToJson

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    run(provider)
    spans = exporter.get_finished_spans()
    return [s.to_json() for s in spans], MessageToJson(encode_spans(spans), indent=None)


def agents(folder):
    """A run of the Agents SDK with a model of ours: its own traces, and OpenInference's spans."""
    os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "0"
    from agents import Agent, ModelResponse, Runner, Usage, add_trace_processor, function_tool, generation_span, set_trace_processors
    from agents.models.interface import Model
    from agents.tracing import TracingProcessor
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    @function_tool
    def find_ferry(to: str) -> str:
        """Finds a ferry."""
        return RESULT

    class Canned(Model):
        def __init__(self):
            self.turns = 0

        async def get_response(self, system_instructions, input, *args, **kwargs):
            self.turns += 1
            items = [{"role": "user", "content": input}] if isinstance(input, str) else list(input)
            said = [{"role": "system", "content": system_instructions}, *items]
            if self.turns == 1:
                out = [ResponseFunctionToolCall(type="function_call", call_id="c1", name=CALL, arguments=json.dumps(ARGUMENTS))]
            else:
                text = ANSWER if self.turns == 2 else LATER
                part = ResponseOutputText(type="output_text", text=text, annotations=[])
                out = [ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[part])]
            plain = [o.model_dump(exclude_none=True) for o in out]
            with generation_span(input=json.loads(json.dumps(said, default=str)), output=plain, model="canned", usage={"input_tokens": 5, "output_tokens": 2}):
                return ModelResponse(output=out, usage=Usage(), response_id=None)

        async def stream_response(self, *args, **kwargs):
            raise NotImplementedError
            yield

    class Kept(TracingProcessor):
        def __init__(self):
            self.rows = []

        def on_trace_start(self, trace):
            self.rows.append(trace.export())

        def on_span_end(self, span):
            self.rows.append(span.export())

        def on_trace_end(self, trace): ...
        def on_span_start(self, span): ...
        def shutdown(self): ...
        def force_flush(self): ...

    async def run():
        from agents import trace
        agent = Agent(name="harbour", instructions=RULES, tools=[find_ferry], model=Canned())
        with trace("ferries"):
            result = await Runner.run(agent, QUESTION)
            await Runner.run(agent, result.to_input_list() + [{"role": "user", "content": SECOND}])

    kept = Kept()
    set_trace_processors([kept])
    asyncio.run(run())
    expect = {"said": [RULES, QUESTION, SECOND, ANSWER, LATER, RESULT], "calls": [CALL], "records": 1, "no_twice": [QUESTION, ANSWER, RESULT]}
    path = folder / "agents.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in kept.rows))
    yield "openai-agents lines", path, expect
    path = folder / "agents.json"
    path.write_text(json.dumps({"data": kept.rows}, indent=2))
    yield "openai-agents list", path, expect

    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    def instrumented(provider):
        set_trace_processors([])
        OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
        asyncio.run(run())

    flat, otlp = spans_of(instrumented)
    path = folder / "openinference-console.json"
    path.write_text("\n".join(flat))
    yield "openinference, SDK", path, expect
    path = folder / "openinference-otlp.json"
    path.write_text(otlp)
    yield "openinference, OTLP", path, expect


def opentelemetry(folder):
    """Spans with the names of the GenAI conventions, by OpenTelemetry's own SDK."""
    def run(provider):
        tracer = provider.get_tracer("ferries")
        part = lambda text: {"type": "text", "content": text}
        user = {"role": "user", "parts": [part(QUESTION)]}
        call = {"role": "assistant", "parts": [{"type": "reasoning", "content": THOUGHT}, {"type": "tool_call", "id": "c1", "name": CALL, "arguments": ARGUMENTS}], "finish_reason": "tool_call"}
        result = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": RESULT}]}
        answer = {"role": "assistant", "parts": [part(ANSWER)], "finish_reason": "stop"}
        second = {"role": "user", "parts": [part(SECOND)]}
        later = {"role": "assistant", "parts": [part(LATER)], "finish_reason": "stop"}
        with tracer.start_as_current_span("invoke_agent harbour", attributes={"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "harbour"}):
            for given, gave in [([user], call), ([user, call, result], answer), ([user, call, result, answer, second], later)]:
                with tracer.start_as_current_span("chat m", attributes={
                    "gen_ai.operation.name": "chat", "gen_ai.request.model": "m",
                    "gen_ai.system_instructions": json.dumps([part(RULES)]),
                    "gen_ai.input.messages": json.dumps(given), "gen_ai.output.messages": json.dumps([gave]),
                    "gen_ai.response.finish_reasons": [gave["finish_reason"]], "gen_ai.usage.input_tokens": 5,
                }):
                    pass
                if gave is call:
                    with tracer.start_as_current_span("execute_tool", attributes={
                        "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": CALL, "gen_ai.tool.call.id": "c1",
                        "gen_ai.tool.call.arguments": json.dumps(ARGUMENTS), "gen_ai.tool.call.result": RESULT,
                    }):
                        pass

    flat, otlp = spans_of(run)
    expect = {"said": [RULES, QUESTION, SECOND, ANSWER, LATER, RESULT, THOUGHT], "calls": [CALL], "records": 1, "no_twice": [QUESTION, ANSWER, RESULT, RULES]}
    for name, text in [("SDK", "\n".join(flat)), ("OTLP", otlp), ("OTLP in pieces", otlp + "\n" + otlp[: len(otlp) // 2])]:
        path = folder / f"otel-{name.replace(' ', '-')}.json"
        path.write_text(text)
        yield f"opentelemetry, {name}", path, expect


def seen(record):
    """Everything that a trace says, and what it calls."""
    trace, said, calls = record["trace"], [], []
    said += [m["content"] for m in trace["prompt"]]
    for step in trace["steps"]:
        body = step["body"]
        match body["type"]:
            case "model":
                said += [body["message"]["content"], body["message"].get("reasoning") or ""]
            case "call":
                calls.append(body["call"]["name"])
                said.append(body.get("told") or json.dumps(body["result"], ensure_ascii=False))
            case "prompt":
                said += [m["content"] for m in body["messages"]]
            case "note":
                said.append(body["text"])
    return said, calls


def read(path):
    """What the readers make of a file."""
    command = ["cargo", "run", "-q", "-p", "trace", "--example", "programs", "--", str(path)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def faults(path, expect):
    found = read(path)
    if "refused" in found:
        return ["refused: " + found["refused"]]
    records = found["records"]
    both = [seen(r) for r in records]
    said, calls = [s for b in both for s in b[0]], [c for b in both for c in b[1]]
    out = [f"lost: {w[:60]!r}" for w in expect["said"] if not any(w in s for s in said)]
    out += [f"twice: {w!r}" for w in expect.get("no_twice", []) if sum(s == w for s in both[0][0]) > 1]
    if calls != expect["calls"]:
        out.append(f"calls {calls}")
    if "records" in expect and len(records) != expect["records"]:
        out.append(f"{len(records)} records")
    if "ids" in expect and [r["id"] for r in records] != expect["ids"]:
        out.append(f"ids {[r['id'] for r in records]}")
    for record, stop in zip(records, expect.get("stops", [])):
        if stop and stop not in json.dumps(record["trace"]["stop"]):
            out.append(f"{record['id']} stops with {record['trace']['stop']}")
    if os.environ.get("SHOW"):
        print(found["notes"], json.dumps(both, indent=1, ensure_ascii=False)[:4000])
    return out


def main():
    n_bad, wanted = 0, sys.argv[1:]
    for program in [inspect, langsmith, langfuse, agents, opentelemetry]:
        if wanted and program.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                for name, path, expect in program(pathlib.Path(folder)):
                    found = faults(path, expect)
                    n_bad += bool(found)
                    print(f"{'agrees' if not found else 'DIFFERS'}  {name}" + "".join(f"\n    {f}" for f in found))
            except ImportError as error:
                print(f"skipped  {program.__name__}: {error}")
            except Exception:
                n_bad += 1
                print(f"BROKEN   {program.__name__}\n{traceback.format_exc()}")
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
