//! What an answer says once it is read.

use graph::NodeName;
use serde::{Deserialize, Serialize};

/// An answer to a problem: our own, or what a text was read to say.
///
/// Parts that a text does not state are empty or `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// Whether two nodes are connected.
    Connectivity {
        /// The decision.
        connected: bool,
        /// The path shown for it, if one is.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        path: Vec<NodeName>,
    },
    /// Whether there is a cycle.
    Cycle {
        /// The decision.
        has_cycle: bool,
        /// The cycle shown for it as nodes in order; the first is not repeated at the end.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cycle: Vec<NodeName>,
        /// The cycle shown for it as a list of edges.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        edges: Vec<(NodeName, NodeName)>,
    },
    /// An order of all nodes.
    TopologicalSort {
        /// Whether the text says that all nodes can be visited, where it says so in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        possible: Option<bool>,
        /// The order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        order: Vec<NodeName>,
    },
    /// A shortest path.
    ShortestPath {
        /// Its nodes from source to target; empty if none is given, or if there is none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        path: Vec<NodeName>,
        /// Other paths that are offered as just as good.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        others: Vec<Vec<NodeName>>,
        /// Its total weight.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
    },
    /// A maximum flow.
    MaxFlow {
        /// Its value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<f64>,
        /// What flows along which arc, where that is told.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        flows: Vec<FlowClaim>,
    },
    /// An assignment of jobs to applicants.
    Matching {
        /// `(applicant, job)`, as the names `a0` and `j0`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pairs: Vec<(NodeName, NodeName)>,
        /// How many applicants are said to find a job.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<u64>,
    },
    /// A path through all nodes.
    HamiltonPath {
        /// Whether there is one; `None` where that is not said in words, or not decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exists: Option<bool>,
        /// The path.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        path: Vec<NodeName>,
    },
    /// Embeddings after convolution.
    Convolution {
        /// One row for each node.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rows: Vec<(NodeName, Vec<f64>)>,
    },
}

impl Answer {
    /// What a vote counts: the decision, the number or the order, without the witness, since two
    /// right answers may show different paths. Empty if the text said none.
    ///
    /// Paper: Graph-Grounded LLMs §IV (self-consistency through majority voting); what counts as
    /// the same answer, the paper does not say.
    pub fn ballot(&self) -> String {
        let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let list = |nodes: &[NodeName]| {
            nodes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Connectivity { connected, .. } => yes_no(*connected),
            Self::Cycle { has_cycle, .. } => yes_no(*has_cycle),
            Self::TopologicalSort { possible: Some(false), .. } => "no order".into(),
            Self::TopologicalSort { order, .. } => list(order),
            Self::ShortestPath { total: Some(total), .. } => format!("length {total}"),
            Self::ShortestPath { path, .. } => list(path),
            Self::MaxFlow { value, .. } => value.map_or_else(String::new, |v| format!("flow {v}")),
            Self::Matching { pairs, count } => {
                let n = count.unwrap_or(pairs.len() as u64);
                if n == 0 && count.is_none() { String::new() } else { format!("{n} pairs") }
            }
            Self::HamiltonPath { exists, path } => exists.map_or_else(|| list(path), yes_no),
            Self::Convolution { rows } => rows
                .iter()
                .map(|(node, values)| format!("{node}: {values:?}"))
                .collect::<Vec<_>>()
                .join("; "),
        }
    }
}

/// So much flows along one arc.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowClaim {
    /// Where the arc starts.
    pub source: NodeName,
    /// Where it ends.
    pub target: NodeName,
    /// How much flows.
    pub amount: f64,
}
