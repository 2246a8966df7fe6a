//! Distances from a few nodes, and a first placement by them.

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use super::links::Neighbours;
use super::{Spot, chunks_of};

/// The most pivots, for small graphs.
const MOST: usize = 200;
/// The fewest, for large ones.
const FEWEST: usize = 50;
/// Distances that are kept at about, where that leaves more than [`FEWEST`] pivots.
const KEPT: usize = 5_000_000;
/// Rounds of the power iteration: more change no picture.
const ROUNDS: usize = 60;

/// A pivot as a node sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Far {
    /// The distance in edges.
    pub(super) distance: f32,
    /// How much it counts.
    pub(super) weight: f32,
}

/// The pivots of a connected graph and their distances.
#[derive(Debug, Default)]
pub(super) struct Pivots {
    /// The nodes that are pivots.
    pub(super) nodes: Vec<u32>,
    /// For each pivot the distances of all nodes.
    columns: Vec<Vec<u32>>,
    /// The distance of each node to the nearest pivot so far.
    nearest: Vec<u32>,
    /// For each node its view of all pivots, once they are all there.
    pub(super) rows: Vec<Far>,
    queue: Vec<u32>,
}

impl Pivots {
    /// How many pivots a graph of so many nodes has.
    pub(super) fn wanted(n: usize) -> usize {
        (KEPT / n.max(1)).clamp(FEWEST, MOST).min(n)
    }

    /// Takes one pivot more: by turns the node that is farthest from all of them, and any. The
    /// farthest alone would all be at the rim of a graph that has many leaves.
    pub(super) fn add(&mut self, links: &Neighbours, rng: &mut ChaCha8Rng) {
        let n = links.n_nodes();
        let any = rng.random_range(0..n);
        self.nearest.resize(n, u32::MAX);
        let is_new = |node: usize| self.nearest[node] > 0;
        let far = (0..n).max_by_key(|&i| (self.nearest[i], std::cmp::Reverse(i))).unwrap_or(any);
        let by_chance = self.nodes.len().is_multiple_of(2) && is_new(any);
        let node = if by_chance { any } else { far };
        let mut column = Vec::new();
        links.distances(node as u32, &mut column, &mut self.queue);
        for (nearest, &d) in self.nearest.iter_mut().zip(&column) {
            *nearest = (*nearest).min(d);
        }
        self.nodes.push(node as u32);
        self.columns.push(column);
    }

    /// Weighs the distances, and gives a first placement.
    ///
    /// A pivot stands for the nodes that are nearer to it than to other pivots: its term counts as
    /// often as there are such nodes at most half as far from it as the node that looks
    /// (Ortmann, Klimenta, Brandes, "A Sparse Stress Model", 2016, §4). The placement is that of
    /// Brandes and Pich, "Eigensolver Methods for Progressive Multidimensional Scaling of Large Data"
    /// (2006).
    ///
    /// O(n k²) for k pivots.
    pub(super) fn finish(&mut self, rng: &mut ChaCha8Rng) -> Vec<Spot> {
        let (k, n) = (self.nodes.len(), self.nearest.len());
        let mut owner = vec![0usize; n];
        for (i, own) in owner.iter_mut().enumerate() {
            *own = (0..k).min_by_key(|&p| self.columns[p][i]).unwrap_or_default();
        }
        // For each pivot, how many of its own nodes are at most so far away.
        let mut within: Vec<Vec<u32>> = vec![Vec::new(); k];
        for (i, &p) in owner.iter().enumerate() {
            let d = self.columns[p][i] as usize;
            let counts = &mut within[p];
            if counts.len() <= d {
                counts.resize(d + 1, 0);
            }
            counts[d] += 1;
        }
        for counts in &mut within {
            for d in 1..counts.len() {
                counts[d] += counts[d - 1];
            }
        }
        let mut rows = Vec::with_capacity(n * k);
        for i in 0..n {
            for (column, counts) in self.columns.iter().zip(&within) {
                let d = column[i];
                let distance = d as f32;
                let near = counts.get(d as usize / 2).or(counts.last()).copied().unwrap_or(0);
                // A neighbour counts by its edge, and a pivot does not see itself.
                let weight = if d > 1 { near.max(1) as f32 / (distance * distance) } else { 0.0 };
                rows.push(Far { distance, weight });
            }
        }
        self.columns = Vec::new();
        self.nearest = Vec::new();
        self.queue = Vec::new();
        self.rows = rows;
        self.first_places(n, rng)
    }

    fn first_places(&self, n: usize, rng: &mut ChaCha8Rng) -> Vec<Spot> {
        let k = self.nodes.len();
        let square = |far: &Far| f64::from(far.distance) * f64::from(far.distance);
        // Double centring: rows, columns and the whole have mean 0.
        let mut of_column = vec![0.0f64; k];
        let of_row: Vec<f64> = self
            .rows
            .chunks(k)
            .map(|row| {
                let squares = row.iter().map(square);
                of_column.iter_mut().zip(squares.clone()).for_each(|(sum, s)| *sum += s / n as f64);
                squares.sum::<f64>() / k as f64
            })
            .collect();
        let of_all = of_column.iter().sum::<f64>() / k as f64;
        let centred =
            |i: usize, into: &mut Vec<f32>| {
                into.clear();
                let row = self.rows[i * k..(i + 1) * k].iter().zip(&of_column);
                into.extend(row.map(|(far, column)| {
                    (-0.5 * (square(far) - of_row[i] - column + of_all)) as f32
                }));
            };
        // Added up over chunks of a fixed size, so that it does not matter how many threads add.
        let parts = chunks_of(n, n * k * k, |chunk| {
            let mut sums = vec![0.0f64; k * k];
            let mut row = Vec::with_capacity(k);
            let mut own = vec![0.0f32; k * k];
            for (seen, i) in chunk.enumerate() {
                centred(i, &mut row);
                for (a, line) in own.chunks_mut(k).enumerate() {
                    let x = row[a];
                    line.iter_mut().zip(&row).for_each(|(sum, y)| *sum += x * y);
                }
                if seen % 64 == 63 {
                    sums.iter_mut()
                        .zip(&mut own)
                        .for_each(|(s, o)| *s += f64::from(std::mem::take(o)));
                }
            }
            sums.iter_mut().zip(own).for_each(|(s, o)| *s += f64::from(o));
            sums
        });
        let mut products = vec![0.0f64; k * k];
        for part in parts {
            products.iter_mut().zip(part).for_each(|(sum, p)| *sum += p);
        }
        let first = strongest(&products, k, None, rng);
        let second = strongest(&products, k, Some(&first), rng);
        let mut row = Vec::with_capacity(k);
        let along = |row: &[f32], axis: &[f64]| -> f32 {
            row.iter().zip(axis).map(|(c, a)| f64::from(*c) * a).sum::<f64>() as f32
        };
        let mut places: Vec<Spot> = Vec::with_capacity(n);
        for i in 0..n {
            centred(i, &mut row);
            places.push([along(&row, &first), along(&row, &second)]);
        }
        let scale = self.best_scale(&places);
        for place in &mut places {
            // What has the same distances would have one place, which nothing could part again.
            *place = place.map(|x| x * scale + rng.random_range(-0.4f32..0.4));
        }
        places
    }

    /// What all places are to be multiplied by, so that distances on paper fit those in the graph
    /// best. 1 where no two places differ.
    fn best_scale(&self, places: &[Spot]) -> f32 {
        let (mut sum, mut squares) = (0.0f64, 0.0f64);
        for (row, at) in self.rows.chunks(self.nodes.len()).zip(places) {
            for (far, &p) in row.iter().zip(&self.nodes) {
                if far.distance > 0.0 {
                    let ratio = f64::from(apart(*at, places[p as usize]) / far.distance);
                    sum += ratio;
                    squares += ratio * ratio;
                }
            }
        }
        if squares > 0.0 { (sum / squares) as f32 } else { 1.0 }
    }
}

/// The distance of two places.
pub(super) fn apart(a: Spot, b: Spot) -> f32 {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    (dx * dx + dy * dy).sqrt()
}

/// The eigenvector of the largest eigenvalue, or of the largest beside that of `not`, by power
/// iteration.
fn strongest(products: &[f64], k: usize, not: Option<&[f64]>, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut vector: Vec<f64> = (0..k).map(|_| rng.random_range(-1.0..1.0)).collect();
    for _ in 0..ROUNDS {
        if let Some(not) = not {
            let share: f64 = vector.iter().zip(not).map(|(a, b)| a * b).sum();
            vector.iter_mut().zip(not).for_each(|(a, b)| *a -= share * b);
        }
        let dot = |row: &[f64]| row.iter().zip(&vector).map(|(a, b)| a * b).sum::<f64>();
        let next: Vec<f64> = products.chunks(k).map(dot).collect();
        let length = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length < 1e-9 {
            // All nodes on one line: there is no second direction.
            return vec![0.0; k];
        }
        vector = next.into_iter().map(|x| x / length).collect();
    }
    vector
}
