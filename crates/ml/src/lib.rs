#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod bpr;
pub mod distil;
mod error;
#[doc(hidden)]
pub mod fixture;
pub mod graph_bert;
pub mod layers;
pub mod minilm;
pub mod network;
pub mod principal;
pub mod seg_bert;
pub mod transe;
pub mod weights;

use candle_core::Tensor;

pub use error::MlError;
pub use minilm::MiniLm;

/// Of each row of logits how likely each label is; together 1.
fn shares(logits: candle_core::Result<Tensor>) -> Result<Vec<Vec<f32>>, MlError> {
    let shares = logits.and_then(|l| candle_nn::ops::softmax_last_dim(&l)?.to_vec2());
    shares.map_err(|e| compute(&e))
}

/// What a model could not do, in the first line of what the tensors say.
fn compute(error: &candle_core::Error) -> MlError {
    let reason = error.to_string().lines().next().unwrap_or_default().to_owned();
    MlError::Compute { reason }
}
