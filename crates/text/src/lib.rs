#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod bleu;
mod bm25;
mod meaning;
mod ngrams;
pub mod relations;
mod remembered;
mod rouge;
pub mod table;
mod words;

pub use bleu::{Bleu, BleuCounts, bleu_tokens};
pub use bm25::{Bm25, Ranked};
pub use meaning::{Embed, Embedded, Index, Meaning};
pub use ngrams::NGrams;
pub use remembered::Remembered;
pub use rouge::{Rouge, rouge_l, rouge_lsum, rouge_n};
pub use table::WordTable;
pub use words::words;
