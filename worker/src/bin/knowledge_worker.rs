//! The engine with knowledge graphs, in a Web Worker. The page as one file has no other, so that it
//! runs inline calls too.

#[cfg(target_arch = "wasm32")]
fn main() {
    use worker::Lists;

    worker::register_engine(&[Lists::CORE, Lists::BENCH, Lists::KNOWLEDGE, Lists::TOOLFORMER]);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
