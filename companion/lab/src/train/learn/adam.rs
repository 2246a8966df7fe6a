//! Steps against the gradient: AdamW, with numbers that share a part of their embeddings.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha12Rng;

use super::slopes::{LessonText, Slopes};
use ownmodel::Config;
use ownmodel::{N_NUMBERS, N_VOCAB, number_of};

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.98;
const EPSILON: f32 = 1e-8;
/// A gradient longer than this is cut to it.
const MAX_NORM: f64 = 1.0;
/// Gradients are summed up in so many parts, whatever the number of processors, so that a training
/// is the same on every machine with the same instructions.
const PARTS: usize = 2;

/// How a step is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The learning rate.
    pub rate: f32,
    /// Weight decay of matrices, times the learning rate.
    pub decay: f32,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepOutcome {
    /// The mean loss of the model's own tokens.
    pub loss: f64,
    /// Of these tokens, the share that was the likeliest.
    pub right: f64,
    /// The length of the gradient before it was cut.
    pub norm: f64,
    /// Tokens in all.
    pub n_tokens: usize,
}

/// A network that learns, with all that it needs to go on.
///
/// What is learned are the weights and, behind them, a row for each number. A token that stands for a
/// number is embedded as the sum of its own row and the number's, so that what is learned of 7 as the
/// first node of a pair holds for 7 as a weight.
#[derive(Clone, Debug)]
pub struct Learner {
    slopes: Slopes,
    learned: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    n_steps: u64,
}

fn normal(rng: &mut ChaCha12Rng) -> f32 {
    // Box and Muller's way.
    let (a, b): (f32, f32) = (1.0 - rng.random::<f32>(), rng.random());
    (-2.0 * a.ln()).sqrt() * (std::f32::consts::TAU * b).cos()
}

impl Learner {
    /// A network that knows nothing yet.
    pub fn new(config: Config, seed: u64) -> Self {
        let slopes = Slopes::new(config);
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let n = slopes.layout.total + N_NUMBERS as usize * config.width;
        let mut learned = vec![1.0; n];
        let deep = (2.0 * config.n_layers as f32).sqrt();
        for (i, tensor) in slopes.layout.tensors.iter().enumerate() {
            let within = (i.wrapping_sub(1)) % 9;
            let scale = match within {
                _ if i == 0 => 0.04,
                _ if tensor.rows == 1 => continue,
                // What is added to the stream stays small at first.
                4 | 8 => 0.7 / (tensor.columns as f32).sqrt() / deep,
                _ => 0.7 / (tensor.columns as f32).sqrt(),
            };
            learned[tensor.range()].iter_mut().for_each(|x| *x = normal(&mut rng) * scale);
        }
        learned[slopes.layout.total..].iter_mut().for_each(|x| *x = normal(&mut rng) * 0.04);
        let zeros = vec![0.0; n];
        Self { slopes, learned, first: zeros.clone(), second: zeros, n_steps: 0 }
    }

    /// Its sizes.
    pub fn config(&self) -> &Config {
        &self.slopes.config
    }

    /// What is learned, to be begun with other weights.
    pub(super) fn learned_mut(&mut self) -> &mut [f32] {
        &mut self.learned
    }

    pub(super) fn layout(&self) -> &ownmodel::Layout {
        &self.slopes.layout
    }

    /// How it computes.
    pub fn slopes(&self) -> &Slopes {
        &self.slopes
    }

    /// Steps so far.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// All that is needed to go on: what was learned, and the means of the gradient and of its
    /// squares.
    pub fn state(&self) -> [&[f32]; 3] {
        [&self.learned, &self.first, &self.second]
    }

    /// Goes on where a state was taken; says no where it is of a network of other sizes.
    #[must_use]
    pub fn set_state(&mut self, n_steps: u64, state: [Vec<f32>; 3]) -> bool {
        if state.iter().any(|list| list.len() != self.learned.len()) {
            return false;
        }
        [self.learned, self.first, self.second] = state;
        self.n_steps = n_steps;
        true
    }

    /// The weights as the network takes them.
    pub fn weights(&self) -> Vec<f32> {
        let width = self.slopes.config.width;
        let total = self.slopes.layout.total;
        let (own, numbers) = self.learned.split_at(total);
        let mut weights = own.to_vec();
        for token in 0..N_VOCAB as u32 {
            if let Some(n) = number_of(token) {
                let row =
                    &mut weights[self.slopes.layout.embed + token as usize * width..][..width];
                let more = &numbers[n as usize * width..][..width];
                row.iter_mut().zip(more).for_each(|(x, more)| *x += more);
            }
        }
        weights
    }

    /// Learns from some texts at once.
    pub fn step(&mut self, texts: &[LessonText], rates: Rates) -> StepOutcome {
        let weights = self.weights();
        let n_all = self.learned.len();
        // The longest first, each to the part that has least to do.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|i| (std::cmp::Reverse(texts[*i].tokens.len()), *i));
        let mut parts: [(usize, Vec<&LessonText>); PARTS] = Default::default();
        for i in order {
            let least = usize::from(parts[1].0 < parts[0].0);
            let len = texts[i].tokens.len();
            parts[least].0 += len + len * len / 2000;
            parts[least].1.push(&texts[i]);
        }
        let slopes = &self.slopes;
        let run = |texts: &[&LessonText]| {
            let mut gradient = vec![0.0; n_all];
            let (mut loss, mut n_right, mut n_own) = (0.0, 0, 0);
            for text in texts {
                let outcome = slopes.learn(&weights, text, &mut gradient);
                loss += outcome.loss;
                n_own += outcome.found.len();
                n_right += outcome.found.iter().filter(|is| **is).count();
            }
            (gradient, loss, n_right, n_own)
        };
        let [(_, one), (_, two)] = &parts;
        let (a, b) = std::thread::scope(|scope| {
            let other = scope.spawn(|| run(two));
            let own = run(one);
            (own, other.join())
        });
        let Ok(b) = b else { return StepOutcome { loss: f64::NAN, ..StepOutcome::default() } };
        let (mut gradient, n_own) = (a.0, (a.3 + b.3).max(1));
        gradient.iter_mut().zip(&b.0).for_each(|(x, more)| *x += more);
        let norm = self.apply(&mut gradient, 1.0 / n_own as f32, rates);
        StepOutcome {
            loss: (a.1 + b.1) / n_own as f64,
            right: (a.2 + b.2) as f64 / n_own as f64,
            norm,
            n_tokens: texts.iter().map(|text| text.tokens.len()).sum(),
        }
    }

    fn apply(&mut self, gradient: &mut [f32], by: f32, rates: Rates) -> f64 {
        let width = self.slopes.config.width;
        let total = self.slopes.layout.total;
        // A number's row is part of every token that stands for it.
        let (own, numbers) = gradient.split_at_mut(total);
        for token in 0..N_VOCAB as u32 {
            if let Some(n) = number_of(token) {
                let row = &own[self.slopes.layout.embed + token as usize * width..][..width];
                let sum = &mut numbers[n as usize * width..][..width];
                sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
            }
        }
        let norm = gradient.iter().map(|x| f64::from(*x * by).powi(2)).sum::<f64>().sqrt();
        if !norm.is_finite() {
            return norm;
        }
        let by = by * (MAX_NORM / norm.max(MAX_NORM)) as f32;
        self.n_steps += 1;
        let t = self.n_steps as i32;
        let (fix_1, fix_2) = (1.0 - BETA_1.powi(t), 1.0 - BETA_2.powi(t));
        let decay = rates.rate * rates.decay;
        let mut decays = vec![true; self.learned.len()];
        for tensor in self.slopes.layout.tensors.iter().filter(|tensor| tensor.rows == 1) {
            decays[tensor.range()].fill(false);
        }
        let all = self.learned.iter_mut().zip(self.first.iter_mut().zip(self.second.iter_mut()));
        for ((x, (first, second)), (g, decays)) in all.zip(gradient.iter().zip(decays)) {
            let g = g * by;
            *first = BETA_1 * *first + (1.0 - BETA_1) * g;
            *second = BETA_2 * *second + (1.0 - BETA_2) * g * g;
            let step = (*first / fix_1) / ((*second / fix_2).sqrt() + EPSILON);
            if decays {
                *x -= decay * *x;
            }
            *x -= rates.rate * step;
        }
        norm
    }
}
