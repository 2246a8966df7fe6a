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

impl Rows {
    /// Rows for nodes `0..n` from `(node, neighbour, edge)`, in the order in which these come.
    ///
    /// Goes over the items twice: once to count, once to fill.
    pub(crate) fn new(n: usize, items: impl Iterator<Item = (u32, u32, u32)> + Clone) -> Self {
        // Shifted by two places, so that counting, adding up and filling leave the starts in place.
        let mut starts = vec![0u32; n + 2];
        for (at, _, _) in items.clone() {
            starts[at as usize + 2] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut pairs = vec![(0, 0); end as usize];
        for (at, other, edge) in items {
            let free = &mut starts[at as usize + 1];
            pairs[*free as usize] = (other, edge);
            *free += 1;
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
        let items = [(2, 0, 0), (0, 2, 0), (2, 1, 1), (0, 1, 2)];
        let rows = Rows::new(4, items.into_iter());
        let all: Vec<&[(u32, u32)]> = rows.iter().collect();
        assert_eq!(all, [&[(2, 0), (1, 2)][..], &[], &[(0, 0), (1, 1)], &[]]);
        assert_eq!((rows.len(), rows.get(2), rows.get(4)), (4, Some(&rows[2]), None));
        assert!(Rows::default().is_empty() && Rows::default().get(0).is_none());
    }
}
