//! Layouts: where the nodes of a graph are put.

use std::f64::consts::TAU;

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use crate::places::{Places, Point, SPACING, free_spot};
use crate::{Marks, Scene, force, layered};

/// How nodes are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutKind {
    /// On a circle, in the order they came.
    Circle,
    /// Distances on paper like distances in the graph.
    Force,
    /// Two columns, one for each side of a bipartite graph.
    Columns,
    /// One row of layers from left to right, for a graph without directed cycles.
    Layers,
}

impl LayoutKind {
    /// All kinds, with their names for people.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Force, "Force"),
        (Self::Circle, "Circle"),
        (Self::Columns, "Columns"),
        (Self::Layers, "Layers"),
    ];
}

/// The layout that shows a graph best.
///
/// Columns where the names say so (applicants `a0` and jobs `j0`), layers for a sparse graph
/// without directed cycles, a circle for a dense one, distances otherwise.
pub fn suited(graph: &Graph) -> LayoutKind {
    let n = graph.n_nodes();
    if n >= 2 && graph.names().all(|name| sided(name).is_some()) {
        return LayoutKind::Columns;
    }
    if graph.is_directed()
        && graph.n_edges() <= 2 * n
        && layered::layers(graph).is_some_and(|l| l.len() >= 2 && l.len() <= 8)
    {
        return LayoutKind::Layers;
    }
    if graph.n_edges() > 3 * n { LayoutKind::Circle } else { LayoutKind::Force }
}

/// The side that a name like `a3` or `j3` says.
pub(crate) fn sided(name: &NodeName) -> Option<(u8, u32)> {
    let NodeName::Text(text) = name else { return None };
    let (letter, number) = text.split_at_checked(1)?;
    let side = match letter {
        "a" => 0,
        "j" => 1,
        _ => return None,
    };
    Some((side, number.parse().ok()?))
}

/// Places the nodes of a graph. A node that has a place in `before` keeps it.
///
/// The same graph, kind, seed and places give the same result, bit for bit on one platform.
///
/// # Complexity
/// O(n²) for `Force`, O(n + m) otherwise, a few sweeps each.
pub fn layout(graph: &Graph, kind: LayoutKind, seed: u64, before: &Places) -> Places {
    let names: Vec<&NodeName> = graph.names().collect();
    let fresh = names.iter().all(|n| before.get(n).is_none());
    let wanted: Vec<Point> = match kind {
        LayoutKind::Circle => circle(graph),
        LayoutKind::Force => force::places(graph, seed),
        LayoutKind::Columns => columns(graph),
        LayoutKind::Layers => layered::places(graph).unwrap_or_else(|| circle(graph)),
    };
    let mut places = Places::default();
    if fresh {
        for (name, at) in names.into_iter().zip(wanted) {
            places.set(name.clone(), at);
        }
        return roomy(graph, places);
    }
    let mut taken: Vec<Point> = names.iter().filter_map(|n| before.get(n)).collect();
    for (name, at) in names.into_iter().zip(wanted) {
        let at = before.get(name).unwrap_or_else(|| {
            let near = beside_neighbours(graph, name, before).unwrap_or(at);
            let free = free_spot(near, &taken);
            taken.push(free);
            free
        });
        places.set(name.clone(), at);
    }
    places
}

/// The most nodes and edges of a graph whose words are given room.
const MOST_ROOMY: (usize, usize) = (40, 90);

/// The same places further apart, where words would cover each other: the drawing is wider, and its
/// words stay as large.
fn roomy(graph: &Graph, places: Places) -> Places {
    if graph.n_nodes() > MOST_ROOMY.0 || graph.n_edges() > MOST_ROOMY.1 {
        return places;
    }
    let wider = |by: f64| -> Places {
        let all = places.iter().map(|(name, at)| (name.clone(), at.times(by)));
        all.collect::<Vec<_>>().into()
    };
    let covered = |places: &Places| Scene::new(graph, places, &Marks::default()).n_faults();
    let mut best = (usize::MAX, places.clone());
    for by in [1.0, 1.15, 1.3, 1.5, 1.75, 2.0] {
        let places = wider(by);
        let n = covered(&places);
        if n < best.0 {
            best = (n, places);
        }
        if n == 0 {
            break;
        }
    }
    best.1
}

fn beside_neighbours(graph: &Graph, name: &NodeName, before: &Places) -> Option<Point> {
    let mut sum = Point::default();
    let mut count = 0.0;
    for edge in graph.edges() {
        let other = if edge.source == name {
            edge.target
        } else if edge.target == name {
            edge.source
        } else {
            continue;
        };
        if let Some(at) = before.get(other) {
            sum = Point { x: sum.x + at.x, y: sum.y + at.y };
            count += 1.0;
        }
    }
    (count > 0.0).then(|| Point { x: sum.x / count, y: sum.y / count })
}

/// A circle, starting at the top. A directed graph without cycles goes round in topological order.
fn circle(graph: &Graph) -> Vec<Point> {
    let n = graph.n_nodes();
    let order: Vec<usize> = layered::order(graph).unwrap_or_else(|| by_name(graph));
    let radius = (SPACING * n as f64 / TAU).max(SPACING * 0.9) * 0.9;
    let mut places = vec![Point::default(); n];
    if n == 1 {
        return places;
    }
    for (slot, node) in order.into_iter().enumerate() {
        let angle = TAU * slot as f64 / n as f64 - TAU / 4.0;
        places[node] = Point { x: radius * angle.cos(), y: radius * angle.sin() };
    }
    places
}

fn by_name(graph: &Graph) -> Vec<usize> {
    let names: Vec<&NodeName> = graph.names().collect();
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&i| names[i]);
    order
}

/// Two columns by the sides that the names say, else by a two-colouring, else everything left.
fn columns(graph: &Graph) -> Vec<Point> {
    let names: Vec<&NodeName> = graph.names().collect();
    let by_colour = two_colours(graph);
    let side = |i: usize| sided(names[i]).map_or(by_colour[i], |(s, _)| s);
    let mut places = vec![Point::default(); names.len()];
    let mut order = by_name(graph);
    order.sort_by_key(|&i| sided(names[i]).map(|(_, number)| number));
    for column in 0..2 {
        let members: Vec<usize> = order.iter().copied().filter(|&i| side(i) == column).collect();
        let height = SPACING * 0.72 * (members.len().saturating_sub(1)) as f64;
        for (row, &i) in members.iter().enumerate() {
            places[i] = Point {
                x: f64::from(column) * SPACING * 3.2,
                y: SPACING * 0.72 * row as f64 - height / 2.0,
            };
        }
    }
    places
}

fn two_colours(graph: &Graph) -> Vec<u8> {
    let adjacency = graph.adjacency();
    let mut colour = vec![u8::MAX; adjacency.n_nodes()];
    for start in 0..adjacency.n_nodes() {
        if colour[start] != u8::MAX {
            continue;
        }
        colour[start] = 0;
        let mut stack = vec![start];
        while let Some(u) = stack.pop() {
            let into = adjacency.into.get(u).unwrap_or_default();
            for &(v, _) in adjacency.out[u].iter().chain(into) {
                if colour[v as usize] == u8::MAX {
                    colour[v as usize] = 1 - colour[u];
                    stack.push(v as usize);
                }
            }
        }
    }
    colour
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn arbitrary_graph() -> impl Strategy<Value = Graph> {
        (any::<bool>(), 1usize..20, proptest::collection::vec((0usize..20, 0usize..20), 0..60))
            .prop_map(|(directed, n, edges)| {
                let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
                for i in 0..n {
                    graph.ensure_node(i).unwrap();
                }
                for (a, b) in edges {
                    graph.link(a % n, b % n).unwrap();
                }
                graph
            })
    }

    proptest! {
        #[test]
        fn every_node_has_a_place_of_its_own(graph in arbitrary_graph(), seed: u64) {
            for (kind, _) in LayoutKind::ALL {
                let places = layout(&graph, kind, seed, &Places::default());
                let all: Vec<Point> = graph.names().map(|n| places.get(n).unwrap()).collect();
                for (i, a) in all.iter().enumerate() {
                    prop_assert!(a.x.is_finite() && a.y.is_finite());
                    for b in &all[..i] {
                        prop_assert!(a.distance(*b) > 36.0, "{kind:?}: {a:?} on {b:?}");
                    }
                }
                let again = layout(&graph, kind, seed, &Places::default());
                prop_assert_eq!(again, places);
            }
        }

        #[test]
        fn a_node_that_stands_never_jumps(graph in arbitrary_graph(), seed: u64) {
            let mut before = layout(&graph, suited(&graph), seed, &Places::default());
            let mut grown = graph.clone();
            for extra in ["x", "y", "z"] {
                grown.link(0usize, extra).unwrap();
                let after = layout(&grown, suited(&grown), seed, &before);
                for (name, at) in before.iter() {
                    prop_assert_eq!(after.get(name), Some(at));
                }
                before = after;
            }
        }
    }

    #[test]
    fn applicants_and_jobs_stand_in_columns() {
        let mut graph = Graph::undirected();
        for (a, j) in [("a0", "j1"), ("a1", "j0"), ("a1", "j1")] {
            graph.link(a, j).unwrap();
        }
        assert_eq!(suited(&graph), LayoutKind::Columns);
        let places = layout(&graph, LayoutKind::Columns, 0, &Places::default());
        let x = |name: &str| places.get(&name.into()).unwrap().x;
        assert_eq!((x("a0"), x("j0")), (x("a1"), x("j1")));
        assert!(x("a0") < x("j0"));
    }
}
