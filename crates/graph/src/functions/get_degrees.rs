//! How many edges each node has.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};

/// Gives the degree of nodes: how many edges each has. A self loop counts twice.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The nodes; leave out for all.
    #[serde(default)]
    pub nodes: Option<Vec<NodeName>>,
}

/// The degrees.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// One entry for each node.
    degrees: Vec<NodeDegree>,
}

/// The degree of one node.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodeDegree {
    /// The node.
    node: NodeName,
    /// How many edges touch it.
    degree: usize,
    /// In a directed graph: how many edges lead into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_degree: Option<usize>,
    /// In a directed graph: how many edges lead out of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    out_degree: Option<usize>,
}

/// The degree of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degree {
    /// The node.
    pub node: NodeIdx,
    /// Edges that touch it, a self loop twice.
    pub degree: usize,
    /// Edges into it (all, in an undirected graph).
    pub in_degree: usize,
    /// Edges out of it (all, in an undirected graph).
    pub out_degree: usize,
}

/// The degree of every node, in the order of the nodes.
///
/// # Complexity
/// O(n + m).
pub fn get_degrees(graph: &Graph) -> Vec<Degree> {
    let bound = graph.node_bound();
    let (mut into, mut out) = (vec![0; bound], vec![0; bound]);
    for (u, v) in graph.ends() {
        out[u.index()] += 1;
        into[v.index()] += 1;
    }
    let directed = graph.is_directed();
    let of = |node: NodeIdx| {
        let (in_degree, out_degree) = (into[node.index()], out[node.index()]);
        let degree = in_degree + out_degree;
        let (in_degree, out_degree) =
            if directed { (in_degree, out_degree) } else { (degree, degree) };
        Degree { node, degree, in_degree, out_degree }
    };
    graph.indices().map(of).collect()
}

pub(super) struct GetDegreesFunction;

impl Typed for GetDegreesFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let all = get_degrees(graph);
        let wanted: Vec<&Degree> = match &args.nodes {
            None => all.iter().collect(),
            Some(nodes) => {
                let g = graph.adjacency();
                let place = |name| graph.index(name).map(|i| &all[g.position(i) as usize]);
                nodes.iter().map(place).collect::<Result<_, _>>()?
            }
        };
        let directed = graph.is_directed();
        let degrees: Vec<NodeDegree> = wanted
            .into_iter()
            .map(|d| NodeDegree {
                node: graph.name(d.node).clone(),
                degree: d.degree,
                in_degree: directed.then_some(d.in_degree),
                out_degree: directed.then_some(d.out_degree),
            })
            .collect();
        out.touched.nodes = args.nodes.unwrap_or_default();
        Ok(Returns { degrees })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<GetDegreesFunction>(Facts {
    name: "get_degrees",
    title: "Degrees",
    group: Group::Describe,
    paper: "",
    writes: false,
    raises: &[("unknown_node", "A node is not in the graph.")],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (0, 2), (0, 3), (3, 2)]),
        arguments: json!({ "nodes": [0, 3] }),
    },
});
