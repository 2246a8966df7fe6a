//! The `config.json` beside a BERT's weights.

use serde::Deserialize;

use crate::MlError;
use crate::layers::Sizes;

/// What of it the computation depends on.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Config {
    pub vocab_size: usize,
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    pub max_position_embeddings: usize,
    pub type_vocab_size: usize,
    pub layer_norm_eps: f64,
    // Named only so that another kind is refused rather than computed wrongly.
    #[serde(rename = "hidden_act")]
    _activation: Activation,
    #[serde(default, rename = "position_embedding_type")]
    _positions: Positions,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Activation {
    Gelu,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Positions {
    #[default]
    Absolute,
}

impl Config {
    pub fn read(bytes: &[u8]) -> Result<Self, MlError> {
        let config: Self = serde_json::from_slice(bytes)
            .map_err(|error| MlError::Config { reason: error.to_string() })?;
        config.check()?;
        Ok(config)
    }

    /// Refuses sizes that would take all memory before the weights are looked at.
    fn check(&self) -> Result<(), MlError> {
        let sizes = [
            ("vocab_size", self.vocab_size, 1_000_000),
            ("hidden_size", self.hidden_size, 4096),
            ("num_hidden_layers", self.num_hidden_layers, 48),
            ("num_attention_heads", self.num_attention_heads, 64),
            ("intermediate_size", self.intermediate_size, 16_384),
            ("max_position_embeddings", self.max_position_embeddings, 8192),
            ("type_vocab_size", self.type_vocab_size, 16),
        ];
        for (field, value, limit) in sizes {
            if value == 0 || value > limit {
                return Err(MlError::Size { field, value, limit });
            }
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err(MlError::Config {
                reason: format!(
                    "{} dimensions cannot be shared out among {} heads",
                    self.hidden_size, self.num_attention_heads
                ),
            });
        }
        Ok(())
    }

    pub fn sizes(&self) -> Sizes {
        Sizes {
            hidden: self.hidden_size,
            intermediate: self.intermediate_size,
            heads: self.num_attention_heads,
            layers: self.num_hidden_layers,
            eps: self.layer_norm_eps,
        }
    }
}
