//! Who is joined to whom, by numbers.

/// A graph as lists of neighbours: no names, no directions, no loops, each edge once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Neighbours {
    /// The links of nodes `0..n` with these edges. An edge to a node that is not there is left out.
    ///
    /// O(n + m log m).
    pub fn new(n: usize, edges: &[(u32, u32)]) -> Self {
        let mut both: Vec<(u32, u32)> = Vec::with_capacity(2 * edges.len());
        for &(a, b) in edges {
            if a != b && (a.max(b) as usize) < n {
                both.extend([(a, b), (b, a)]);
            }
        }
        both.sort_unstable();
        both.dedup();
        let mut starts = vec![0u32; n + 1];
        for &(a, _) in &both {
            starts[a as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        Self { starts, ends: both.into_iter().map(|(_, b)| b).collect() }
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.ends.len() / 2
    }

    /// The neighbours of a node, in their order; none of a node that is not there.
    pub fn of(&self, node: usize) -> &[u32] {
        let border = |at: usize| self.starts.get(at).map_or(self.ends.len(), |&s| s as usize);
        self.ends.get(border(node)..border(node + 1)).unwrap_or_default()
    }

    /// The connected component of each node: the largest is 0. Those of one size stand in the order
    /// of their first nodes.
    ///
    /// O(n + m).
    pub fn components(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let n = self.n_nodes();
        let mut found = vec![NONE; n];
        let mut sizes: Vec<u32> = Vec::new();
        let mut queue = Vec::new();
        for start in 0..n {
            if found[start] != NONE {
                continue;
            }
            let own = sizes.len() as u32;
            found[start] = own;
            queue.push(start as u32);
            let mut size = 0;
            while let Some(u) = queue.pop() {
                size += 1;
                for &v in self.of(u as usize) {
                    if found[v as usize] == NONE {
                        found[v as usize] = own;
                        queue.push(v);
                    }
                }
            }
            sizes.push(size);
        }
        let mut order: Vec<u32> = (0..sizes.len() as u32).collect();
        order.sort_by_key(|&c| std::cmp::Reverse(sizes[c as usize]));
        let mut rank = vec![0; sizes.len()];
        for (place, &c) in (0u32..).zip(&order) {
            rank[c as usize] = place;
        }
        found.into_iter().map(|c| rank[c as usize]).collect()
    }

    /// The distances from a node in edges, written over what `into` holds; [`u32::MAX`] where no path
    /// leads. `queue` is memory that the next search uses again.
    ///
    /// O(n + m).
    pub(super) fn distances(&self, from: u32, into: &mut Vec<u32>, queue: &mut Vec<u32>) {
        into.clear();
        into.resize(self.n_nodes(), u32::MAX);
        queue.clear();
        queue.push(from);
        into[from as usize] = 0;
        let mut next = 0;
        while let Some(&u) = queue.get(next) {
            next += 1;
            let further = into[u as usize] + 1;
            for &v in self.of(u as usize) {
                if into[v as usize] == u32::MAX {
                    into[v as usize] = further;
                    queue.push(v);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_counts_once_and_a_loop_not_at_all() {
        let links = Neighbours::new(4, &[(0, 1), (1, 0), (2, 2), (3, 1), (7, 0)]);
        assert_eq!((links.n_nodes(), links.n_edges()), (4, 2));
        assert_eq!(links.of(1), [0, 3]);
        assert_eq!((links.of(2), links.of(9)), (&[][..], &[][..]));
        assert_eq!(links.components(), [0, 0, 1, 0]);
        assert!(Neighbours::new(0, &[]).components().is_empty());
    }

    #[test]
    fn the_largest_component_is_the_first() {
        let links = Neighbours::new(6, &[(1, 2), (3, 4), (4, 5)]);
        assert_eq!(links.components(), [2, 1, 1, 0, 0, 0]);
    }
}
