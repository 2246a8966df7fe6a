//! What every engine answers, in a Web Worker: a module that is loaded whole. Compiled for threads it is
//! the engine for large graphs and files, and else what is served until the whole engine is built.

#[cfg(target_arch = "wasm32")]
fn main() {
    worker::register_engine(|_| worker::CORE.to_vec());
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
