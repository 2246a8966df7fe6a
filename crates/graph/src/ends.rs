//! Finds an edge by its ends.

use petgraph::stable_graph::EdgeIndex;
use rustc_hash::FxHashMap;

use crate::NodeIdx;

/// Pairs of nodes whose places are both below this are looked up in a table.
const SMALL: usize = 64;
/// No edge, in the table.
const NONE: u32 = u32::MAX;

/// The edge between each pair of nodes.
///
/// Most graphs here have some thirty nodes. For them a table of all pairs is a few kilobytes and is
/// filled several times faster than a hash map, which has to grow and to hash anew. Pairs of later
/// nodes go to the map, so a large graph costs no more than the small table beside it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    table: Vec<u32>,
    map: FxHashMap<(NodeIdx, NodeIdx), EdgeIndex<u32>>,
}

impl Ends {
    /// With room for the pairs of so many nodes, and as many edges.
    pub(crate) fn with_capacity(nodes: usize, edges: usize) -> Self {
        let side = nodes.min(SMALL);
        let mut map = FxHashMap::default();
        if nodes > SMALL {
            map.reserve(edges);
        }
        Self { table: vec![NONE; side * side], map }
    }

    /// The cell of a pair. All pairs of the first k nodes come before those of the next one, so the
    /// table grows at its end and no cell moves.
    fn cell((a, b): (NodeIdx, NodeIdx)) -> Option<usize> {
        let (a, b) = (a.index(), b.index());
        let last = a.max(b);
        let within = if a == last { b } else { last + 1 + a };
        (last < SMALL).then_some(last * last + within)
    }

    pub(crate) fn get(&self, pair: (NodeIdx, NodeIdx)) -> Option<EdgeIndex<u32>> {
        match Self::cell(pair) {
            Some(cell) => self.table.get(cell).filter(|e| **e != NONE).map(|e| EdgeIndex::from(*e)),
            None => self.map.get(&pair).copied(),
        }
    }

    pub(crate) fn insert(&mut self, pair: (NodeIdx, NodeIdx), edge: EdgeIndex<u32>) {
        let Some(cell) = Self::cell(pair) else {
            self.map.insert(pair, edge);
            return;
        };
        if cell >= self.table.len() {
            let side = pair.0.index().max(pair.1.index()) + 1;
            self.table.resize(side * side, NONE);
        }
        self.table[cell] = edge.index() as u32;
    }

    pub(crate) fn remove(&mut self, pair: (NodeIdx, NodeIdx)) -> Option<EdgeIndex<u32>> {
        let Some(cell) = Self::cell(pair) else { return self.map.remove(&pair) };
        let edge = std::mem::replace(self.table.get_mut(cell)?, NONE);
        (edge != NONE).then(|| EdgeIndex::from(edge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_a_place_of_its_own_in_the_table_and_beyond() {
        let mut ends = Ends::default();
        let pairs: Vec<(NodeIdx, NodeIdx)> =
            (0..70u32).flat_map(|a| (0..70u32).map(move |b| (a.into(), b.into()))).collect();
        for (i, pair) in pairs.iter().enumerate() {
            assert_eq!(ends.get(*pair), None);
            ends.insert(*pair, EdgeIndex::new(i));
        }
        for (i, pair) in pairs.iter().enumerate() {
            assert_eq!(ends.get(*pair), Some(EdgeIndex::new(i)));
            assert_eq!(ends.remove(*pair), Some(EdgeIndex::new(i)));
            assert_eq!(ends.remove(*pair), None);
        }
        assert_eq!(ends.table.len(), SMALL * SMALL);
    }
}
