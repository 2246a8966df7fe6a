//! Whether the nodes split into two sides with edges only between them.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::search::NONE;
use crate::{Adjacency, Graph, NodeIdx, NodeName};

/// Tells whether the graph is bipartite: whether its nodes can be split into two sides so that
/// every edge joins one side with the other. Gives the sides, or an odd cycle that makes it
/// impossible.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The two sides or an odd cycle.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether the graph is bipartite.
    is_bipartite: bool,
    /// The nodes of one side, or null.
    left: Option<Vec<NodeName>>,
    /// The nodes of the other side, or null.
    right: Option<Vec<NodeName>>,
    /// If it is not bipartite: the nodes of an odd cycle (the last is joined to the first), else
    /// null.
    odd_cycle: Option<Vec<NodeName>>,
}

/// Two sets of nodes with edges only between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sides {
    /// The first node of every component, and all at an even distance from it.
    pub left: Vec<NodeIdx>,
    /// The others.
    pub right: Vec<NodeIdx>,
}

/// The two sides of a bipartite graph (directions do not matter), or else an odd cycle.
///
/// # Errors
/// The odd cycle, closed implicitly; a self loop is one of a single node.
///
/// # Complexity
/// O(n + m).
pub fn is_bipartite(graph: &Graph) -> Result<Sides, Vec<NodeIdx>> {
    let adjacency = graph.adjacency().into_undirected();
    match sides_of(&adjacency) {
        Ok(side) => {
            let of = |wanted: bool| {
                (0..side.len()).filter(|&i| side[i] == wanted).map(|i| adjacency.nodes[i]).collect()
            };
            Ok(Sides { left: of(false), right: of(true) })
        }
        Err(cycle) => Err(adjacency.places(&cycle)),
    }
}

/// The side of each node of an undirected structure, or an odd cycle.
// petgraph's is_bipartite_undirected says only yes or no and looks at one component.
pub(crate) fn sides_of(g: &Adjacency) -> Result<Vec<bool>, Vec<u32>> {
    let n = g.n_nodes();
    let (mut depth, mut parent) = (vec![NONE; n], vec![NONE; n]);
    let mut queue = VecDeque::new();
    for root in 0..n as u32 {
        if depth[root as usize] != NONE {
            continue;
        }
        depth[root as usize] = 0;
        queue.push_back(root);
        while let Some(u) = queue.pop_front() {
            for &(v, _) in &g.out[u as usize] {
                if depth[v as usize] == NONE {
                    depth[v as usize] = depth[u as usize] + 1;
                    parent[v as usize] = u;
                    queue.push_back(v);
                } else if depth[v as usize] == depth[u as usize] {
                    // Breadth first, so only equal depths can clash; both ways up meet.
                    let (mut a, mut b) = (vec![u], vec![v]);
                    let (mut x, mut y) = (u, v);
                    while x != y {
                        x = parent[x as usize];
                        y = parent[y as usize];
                        a.push(x);
                        b.push(y);
                    }
                    b.pop();
                    b.reverse();
                    a.extend(b);
                    return Err(a);
                }
            }
        }
    }
    Ok(depth.into_iter().map(|d| d % 2 == 1).collect())
}

pub(super) struct IsBipartite;

impl Typed for IsBipartite {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        match is_bipartite(graph) {
            Ok(sides) => {
                let (left, right) = (graph.names_of(&sides.left), graph.names_of(&sides.right));
                out.touched.nodes.clone_from(&left);
                Ok(Returns {
                    is_bipartite: true,
                    left: Some(left),
                    right: Some(right),
                    odd_cycle: None,
                })
            }
            Err(cycle) => {
                out.touched = Touched::cycle(graph, &cycle);
                let odd_cycle = Some(out.touched.nodes.clone());
                Ok(Returns { is_bipartite: false, left: None, right: None, odd_cycle })
            }
        }
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<IsBipartite>(Facts {
    name: "is_bipartite",
    title: "Is it bipartite",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (3, 0), (4, 1)]),
        arguments: json!({}),
    },
});
