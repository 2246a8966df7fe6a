//! A list of neighbours for each node, in one piece of memory.

use std::ops::Index;

/// For each node the `(neighbour, edge)` pairs at it.
///
/// One vector for all nodes and one with the borders between them: a graph of twenty nodes takes
/// two allocations and not twenty, and allocating is what costs most in a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Where the row of each node begins, and where the last one ends; empty if there are no rows.
    starts: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

/// Which ends of the edges have rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Out,
    Into,
    Both,
}

impl Rows {
    /// Rows for nodes `0..n` from `(source, target, weight)` edges, in their order: at each source
    /// its targets, at each target its sources, or both (a loop once).
    ///
    /// Goes over the edges twice, to count and to fill.
    pub(crate) fn new(n: usize, edges: &[(u32, u32, f64)], side: Side) -> Self {
        let (forth, back) = (side != Side::Into, side != Side::Out);
        let loops = side == Side::Into;
        // Shifted by two places, so that counting, adding up and filling leave the starts in place.
        let mut starts = vec![0u32; n + 2];
        for &(a, b, _) in edges {
            if forth {
                starts[a as usize + 2] += 1;
            }
            if back && (loops || a != b) {
                starts[b as usize + 2] += 1;
            }
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut pairs = vec![(0, 0); end as usize];
        let mut put = |at: u32, other: u32, edge: u32| {
            let free = &mut starts[at as usize + 1];
            pairs[*free as usize] = (other, edge);
            *free += 1;
        };
        for (e, &(a, b, _)) in (0u32..).zip(edges) {
            if forth {
                put(a, b, e);
            }
            if back && (loops || a != b) {
                put(b, a, e);
            }
        }
        starts.pop();
        Self { starts, pairs }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of a node; `None` if there is none for it.
    pub fn get(&self, node: usize) -> Option<&[(u32, u32)]> {
        let (start, end) = (*self.starts.get(node)?, *self.starts.get(node + 1)?);
        self.pairs.get(start as usize..end as usize)
    }

    /// All rows, in the order of the nodes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[(u32, u32)]> + Clone {
        self.starts.windows(2).map(|w| &self.pairs[w[0] as usize..w[1] as usize])
    }
}

impl Index<usize> for Rows {
    type Output = [(u32, u32)];

    fn index(&self, node: usize) -> &Self::Output {
        &self.pairs[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_the_order_in_which_their_pairs_came() {
        let edges = [(2, 0, 1.0), (2, 1, 1.0), (0, 1, 1.0), (1, 1, 1.0)];
        let all = |side| -> Vec<Vec<(u32, u32)>> {
            Rows::new(4, &edges, side).iter().map(<[_]>::to_vec).collect()
        };
        assert_eq!(all(Side::Out), [vec![(1, 2)], vec![(1, 3)], vec![(0, 0), (1, 1)], vec![]]);
        assert_eq!(all(Side::Into), [vec![(2, 0)], vec![(2, 1), (0, 2), (1, 3)], vec![], vec![]]);
        assert_eq!(
            all(Side::Both),
            [vec![(2, 0), (1, 2)], vec![(2, 1), (0, 2), (1, 3)], vec![(0, 0), (1, 1)], vec![]]
        );
        let rows = Rows::new(4, &edges, Side::Both);
        assert_eq!((rows.len(), rows.get(2), rows.get(4)), (4, Some(&rows[2]), None));
        assert!(Rows::default().is_empty() && Rows::default().get(0).is_none());
    }
}
