#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod arguments;
mod cancel;
mod conversation;
mod dropped;
mod endpoint_model;
mod hearing;
mod left;
mod limits;
mod retrieval;
mod retry;
mod run;
mod tools;
mod transport;

pub use arguments::MAX_ARGUMENTS;
pub use cancel::Cancel;
pub use conversation::{Conversation, FreshQuestion, RunContext};
pub use endpoint_model::EndpointModel;
pub use limits::{Clock, Limits};
pub use retrieval::{Choosing, choose};
pub use retry::RetryPolicy;
pub use run::{answer_call, answer_call_async, run, run_async};
pub use tools::{AsyncToolSet, NoTools, ToolFailure, ToolOutput, ToolSet};
pub use transport::{Sink, Transport};
