//! Makes random graphs from a seed, asks the library about each, and writes one JSON line a graph:
//! `{"id", "directed", "weighted", "nodes", "edges", "results": {function: {"arguments", "value" |
//! "error"}}}`. `peers/peers.py` reads them and asks networkx the same.
//!
//! `cargo run --release -p graph --example peers -- --n 10000 --seed 1`

use std::io::{BufWriter, Write};

use graph::Graph;
use graph::functions::FUNCTIONS;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::{Map, Value, json};

/// Empty, single, sparse, dense, directed or not, weighted or not, now and then with self loops or
/// in the shape of a tree, an acyclic or a bipartite graph.
fn random(rng: &mut ChaCha8Rng) -> Graph {
    let n: usize = match rng.random_range(0..20u32) {
        0 => 0,
        1 => 1,
        2..=12 => rng.random_range(2..=8),
        _ => rng.random_range(9..=14),
    };
    let directed = rng.random_bool(0.5);
    let weighted = rng.random_bool(0.5);
    let shape = rng.random_range(0..6u32);
    let loops = rng.random_bool(0.1);
    let p = rng.random_range(0.0..1.0f64).powi(2);
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    for i in 0..n {
        let _ = graph.ensure_node(i);
    }
    let parents: Vec<usize> = (0..n).map(|i| rng.random_range(0..i.max(1))).collect();
    for a in 0..n {
        let first = if directed { 0 } else { a };
        for (b, &parent) in parents.iter().enumerate().skip(first) {
            let wanted = match shape {
                0 => b > a && parent == a,
                1 => b > a && rng.random_bool(p),
                2 => a % 2 != b % 2 && rng.random_bool(p),
                _ => (a != b || loops) && rng.random_bool(p),
            };
            if wanted {
                let _ = if weighted {
                    graph.link_weighted(a, b, f64::from(rng.random_range(1..10u32)))
                } else {
                    graph.link(a, b)
                };
            }
        }
    }
    graph
}

/// Arguments for a function, drawn for this graph; `None` if it has none that make sense here.
fn arguments(name: &str, graph: &Graph, rng: &mut ChaCha8Rng) -> Option<Value> {
    let n = graph.n_nodes();
    let node = |rng: &mut ChaCha8Rng| (n > 0).then(|| rng.random_range(0..n));
    Some(match name {
        "has_path" | "find_shortest_path" | "find_shortest_distance" => {
            json!({ "start": node(rng)?, "end": node(rng)? })
        }
        "bfs_order" | "dfs_order" | "shortest_path_lengths" => json!({ "start": node(rng)? }),
        "get_neighbors" => json!({ "node": node(rng)? }),
        "has_edge" => json!({ "source": node(rng)?, "target": node(rng)? }),
        "get_edge_weight" => {
            let edges: Vec<_> = graph.edges().collect();
            let edge = edges.get(rng.random_range(0..edges.len().max(1)))?;
            json!({ "source": edge.source, "target": edge.target })
        }
        "max_flow" | "min_cut" => {
            let (source, sink) = (node(rng)?, node(rng)?);
            if source == sink {
                return None;
            }
            json!({ "source": source, "sink": sink })
        }
        "is_topological_order" => {
            let mut order: Vec<usize> = (0..n).collect();
            if n > 1 && rng.random_bool(0.5) {
                order.swap(rng.random_range(0..n), rng.random_range(0..n));
            }
            json!({ "order": order })
        }
        "common_neighbors" => json!({ "first": node(rng)?, "second": node(rng)? }),
        "find_subgraph" | "max_common_subgraph" => {
            let first: Vec<usize> = (0..n).filter(|_| rng.random_bool(0.4)).collect();
            let name = if name == "find_subgraph" { "pattern" } else { "first" };
            json!({ name: first })
        }
        "graph_edit_distance" => {
            // Of more nodes networkx takes too long.
            let mut nodes: Vec<usize> = (0..n).collect();
            let mut drawn = |rng: &mut ChaCha8Rng| -> Vec<usize> {
                let at_most = rng.random_range(0..=4_usize).min(nodes.len());
                (0..at_most).map(|_| nodes.remove(rng.random_range(0..nodes.len()))).collect()
            };
            let (first, second) = (drawn(rng), drawn(rng));
            let label = |v: usize| json!([v, if v.is_multiple_of(3) { "N" } else { "C" }]);
            let labels: Vec<Value> = (0..n).map(label).collect();
            json!({ "first": first, "second": second, "labels": labels })
        }
        "is_isomorphic" => {
            // Half the time the same graph with other names, else another of about the same size.
            let shift = rng.random_range(0..n.max(1));
            let renamed = |v: &graph::NodeName| (v.as_int().unwrap_or(0) as usize + shift) % n;
            let mut edges: Vec<_> =
                graph.edges().map(|e| [renamed(e.source), renamed(e.target)]).collect();
            if !edges.is_empty() && rng.random_bool(0.5) {
                let at = rng.random_range(0..edges.len());
                edges[at] = [rng.random_range(0..n), rng.random_range(0..n)];
            }
            json!({ "edges": edges, "nodes": (0..n).collect::<Vec<_>>() })
        }
        _ => json!({}),
    })
}

fn argument(name: &str, default: u64) -> u64 {
    let mut words = std::env::args().skip_while(|word| word != name);
    words.nth(1).and_then(|word| word.parse().ok()).unwrap_or(default)
}

fn main() -> std::io::Result<()> {
    let (n, seed) = (argument("--n", 10_000), argument("--seed", 1));
    let mut out = BufWriter::new(std::io::stdout().lock());
    for id in 0..n {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(id);
        let graph = random(&mut rng);
        let mut results = Map::new();
        let alone = ["graph_convolution", "find_heaviest_triangle", "find_shortest_tour"];
        for f in FUNCTIONS.iter().filter(|f| !f.writes && !alone.contains(&f.name)) {
            let Some(arguments) = arguments(f.name, &graph, &mut rng) else { continue };
            let result = match f.call(&graph, arguments.clone()) {
                Ok(outcome) => json!({ "arguments": arguments, "value": outcome.value }),
                Err(error) => json!({ "arguments": arguments, "error": error.code }),
            };
            results.insert(f.name.to_owned(), result);
        }
        let edges: Vec<Value> =
            graph.edges().map(|e| json!([e.source, e.target, e.weight])).collect();
        let nodes: Vec<_> = graph.names().collect();
        let line = json!({
            "id": id,
            "directed": graph.is_directed(),
            "weighted": graph.is_weighted(),
            "nodes": nodes,
            "edges": edges,
            "results": results,
        });
        writeln!(out, "{line}")?;
    }
    out.flush()
}
