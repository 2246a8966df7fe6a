//! The engine with knowledge graphs and models, in a Web Worker.

#[cfg(target_arch = "wasm32")]
fn main() {
    use worker::Lists;

    worker::register_engine(&[Lists::CORE, Lists::MINILM, Lists::KNOWLEDGE]);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
