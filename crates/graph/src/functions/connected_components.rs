//! The parts of a graph.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::{Graph, NodeIdx, NodeName, search};

/// Finds the connected components: the parts of the graph within which every node can be reached
/// from every other. Directions are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The components.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many components there are.
    n_components: usize,
    /// The nodes of each component.
    components: Vec<Vec<NodeName>>,
}

/// The connected components (directions do not matter), by their first nodes.
///
/// Paper: Graph-Grounded LLMs §II-A.
///
/// # Complexity
/// O(n + m).
pub fn connected_components(graph: &Graph) -> Vec<Vec<NodeIdx>> {
    let g = graph.adjacency();
    let (label, count) = search::components(&g);
    let mut parts = vec![Vec::new(); count];
    for (&node, part) in g.nodes.iter().zip(label) {
        parts[part as usize].push(node);
    }
    parts
}

pub(super) struct ConnectedComponentsFunction;

impl Typed for ConnectedComponentsFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        let parts = connected_components(graph);
        let components: Vec<_> = parts.iter().map(|part| graph.names_of(part)).collect();
        Ok(Returns { n_components: components.len(), components })
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
