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
    /// The same seed draws the same tokens.
    pub seed: u64,
}

impl Default for Draw {
    fn default() -> Self {
        Self { temperature: 0.0, top_p: 0.95, seed: 0 }
    }
}

/// A token with the logarithm of its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LikelyToken {
    /// Its number in the vocabulary; [`name_of`](crate::name_of) tells it to people.
    pub token: u32,
    /// The natural logarithm of its probability, before temperature.
    pub log_probability: f32,
}

fn by_logit(logits: &[f32]) -> Vec<u32> {
    let mut all: Vec<u32> = (0..logits.len() as u32).collect();
    // Equal ones come in the order of the vocabulary.
    all.sort_by(|a, b| logits[*b as usize].total_cmp(&logits[*a as usize]).then(a.cmp(b)));
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
    by_logit(logits).into_iter().take(n).map(of).collect()
}

/// Draws tokens, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    draw: Draw,
    random: ChaCha12Rng,
}

impl Sampler {
    pub(crate) fn new(draw: Draw) -> Self {
        Self { draw, random: ChaCha12Rng::seed_from_u64(draw.seed) }
    }

    /// Draws one; tokens whose logit is minus infinity never come unless all are.
    pub(crate) fn next(&mut self, logits: &[f32]) -> u32 {
        if self.draw.temperature <= 0.0 || self.draw.temperature.is_nan() {
            let mut best = (0, f32::NEG_INFINITY);
            for (i, x) in logits.iter().enumerate() {
                if *x > best.1 {
                    best = (i as u32, *x);
                }
            }
            return best.0;
        }
        let tokens = by_logit(logits);
        let most = tokens.first().map_or(0.0, |t| logits[*t as usize]);
        let weight = |t: &u32| ((logits[*t as usize] - most) / self.draw.temperature).exp();
        let all: f32 = tokens.iter().map(weight).sum();
        let (mut kept, mut sum) = (Vec::new(), 0.0);
        for token in tokens {
            let weight = weight(&token);
            sum += weight;
            kept.push((token, weight));
            if sum >= self.draw.top_p * all {
                break;
            }
        }
        let mut drawn = self.random.random::<f32>() * sum;
        for (token, weight) in &kept {
            drawn -= weight;
            if drawn < 0.0 {
                return *token;
            }
        }
        kept.first().map_or(0, |(token, _)| *token)
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
    fn shares_are_as_the_probabilities() {
        let mut sampler = Sampler::new(Draw { temperature: 1.0, top_p: 1.0, seed: 1 });
        let logits = [0.0, 3.0_f32.ln(), f32::NEG_INFINITY];
        let drawn: Vec<u32> = (0..4000).map(|_| sampler.next(&logits)).collect();
        let ones = drawn.iter().filter(|t| **t == 1).count();
        assert!((2850..3150).contains(&ones), "{ones}");
        assert!(!drawn.contains(&2));
        assert_eq!(Sampler::new(Draw::default()).next(&logits), 1);
    }
}
