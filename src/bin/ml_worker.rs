//! Registers an engine in a Web Worker.

#[cfg(target_arch = "wasm32")]
fn main() {
    app::register_engine();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
