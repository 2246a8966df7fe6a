//! The whole of a large graph: places for up to some hundred thousand nodes, step by step.
//!
//! A first placement by the distances from some pivots is improved by moving all nodes at once: to
//! where their neighbours and the pivots want them by their distances (stress majorization), and away
//! from the crowd, so that nodes whose distances are the same do not lie on each other (the
//! entropy of Gansner, Hu and North, "A Maxent-Stress Model for Graph Layout", 2013). A move looks
//! at the places before it alone, so threads share it and the result does not depend on how many
//! there are.

mod crowd;
mod links;
mod pack;
mod pivots;

use std::ops::Range;

use graph::threads;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crowd::Crowd;
pub use links::Neighbours;
use pivots::{Pivots, apart};

/// A place, in edges to the right and downwards.
pub type Spot = [f32; 2];

/// Nodes that one thread takes at once.
const CHUNK: usize = 2048;
/// The push of the crowd, from stronger to weaker, and the moves with each at least: neighbours find
/// each other in the first ones, while the stress hardly changes.
const PUSHES: [(f32, usize); 3] = [(0.4, 16), (0.12, 6), (0.05, 1)];
/// Moves with each push at most.
const MOST_MOVES: usize = 24;
/// How much more the neighbours of a node count together than the pivots do.
const NEAR: f32 = 4.0;
/// Moves go on as long as each lowers the stress by more than this share.
const GAIN: f64 = 0.01;
/// The share of the way that a node goes in one move: all of it would let two neighbours change places
/// for ever.
const STEP: f32 = 0.7;
/// Work in a step, in distances looked at, up to which further small parts are taken along.
const AT_ONCE: usize = 400_000;

/// Brings a list into an order by chance.
pub fn shuffle<T>(list: &mut [T], seed: u64) {
    list.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
}

/// Applies `f` to the numbers below `n` in chunks of a fixed size, on threads where there are any.
fn chunks_of<T: Send>(
    n: usize,
    work: usize,
    f: impl Fn(Range<usize>) -> T + Sync + Send,
) -> Vec<T> {
    let n_chunks = n.div_ceil(CHUNK);
    threads::map(n_chunks, work as u64, || (), |(), i| f(i * CHUNK..n.min((i + 1) * CHUNK)))
}

/// A connected part while it is placed.
#[derive(Debug)]
struct Part {
    /// Its nodes in the graph.
    nodes: Vec<u32>,
    links: Neighbours,
    pivots: Pivots,
    at: Vec<Spot>,
    /// Which push it is at, how many moves were made with it, and with all.
    push: usize,
    n_moves: usize,
    n_moves_in_all: usize,
    stress: Option<f64>,
    is_done: bool,
}

impl Part {
    fn new(nodes: Vec<u32>, links: Neighbours) -> Self {
        let is_done = nodes.len() < 3;
        // A node alone, or two at the ends of an edge.
        let at = if is_done { (0..nodes.len()).map(|i| [i as f32, 0.0]).collect() } else { vec![] };
        Self {
            nodes,
            links,
            pivots: Pivots::default(),
            at,
            push: 0,
            n_moves: 0,
            n_moves_in_all: 0,
            stress: None,
            is_done,
        }
    }

    fn n(&self) -> usize {
        self.nodes.len()
    }

    fn n_pivots(&self) -> usize {
        Pivots::wanted(self.n())
    }

    /// About how many distances all steps look at, at most.
    fn work(&self) -> usize {
        if self.n() < 3 { 0 } else { self.n() * (self.n_pivots() + PUSHES.len() * MOST_MOVES) }
    }

    /// How many of them are done.
    fn done(&self) -> usize {
        if self.is_done {
            return self.work();
        }
        let moves = self.push * MOST_MOVES + self.n_moves;
        self.n() * (self.pivots.nodes.len() + moves)
    }

    fn step(&mut self, rng: &mut ChaCha8Rng) {
        if self.pivots.nodes.len() < self.n_pivots() && self.at.is_empty() {
            self.pivots.add(&self.links, rng);
        } else if self.at.is_empty() {
            self.at = self.pivots.finish(rng);
        } else {
            self.advance();
        }
    }

    /// One move, and what follows from the stress before it.
    fn advance(&mut self) {
        let before = self.stress;
        let (push, least) = PUSHES[self.push];
        let stress = self.move_all(push);
        self.stress = Some(stress);
        self.n_moves += 1;
        self.n_moves_in_all += 1;
        let gains = before.is_none_or(|before| stress < before * (1.0 - GAIN));
        if self.n_moves >= MOST_MOVES || (self.n_moves >= least && !gains) {
            (self.push, self.n_moves) = (self.push + 1, 0);
            if self.push == PUSHES.len() {
                self.is_done = true;
                self.pivots = Pivots::default();
            }
        }
    }

    /// Moves every node; gives the stress of the places before.
    fn move_all(&mut self, push: f32) -> f64 {
        let crowd = Crowd::new(&self.at);
        let (links, pivots, at) = (&self.links, &self.pivots, &self.at);
        let k = pivots.nodes.len();
        let of_pivots: Vec<Spot> = pivots.nodes.iter().map(|&p| at[p as usize]).collect();
        let work = self.n() * (k + 100);
        // In the order of the cells, so that what one node looks at is there for the next.
        let moved = chunks_of(self.n(), work, |chunk| {
            let mut places = Vec::with_capacity(chunk.len());
            let mut fit = Fit::default();
            for &node in &crowd.order[chunk] {
                let node = node as usize;
                let own = at[node];
                let (mut sum, mut all) = ([0.0f32; 2], 0.0f32);
                for &other in links.of(node) {
                    let other = at[other as usize];
                    let by = 1.0 / apart(own, other).max(1e-6);
                    for axis in 0..2 {
                        sum[axis] += other[axis] + (own[axis] - other[axis]) * by;
                    }
                    all += 1.0;
                }
                let row = &pivots.rows[node * k..(node + 1) * k];
                let of_row: f32 = row.iter().map(|far| far.weight).sum();
                let near = (NEAR * of_row / all).max(1.0);
                (sum, all) = (sum.map(|s| s * near), all * near);
                for (far, &pivot) in row.iter().zip(&of_pivots) {
                    let length = apart(own, pivot);
                    let by = far.distance / length.max(1e-6);
                    for axis in 0..2 {
                        sum[axis] += far.weight * (pivot[axis] + (own[axis] - pivot[axis]) * by);
                    }
                    all += far.weight;
                    fit.add(length, far.distance);
                }
                let pushed = crowd.push(own);
                let target = [0, 1].map(|axis| (sum[axis] + push * pushed[axis]) / all);
                places.push([0, 1].map(|axis| own[axis] + STEP * (target[axis] - own[axis])));
            }
            (places, fit)
        });
        let mut fit = Fit::default();
        let mut nodes = crowd.order.iter();
        for (places, part) in moved {
            fit.join(&part);
            for (place, &node) in places.into_iter().zip(nodes.by_ref()) {
                self.at[node as usize] = place;
            }
        }
        fit.stress()
    }
}

/// How well lengths fit distances, under the scale that suits them best.
#[derive(Clone, Copy, Debug, Default)]
struct Fit {
    n: f64,
    ratios: f64,
    squares: f64,
}

impl Fit {
    fn add(&mut self, length: f32, distance: f32) {
        if distance > 0.0 {
            let ratio = f64::from(length / distance);
            (self.n, self.ratios, self.squares) =
                (self.n + 1.0, self.ratios + ratio, self.squares + ratio * ratio);
        }
    }

    fn join(&mut self, other: &Self) {
        self.n += other.n;
        self.ratios += other.ratios;
        self.squares += other.squares;
    }

    /// The mean of (1 − s·length / distance)² with the best s.
    fn stress(&self) -> f64 {
        if self.squares > 0.0 {
            1.0 - self.ratios * self.ratios / (self.n * self.squares)
        } else {
            0.0
        }
    }
}

/// Places for all nodes of a graph, found step by step. The same graph and seed give the same places,
/// on any number of threads.
#[derive(Debug)]
pub struct WholeLayout {
    n: usize,
    /// The largest first.
    parts: Vec<Part>,
    /// The first part that is not placed.
    next: usize,
    rng: ChaCha8Rng,
    done: usize,
    total: usize,
}

impl WholeLayout {
    /// Begins. O(n + m).
    pub fn new(links: &Neighbours, seed: u64) -> Self {
        let n = links.n_nodes();
        let components = links.components();
        let n_parts = components.iter().max().map_or(0, |&c| c as usize + 1);
        let mut nodes: Vec<Vec<u32>> = vec![Vec::new(); n_parts];
        let mut place = vec![0u32; n];
        for (i, &c) in components.iter().enumerate() {
            place[i] = nodes[c as usize].len() as u32;
            nodes[c as usize].push(i as u32);
        }
        let part = |nodes: Vec<u32>| {
            let mut edges = Vec::new();
            for &a in &nodes {
                let own = place[a as usize];
                let to = links.of(a as usize).iter().filter(|&&b| b > a);
                edges.extend(to.map(|&b| (own, place[b as usize])));
            }
            let links = Neighbours::new(nodes.len(), &edges);
            Part::new(nodes, links)
        };
        let parts: Vec<Part> = nodes.into_iter().map(part).collect();
        let total = parts.iter().map(Part::work).sum();
        Self { n, parts, next: 0, rng: ChaCha8Rng::seed_from_u64(seed), done: 0, total }
    }

    /// Goes on a little; whether there is more to do. A step of 100,000 nodes takes some tens of
    /// milliseconds.
    pub fn step(&mut self) -> bool {
        let mut looked_at = 0;
        while let Some(part) = self.parts.get_mut(self.next) {
            if looked_at > AT_ONCE {
                return true;
            }
            if part.is_done {
                self.next += 1;
                continue;
            }
            let before = part.done();
            part.step(&mut self.rng);
            self.done += part.done() - before;
            looked_at += part.n() * part.n_pivots();
        }
        false
    }

    /// How much is done, of how much.
    pub fn progress(&self) -> (usize, usize) {
        (self.done, self.total)
    }

    /// How many times the nodes of the largest part were moved.
    pub fn n_moves(&self) -> usize {
        self.parts.first().map_or(0, |part| part.n_moves_in_all)
    }

    /// The stress of the largest part before its last move: the mean of (1 − s·length / distance)² over
    /// its nodes and pivots, with the s that suits best. 0 is a perfect drawing; `None` before the
    /// first move.
    pub fn stress(&self) -> Option<f64> {
        self.parts.first().and_then(|part| part.stress)
    }

    /// Where each node stands now, the parts beside each other. Nodes that have no place yet stand in
    /// a row.
    pub fn places(&self) -> Vec<Spot> {
        let mut parts: Vec<Vec<Spot>> = self
            .parts
            .iter()
            .map(|part| {
                let row = (0..part.n()).map(|i| [i as f32 * 0.01, 0.0]);
                if part.at.is_empty() { row.collect() } else { part.at.clone() }
            })
            .collect();
        pack::pack(&mut parts);
        let mut all = vec![[0.0; 2]; self.n];
        for (part, places) in self.parts.iter().zip(parts) {
            for (&node, place) in part.nodes.iter().zip(places) {
                all[node as usize] = place;
            }
        }
        all
    }
}
