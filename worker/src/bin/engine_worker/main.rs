//! The engine, in a Web Worker.

// A part of a module with threads would have to be loaded by each of them.
#[cfg(all(target_arch = "wasm32", not(feature = "threads")))]
mod parts;

#[cfg(target_arch = "wasm32")]
fn main() {
    #[cfg(feature = "threads")]
    worker::register_engine(|_| worker::CORE.to_vec());
    #[cfg(not(feature = "threads"))]
    worker::register_engine(parts::lists);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
