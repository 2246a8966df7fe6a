//! Our functions as the benchmark's page calls them.
//!
//! Not part of what ships. The functions are the library's typed ones, on a graph that lies in
//! WebAssembly memory already, as the other libraries have theirs in their own; no message and no
//! JSON is counted. Each case gives one number, by which the libraries are held against each other.

mod cases;
mod drawn;
mod factories;
mod kg;
mod peer;
mod solved;

pub use cases::{CASES, Case, build, dataset, made};
pub use drawn::{Drawn, Kind, TIMED, draw};
pub use factories::graph_for;
pub use kg::KgCase;
pub use peer::{PETGRAPH, PeerCase, PeerGraph, build_peer};
pub use solved::TaskCase;

#[cfg(all(target_arch = "wasm32", target_feature = "atomics"))]
use memory as _;

#[cfg(target_arch = "wasm32")]
mod messages;
#[cfg(target_arch = "wasm32")]
mod page;
