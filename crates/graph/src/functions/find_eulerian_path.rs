//! A walk along every edge once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::{Graph, NodeIdx, NodeName, search};

/// Finds an Eulerian path: a walk that uses every edge of the graph exactly once, along its
/// direction if the graph is directed. Says why if there is none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The walk, or why there is none.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The nodes of the walk in order, or null.
    path: Option<Vec<NodeName>>,
    /// Whether the walk ends where it started; null if there is none.
    is_circuit: Option<bool>,
    /// Why there is no such walk, or null.
    reason: Option<String>,
}

/// The nodes of a walk along every edge once, or why there is none. A graph without edges has the
/// walk that stays at its first node.
///
/// Hierholzer's algorithm.
///
/// # Errors
/// Why there is none, in a sentence.
///
/// # Complexity
/// O(n + m).
pub fn find_eulerian_path(graph: &Graph) -> Result<Vec<NodeIdx>, String> {
    let g = graph.adjacency();
    if g.edges.is_empty() {
        return Ok(g.nodes.first().copied().into_iter().collect());
    }
    let degrees = super::get_degrees::get_degrees(graph);
    let (label, _) = search::components(&g);
    let part = |v: u32| label[v as usize];
    if g.edges.iter().any(|e| part(e.0) != part(g.edges[0].0)) {
        return Err("the edges lie in parts of the graph that no edge joins".into());
    }
    let named = |v: usize| graph.name(g.nodes[v]).to_string();
    let list = |nodes: &[usize]| {
        let more = if nodes.len() > 8 { ", …" } else { "" };
        let shown: Vec<String> = nodes.iter().take(8).map(|&v| named(v)).collect();
        format!("{}{more}", shown.join(", "))
    };
    let start = if g.directed {
        let surplus = |v: usize| degrees[v].out_degree as i64 - degrees[v].in_degree as i64;
        let uneven: Vec<usize> = (0..g.n_nodes()).filter(|&v| surplus(v) != 0).collect();
        match uneven[..] {
            [] => g.edges[0].0,
            [a, b] if surplus(a).abs() == 1 && surplus(a) + surplus(b) == 0 => {
                (if surplus(a) == 1 { a } else { b }) as u32
            }
            _ => {
                return Err(format!(
                    "each node but the two ends must have as many edges in as out, and {} do not \
                     ({})",
                    uneven.len(),
                    list(&uneven)
                ));
            }
        }
    } else {
        let odd: Vec<usize> = (0..g.n_nodes()).filter(|&v| degrees[v].degree % 2 == 1).collect();
        match odd[..] {
            [] => g.edges[0].0,
            [a, _] => a as u32,
            _ => {
                return Err(format!(
                    "{} nodes have an odd degree ({}), and only the two ends may",
                    odd.len(),
                    list(&odd)
                ));
            }
        }
    };
    let mut used = vec![false; g.edges.len()];
    let mut next = vec![0usize; g.n_nodes()];
    let (mut stack, mut walk) = (vec![start], Vec::with_capacity(g.edges.len() + 1));
    while let Some(&u) = stack.last() {
        match g.out[u as usize].get(next[u as usize]) {
            Some(&(v, e)) => {
                next[u as usize] += 1;
                if !std::mem::replace(&mut used[e as usize], true) {
                    stack.push(v);
                }
            }
            None => {
                walk.push(u);
                stack.pop();
            }
        }
    }
    walk.reverse();
    Ok(g.places(&walk))
}

pub(super) struct FindEulerianPathFunction;

impl Typed for FindEulerianPathFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        match find_eulerian_path(graph) {
            Ok(walk) => {
                out.touched = Touched::walk(graph, &walk);
                let is_circuit = Some(walk.first() == walk.last());
                Ok(Returns { path: Some(out.touched.nodes.clone()), is_circuit, reason: None })
            }
            Err(reason) => Ok(Returns { path: None, is_circuit: None, reason: Some(reason) }),
        }
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<FindEulerianPathFunction>(Facts {
    name: "find_eulerian_path",
    title: "Eulerian path",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 0), (2, 3)]),
        arguments: json!({}),
    },
});
