//! The part of a large graph that is worth drawing: what was touched, and what is around it.

use std::collections::{BTreeSet, VecDeque};

use draw::{MOST_EDGES, Marks};
use graph::{Graph, NodeName};

/// Of a graph that is not drawn whole: the most nodes around what was touched.
pub const MOST_AROUND: usize = 200;

/// At most `most` nodes, and fewer where they have more edges than are drawn; nearest first, around what is marked; without marks around the two nodes of
/// the question, else around the first node.
///
/// O(n + m).
pub fn neighbourhood(
    graph: &Graph,
    marks: &Marks,
    ends: Option<(&NodeName, &NodeName)>,
    most: usize,
) -> Graph {
    let adjacency = graph.adjacency();
    let mut queue = VecDeque::new();
    let mut seen = vec![false; adjacency.n_nodes()];
    let mut start = |name: &NodeName, queue: &mut VecDeque<u32>| {
        if let Ok(idx) = graph.index(name) {
            let at = adjacency.position(idx);
            if !std::mem::replace(&mut seen[at as usize], true) {
                queue.push_back(at);
            }
        }
    };
    marks.nodes.iter().for_each(|(n, ..)| start(n, &mut queue));
    marks.edges.iter().for_each(|(a, b, ..)| {
        start(a, &mut queue);
        start(b, &mut queue);
    });
    if queue.is_empty()
        && let Some((a, b)) = ends
    {
        start(a, &mut queue);
        start(b, &mut queue);
    }
    if queue.is_empty()
        && let Some(name) = graph.names().next()
    {
        start(name, &mut queue);
    }
    let mut kept = BTreeSet::new();
    let mut n_edges = 0;
    while let Some(at) = queue.pop_front() {
        let into = adjacency.into.get(at as usize).unwrap_or_default();
        let around = adjacency.out[at as usize].iter().chain(into);
        n_edges += around.filter(|(next, _)| kept.contains(next)).count();
        if kept.len() == most || n_edges > MOST_EDGES {
            break;
        }
        kept.insert(at);
        for &(next, _) in adjacency.out[at as usize].iter().chain(into) {
            if !std::mem::replace(&mut seen[next as usize], true) {
                queue.push_back(next);
            }
        }
    }
    let name = |at: u32| graph.name(adjacency.nodes[at as usize]).clone();
    let mut part = if graph.is_directed() { Graph::directed() } else { Graph::undirected() };
    for &at in &kept {
        // A part of a graph is never larger than the graph.
        let _ = part.ensure_node(name(at));
    }
    for &(a, b, _) in &adjacency.edges {
        if !kept.contains(&a) || !kept.contains(&b) {
            continue;
        }
        let (source, target) = (name(a), name(b));
        if let Some(edge) = graph.edge(&source, &target) {
            let (weight, capacity) = (edge.weight, edge.capacity);
            let _ = part.apply(&graph::Delta::AddEdge { source, target, weight, capacity });
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use draw::Mark;

    #[test]
    fn what_is_marked_and_what_is_near_is_kept() {
        let mut graph = Graph::undirected();
        for i in 0..1000usize {
            graph.link_weighted(i, i + 1, i as f64).unwrap();
        }
        let marks = Marks { nodes: vec![(500usize.into(), Mark::Path, None)], ..Marks::default() };
        let part = neighbourhood(&graph, &marks, None, 11);
        let mut names: Vec<NodeName> = part.names().cloned().collect();
        names.sort();
        let around: Vec<NodeName> = (495..=505usize).map(NodeName::from).collect();
        assert_eq!(names, around);
        assert_eq!(part.n_edges(), 10);
        assert_eq!(part.edge(&500usize.into(), &501usize.into()).unwrap().weight, Some(500.0));
        let (a, b) = (NodeName::from(0usize), NodeName::from(1000usize));
        let ends = neighbourhood(&graph, &Marks::default(), Some((&a, &b)), 10);
        assert!(ends.has_node(&a) && ends.has_node(&b));
        assert_eq!(neighbourhood(&Graph::undirected(), &marks, None, 10).n_nodes(), 0);
    }

    #[test]
    fn of_a_dense_graph_fewer_nodes_are_kept() {
        let dense = graph::generators::gnp(300, 1.0, false, 1).unwrap();
        let part = neighbourhood(&dense, &Marks::default(), None, 200);
        // The nodes of a complete graph that have no more edges than are drawn.
        assert_eq!((part.n_nodes(), part.n_edges()), (63, 1_953));
        assert!(draw::is_drawn_whole(&part));
    }
}
