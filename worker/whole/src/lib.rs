#![doc = include_str!("../README.md")]
#![cfg(target_arch = "wasm32")]
#![warn(missing_docs)]

mod lists;

pub use lists::{Lists, ONE_FILE};
