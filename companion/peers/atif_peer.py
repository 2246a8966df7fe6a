"""Our ATIF trajectories through models of the format that are not ours (PyPI `atif`)."""

import json
import sys
import tempfile

from atif import Trajectory
from dressed import dressed

ours, path = dressed(sys.argv[1], tempfile.mkdtemp(), "atif")
with open(path) as file:
    data = json.load(file)
trajectories = [Trajectory.model_validate(t) for t in (data if isinstance(data, list) else [data])]
n = dict.fromkeys(["trajectories", "messages", "tool calls", "observations"], 0)


def same(kind, mine, theirs, where):
    n[kind] += 1
    if mine != theirs:
        raise SystemExit(f"atif: {kind} of {where}: ours {mine!r}, theirs {theirs!r}")


same("trajectories", len(ours), len(trajectories), "the file")
for record, read in zip(ours, trajectories):
    where, steps = record["id"], [s["body"] for s in record["trace"]["steps"]]
    same("trajectories", where, read.session_id, where)
    turns = [s["message"] for s in steps if s["type"] == "model"]
    theirs = [s for s in read.steps if s.source == "agent"]
    same("messages", [t["content"] for t in turns], [s.message for s in theirs], where)
    same("messages", [t.get("reasoning") for t in turns], [s.reasoning_content for s in theirs], where)
    for turn, step in zip(turns, theirs):
        mine = [(c["id"], c["name"]) for c in turn.get("tool_calls") or []]
        same("tool calls", mine, [(c.tool_call_id, c.function_name) for c in step.tool_calls or []], where)
    seen = [r.source_call_id for s in theirs if s.observation for r in s.observation.results]
    same("observations", [s["call"]["id"] for s in steps if s["type"] == "call"], seen, where)
print(f"atif: " + ", ".join(f"{v} {k}" for k, v in n.items()) + " agree")
