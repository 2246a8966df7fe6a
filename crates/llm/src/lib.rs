//! What is said to a language model and what it says back.
//!
//! A [`Provider`] is a wire protocol as pure functions: a [`ChatRequest`] becomes an
//! [`HttpRequest`], an [`HttpResponse`] becomes a [`ChatResponse`], and so do the bytes of a stream
//! as they come, through a [`Decoder`]. This crate opens no socket; whoever has a transport sends
//! the bytes and adds the key.
#![warn(missing_docs)]

mod chat;
mod endpoint;
mod error;
mod model;
pub mod providers;
pub mod scrub;
pub mod stream;

pub use chat::{
    ChatRequest, ChatResponse, Echo, FinishReason, Message, Role, ToolCall, ToolChoice, ToolSpec,
    Usage,
};
pub use endpoint::{ApiKey, AskOptions, Endpoint, HttpHead, HttpRequest, HttpResponse};
pub use error::{ModelError, Retry};
pub use model::{BoxFuture, Model, Part, Watch};
pub use providers::{PROVIDERS, Provider};
pub use scrub::Scrub;
pub use stream::Decoder;
