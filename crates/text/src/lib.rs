//! What is done with words: they are cut out of a text, and texts are ranked by a question.
#![warn(missing_docs)]

mod bm25;
mod words;

pub use bm25::{Bm25, Ranked};
pub use words::words;
