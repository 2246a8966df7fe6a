//! Steps against the gradient: AdamW on the numbers of the adapters.
//!
//! Paper: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019, algorithm 2.

const FIRST: f64 = 0.9;
const SECOND: f64 = 0.999;
const LEAST: f64 = 1e-8;

/// What learns, with all that is needed to go on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Steps {
    pub(crate) learned: Vec<f32>,
    pub(crate) means: Vec<f32>,
    pub(crate) squares: Vec<f32>,
    pub(crate) n_steps: u64,
}

/// How a step is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rates {
    pub(crate) rate: f64,
    /// Of a number, the share that is taken off it in a step, times the rate.
    pub(crate) decay: f64,
    /// A gradient that is longer is cut to this.
    pub(crate) longest: f64,
}

impl Steps {
    pub(crate) fn new(learned: Vec<f32>) -> Self {
        let zeros = vec![0.0; learned.len()];
        Self { means: zeros.clone(), squares: zeros, learned, n_steps: 0 }
    }

    /// A step against a gradient, each number of which is first multiplied with `by`; gives the length
    /// of the gradient. One that is no number changes nothing.
    pub(crate) fn step(&mut self, gradient: &[f32], by: f64, rates: Rates) -> f64 {
        let norm = gradient.iter().map(|g| (f64::from(*g) * by).powi(2)).sum::<f64>().sqrt();
        if !norm.is_finite() {
            return norm;
        }
        let by = by * (rates.longest / norm.max(rates.longest));
        self.n_steps += 1;
        let n = self.n_steps as f64;
        let (first, second) = (1.0 - FIRST.powf(n), 1.0 - SECOND.powf(n));
        let remembered = self.means.iter_mut().zip(&mut self.squares);
        for ((x, g), (mean, square)) in self.learned.iter_mut().zip(gradient).zip(remembered) {
            let g = f64::from(*g) * by;
            let m = FIRST * f64::from(*mean) + (1.0 - FIRST) * g;
            let s = SECOND * f64::from(*square) + (1.0 - SECOND) * g * g;
            (*mean, *square) = (m as f32, s as f32);
            let kept = f64::from(*x) * (1.0 - rates.rate * rates.decay);
            *x = (kept - rates.rate * (m / first) / ((s / second).sqrt() + LEAST)) as f32;
        }
        norm
    }
}
