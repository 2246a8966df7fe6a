"""Our benchmark exports through other people's readers: Inspect's log reader (PyPI `inspect-ai`) and
the table writer of lm-evaluation-harness (PyPI `lm_eval`), whichever of the two is installed here.

Runs of two scripts are made, reported in both forms, read by the peer, and held against our own report.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

GRAPHGROUND = os.path.abspath(sys.argv[1])
folder = tempfile.mkdtemp()


def run(*args):
    return subprocess.run([GRAPHGROUND, *args], cwd=folder, check=True, capture_output=True, text=True).stdout


run("bench", "--difficulty", "easy", "--n", "4", "--system", "grounded,standalone",
    "--model", "script,mistaken", "--samples", "2", "--out", "runs.jsonl")
report = json.loads(run("report", "runs.jsonl", "--json"))
run("report", "runs.jsonl", "--inspect", "inspect", "--lm-eval", "lm_eval")


def ours(setup, task):
    """Our counts: runs and correct ones."""
    for row in report["rows"]:
        family = row["family"]
        if row["setup"] == setup and family["is_total"] and family["task"] == task:
            return row["n_runs"], row["verdicts"][0]
    raise SystemExit(f"bench: our report has no {task} of {setup}")


def check(what, mine, theirs):
    if mine != theirs:
        raise SystemExit(f"bench: {what}: ours {mine!r}, theirs {theirs!r}")


n = 0
try:
    from inspect_ai.log import read_eval_log
except ImportError:
    read_eval_log = None
if read_eval_log:
    for path in sorted(glob.glob(f"{folder}/inspect/*.json")):
        log = read_eval_log(path)
        runs, correct = ours(log.eval.metadata["setup_hash"], None)
        check("samples", runs, len(log.samples))
        check("epochs", {1, 2}, {s.epoch for s in log.samples})
        check("correct", correct, sum(s.scores["verdict"].value == 1 for s in log.samples))
        metrics = log.results.scores[0].metrics
        check("accuracy", round(correct / runs, 12), round(metrics["accuracy"].value, 12))
        assert all(len(s.messages) > 2 for s in log.samples)
        n += len(log.samples)
    print(f"Inspect read {n} samples of 4 logs with our counts")

try:
    from lm_eval.utils import make_table
except ImportError:
    make_table = None
if make_table:
    rows = 0
    for path in sorted(glob.glob(f"{folder}/lm_eval/results_*.json")):
        results = json.load(open(path))
        table = make_table(results)
        for task, values in results["results"].items():
            name = None if task == "nlgraph" else task.removeprefix("nlgraph_")
            runs, correct = ours(results["config"]["setup_hash"], name)
            check("accuracy", round(correct / runs, 12), round(values["acc,none"], 12))
            check("n", runs, results["n-samples"][task]["effective"])
            line = next(l for l in table.splitlines() if l.split("|")[1:2] and l.split("|")[1].strip() == task)
            if f"{correct / runs:.4f}" not in line:
                raise SystemExit(f"bench: {correct / runs:.4f} is not in {line!r}")
            rows += 1
    for path in glob.glob(f"{folder}/lm_eval/samples_*.jsonl"):
        n += sum(1 for line in open(path) if json.loads(line)["acc"] in (0, 1))
    print(f"lm-evaluation-harness wrote a table of {rows} rows with our figures")
if not (read_eval_log or make_table):
    raise SystemExit("bench: neither peer is installed here")
