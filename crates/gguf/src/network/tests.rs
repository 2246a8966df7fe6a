//! The network against a slow one in 64 bits, which shares nothing with it but the weights.

use std::io::Cursor;

use super::*;
use crate::File;
use crate::fixture::{self, Made};

pub(crate) type Weights<'a> = dyn Fn(&str) -> Vec<Vec<f64>> + 'a;

fn times(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

fn norm(x: &[f64], weights: &[f64]) -> Vec<f64> {
    let mean = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
    x.iter().zip(weights).map(|(x, w)| x / (mean + 1e-5).sqrt() * w).collect()
}

fn turned(x: &mut [f64], dim: usize, position: usize, is_neox: bool) {
    for head in x.chunks_mut(dim) {
        let old = head.to_vec();
        for i in 0..dim / 2 {
            let angle = position as f64 / 10_000_f64.powf(2.0 * i as f64 / dim as f64);
            let (a, b) = if is_neox { (i, i + dim / 2) } else { (2 * i, 2 * i + 1) };
            head[a] = old[a] * angle.cos() - old[b] * angle.sin();
            head[b] = old[a] * angle.sin() + old[b] * angle.cos();
        }
    }
}

/// As the cache keeps them.
fn narrow(x: Vec<f64>) -> Vec<f64> {
    x.into_iter().map(|x| half::f16::from_f64(x).to_f64()).collect()
}

/// The logits after the last token, by plain sums. `has_bias` and `halves` say whether queries, keys and
/// values have one, and whether the halves of a head are turned against each other.
pub(crate) fn slow(
    weights: &Weights<'_>,
    tokens: &[u32],
    has_bias: bool,
    halves: bool,
) -> Vec<f64> {
    let (n_heads, n_kv) = (4, 2);
    let embedding = weights("token_embd.weight");
    let mut x: Vec<Vec<f64>> = tokens.iter().map(|t| embedding[*t as usize].clone()).collect();
    let dim = x[0].len() / n_heads;
    for i in 0..2 {
        let of = |end: &str| weights(&format!("blk.{i}.{end}"));
        let project = |name: &str, x: &[f64]| {
            let mut y = times(&of(&format!("attn_{name}.weight")), x);
            if has_bias {
                let bias = of(&format!("attn_{name}.bias")).concat();
                y.iter_mut().zip(&bias).for_each(|(y, b)| *y += b);
            }
            y
        };
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for (position, x) in x.iter_mut().enumerate() {
            let inner = norm(x, &of("attn_norm.weight").concat());
            let (mut q, mut k) = (project("q", &inner), project("k", &inner));
            turned(&mut q, dim, position, halves);
            turned(&mut k, dim, position, halves);
            keys.push(narrow(k));
            values.push(narrow(project("v", &inner)));
            let mut mixed = Vec::new();
            for (h, q) in q.chunks(dim).enumerate() {
                let from = h / (n_heads / n_kv) * dim;
                let score = |k: &Vec<f64>| {
                    let dot: f64 = k[from..].iter().zip(q).map(|(a, b)| a * b).sum();
                    (dot / (dim as f64).sqrt()).exp()
                };
                let scores: Vec<f64> = keys.iter().map(score).collect();
                let all: f64 = scores.iter().sum();
                for d in 0..dim {
                    let sum: f64 = values.iter().zip(&scores).map(|(v, s)| v[from + d] * s).sum();
                    mixed.push(sum / all);
                }
            }
            let out = times(&of("attn_output.weight"), &mixed);
            x.iter_mut().zip(&out).for_each(|(x, y)| *x += y);
            let inner = norm(x, &of("ffn_norm.weight").concat());
            let gate = times(&of("ffn_gate.weight"), &inner);
            let up = times(&of("ffn_up.weight"), &inner);
            let wide: Vec<f64> =
                gate.iter().zip(&up).map(|(g, u)| g / (1.0 + (-g).exp()) * u).collect();
            let out = times(&of("ffn_down.weight"), &wide);
            x.iter_mut().zip(&out).for_each(|(x, y)| *x += y);
        }
    }
    let last = norm(x.last().unwrap(), &weights("output_norm.weight").concat());
    times(&weights("output.weight"), &last)
}

fn opened(made: &Made) -> File<Cursor<Vec<u8>>> {
    File::read(fixture::file(made).unwrap()).unwrap()
}

#[test]
fn the_network_computes_what_a_slow_one_does() {
    // F32, F16, Q4_0, Q4_1, Q5_0, Q8_0, Q4_K, Q6_K: how far apart they may be, of logits that
    // spread over some 10.
    let kinds =
        [(0, 1e-3), (1, 1e-3), (2, 0.3), (3, 0.3), (6, 0.3), (8, 0.3), (12, 0.5), (14, 0.5)];
    for architecture in ["llama", "qwen2"] {
        for (stored, most) in kinds {
            let made = Made { architecture, stored, has_head: true, ..Made::default() };
            let mut file = opened(&made);
            let network = Network::load(&mut file, &mut |_, _| {}).unwrap();
            let bytes = std::cell::RefCell::new(file);
            let weights = |name: &str| {
                let mut file = bytes.borrow_mut();
                let tensor = file.head.tensor(name).unwrap().clone();
                let mut bytes = vec![0; tensor.n_bytes as usize];
                file.bytes_of(&tensor, 0, &mut bytes).unwrap();
                let all = matrix::unpack(tensor.kind, &bytes).unwrap();
                let rows = all.chunks(tensor.n_cols);
                rows.map(|row| row.iter().map(|x| f64::from(*x)).collect()).collect()
            };
            let tokens = [5, 80, 33, 200, 7, 7, 120];
            let theirs = {
                let is_qwen = architecture == "qwen2";
                slow(&weights, &tokens, is_qwen, is_qwen)
            };
            let mut cache = Cache::new(&network.config);
            network.forward(&mut cache, &tokens[..4], false);
            let ours = network.forward(&mut cache, &tokens[4..], true).unwrap();
            assert_eq!(ours.len(), theirs.len());
            let apart = ours.iter().zip(&theirs).map(|(a, b)| (f64::from(*a) - b).abs());
            let apart = apart.fold(0.0, f64::max);
            assert!(apart < most, "{architecture}, type {stored}: {apart}");
        }
    }
}

#[test]
fn a_cache_that_was_cut_goes_on_as_a_new_one() {
    let network = Network::load(&mut opened(&Made::default()), &mut |_, _| {}).unwrap();
    let mut cut = Cache::new(&network.config);
    network.forward(&mut cut, &[1, 2, 3, 4, 5], false);
    let mut copied = cut.first(2);
    cut.truncate(2);
    let mut new = Cache::new(&network.config);
    network.forward(&mut new, &[1, 2], false);
    let fresh = network.forward(&mut new, &[9, 8], true).unwrap();
    assert_eq!(network.forward(&mut cut, &[9, 8], true).unwrap(), fresh);
    assert_eq!(network.forward(&mut copied, &[9, 8], true).unwrap(), fresh);
    assert_eq!(cut.tokens(), [1, 2, 9, 8]);
}
