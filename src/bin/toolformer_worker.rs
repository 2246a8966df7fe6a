//! The engine that runs calls in text with trained models, in a Web Worker.

#[cfg(target_arch = "wasm32")]
fn main() {
    app::register_engine(app::Parts::PLAIN.with_toolformer().with_trained());
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
