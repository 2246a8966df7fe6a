//! What tests of several crates share: models, transports and servers that answer what a test says,
//! and folders that are gone at its end.

// What tests share may fail as they may.
#![allow(clippy::unwrap_used)]

mod folder;
mod models;
mod server;
mod transports;

pub use folder::Folder;
pub use models::{Lines, calling, context};
pub use server::{Answer, Asked, StubServer, said};
pub use transports::{Answering, response};

/// How many of `n` inputs a test tries in this run, at least one: as large a part as `PROPTEST_CASES` is
/// of the 256 on which proptest tries a property where nothing else is said. `cargo xtask test` sets it
/// to 32; `cargo xtask nightly` and `cargo test` leave it, and so try all.
#[must_use]
pub fn share(n: u64) -> u64 {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    (n * cases.unwrap_or(256) / 256).clamp(1, n)
}
