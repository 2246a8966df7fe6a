//! What each token takes from the others.

use candle_core::{D, Result, Tensor};
use candle_nn::{Linear, Module, VarBuilder, ops};

use super::{DropoutMask, DropoutPlace, LayerNorm, Sizes, dropped, linear};

#[derive(Clone, Debug)]
pub(super) struct Attention {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    norm: LayerNorm,
    heads: usize,
}

impl Attention {
    pub(super) fn load(sizes: &Sizes, vars: &VarBuilder) -> Result<Self> {
        let square = |name: &str| linear(sizes.hidden, sizes.hidden, &vars.pp(name));
        Ok(Self {
            query: square("self.query")?,
            key: square("self.key")?,
            value: square("self.value")?,
            output: square("output.dense")?,
            norm: LayerNorm::load(sizes.hidden, sizes.eps, &vars.pp("output.LayerNorm"))?,
            heads: sizes.heads,
        })
    }

    pub(super) fn forward(
        &self,
        hidden: &Tensor,
        mask: Option<&Tensor>,
        noise: &mut dyn DropoutMask,
    ) -> Result<Tensor> {
        let (batch, tokens, size) = hidden.dims3()?;
        let per_head = size / self.heads;
        let parts = |x: Tensor| {
            x.reshape((batch, tokens, self.heads, per_head))?.transpose(1, 2)?.contiguous()
        };
        let query = parts(self.query.forward(hidden)?)?;
        let key = parts(self.key.forward(hidden)?)?;
        let value = parts(self.value.forward(hidden)?)?;
        let mut scores = (query.matmul(&key.t()?)? / (per_head as f64).sqrt())?;
        if let Some(mask) = mask {
            scores = scores.broadcast_add(mask)?;
        }
        let shares = dropped(softmax(&scores)?, DropoutPlace::Attention, noise)?;
        let taken = shares.matmul(&value)?.transpose(1, 2)?.contiguous()?;
        let taken = self.output.forward(&taken.flatten_from(D::Minus2)?)?;
        self.norm.forward(&(dropped(taken, DropoutPlace::Hidden, noise)? + hidden)?)
    }
}

/// The shares by the last dimension.
fn softmax(scores: &Tensor) -> Result<Tensor> {
    if scores.track_op() {
        ops::softmax(scores, D::Minus1)
    } else {
        // In one go over the memory, but without a gradient.
        ops::softmax_last_dim(scores)
    }
}
