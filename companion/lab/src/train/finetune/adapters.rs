//! LoRA: of each matrix that is adapted two small ones, `A` and `B`, so that `W + scale · B · A` takes
//! its place. `A` begins by chance and `B` at zero, so that nothing is changed before a first step.
//!
//! Paper: Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models", 2021, §4.1.

use std::ops::Range;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A matrix that is adapted; it has a row for each number that comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

/// Where the numbers of all pairs lie in one list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adapters {
    pub(crate) rank: usize,
    /// What `B · A` is multiplied with.
    pub(crate) scale: f32,
    pub(crate) places: Vec<Place>,
    begins: Vec<usize>,
    n: usize,
}

impl Adapters {
    pub(crate) fn new(places: Vec<Place>, rank: usize, alpha: f64) -> Self {
        let mut n = 0;
        let begins = places
            .iter()
            .map(|place| {
                let at = n;
                n += rank * (place.rows + place.columns);
                at
            })
            .collect();
        Self { rank, scale: (alpha / rank as f64) as f32, places, begins, n }
    }

    /// Numbers that learn.
    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// Where `A` of a matrix lies: a row for each rank.
    pub(crate) fn a(&self, i: usize) -> Range<usize> {
        self.begins[i]..self.begins[i] + self.rank * self.places[i].columns
    }

    /// Where `B` lies: a row for each number that comes out.
    pub(crate) fn b(&self, i: usize) -> Range<usize> {
        let end = self.a(i).end;
        end..end + self.rank * self.places[i].rows
    }

    /// The first numbers: those of `A` are drawn between bounds that keep the size of what goes
    /// through, as the authors' code has it.
    pub(crate) fn start(&self, seed: u64) -> Vec<f32> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::MAX);
        let mut all = vec![0.0; self.n];
        for (i, place) in self.places.iter().enumerate() {
            let bound = 1.0 / (place.columns as f32).sqrt();
            all[self.a(i)].iter_mut().for_each(|x| *x = bound * (2.0 * rng.random::<f32>() - 1.0));
        }
        all
    }

    /// Adds `scale · B · A` to a matrix.
    pub(crate) fn merge(&self, i: usize, learned: &[f32], weights: &mut [f32]) {
        let (a, b) = (&learned[self.a(i)], &learned[self.b(i)]);
        let columns = self.places[i].columns;
        for (row, b) in weights.chunks_exact_mut(columns).zip(b.chunks_exact(self.rank)) {
            for (a, b) in a.chunks_exact(columns).zip(b) {
                let by = self.scale * b;
                row.iter_mut().zip(a).for_each(|(x, a)| *x += by * a);
            }
        }
    }

    /// From how the loss changes with a whole matrix, how it changes with its `A` and `B`.
    pub(crate) fn fold(&self, i: usize, learned: &[f32], whole: &[f32], gradient: &mut [f32]) {
        let columns = self.places[i].columns;
        let (at_a, at_b) = (self.a(i), self.b(i));
        for (row, d) in whole.chunks_exact(columns).enumerate() {
            for r in 0..self.rank {
                let a = at_a.start + r * columns..at_a.start + (r + 1) * columns;
                let b = at_b.start + row * self.rank + r;
                let along: f32 = learned[a.clone()].iter().zip(d).map(|(a, d)| a * d).sum();
                gradient[b] += self.scale * along;
                let by = self.scale * learned[b];
                gradient[a].iter_mut().zip(d).for_each(|(g, d)| *g += by * d);
            }
        }
    }
}
