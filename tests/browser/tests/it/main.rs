//! What a person does with the page, in a real Chromium.
//!
//! `cargo xtask test` builds and serves the page and sets `GRAPHGROUND_URL` (where it is),
//! `GRAPHGROUND_COMPANION` and `GRAPHGROUND_LAB` (the companion's programs), `GRAPHGROUND_SITE` (the
//! folder that is served), `GRAPHGROUND_SINGLE_FILE` (the page as one file) and `GRAPHGROUND_AXE`
//! (axe-core's script). Screenshots go to `target/screenshots`.

// Some time things and print what they found.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

mod bench;
mod bench_page;
mod bench_runs;
mod browser;
mod firefox;
mod journeys;
mod quiet;
mod real_server;
mod screens;
mod served;
mod servers;
mod shipped;
mod visits;
