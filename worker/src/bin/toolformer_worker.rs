//! The engine that runs inline tool calls with trained models, in a Web Worker.

#[cfg(target_arch = "wasm32")]
fn main() {
    use worker::Lists;

    worker::register_engine(&[Lists::CORE, Lists::TRAINED, Lists::TOOLFORMER]);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
