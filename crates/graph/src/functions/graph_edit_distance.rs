//! How many changes make one part of a graph of another.

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::parts::Named;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, parts,
};
use crate::exact::edit_distance::{MAX_NODES, graph_edit_distance};
use crate::{Graph, NodeIdx, NodeName};

/// Steps of a call, each so small that these take about a second in a browser.
const STEPS: u64 = 100_000_000;

/// Finds the graph edit distance of two parts of this graph: the fewest changes that make the first
/// part the same as the second. Adding or deleting a node or an edge and giving a node another label
/// count 1 each. Weights are ignored. The search has a limit and says if it reached it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The nodes of the first part.
    pub first: Vec<NodeName>,
    /// The nodes of the second part; leave out for all nodes that are not in the first.
    #[serde(default)]
    pub second: Option<Vec<NodeName>>,
    /// Labels of nodes, each a pair of a node and its label: `[[0, "C"], [1, "N"]]`. Nodes that are
    /// not listed have no label, which is a label of its own; leave out if no node has one.
    #[serde(default)]
    #[schemars(with = "Vec<[NodeName; 2]>")]
    pub labels: Vec<(NodeName, NodeName)>,
}

/// The fewest changes, and a way that takes so many.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many changes the way found takes.
    distance: usize,
    /// For each node of the first part its partner in the second, or null where it is deleted. Nodes
    /// of the second that are no partner are added.
    mapping: Vec<EditedNode>,
    /// No way takes fewer changes than this.
    at_least: usize,
    /// Whether no way takes fewer than the distance; false if the search reached its limit first.
    is_proven: bool,
}

/// A node of the first part and what becomes of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EditedNode {
    /// The node of the first part.
    node: NodeName,
    /// Its partner in the second, or null where it is deleted.
    partner: Option<NodeName>,
}

/// The label of each node that has one.
fn labelled(
    graph: &Graph,
    labels: Vec<(NodeName, NodeName)>,
) -> Result<FxHashMap<NodeIdx, String>, FunctionError> {
    let mut of = FxHashMap::default();
    for (node, label) in labels {
        if of.insert(graph.index(&node)?, label.to_string()).is_some() {
            return Err(FunctionError::new(
                "repeated_label",
                format!("`labels` has node {node} twice: give one label for each node"),
            ));
        }
    }
    Ok(of)
}

pub(super) struct GraphEditDistance;

impl Typed for GraphEditDistance {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let named = |argument, nodes| Named { argument, nodes, at_most: MAX_NODES };
        let (first, second) = parts::two(
            graph,
            &named("first", Some(&args.first)),
            &named("second", args.second.as_deref()),
        )?;
        let label_of = labelled(graph, args.labels)?;
        let labels = |part: &Graph| -> Result<Vec<String>, FunctionError> {
            let of = |name| Ok(label_of.get(&graph.index(name)?).cloned().unwrap_or_default());
            part.names().map(of).collect()
        };
        let (of_first, of_second) = (labels(&first)?, labels(&second)?);
        let found = graph_edit_distance(&first, &second, [&of_first, &of_second], STEPS);
        if !found.is_proven {
            out.notes.push(bounds::unproven(STEPS, "a way with fewer changes may exist"));
        }
        let edited = |&(v, w): &(NodeIdx, Option<NodeIdx>)| EditedNode {
            node: first.name(v).clone(),
            partner: w.map(|w| second.name(w).clone()),
        };
        let mapping: Vec<EditedNode> = found.partners.iter().map(edited).collect();
        out.touched.nodes = first.names().chain(second.names()).cloned().collect();
        Ok(Returns {
            distance: found.n_changes,
            mapping,
            at_least: found.bound,
            is_proven: found.is_proven,
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<GraphEditDistance>(Facts {
    name: "graph_edit_distance",
    title: "Graph edit distance",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: &[
        ("unknown_node", "A node is not in the graph."),
        ("repeated_node", "A part has a node twice."),
        ("node_in_both", "A node is in both parts."),
        ("repeated_label", "A node has two labels."),
        ("too_many_nodes", "A part has too many nodes for this search."),
    ],
    complexity: "exponential, at most 100 million steps",
    example: || {
        let mut graph = Graph::undirected();
        let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("p", "q"), ("q", "r"), ("r", "s")];
        for (a, b) in edges {
            // Adding a constant edge cannot fail; a test calls every example.
            let _ = graph.link(a, b);
        }
        Example {
            graph,
            arguments: json!({
                "first": ["a", "b", "c"], "second": ["p", "q", "r", "s"],
                "labels": [["a", "N"], ["p", "O"]]
            }),
        }
    },
});
