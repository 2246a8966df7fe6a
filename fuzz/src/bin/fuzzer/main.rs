//! libFuzzer with one target, which the environment names: `FUZZ_TARGET`.
//!
//! One binary for all targets, because linking each of them would take longer than fuzzing it. Only
//! `cargo xtask fuzz` builds it with the fuzzer inside, which needs a C++ compiler.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
mod target;

#[cfg(not(fuzzing))]
fn main() {}
