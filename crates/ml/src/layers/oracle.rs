//! The layers once more in plain loops over `f64`, without tensors.

use std::collections::BTreeMap;

use super::Sizes;

/// The weights by name, each row by row.
pub type Weights = BTreeMap<String, Vec<f64>>;

/// By its series, which is exact for what occurs here.
fn erf(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        let n = f64::from(n);
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

fn linear(x: &[f64], name: &str, weights: &Weights) -> Vec<f64> {
    let weight = &weights[&format!("{name}.weight")];
    let row = |bias: f64, row: &[f64]| bias + row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
    let biases = &weights[&format!("{name}.bias")];
    biases.iter().zip(weight.chunks(x.len())).map(|(b, w)| row(*b, w)).collect()
}

fn norm(x: &[f64], name: &str, weights: &Weights, eps: f64) -> Vec<f64> {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let spread = (x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n + eps).sqrt();
    let (weight, bias) = (&weights[&format!("{name}.weight")], &weights[&format!("{name}.bias")]);
    (0..x.len()).map(|i| (x[i] - mean) / spread * weight[i] + bias[i]).collect()
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// What the layers make of one text's tokens, of which `seen` says which are there.
pub fn encode(
    tokens: &[Vec<f64>],
    seen: &[bool],
    sizes: &Sizes,
    weights: &Weights,
) -> Vec<Vec<f64>> {
    let mut tokens = tokens.to_vec();
    for layer in 0..sizes.layers {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let all = |part: &str| -> Vec<Vec<f64>> {
            tokens.iter().map(|x| linear(x, &name(part), weights)).collect()
        };
        let query = all("attention.self.query");
        let key = all("attention.self.key");
        let value = all("attention.self.value");
        let size = sizes.hidden / sizes.heads;
        let after = |i: usize| {
            let mut taken = vec![0.0; sizes.hidden];
            for head in 0..sizes.heads {
                let of = head * size..(head + 1) * size;
                let score = |j: usize| -> f64 {
                    of.clone().map(|d| query[i][d] * key[j][d]).sum::<f64>() / (size as f64).sqrt()
                };
                let shares: Vec<f64> =
                    (0..tokens.len()).map(|j| if seen[j] { score(j).exp() } else { 0.0 }).collect();
                let total: f64 = shares.iter().sum();
                for d in of.clone() {
                    taken[d] = (0..tokens.len()).map(|j| shares[j] / total * value[j][d]).sum();
                }
            }
            let taken = linear(&taken, &name("attention.output.dense"), weights);
            let heeded = norm(
                &sum(&taken, &tokens[i]),
                &name("attention.output.LayerNorm"),
                weights,
                sizes.eps,
            );
            let mut inner = linear(&heeded, &name("intermediate.dense"), weights);
            for x in &mut inner {
                *x = *x / 2.0 * (1.0 + erf(*x / 2_f64.sqrt()));
            }
            let inner = linear(&inner, &name("output.dense"), weights);
            norm(&sum(&inner, &heeded), &name("output.LayerNorm"), weights, sizes.eps)
        };
        tokens = (0..tokens.len()).map(after).collect();
    }
    tokens
}
