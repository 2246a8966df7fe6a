//! Which token comes next: logits to probabilities, and a draw that a seed decides.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha12Rng;

/// How the next token is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    /// How evenly tokens are drawn; at 0 the likeliest comes.
    pub temperature: f32,
    /// Only the likeliest tokens that have this much of the probability together.
    pub top_p: f32,
    /// Only tokens that are at least this part as likely as the likeliest.
    pub min_p: f32,
    /// The same seed draws the same tokens.
    pub seed: u64,
}

impl Default for Draw {
    fn default() -> Self {
        Self { temperature: 0.7, top_p: 0.95, min_p: 0.05, seed: 0 }
    }
}

impl Draw {
    /// The likeliest token each time, and the usual bounds where a temperature is set.
    pub const LIKELIEST: Self = Self { temperature: 0.0, top_p: 0.95, min_p: 0.05, seed: 0 };
}

/// A token with the logarithm of its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LikelyToken {
    /// Its number in the vocabulary.
    pub token: u32,
    /// The natural logarithm of its probability, before temperature.
    pub log_probability: f32,
}

fn falling(logits: &[f32]) -> impl Fn(&u32, &u32) -> std::cmp::Ordering {
    // Equal ones come in the order of the vocabulary.
    |a, b| logits[*b as usize].total_cmp(&logits[*a as usize]).then(a.cmp(b))
}

/// The `n` tokens with the largest logits, falling.
fn largest(logits: &[f32], n: usize) -> Vec<u32> {
    let mut all: Vec<u32> = (0..logits.len() as u32).collect();
    let order = falling(logits);
    if n < all.len() {
        all.select_nth_unstable_by(n, &order);
        all.truncate(n);
    }
    all.sort_unstable_by(order);
    all
}

/// The `n` likeliest tokens, falling.
pub fn likeliest(logits: &[f32], n: usize) -> Vec<LikelyToken> {
    let most = logits.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    let all: f64 = logits.iter().map(|x| f64::from(x - most).exp()).sum();
    let base = f64::from(most) + all.ln();
    let of = |token: u32| LikelyToken {
        token,
        log_probability: (f64::from(logits[token as usize]) - base) as f32,
    };
    largest(logits, n).into_iter().map(of).collect()
}

/// Tokens beyond so many are too unlikely to be missed.
const MAX_TOKENS: usize = 1024;

/// Draws tokens, one after the other.
#[derive(Clone, Debug)]
pub struct Sampler {
    draw: Draw,
    random: ChaCha12Rng,
}

impl Sampler {
    /// Draws in this way, from the beginning of what its seed gives.
    pub fn new(draw: Draw) -> Self {
        Self { draw, random: ChaCha12Rng::seed_from_u64(draw.seed) }
    }

    /// Draws one; tokens whose logit is minus infinity never come unless all are.
    pub fn next(&mut self, logits: &[f32]) -> u32 {
        let order = falling(logits);
        if self.draw.temperature <= 0.0 || self.draw.temperature.is_nan() {
            return (0..logits.len() as u32).min_by(order).unwrap_or_default();
        }
        let most = logits.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
        let by = 1.0 / self.draw.temperature;
        let weight = |t: &u32| ((logits[*t as usize] - most) * by).exp();
        let least = self.draw.min_p.clamp(0.0, 1.0).ln();
        // Sorting comes last: few tokens are likely enough.
        let is_likely = |t: &u32| {
            let x = logits[*t as usize];
            x > f32::NEG_INFINITY && (x - most) * by >= least
        };
        let mut tokens: Vec<u32> = (0..logits.len() as u32).filter(is_likely).collect();
        if tokens.len() > MAX_TOKENS {
            tokens.select_nth_unstable_by(MAX_TOKENS, &order);
            tokens.truncate(MAX_TOKENS);
        }
        tokens.sort_unstable_by(order);
        let mut weights: Vec<f32> = tokens.iter().map(weight).collect();
        let all: f32 = weights.iter().sum();
        let mut sum = 0.0;
        let kept = weights.iter().position(|w| {
            sum += w;
            sum >= self.draw.top_p * all
        });
        weights.truncate(kept.map_or(weights.len(), |i| i + 1));
        let all: f32 = weights.iter().sum();
        let mut drawn = self.random.random::<f32>() * all;
        for (token, weight) in tokens.iter().zip(&weights) {
            drawn -= weight;
            if drawn < 0.0 {
                return *token;
            }
        }
        tokens.first().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_come_first_and_their_probabilities_are_right() {
        let likely = likeliest(&[1.0, 3.0, 2.0, 3.0], 3);
        assert_eq!(likely.iter().map(|l| l.token).collect::<Vec<_>>(), [1, 3, 2]);
        let e = std::f32::consts::E;
        let p = e.powi(3) / (e + 2.0 * e.powi(3) + e.powi(2));
        assert!((likely[0].log_probability - p.ln()).abs() < 1e-6);
    }

    #[test]
    fn at_temperature_0_the_likeliest_comes() {
        let mut sampler = Sampler::new(Draw::LIKELIEST);
        assert_eq!(sampler.next(&[0.0, 2.0, 1.0]), 1);
    }

    #[test]
    fn seeds_reproduce_and_bounds_hold() {
        let logits: Vec<f32> = (0..50).map(|i| (i % 7) as f32 * 0.3).collect();
        let draw = Draw { temperature: 1.0, top_p: 1.0, min_p: 0.0, seed: 5 };
        let run = |draw: Draw| {
            let mut sampler = Sampler::new(draw);
            (0..40).map(|_| sampler.next(&logits)).collect::<Vec<_>>()
        };
        assert_eq!(run(draw), run(draw));
        assert_ne!(run(draw), run(Draw { seed: 6, ..draw }));
        assert!(run(Draw { min_p: 0.9, ..draw }).iter().all(|t| t % 7 == 6));
        assert!(run(Draw { top_p: 0.1, ..draw }).iter().all(|t| t % 7 == 6));
    }

    #[test]
    fn shares_are_as_the_probabilities() {
        let mut sampler = Sampler::new(Draw { temperature: 1.0, top_p: 1.0, min_p: 0.0, seed: 1 });
        let logits = [0.0, 3.0_f32.ln(), f32::NEG_INFINITY];
        let drawn: Vec<u32> = (0..4000).map(|_| sampler.next(&logits)).collect();
        let ones = drawn.iter().filter(|t| **t == 1).count();
        assert!((2850..3150).contains(&ones), "{ones}");
        assert!(!drawn.contains(&2));
    }
}
