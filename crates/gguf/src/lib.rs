#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod chat;
mod error;
mod file;
#[doc(hidden)]
pub mod fixture;
mod grammar;
mod hugging;
mod network;
mod template;
mod tokenizer;

pub use chat::{Answering, Generation, LocalModel, LocalOptions, TemplateChoice, described};
pub use decoding::{Beat, Draw, LikelyToken, RunStats, likeliest};
pub use error::{ARCHITECTURES, GgufError};
pub use file::{File, Fit, ModelSummary, Stored};
pub use hugging::{HuggingModel, HuggingTensor, convert};
pub use network::DecoderSizes;
pub use template::{ChatTemplate, Prompt};
pub use tokenizer::{Detokenizer, ModelTokenizer};
