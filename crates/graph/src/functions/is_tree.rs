//! Whether the graph is a tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::connected_components::count_components;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::Graph;

/// Tells whether the graph is a tree: connected, without a cycle. Directions are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// Whether it is a tree, and if not, why.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether the graph is a tree.
    is_tree: bool,
    /// Why it is not, or null.
    reason: Option<String>,
}

/// Why a graph is not a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTree {
    /// It has no nodes.
    Empty,
    /// It has this many components.
    Parts(usize),
    /// It is connected and has more edges than a tree of its nodes.
    Cycle,
}

/// Whether the graph is connected with one edge less than nodes (directions do not matter, but two
/// opposite edges are two).
///
/// # Errors
/// Why it is not a tree.
///
/// # Complexity
/// O(n + m).
pub fn is_tree(graph: &Graph) -> Result<(), NotTree> {
    match count_components(graph) {
        0 => Err(NotTree::Empty),
        1 if graph.n_edges() + 1 == graph.n_nodes() => Ok(()),
        1 => Err(NotTree::Cycle),
        parts => Err(NotTree::Parts(parts)),
    }
}

pub(super) struct IsTreeFunction;

impl Typed for IsTreeFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        let reason = is_tree(graph).err().map(|why| match why {
            NotTree::Empty => "the graph has no nodes".to_owned(),
            NotTree::Parts(parts) => format!("the graph falls into {parts} parts"),
            NotTree::Cycle => format!(
                "the graph is connected by {} edges, and a tree of {} nodes has {}: there is a \
                 cycle",
                graph.n_edges(),
                graph.n_nodes(),
                graph.n_nodes() - 1
            ),
        });
        Ok(Returns { is_tree: reason.is_none(), reason })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<IsTreeFunction>(Facts {
    name: "is_tree",
    title: "Is it a tree",
    group: Group::Order,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (0, 2), (2, 3)]),
        arguments: json!({}),
    },
});
