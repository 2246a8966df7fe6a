//! How tokens look back at those before them, and how positions turn what they look with.

use super::kernels::{self, Level};
use super::{Cache, Config};

/// Positions whose keys are widened at a time.
const TILE: usize = 64;
/// Tokens that a job does.
const TOKENS: usize = 16;

/// The angles by which positions turn queries and keys.
#[derive(Debug)]
pub(super) struct Rope {
    /// The angle of one position, for each pair.
    steps: Vec<f64>,
    head_dim: usize,
    is_neox: bool,
}

impl Rope {
    /// `factors` divide the angles, where the file has such.
    pub(super) fn new(config: &Config, factors: &[f32]) -> Self {
        let dims = config.rope_dims;
        let step = |i: usize| {
            let by = factors.get(i).map_or(1.0, |f| f64::from(*f));
            config.rope_base.powf(-((2 * i) as f64) / dims as f64) / by / config.rope_factor
        };
        Self {
            steps: (0..dims / 2).map(step).collect(),
            head_dim: config.head_dim,
            is_neox: config.is_neox,
        }
    }

    /// The angle of one position, for each pair.
    pub(super) fn steps(&self) -> &[f64] {
        &self.steps
    }

    /// Cosine and sine for each pair of each position.
    pub(super) fn turns(&self, first: usize, n: usize) -> Vec<(f32, f32)> {
        let positions = first..first + n;
        let of = |position: usize| {
            self.steps.iter().map(move |step| {
                let (sin, cos) = (position as f64 * step).sin_cos();
                (cos as f32, sin as f32)
            })
        };
        positions.flat_map(of).collect()
    }

    /// Turns each head of each token, whose vectors are `width` long.
    pub(super) fn turn(&self, x: &mut [f32], width: usize, turns: &[(f32, f32)]) {
        let n = self.steps.len();
        if n == 0 {
            return;
        }
        for (token, turns) in x.chunks_exact_mut(width).zip(turns.chunks_exact(n)) {
            for head in token.chunks_exact_mut(self.head_dim) {
                for (i, (cos, sin)) in turns.iter().enumerate() {
                    let (a, b) = if self.is_neox { (i, i + n) } else { (2 * i, 2 * i + 1) };
                    let (x, y) = (head[a], head[b]);
                    head[a] = x * cos - y * sin;
                    head[b] = x * sin + y * cos;
                }
            }
        }
    }
}

/// What the heads that share keys give some tokens: head by head, and for each the tokens one behind
/// the other. Keys and values are widened once for all of them.
fn group(
    c: &Config,
    level: Level,
    (keys, values): (&[u16], &[u16]),
    first: usize,
    n_tokens: usize,
    queries: &[&[f32]],
) -> Vec<f32> {
    let dim = c.head_dim;
    let n_all = first + n_tokens;
    let by = 1.0 / (dim as f32).sqrt();
    let mut weights = vec![0.0; queries.len() * n_all];
    let mut wide = vec![0.0; TILE * dim];
    for (tile, keys) in keys[..n_all * dim].chunks(TILE * dim).enumerate() {
        let wide = &mut wide[..keys.len()];
        kernels::widen(level, keys, wide);
        for (q, query) in queries.iter().enumerate() {
            // A token sees those before it and itself.
            let end = (first + q % n_tokens + 1).min((tile + 1) * TILE);
            if let Some(n) = end.checked_sub(tile * TILE) {
                let into = &mut weights[q * n_all + tile * TILE..][..n];
                kernels::scores(level, query, wide, by, into);
            }
        }
    }
    for (q, weights) in weights.chunks_exact_mut(n_all).enumerate() {
        kernels::softmax(level, &mut weights[..first + q % n_tokens + 1]);
    }
    let mut out = vec![0.0; queries.len() * dim];
    for (tile, values) in values[..n_all * dim].chunks(TILE * dim).enumerate() {
        let wide = &mut wide[..values.len()];
        kernels::widen(level, values, wide);
        for (q, out) in out.chunks_exact_mut(dim).enumerate() {
            let end = (first + q % n_tokens + 1).min((tile + 1) * TILE);
            if let Some(n) = end.checked_sub(tile * TILE) {
                kernels::blend(level, &weights[q * n_all + tile * TILE..][..n], wide, out);
            }
        }
    }
    out
}

/// What the heads of a layer give the tokens from `first` on, whose keys and values are in the
/// cache; token by token.
pub(super) fn attend(
    c: &Config,
    level: Level,
    cache: &Cache,
    layer: usize,
    first: usize,
    queries: &[f32],
) -> Vec<f32> {
    let (dim, width) = (c.head_dim, c.n_heads * c.head_dim);
    let tokens: Vec<&[f32]> = queries.chunks_exact(width).collect();
    // Heads that look at the same keys; `Config` has seen that none is left over.
    let n_shared = c.n_heads / c.n_kv_heads;
    let jobs: Vec<(usize, usize)> = (0..tokens.len())
        .step_by(TOKENS)
        .flat_map(|token| (0..c.n_kv_heads).map(move |kv| (token, kv)))
        .collect();
    let job = |&(token, kv): &(usize, usize)| {
        let some = &tokens[token..tokens.len().min(token + TOKENS)];
        let queries: Vec<&[f32]> = (kv * n_shared..(kv + 1) * n_shared)
            .flat_map(|h| some.iter().map(move |token| &token[h * dim..][..dim]))
            .collect();
        group(c, level, cache.side(layer, kv), first + token, some.len(), &queries)
    };
    #[cfg(any(not(target_arch = "wasm32"), target_feature = "atomics"))]
    let done: Vec<Vec<f32>> = {
        use rayon::prelude::*;
        // Waking a thread costs more than a short look back.
        if tokens.len() * (first + tokens.len()) > 128 {
            jobs.par_iter().map(job).collect()
        } else {
            jobs.iter().map(job).collect()
        }
    };
    #[cfg(not(any(not(target_arch = "wasm32"), target_feature = "atomics")))]
    let done: Vec<Vec<f32>> = jobs.iter().map(job).collect();
    let mut out = vec![0.0; queries.len()];
    for ((token, kv), part) in jobs.iter().zip(&done) {
        let n = TOKENS.min(tokens.len() - token);
        for (q, part) in part.chunks_exact(dim).enumerate() {
            let h = kv * n_shared + q / n;
            out[(token + q % n) * width + h * dim..][..dim].copy_from_slice(part);
        }
    }
    out
}
