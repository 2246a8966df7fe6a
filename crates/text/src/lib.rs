#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod bleu;
mod bm25;
mod ngrams;
pub mod relations;
mod remembered;
mod rouge;
mod similarity;
pub mod table;
mod words;

pub use bleu::{Bleu, BleuCounts, bleu_tokens};
pub use bm25::{Bm25, Bm25Similarity, Ranked};
pub use ngrams::NGrams;
pub use remembered::Remembered;
pub use rouge::{Rouge, rouge_l, rouge_lsum, rouge_n};
pub use similarity::{Embed, Embedded, Index, SimilarityMeasure};
pub use table::WordTable;
pub use words::words;
