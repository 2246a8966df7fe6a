//! What a person does with the page, in a real Chromium.
//!
//! `cargo xtask test` builds and serves the page and sets `GRAPHGROUND_URL` (where it is) and
//! `GRAPHGROUND_COMPANION` (the companion's program). Screenshots go to
//! `target/screenshots`.

#[cfg(feature = "bench")]
mod bench;
#[cfg(feature = "bench")]
mod bench_page;
mod browser;
mod compare;
mod dataset;
mod endpoints;
#[cfg(feature = "firefox")]
mod firefox;
mod keys;
mod lessons;
mod looks;
mod pages;
mod rescue;
mod runs;
mod servers;
mod solve;
mod threads;
mod traces;
