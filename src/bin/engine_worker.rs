//! The engine that every visitor needs, in a Web Worker.

#[cfg(target_arch = "wasm32")]
fn main() {
    app::register_engine(app::Parts::PLAIN);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
