//! Models that run on the visitor's own machine, from the bytes of their weights.
//!
//! Nothing here reads files or opens sockets: whoever calls has the bytes.
#![warn(missing_docs)]

mod error;
pub mod minilm;

pub use error::MlError;
pub use minilm::MiniLm;
