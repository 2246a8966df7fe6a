#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod chat;
mod ending;
mod endpoint;
mod error;
mod image;
mod left;
mod model;
mod partial;
pub mod providers;
pub mod repair;
pub mod scrub;
pub mod served;
mod shape;
mod simpler;
pub mod stream;
mod style;

pub use chat::{
    ChatRequest, ChatResponse, Echo, FinishReason, Message, Role, ToolCall, ToolChoice, ToolSpec,
    Usage,
};
pub use ending::TurnEnd;
pub use endpoint::{ApiKey, AskOptions, Endpoint, HttpHead, HttpRequest, HttpResponse};
pub use error::{ModelError, Retry};
pub use image::{Image, ImageError, ImageKind, MAX_IMAGE, bytes_hash};
pub use left::{LeftCalls, ends_in_a_call, find_left_calls, split_thoughts};
pub use model::{BoxFuture, Model, Part, Shaped, Watch};
pub use partial::{Grow, Partial};
pub use providers::{PROVIDERS, Provider};
pub use scrub::Scrub;
pub use shape::{Grammar, ReplyShape};
pub use simpler::Simpler;
pub use stream::Decoder;
pub use style::ToolStyle;
