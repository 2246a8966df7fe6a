//! Models that run on the visitor's own machine, from the bytes of their weights.
//!
//! Nothing here reads files or opens sockets: whoever calls has the bytes.
#![warn(missing_docs)]

pub mod distil;
mod error;
pub mod layers;
pub mod minilm;
pub mod principal;

pub use error::MlError;
pub use minilm::MiniLm;
