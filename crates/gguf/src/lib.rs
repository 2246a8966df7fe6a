#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod chat;
mod error;
mod file;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
mod grammar;
mod network;
mod sampling;
mod template;
mod tokenizer;

pub use chat::{Answering, Beat, Generation, LocalModel, LocalOptions, RunStats, TemplateChoice};
pub use error::{ARCHITECTURES, GgufError};
pub use file::{File, Fit, ModelSummary};
pub use sampling::{Draw, LikelyToken, likeliest};
pub use template::{ChatTemplate, Prompt};
pub use tokenizer::{Detokenizer, ModelTokenizer};
