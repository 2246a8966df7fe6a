//! Which node is under the pointer.

use draw::whole::Spot;

use super::camera::bounds;

/// Places in the cells of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nearest {
    low: (f64, f64),
    /// The width of a cell.
    cell: f64,
    columns: usize,
    rows: usize,
    /// Where the nodes of each cell begin in `nodes`.
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

/// Nodes in a cell, about.
const IN_A_CELL: f64 = 4.0;

impl Nearest {
    /// The grid of these places. O(n).
    pub fn new(at: &[Spot]) -> Self {
        let (low, high) = bounds(at);
        let (width, height) = ((high.0 - low.0).max(1e-3), (high.1 - low.1).max(1e-3));
        let cell = (width * height * IN_A_CELL / at.len().max(1) as f64).sqrt();
        // A row of nodes has no height.
        let cell = cell.max(width.max(height) / 2_000.0);
        let (columns, rows) = ((width / cell) as usize + 1, (height / cell) as usize + 1);
        let mut grid =
            Self { low, cell, columns, rows, starts: vec![0; columns * rows + 1], nodes: vec![] };
        let cells: Vec<usize> = at.iter().map(|&place| grid.cell_of(place)).collect();
        for &cell in &cells {
            grid.starts[cell + 1] += 1;
        }
        for i in 1..grid.starts.len() {
            grid.starts[i] += grid.starts[i - 1];
        }
        let mut free = grid.starts.clone();
        grid.nodes = vec![0; at.len()];
        for (node, cell) in (0u32..).zip(cells) {
            grid.nodes[free[cell] as usize] = node;
            free[cell] += 1;
        }
        grid
    }

    fn cell_of(&self, place: Spot) -> usize {
        let along = |x: f32, low: f64, most: usize| {
            (((f64::from(x) - low) / self.cell) as usize).min(most - 1)
        };
        along(place[1], self.low.1, self.rows) * self.columns
            + along(place[0], self.low.0, self.columns)
    }

    /// The nearest node to a place of the plane that is at most `reach` away and for which `is_shown`
    /// holds. O(nodes within reach).
    pub fn find(
        &self,
        at: &[Spot],
        (x, y): (f64, f64),
        reach: f64,
        is_shown: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if self.columns == 0 {
            return None;
        }
        let span = |x: f64, low: f64, most: usize| {
            let first = ((x - reach - low) / self.cell).floor().clamp(0.0, most as f64) as usize;
            let last = ((x + reach - low) / self.cell).floor().clamp(-1.0, most as f64 - 1.0);
            first..(last + 1.0) as usize
        };
        let mut best: Option<(f64, u32)> = None;
        for row in span(y, self.low.1, self.rows) {
            for column in span(x, self.low.0, self.columns) {
                let cell = row * self.columns + column;
                let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
                for &node in &self.nodes[start..end] {
                    let [a, b] = at[node as usize];
                    let away = (f64::from(a) - x).hypot(f64::from(b) - y);
                    let is_nearer = best.is_none_or(|(least, _)| away < least);
                    if away <= reach && is_nearer && is_shown(node) {
                        best = Some((away, node));
                    }
                }
            }
        }
        best.map(|(_, node)| node)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_nearest_node_is_found_as_by_looking_at_all(
            at in prop::collection::vec(prop::array::uniform2(-50.0f32..50.0), 0..200),
            x in -60.0..60.0f64, y in -60.0..60.0f64, reach in 0.0..30.0f64, flat: bool,
        ) {
            let at: Vec<Spot> = at.into_iter().map(|[a, b]| [a, if flat { 0.0 } else { b }]).collect();
            let away = |i: u32| {
                let [a, b] = at[i as usize];
                (f64::from(a) - x).hypot(f64::from(b) - y)
            };
            let is_shown = |i: u32| !i.is_multiple_of(3);
            let within = (0..at.len() as u32).filter(|&i| is_shown(i) && away(i) <= reach);
            let slow = within.min_by(|&a, &b| away(a).total_cmp(&away(b)));
            let found = Nearest::new(&at).find(&at, (x, y), reach, is_shown);
            prop_assert_eq!(found.map(away), slow.map(away));
        }
    }
}
