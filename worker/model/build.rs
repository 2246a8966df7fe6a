//! Bounds the memory of the module, with threads and without: the last of such arguments counts.

// It is how a build script talks to cargo.
#![allow(clippy::print_stdout)]

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        // `modelfiles::MEMORY_BYTES`.
        println!("cargo:rustc-link-arg-bins=--max-memory=2147483648");
    }
}
