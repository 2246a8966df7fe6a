"""networkx's own functions for the cases; each gives the number that its result comes down to."""

import time

import networkx as nx
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python


def digest(values):
    return sum(v * (1 + i % 7) for i, v in enumerate(values))


def each(g, found):
    return digest(found[v] for v in range(len(g)))


def count(_, found):
    return len(found)


def same(_, found):
    return float(found)


def weight(g, path):
    return sum(g[a][b]["weight"] for a, b in zip(path, path[1:]))


def rows(g, found):
    return digest(sum(found[v].values()) for v in range(len(g)))


last = lambda g: len(g) - 1

CASES = {
    "connected_components": (lambda g: list(nx.connected_components(g)), count),
    "strongly_connected_components": (lambda g: list(nx.strongly_connected_components(g)), count),
    "bfs_order": (lambda g: [0] + [v for _, v in nx.bfs_edges(g, 0)], count),
    "dfs_order": (lambda g: list(nx.dfs_preorder_nodes(g, 0)), count),
    "has_path": (lambda g: nx.has_path(g, 0, last(g)), same),
    "find_shortest_path": (lambda g: nx.shortest_path(g, 0, last(g)), lambda g, p: len(p) - 1),
    "find_shortest_path, weighted": (
        lambda g: nx.shortest_path(g, 0, last(g), weight="weight"),
        weight,
    ),
    "shortest_path_lengths": (lambda g: dict(nx.single_source_shortest_path_length(g, 0)), each),
    "shortest_path_lengths, weighted": (
        lambda g: nx.single_source_dijkstra_path_length(g, 0),
        each,
    ),
    "degree_centrality": (nx.degree_centrality, each),
    # nx.pagerank wants scipy, which is no part of networkx; this is its own.
    "pagerank": (lambda g: _pagerank_python(g, alpha=0.85, max_iter=1000, tol=1e-12 / len(g)), each),
    "get_density": (nx.density, same),
    "clustering_coefficient": (nx.clustering, each),
    "find_bridges": (lambda g: list(nx.bridges(g)), count),
    "find_articulation_points": (lambda g: list(nx.articulation_points(g)), count),
    "minimum_spanning_tree": (nx.minimum_spanning_tree, lambda _, t: t.size(weight="weight")),
    "is_bipartite": (nx.is_bipartite, same),
    "topological_sort": (lambda g: list(nx.topological_sort(g)), count),
    "has_cycle": (lambda g: not nx.is_directed_acyclic_graph(g), same),
    "max_flow": (lambda g: nx.maximum_flow_value(g, 0, last(g), capacity="weight"), same),
    "eccentricity": (nx.eccentricity, each),
    "diameter": (nx.diameter, same),
    "closeness_centrality": (nx.closeness_centrality, each),
    "betweenness_centrality": (nx.betweenness_centrality, each),
    "average_shortest_path_length": (nx.average_shortest_path_length, same),
    "all_pairs_shortest_distances": (lambda g: dict(nx.all_pairs_shortest_path_length(g)), rows),
}


def build(given):
    n, directed, edges, weighted = given
    g = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(range(n))
    if weighted:
        g.add_weighted_edges_from(edges)
    else:
        g.add_edges_from(edges)
    return g


def prepare(n, directed, start, end, weights):
    start, end, weights = start.to_py().tolist(), end.to_py().tolist(), weights.to_py().tolist()
    edges = list(zip(start, end, weights)) if weights else list(zip(start, end))
    given = (n, directed, edges, bool(weights))
    return given, build(given)


def timed(name, loaded, times):
    given, graph = loaded
    call, of = (build, given) if name == "build the graph" else (CASES[name][0], graph)
    began = time.perf_counter()
    for _ in range(times):
        call(of)
    return (time.perf_counter() - began) * 1000


def value(name, loaded):
    given, graph = loaded
    if name == "build the graph":
        return build(given).number_of_edges()
    call, number = CASES[name]
    return number(graph, call(graph))
