//! What hangs together, and what follows from it.

use graph::{Graph, NodeName};

use super::room;

/// For each place of a node the least place in its component, directions ignored.
pub(crate) fn components(graph: &Graph) -> Vec<u32> {
    fn root(parent: &mut [u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        at
    }
    let mut parent: Vec<u32> = (0..room(graph) as u32).collect();
    for edge in graph.edges() {
        let a = root(&mut parent, edge.source_idx.index() as u32);
        let b = root(&mut parent, edge.target_idx.index() as u32);
        parent[a.max(b) as usize] = a.min(b);
    }
    (0..parent.len() as u32).map(|i| root(&mut parent, i)).collect()
}

/// Whether two nodes hang together.
pub(crate) fn are_connected(graph: &Graph, a: &NodeName, b: &NodeName) -> bool {
    let (Ok(a), Ok(b)) = (graph.index(a), graph.index(b)) else { return false };
    let component = components(graph);
    component[a.index()] == component[b.index()]
}

/// Whether a graph has nodes and they hang together, directions ignored.
pub(crate) fn is_connected(graph: &Graph) -> bool {
    let component = components(graph);
    let mut of_nodes = graph.indices().map(|i| component[i.index()]);
    let Some(first) = of_nodes.next() else { return false };
    of_nodes.all(|c| c == first)
}

/// Whether an undirected graph has a cycle: a forest has exactly one edge less than nodes in each
/// component.
pub(crate) fn has_cycle(graph: &Graph) -> bool {
    let component = components(graph);
    let trees = graph.indices().filter(|i| component[i.index()] as usize == i.index()).count();
    graph.n_edges() + trees > graph.n_nodes()
}
