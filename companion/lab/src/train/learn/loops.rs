//! Loops over numbers, as the processor at hand runs them best.

use decoding::exp;
use pulp::Arch;

use ownmodel::FIRST_FUNCTION;
use ownmodel::TINY;

/// Marks count so much more than other tokens: one of them decides that a list is over, after a
/// hundred numbers that are copied.
const MARK_WEIGHT: f32 = 3.0;

const LANES: usize = 16;

#[inline(always)]
fn sum_of(x: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = x.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for chunk in chunks {
        for i in 0..LANES {
            sums[i] += of(chunk[i]);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|x| of(*x)).sum::<f32>()
}

#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, rest_a) = a.as_chunks::<LANES>();
    let (b, rest_b) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for i in 0..LANES {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum::<f32>() + rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum::<f32>()
}

/// Makes each row's first `n` numbers weights that add up to 1 and the others 0, where row `i` of
/// `stride` numbers has `n = seen[i]`; gives the logarithm of the sum of each row.
pub(super) fn softmax_rows(x: &mut [f32], stride: usize, seen: &[usize], logs: &mut [f32]) {
    Arch::new().dispatch(|| {
        for ((x, seen), log) in x.chunks_exact_mut(stride).zip(seen).zip(logs) {
            let (x, unseen) = x.split_at_mut(*seen);
            unseen.fill(0.0);
            let mut lanes = [f32::NEG_INFINITY; LANES];
            let (chunks, rest) = x.as_chunks::<LANES>();
            for chunk in chunks {
                for i in 0..LANES {
                    lanes[i] = lanes[i].max(chunk[i]);
                }
            }
            let most = lanes.iter().chain(rest).fold(f32::NEG_INFINITY, |most, x| most.max(*x));
            for x in x.iter_mut() {
                *x = exp(*x - most);
            }
            let sum = sum_of(x, |x| x);
            let by = 1.0 / sum;
            for x in x.iter_mut() {
                *x *= by;
            }
            *log = most + sum.ln();
        }
    });
}

/// The same weights again, from the logarithms.
pub(super) fn softmax_again(x: &mut [f32], stride: usize, seen: &[usize], logs: &[f32]) {
    Arch::new().dispatch(|| {
        for ((x, seen), log) in x.chunks_exact_mut(stride).zip(seen).zip(logs) {
            let (x, unseen) = x.split_at_mut(*seen);
            unseen.fill(0.0);
            for x in x.iter_mut() {
                *x = exp(*x - log);
            }
        }
    });
}

/// `d = weights · (d − mean)`, for each row with a mean of its own.
pub(super) fn softmax_back(d: &mut [f32], weights: &[f32], stride: usize, means: &[f32]) {
    Arch::new().dispatch(|| {
        let rows = d.chunks_exact_mut(stride).zip(weights.chunks_exact(stride));
        for ((d, weights), mean) in rows.zip(means) {
            for (d, weight) in d.iter_mut().zip(weights) {
                *d = weight * (*d - mean);
            }
        }
    });
}

/// For each row the sum of the products of two parts of it.
pub(super) fn row_products(
    a: &[f32],
    b: &[f32],
    stride: usize,
    part: std::ops::Range<usize>,
    out: &mut [f32],
) {
    Arch::new().dispatch(|| {
        for ((a, b), out) in a.chunks_exact(stride).zip(b.chunks_exact(stride)).zip(out) {
            *out = dot(&a[part.clone()], &b[part.clone()]);
        }
    });
}

/// Rows over the root of their mean square, times gains; and what each was multiplied with.
pub(super) fn normalise(x: &[f32], gain: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let width = gain.len();
    let mut out = vec![0.0; x.len()];
    let mut by = vec![0.0; x.len() / width];
    Arch::new().dispatch(|| {
        let rows = x.chunks_exact(width).zip(out.chunks_exact_mut(width));
        for ((x, out), by) in rows.zip(&mut by) {
            *by = 1.0 / (dot(x, x) / width as f32 + TINY).sqrt();
            for ((out, x), gain) in out.iter_mut().zip(x).zip(gain) {
                *out = x * *by * gain;
            }
        }
    });
    (out, by)
}

/// Adds to `into` how the loss changes with what was normalised, and to `d_gain` how with the gains.
pub(super) fn normalise_back(
    into: &mut [f32],
    d_gain: &mut [f32],
    d: &[f32],
    x: &[f32],
    by: &[f32],
    gain: &[f32],
) {
    let width = gain.len();
    Arch::new().dispatch(|| {
        let rows = into.chunks_exact_mut(width).zip(d.chunks_exact(width));
        for (((into, d), x), by) in rows.zip(x.chunks_exact(width)).zip(by) {
            let mut lanes = [0.0_f32; LANES];
            let mut rest = 0.0;
            for (i, ((d, x), gain)) in d.iter().zip(x).zip(gain).enumerate() {
                if i < width / LANES * LANES {
                    lanes[i % LANES] += d * x * gain;
                } else {
                    rest += d * x * gain;
                }
            }
            let sum = lanes.iter().sum::<f32>() + rest;
            let pull = sum * by * by * by / width as f32;
            for i in 0..width {
                into[i] += d[i] * gain[i] * by - x[i] * pull;
                d_gain[i] += d[i] * x[i] * by;
            }
        }
    });
}

/// `gate / (1 + e^-gate) · up`.
pub(super) fn swiglu(gate: &[f32], up: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; gate.len()];
    Arch::new().dispatch(|| {
        for ((out, gate), up) in out.iter_mut().zip(gate).zip(up) {
            *out = gate / (1.0 + exp(-gate)) * up;
        }
    });
    out
}

/// How the loss changes with both inputs of [`swiglu`]; they take the places of the inputs.
pub(super) fn swiglu_back(gate: &mut [f32], up: &mut [f32], d: &[f32]) {
    Arch::new().dispatch(|| {
        for ((gate, up), d) in gate.iter_mut().zip(up).zip(d) {
            let share = 1.0 / (1.0 + exp(-*gate));
            let soft = *gate * share;
            let d_gate = d * *up * (share + soft * (1.0 - share));
            *up = d * soft;
            *gate = d_gate;
        }
    });
}

pub(super) fn add(into: &mut [f32], more: &[f32]) {
    Arch::new().dispatch(|| {
        for (into, more) in into.iter_mut().zip(more) {
            *into += more;
        }
    });
}

/// The loss of each row's logits, where the right token of row `i` is `right[i]`; the logits become
/// how the sum of the losses changes with them. Says also whether each right token was the likeliest.
pub(super) fn cross_entropy(
    logits: &mut [f32],
    n: usize,
    right: &[u32],
    found: &mut Vec<bool>,
) -> f64 {
    let mut loss = 0.0;
    for (logits, right) in logits.chunks_exact_mut(n).zip(right) {
        let weight = if *right < FIRST_FUNCTION { MARK_WEIGHT } else { 1.0 };
        let right = *right as usize;
        let mut most = f32::NEG_INFINITY;
        for x in logits.iter() {
            most = most.max(*x);
        }
        let own = logits[right];
        found.push(own >= most);
        let mut logs = [0.0];
        softmax_rows(logits, n, &[n], &mut logs);
        loss += f64::from(weight * (logs[0] - own));
        logits[right] -= 1.0;
        logits.iter_mut().for_each(|x| *x *= weight);
    }
    loss
}
