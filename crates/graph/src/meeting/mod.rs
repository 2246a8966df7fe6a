//! A search from both ends, which sees little of a large graph.

mod marks;
mod weighted;

pub(crate) use weighted::least_weight;

use crate::search::NONE;
use crate::{Graph, NodeIdx};
use marks::Marks;

/// One end's half of the search.
struct Half {
    /// Edges from the end to each node; [`NONE`] where it has not come.
    depth: Marks<u32>,
    /// The nodes that are farthest.
    rim: Vec<NodeIdx>,
    radius: u32,
}

impl Half {
    fn new(graph: &Graph, end: NodeIdx) -> Self {
        let mut depth = Marks::new(graph, NONE);
        depth.set(end, 0);
        Self { depth, rim: vec![end], radius: 0 }
    }

    /// Goes one edge farther, and gives the nodes at which it met the other half.
    fn grow(&mut self, graph: &Graph, back: bool, other: &Self) -> Vec<NodeIdx> {
        let mut next = Vec::new();
        let mut met = Vec::new();
        self.radius += 1;
        for &u in &self.rim {
            graph.each_neighbor(u, back, |v| {
                if self.depth.get(v) == NONE {
                    self.depth.set(v, self.radius);
                    next.push(v);
                    if other.depth.get(v) != NONE {
                        met.push(v);
                    }
                }
            });
        }
        self.rim = next;
        met
    }
}

/// Where the searches from two ends met: in the midst of every path of fewest edges.
struct Meeting {
    from: Half,
    to: Half,
    nodes: Vec<NodeIdx>,
}

/// Searches from both ends, always where there is less to do, layer by layer.
fn meet(graph: &Graph, s: NodeIdx, t: NodeIdx) -> Option<Meeting> {
    let (mut from, mut to) = (Half::new(graph, s), Half::new(graph, t));
    if s == t {
        return Some(Meeting { from, to, nodes: vec![s] });
    }
    while !from.rim.is_empty() && !to.rim.is_empty() {
        let nodes = if from.rim.len() <= to.rim.len() {
            from.grow(graph, false, &to)
        } else {
            to.grow(graph, true, &from)
        };
        // The halves were apart before, so no path is shorter than the two radii together.
        if !nodes.is_empty() {
            return Some(Meeting { from, to, nodes });
        }
    }
    None
}

/// Whether there is a path. O(n + m), and mostly far less.
pub(crate) fn is_reachable(graph: &Graph, s: NodeIdx, t: NodeIdx) -> bool {
    meet(graph, s, t).is_some()
}

/// A path of fewest edges, of all of them the one that [`dijkstra`](crate::search::dijkstra) finds
/// where every edge counts 1: backwards from the end, always to the first node that will do.
/// O(n + m), and mostly far less.
pub(crate) fn fewest_edges(graph: &Graph, s: NodeIdx, t: NodeIdx) -> Option<Vec<NodeIdx>> {
    let Meeting { from, to, nodes } = meet(graph, s, t)?;
    // Which nodes behind the meeting lie on such a path: those that it leads to.
    let mut on_path = Marks::new(graph, false);
    let mut layer = nodes;
    for &v in &layer {
        on_path.set(v, true);
    }
    for depth in (0..to.radius).rev() {
        let mut next = Vec::new();
        for &u in &layer {
            graph.each_neighbor(u, false, |v| {
                if to.depth.get(v) == depth && !on_path.get(v) {
                    on_path.set(v, true);
                    next.push(v);
                }
            });
        }
        layer = next;
    }
    let mut path = vec![t];
    let mut at = t;
    let before = |at, fits: &dyn Fn(NodeIdx) -> bool| {
        let mut first: Option<NodeIdx> = None;
        graph.each_neighbor(at, true, |u| {
            if fits(u) && first.is_none_or(|f| u < f) {
                first = Some(u);
            }
        });
        first
    };
    for depth in 1..=to.radius {
        at = before(at, &|u| to.depth.get(u) == depth && on_path.get(u))?;
        path.push(at);
    }
    for depth in (0..from.radius).rev() {
        at = before(at, &|u| from.depth.get(u) == depth)?;
        path.push(at);
    }
    path.reverse();
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generators, search};

    /// Another search over another structure, which looks at everything.
    fn whole(graph: &Graph, s: NodeIdx, t: NodeIdx) -> Option<Vec<NodeIdx>> {
        let g = graph.adjacency();
        let path = search::dijkstra(&g, g.position(s), None).path_to(g.position(t))?;
        Some(g.places(&path))
    }

    #[test]
    fn it_is_the_path_that_a_search_of_everything_finds() {
        let mut n_paths = 0;
        for seed in 0..60 {
            for directed in [false, true] {
                let (n, m) = (4 + seed as usize % 30, 3 + seed as usize * 2 % 50);
                let m = m.min(n * (n - 1) / 2);
                let mut graph = generators::random_sparse(n, m, directed, seed).unwrap();
                // A place without a node, and a loop.
                let (gone, last) = (graph.name(1.into()).clone(), graph.name(2.into()).clone());
                graph.apply(&crate::Delta::RemoveNode { node: gone }).unwrap();
                graph.link(last.clone(), last).unwrap();
                let all: Vec<NodeIdx> = graph.indices().collect();
                for &s in &all {
                    for &t in &all {
                        let path = whole(&graph, s, t);
                        assert_eq!(is_reachable(&graph, s, t), path.is_some());
                        assert_eq!(fewest_edges(&graph, s, t), path, "seed {seed}: {s:?} {t:?}");
                        n_paths += usize::from(path.is_some());
                    }
                }
            }
        }
        assert!(n_paths > 10_000);
    }
}
