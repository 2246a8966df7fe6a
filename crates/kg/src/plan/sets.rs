//! Sets of nodes while a plan runs, bounded.

use std::collections::BTreeSet;

use crate::{Direction, EdgeTypeIx, Kg, NodeIx, NodeTypeIx};

/// The most edges of one step that are kept to be shown.
pub(super) const MAX_TRAIL: usize = 400;

/// An edge as it lies in the graph.
pub(super) type Edge = (NodeIx, EdgeTypeIx, NodeIx);

/// Edges that were followed; the first of them are kept.
#[derive(Default)]
pub(super) struct Trail {
    pub(super) edges: Vec<Edge>,
    pub(super) n: usize,
}

impl Trail {
    pub(super) fn add(&mut self, edge: Edge) {
        self.n += 1;
        if self.edges.len() < MAX_TRAIL {
            self.edges.push(edge);
        }
    }
}

/// The neighbours of all of some nodes, each once, in the order in which they are met.
pub(super) fn union(
    kg: &Kg,
    from: &[NodeIx],
    edge_type: EdgeTypeIx,
    way: Direction,
    trail: &mut Trail,
) -> Vec<NodeIx> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for node in from {
        let follow: &[Direction] = match way {
            Direction::Both => &[Direction::Out, Direction::In],
            Direction::Out => &[Direction::Out],
            Direction::In => &[Direction::In],
        };
        for way in follow {
            for other in kg.neighbors(*node, edge_type, *way) {
                trail.add(if *way == Direction::In {
                    (other, edge_type, *node)
                } else {
                    (*node, edge_type, other)
                });
                if seen.insert(other) {
                    found.push(other);
                }
            }
        }
    }
    found
}

/// What a search over several hops found.
pub(super) struct Reached {
    pub(super) nodes: Vec<NodeIx>,
    /// Whether the bound on hops or on visited nodes kept it from going on.
    pub(super) is_cut: bool,
}

/// The nodes of a type at the ends of paths of one to `max_hops` edges from one node: the nearest,
/// or all. The node itself is not among them. O(edges within the bound).
pub(super) fn reach(
    kg: &Kg,
    from: NodeIx,
    node_type: NodeTypeIx,
    way: Direction,
    (max_hops, nearest): (usize, bool),
    trail: &mut Trail,
) -> Reached {
    /// The most nodes that one search visits.
    const MAX_VISITED: usize = 200_000;
    let mut parent: rustc_hash::FxHashMap<NodeIx, Option<Edge>> = rustc_hash::FxHashMap::default();
    parent.insert(from, None);
    let mut front = vec![from];
    let mut nodes = Vec::new();
    let mut is_cut = false;
    for _ in 0..max_hops {
        let mut next = Vec::new();
        for node in &front {
            for (edge_type, way, other) in kg.edges_of(*node, way) {
                if parent.len() >= MAX_VISITED {
                    is_cut = true;
                    break;
                }
                parent.entry(other).or_insert_with(|| {
                    next.push(other);
                    Some(if way == Direction::In {
                        (other, edge_type, *node)
                    } else {
                        (*node, edge_type, other)
                    })
                });
            }
        }
        nodes.extend(next.iter().copied().filter(|n| kg.node_type(*n) == node_type));
        front = next;
        if front.is_empty() || (nearest && !nodes.is_empty()) {
            break;
        }
    }
    let stopped = !front.is_empty() && (!nearest || nodes.is_empty());
    for node in &nodes {
        let mut at = *node;
        while let Some(Some(edge)) = parent.get(&at) {
            trail.add(*edge);
            at = if edge.0 == at { edge.2 } else { edge.0 };
        }
    }
    Reached { nodes, is_cut: is_cut || stopped }
}

/// A path with fewest edges, any types, between two sets; empty if there is none.
pub(super) fn path(kg: &Kg, from: &[NodeIx], to: &[NodeIx], trail: &mut Trail) -> Vec<NodeIx> {
    let targets: BTreeSet<NodeIx> = to.iter().copied().collect();
    let mut parent: rustc_hash::FxHashMap<NodeIx, Option<Edge>> =
        from.iter().map(|n| (*n, None)).collect();
    let mut front: std::collections::VecDeque<NodeIx> = from.iter().copied().collect();
    let mut end = from.iter().copied().find(|n| targets.contains(n));
    'search: while let (None, Some(node)) = (end, front.pop_front()) {
        for (edge_type, way, other) in kg.edges_of(node, Direction::Both) {
            if parent.contains_key(&other) {
                continue;
            }
            let is_in = way == Direction::In;
            let edge = if is_in { (other, edge_type, node) } else { (node, edge_type, other) };
            parent.insert(other, Some(edge));
            if targets.contains(&other) {
                end = Some(other);
                break 'search;
            }
            front.push_back(other);
        }
    }
    let Some(mut at) = end else { return Vec::new() };
    let mut nodes = vec![at];
    while let Some(Some(edge)) = parent.get(&at) {
        trail.add(*edge);
        at = if edge.0 == at { edge.2 } else { edge.0 };
        nodes.push(at);
    }
    nodes.reverse();
    nodes
}
