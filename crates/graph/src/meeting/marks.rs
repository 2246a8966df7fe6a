//! What a search notes of nodes, of which it may see few.

use rustc_hash::FxHashMap;

use crate::{Graph, NodeIdx};

/// Graphs of more places than this get a map: a list for all of them would take longer to make than
/// most searches from both ends take.
const DENSE: usize = 8192;

/// A value for each node, `none` until it is set.
pub(super) struct Marks<T> {
    none: T,
    list: Vec<T>,
    map: FxHashMap<NodeIdx, T>,
}

impl<T: Copy> Marks<T> {
    pub(super) fn new(graph: &Graph, none: T) -> Self {
        let bound = graph.node_bound();
        let list = if bound <= DENSE { vec![none; bound] } else { Vec::new() };
        Self { none, list, map: FxHashMap::default() }
    }

    pub(super) fn get(&self, node: NodeIdx) -> T {
        match self.list.get(node.index()) {
            Some(value) => *value,
            None => self.map.get(&node).copied().unwrap_or(self.none),
        }
    }

    pub(super) fn set(&mut self, node: NodeIdx, value: T) {
        match self.list.get_mut(node.index()) {
            Some(place) => *place = value,
            None => {
                self.map.insert(node, value);
            }
        }
    }
}
