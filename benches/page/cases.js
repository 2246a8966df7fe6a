// What is timed: the kind of graph, and the most nodes that it is timed for. Functions that look at
// every pair of nodes would take minutes beyond a thousand.
export const SIZES = [10, 100, 1000, 10_000, 100_000];
const ALL = 100_000, PAIRS = 1000;
export const CASES = [
  ["build the graph", "weighted", ALL],
  ["connected_components", "plain", ALL],
  ["strongly_connected_components", "directed", ALL],
  ["bfs_order", "plain", ALL],
  ["dfs_order", "plain", ALL],
  ["has_path", "plain", ALL],
  ["find_shortest_path", "plain", ALL],
  ["find_shortest_path, weighted", "weighted", ALL],
  ["shortest_path_lengths", "plain", ALL],
  ["shortest_path_lengths, weighted", "weighted", ALL],
  ["degree_centrality", "plain", ALL],
  ["pagerank", "plain", ALL],
  ["get_density", "plain", ALL],
  ["clustering_coefficient", "plain", ALL],
  ["find_bridges", "plain", ALL],
  ["find_articulation_points", "plain", ALL],
  ["minimum_spanning_tree", "weighted", ALL],
  ["is_bipartite", "bipartite", ALL],
  ["topological_sort", "dag", ALL],
  ["has_cycle", "dag", ALL],
  ["max_bipartite_matching", "bipartite", PAIRS],
  ["max_flow", "flow", PAIRS],
  ["eccentricity", "plain", PAIRS],
  ["diameter", "plain", PAIRS],
  ["closeness_centrality", "plain", PAIRS],
  ["betweenness_centrality", "plain", PAIRS],
  ["average_shortest_path_length", "plain", PAIRS],
  ["all_pairs_shortest_distances", "plain", PAIRS],
];
// Those that share their work between threads.
export const SHARED = new Set(CASES.slice(-6).map(([name]) => name));
