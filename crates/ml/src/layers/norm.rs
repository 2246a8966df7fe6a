//! Numbers brought to a mean of zero and a spread of one, then to what was learned.

use candle_core::{D, Result, Tensor};
use candle_nn::{Init, VarBuilder, ops};

/// The normalisation of the last dimension.
#[derive(Clone, Debug)]
pub struct LayerNorm {
    weight: Tensor,
    bias: Tensor,
    eps: f64,
}

impl LayerNorm {
    /// Takes `weight` and `bias` of so many numbers.
    ///
    /// # Errors
    /// If one is missing or has another shape.
    pub fn load(size: usize, eps: f64, vars: &VarBuilder) -> Result<Self> {
        Ok(Self {
            weight: vars.get_with_hints(size, "weight", Init::Const(1.0))?,
            bias: vars.get_with_hints(size, "bias", Init::Const(0.0))?,
            eps,
        })
    }

    /// Normalises.
    ///
    /// # Errors
    /// If the last dimension has another size.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let trained = x.track_op() || self.weight.track_op() || self.bias.track_op();
        if !trained && x.is_contiguous() {
            // In one go over the memory, but without a gradient.
            return ops::layer_norm(x, &self.weight, &self.bias, self.eps as f32);
        }
        let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let spread = (centred.sqr()?.mean_keepdim(D::Minus1)? + self.eps)?.sqrt()?;
        centred.broadcast_div(&spread)?.broadcast_mul(&self.weight)?.broadcast_add(&self.bias)
    }
}
