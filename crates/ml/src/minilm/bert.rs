//! A BERT: what its tokens are and where they stand, then the layers.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use super::config::Config;
use crate::layers::{Encoder, LayerNorm, NoDropout, hide};

pub(super) struct Bert {
    words: Tensor,
    places: Tensor,
    /// What every token of a lone text is given; a BERT has another for a second text.
    kind: Tensor,
    norm: LayerNorm,
    encoder: Encoder,
}

impl Bert {
    pub fn load(config: &Config, vars: &VarBuilder) -> Result<Self> {
        // Some models were kept as part of a larger one.
        let inner = vars.pp("bert");
        let vars = if inner.contains_tensor("embeddings.LayerNorm.weight") { &inner } else { vars };
        let embeddings = vars.pp("embeddings");
        let table = |name: &str, rows: usize| {
            embeddings.get((rows, config.hidden_size), &format!("{name}.weight"))
        };
        Ok(Self {
            words: table("word_embeddings", config.vocab_size)?,
            places: table("position_embeddings", config.max_position_embeddings)?,
            kind: table("token_type_embeddings", config.type_vocab_size)?.get(0)?,
            norm: LayerNorm::load(
                config.hidden_size,
                config.layer_norm_eps,
                &embeddings.pp("LayerNorm"),
            )?,
            encoder: Encoder::load(&config.sizes(), vars)?,
        })
    }

    /// The vectors of the tokens `ids [batch, tokens]`, of which `seen` says which are there.
    pub fn forward(&self, ids: &Tensor, seen: &Tensor) -> Result<Tensor> {
        let (batch, tokens) = ids.dims2()?;
        let words = self.words.index_select(&ids.flatten_all()?, 0)?;
        let hidden = words
            .reshape((batch, tokens, ()))?
            .broadcast_add(&self.kind)?
            .broadcast_add(&self.places.narrow(0, 0, tokens)?)?;
        self.encoder.forward(&self.norm.forward(&hidden)?, Some(&hide(seen)?), &mut NoDropout)
    }
}
