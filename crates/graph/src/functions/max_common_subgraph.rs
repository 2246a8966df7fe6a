//! The largest part that two parts of a graph share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::parts::{Named, PartnerPair};
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, parts, sample,
};
use crate::exact::common_subgraph::{MAX_NODES, max_common_subgraph};
use crate::{Graph, NodeName};

/// Finds the largest common induced subgraph of two parts of this graph: the most nodes of the first
/// part that can be paired with nodes of the second so that two are joined exactly where their
/// partners are joined. Weights are ignored. The search has a limit and says if it reached it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The nodes of the first part.
    pub first: Vec<NodeName>,
    /// The nodes of the second part; leave out for all nodes that are not in the first.
    #[serde(default)]
    pub second: Option<Vec<NodeName>>,
}

/// What the two parts share.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many pairs there are.
    size: usize,
    /// The pairs: a node of the first part and its partner in the second.
    pairs: Vec<PartnerPair>,
    /// Whether no common subgraph is larger; false if the search reached its limit first.
    is_proven: bool,
    /// No common subgraph has more nodes than this.
    at_most: usize,
}

pub(super) struct MaxCommonSubgraph;

impl Typed for MaxCommonSubgraph {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let named = |argument, nodes| Named { argument, nodes, at_most: MAX_NODES };
        let (first, second) = parts::two(
            graph,
            &named("first", Some(&args.first)),
            &named("second", args.second.as_deref()),
        )?;
        let found = max_common_subgraph(&first, &second, bounds::SEARCH_STEPS);
        if !found.is_proven {
            out.notes
                .push(bounds::unproven(bounds::SEARCH_STEPS, "a larger common subgraph may exist"));
        }
        let pairs = PartnerPair::all(&first, &second, &found.pairs);
        out.touched.nodes = PartnerPair::nodes(&pairs);
        Ok(Returns { size: pairs.len(), pairs, is_proven: found.is_proven, at_most: found.bound })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<MaxCommonSubgraph>(Facts {
    name: "max_common_subgraph",
    title: "Largest common subgraph",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: parts::RAISES,
    complexity: "exponential, at most 20 million steps",
    example: || Example {
        graph: sample::undirected(&[
            (0, 1),
            (1, 2),
            (2, 0),
            (2, 3),
            (4, 5),
            (5, 6),
            (6, 7),
            (7, 4),
        ]),
        arguments: json!({ "first": [0, 1, 2, 3] }),
    },
});
