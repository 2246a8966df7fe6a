//! Whether one part of a graph is found in another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::parts::{Named, PartnerPair};
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, parts, sample,
};
use crate::exact::common_subgraph::{MAX_GRAPH, MAX_PATTERN, PatternMatch, find_pattern};
use crate::{Graph, NodeName};

/// Steps of a call, each so small that these take about a second in a browser.
const STEPS: u64 = 200_000_000;

/// Tells whether one part of this graph, the pattern, is a subgraph of another part: whether its nodes
/// can be given different partners there so that every edge of the pattern is an edge between partners,
/// which may have more. Weights are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The nodes of the pattern.
    pub pattern: Vec<NodeName>,
    /// The nodes of the part to search; leave out for all nodes that are not in the pattern.
    #[serde(default)]
    pub within: Option<Vec<NodeName>>,
}

/// Whether the pattern is there, and where.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether the pattern is there; null if the search gave up before it knew.
    is_found: Option<bool>,
    /// For each node of the pattern its partner, or null.
    mapping: Option<Vec<PartnerPair>>,
    /// Why it is not there or why it is undecided, or null.
    reason: Option<String>,
}

pub(super) struct FindSubgraph;

impl Typed for FindSubgraph {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (pattern, within) = parts::two(
            graph,
            &Named { argument: "pattern", nodes: Some(&args.pattern), at_most: MAX_PATTERN },
            &Named { argument: "within", nodes: args.within.as_deref(), at_most: MAX_GRAPH },
        )?;
        let no = |is_found, reason| Returns { is_found, mapping: None, reason: Some(reason) };
        Ok(match find_pattern(&within, &pattern, STEPS) {
            PatternMatch::Found(pairs) => {
                let mapping = PartnerPair::all(&pattern, &within, &pairs);
                out.touched.nodes = PartnerPair::nodes(&mapping);
                Returns { is_found: Some(true), mapping: Some(mapping), reason: None }
            }
            PatternMatch::Absent => no(Some(false), why_absent(&pattern, &within)),
            PatternMatch::Undecided => no(None, format!("undecided after {} steps", STEPS)),
        })
    }
}

/// Why a pattern that is not there is not.
fn why_absent(pattern: &Graph, within: &Graph) -> String {
    let more = |what: &str, n: usize, m: usize| {
        format!("the pattern has {n} {what}, and the part to search has {m}")
    };
    if pattern.n_nodes() > within.n_nodes() {
        more("nodes", pattern.n_nodes(), within.n_nodes())
    } else if pattern.n_edges() > within.n_edges() {
        more("edges", pattern.n_edges(), within.n_edges())
    } else {
        "no choice of partners has all edges of the pattern".into()
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<FindSubgraph>(Facts {
    name: "find_subgraph",
    title: "Subgraph search",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: parts::RAISES,
    complexity: "exponential, at most 200 million steps",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 6), (6, 4)]),
        arguments: json!({ "pattern": [0, 1, 2] }),
    },
});
