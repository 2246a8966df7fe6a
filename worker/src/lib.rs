#![doc = include_str!("../README.md")]
#![cfg(target_arch = "wasm32")]
#![warn(missing_docs)]

mod host;
#[cfg(feature = "threads")]
mod pool;

/// The lists of what the engine of a worker answers.
pub type Lists = engine::Services<Sent>;
pub use host::{Sent, register_engine};
