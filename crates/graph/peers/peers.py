#!/usr/bin/env python3
"""Compares the graph library with networkx on random graphs.

    python3 crates/graph/peers/peers.py [--n 10000] [--seed 1] [--output docs/peers.md]

Runs `cargo run --release -p graph --example peers`, which makes the graphs from the seed and asks
the library; asks networkx about the same graphs; prints a markdown table and exits with 1 unless
everything agrees. Values are compared directly (numbers to 1e-6); where several answers are right
(a path, a flow, a colouring) networkx gives the optimum and checks that our answer is valid and
attains it. Needs networkx, and numpy and scipy for its edit distance (`pip install networkx numpy
scipy`).

--n       how many graphs
--seed    the seed of the graphs
--output  also write the table, with this command, to a file
"""

import argparse
import collections
import datetime
import itertools
import json
import math
import os
import subprocess
import sys

import networkx as nx
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python


def close(a, b):
    return a == b or math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6)


def walk_weight(g, path):
    """The weight of a walk, or None if an edge is missing."""
    if any(not g.has_edge(u, v) for u, v in zip(path, path[1:])):
        return None
    return sum(g[u][v].get("weight", 1) for u, v in zip(path, path[1:]))


def simple(path):
    return len(set(path)) == len(path)


def closed(g, cycle):
    """Whether nodes are a cycle of g, closed implicitly."""
    if not cycle or not simple(cycle):
        return False
    if len(cycle) == 2 and not g.is_directed():
        return False
    return walk_weight(g, cycle + cycle[:1]) is not None


def flat(g):
    """Undirected; of two opposite edges the lighter weight."""
    u = nx.Graph()
    u.add_nodes_from(g)
    for a, b, w in g.edges(data="weight", default=1):
        if not u.has_edge(a, b) or u[a][b]["weight"] > w:
            u.add_edge(a, b, weight=w)
    return u


def sets(lists):
    return sorted(sorted(x) for x in lists)


def values(value):
    return {x["node"]: x["value"] for x in value["values"]}


def same_values(ours, theirs):
    return ours.keys() == theirs.keys() and all(close(ours[k], theirs[k]) for k in ours)


CHECKS = {}


def check(note):
    def register(f):
        CHECKS[f.__name__] = (f, note)
        return f

    return register


# Every check: graph, arguments, our value or None, our error code or None -> agree?


@check("values")
def describe_graph(g, a, v, e):
    degrees = [d for _, d in g.degree()]
    return (
        v["n_nodes"] == len(g)
        and v["n_edges"] == g.number_of_edges()
        and v["nodes"] == list(g)
        and close(v["density"], nx.density(g))
        and v["min_degree"] == min(degrees, default=None)
        and v["max_degree"] == max(degrees, default=None)
        and v["n_components"] == nx.number_connected_components(nx.Graph(g))
    )


@check("values, in the same order")
def get_neighbors(g, a, v, e):
    before = list(g.predecessors(a["node"])) if g.is_directed() else None
    return v["neighbors"] == list(g.neighbors(a["node"])) and v["predecessors"] == before


@check("values, as sets; networkx refuses directed graphs, where we give the common successors")
def common_neighbors(g, a, v, e):
    x, y = a["first"], a["second"]
    if g.is_directed():
        theirs = (set(g.successors(x)) & set(g.successors(y))) - {x, y}
    else:
        theirs = nx.common_neighbors(g, x, y)
    return sorted(v["neighbors"]) == sorted(theirs) and v["count"] == len(theirs)


@check("values")
def get_degrees(g, a, v, e):
    return {x["node"]: x["degree"] for x in v["degrees"]} == dict(g.degree())


@check("values")
def has_edge(g, a, v, e):
    return v["has_edge"] == g.has_edge(a["source"], a["target"])


@check("values; 1 where no weight was given")
def get_edge_weight(g, a, v, e):
    return v["weight"] == g[a["source"]][a["target"]].get("weight", 1)


@check("values")
def get_density(g, a, v, e):
    return close(v["density"], nx.density(g))


@check("values; the path is walked")
def has_path(g, a, v, e):
    theirs = nx.has_path(g, a["start"], a["end"])
    if not theirs:
        return v["has_path"] is False and v["path"] is None
    path = v["path"]
    return (
        v["has_path"]
        and walk_weight(g, path) is not None
        and (path[0], path[-1]) == (a["start"], a["end"])
        and len(path) == nx.shortest_path_length(g, a["start"], a["end"]) + 1
    )


@check("the same nodes, by layers of equal distance")
def bfs_order(g, a, v, e):
    d = nx.single_source_shortest_path_length(g, a["start"])
    order = v["order"]
    return set(order) == set(d) and [d[x] for x in order] == sorted(d.values())


@check("values, in the same order")
def dfs_order(g, a, v, e):
    return v["order"] == list(nx.dfs_preorder_nodes(g, a["start"]))


@check("values, as sets; a directed graph by its weak components")
def connected_components(g, a, v, e):
    theirs = nx.weakly_connected_components(g) if g.is_directed() else nx.connected_components(g)
    return sets(v["components"]) == sets(theirs) and v["n_components"] == len(v["components"])


@check("values, as sets; networkx refuses undirected graphs, where we give the components")
def strongly_connected_components(g, a, v, e):
    theirs = (
        nx.strongly_connected_components(g) if g.is_directed() else nx.connected_components(g)
    )
    return sets(v["components"]) == sets(theirs)


@check("values, as sets; networkx on the undirected graph")
def find_bridges(g, a, v, e):
    return sets(v["bridges"]) == sets(nx.bridges(flat(g)))


@check("values, as sets; networkx on the undirected graph")
def find_articulation_points(g, a, v, e):
    return sorted(v["articulation_points"]) == sorted(nx.articulation_points(flat(g)))


@check("length; the path is walked; no path is null here, an exception there")
def find_shortest_path(g, a, v, e):
    try:
        best = nx.dijkstra_path_length(g, a["start"], a["end"])
    except nx.NetworkXNoPath:
        return v["path"] is None and v["length"] is None
    path = v["path"]
    ends = (path[0], path[-1]) == (a["start"], a["end"])
    return ends and close(v["length"], best) and close(walk_weight(g, path), best) and simple(path)


@check("values; no path is null here, an exception there")
def find_shortest_distance(g, a, v, e):
    try:
        return close(v["distance"], nx.dijkstra_path_length(g, a["start"], a["end"]))
    except nx.NetworkXNoPath:
        return v["distance"] is None


@check("values")
def shortest_path_lengths(g, a, v, e):
    theirs = nx.single_source_dijkstra_path_length(g, a["start"])
    return same_values({x["node"]: x["distance"] for x in v["distances"]}, theirs)


@check("values")
def all_pairs_shortest_distances(g, a, v, e):
    theirs = dict(nx.all_pairs_dijkstra_path_length(g))
    for u, row in zip(v["nodes"], v["distances"]):
        for w, d in zip(v["nodes"], row):
            if (d is None) != (w not in theirs[u]) or (d is not None and not close(d, theirs[u][w])):
                return False
    return True


@check("length on acyclic graphs; networkx has no longest path for others, so there the path is walked")
def find_longest_path(g, a, v, e):
    path = v["path"]
    valid = simple(path) and close(walk_weight(g, path), v["length"])
    if g.is_directed() and nx.is_directed_acyclic_graph(g):
        return valid and v["is_longest"] and close(v["length"], nx.dag_longest_path_length(g))
    return valid


def any_cycle(g):
    if g.is_directed():
        return not nx.is_directed_acyclic_graph(g)
    return g.number_of_edges() > len(g) - nx.number_connected_components(g)


@check("existence; the cycle is walked")
def find_cycle(g, a, v, e):
    return closed(g, v["cycle"]) if any_cycle(g) else v["cycle"] is None


@check("values; the cycle is walked")
def has_cycle(g, a, v, e):
    return v["has_cycle"] == any_cycle(g) and (not v["has_cycle"] or closed(g, v["cycle"]))


@check("existence; the order is checked, and is networkx' lexicographical one; undirected graphs with edges are refused by both")
def topological_sort(g, a, v, e):
    if not g.is_directed():
        return e == "not_directed" if g.number_of_edges() else v["order"] == list(g)
    if nx.is_directed_acyclic_graph(g):
        return v["order"] == list(nx.lexicographical_topological_sort(g))
    return v["order"] is None and closed(g, v["cycle"])


@check("values, against the edges that networkx lists")
def is_topological_order(g, a, v, e):
    if not g.is_directed() and g.number_of_edges():
        return e == "not_directed"
    place = {x: i for i, x in enumerate(a["order"])}
    bad = [(x, y) for x, y in g.edges() if place[x] >= place[y]]
    return v["is_valid"] == (not bad) and (not bad or tuple(v["violated_edge"]) in bad)


@check("values")
def is_dag(g, a, v, e):
    return v["is_dag"] == nx.is_directed_acyclic_graph(g)


@check("values; the empty graph is no tree here, an exception there")
def is_tree(g, a, v, e):
    return v["is_tree"] == (len(g) > 0 and nx.is_tree(g))


def network(g):
    h = g.copy()
    for _, _, d in h.edges(data=True):
        d.setdefault("weight", 1)
    return h


@check("value; capacities and conservation are checked")
def max_flow(g, a, v, e):
    g = network(g)
    s, t = a["source"], a["sink"]
    best = nx.maximum_flow_value(g, s, t, capacity="weight")
    balance = collections.Counter()
    for f in v["flow"]:
        u, w, x = f["source"], f["target"], f["flow"]
        if not g.has_edge(u, w) or not 0 < x <= g[u][w]["weight"] + 1e-9:
            return False
        balance[u] += x
        balance[w] -= x
    kept = all(close(b, 0) for n, b in balance.items() if n not in (s, t))
    cut = sum(g[u][w]["weight"] for u, w in v["min_cut"])
    return close(v["max_flow"], best) and kept and close(balance[s], best) and close(cut, best)


@check("value; without the cut edges networkx finds no path")
def min_cut(g, a, v, e):
    g = network(g)
    best = nx.minimum_cut_value(g, a["source"], a["sink"], capacity="weight")
    total = sum(g[u][w]["weight"] for u, w in v["cut_edges"])
    g.remove_edges_from(v["cut_edges"])
    apart = not nx.has_path(g, a["source"], a["sink"])
    sides = sorted(v["source_side"] + v["sink_side"]) == sorted(g)
    return close(v["cut_value"], best) and close(total, best) and apart and sides


@check("value; the sides or the odd cycle are checked; networkx on the undirected graph")
def is_bipartite(g, a, v, e):
    h = flat(g)
    if not nx.is_bipartite(h):
        c = v["odd_cycle"]
        return v["is_bipartite"] is False and len(c) % 2 == 1 and closed(h, c)
    left = set(v["left"])
    crossing = all((x in left) != (y in left) for x, y in h.edges())
    return v["is_bipartite"] and crossing and sorted(v["left"] + v["right"]) == sorted(h)


@check("size, against networkx' Hopcroft-Karp; networkx checks that it is a matching")
def max_bipartite_matching(g, a, v, e):
    h = flat(g)
    if not nx.is_bipartite(h):
        return e == "not_bipartite"
    size = 0
    for part in nx.connected_components(h):
        size += len(nx.bipartite.hopcroft_karp_matching(h.subgraph(part))) // 2
    pairs = {tuple(p) for p in v["matching"]}
    return v["size"] == size == len(pairs) and nx.is_matching(h, pairs)


@check("weight and number of trees; the edges are checked; of two opposite edges the lighter counts")
def minimum_spanning_tree(g, a, v, e):
    h = flat(g)
    best = nx.minimum_spanning_tree(h).size("weight")
    tree = nx.Graph()
    tree.add_nodes_from(h)
    tree.add_edges_from((x, y, h[x][y]) for x, y in v["edges"])
    return (
        close(v["total_weight"], best)
        and close(tree.size("weight"), best)
        and nx.number_connected_components(tree) == v["n_trees"] == nx.number_connected_components(h)
    )


@check("the path is walked; a no is checked on tournaments (networkx has no general one) and, up to 7 nodes, by all orders")
def find_hamilton_path(g, a, v, e):
    if v["exists"]:
        return simple(v["path"]) and len(v["path"]) == len(g) and walk_weight(g, v["path"]) is not None
    if len(g) > 7:
        return not (g.is_directed() and nx.is_tournament(g))
    orders = itertools.permutations(g) if len(g) else []
    return not any(all(g.has_edge(x, y) for x, y in zip(p, p[1:])) for p in orders)


@check("existence; the walk uses every edge once; without edges networkx says no or raises, we give the walk of one node")
def find_eulerian_path(g, a, v, e):
    if g.number_of_edges() == 0:
        return v["path"] == list(g)[:1]
    h = g.copy()
    # networkx wants the nodes without edges away.
    h.remove_nodes_from([n for n in list(h) if h.degree(n) == 0])
    if not nx.has_eulerian_path(h):
        return v["path"] is None and bool(v["reason"])
    for x, y in zip(v["path"], v["path"][1:]):
        if not h.has_edge(x, y):
            return False
        h.remove_edge(x, y)
    return h.number_of_edges() == 0


@check("size; the clique is checked; networkx on the undirected graph without self loops")
def max_clique(g, a, v, e):
    h = flat(g)
    h.remove_edges_from(list(nx.selfloop_edges(h)))
    best = max((len(c) for c in nx.find_cliques(h)), default=0)
    joined = all(h.has_edge(x, y) for x, y in itertools.combinations(v["clique"], 2))
    return v["is_maximum"] and v["size"] == best == len(v["clique"]) and joined


@check("all cliques as sets; networkx on the undirected graph without self loops")
def find_cliques(g, a, v, e):
    h = flat(g)
    h.remove_edges_from(list(nx.selfloop_edges(h)))
    least = a.get("min_size") or 1
    right = {frozenset(c) for c in nx.find_cliques(h) if len(c) >= least}
    ours = {frozenset(c) for c in v["cliques"]}
    return v["is_complete"] and v["n_cliques"] == len(v["cliques"]) == len(right) and ours == right


@check("size, against the cliques of networkx' complement; the set is checked; nodes with an edge to themselves are left out")
def max_independent_set(g, a, v, e):
    h = flat(g)
    h.remove_nodes_from(list(nx.nodes_with_selfloops(h)))
    best = max((len(c) for c in nx.find_cliques(nx.complement(h))), default=0)
    apart = not any(h.has_edge(x, y) for x, y in itertools.combinations(v["nodes"], 2))
    sizes = v["size"] == v["at_most"] == best == len(set(v["nodes"]))
    return v["is_proven"] and sizes and apart and set(v["nodes"]) <= set(h)


@check("size, as what the independent set leaves over; every edge has an end in it")
def min_vertex_cover(g, a, v, e):
    h = flat(g)
    h.remove_nodes_from(list(nx.nodes_with_selfloops(h)))
    best = len(g) - max((len(c) for c in nx.find_cliques(nx.complement(h))), default=0)
    cover = set(v["nodes"])
    covers = all(x in cover or y in cover for x, y in g.edges())
    return v["is_proven"] and v["size"] == v["at_least"] == best == len(cover) and covers


@check("the colouring is checked; between the clique number and networkx' best greedy colouring")
def color_graph(g, a, v, e):
    h = flat(g)
    h.remove_edges_from(list(nx.selfloop_edges(h)))
    color = {x: i for i, c in enumerate(v["classes"]) for x in c}
    proper = all(color[x] != color[y] for x, y in h.edges()) and color.keys() == set(h)
    low = max((len(c) for c in nx.find_cliques(h)), default=0)
    high = max(nx.greedy_color(h, "DSATUR").values(), default=-1) + 1
    return proper and v["is_minimum"] and low <= v["n_colors"] <= high


@check("values; the mapping is checked")
def is_isomorphic(g, a, v, e):
    h = nx.DiGraph() if g.is_directed() else nx.Graph()
    h.add_nodes_from(a["nodes"])
    h.add_edges_from(a["edges"])
    if not nx.is_isomorphic(g, h):
        return v["is_isomorphic"] is False
    to = {x["node"]: x["partner"] for x in v["mapping"]}
    return v["is_isomorphic"] and all(h.has_edge(to[x], to[y]) for x, y in g.edges())


def parts(g, one, other):
    """The part that some nodes make, and the part of others, or of the rest."""
    return g.subgraph(one), g.subgraph(set(g) - set(one) if other is None else other)


def is_embedded(small, large, to):
    """Whether nodes have different partners, and edges edges between them."""
    fits = set(to) == set(small) and set(to.values()) <= set(large)
    return fits and len(set(to.values())) == len(to) and all(
        large.has_edge(to[x], to[y]) for x, y in small.edges()
    )


@check("values, against networkx' matcher of monomorphisms; the mapping is checked")
def find_subgraph(g, a, v, e):
    pattern, within = parts(g, a["pattern"], a.get("within"))
    kind = nx.isomorphism.DiGraphMatcher if g.is_directed() else nx.isomorphism.GraphMatcher
    if v["is_found"]:
        to = {x["node"]: x["partner"] for x in v["mapping"]}
        return is_embedded(pattern, within, to)
    return v["is_found"] is False and not kind(within, pattern).subgraph_is_monomorphic()


@check("size, against networkx' ISMAGS on undirected parts of at most 5 nodes without self loops (on directed ones it also gives what is no common subgraph); on all, the pairs are checked")
def max_common_subgraph(g, a, v, e):
    first, second = parts(g, a["first"], a.get("second"))
    to = {x["node"]: x["partner"] for x in v["pairs"]}
    fits = set(to) <= set(first) and set(to.values()) <= set(second)
    same = all(g.has_edge(x, y) == g.has_edge(to[x], to[y]) for x in to for y in to)
    if not (fits and same and v["is_proven"] and v["size"] == v["at_most"] == len(to)):
        return False
    if max(len(first), len(second)) > 5 or g.is_directed() or nx.number_of_selfloops(g):
        return True
    found = nx.isomorphism.ISMAGS(second, first).largest_common_subgraph(symmetry=False)
    return v["size"] == max((len(x) for x in found), default=0)


@check("value, on parts of at most 4 nodes with labels; parts with self loops are left out, because networkx lets a loop become an edge between two nodes at no cost")
def graph_edit_distance(g, a, v, e):
    first, second = (h.copy() for h in parts(g, a["first"], a.get("second")))
    if v["at_least"] != v["distance"] or not v["is_proven"]:
        return False
    if nx.number_of_selfloops(first) + nx.number_of_selfloops(second):
        return True
    labels = dict(a.get("labels") or [])
    for h in (first, second):
        nx.set_node_attributes(h, {x: labels.get(x, "") for x in h}, "label")
    same = lambda x, y: x["label"] == y["label"]
    return close(v["distance"], nx.graph_edit_distance(first, second, node_match=same))


def whole(g):
    return len(g) and (nx.is_strongly_connected(g) if g.is_directed() else nx.is_connected(g))


REFUSED = "values, with weights; both refuse a graph that is not (strongly) connected or empty"


def measured(g, v, e, compare):
    return compare() if whole(g) else e in ("not_connected", "empty_graph")


@check(REFUSED)
def eccentricity(g, a, v, e):
    def compare():
        ours = {x["node"]: x["eccentricity"] for x in v["eccentricities"]}
        return same_values(ours, nx.eccentricity(g, weight="weight"))

    return measured(g, v, e, compare)


@check(REFUSED)
def diameter(g, a, v, e):
    return measured(g, v, e, lambda: close(v["diameter"], nx.diameter(g, weight="weight")))


@check(REFUSED)
def radius(g, a, v, e):
    return measured(g, v, e, lambda: close(v["radius"], nx.radius(g, weight="weight")))


@check(REFUSED)
def center(g, a, v, e):
    return measured(g, v, e, lambda: sorted(v["center"]) == sorted(nx.center(g, weight="weight")))


@check(REFUSED)
def periphery(g, a, v, e):
    theirs = lambda: sorted(nx.periphery(g, weight="weight"))
    return measured(g, v, e, lambda: sorted(v["periphery"]) == theirs())


@check(REFUSED)
def average_shortest_path_length(g, a, v, e):
    theirs = lambda: nx.average_shortest_path_length(g, weight="weight")
    return measured(g, v, e, lambda: close(v["average"], theirs()))


@check("values; networkx on the undirected graph (its directed coefficient is another)")
def clustering_coefficient(g, a, v, e):
    theirs = nx.clustering(flat(g))
    average = sum(theirs.values()) / len(theirs) if theirs else 0
    return same_values(values(v), theirs) and close(v["average"], average)


@check("values")
def degree_centrality(g, a, v, e):
    return same_values(values(v), nx.degree_centrality(g))


@check("values, without weights, with Wasserman and Faust's correction as networkx does")
def closeness_centrality(g, a, v, e):
    return same_values(values(v), nx.closeness_centrality(g))


@check("values, without weights, normalised")
def betweenness_centrality(g, a, v, e):
    return same_values(values(v), nx.betweenness_centrality(g))


@check("values, with weights; networkx' implementation without numpy, with tol 1e-12 (its default is coarser)")
def pagerank(g, a, v, e):
    return same_values(values(v), _pagerank_python(g, tol=1e-12, max_iter=2000) if len(g) else {})


def measured_at():
    """The commit that is measured, and the day, as `cargo xtask figures` wants them."""
    command = ["git", "rev-parse", "--short=7", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return f"commit {commit}; {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--n", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output")
    options = parser.parse_args()
    command = "cargo run --quiet --release -p graph --example peers --".split()
    command += ["--n", str(options.n), "--seed", str(options.seed)]
    compared, agreed = collections.Counter(), collections.Counter()
    kinds = collections.Counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as made:
        for text in made.stdout:
            line = json.loads(text)
            g = nx.DiGraph() if line["directed"] else nx.Graph()
            g.add_nodes_from(line["nodes"])
            for u, v, w in line["edges"]:
                g.add_edge(u, v, **({} if w is None else {"weight": w}))
            parts = nx.number_connected_components(nx.Graph(g))
            kinds["graphs"] += 1
            kinds["directed"] += line["directed"]
            kinds["weighted"] += line["weighted"]
            kinds["disconnected"] += parts > 1
            kinds["empty"] += len(g) == 0
            kinds["of a single node"] += len(g) == 1
            kinds["with a self loop"] += nx.number_of_selfloops(g) > 0
            for name, r in line["results"].items():
                if name not in CHECKS:
                    continue
                compared[name] += 1
                try:
                    fine = CHECKS[name][0](g, r["arguments"], r.get("value"), r.get("error"))
                except (TypeError, KeyError) as problem:  # an error where a value was due
                    fine, r["problem"] = False, repr(problem)
                if fine:
                    agreed[name] += 1
                elif compared[name] - agreed[name] <= 3:
                    graph = {k: line[k] for k in ("id", "directed", "edges", "nodes")}
                    print("DIFFERS", name, json.dumps(r), json.dumps(graph), file=sys.stderr)
    if made.returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    rows = ["| function | compared | agreed | what is compared, and differences of definition |"]
    rows.append("|---|---:|---:|---|")
    for name, (_, note) in CHECKS.items():
        rows.append(f"| `{name}` | {compared[name]} | {agreed[name]} | {note} |")
    total, good = sum(compared.values()), sum(agreed.values())
    rows.append(f"| **{len(CHECKS)} functions** | **{total}** | **{good}** | |")
    counts = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
    page = (
        "# The graph library against networkx\n\n"
        f"networkx {nx.__version__}; seed {options.seed}; {counts}.\n\n"
        f"    python3 crates/graph/peers/peers.py --n {options.n} --output docs/peers.md\n\n"
        f"<!-- measured: python3 crates/graph/peers/peers.py --n {options.n}; {measured_at()} -->\n\n"
        + "\n".join(rows)
        + "\n\n<!-- /measured -->\n"
    )
    print(page)
    if options.output:
        # What stands below the table, under a heading of its own, is of other peers and stays.
        kept = ""
        if os.path.exists(options.output):
            with open(options.output, encoding="utf-8") as file:
                kept = file.read().partition("\n## ")[2]
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(page + (f"\n## {kept}" if kept else ""))
    missing = [name for name in CHECKS if compared[name] == 0]
    if missing:
        sys.exit(f"nothing was compared for {missing}")
    sys.exit(0 if good == total > 0 else 1)


if __name__ == "__main__":
    main()
