//! The eight tasks of NLGraph (arXiv 2305.10037), one file each.

pub(crate) mod connectivity;
pub(crate) mod cycle;
pub(crate) mod flow;
pub(crate) mod gnn;
pub(crate) mod hamilton;
pub(crate) mod matching;
pub(crate) mod shortest_path;
pub(crate) mod topology;

use std::fmt::Write as _;

use graph::{Graph, NodeIdx, NodeName};

use crate::Style;
pub(crate) use crate::names::{comma_list, join};
pub(crate) use crate::random;

/// The line that NLGraph's Build-a-Graph style adds.
const CONSTRUCT: &str = "Let's construct a graph with the nodes and edges first.";

fn construct_line(style: Style, out: &mut String) {
    if style.constructs() {
        out.push_str(CONSTRUCT);
        out.push('\n');
    }
}

/// ` (0,1) (1,2)`: each pair with a blank before it.
fn push_pairs(graph: &Graph, out: &mut String) {
    for edge in graph.edges() {
        let _ = write!(out, " ({},{})", edge.source, edge.target);
    }
}

/// The number of the last node, of nodes `0..n`.
fn last(n: usize) -> usize {
    n.saturating_sub(1)
}

fn names(graph: &Graph, places: &[NodeIdx]) -> Vec<NodeName> {
    places.iter().map(|idx| graph.name(*idx).clone()).collect()
}

/// The places of two nodes, if the graph has both.
fn ends(graph: &Graph, a: &NodeName, b: &NodeName) -> Option<(NodeIdx, NodeIdx)> {
    Some((graph.index(a).ok()?, graph.index(b).ok()?))
}
