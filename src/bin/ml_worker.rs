//! The engine with knowledge graphs and models, in a Web Worker.

#[cfg(target_arch = "wasm32")]
fn main() {
    app::register_engine(app::Parts::PLAIN.with_knowledge().with_minilm());
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
