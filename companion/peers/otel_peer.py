"""Our OTLP/JSON through the parser of OpenTelemetry's own messages (PyPI `opentelemetry-proto`)."""

import base64
import json
import sys
import tempfile

from dressed import dressed
from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

ours, path = dressed(sys.argv[1], tempfile.mkdtemp(), "otel")
with open(path) as file:
    data = json.load(file)
# OTLP/JSON has ids in hexadecimal where protobuf's JSON has base64; the specification says so.
for resource in data["resourceSpans"]:
    for scope in resource["scopeSpans"]:
        for span in scope["spans"]:
            for name in ("traceId", "spanId", "parentSpanId"):
                if span.get(name):
                    span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
traces = json_format.ParseDict(data, TracesData())  # unknown fields and wrong types are errors
spans = [s for r in traces.resource_spans for c in r.scope_spans for s in c.spans]
n = dict.fromkeys(["spans", "model turns", "tool calls", "tokens"], 0)


def same(kind, mine, theirs, where):
    n[kind] += 1
    if mine != theirs:
        raise SystemExit(f"otel: {kind} of {where}: ours {mine!r}, theirs {theirs!r}")


def values(span):
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in span.attributes}


by_trace = {}
for span in spans:
    same("spans", (16, 8), (len(span.trace_id), len(span.span_id)), span.name)
    if span.end_time_unix_nano < span.start_time_unix_nano:
        raise SystemExit(f"otel: {span.name} ends before it starts")
    by_trace.setdefault(span.trace_id, []).append(span)
same("spans", len(ours), len(by_trace), "the file")
roots = {values(t[0])["gen_ai.conversation.id"]: t for t in by_trace.values()}
for record in ours:
    steps, where = [s["body"] for s in record["trace"]["steps"]], record["id"]
    mine = [s["usage"] for s in steps if s["type"] == "model"]
    kinds = {}
    for span in roots[where]:
        told = values(span)
        kinds.setdefault(told["gen_ai.operation.name"], []).append(told)
    chats, tools = kinds.get("chat", []), kinds.get("execute_tool", [])
    same("model turns", len(mine), len(chats), where)
    for usage, told in zip(mine, chats):
        pair = (told["gen_ai.usage.input_tokens"], told["gen_ai.usage.output_tokens"])
        same("tokens", (usage["input_tokens"], usage["output_tokens"]), pair, where)
    calls = [s["call"] for s in steps if s["type"] == "call"]
    same("tool calls", [(c["name"], c["id"]) for c in calls],
         [(t["gen_ai.tool.name"], t["gen_ai.tool.call.id"]) for t in tools], where)
    ids = {s.span_id for s in roots[where]}
    for span in roots[where]:
        if span.parent_span_id and span.parent_span_id not in ids:
            raise SystemExit(f"otel: {span.name} of {where} has a parent that is not there")
print(f"otel: {len(ours)} traces, " + ", ".join(f"{v} {k}" for k, v in n.items()) + " agree")
