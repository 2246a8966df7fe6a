//! The parts of a graph.

use petgraph::unionfind::UnionFind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub use super::shared::Components as Returns;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::{Graph, NodeIdx};

/// Finds the connected components: the parts of the graph within which every node can be reached
/// from every other. Directions are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The connected components (directions do not matter), by their first nodes.
///
/// petgraph's union-find, as its own `connected_components` has it, which counts and tells no members.
///
/// Paper: Graph-Grounded LLMs §II-A.
///
/// # Complexity
/// O(n + m α(n)).
pub fn connected_components(graph: &Graph) -> Vec<Vec<NodeIdx>> {
    let mut sets = joined(graph);
    let mut part_of = vec![usize::MAX; graph.node_bound()];
    let mut parts: Vec<Vec<NodeIdx>> = Vec::new();
    for node in graph.indices() {
        let part = &mut part_of[sets.find_mut(node.index() as u32) as usize];
        if *part == usize::MAX {
            *part = parts.len();
            parts.push(Vec::new());
        }
        parts[*part].push(node);
    }
    parts
}

/// How many connected components there are.
pub(crate) fn count_components(graph: &Graph) -> usize {
    let mut sets = joined(graph);
    graph
        .indices()
        .filter(|node| sets.find_mut(node.index() as u32) as usize == node.index())
        .count()
}

/// The places of nodes, joined where an edge joins them.
fn joined(graph: &Graph) -> UnionFind<u32> {
    let mut sets = UnionFind::new(graph.node_bound());
    for (a, b) in graph.ends() {
        sets.union(a.index() as u32, b.index() as u32);
    }
    sets
}

pub(super) struct ConnectedComponentsFunction;

impl Typed for ConnectedComponentsFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        Ok(Returns::named(graph, &connected_components(graph)))
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<ConnectedComponentsFunction>(Facts {
        name: "connected_components",
        title: "Connected components",
        group: Group::Connectivity,
        paper: "Graph-Grounded LLMs §II-A",
        writes: false,
        raises: &[],
        complexity: "O(n + m)",
        example: || Example {
            graph: sample::undirected(&[(0, 1), (1, 2), (3, 4)]),
            arguments: json!({}),
        },
    });
