"""Our Inspect logs through Inspect's own reader (PyPI `inspect-ai`), held against our own format.

Every message, tool call, tool result, score and count of tokens that ours has must be in what Inspect
read, and nothing more; and what Inspect writes again is replayed by us without drift.
"""

import json
import os
import subprocess
import sys
import tempfile

from inspect_ai.log import read_eval_log, write_eval_log

from dressed import dressed

GRAPHGROUND = sys.argv[1]
folder = tempfile.mkdtemp()
ours, path = dressed(GRAPHGROUND, folder, "inspect")
log = read_eval_log(path, resolve_attachments=True)
counts = dict.fromkeys(["messages", "tool calls", "tool results", "scores", "events", "usages"], 0)


def same(kind, mine, theirs, where):
    counts[kind] += 1
    if mine != theirs:
        raise SystemExit(f"inspect: {kind} of {where}: ours {mine!r}, theirs {theirs!r}")


def told(result):
    """What a model reads of a result, built here from our format's fields."""
    if "value" in result:
        value = result["value"]
        out = {"result": value["value"]}
        if value.get("notes"):
            out["notes"] = value["notes"]
        return out
    error = result["error"]
    out = {"type": error["code"], "message": error["message"]}
    if error.get("witness") is not None:
        out["witness"] = error["witness"]
    return {"error": out}


def arguments(text):
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return None  # Inspect has objects only; what is no JSON cannot be one.
    return value if isinstance(value, dict) else None


same("messages", len(ours), len(log.samples), "the log")
for record, sample in zip(ours, log.samples):
    where, trace = record["id"], record["trace"]
    same("messages", where, sample.id, where)
    same("messages", record["input"], sample.input, where)
    messages = list(sample.messages)
    for said in trace["prompt"]:
        theirs = messages.pop(0)
        same("messages", (said["role"], said["content"]), (theirs.role, theirs.text), where)
    events = [e for e in sample.events if e.event in ("model", "tool")]
    for step in (s["body"] for s in trace["steps"]):
        if step["type"] == "model":
            theirs, event = messages.pop(0), events.pop(0)
            message = step["message"]
            same("messages", ("assistant", message["content"]), (theirs.role, theirs.text), where)
            calls = message.get("tool_calls") or []
            same("tool calls", len(calls), len(theirs.tool_calls or []), where)
            for call, other in zip(calls, theirs.tool_calls or []):
                same("tool calls", (call["id"], call["name"]), (other.id, other.function), where)
                if arguments(call["arguments"]) is not None:
                    same("tool calls", arguments(call["arguments"]), other.arguments, where)
            same("events", "model", event.event, where)
            same("events", message["content"], event.output.completion, where)
            usage, other = step["usage"], event.output.usage
            mine = (usage["input_tokens"], usage["output_tokens"])
            same("usages", mine, (other.input_tokens, other.output_tokens), where)
            thoughts = [c.reasoning for c in theirs.content if c.type == "reasoning"] \
                if isinstance(theirs.content, list) else []
            mine = [message["reasoning"]] if message.get("reasoning") else []
            same("messages", mine, thoughts, f"{where}, its reasoning")
        elif step["type"] == "call":
            theirs, event = messages.pop(0), events.pop(0)
            same("tool results", ("tool", step["call"]["id"]), (theirs.role, theirs.tool_call_id), where)
            read = json.loads(theirs.text)
            if not step.get("told"):
                same("tool results", told(step["result"]), read, where)
            same("tool results", "error" in step["result"], theirs.error is not None, where)
            same("events", step["call"]["name"], event.function, where)
    same("messages", [], messages, f"{where}, left over")
    same("events", [], events, f"{where}, left over")
    if score := record.get("score"):
        theirs = sample.scores[score["name"]]
        mine = (score["value"], score["explanation"], score["label"])
        same("scores", mine, (theirs.value, theirs.explanation, theirs.metadata["label"]), where)
scored = [r["score"]["value"] for r in ours if r.get("score")]
same("scores", round(sum(scored) / len(scored), 12), round(log.results.scores[0].metrics["mean"].value, 12), "the log")

for name in ("again.json", "again.eval"):
    path = os.path.join(folder, name)
    write_eval_log(log, path)
    again = read_eval_log(path, resolve_attachments=True)
    kept = [s.model_dump(mode="json", include={"messages", "scores"}) for s in log.samples]
    same("messages", kept, [s.model_dump(mode="json", include={"messages", "scores"}) for s in again.samples], name)
path = os.path.join(folder, "again.json")
replay = json.loads(subprocess.check_output([GRAPHGROUND, "trace", "replay", path, "--json"]))
n_calls = sum(s["body"]["type"] == "call" for r in ours for s in r["trace"]["steps"])
same("tool results", (n_calls, 0), (replay["calls"], replay["drift"]), "what Inspect wrote again")

print(f"inspect: {len(ours)} traces, " + ", ".join(f"{n} {kind}" for kind, n in counts.items()) + " agree")
