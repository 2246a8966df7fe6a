//! The worker that runs model files.

// A heap for each thread.
#[cfg(all(target_arch = "wasm32", target_feature = "atomics"))]
use memory as _;
// The script that starts this module starts its threads too.
#[cfg(all(target_arch = "wasm32", target_feature = "atomics"))]
pub use wasm_bindgen_rayon::init_thread_pool;

#[cfg(target_arch = "wasm32")]
mod answer;
#[cfg(target_arch = "wasm32")]
mod check;
#[cfg(target_arch = "wasm32")]
mod host;
#[cfg(target_arch = "wasm32")]
mod keep;
#[cfg(target_arch = "wasm32")]
mod reader;
#[cfg(target_arch = "wasm32")]
mod store;

// Every thread comes through here, and only `begin` makes one of them the worker.
fn main() {}
