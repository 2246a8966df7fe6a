//! How nodes push each other apart, those that are far together.

use super::Spot;

/// The most nodes of a cell that is not divided.
const LEAF: usize = 8;
/// A cell is one body where it is this many times as far away as it is wide.
const FAR: f32 = 1.0 / 1.1;
/// The finest cells: sixteen divisions.
const DEPTH: u32 = 16;

#[derive(Clone, Copy, Debug)]
struct Cell {
    middle: Spot,
    mass: f32,
    /// The square of the width over [`FAR`].
    reach: f32,
    /// Its nodes in the order of `places`.
    start: u32,
    end: u32,
    /// The cell that comes after all that are in this one.
    next: u32,
    is_leaf: bool,
}

/// A quadtree over places (Barnes and Hut, 1986), as a list of cells, each before those in it.
#[derive(Debug)]
pub(super) struct Crowd {
    cells: Vec<Cell>,
    places: Vec<Spot>,
    /// The nodes in the order in which they lie along the cells.
    pub(super) order: Vec<u32>,
}

impl Crowd {
    /// The tree of these places, which are all finite. O(n log n).
    pub(super) fn new(at: &[Spot]) -> Self {
        let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
        for place in at {
            for axis in 0..2 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
        }
        let width = (high[0] - low[0]).max(high[1] - low[1]).max(1e-3);
        let scale = ((1u32 << DEPTH) - 1) as f32 / width;
        let mut keyed: Vec<(u32, u32)> = (0u32..)
            .zip(at)
            .map(|(i, p)| {
                let cell = |axis: usize| ((p[axis] - low[axis]) * scale) as u32;
                (spread(cell(0)) | spread(cell(1)) << 1, i)
            })
            .collect();
        keyed.sort_unstable();
        let places: Vec<Spot> = keyed.iter().map(|&(_, i)| at[i as usize]).collect();
        let keys: Vec<u32> = keyed.iter().map(|&(key, _)| key).collect();
        let mut crowd = Self {
            cells: Vec::with_capacity(at.len() / 2 + 8),
            places,
            order: keyed.into_iter().map(|(_, i)| i).collect(),
        };
        if !keys.is_empty() {
            crowd.divide(&keys, (0, keys.len()), DEPTH, width);
        }
        crowd
    }

    /// Adds the cell of some neighbouring nodes, and those in it; gives its mass and middle.
    fn divide(
        &mut self,
        keys: &[u32],
        (start, end): (usize, usize),
        level: u32,
        width: f32,
    ) -> (f32, Spot) {
        let own = self.cells.len();
        let reach = width / FAR;
        self.cells.push(Cell {
            middle: [0.0; 2],
            mass: 0.0,
            reach: reach * reach,
            start: start as u32,
            end: end as u32,
            next: 0,
            is_leaf: end - start <= LEAF || level == 0,
        });
        let (mut mass, mut sum) = (0.0f32, [0.0f32; 2]);
        if self.cells[own].is_leaf {
            for place in &self.places[start..end] {
                mass += 1.0;
                sum = [sum[0] + place[0], sum[1] + place[1]];
            }
        } else {
            let shift = 2 * (level - 1);
            let mut from = start;
            for quarter in 0..4 {
                let rest = &keys[from..end];
                let to = from + rest.partition_point(|key| key >> shift & 3 <= quarter);
                if to > from {
                    let (m, middle) = self.divide(keys, (from, to), level - 1, width / 2.0);
                    mass += m;
                    sum = [sum[0] + m * middle[0], sum[1] + m * middle[1]];
                }
                from = to;
            }
        }
        let middle = [sum[0] / mass, sum[1] / mass];
        let next = self.cells.len() as u32;
        let cell = &mut self.cells[own];
        (cell.mass, cell.middle, cell.next) = (mass, middle, next);
        (mass, middle)
    }

    /// The push of all others on a node at this place: of each, one over its distance, away from it.
    pub(super) fn push(&self, at: Spot) -> Spot {
        let mut sum = [0.0f32; 2];
        let mut add = |from: Spot, mass: f32| {
            let (dx, dy) = (at[0] - from[0], at[1] - from[1]);
            // Softened, so that two nodes in almost one place do not throw each other out.
            let by = mass / (dx * dx + dy * dy + 0.01);
            sum = [sum[0] + dx * by, sum[1] + dy * by];
        };
        let mut i = 0;
        while let Some(cell) = self.cells.get(i) {
            let (dx, dy) = (at[0] - cell.middle[0], at[1] - cell.middle[1]);
            if dx * dx + dy * dy > cell.reach {
                add(cell.middle, cell.mass);
                i = cell.next as usize;
            } else if cell.is_leaf {
                // Its own place pushes with no length.
                for &place in &self.places[cell.start as usize..cell.end as usize] {
                    add(place, 1.0);
                }
                i = cell.next as usize;
            } else {
                i += 1;
            }
        }
        sum
    }
}

/// The bits of a number of 16 bits with a free one after each.
fn spread(x: u32) -> u32 {
    let x = (x | x << 8) & 0x00ff_00ff;
    let x = (x | x << 4) & 0x0f0f_0f0f;
    let x = (x | x << 2) & 0x3333_3333;
    (x | x << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By how much the push of the cells that count as one body can differ from that of their nodes.
    /// Around the middle of a cell the first order cancels; of a node that is r from the middle and z - r
    /// from the place that is pushed, |r|² / (|z|² |z - r|) is left.
    fn most_error(crowd: &Crowd, at: Spot) -> f32 {
        let (mut sum, mut i) = (0.0, 0);
        while let Some(cell) = crowd.cells.get(i) {
            let z = [at[0] - cell.middle[0], at[1] - cell.middle[1]];
            let z2 = z[0] * z[0] + z[1] * z[1];
            let is_far = z2 > cell.reach;
            if is_far {
                for p in &crowd.places[cell.start as usize..cell.end as usize] {
                    let r = [p[0] - cell.middle[0], p[1] - cell.middle[1]];
                    let left = (at[0] - p[0]).hypot(at[1] - p[1]).max(1e-3);
                    sum += (r[0] * r[0] + r[1] * r[1]) / (z2 * left);
                }
            }
            i = if is_far || cell.is_leaf { cell.next as usize } else { i + 1 };
        }
        sum
    }

    proptest! {
        #[test]
        fn the_push_of_far_cells_is_about_that_of_their_nodes(
            at in prop::collection::vec(prop::array::uniform2(-50.0f32..50.0), 1..400),
            again: bool,
        ) {
            let mut at = at;
            if again {
                // Many in one place.
                let first = at[0];
                at.extend([first; 30]);
            }
            let crowd = Crowd::new(&at);
            for &place in at.iter().take(40) {
                let (mut sum, mut all) = ([0.0f32; 2], 0.0f32);
                for other in &at {
                    let (dx, dy) = (place[0] - other[0], place[1] - other[1]);
                    let by = 1.0 / (dx * dx + dy * dy + 0.01);
                    sum = [sum[0] + dx * by, sum[1] + dy * by];
                    all += by * (dx * dx + dy * dy).sqrt();
                }
                let found = crowd.push(place);
                let error = (found[0] - sum[0]).hypot(found[1] - sum[1]);
                // A middle is rounded to 1e-5, which pushes by a thousandth where it is softest.
                let rounded = 1e-3 * at.len() as f32;
                let most = most_error(&crowd, place) + 0.01 * all + rounded;
                prop_assert!(error <= most, "{found:?} for {sum:?} of {all}, at most {most}");
            }
            let mut order = crowd.order.clone();
            order.sort_unstable();
            prop_assert!(order.into_iter().eq(0..at.len() as u32));
        }
    }
}
