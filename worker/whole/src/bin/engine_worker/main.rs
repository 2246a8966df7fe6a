//! The engine, in a Web Worker.

#[cfg(target_arch = "wasm32")]
mod parts;

#[cfg(target_arch = "wasm32")]
fn main() {
    worker::register_engine(parts::lists);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
