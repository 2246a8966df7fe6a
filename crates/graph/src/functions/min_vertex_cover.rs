//! The smallest set of nodes that has an end of every edge.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::shared::bounded_set;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::exact::independent_set::min_vertex_cover;
use crate::{Graph, NodeName};

/// Finds a smallest vertex cover: the fewest nodes such that every edge has at least one of them as
/// an end. Directions are ignored. The search has a limit and says if it reached it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The cover found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many nodes it has.
    size: usize,
    /// Its nodes, in the order of the graph.
    nodes: Vec<NodeName>,
    /// Whether no cover has fewer nodes; false if the search reached its limit first.
    is_proven: bool,
    /// No cover has fewer nodes than this.
    at_least: usize,
}

pub(super) struct MinVertexCover;

impl Typed for MinVertexCover {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (nodes, found) =
            bounded_set(graph, out, min_vertex_cover, "a smaller cover may exist")?;
        Ok(Returns { size: nodes.len(), nodes, is_proven: found.is_proven, at_least: found.bound })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<MinVertexCover>(Facts {
    name: "min_vertex_cover",
    title: "Smallest vertex cover",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: &[("too_many_nodes", "The graph has too many nodes for this search.")],
    complexity: "exponential, at most 20 million steps",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 4)]),
        arguments: json!({}),
    },
});
