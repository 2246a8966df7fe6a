//! Cheapest assignments, with the prices that prove them.

/// A cheapest assignment of rows to different columns, of which there are at least as many.
///
/// Kept from call to call so that a search over many small tables allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Assignment {
    n_columns: usize,
    /// By row, then column.
    pub(super) costs: Vec<i32>,
    rows: Vec<i32>,
    columns: Vec<i32>,
    /// By column the row that has it, by one more; 0 for none. The column before the first is for the
    /// row that looks for one.
    taken: Vec<usize>,
    least: Vec<i32>,
    way: Vec<usize>,
    used: Vec<bool>,
    pub(super) total: i32,
}

impl Assignment {
    /// Makes room for a table of so many columns, to be filled row by row.
    pub(super) fn clear(&mut self, n_columns: usize) {
        self.n_columns = n_columns;
        self.costs.clear();
    }

    /// Finds the cheapest assignment by shortest augmenting paths (Kuhn's Hungarian method in the form of
    /// Jonker and Volgenant), and adds to `steps` how many places of the table it looked at.
    ///
    /// # Complexity
    /// O(rows² · columns).
    pub(super) fn solve(&mut self, steps: &mut u64) {
        let m = self.n_columns;
        let n = self.costs.len().checked_div(m).unwrap_or(0);
        let refill = |list: &mut Vec<i32>, n: usize| {
            list.clear();
            list.resize(n + 1, 0);
        };
        refill(&mut self.rows, n);
        refill(&mut self.columns, m);
        refill(&mut self.least, m);
        self.taken.clear();
        self.taken.resize(m + 1, 0);
        self.way.resize(m + 1, 0);
        self.used.resize(m + 1, false);
        for row in 1..=n {
            self.taken[0] = row;
            self.least.fill(i32::MAX);
            self.used.fill(false);
            let mut at = 0;
            while self.taken[at] != 0 {
                self.used[at] = true;
                let i = self.taken[at];
                let costs = &self.costs[(i - 1) * m..i * m];
                let (mut delta, mut next) = (i32::MAX, 0);
                *steps += m as u64;
                for j in 1..=m {
                    if self.used[j] {
                        continue;
                    }
                    let reduced = costs[j - 1] - self.rows[i] - self.columns[j];
                    if reduced < self.least[j] {
                        (self.least[j], self.way[j]) = (reduced, at);
                    }
                    if self.least[j] < delta {
                        (delta, next) = (self.least[j], j);
                    }
                }
                for j in 0..=m {
                    if self.used[j] {
                        self.rows[self.taken[j]] += delta;
                        self.columns[j] -= delta;
                    } else if j > 0 {
                        self.least[j] -= delta;
                    }
                }
                at = next;
            }
            while at != 0 {
                let before = self.way[at];
                self.taken[at] = self.taken[before];
                at = before;
            }
        }
        self.total = (1..=m)
            .filter(|j| self.taken[*j] != 0)
            .map(|j| self.costs[(self.taken[j] - 1) * m + j - 1])
            .sum();
    }

    /// How much more than the cheapest an assignment costs at least that gives a row a column.
    pub(super) fn more(&self, row: usize, column: usize) -> i32 {
        self.costs[row * self.n_columns + column] - self.rows[row + 1] - self.columns[column + 1]
    }

    /// Each row with its column.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let columns = self.taken.iter().enumerate().skip(1);
        columns.filter(|(_, row)| **row != 0).map(|(j, row)| (row - 1, j - 1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The least sum by trying every choice.
    fn least(costs: &[Vec<i32>], row: usize, free: &mut Vec<bool>) -> i32 {
        let Some(own) = costs.get(row) else { return 0 };
        let mut best = i32::MAX;
        for j in 0..own.len() {
            if free[j] {
                free[j] = false;
                best = best.min(own[j] + least(costs, row + 1, free));
                free[j] = true;
            }
        }
        best
    }

    proptest! {
        #[test]
        fn it_is_the_cheapest_and_says_what_others_cost(
            (n, m, costs) in (0..5_usize, 0..3_usize).prop_flat_map(|(n, more)| {
                let m = n + more;
                (Just(n), Just(m), prop::collection::vec(prop::collection::vec(-9..9_i32, m), n))
            }),
        ) {
            let mut assignment = Assignment::default();
            assignment.clear(m);
            costs.iter().for_each(|row| assignment.costs.extend(row));
            assignment.solve(&mut 0);
            prop_assert_eq!(assignment.total, least(&costs, 0, &mut vec![true; m]));
            let pairs: Vec<(usize, usize)> = assignment.pairs().collect();
            prop_assert_eq!(pairs.len(), n);
            prop_assert_eq!(pairs.iter().map(|(i, j)| costs[*i][*j]).sum::<i32>(), assignment.total);
            for i in 0..n {
                for j in 0..m {
                    // With the others of its row out of reach the row has to take the column.
                    let mut forced = costs.clone();
                    (0..m).filter(|k| *k != j).for_each(|k| forced[i][k] = 1_000);
                    let right = least(&forced, 0, &mut vec![true; m]);
                    prop_assert!(assignment.total + assignment.more(i, j) <= right);
                }
            }
        }
    }
}
