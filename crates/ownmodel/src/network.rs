//! The network as it is asked: tokens in, logits out, with what it keeps of earlier tokens.

use crate::codec::{ListPlace, Placer};
use crate::shape::{Angles, Config, LayerAt, Layout};
use crate::vocabulary::N_VOCAB;

/// Tokens of a prompt that are computed together.
pub(crate) const BATCH: usize = 64;
/// Added to a mean of squares, so that nothing is divided by zero.
pub const TINY: f32 = 1e-5;
/// Sums side by side.
const LANES: usize = 16;

/// Weights with their sizes.
#[derive(Clone, Debug)]
pub struct OwnNetwork {
    pub(crate) config: Config,
    layout: Layout,
    angles: Angles,
    weights: Vec<f32>,
    counts_mentions: bool,
}

/// What a layer keeps of the tokens so far.
#[derive(Clone, Debug, Default)]
struct Kept {
    queries: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
}

/// What a network keeps of a conversation.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    tokens: Vec<u32>,
    layers: Vec<Kept>,
}

impl Cache {
    /// Of no tokens yet.
    pub fn new(config: &Config) -> Self {
        Self { tokens: Vec::new(), layers: vec![Kept::default(); config.n_layers] }
    }

    pub(crate) fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Forgets all but the first tokens.
    pub(crate) fn truncate(&mut self, n: usize, width: usize) {
        self.tokens.truncate(n);
        for layer in &mut self.layers {
            for list in [&mut layer.queries, &mut layer.keys, &mut layer.values] {
                list.truncate(n * width);
            }
        }
    }
}

pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, rest_a) = a.as_chunks::<LANES>();
    let (b, rest_b) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for i in 0..LANES {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Rows of weights times each token's numbers.
fn multiply(rows: &[f32], x: &[f32], columns: usize, out: &mut Vec<f32>) {
    let n_rows = rows.len() / columns;
    out.clear();
    out.resize(x.len() / columns * n_rows, 0.0);
    // A row is read once for all tokens; it stays where it is quick to read.
    for (r, row) in rows.chunks_exact(columns).enumerate() {
        for (t, x) in x.chunks_exact(columns).enumerate() {
            out[t * n_rows + r] = dot(row, x);
        }
    }
}

fn normalise(x: &[f32], gain: &[f32], out: &mut Vec<f32>) {
    out.clear();
    for x in x.chunks_exact(gain.len()) {
        let by = 1.0 / (dot(x, x) / gain.len() as f32 + TINY).sqrt();
        out.extend(x.iter().zip(gain).map(|(x, g)| x * by * g));
    }
}

fn add(x: &mut [f32], more: &[f32]) {
    for (x, more) in x.iter_mut().zip(more) {
        *x += more;
    }
}

fn softmax(x: &mut [f32]) {
    let most = x.iter().fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    let mut sum = 0.0;
    for x in x.iter_mut() {
        *x = (*x - most).exp();
        sum += *x;
    }
    for x in x.iter_mut() {
        *x /= sum;
    }
}

impl OwnNetwork {
    /// A network of these weights, in the order of the file; none where they are not as many as the
    /// sizes say.
    pub fn new(config: Config, weights: Vec<f32>) -> Option<Self> {
        let layout = Layout::new(&config);
        let is_whole = weights.len() == layout.total && config.check().is_ok();
        is_whole.then(|| Self {
            config,
            angles: Angles::new(&config),
            layout,
            weights,
            counts_mentions: true,
        })
    }

    /// The same, for weights that learned places in lists only.
    pub(crate) fn without_mentions(self) -> Self {
        Self { counts_mentions: false, ..self }
    }

    /// Its sizes.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Its weights, in the order of the file.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn part(&self, at: usize, len: usize) -> &[f32] {
        &self.weights[at..at + len]
    }

    /// Reads tokens; gives the logits of what follows the last. `places` goes on with those of the
    /// tokens that the cache has.
    pub fn forward(&self, cache: &mut Cache, tokens: &[u32]) -> Vec<f32> {
        let Config { width, hidden, .. } = self.config;
        let before = cache.len();
        let mut placer = Placer::new(self.counts_mentions);
        for token in &cache.tokens {
            placer.next(*token);
        }
        let places: Vec<ListPlace> = tokens.iter().map(|token| placer.next(*token)).collect();
        let embed = self.part(self.layout.embed, N_VOCAB * width);
        let mut x = Vec::with_capacity(tokens.len() * width);
        let row = |token: u32| &embed[(token as usize).min(N_VOCAB - 1) * width..][..width];
        for (token, place) in tokens.iter().zip(&places) {
            let begun = x.len();
            x.extend_from_slice(row(*token));
            if let Some(list) = place.list {
                add(&mut x[begun..], row(list));
            }
        }
        cache.tokens.extend_from_slice(tokens);
        let (mut normed, mut mixed) = (Vec::new(), Vec::new());
        let (mut gate, mut up) = (Vec::new(), Vec::new());
        let n_layers = self.layout.layers.len();
        for (i, (layer, kept)) in self.layout.layers.iter().zip(&mut cache.layers).enumerate() {
            normalise(&x, self.part(layer.norm_1, width), &mut normed);
            self.attend(layer, kept, &normed, before, &places, &mut mixed);
            if i + 1 == n_layers {
                // Only the last token is asked what follows.
                x.drain(..x.len() - width);
                mixed.drain(..mixed.len() - width);
            }
            multiply(self.part(layer.out, width * width), &mixed, width, &mut gate);
            add(&mut x, &gate);
            normalise(&x, self.part(layer.norm_2, width), &mut normed);
            multiply(self.part(layer.gate, hidden * width), &normed, width, &mut gate);
            multiply(self.part(layer.up, hidden * width), &normed, width, &mut up);
            for (gate, up) in gate.iter_mut().zip(&up) {
                *gate = *gate / (1.0 + (-*gate).exp()) * up;
            }
            multiply(self.part(layer.down, width * hidden), &gate, hidden, &mut mixed);
            add(&mut x, &mixed);
        }
        normalise(&x, self.part(self.layout.norm, width), &mut normed);
        multiply(embed, &normed, width, &mut up);
        up
    }

    fn attend(
        &self,
        layer: &LayerAt,
        kept: &mut Kept,
        x: &[f32],
        before: usize,
        places: &[ListPlace],
        mixed: &mut Vec<f32>,
    ) {
        let width = self.config.width;
        let head = self.config.head();
        let lists = [
            (layer.query, &mut kept.queries, true),
            (layer.key, &mut kept.keys, true),
            (layer.value, &mut kept.values, false),
        ];
        let mut made = Vec::new();
        for (at, list, turns) in lists {
            multiply(self.part(at, width * width), x, width, &mut made);
            if turns {
                for ((i, x), place) in made.chunks_exact_mut(width).enumerate().zip(places) {
                    self.angles.turn(&self.config, x, before + i, place.number, 1.0);
                }
            }
            list.extend_from_slice(&made);
        }
        mixed.clear();
        mixed.resize(x.len(), 0.0);
        let mut weights = Vec::new();
        for (t, mixed) in mixed.chunks_exact_mut(width).enumerate() {
            for (h, mixed) in mixed.chunks_exact_mut(head).enumerate() {
                weigh(kept, before + t, h * head..(h + 1) * head, width, &mut weights);
                for (weight, value) in weights.iter().zip(kept.values.chunks_exact(width)) {
                    let value = &value[h * head..(h + 1) * head];
                    for (sum, x) in mixed.iter_mut().zip(value) {
                        *sum += weight * x;
                    }
                }
            }
        }
    }

    /// How much a token looks at itself and at each one before it, for every head of every layer: the
    /// heads of the first layer come first. Empty where the cache does not have the token.
    pub(crate) fn attention(&self, cache: &Cache, token: usize) -> Vec<Vec<f32>> {
        let (width, head) = (self.config.width, self.config.head());
        if token >= cache.len() {
            return Vec::new();
        }
        let mut all = Vec::new();
        for kept in &cache.layers {
            for h in 0..self.config.n_heads {
                let mut weights = Vec::new();
                weigh(kept, token, h * head..(h + 1) * head, width, &mut weights);
                all.push(weights);
            }
        }
        all
    }
}

/// How much a token looks at itself and at each one before it, for one head.
fn weigh(
    kept: &Kept,
    token: usize,
    part: std::ops::Range<usize>,
    width: usize,
    weights: &mut Vec<f32>,
) {
    let by = 1.0 / (part.len() as f32).sqrt();
    let query = &kept.queries[token * width..][part.clone()];
    weights.clear();
    for key in kept.keys.chunks_exact(width).take(token + 1) {
        weights.push(dot(query, &key[part.clone()]) * by);
    }
    softmax(weights);
}
