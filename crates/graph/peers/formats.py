#!/usr/bin/env python3
"""Reads what networkx writes of random graphs, and lets networkx read what we write.

    python3 crates/graph/peers/formats.py [--n 40] [--seed 1]

Prints a row for each format in each direction, and exits with 1 unless all agree. Needs networkx,
numpy and scipy.
"""

import argparse
import collections
import csv
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import networkx as nx
import scipy.io

NAMES = ["Ash", "Elm", "Oak tree", "Fir & Co", "Bad <Ems>", "Köln", "x1", "Yew's", "a.b", "Zoë"]


def made(rng):
    """A graph with names or numbers, directed or not, weighted or not."""
    g = nx.DiGraph() if rng.random() < 0.5 else nx.Graph()
    n = rng.randint(2, 10)
    nodes = rng.sample(NAMES, n) if rng.random() < 0.6 else list(range(n))
    g.add_nodes_from(nodes)
    weighted = rng.random() < 0.5
    for a in nodes:
        for b in nodes:
            if rng.random() < 0.3 and (a != b or rng.random() < 0.2):
                g.add_edge(a, b, **({"weight": rng.choice([2, 0.5, 3.25, -4.0])} if weighted else {}))
    if not g.edges:
        g.add_edge(nodes[0], nodes[1])
        if weighted:
            g[nodes[0]][nodes[1]]["weight"] = 2
    return g


def seen(g, weights=True, nodes=True):
    """What of a graph must agree."""
    edges = []
    for a, b, w in g.edges(data="weight"):
        ends = (str(a), str(b)) if g.is_directed() else tuple(sorted((str(a), str(b))))
        edges.append((*ends, None if w is None or not weights else float(w)))
    return (g.is_directed(), sorted(map(str, g)) if nodes else None, sorted(edges, key=str))


def ours(found, weights=True, nodes=True):
    g = nx.DiGraph() if found["directed"] else nx.Graph()
    g.add_nodes_from(found["nodes"])
    for a, b, w in found["edges"]:
        g.add_edge(a, b, **({} if w is None else {"weight": w}))
    return seen(g, weights, nodes)


def written(g):
    """Each text that networkx writes of a graph: a name, the text, the graph it has, how to compare."""
    plain = nx.convert_node_labels_to_integers(g)
    is_spaced = any(" " in str(n) for n in g)
    yield "gml", "\n".join(nx.generate_gml(g)), g, {}
    yield "graphml", "\n".join(nx.generate_graphml(g)), g, {}
    yield "gexf", "\n".join(nx.generate_gexf(g)), g, {}
    yield "pajek", "\n".join(nx.generate_pajek(g)), g, {"pajek": True}
    for key in ("edges", "links"):
        yield f"node_link_{key}", json.dumps(nx.node_link_data(g, edges=key)), g, {}
    yield "adjacency_json", json.dumps(nx.adjacency_data(g)), g, {}
    yield "cytoscape", json.dumps(nx.cytoscape_data(g)), g, {}
    if not is_spaced:
        yield "edge_list", "\n".join(nx.generate_edgelist(g)), g, {"nodes": False, "undirected": True}
        weights = all(w is not None for *_, w in g.edges(data="weight"))
        if weights:
            yield "weighted_edge_list", "\n".join(nx.generate_edgelist(g, data=["weight"])), g, {"nodes": False, "undirected": True}
        # Lines of one node each could be anything.
        if not g.is_directed() and len(g) > 3 and g.number_of_edges() > len(g):
            yield "adjlist", "\n".join(nx.generate_adjlist(g)), g, {"weights": False, "loose": True}
    if not g.is_directed() and not any(a == b for a, b in g.edges):
        yield "graph6", nx.to_graph6_bytes(plain).decode(), plain, {"weights": False}
        yield "sparse6", nx.to_sparse6_bytes(plain).decode(), plain, {"weights": False}
    buffer = io.BytesIO()
    scipy.io.mmwrite(buffer, nx.to_scipy_sparse_array(plain, dtype=float))
    yield "matrix_market", buffer.getvalue().decode(), nx.relabel_nodes(plain, {i: i + 1 for i in plain}), {"ones": True}
    yield "matrix", "\n".join(",".join(map(repr, map(float, row))) for row in nx.to_numpy_array(plain)), plain, {"ones": True, "small": len(plain) < 4, "symmetric": True}


def read(name, text, directed):
    """A graph of a text that we wrote, as networkx or scipy reads it; None where neither does."""
    kind = nx.DiGraph if directed else nx.Graph
    if name == "gml":
        return nx.parse_gml(text, label="label"), {}
    if name == "graphml":
        return nx.parse_graphml(text), {}
    if name == "gexf":
        return nx.read_gexf(io.BytesIO(text.encode())), {}
    if name == "pajek":
        g = nx.parse_pajek(text)
        return kind(g), {"pajek": True}
    if name == "node_link":
        return nx.node_link_graph(json.loads(text), edges="edges"), {}
    if name == "cytoscape":
        return nx.cytoscape_graph(json.loads(text)), {}
    if name == "graph6":
        return nx.from_graph6_bytes(text.strip().encode()), {"plain": True, "weights": False}
    if name == "matrix_market":
        m = scipy.io.mmread(io.BytesIO(text.encode()))
        return nx.from_scipy_sparse_array(m, create_using=kind), {"plain": True, "ones": True}
    if name == "edge_table":
        g = kind()
        for row in csv.DictReader(text.splitlines()):
            g.add_edge(row["Source"], row["Target"], **({"weight": float(row["Weight"])} if row["Weight"] else {}))
        return g, {"nodes": False}
    return None


def ones(state):
    """Weights of 1 and none are the same in a matrix."""
    directed, nodes, edges = state
    return directed, nodes, sorted(((a, b, 1.0 if w is None else w) for a, b, w in edges), key=str)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--n", type=int, default=40)
    args.add_argument("--seed", type=int, default=1)
    args = args.parse_args()
    rng = random.Random(args.seed)
    counts, faults = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "read").mkdir()
        (folder / "write").mkdir()
        wanted, graphs = {}, {}
        for i in range(args.n):
            g = made(rng)
            graphs[str(i)] = g
            (folder / "write" / f"{i}.json").write_text(json.dumps(nx.node_link_data(g, edges="edges")))
            for name, text, graph, how in written(g):
                if how.get("small"):
                    continue
                wanted[f"{i}-{name}"] = (name, graph, how)
                (folder / "read" / f"{i}-{name}").write_text(text)
        subprocess.run(["cargo", "run", "-q", "-p", "graph", "--example", "formats", "--", str(folder)], check=True)
        for file, (name, graph, how) in wanted.items():
            found = json.loads((folder / "seen" / f"{file}.json").read_text())
            counts["read", name] += 1
            if "error" in found:
                faults.append((file, found["error"]))
                continue
            weights, nodes = how.get("weights", True), how.get("nodes", True)
            want, got = seen(graph, weights, nodes), ours(found, weights, nodes)
            if how.get("undirected") and graph.is_directed():
                # An edge list says no direction: only which pairs there are can agree.
                pairs = {tuple(sorted(e[:2])) for e in want[2]}
                want, got = pairs, {tuple(sorted(e[:2])) for e in got[2]}
            elif how.get("pajek") or how.get("ones") or how.get("symmetric"):
                want, got = ones(want), ones(got)
                if how.get("pajek") is None:
                    # A symmetric matrix is undirected.
                    loose = lambda s: {tuple(sorted(e[:2])) + e[2:] for e in s[2]}
                    want, got = loose(want), loose(got)
            elif how.get("loose"):
                want, got = want[1:], got[1:]
            if want != got:
                faults.append((file, f"{got}\n  networkx: {want}\n  notes: {found['notes']}"))
        for path in sorted((folder / "written").iterdir()):
            i, name = path.name.split(".", 1)
            g = graphs[i]
            result = read(name, path.read_text(), g.is_directed())
            if result is None:
                continue
            counts["written", name] += 1
            back, how = result
            if how.get("plain"):
                g = nx.convert_node_labels_to_integers(g)
            weights, nodes = how.get("weights", True), how.get("nodes", True)
            want, got = seen(g, weights, nodes), seen(back, weights, nodes)
            if how.get("ones") or how.get("pajek"):
                want, got = ones(want), ones(got)
            if want != got:
                faults.append((path.name, f"{got}\n  ours: {want}"))
    print("| direction | format | graphs |\n|---|---|---:|")
    for (way, name), n in sorted(counts.items()):
        print(f"| {'networkx writes, we read' if way == 'read' else 'we write, others read'} | {name} | {n} |")
    for name, words in faults:
        print(f"{name}: {words}", file=sys.stderr)
    print(f"{sum(counts.values()) - len(faults)} of {sum(counts.values())} agree")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
