//! Adds edges, and their ends where they are missing.

use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub use super::shared::GraphSize as Returns;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds};
use crate::{Delta, Graph, GraphError, NodeName};

/// Adds edges to the graph. Nodes that are not there yet are added too. An edge that is there
/// already gets the new weight.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The edges, each a pair of nodes.
    #[schemars(with = "Vec<[NodeName; 2]>")]
    pub edges: Vec<(NodeName, NodeName)>,
    /// One weight for each edge, in the same order; leave out for an unweighted graph.
    #[serde(default)]
    pub weights: Option<Vec<f64>>,
    /// One capacity for each edge, in the same order, for flow problems.
    #[serde(default)]
    pub capacities: Option<Vec<f64>>,
}

/// The errors of functions that take edges with their weights.
pub(super) const RAISES: &[(&str, &str)] = &[
    ("length_mismatch", "There is not one weight or capacity for each edge."),
    ("not_finite", "A weight or capacity is not a finite number."),
    ("negative_capacity", "A capacity is below 0."),
    ("too_large", "The graph would have too many nodes or edges."),
];

/// What adding edges comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Addition {
    /// The deltas, which apply cleanly to the graph.
    pub deltas: Vec<Delta>,
    /// How many nodes are new.
    pub new_nodes: usize,
    /// How many edges are new.
    pub new_edges: usize,
    /// Edges that were given more than once; the last counts.
    pub repeated: Vec<(NodeName, NodeName)>,
}

impl Addition {
    /// Says that edges were given more than once.
    pub(super) fn note(&self) -> Option<String> {
        let (a, b) = self.repeated.first()?;
        let more = self.repeated.len() - 1;
        let others = if more > 0 { format!(" (and {more} others)") } else { String::new() };
        Some(format!("edge ({a}, {b}){others} was given more than once; the last one counts"))
    }
}

/// Weight and capacity.
type Values = (Option<f64>, Option<f64>);

/// The deltas that add edges and the ends that are missing. An edge that is there keeps the weight
/// or capacity for which nothing is given.
///
/// # Errors
/// `length_mismatch`, `not_finite`, `negative_capacity`, `too_large`.
///
/// # Complexity
/// O(number of edges given): the graph is only asked, never copied.
pub fn add_edges(
    graph: &Graph,
    edges: &[(NodeName, NodeName)],
    weights: Option<&[f64]>,
    capacities: Option<&[f64]>,
) -> Result<Addition, FunctionError> {
    for (what, values) in [("weights", weights), ("capacities", capacities)] {
        if let Some(values) = values {
            bounds::one_for_each("edges", edges.len(), what, values.len())?;
        }
    }
    let mut new_nodes: FxHashSet<&NodeName> = FxHashSet::default();
    let mut given: FxHashMap<(&NodeName, &NodeName), Values> = FxHashMap::default();
    let mut addition = Addition::default();
    for (i, (source, target)) in edges.iter().enumerate() {
        for node in [source, target] {
            if !graph.has_node(node) && new_nodes.insert(node) {
                addition.deltas.push(Delta::AddNode { node: node.clone() });
            }
        }
        let key = if graph.is_directed() || source <= target {
            (source, target)
        } else {
            (target, source)
        };
        let before = match given.get(&key) {
            Some(&values) => {
                addition.repeated.push((source.clone(), target.clone()));
                values
            }
            None => match graph.edge(source, target) {
                Some(edge) => (edge.weight, edge.capacity),
                None => {
                    addition.new_edges += 1;
                    (None, None)
                }
            },
        };
        let weight = weights.map(|w| w[i]).or(before.0);
        let capacity = capacities.map(|c| c[i]).or(before.1);
        for (what, value) in [("a weight", weight), ("a capacity", capacity)] {
            if let Some(value) = value.filter(|v| !v.is_finite()) {
                return Err(GraphError::NotFinite { what, value }.into());
            }
        }
        let (source, target) = (source.clone(), target.clone());
        if let Some(value) = capacity.filter(|&c| c < 0.0) {
            let source_node = source;
            return Err(GraphError::NegativeCapacity { source_node, target, value }.into());
        }
        given.insert(key, (weight, capacity));
        addition.deltas.push(Delta::AddEdge { source, target, weight, capacity });
    }
    addition.new_nodes = new_nodes.len();
    bounds::fits(graph.n_nodes() + addition.new_nodes, graph.n_edges() + addition.new_edges)?;
    Ok(addition)
}

pub(super) struct AddEdges;

impl Typed for AddEdges {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let added =
            add_edges(graph, &args.edges, args.weights.as_deref(), args.capacities.as_deref())?;
        out.notes.extend(added.note());
        out.deltas = added.deltas;
        out.touched.edges = args.edges;
        Ok(Returns {
            n_nodes: graph.n_nodes() + added.new_nodes,
            n_edges: graph.n_edges() + added.new_edges,
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<AddEdges>(Facts {
    name: "add_edges",
    title: "Add edges",
    group: Group::Build,
    paper: "Graph-Grounded LLMs §II-A and the examples of §II-B",
    writes: true,
    raises: RAISES,
    complexity: "O(edges given)",
    example: || Example {
        graph: Graph::undirected(),
        arguments: json!({ "edges": [[0, 1], [1, 2], [2, 0]], "weights": [4, 1, 2] }),
    },
});
