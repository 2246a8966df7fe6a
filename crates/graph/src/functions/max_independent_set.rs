//! The largest set of nodes of which no two are joined.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::shared::bounded_set;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::exact::independent_set::max_independent_set;
use crate::{Graph, NodeName};

/// Finds a largest independent set: the most nodes of which no two are joined by an edge. Directions
/// are ignored. The search has a limit and says if it reached it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The set found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many nodes it has.
    size: usize,
    /// Its nodes, in the order of the graph.
    nodes: Vec<NodeName>,
    /// Whether no independent set has more nodes; false if the search reached its limit first.
    is_proven: bool,
    /// No independent set has more nodes than this.
    at_most: usize,
}

pub(super) struct MaxIndependentSet;

impl Typed for MaxIndependentSet {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (nodes, found) =
            bounded_set(graph, out, max_independent_set, "a larger set may exist")?;
        Ok(Returns { size: nodes.len(), nodes, is_proven: found.is_proven, at_most: found.bound })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<MaxIndependentSet>(Facts {
    name: "max_independent_set",
    title: "Largest independent set",
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
