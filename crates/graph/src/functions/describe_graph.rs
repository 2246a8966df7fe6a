//! What the graph holds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::connected_components::count_components;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeName};

/// Describes the graph: its kind, nodes, edges, degrees and density. Call it to check what was
/// built.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The graph in words and numbers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether edges have a direction.
    directed: bool,
    /// Whether edges have weights.
    weighted: bool,
    /// The number of nodes.
    n_nodes: usize,
    /// The number of edges.
    n_edges: usize,
    /// The nodes; the first 200 if there are more.
    nodes: Vec<NodeName>,
    /// The edges; the first 500 if there are more.
    edges: Vec<Edge>,
    /// The number of components (directions do not matter).
    n_components: usize,
    /// The smallest degree, or null without nodes.
    min_degree: Option<usize>,
    /// The largest degree, or null without nodes.
    max_degree: Option<usize>,
    /// The share of possible edges that are there.
    density: f64,
}

/// One edge.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Edge {
    /// Where it starts.
    source: NodeName,
    /// Where it ends.
    target: NodeName,
    /// Its weight, left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
    /// Its capacity, left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    capacity: Option<f64>,
}

/// The most nodes and edges that are listed, so that a large graph does not fill a model's context.
const LISTED: (usize, usize) = (200, 500);

/// The smallest and largest degree, a self loop counted twice, or `None` without nodes.
///
/// O(n + m).
pub fn degree_range(graph: &Graph) -> Option<(usize, usize)> {
    let degrees = super::get_degrees::get_degrees(graph);
    let all = degrees.iter().map(|d| d.degree);
    Some((all.clone().min()?, all.max()?))
}

pub(super) struct DescribeGraphFunction;

impl Typed for DescribeGraphFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let range = degree_range(graph);
        if graph.n_nodes() > LISTED.0 || graph.n_edges() > LISTED.1 {
            out.notes.push(format!(
                "only the first {} nodes and {} edges are listed",
                LISTED.0, LISTED.1
            ));
        }
        Ok(Returns {
            directed: graph.is_directed(),
            weighted: graph.is_weighted(),
            n_nodes: graph.n_nodes(),
            n_edges: graph.n_edges(),
            nodes: graph.names().take(LISTED.0).cloned().collect(),
            edges: graph
                .edges()
                .take(LISTED.1)
                .map(|e| Edge {
                    source: e.source.clone(),
                    target: e.target.clone(),
                    weight: e.weight,
                    capacity: e.capacity,
                })
                .collect(),
            n_components: count_components(graph),
            min_degree: range.map(|r| r.0),
            max_degree: range.map(|r| r.1),
            density: super::get_density::get_density(graph),
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<DescribeGraphFunction>(Facts {
    name: "describe_graph",
    title: "Describe the graph",
    group: Group::Describe,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::weighted(&[(0, 1, 4.0), (0, 2, 1.0), (2, 1, 2.0)]),
        arguments: json!({}),
    },
});
