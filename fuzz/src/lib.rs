//! Every parser that reads what others wrote, as a target for a fuzzer: files of graphs, traces,
//! results and data sets, links, answers of models and of stores, weights.
//!
//! A target is a function of bytes that must come back: no panic, in time and memory in proportion.
//! Some hold what was read against itself, written and read again. `cargo xtask fuzz` runs them
//! under libFuzzer; `cargo test --package fuzz` runs each once over its seeds and over the inputs
//! that once failed.

mod data;
mod programs;
mod seeds;
mod targets;

use std::borrow::Cow;
use std::io;
use std::path::Path;

pub use seeds::Places;
pub use targets::targets;

/// Takes an input, whatever it is.
pub type Run = dyn Fn(&[u8]);
/// Makes inputs to begin with.
pub type Seeds = dyn Fn(&Places) -> Vec<Vec<u8>>;

/// A parser to throw bytes at.
pub struct Target {
    /// A stable name, in letters, digits and underscores.
    pub name: String,
    /// The longest input, in bytes: long enough for everything that the parser knows.
    pub max_len: usize,
    /// What must come back.
    pub run: Box<Run>,
    /// Inputs to begin with: small ones that are always there, and files where they are.
    pub seeds: Box<Seeds>,
}

impl Target {
    fn new(
        name: impl Into<String>,
        max_len: usize,
        run: impl Fn(&[u8]) + 'static,
        seeds: impl Fn(&Places) -> Vec<Vec<u8>> + 'static,
    ) -> Self {
        Self { name: name.into(), max_len, run: Box::new(run), seeds: Box::new(seeds) }
    }

    /// Its seeds, each at most as long as an input may be.
    pub fn cut_seeds(&self, places: &Places) -> Vec<Vec<u8>> {
        let mut seeds = (self.seeds)(places);
        for seed in &mut seeds {
            seed.truncate(self.max_len);
        }
        seeds
    }
}

/// Writes a target's seeds into a folder, under names that follow from their order.
///
/// # Errors
/// The folder cannot be made or written to.
pub fn write_seeds(target: &Target, folder: &Path) -> io::Result<usize> {
    std::fs::create_dir_all(folder)?;
    let seeds = target.cut_seeds(&Places::here());
    for (i, seed) in seeds.iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{i:05}")), seed)?;
    }
    Ok(seeds.len())
}

/// What a program would make of bytes that are to be text.
fn text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(data)
}

/// The first byte, which chooses between things, and the rest.
fn choice(data: &[u8]) -> (usize, &[u8]) {
    data.split_first().map_or((0, data), |(first, rest)| (usize::from(*first), rest))
}
