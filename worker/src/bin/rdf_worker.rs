//! The engine with knowledge graphs and SPARQL, in a Web Worker.

#[cfg(target_arch = "wasm32")]
fn main() {
    use worker::Lists;

    worker::register_engine(&[Lists::CORE, Lists::KNOWLEDGE, Lists::RDF]);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
