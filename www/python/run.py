"""One piece of code with a graph: a request's text in, a reply's text out.

Knows nothing of the browser, so `python3 -m unittest` tests it (tests/python/test_run.py).
"""

import ast
import io
import itertools
import json
import math
import os
import random
import re
import sys
import traceback
from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, Set, ValuesView
from types import SimpleNamespace

# What a browser's Python has beside itself.
if os.path.exists("/lib/networkx.zip"):
    sys.path.append("/lib/networkx.zip")
import networkx as nx
from networkx.classes import reportviews as views

FILENAME = "<code>"
MAX_DEPTH = 20
# Of a generator, and of what else has no end that can be known.
MAX_DRAWN = 500
MAX_VALUES = 100_000
MAX_CHARS = 1_000_000
MAX_GRAPH_CHARS = 8_000_000
MAX_REPR = 10_000
MAX_MESSAGE = 2_000
MAX_FILES = 100
MAX_ERRORS = 10_000


class TooLarge(Exception):
    """A value that does not fit in a reply."""


def run_text(text):
    """Runs a request, and gives the reply as JSON."""
    try:
        return as_text(run(json.loads(text)))
    except MemoryError:
        return as_text(failure("memory", "MemoryError"))


def run(request):
    """Runs a request's code once, in a namespace of its own."""
    random.seed(0)
    if request.get("is_program"):
        return run_program(request["code"])
    given = request["graph"]
    graph = build_graph(given) if given is not None else nx.MultiDiGraph()
    names = namespace(graph)
    try:
        write_files(request["files"])
        value = execute(request["code"], names)
    except BaseException as error:
        return failure_of(error)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    try:
        wanted = request["wants_graph"]
        reply = {
            "ok": True,
            "result": Converter().convert(value),
            "result_text": bounded(repr(value), MAX_REPR),
            "graph": tell_graph(graph_after(graph, names), given) if wanted else None,
        }
        if len(as_text(reply["graph"])) > MAX_GRAPH_CHARS:
            raise TooLarge(f"the graph takes more than {MAX_GRAPH_CHARS} characters")
        return reply
    except TooLarge as error:
        return failure("too_large", str(error))
    except BaseException as error:
        # A value's own methods are the code's as well.
        return failure_of(error)


def run_program(code):
    """Runs a program by itself, as `python3` runs a file: it reads no input, and `sys.exit` ends it."""
    kept, sys.stderr = sys.stderr, Errors()
    sys.stdin = io.StringIO()
    reply = {"ok": True, "result": None, "result_text": "", "graph": None}
    try:
        names = {"__name__": "__main__", "__builtins__": __builtins__}
        exec(compile(code, FILENAME, "exec"), names)
    except SystemExit as error:
        if error.code not in (None, 0):
            reply = failure("runtime", f"it ends itself by sys.exit({bounded(repr(error.code), 200)})")
            reply["exit"] = error.code if type(error.code) is int else 1
    except BaseException as error:
        reply = {**failure_of(error), "exit": 1}
    try:
        sys.stdout.flush()
    except BaseException:
        # The program may have closed it.
        pass
    errors, sys.stderr = sys.stderr, kept
    # The code may have put anything in its place.
    return {**reply, "errors": errors.text() if isinstance(errors, Errors) else ""}


class Errors(io.TextIOBase):
    """Keeps the beginning of what a program writes to its standard error."""

    def __init__(self):
        self.kept = ""

    def write(self, text):
        text = str(text)
        self.kept += text[: MAX_ERRORS - len(self.kept)]
        return len(text)

    def text(self):
        return bounded(self.kept, MAX_ERRORS)


def as_text(value):
    # A graph's own attributes may hold anything, so nothing but JSON is let through here too.
    return json.dumps(value, allow_nan=False)


def bounded(text, most):
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= most else text[: most - 1] + "…"


# --- The code ------------------------------------------------------------------------------------


def namespace(graph):
    """What the code sees: `G`, the same as `self.G`, and networkx under both of its names."""
    return {
        "__name__": "__main__",
        "__builtins__": __builtins__,
        "G": graph,
        "self": SimpleNamespace(G=graph),
        "nx": nx,
        "networkx": nx,
    }


def execute(code, names):
    """Runs the code; gives `result` if the code sets it, else the last expression's value."""
    tree = ast.parse(code, FILENAME)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, FILENAME, "exec"), names)
    value = None
    if last is not None:
        value = eval(compile(ast.Expression(last.value), FILENAME, "eval"), names)
    return names.get("result", value)


def failure(kind, message, line=None):
    return {"ok": False, "kind": kind, "message": bounded(message, MAX_MESSAGE), "line": line}


def failure_of(error):
    """The last line of a traceback, and the line of the code that it is about."""
    try:
        message = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    except BaseException:
        # There may be no room for more, or the error's own method fails.
        message = type(error).__name__
    if isinstance(error, SyntaxError) and error.filename == FILENAME:
        return failure("syntax", message, error.lineno)
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == FILENAME]
    kind = "memory" if isinstance(error, MemoryError) else "runtime"
    return failure(kind, message, lines[-1] if lines else None)


def write_files(files):
    if len(files) > MAX_FILES:
        raise ValueError(f"{len(files)} files were given; {MAX_FILES} is the limit")
    for file in files:
        if not re.fullmatch(r"[^/\\\0]{1,200}", file["name"]) or file["name"] in (".", ".."):
            raise ValueError(f"{file['name']!r} is no name of a file")
        with open(file["name"], "w", encoding="utf-8", newline="") as out:
            out.write(file["text"])


# --- The graph -----------------------------------------------------------------------------------


def is_key(value):
    return (isinstance(value, str) and value != "") or type(value) is int


def keys_of(nodes):
    """By what the code knows each node: its property `id`, else `name`, if no other node could be
    meant by it; else its own id."""
    wished = []
    for node in nodes:
        found = [node["properties"].get(p) for p in ("id", "name")]
        wished.append(next((key for key in found if is_key(key)), None))
    times = {}
    for key in itertools.chain(wished, (node["id"] for node in nodes)):
        times[key] = times.get(key, 0) + 1
    keys = []
    for node, key in zip(nodes, wished):
        # A node whose property says its own id counts twice by itself.
        alone = times.get(key) == (2 if key == node["id"] else 1)
        keys.append(key if key is not None and alone else node["id"])
    return keys


def build_graph(given):
    graph = nx.MultiDiGraph()
    keys = dict(zip((node["id"] for node in given["nodes"]), keys_of(given["nodes"])))
    for node in given["nodes"]:
        graph.add_node(keys[node["id"]])
        graph.nodes[keys[node["id"]]].update(node["properties"], labels=list(node["labels"]))
    for edge in given["edges"]:
        source, target = keys[edge["source"]], keys[edge["target"]]
        graph.add_edge(source, target, key=edge["id"])
        graph[source][target][edge["id"]].update(edge["properties"], type=edge["type"])
    return graph


def graph_after(graph, names):
    """The graph that the code left: the one it was given, or what it put in its place."""
    for found in (getattr(names.get("self"), "G", None), names.get("G")):
        if isinstance(found, nx.Graph) and found is not graph:
            return found
    return graph


def tell_graph(graph, given):
    """A graph in the form of a request. Nodes and edges that were there keep their ids, new ones
    have none; `key` is what the code calls a node, and an edge's ends are keys."""
    nodes = [] if given is None else given["nodes"]
    ids = dict(zip(keys_of(nodes), (node["id"] for node in nodes)))
    ends = {node_id: key for key, node_id in ids.items()}
    edges = set() if given is None else {
        (ends[e["source"]], ends[e["target"]], e["id"]) for e in given["edges"]
    }
    # A graph may be larger than a result.
    converter = Converter(max_values=1_000_000, max_chars=MAX_GRAPH_CHARS)
    told_nodes, told_edges = [], []
    keys, taken = {}, set()
    for node, found in graph.nodes(data=True):
        key = converter.convert(node) if is_key(node) else str(node)
        if key in taken:
            raise ValueError(f"two nodes of the graph are both called {key!r}")
        taken.add(key)
        keys[node] = key
        found = dict(found)
        labels = found.pop("labels", None)
        if labels is None:
            labels = found.pop("label", [])
        labels = [labels] if isinstance(labels, str) else [str(label) for label in labels]
        told_nodes.append({
            "id": ids.get(node),
            "key": key,
            "labels": labels,
            "properties": converter.convert(found),
        })
    # Only a graph with parallel edges has keys of edges.
    multi = graph.is_multigraph()
    each = graph.edges(keys=True, data=True) if multi else graph.edges(data=True)
    for source, target, *edge_key, found in each:
        found = dict(found)
        is_old = multi and (source, target, edge_key[0]) in edges
        named = (found.pop(word) for word in ("type", "relationship", "label") if word in found)
        told_edges.append({
            "id": edge_key[0] if is_old else None,
            "source": keys[source],
            "target": keys[target],
            "type": str(next(named, "")),
            "properties": converter.convert(found),
        })
    return {"directed": graph.is_directed(), "nodes": told_nodes, "edges": told_edges}


# --- Values as JSON ------------------------------------------------------------------------------


class Converter:
    """Makes JSON of whatever the code left, within limits."""

    def __init__(self, max_values=MAX_VALUES, max_chars=MAX_CHARS):
        self.values_left = max_values
        self.chars_left = max_chars

    def text(self, text):
        text = str(text).encode("utf-8", "replace").decode()
        self.chars_left -= len(text)
        if self.chars_left < 0:
            raise TooLarge("the result holds too much text")
        return text

    def key(self, key):
        return self.text(key if isinstance(key, str) else repr(key) if is_nested(key) else str(key))

    def convert(self, value, depth=0):
        self.values_left -= 1
        if self.values_left < 0:
            raise TooLarge("the result holds too many values")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            # JSON's readers have 64 bits.
            return int(value) if -(2**63) <= value < 2**63 else self.text(int(value))
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, (bytes, bytearray)):
            return self.text(bytes(value).decode("utf-8", "replace"))
        if depth >= MAX_DEPTH:
            return self.text(bounded(repr(value), 200))
        many = lambda values: [self.convert(v, depth + 1) for v in values]
        if isinstance(value, nx.Graph):
            return {
                "nodes": many(value.nodes(data=True)),
                "edges": many(value.edges(data=True)),
            }
        if isinstance(value, views.DiDegreeView):
            return {self.key(k): self.convert(v, depth + 1) for k, v in value}
        # A view of nodes is a mapping too; a list is what it is taken for.
        if type(value).__module__ == views.__name__:
            return many(value)
        if isinstance(value, Mapping):
            return {self.key(k): self.convert(v, depth + 1) for k, v in value.items()}
        if isinstance(value, (KeysView, ValuesView, ItemsView)):
            return many(value)
        if isinstance(value, Set):
            return many(in_order(value))
        if isinstance(value, Sequence):
            return many(value)
        if isinstance(value, (Iterator, io.IOBase)) or hasattr(value, "__next__"):
            return many(itertools.islice(value, MAX_DRAWN))
        return self.text(bounded(str(value), MAX_REPR))


def is_nested(value):
    return isinstance(value, (tuple, frozenset))


def in_order(values):
    """A set's values in an order that every run has."""
    values = list(values)
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda v: (type(v).__name__, repr(v)))


# --- Before hostile code -------------------------------------------------------------------------


def close_doors():
    """Takes from Python what reaches JavaScript. The browser's walls hold without this."""
    from _pyodide._importhook import JsFinder

    doors = ("js", "pyodide_js")
    for importer in sys.meta_path:
        if isinstance(importer, JsFinder):
            importer.jsproxies.clear()
    for name in list(sys.modules):
        if name.split(".")[0] in doors or name in ("pyodide.code", "pyodide.http", "pyodide._run_js"):
            del sys.modules[name]
    # None in this table means: there is no such module.
    for name in (*doors, "pyodide.http", "pyodide.code", "pyodide._run_js", "_pyodide_core", "_ctypes"):
        sys.modules[name] = None
