//! Colours so that joined nodes differ.

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::search::NONE;
use crate::{Graph, NodeIdx, NodeName};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Colours the nodes so that joined nodes have different colours, with as few colours as it can.
/// Directions and self loops are ignored. Says whether fewer colours are impossible.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The colouring.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many colours are used.
    n_colors: usize,
    /// The nodes of each colour.
    classes: Vec<Vec<NodeName>>,
    /// Whether it is proven that fewer colours are impossible.
    is_minimum: bool,
}

/// A colouring, and whether it is certain that none has fewer colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coloring {
    /// The nodes of each colour.
    pub classes: Vec<Vec<NodeIdx>>,
    /// Whether fewer colours are impossible.
    pub exact: bool,
}

/// Nodes up to which the fewest colours are searched for.
const EXACT_UP_TO: usize = 64;

/// A colouring in which joined nodes differ (directions and self loops do not matter): greedy with
/// the highest degrees first, then for at most 64 nodes an exact search of at most `budget` steps.
///
/// petgraph has a greedy colouring, but not the proof.
///
/// # Complexity
/// O((n + m) log n) greedy; the exact search at most `budget` steps.
pub fn color_graph(graph: &Graph, budget: u64) -> Coloring {
    let g = graph.adjacency().into_undirected();
    let n = g.n_nodes();
    let next: Vec<Vec<u32>> = (0..n)
        .map(|v| g.out[v].iter().map(|e| e.0).filter(|&w| w as usize != v).collect())
        .collect();
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_key(|&v| (std::cmp::Reverse(next[v as usize].len()), v));
    let mut color = vec![NONE; n];
    let mut count = 0;
    for &v in &order {
        let taken: FxHashSet<u32> = next[v as usize].iter().map(|&w| color[w as usize]).collect();
        let free = (0..).find(|c| !taken.contains(c)).unwrap_or(count);
        color[v as usize] = free;
        count = count.max(free + 1);
    }
    let mut exact = false;
    if n <= EXACT_UP_TO {
        let floor = super::max_clique::max_clique(graph, budget).nodes.len() as u32;
        exact = true;
        let mut steps = 0;
        while count > floor {
            match with_colors(&next, &order, count - 1, budget, &mut steps) {
                Some(Some(better)) => {
                    count = better.iter().max().map_or(0, |c| c + 1);
                    color = better;
                }
                Some(None) => break,
                None => {
                    exact = false;
                    break;
                }
            }
        }
    }
    let mut classes = vec![Vec::new(); count as usize];
    for (v, &c) in color.iter().enumerate() {
        classes[c as usize].push(g.nodes[v]);
    }
    Coloring { classes, exact }
}

/// A colouring with `k` colours, none, or (outer `None`) no answer within the budget. Always colours
/// the node whose neighbours have the most colours.
fn with_colors(
    next: &[Vec<u32>],
    order: &[u32],
    k: u32,
    budget: u64,
    steps: &mut u64,
) -> Option<Option<Vec<u32>>> {
    let n = next.len();
    let mut color = vec![NONE; n];
    // (node, colour to try next, colours in use before it)
    let mut stack: Vec<(u32, u32, u32)> = Vec::new();
    let tightest = |color: &[u32], steps: &mut u64| {
        let mut best: Option<(u32, u32)> = None;
        for &v in order.iter().filter(|&&v| color[v as usize] == NONE) {
            let mut seen = 0u64;
            *steps += 1 + next[v as usize].len() as u64;
            for &w in &next[v as usize] {
                if color[w as usize] != NONE {
                    seen |= 1 << color[w as usize];
                }
            }
            if best.is_none_or(|b| seen.count_ones() > b.0) {
                best = Some((seen.count_ones(), v));
            }
        }
        best.map(|b| b.1)
    };
    let Some(first) = tightest(&color, steps) else { return Some(Some(color)) };
    stack.push((first, 0, 0));
    while let Some(top) = stack.last_mut() {
        if *steps > budget {
            return None;
        }
        let (v, used) = (top.0, top.2);
        color[v as usize] = NONE;
        // One new colour is as good as another.
        let limit = (used + 1).min(k);
        let fits = |c: &u32| next[v as usize].iter().all(|&w| color[w as usize] != *c);
        let Some(c) = (top.1..limit).find(fits) else {
            stack.pop();
            continue;
        };
        top.1 = c + 1;
        color[v as usize] = c;
        match tightest(&color, steps) {
            Some(v) => stack.push((v, 0, used.max(c + 1))),
            None => return Some(Some(color)),
        }
    }
    Some(None)
}

pub(super) struct ColorGraphFunction;

impl Typed for ColorGraphFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        let found = color_graph(graph, bounds::SEARCH_STEPS);
        if !found.exact {
            out.notes.push("fewer colours may be possible: the search was limited".into());
        }
        let classes: Vec<_> = found.classes.iter().map(|class| graph.names_of(class)).collect();
        Ok(Returns { n_colors: classes.len(), classes, is_minimum: found.exact })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<ColorGraphFunction>(Facts {
    name: "color_graph",
    title: "Colour the graph",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "O((n + m) log n) greedy, then at most 20 million steps",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]),
        arguments: json!({}),
    },
});
