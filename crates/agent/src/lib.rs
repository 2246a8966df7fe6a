//! The closed loop between a model and tools, under limits.
//!
//! This crate has never heard of graphs: a tool hands back [`Effects`](trace::Effects), which the
//! loop passes on unopened. It has no clock and no socket of its own; both are arguments.
//!
//! Paper: Graph-Grounded LLMs §II, figure 1 (multiple rounds of closed-loop function calling,
//! with errors handed back to the model).
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
