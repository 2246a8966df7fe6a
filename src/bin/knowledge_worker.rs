//! The engine with knowledge graphs, in a Web Worker. The page as one file has no other, so that it
//! runs calls in text too.

#[cfg(target_arch = "wasm32")]
fn main() {
    app::register_engine(app::Parts::PLAIN.with_bench().with_knowledge().with_toolformer());
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
