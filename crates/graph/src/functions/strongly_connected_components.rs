//! Parts within which all nodes reach each other.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub use super::shared::Components as Returns;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx};

/// Finds the strongly connected components of a directed graph: the largest parts within which
/// every node can be reached from every other along the edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The strongly connected components, by their first nodes; the connected components if the graph
/// is undirected.
///
/// petgraph's Kosaraju, which keeps its own stack (its Tarjan recurses, and a long path would
/// overflow the small stack of a browser).
///
/// # Complexity
/// O(n log n + m).
pub fn strongly_connected_components(graph: &Graph) -> Vec<Vec<NodeIdx>> {
    if !graph.is_directed() {
        return super::connected_components::connected_components(graph);
    }
    let mut parts = graph.strong_parts();
    for part in &mut parts {
        part.sort_unstable();
    }
    parts.sort_unstable();
    parts
}

pub(super) struct StronglyConnectedComponentsFunction;

impl Typed for StronglyConnectedComponentsFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        if !graph.is_directed() {
            out.notes.push("the graph is undirected, so these are its connected components".into());
        }
        Ok(Returns::named(graph, &strongly_connected_components(graph)))
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<StronglyConnectedComponentsFunction>(Facts {
        name: "strongly_connected_components",
        title: "Strongly connected components",
        group: Group::Connectivity,
        paper: "",
        writes: false,
        raises: &[],
        complexity: "O(n log n + m)",
        example: || Example {
            graph: sample::directed(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3)]),
            arguments: json!({}),
        },
    });
