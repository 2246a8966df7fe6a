#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod download;
mod name;
mod words;

pub use download::{AnswerHead, DownloadPlan, Half, ask_for_rest, plan};
pub use name::{name_of, name_of_address};
pub use words::{FileAbout, FromModel, KeptFile, Speed, ToModel};

/// The largest file that is kept, in bytes: with the context it has to fit into [`MEMORY_BYTES`].
pub const MAX_FILE_BYTES: u64 = 300_000_000;

/// The memory of a module of WebAssembly, in bytes: browsers want to know the most at its start.
pub const MEMORY_BYTES: u64 = 1 << 30;

/// The tokens of context that a model gets, where it was trained for as many and they fit.
pub const N_CTX: usize = 8192;

/// The fewest tokens of context with which a model is of use.
pub const LEAST_CTX: usize = 512;

/// Bytes in words: `98 MB`.
pub fn megabytes(bytes: f64) -> String {
    let mb = bytes / 1e6;
    if mb < 10.0 { format!("{mb:.1} MB") } else { format!("{mb:.0} MB") }
}
