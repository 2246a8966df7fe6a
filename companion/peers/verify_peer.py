#!/usr/bin/env python3
"""The same check as `graphground verify`, in Python with networkx.

    python3 verify_peer.py connectivity.json cycle.json ...

Reads NLGraph question files, parses every question by NLGraph's own wording, solves it with
networkx where that has a solver, and holds the reference
answer against the graph and the solution. Prints one JSON object with `tasks` and `totals`, each
with `questions`, `parse_failures`, `disagreements`, `reference_rejected`, `solution_rejected` and
`seconds`. Reading the files and importing are not counted in the seconds.
"""

import json
import re
import sys
import time

import networkx as nx

PAIR = re.compile(r"\((\d+),(\d+)\)")
CONNECTIVITY = re.compile(
    r"Determine if there is a path between two nodes in the graph\. Note that \(i,j\) means that "
    r"node i and node j are connected with an undirected edge\.\nGraph:((?: \(\d+,\d+\))*)\n"
    r"Q: Is there a path between node (\d+) and node (\d+)\?\nA:"
)
CYCLE = re.compile(
    r"In an undirected graph, \(i,j\) means that node i and node j are connected with an undirected "
    r"edge\.\nThe nodes are numbered from 0 to (\d+), and the edges are:((?: \(\d+,\d+\))*)\n"
    r"Q: Is there a cycle in this graph\?\nA:"
)
HAMILTON = re.compile(
    r"In an undirected graph, \(i,j\) means that node i and node j are connected with an undirected "
    r"edge\.\nThe nodes are numbered from 0 to (\d+), and the edges are:((?: \(\d+,\d+\))*)\n"
    r"Q: Is there a path in this graph that visits every node exactly once\? If yes, give the path\. "
    r"Note that in a path, adjacent nodes must be connected with edges\.\nA:"
)
TOPOLOGY = re.compile(
    r"In a directed graph with (\d+) nodes numbered from 0 to (\d+):\n"
    r"((?:node \d+ should be visited before node \d+\n)*)"
    r"Q: Can all the nodes be visited\? Give the solution\.\nA:"
)
BEFORE = re.compile(r"node (\d+) should be visited before node (\d+)\n")
SHORTEST = re.compile(
    r"In an undirected graph, the nodes are numbered from 0 to (\d+), and the edges are:\n"
    r"((?:an edge between node \d+ and node \d+ with weight \d+[,.]\n)*)"
    r"Q: Give the shortest path from node (\d+) to node (\d+)\.\nA:"
)
WEIGHT = re.compile(r"an edge between node (\d+) and node (\d+) with weight (\d+)")
FLOW = re.compile(
    r"In a directed graph, the nodes are numbered from 0 to (\d+), and the edges are:\n"
    r"((?:an edge from node \d+ to node \d+ with capacity \d+[,.]\n)*)"
    r"Q: What is the maximum flow from node (\d+) to node (\d+)\?\nA:"
)
CAPACITY = re.compile(r"an edge from node (\d+) to node (\d+) with capacity (\d+)")
MATCHING = re.compile(
    r"There are (\d+) job applicants numbered from 0 to \d+, and (\d+) jobs numbered from 0 to \d+\. "
    r"Each applicant is interested in some of the jobs\. Each job can only accept one applicant and a "
    r"job applicant can be appointed for only one job\.\n"
    r"((?:Applicant \d+ is interested in job \d+\.\n)*)"
    r"Q: Find an assignment of jobs to applicants in such that the maximum number of applicants find "
    r"the job they are interested in\.\nA:"
)
INTEREST = re.compile(r"Applicant (\d+) is interested in job (\d+)\.")
GNN = re.compile(
    r"In an undirected graph, the nodes are numbered from 0 to (\d+), and every node has an "
    r"embedding\. \(i,j\) means that node i and node j are connected with an undirected edge\.\n"
    r"Embeddings:\n((?:node \d+: \[\d+,\d+\]\n)+)The edges are:((?: \(\d+,\d+\))*)\n"
    r"In a simple graph convolution layer, each node's embedding is updated by the sum of its "
    r"neighbors' embeddings\.\n"
    r"Q: What's the embedding of each node after two layers of simple graph convolution layer\?\nA:"
)
ROW = re.compile(r"node (\d+): \[(\d+),(\d+)\]")
ASSIGNED = re.compile(r"applicant (\d+): job (\d+)")
NUMBER = re.compile(r"\d+")


def undirected(n, pairs):
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((int(a), int(b)) for a, b in pairs)
    return graph


def numbers(text):
    return [int(x) for x in NUMBER.findall(text)]


def is_path(graph, nodes):
    return all(graph.has_edge(a, b) for a, b in zip(nodes, nodes[1:]))


# Each takes a match and the reference and gives (disagrees, reference rejected, solution rejected).


def connectivity(m, answer):
    graph = nx.Graph()
    graph.add_edges_from((int(a), int(b)) for a, b in PAIR.findall(m[1]))
    s, t = int(m[2]), int(m[3])
    graph.add_nodes_from((s, t))
    truth = nx.has_path(graph, s, t)
    reference = "yes" in answer
    return truth != reference, truth != reference, False


def cycle(m, answer):
    graph = undirected(int(m[1]) + 1, PAIR.findall(m[2]))
    truth = not nx.is_forest(graph)
    reference = answer.startswith("Yes")
    return truth != reference, truth != reference, False


def is_order(graph, order):
    place = {node: i for i, node in enumerate(order)}
    return len(order) == len(place) == len(graph) and all(
        place.get(a, 0) < place.get(b, -1) for a, b in graph.edges
    )


def topology(m, answer):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(int(m[2]) + 1))
    graph.add_edges_from((int(a), int(b)) for a, b in BEFORE.findall(m[3]))
    solution = list(nx.topological_sort(graph))
    return False, not is_order(graph, numbers(answer)), not is_order(graph, solution)


def shortest_path(m, answer):
    graph = nx.Graph()
    graph.add_nodes_from(range(int(m[1]) + 1))
    graph.add_weighted_edges_from((int(a), int(b), int(w)) for a, b, w in WEIGHT.findall(m[2]))
    s, t = int(m[3]), int(m[4])
    best, path = nx.single_source_dijkstra(graph, s, t)
    body, total = answer.split(" is ")[1].split(" with a total weight of ")
    given = numbers(body)
    valid = given[0] == s and given[-1] == t and is_path(graph, given)
    weight = sum(graph[a][b]["weight"] for a, b in zip(given, given[1:])) if valid else None
    own = path[0] == s and path[-1] == t and is_path(graph, path)
    return best != int(total), weight != best or best != int(total), not own


def flow(m, answer):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(int(m[1]) + 1))
    for a, b, c in CAPACITY.findall(m[2]):
        graph.add_edge(int(a), int(b), capacity=int(c))
    value = nx.maximum_flow_value(graph, int(m[3]), int(m[4]))
    wrong = value != numbers(answer)[-1]
    return wrong, wrong, False


def matching(m, answer):
    graph = nx.Graph()
    applicants = [("a", i) for i in range(int(m[1]))]
    graph.add_nodes_from(applicants)
    graph.add_nodes_from(("j", i) for i in range(int(m[2])))
    graph.add_edges_from((("a", int(a)), ("j", int(j))) for a, j in INTEREST.findall(m[3]))
    best = nx.bipartite.hopcroft_karp_matching(graph, applicants)
    size = len(best) // 2
    pairs = [(("a", int(a)), ("j", int(j))) for a, j in ASSIGNED.findall(answer)]
    count = numbers(answer)[-1]
    valid = (
        all(graph.has_edge(*pair) for pair in pairs)
        and len({a for a, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    )
    own = all(graph.has_edge(a, b) for a, b in best.items())
    return count != size, not (valid and len(pairs) == size == count), not own


def hamilton_path(graph):
    """Backtracking, tightest neighbour first: networkx has no search for undirected graphs."""
    n = len(graph)
    neighbours = {node: set(graph[node]) for node in graph}

    def extend(path, left):
        if not left:
            return path
        for node in sorted(neighbours[path[-1]] & left, key=lambda v: len(neighbours[v] & left)):
            found = extend(path + [node], left - {node})
            if found:
                return found
        return None

    for start in sorted(graph, key=graph.degree):
        found = extend([start], set(graph) - {start})
        if found:
            return found
    return None


def hamilton(m, answer):
    graph = undirected(int(m[1]) + 1, PAIR.findall(m[2]))
    path = hamilton_path(graph)
    given = numbers(answer)

    def visits_all(nodes):
        return len(nodes) == len(graph) == len(set(nodes)) and is_path(graph, nodes)

    said = answer.startswith("Yes")
    return (path is not None) != said, not visits_all(given), path is None or not visits_all(path)


def gnn(m, answer):
    graph = undirected(int(m[1]) + 1, PAIR.findall(m[3]))
    now = {int(node): (int(x), int(y)) for node, x, y in ROW.findall(m[2])}
    for _ in range(2):
        now = {
            node: (sum(now[u][0] for u in graph[node]), sum(now[u][1] for u in graph[node]))
            for node in graph
        }
    given = {int(node): (int(x), int(y)) for node, x, y in ROW.findall(answer)}
    return now != given, now != given, False


TASKS = [
    ("connectivity", CONNECTIVITY, connectivity),
    ("cycle", CYCLE, cycle),
    ("topology", TOPOLOGY, topology),
    ("shortest_path", SHORTEST, shortest_path),
    ("flow", FLOW, flow),
    ("matching", MATCHING, matching),
    ("hamilton", HAMILTON, hamilton),
    ("GNN", GNN, gnn),
]
# The first words of a question decide which patterns are worth a try.
OPENINGS = [
    ("Determine", ["connectivity"]),
    ("In an undirected graph, (", ["cycle", "hamilton"]),
    ("In an undirected graph, the", ["shortest_path", "GNN"]),
    ("In a directed graph with", ["topology"]),
    ("In a directed graph, the", ["flow"]),
    ("There are", ["matching"]),
]
BY_NAME = {name: (name, pattern, check) for name, pattern, check in TASKS}
FIELDS = ["questions", "parse_failures", "disagreements", "reference_rejected", "solution_rejected"]


def recognise(question):
    for opening, names in OPENINGS:
        if question.startswith(opening):
            for name in names:
                _, pattern, check = BY_NAME[name]
                match = pattern.fullmatch(question)
                if match:
                    return name, match, check
    return None


def main(files):
    tasks = {}
    totals = dict.fromkeys(FIELDS, 0) | {"seconds": 0.0}
    for file in files:
        with open(file, encoding="utf-8") as handle:
            text = handle.read()
        started = time.perf_counter()
        for entry in json.loads(text).values():
            found = recognise(entry["question"])
            name = found[0] if found else "unknown"
            counts = tasks.setdefault(name, dict.fromkeys(FIELDS, 0) | {"seconds": 0.0})
            counts["questions"] += 1
            if found is None:
                counts["parse_failures"] += 1
                continue
            before = time.perf_counter()
            try:
                flags = found[2](found[1], entry["answer"])
            except (ValueError, IndexError, KeyError, nx.NetworkXException):
                flags = (True, True, False)
            for field, flag in zip(FIELDS[2:], flags):
                counts[field] += flag
            counts["seconds"] += time.perf_counter() - before
        totals["seconds"] += time.perf_counter() - started
    for counts in tasks.values():
        for field in FIELDS:
            totals[field] += counts[field]
    print(json.dumps({"tasks": tasks, "totals": totals}, indent=2))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: verify_peer.py FILE.json ...")
    main(sys.argv[1:])
