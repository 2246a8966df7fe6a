//! Checks a given topological order.

use super::topological_sort::needs_direction;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::{Graph, NodeIdx, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Checks an order of all nodes that the question gives, and says what is wrong with it. To find an
/// order, call topological_sort.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The nodes in the order to check.
    pub order: Vec<NodeName>,
}

/// The verdict.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether the order is valid.
    is_valid: bool,
    /// An edge that points backwards in the order, or null.
    violated_edge: Option<[NodeName; 2]>,
    /// What is wrong, or null.
    reason: Option<String>,
}

/// What is wrong with an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A node that does not stand in the order.
    Missing(NodeIdx),
    /// A node that stands in it twice.
    Repeated(NodeIdx),
    /// An edge whose end stands before its start.
    Violated(NodeIdx, NodeIdx),
}

/// Checks that every node stands in `order` once and every edge points forward.
///
/// # Errors
/// The first flaw.
///
/// # Complexity
/// O(n + m).
pub fn is_topological_order(graph: &Graph, order: &[NodeIdx]) -> Result<(), Flaw> {
    let g = graph.adjacency();
    let mut place = vec![usize::MAX; g.n_nodes()];
    for (i, &node) in order.iter().enumerate() {
        let slot = &mut place[g.position(node) as usize];
        if *slot != usize::MAX {
            return Err(Flaw::Repeated(node));
        }
        *slot = i;
    }
    if let Some(missing) = place.iter().position(|&p| p == usize::MAX) {
        return Err(Flaw::Missing(g.nodes[missing]));
    }
    match g.edges.iter().find(|e| place[e.0 as usize] >= place[e.1 as usize]) {
        Some(e) => Err(Flaw::Violated(g.nodes[e.0 as usize], g.nodes[e.1 as usize])),
        None => Ok(()),
    }
}

pub(super) struct IsTopologicalOrderFunction;

impl Typed for IsTopologicalOrderFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        needs_direction(graph)?;
        let order = args.order.iter().map(|n| graph.index(n)).collect::<Result<Vec<_>, _>>()?;
        let Err(flaw) = is_topological_order(graph, &order) else {
            out.touched.nodes = args.order;
            return Ok(Returns { is_valid: true, violated_edge: None, reason: None });
        };
        let name = |i: NodeIdx| graph.name(i).clone();
        let (reason, violated_edge) = match flaw {
            Flaw::Missing(node) => (format!("node {} is missing", name(node)), None),
            Flaw::Repeated(node) => (format!("node {} stands in it twice", name(node)), None),
            Flaw::Violated(a, b) => {
                out.touched = Touched::edges(graph, &[(a, b)]);
                (
                    format!(
                        "there is an edge from {} to {}, so {} must come first",
                        name(a),
                        name(b),
                        name(a)
                    ),
                    Some([name(a), name(b)]),
                )
            }
        };
        Ok(Returns { is_valid: false, violated_edge, reason: Some(reason) })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<IsTopologicalOrderFunction>(Facts {
        name: "is_topological_order",
        title: "Check an order",
        group: Group::Order,
        paper: "Graph-Grounded LLMs §III (iii)",
        writes: false,
        raises: &[
            ("unknown_node", "A node is not in the graph."),
            ("not_directed", "The graph is undirected."),
        ],
        complexity: "O(n + m)",
        example: || Example {
            graph: sample::directed(&[(0, 1), (1, 2), (0, 3)]),
            arguments: json!({ "order": [0, 2, 1, 3] }),
        },
    });
