#![doc = include_str!("../README.md")]
#![cfg(target_arch = "wasm32")]
#![warn(missing_docs)]

// A heap for each thread.
#[cfg(target_feature = "atomics")]
use memory as _;

mod host;
mod lists;
#[cfg(target_feature = "atomics")]
mod pool;

pub use host::{Sent, register_engine};
pub use lists::{CORE, Kind};
