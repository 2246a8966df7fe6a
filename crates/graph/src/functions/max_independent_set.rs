//! The largest set of nodes of which no two are joined.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, parts, sample,
};
use crate::exact::independent_set::{MAX_NODES, max_independent_set};
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
        bounds::note_undirected(graph, out);
        parts::at_most("the graph", graph.n_nodes(), MAX_NODES)?;
        let found = max_independent_set(graph, bounds::SEARCH_STEPS);
        if !found.is_proven {
            out.notes.push(bounds::unproven(bounds::SEARCH_STEPS, "a larger set may exist"));
        }
        let nodes = graph.names_of(&found.nodes);
        out.touched.nodes.clone_from(&nodes);
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
