//! The layers of a BERT: attention and two small networks, each with its rest added and normalised
//! after it (post-LN). What goes in and what comes out are the caller's.
//!
//! They compute the same on the page and where a model is trained. Tensors that nobody trains take
//! faster operations that have no gradient; which, the tensors themselves say.

mod attention;
mod noise;
mod norm;
mod start;

use candle_core::{Result, Tensor};
use candle_nn::{Init, Linear, Module, VarBuilder};
use serde::{Deserialize, Serialize};

use attention::Attention;
pub use noise::{Dropout, DropoutMask, DropoutPlace, NoDropout, dropped};
pub use norm::LayerNorm;
pub use start::Seeded;

use crate::weights::{FileError, bounded};

/// How far from zero BERT's weights begin.
const SPREAD: f64 = 0.02;

/// What keeps a normalised token of the small BERTs from dividing by zero.
pub(crate) const EPS: f64 = 1e-12;

/// The sizes of an encoder; files have them without the last.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sizes {
    /// Hidden size.
    pub hidden: usize,
    /// Size of the feed-forward network inside a layer.
    pub intermediate: usize,
    /// Attention heads; they share the hidden size.
    pub heads: usize,
    /// Encoder layers.
    pub layers: usize,
    /// What keeps a normalised layer from dividing by zero.
    #[serde(skip, default = "eps")]
    pub eps: f64,
}

fn eps() -> f64 {
    EPS
}

impl Sizes {
    /// Those of a small BERT of this crate.
    pub fn new(hidden: usize, intermediate: usize, heads: usize, layers: usize) -> Self {
        Self { hidden, intermediate, heads, layers, eps: EPS }
    }

    /// Holds the sizes of a file against what is computed with.
    pub(crate) fn check(&self) -> std::result::Result<(), FileError> {
        for (field, value, limit) in [
            ("hidden", self.hidden, 4096),
            ("intermediate", self.intermediate, 16_384),
            ("heads", self.heads, 64),
            ("layers", self.layers, 100),
        ] {
            bounded(field, value, limit)?;
        }
        Ok(())
    }
}

/// Layers one after the other.
#[derive(Clone, Debug)]
pub struct Encoder {
    layers: Vec<Layer>,
}

impl Encoder {
    /// Takes the weights `encoder.layer.N.…` under the names that BERT gives them.
    ///
    /// # Errors
    /// If one is missing or has another shape, or the heads cannot share out the hidden numbers.
    pub fn load(sizes: &Sizes, vars: &VarBuilder) -> Result<Self> {
        if sizes.heads == 0 || !sizes.hidden.is_multiple_of(sizes.heads) {
            candle_core::bail!(
                "{} numbers cannot be shared out among {} heads",
                sizes.hidden,
                sizes.heads
            );
        }
        let vars = vars.pp("encoder").pp("layer");
        let layers =
            (0..sizes.layers).map(|i| Layer::load(sizes, &vars.pp(i))).collect::<Result<_>>()?;
        Ok(Self { layers })
    }

    /// The layers, for whoever does something after each.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// What the last layer makes of `hidden [batch, tokens, hidden]`.
    ///
    /// `mask` is added to what a token heeds of another before the softmax, so it fits
    /// `[batch, heads, tokens, tokens]`, by repetition where it has a one: 0 where it may heed it,
    /// and a very small number where it may not ([`hide`]).
    ///
    /// # Errors
    /// If the shapes do not fit.
    pub fn forward(
        &self,
        hidden: &Tensor,
        mask: Option<&Tensor>,
        noise: &mut dyn DropoutMask,
    ) -> Result<Tensor> {
        let mut hidden = hidden.clone();
        for layer in &self.layers {
            hidden = layer.forward(&hidden, mask, noise)?;
        }
        Ok(hidden)
    }
}

/// The mask that hides tokens from all: of `seen [batch, tokens]`, 1 where there is a token and 0
/// where only room was filled.
///
/// # Errors
/// If `seen` has another shape.
pub fn hide(seen: &Tensor) -> Result<Tensor> {
    let absent = (seen.ones_like()? - seen)?;
    (absent * f64::from(f32::MIN))?.unsqueeze(1)?.unsqueeze(1)
}

/// One encoder layer: attention, then a feed-forward network.
#[derive(Clone, Debug)]
pub struct Layer {
    attention: Attention,
    widen: Linear,
    narrow: Linear,
    norm: LayerNorm,
}

impl Layer {
    fn load(sizes: &Sizes, vars: &VarBuilder) -> Result<Self> {
        let output = vars.pp("output");
        Ok(Self {
            attention: Attention::load(sizes, &vars.pp("attention"))?,
            widen: linear(sizes.hidden, sizes.intermediate, &vars.pp("intermediate.dense"))?,
            narrow: linear(sizes.intermediate, sizes.hidden, &output.pp("dense"))?,
            norm: LayerNorm::load(sizes.hidden, sizes.eps, &output.pp("LayerNorm"))?,
        })
    }

    /// What the layer makes of `hidden [batch, tokens, hidden]`; `mask` as for
    /// [`Encoder::forward`].
    ///
    /// # Errors
    /// If the shapes do not fit.
    pub fn forward(
        &self,
        hidden: &Tensor,
        mask: Option<&Tensor>,
        noise: &mut dyn DropoutMask,
    ) -> Result<Tensor> {
        let heeded = self.attention.forward(hidden, mask, noise)?;
        let inner = self.widen.forward(&heeded)?.gelu_erf()?;
        let inner = dropped(self.narrow.forward(&inner)?, DropoutPlace::Hidden, noise)?;
        self.norm.forward(&(inner + heeded)?)
    }
}

/// Weights and a bias; where they are yet to be trained, they begin as BERT's do.
///
/// # Errors
/// If one is missing or has another shape.
pub fn linear(into: usize, out: usize, vars: &VarBuilder) -> Result<Linear> {
    let weight =
        vars.get_with_hints((out, into), "weight", Init::Randn { mean: 0.0, stdev: SPREAD })?;
    let bias = vars.get_with_hints(out, "bias", Init::Const(0.0))?;
    Ok(Linear::new(weight, Some(bias)))
}

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
