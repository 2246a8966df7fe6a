// graphology and its standard library, as their packages have them for browsers.
import "./stand_ins.js";
import "./graphology.umd.min.js";
import "./graphology-library.min.js";
import { digest } from "./graphs.js";

const { graphology, graphologyLibrary } = globalThis;
const { components, traversal, shortestPath, metrics } = graphologyLibrary;
const nodes = (n) => Array.from({ length: n }, (_, i) => i);
const count = (walk) => (g) => {
  let n = 0;
  walk(g.graph, 0, () => { n += 1; });
  return n;
};
// The values of an object with a key for each node, in the order of the nodes.
const each = (g, found) => digest(nodes(g.n).map((v) => found[v]));
const hops = (path) => path.length - 1;
function weight(g, path) {
  let sum = 0;
  for (let i = 1; i < path.length; i++) sum += g.graph.getEdgeAttribute(path[i - 1], path[i], "weight");
  return sum;
}

// For each case the call, and the number that its result comes down to.
const CASES = {
  "connected_components": [(g) => components.connectedComponents(g.graph), (_, all) => all.length],
  "strongly_connected_components": [(g) => components.stronglyConnectedComponents(g.graph), (_, all) => all.length],
  "bfs_order": [count(traversal.bfsFromNode), (_, n) => n],
  "dfs_order": [count(traversal.dfsFromNode), (_, n) => n],
  "has_path": [(g) => shortestPath.unweighted.bidirectional(g.graph, 0, g.n - 1) !== null, (_, is) => Number(is)],
  "find_shortest_path": [(g) => shortestPath.unweighted.bidirectional(g.graph, 0, g.n - 1), (_, path) => hops(path)],
  "find_shortest_path, weighted": [(g) => shortestPath.dijkstra.bidirectional(g.graph, 0, g.n - 1, "weight"), weight],
  "shortest_path_lengths": [(g) => shortestPath.unweighted.singleSourceLength(g.graph, 0), each],
  "shortest_path_lengths, weighted": [
    (g) => shortestPath.dijkstra.singleSource(g.graph, 0, "weight"),
    (g, paths) => digest(nodes(g.n).map((v) => weight(g, paths[v]))),
  ],
  "degree_centrality": [(g) => metrics.centrality.degree(g.graph), each],
  "pagerank": [
    (g) => metrics.centrality.pagerank(g.graph, { alpha: 0.85, maxIterations: 1000, tolerance: 1e-12 / g.n }),
    each,
  ],
  "get_density": [(g) => metrics.graph.density(g.graph), (_, value) => value],
  "eccentricity": [(g) => g.graph.mapNodes((v) => metrics.node.eccentricity(g.graph, v)), (_, all) => digest(all)],
  "diameter": [(g) => metrics.graph.diameter(g.graph), (_, value) => value],
  "closeness_centrality": [(g) => metrics.centrality.closeness(g.graph, { wassermanFaust: true }), each],
  "betweenness_centrality": [(g) => metrics.centrality.betweenness(g.graph, { getEdgeWeight: null }), each],
};

function build({ n, m, directed, weighted, from, to, weights }) {
  const graph = new graphology.Graph({ type: directed ? "directed" : "undirected", multi: false });
  for (let v = 0; v < n; v++) graph.addNode(v);
  for (let e = 0; e < m; e++) graph.addEdge(from[e], to[e], weighted ? { weight: weights[e] } : {});
  return graph;
}

export async function openGraphology() {
  return {
    load: (given) => ({ given, n: given.n, graph: build(given) }),
    free() {},
    has: (name) => name in CASES || name === "build the graph",
    time(name, g, times) {
      const call = name === "build the graph" ? () => build(g.given) : CASES[name][0];
      const began = performance.now();
      for (let i = 0; i < times; i++) call(g);
      return performance.now() - began;
    },
    value(name, g) {
      if (name === "build the graph") return build(g.given).size;
      const [call, number] = CASES[name];
      return number(g, call(g));
    },
  };
}
