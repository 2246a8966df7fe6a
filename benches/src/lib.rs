//! Our functions as the benchmark's page calls them.
//!
//! Not part of what ships. The functions are the library's typed ones, on a graph that lies in
//! WebAssembly memory already, as the other libraries have theirs in their own; no message and no
//! JSON is counted. Each case gives one number, by which the libraries are held against each other.

mod cases;
mod factories;
mod kg;

pub use cases::{CASES, Case, build, dataset, made};
pub use factories::graph_for;
pub use kg::KgCase;

#[cfg(target_arch = "wasm32")]
mod messages;
#[cfg(target_arch = "wasm32")]
mod page;
