//! Chances.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

pub(super) struct Chance(pub(super) ChaCha8Rng);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Yes, with that probability.
    pub(super) fn is(&mut self, probability: f64) -> bool {
        self.0.random_bool(probability)
    }

    /// Below `n`, which is not 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n.max(1))
    }

    pub(super) fn between(&mut self, least: usize, most: usize) -> usize {
        self.0.random_range(least..=most.max(least))
    }

    /// Nearly normal, with a mean of 0 and a spread of 1: a sum, because a logarithm is not the same
    /// on every machine.
    pub(super) fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.0.random_range(0.0..1.0)).sum::<f64>() - 6.0
    }

    /// Below `n`, and the first the most often: the smaller of two draws.
    pub(super) fn popular(&mut self, n: usize) -> usize {
        self.below(n).min(self.below(n))
    }

    /// `n` things in so many classes, as evenly as can be, in no order.
    pub(super) fn classes(&mut self, n: usize, n_classes: usize) -> Vec<usize> {
        let mut classes: Vec<usize> = (0..n).map(|i| i % n_classes.max(1)).collect();
        classes.shuffle(&mut self.0);
        classes
    }
}
