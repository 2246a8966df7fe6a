//! The network: a decoder of llama's shape, with qwen2's biases where the file has them.

mod attention;
mod cache;
mod config;
mod kernels;
mod load;
pub(crate) mod matrix;
mod product;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use cache::Cache;
pub(crate) use config::Config;
pub use config::DecoderSizes;

use attention::Rope;
use kernels::{Inputs, Level};
use matrix::Matrix;
use product::multiply;

/// The most tokens that are computed at once.
pub(crate) const BATCH: usize = 64;

/// A layer's weights.
#[derive(Debug)]
struct Layer {
    attention_norm: Vec<f32>,
    q: Matrix,
    k: Matrix,
    v: Matrix,
    /// What is added to queries, keys and values; empty where nothing is.
    biases: [Vec<f32>; 3],
    output: Matrix,
    ffn_norm: Vec<f32>,
    gate: Matrix,
    up: Matrix,
    down: Matrix,
}

/// Weights and sizes of a model.
#[derive(Debug)]
pub(crate) struct Network {
    pub config: Config,
    level: Level,
    embedding: Matrix,
    layers: Vec<Layer>,
    norm: Vec<f32>,
    /// Absent where the embedding serves.
    head: Option<Matrix>,
    rope: Rope,
}

/// Divides each vector by its root mean square, and multiplies it with weights.
fn normed(x: &[f32], weights: &[f32], eps: f32) -> Vec<f32> {
    let mut out = Vec::with_capacity(x.len());
    for x in x.chunks_exact(weights.len()) {
        let squares = kernels::dot(Level::Portable, x, x);
        let by = 1.0 / (squares / weights.len() as f32 + eps).sqrt();
        out.extend(x.iter().zip(weights).map(|(x, w)| x * by * w));
    }
    out
}

fn add(x: &mut [f32], y: &[f32]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += y;
    }
}

fn add_bias(x: &mut [f32], bias: &[f32]) {
    if !bias.is_empty() {
        for x in x.chunks_exact_mut(bias.len()) {
            add(x, bias);
        }
    }
}

/// Tokens on their way through the layers.
#[derive(Debug)]
pub(crate) struct Pass {
    tokens: Vec<u32>,
    x: Vec<f32>,
    turns: Vec<(f32, f32)>,
    layer: usize,
}

impl Network {
    /// Puts at most [`BATCH`] tokens behind those of the cache, and gives the logits after the last
    /// where they are wanted. Tokens are in the vocabulary: whoever calls has looked.
    pub(crate) fn forward(
        &self,
        cache: &mut Cache,
        tokens: &[u32],
        wants_logits: bool,
    ) -> Option<Vec<f32>> {
        let mut work = || {
            let mut pass = self.begin(cache, tokens);
            while self.compute(cache, &mut pass) {}
            self.end(cache, pass, wants_logits)
        };
        // On a thread of the pool: one from outside would sleep and be woken for every product.
        #[cfg(any(not(target_arch = "wasm32"), target_feature = "atomics"))]
        return rayon::scope(|_| work());
        #[cfg(not(any(not(target_arch = "wasm32"), target_feature = "atomics")))]
        work()
    }

    /// Begins what [`Network::forward`] does at once, for whoever wants to be asked between layers.
    /// The cache must be cut to its length if it is not brought to its end.
    pub(crate) fn begin(&self, cache: &mut Cache, tokens: &[u32]) -> Pass {
        let n_embd = self.config.n_embd;
        let mut x = vec![0.0; tokens.len() * n_embd];
        for (token, x) in tokens.iter().zip(x.chunks_exact_mut(n_embd)) {
            self.embedding.row(*token as usize, x);
        }
        let turns = self.rope.turns(cache.len(), tokens.len());
        cache.reserve(tokens.len());
        Pass { tokens: tokens.to_vec(), x, turns, layer: 0 }
    }

    /// Takes tokens through their next layer; says whether another follows.
    pub(crate) fn next_layer(&self, cache: &mut Cache, pass: &mut Pass) -> bool {
        #[cfg(any(not(target_arch = "wasm32"), target_feature = "atomics"))]
        return rayon::scope(|_| self.compute(cache, pass));
        #[cfg(not(any(not(target_arch = "wasm32"), target_feature = "atomics")))]
        self.compute(cache, pass)
    }

    fn compute(&self, cache: &mut Cache, pass: &mut Pass) -> bool {
        let Some(layer) = self.layers.get(pass.layer) else { return false };
        let (c, x, turns) = (&self.config, &mut pass.x, &pass.turns);
        let inputs = Inputs::new(normed(x, &layer.attention_norm, c.eps), c.n_embd);
        let mut projected = multiply(self.level, &[&layer.q, &layer.k, &layer.v], &inputs);
        for (x, bias) in projected.iter_mut().zip(&layer.biases) {
            add_bias(x, bias);
        }
        let [q, k, v] = projected.as_mut_slice() else { return false };
        self.rope.turn(q, c.n_heads * c.head_dim, turns);
        self.rope.turn(k, c.kv_dim(), turns);
        cache.push(pass.layer, k, v);
        let mixed = attention::attend(c, self.level, cache, pass.layer, cache.len(), q);
        let inputs = Inputs::new(mixed, c.n_heads * c.head_dim);
        add(x, &multiply(self.level, &[&layer.output], &inputs).concat());
        let inputs = Inputs::new(normed(x, &layer.ffn_norm, c.eps), c.n_embd);
        let mut wide = multiply(self.level, &[&layer.gate, &layer.up], &inputs);
        let [gate, up] = wide.as_mut_slice() else { return false };
        kernels::swiglu(self.level, gate, up);
        let inputs = Inputs::new(std::mem::take(gate), c.n_ff);
        add(x, &multiply(self.level, &[&layer.down], &inputs).concat());
        pass.layer += 1;
        pass.layer < self.layers.len()
    }

    /// Counts tokens that went through every layer, and gives the logits after the last where they are
    /// wanted.
    pub(crate) fn end(
        &self,
        cache: &mut Cache,
        pass: Pass,
        wants_logits: bool,
    ) -> Option<Vec<f32>> {
        cache.extend(&pass.tokens);
        if !wants_logits {
            return None;
        }
        let c = &self.config;
        let last = pass.x.get(pass.x.len().saturating_sub(c.n_embd)..)?;
        let inputs = Inputs::new(normed(last, &self.norm, c.eps), c.n_embd);
        let head = self.head.as_ref().unwrap_or(&self.embedding);
        Some(multiply(self.level, &[head], &inputs).concat())
    }
}
