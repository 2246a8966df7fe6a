//! The network of SEG-Bert.

use candle_core::{Result, Tensor};
use candle_nn::{Linear, Module as _, VarBuilder};

use super::Config;
use crate::graph_bert::table;
use crate::layers::{DropoutMask, DropoutPlace, Encoder, LayerNorm, dropped, hide, linear};

/// Graphs, cut into segments of equal length, as tensors.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Segments of all graphs.
    pub n_segments: usize,
    /// Tokens of a segment.
    pub length: usize,
    /// Of each token its row of the adjacency.
    pub rows: Tensor,
    /// The kind of the node, such as its atom.
    pub tags: Tensor,
    /// How many links it has.
    pub degrees: Tensor,
    /// Its Weisfeiler-Lehman colour.
    pub codes: Tensor,
    /// Whether there is a token, or only room.
    pub seen: Tensor,
    /// Of each graph the share of each token in it.
    pub pool: Tensor,
}

/// The layers.
#[derive(Clone, Debug)]
pub struct Net {
    rows: Linear,
    tags: Tensor,
    degrees: Tensor,
    codes: Tensor,
    norm: LayerNorm,
    encoder: Encoder,
    out: Linear,
    hidden: usize,
}

impl Net {
    /// Takes its weights.
    ///
    /// # Errors
    /// One is missing or has another shape.
    pub fn load(config: &Config, vars: &VarBuilder) -> Result<Self> {
        let (sizes, hidden) = (config.sizes, config.sizes.hidden);
        Ok(Self {
            rows: linear(config.n_nodes, hidden, &vars.pp("embeddings.rows"))?,
            tags: table(config.n_tags + 1, hidden, &vars.pp("embeddings.tags"))?,
            degrees: table(config.n_degrees, hidden, &vars.pp("embeddings.degrees"))?,
            codes: table(config.codes.n_codes(), hidden, &vars.pp("embeddings.codes"))?,
            norm: LayerNorm::load(hidden, sizes.eps, &vars.pp("embeddings.LayerNorm"))?,
            encoder: Encoder::load(&sizes, vars)?,
            out: linear(hidden, config.labels.len(), &vars.pp("out"))?,
            hidden,
        })
    }

    /// How much speaks for each class: `[graphs, classes]`, before a softmax.
    ///
    /// Paper: SEG-BERT §3; no residual, as the public code has it.
    ///
    /// # Errors
    /// The shapes do not fit.
    pub fn forward(&self, batch: &Batch, noise: &mut dyn DropoutMask) -> Result<Tensor> {
        let tokens = (self.rows.forward(&batch.rows)?
            + self.tags.index_select(&batch.tags, 0)?
            + self.degrees.index_select(&batch.degrees, 0)?
            + self.codes.index_select(&batch.codes, 0)?)?;
        let tokens = tokens.reshape((batch.n_segments, batch.length, self.hidden))?;
        let tokens = dropped(self.norm.forward(&tokens)?, DropoutPlace::Hidden, noise)?;
        let tokens = self.encoder.forward(&tokens, Some(&hide(&batch.seen)?), noise)?;
        let tokens = tokens.reshape((batch.n_segments * batch.length, self.hidden))?;
        self.out.forward(&batch.pool.matmul(&tokens)?)
    }
}
