//! Keys and values of the tokens so far, 16 bits a number.

use half::f16;

use super::Config;

/// Tokens by which a cache grows.
const STEP: usize = 256;

/// Keys or values of one head in one layer, position by position.
type Side = Vec<u16>;

/// The keys and values of a conversation's tokens. It can be cut to its first tokens, and grows
/// with what is put in.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    head_dim: usize,
    n_kv_heads: usize,
    tokens: Vec<u32>,
    /// Keys and values by layer and head.
    sides: Vec<(Side, Side)>,
}

impl Cache {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            head_dim: config.head_dim,
            n_kv_heads: config.n_kv_heads,
            tokens: Vec::new(),
            sides: vec![<(Side, Side)>::default(); config.n_layers * config.n_kv_heads],
        }
    }

    /// The tokens whose keys and values are here.
    pub(crate) fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// A copy of the first tokens.
    pub(crate) fn first(&self, n_tokens: usize) -> Self {
        let n = n_tokens * self.head_dim;
        let cut = |side: &Side| side.get(..n).unwrap_or(side).to_vec();
        Self {
            tokens: self.tokens.get(..n_tokens).unwrap_or(&self.tokens).to_vec(),
            sides: self.sides.iter().map(|(k, v)| (cut(k), cut(v))).collect(),
            ..*self
        }
    }

    /// Forgets all but the first tokens.
    pub(crate) fn truncate(&mut self, n_tokens: usize) {
        self.tokens.truncate(n_tokens);
        for (keys, values) in &mut self.sides {
            keys.truncate(n_tokens * self.head_dim);
            values.truncate(n_tokens * self.head_dim);
        }
    }

    /// Makes room, in steps rather than by doubling.
    pub(super) fn reserve(&mut self, n_tokens: usize) {
        let n = (self.tokens.len() + n_tokens).next_multiple_of(STEP) * self.head_dim;
        for (keys, values) in &mut self.sides {
            keys.reserve_exact(n.saturating_sub(keys.len()));
            values.reserve_exact(n.saturating_sub(values.len()));
        }
    }

    /// Puts keys and values of tokens behind a layer's.
    pub(super) fn push(&mut self, layer: usize, keys: &[f32], values: &[f32]) {
        let narrow = |x: &f32| f16::from_f32(x.clamp(-65504.0, 65504.0)).to_bits();
        let n = self.n_kv_heads;
        for (i, (key, value)) in
            keys.chunks_exact(self.head_dim).zip(values.chunks_exact(self.head_dim)).enumerate()
        {
            let (keys, values) = &mut self.sides[layer * n + i % n];
            keys.extend(key.iter().map(narrow));
            values.extend(value.iter().map(narrow));
        }
    }

    /// Counts tokens whose keys and values were put into every layer.
    pub(super) fn extend(&mut self, tokens: &[u32]) {
        self.tokens.extend_from_slice(tokens);
    }

    pub(super) fn side(&self, layer: usize, head: usize) -> (&[u16], &[u16]) {
        let (keys, values) = &self.sides[layer * self.n_kv_heads + head];
        (keys, values)
    }
}
