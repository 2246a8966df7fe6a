//! What is said to a language model and what it says back.
//!
//! A [`Provider`] is a wire protocol as two pure functions: a [`ChatRequest`] becomes an
//! [`HttpRequest`], an [`HttpResponse`] becomes a [`ChatResponse`]. This crate opens no socket;
//! whoever has a transport sends the bytes and adds the key.
#![warn(missing_docs)]

mod chat;
mod endpoint;
mod error;
mod model;
pub mod providers;

pub use chat::{ChatRequest, ChatResponse, FinishReason, Message, Role, ToolCall, ToolSpec, Usage};
pub use endpoint::{ApiKey, Endpoint, HttpRequest, HttpResponse};
pub use error::ModelError;
pub use model::{BoxFuture, Model, Part, Watch};
pub use providers::{PROVIDERS, Provider};
