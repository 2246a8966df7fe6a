//! Small fixed graphs for the examples of the functions.

use crate::Graph;

// The edges are constants of the examples, so adding them cannot fail; a test calls every example.

pub(super) fn undirected(edges: &[(usize, usize)]) -> Graph {
    let mut graph = Graph::undirected();
    for &(a, b) in edges {
        let _ = graph.link(a, b);
    }
    graph
}

pub(super) fn directed(edges: &[(usize, usize)]) -> Graph {
    let mut graph = Graph::directed();
    for &(a, b) in edges {
        let _ = graph.link(a, b);
    }
    graph
}

pub(super) fn weighted(edges: &[(usize, usize, f64)]) -> Graph {
    let mut graph = Graph::undirected();
    for &(a, b, w) in edges {
        let _ = graph.link_weighted(a, b, w);
    }
    graph
}

pub(super) fn network(edges: &[(usize, usize, f64)]) -> Graph {
    let mut graph = Graph::directed();
    for &(a, b, c) in edges {
        let _ = graph.link_capacity(a, b, c);
    }
    graph
}
