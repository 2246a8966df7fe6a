#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod arguments;
mod cancel;
mod endpoint_model;
mod hearing;
mod limits;
mod retrieval;
mod retry;
mod run;
mod talk;
mod tools;
mod transport;

pub use arguments::MAX_ARGUMENTS;
pub use cancel::Cancel;
pub use endpoint_model::EndpointModel;
pub use limits::{Clock, Limits};
pub use retrieval::{Choosing, choose};
pub use retry::RetryPolicy;
pub use run::{Conversation, answer_call, run};
pub use talk::{RunContext, Talk};
pub use tools::{NoTools, ToolFailure, ToolOutput, ToolSet};
pub use transport::{Sink, Transport};
