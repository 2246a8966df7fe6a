//! The engine that every visitor needs, in a Web Worker.

#[cfg(target_arch = "wasm32")]
fn main() {
    use worker::Lists;

    worker::register_engine(&[Lists::CORE]);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
