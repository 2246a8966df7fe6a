//! The sizes of a network, as the metadata say them and the tensors bear out.

use crate::GgufError;
use crate::error::ARCHITECTURES;
use crate::file::Head;

/// Sizes and numbers of a transformer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Config {
    pub n_layers: usize,
    pub n_embd: usize,
    pub n_ff: usize,
    pub n_heads: usize,
    pub n_kv_heads: usize,
    pub head_dim: usize,
    pub n_vocab: usize,
    pub n_ctx: usize,
    pub eps: f32,
    pub rope_base: f64,
    /// By how much positions are stretched.
    pub rope_factor: f64,
    /// How many dimensions of a head are turned.
    pub rope_dims: usize,
    /// Whether halves of a head are turned against each other, rather than neighbours.
    pub is_neox: bool,
}

impl Config {
    pub(crate) fn of(head: &Head) -> Result<Self, GgufError> {
        let found = head.text("general.architecture").ok_or(GgufError::Metadata {
            key: "general.architecture".to_owned(),
            expected: "a text",
        })?;
        if !ARCHITECTURES.contains(&found) {
            return Err(GgufError::Architecture { found: found.to_owned() });
        }
        let key = |end: &str| format!("{found}.{end}");
        if head.size(&key("expert_count")).is_some_and(|n| n > 0) {
            return Err(GgufError::Architecture { found: format!("{found} with experts") });
        }
        let n_embd = head.sized(&key("embedding_length"), 1 << 16)?;
        let n_heads = head.sized(&key("attention.head_count"), 1 << 12)?;
        let kv_key = key("attention.head_count_kv");
        let n_kv_heads =
            if head.values.contains_key(&kv_key) { head.sized(&kv_key, n_heads)? } else { n_heads };
        let dim_key = key("attention.key_length");
        let head_dim = if head.values.contains_key(&dim_key) {
            head.sized(&dim_key, 1 << 12)?
        } else {
            n_embd / n_heads
        };
        let uneven = |what: String| Err(GgufError::damaged(what));
        if !n_heads.is_multiple_of(n_kv_heads) {
            return uneven(format!(
                "{n_heads} heads share {n_kv_heads} keys; expected a multiple of them"
            ));
        }
        if head_dim == 0 || !head_dim.is_multiple_of(2) {
            return uneven(format!(
                "its heads have {head_dim} dimensions; expected an even number"
            ));
        }
        let value_dim = head.size(&key("attention.value_length")).unwrap_or(head_dim);
        if value_dim != head_dim {
            return uneven(format!("keys have {head_dim} dimensions and values {value_dim}"));
        }
        let rope_dims = head.size(&key("rope.dimension_count")).unwrap_or(head_dim);
        if rope_dims > head_dim || !rope_dims.is_multiple_of(2) {
            return uneven(format!("{rope_dims} of {head_dim} dimensions are turned"));
        }
        let rope_factor = match head.text(&key("rope.scaling.type")) {
            None | Some("none" | "linear") => {
                head.float(&key("rope.scaling.factor")).filter(|x| *x > 0.0).unwrap_or(1.0)
            }
            Some(other) => {
                return uneven(format!("its positions are scaled by {other:?}; known is linear"));
            }
        };
        let eps_key = key("attention.layer_norm_rms_epsilon");
        let eps = head.float(&eps_key).filter(|x| (0.0..1.0).contains(x));
        let embedding = head.tensor("token_embd.weight")?;
        let n_vocab = embedding.n_rows;
        if n_vocab == 0 || n_vocab > 1 << 21 || embedding.n_cols != n_embd {
            return Err(GgufError::tensor(
                "token_embd.weight",
                format!(
                    "has {} × {} numbers; expected {n_embd} for each token",
                    embedding.n_cols, embedding.n_rows
                ),
            ));
        }
        Ok(Self {
            n_layers: head.sized(&key("block_count"), 1 << 12)?,
            n_embd,
            n_ff: head.sized(&key("feed_forward_length"), 1 << 20)?,
            n_heads,
            n_kv_heads,
            head_dim,
            n_vocab,
            n_ctx: head.sized(&key("context_length"), 1 << 27)?,
            eps: eps.ok_or(GgufError::Metadata { key: eps_key, expected: "a small number" })?
                as f32,
            rope_base: head.float(&key("rope.freq_base")).filter(|x| *x > 0.0).unwrap_or(10_000.0),
            rope_factor,
            rope_dims,
            is_neox: found == "qwen2",
        })
    }

    /// Numbers of the keys, or of the values, of one token in one layer.
    pub(crate) fn kv_dim(&self) -> usize {
        self.n_kv_heads * self.head_dim
    }

    /// Keys and values of all layers, two bytes a number.
    pub(crate) fn cache_bytes_per_token(&self) -> u64 {
        (self.n_layers as u64) * 2 * (self.kv_dim() as u64) * 2
    }
}

/// What a network of a file is, for whoever computes it in another way, such as to let it learn.
#[derive(Clone, Debug, PartialEq)]
pub struct DecoderSizes {
    /// Layers.
    pub n_layers: usize,
    /// Numbers of the stream between layers.
    pub n_embd: usize,
    /// Numbers inside of the gated network.
    pub n_ff: usize,
    /// Heads that ask.
    pub n_heads: usize,
    /// Heads of keys and values, each shared by the same number of those that ask.
    pub n_kv_heads: usize,
    /// Numbers of a head.
    pub head_dim: usize,
    /// Rows of the embedding.
    pub n_vocab: usize,
    /// The longest context that it was trained for, in tokens.
    pub n_ctx: usize,
    /// What is added to mean squares.
    pub eps: f32,
    /// The angle from one position to the next of each pair of numbers of a head that is turned.
    pub turns: Vec<f64>,
    /// Whether halves of a head are turned against each other, rather than neighbours.
    pub turns_halves: bool,
    /// Whether what comes out has a matrix of its own, rather than the embedding.
    pub has_head: bool,
}
