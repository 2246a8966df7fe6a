//! Stress minimisation by stochastic gradient descent: distances on paper become like distances in
//! the graph.
//!
//! After Zheng, Pawar and Goodman, "Graph Drawing by Stochastic Gradient Descent" (2018).

use std::collections::VecDeque;

use graph::{Adjacency, Graph};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::places::{Point, SPACING, free_spot};

const SWEEPS: usize = 40;

pub(crate) fn places(graph: &Graph, seed: u64) -> Vec<Point> {
    let adjacency = graph.adjacency();
    let n = adjacency.n_nodes();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let distances = distances(&adjacency);
    // Starting from a circle keeps small graphs free of crossings more often than noise does.
    let mut at: Vec<Point> = (0..n)
        .map(|i| {
            let angle = std::f64::consts::TAU * i as f64 / n.max(1) as f64;
            let radius = SPACING * (n as f64).sqrt();
            Point { x: radius * angle.cos(), y: radius * angle.sin() }
        })
        .collect();
    // Parts that are not joined stand a little more than the widest part's reach apart.
    let apart = (n as f64).sqrt().max(2.0) * 1.1;
    let mut pairs: Vec<(usize, usize, f64)> = Vec::with_capacity(n * n.saturating_sub(1) / 2);
    for (i, row) in distances.iter().enumerate() {
        for (j, d) in row.iter().enumerate().take(i) {
            pairs.push((i, j, if *d == u32::MAX { apart } else { f64::from(*d) }));
        }
    }
    let widest = pairs.iter().map(|p| p.2).fold(1.0, f64::max);
    let (first, last) = (widest * widest, 0.1);
    let decay = f64::ln(first / last) / (SWEEPS - 1) as f64;
    for sweep in 0..SWEEPS {
        let rate = first * (-decay * sweep as f64).exp();
        pairs.shuffle(&mut rng);
        for &(i, j, d) in &pairs {
            let step = (rate / (d * d)).min(1.0);
            let (dx, dy) = (at[i].x - at[j].x, at[i].y - at[j].y);
            let length = dx.hypot(dy).max(1e-6);
            let move_by = step * (length - d * SPACING) / 2.0 / length;
            at[i].x -= dx * move_by;
            at[i].y -= dy * move_by;
            at[j].x += dx * move_by;
            at[j].y += dy * move_by;
        }
    }
    spread(at)
}

/// Moves nodes that ended on top of others to the nearest free spot.
fn spread(at: Vec<Point>) -> Vec<Point> {
    let mut placed: Vec<Point> = Vec::with_capacity(at.len());
    for p in at {
        let crowded = placed.iter().any(|q| q.distance(p) < SPACING * 0.5);
        placed.push(if crowded { free_spot(p, &placed) } else { p });
    }
    placed
}

/// Hops between all pairs, direction ignored; `u32::MAX` where there is no way.
fn distances(adjacency: &Adjacency) -> Vec<Vec<u32>> {
    let n = adjacency.n_nodes();
    let mut all = Vec::with_capacity(n);
    for start in 0..n {
        let mut row = vec![u32::MAX; n];
        row[start] = 0;
        let mut queue = VecDeque::from([start]);
        while let Some(u) = queue.pop_front() {
            let into = adjacency.into.get(u).unwrap_or_default();
            for &(v, _) in adjacency.out[u].iter().chain(into) {
                if row[v as usize] == u32::MAX {
                    row[v as usize] = row[u] + 1;
                    queue.push_back(v as usize);
                }
            }
        }
        all.push(row);
    }
    all
}
