//! Graphs for native benchmarks. The page draws its own, because other libraries get them too.

use graph::generators::{gnp, random_bipartite, random_dag, random_sparse};
use graph::{Delta, Graph, GraphError};

/// How many nodes the graphs have.
const NODES: usize = 2_000;
/// How many edges.
const EDGES: usize = 8_000;
/// Nodes of the graph for functions that search from every node.
const FEW: usize = 400;

/// The graph that suits a case of [`CASES`](crate::CASES).
///
/// # Errors
/// The generator refuses its numbers.
pub fn graph_for(case: &str) -> Result<Graph, GraphError> {
    let plain = match case {
        "topological_sort" => random_dag(NODES, 0.004, 7),
        "strongly_connected_components" | "pagerank" | "has_cycle" => {
            random_sparse(NODES, EDGES, true, 7)
        }
        "max_bipartite_matching" => random_bipartite(NODES / 2, NODES / 2, 0.004, 7),
        "max_flow" => gnp(FEW, 0.03, true, 7),
        "all_pairs_shortest_distances"
        | "average_shortest_path_length"
        | "eccentricity"
        | "diameter"
        | "betweenness_centrality"
        | "closeness_centrality" => random_sparse(FEW, 4 * FEW, false, 7),
        _ => random_sparse(NODES, EDGES, false, 7),
    }?;
    if case.ends_with("weighted") || case == "max_flow" || case == "minimum_spanning_tree" {
        return numbered(&plain, case == "max_flow");
    }
    Ok(plain)
}

/// The same graph with a number from 1 to 20 on every edge.
fn numbered(plain: &Graph, as_capacity: bool) -> Result<Graph, GraphError> {
    let mut deltas = plain.to_deltas();
    for (i, delta) in deltas.iter_mut().enumerate() {
        let number = Some(1.0 + (i * 7 % 20) as f64);
        match delta {
            Delta::Create { weighted, .. } => *weighted = !as_capacity,
            Delta::AddEdge { capacity, .. } if as_capacity => *capacity = number,
            Delta::AddEdge { weight, .. } => *weight = number,
            _ => {}
        }
    }
    Graph::from_deltas(&deltas)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CASES;

    #[test]
    fn every_case_has_a_graph_that_gives_a_number() {
        for case in CASES {
            let graph = graph_for(case.name).unwrap();
            assert!((case.run)(&graph).is_finite(), "{}", case.name);
            assert_eq!(
                graph.is_weighted(),
                case.name.ends_with("weighted") || case.name == "minimum_spanning_tree"
            );
        }
    }
}
