//! The same with weights: Dijkstra's search from both ends.

use std::collections::BinaryHeap;

use super::marks::Marks;
use crate::search::Nearest;
use crate::{Graph, NodeIdx};

/// One end's half of the search.
struct Half {
    distance: Marks<f64>,
    is_settled: Marks<bool>,
    heap: BinaryHeap<Nearest>,
}

impl Half {
    fn new(graph: &Graph, end: NodeIdx) -> Self {
        let mut distance = Marks::new(graph, f64::INFINITY);
        distance.set(end, 0.0);
        let heap = BinaryHeap::from([Nearest(0.0, end.index() as u32)]);
        Self { distance, is_settled: Marks::new(graph, false), heap }
    }

    /// The distance of the next node; infinite where there is none.
    fn next(&mut self) -> f64 {
        while let Some(&Nearest(distance, u)) = self.heap.peek() {
            if !self.is_settled.get(u.into()) {
                return distance;
            }
            self.heap.pop();
        }
        f64::INFINITY
    }

    /// Settles the next node; gives the least weight of a path through it into the other half.
    fn settle(&mut self, graph: &Graph, back: bool, other: &Self) -> f64 {
        let mut best = f64::INFINITY;
        let Some(Nearest(distance, u)) = self.heap.pop() else { return best };
        self.is_settled.set(u.into(), true);
        graph.each_arc(u.into(), back, |v, weight| {
            let through = distance + weight;
            if through < self.distance.get(v) {
                self.distance.set(v, through);
                self.heap.push(Nearest(through, v.index() as u32));
            }
            best = best.min(through + other.distance.get(v));
        });
        best
    }
}

/// A path of least weight where no weight is negative, and its weight: of all of them the one that
/// [`dijkstra`](crate::search::dijkstra) finds. O((n + m) log n), and mostly far less.
///
/// First from both ends, to know the least weight and what is left from the nodes near the end.
/// Then once more from the start alone, past no node that cannot lie on a best path: that keeps the
/// order in which nodes are settled, and so the choice between equal paths.
pub(crate) fn least_weight(graph: &Graph, s: NodeIdx, t: NodeIdx) -> Option<(Vec<NodeIdx>, f64)> {
    if s == t {
        return Some((vec![s], 0.0));
    }
    let (mut from, mut to) = (Half::new(graph, s), Half::new(graph, t));
    let mut best = f64::INFINITY;
    loop {
        let (near, far) = (from.next(), to.next());
        // Nothing that is still to come can be better; and nothing comes if one side is at its end.
        if near + far >= best || near.is_infinite() || far.is_infinite() {
            break;
        }
        let found = if near <= far {
            from.settle(graph, false, &to)
        } else {
            to.settle(graph, true, &from)
        };
        best = best.min(found);
    }
    if best.is_infinite() {
        return None;
    }
    // The same sum made from another end may differ in its last digits.
    let limit = best + 1e-9 * (1.0 + best);
    let far = to.next();
    let left = |v| if to.is_settled.get(v) { to.distance.get(v) } else { far };
    let mut distance = Marks::new(graph, f64::INFINITY);
    let mut parent = Marks::new(graph, s);
    distance.set(s, 0.0);
    let mut heap = BinaryHeap::from([Nearest(0.0, s.index() as u32)]);
    while let Some(Nearest(reached, u)) = heap.pop() {
        let u = NodeIdx::from(u);
        if reached > distance.get(u) {
            continue;
        }
        if u == t {
            break;
        }
        graph.each_arc(u, false, |v, weight| {
            let through = reached + weight;
            if through < distance.get(v) && through + left(v) <= limit {
                distance.set(v, through);
                parent.set(v, u);
                heap.push(Nearest(through, v.index() as u32));
            }
        });
    }
    let mut path = vec![t];
    let mut at = t;
    while at != s {
        at = parent.get(at);
        path.push(at);
    }
    path.reverse();
    Some((path, distance.get(t)))
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _};

    use super::*;
    use crate::{generators, search};

    #[test]
    fn it_is_the_path_that_a_search_of_everything_finds() {
        let mut n_paths = 0;
        for seed in 0..120 {
            let directed = seed % 2 == 0;
            let n = 4 + seed as usize % 40;
            let m = (3 + seed as usize * 2 % 90).min(n * (n - 1) / 2);
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let bare = generators::random_sparse(n, m, directed, seed).unwrap();
            let mut graph = Graph::with_capacity(directed, n, m);
            for name in bare.names() {
                graph.ensure_node(name.clone()).unwrap();
            }
            for (a, b) in bare.ends() {
                // Whole numbers with many equal sums and zeros, and tenths that do not add up.
                let weight = match seed % 3 {
                    0 => f64::from(rng.random_range(0..3)),
                    1 => f64::from(rng.random_range(0..9)) / 10.0,
                    _ => rng.random_range(0.0..1.0),
                };
                graph.link_places(a, b, Some(weight), None).unwrap();
            }
            let g = graph.adjacency();
            for s in graph.indices() {
                let reach = search::dijkstra(&g, g.position(s), None);
                for t in graph.indices() {
                    let whole = reach.path_to(g.position(t)).map(|path| g.places(&path));
                    let found = least_weight(&graph, s, t);
                    let weight = found.as_ref().map_or(f64::INFINITY, |f| f.1);
                    assert_eq!(weight, reach.distance[g.position(t) as usize], "seed {seed}");
                    assert_eq!(found.map(|f| f.0), whole, "seed {seed}: {s:?} {t:?}");
                    n_paths += usize::from(weight.is_finite());
                }
            }
        }
        assert!(n_paths > 10_000);
    }

    #[test]
    fn a_map_notes_what_a_list_notes() {
        let large = generators::random_sparse(9000, 30_000, false, 5).unwrap();
        let g = large.adjacency();
        let reach = search::dijkstra(&g, 0, None);
        for t in (0..9000u32).step_by(90) {
            let found = least_weight(&large, 0.into(), t.into()).map(|f| f.0);
            let unweighted = super::super::fewest_edges(&large, 0.into(), t.into());
            let whole = reach.path_to(t).map(|path| g.places(&path));
            assert_eq!((&found, &unweighted), (&whole, &whole), "{t}");
        }
    }
}
