//! The network of Graph-Bert.

use candle_core::{Result, Tensor};
use candle_nn::{Init, Linear, Module as _, VarBuilder};

use super::Config;
use crate::layers::{DropoutMask, DropoutPlace, Encoder, LayerNorm, dropped, linear};

/// Nodes with their sequences as tensors.
#[derive(Clone, Debug)]
pub struct Batch {
    /// How many nodes are asked about.
    pub n: usize,
    /// The features of each node that occurs.
    pub raw: Tensor,
    /// `Â X` of each node that is asked about.
    pub mixed: Tensor,
    /// Of each member of a sequence its row in `raw`.
    pub at: Tensor,
    /// Its code, its rank in the sequence, and its steps from the first.
    pub codes: Tensor,
    /// Its rank in the sequence.
    pub ranks: Tensor,
    /// Its steps from the first.
    pub hops: Tensor,
}

/// The layers.
#[derive(Clone, Debug)]
pub struct Net {
    features: Linear,
    codes: Tensor,
    ranks: Tensor,
    hops: Tensor,
    norm: LayerNorm,
    encoder: Encoder,
    mixed_hidden: Linear,
    mixed_out: Linear,
    out: Linear,
    hidden: usize,
    n_tokens: usize,
}

/// A row of numbers for each of `n` things.
///
/// # Errors
/// It is missing or has another shape.
pub fn table(n: usize, hidden: usize, vars: &VarBuilder) -> Result<Tensor> {
    vars.get_with_hints((n, hidden), "weight", Init::Randn { mean: 0.0, stdev: 0.02 })
}

impl Net {
    /// Takes its weights.
    ///
    /// # Errors
    /// One is missing or has another shape.
    pub fn load(config: &Config, vars: &VarBuilder) -> Result<Self> {
        let Config { n_features, sizes, .. } = *config;
        let hidden = sizes.hidden;
        let n_labels = config.labels.len();
        let n_tokens = config.k + 1;
        Ok(Self {
            features: linear(n_features, hidden, &vars.pp("embeddings.features"))?,
            codes: table(config.codes.n_codes(), hidden, &vars.pp("embeddings.codes"))?,
            ranks: table(n_tokens, hidden, &vars.pp("embeddings.ranks"))?,
            hops: table(config.n_hops, hidden, &vars.pp("embeddings.hops"))?,
            norm: LayerNorm::load(hidden, sizes.eps, &vars.pp("embeddings.LayerNorm"))?,
            encoder: Encoder::load(&sizes, vars)?,
            mixed_hidden: linear(n_features, hidden, &vars.pp("mixed.hidden"))?,
            mixed_out: linear(n_features, n_labels, &vars.pp("mixed.out"))?,
            out: linear(hidden, n_labels, &vars.pp("out"))?,
            hidden,
            n_tokens,
        })
    }

    /// How much speaks for each label: `[nodes, labels]`, before a softmax.
    ///
    /// Paper: Graph-Bert §3.2 to §3.4; after every layer what lies around the node is added to all of
    /// its tokens (graph-raw), and once more to the outputs, as the public code has it.
    ///
    /// # Errors
    /// The shapes do not fit.
    pub fn forward(&self, batch: &Batch, noise: &mut dyn DropoutMask) -> Result<Tensor> {
        let features = self.features.forward(&batch.raw)?.index_select(&batch.at, 0)?;
        let tokens = (features
            + self.codes.index_select(&batch.codes, 0)?
            + self.ranks.index_select(&batch.ranks, 0)?
            + self.hops.index_select(&batch.hops, 0)?)?;
        let tokens = tokens.reshape((batch.n, self.n_tokens, self.hidden))?;
        let mut tokens = dropped(self.norm.forward(&tokens)?, DropoutPlace::Hidden, noise)?;
        let around = self.mixed_hidden.forward(&batch.mixed)?.unsqueeze(1)?;
        for layer in self.encoder.layers() {
            tokens = layer.forward(&tokens, None, noise)?.broadcast_add(&around)?;
        }
        let mean = tokens.mean(1)?;
        self.out.forward(&mean)? + self.mixed_out.forward(&batch.mixed)?
    }
}
