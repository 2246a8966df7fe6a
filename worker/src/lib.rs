#![doc = include_str!("../README.md")]
#![cfg(target_arch = "wasm32")]
#![warn(missing_docs)]

// A heap for each thread.
#[cfg(feature = "threads")]
use memory as _;

mod host;
mod lists;
#[cfg(feature = "threads")]
mod pool;

pub use host::{Sent, register_engine};
pub use lists::{CORE, Kind, Lists, ONE_FILE};
