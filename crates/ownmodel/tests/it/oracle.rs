//! A slow network in 64 bits, without anything kept.

use ownmodel::codec::places;
use ownmodel::{Config, Draw, N_VOCAB, OwnOptions};

use crate::{SMALL, weights};

/// Weights one after the other.
struct Take<'w>(&'w [f32]);

impl Take<'_> {
    fn matrix(&mut self, rows: usize, columns: usize) -> Vec<Vec<f64>> {
        let (own, rest) = self.0.split_at(rows * columns);
        self.0 = rest;
        own.chunks(columns).map(|row| row.iter().map(|x| f64::from(*x)).collect()).collect()
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        self.matrix(1, n).remove(0)
    }
}

fn times(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

fn normalised(x: &[f64], gain: &[f64]) -> Vec<f64> {
    let mean = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
    x.iter().zip(gain).map(|(x, g)| x / (mean + 1e-5).sqrt() * g).collect()
}

fn turned(config: &Config, x: &[f64], position: usize, place: u16) -> Vec<f64> {
    let head = config.width / config.n_heads;
    let half = head / 2;
    let mut out = x.to_vec();
    for h in 0..config.n_heads {
        let is_text = h < config.n_heads - config.n_place_heads;
        for i in 0..half {
            let (n, fast, base) = if is_text { (4, 1.0, 10_000_f64) } else { (5, 2.4, 1_000.0) };
            let n = (half * n).div_ceil(8);
            let at = if is_text { position as f64 } else { f64::from(place) };
            let angle = if i < n { at * fast * base.powf(-(i as f64) / n as f64) } else { 0.0 };
            let (a, b) = (x[h * head + i], x[h * head + half + i]);
            out[h * head + i] = a * angle.cos() - b * angle.sin();
            out[h * head + half + i] = a * angle.sin() + b * angle.cos();
        }
    }
    out
}

/// The logits behind the last token, and how each head of the first layer looks at what is before it.
fn slow(config: &Config, weights: &[f32], tokens: &[u32]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let Config { width, n_layers, n_heads, hidden, .. } = *config;
    let head = width / n_heads;
    let mut take = Take(weights);
    let embed = take.matrix(N_VOCAB, width);
    let places = places(tokens);
    let mut stream: Vec<Vec<f64>> = tokens
        .iter()
        .zip(&places)
        .map(|(token, place)| {
            let mut x = embed[*token as usize].clone();
            if let Some(list) = place.list {
                x.iter_mut().zip(&embed[list as usize]).for_each(|(x, more)| *x += more);
            }
            x
        })
        .collect();
    let mut looks = Vec::new();
    for layer in 0..n_layers {
        let gain = take.vector(width);
        let [q, k, v, o] = [(); 4].map(|()| take.matrix(width, width));
        let gain_2 = take.vector(width);
        let [gate, up] = [(); 2].map(|()| take.matrix(hidden, width));
        let down = take.matrix(width, hidden);
        let normed: Vec<Vec<f64>> = stream.iter().map(|x| normalised(x, &gain)).collect();
        let at =
            |i: usize, m: &[Vec<f64>]| turned(config, &times(m, &normed[i]), i, places[i].number);
        let queries: Vec<Vec<f64>> = (0..tokens.len()).map(|i| at(i, &q)).collect();
        let keys: Vec<Vec<f64>> = (0..tokens.len()).map(|i| at(i, &k)).collect();
        let values: Vec<Vec<f64>> = normed.iter().map(|x| times(&v, x)).collect();
        for i in 0..tokens.len() {
            let mut mixed = vec![0.0; width];
            for h in 0..n_heads {
                let part = h * head..(h + 1) * head;
                let score = |j: usize| {
                    let pairs = queries[i][part.clone()].iter().zip(&keys[j][part.clone()]);
                    (pairs.map(|(a, b)| a * b).sum::<f64>() / (head as f64).sqrt()).exp()
                };
                let scores: Vec<f64> = (0..=i).map(score).collect();
                let all: f64 = scores.iter().sum();
                let weights: Vec<f64> = scores.iter().map(|s| s / all).collect();
                for (j, weight) in weights.iter().enumerate() {
                    for c in part.clone() {
                        mixed[c] += weight * values[j][c];
                    }
                }
                if layer == 0 && i + 1 == tokens.len() {
                    looks.push(weights);
                }
            }
            let more = times(&o, &mixed);
            stream[i].iter_mut().zip(more).for_each(|(x, more)| *x += more);
            let x = normalised(&stream[i], &gain_2);
            let inner: Vec<f64> = times(&gate, &x)
                .iter()
                .zip(times(&up, &x))
                .map(|(g, u)| g / (1.0 + (-g).exp()) * u)
                .collect();
            let more = times(&down, &inner);
            stream[i].iter_mut().zip(more).for_each(|(x, more)| *x += more);
        }
    }
    let gain = take.vector(width);
    let last = normalised(&stream[tokens.len() - 1], &gain);
    (times(&embed, &last), looks)
}

#[test]
fn the_network_computes_what_a_slow_one_does() {
    let text = "Graph: (0,1) (1,2) (4,63)\nQ: Is there a path between node 0 and node 2?\nA:";
    let mut tokens = vec![2, 1];
    tokens.extend(ownmodel::text::encode(text).tokens);
    tokens.push(4);
    // More than a batch of a prompt.
    tokens.extend((0..60).map(|i| 96 + i * 7));
    let model = crate::model(OwnOptions::default());
    let mut generation = model.start(tokens.clone(), 4, Draw::LIKELIEST).unwrap();
    let found = generation.logits().to_vec();
    let (expected, looks) = slow(&SMALL, &weights(&SMALL), &tokens);
    for (a, b) in found.iter().zip(&expected) {
        assert!((f64::from(*a) - b).abs() < 1e-3, "{a} {b}");
    }
    let attention = generation.attention(tokens.len() - 1);
    assert_eq!(attention.len(), SMALL.n_layers * SMALL.n_heads);
    for (own, slow) in attention.iter().zip(&looks) {
        assert_eq!(own.len(), tokens.len());
        assert!(own.iter().zip(slow).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-4));
    }
    assert!(generation.attention(tokens.len()).is_empty());
}
