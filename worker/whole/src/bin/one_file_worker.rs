//! The engine of the page as one file, in a Web Worker: all that it answers is in the module.

#[cfg(target_arch = "wasm32")]
fn main() {
    worker::register_engine(|_| worker::CORE.into_iter().chain(whole_worker::ONE_FILE).collect());
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
