//! Messages, tools, requests and responses: the words that every provider shares.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Image, ReplyShape};

/// The speaker of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The rules of the conversation.
    System,
    /// The person, or the problem.
    User,
    /// The model that answers, or the script or person in its place.
    Assistant,
    /// The result of a tool call.
    Tool,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The speaker; a provider may have another name for it on the wire.
    pub role: Role,
    /// The text; may be empty where a model only calls tools.
    pub content: String,
    /// What the model calls, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// For a tool's message: which call it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// What the model thought before it spoke, where its endpoint tells that. Never sent back
    /// unless the protocol asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What the endpoint wants to be given back with this message, unread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Echo>,
    /// Images beside the text of a user's message, for models that see; of other messages none are
    /// sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
}

/// What an endpoint wants to be given back unchanged on the next turn, such as signed or encrypted
/// thoughts without which some models refuse the results of their own calls.
///
/// Only the provider that wrote it reads it; every other one leaves it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Echo {
    /// The id of the provider that wrote it.
    pub provider: String,
    /// Its own notes, in its own shape.
    pub items: Vec<Value>,
}

impl Message {
    /// What this provider wants to be given back with the message; empty if nothing.
    pub fn echo_of(&self, provider: &str) -> &[Value] {
        self.echo.as_ref().filter(|e| e.provider == provider).map_or(&[], |e| &e.items)
    }
}

impl Message {
    /// The rules of the conversation.
    pub fn system(content: impl Into<String>) -> Self {
        Self::plain(Role::System, content.into())
    }

    /// What a person says.
    pub fn user(content: impl Into<String>) -> Self {
        Self::plain(Role::User, content.into())
    }

    /// What a model says.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::plain(Role::Assistant, content.into())
    }

    /// The result of a call.
    pub fn tool(call_id: impl Into<String>, content: impl Into<String>) -> Self {
        Self { tool_call_id: Some(call_id.into()), ..Self::plain(Role::Tool, content.into()) }
    }

    fn plain(role: Role, content: String) -> Self {
        Self {
            role,
            content,
            tool_calls: Vec::new(),
            tool_call_id: None,
            reasoning: None,
            echo: None,
            images: Vec::new(),
        }
    }

    /// The text, which says of images that came out of a trace that they were not kept.
    pub(crate) fn text_to_send(&self) -> String {
        let lost = self.images.iter().filter(|image| image.data_url().is_none());
        lost.fold(self.content.clone(), |text, image| {
            format!("{text}\n[an image ({}) that was not kept]", image.kind().media_type())
        })
    }
}

/// A model's request to call a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Joins the call to its result.
    pub id: String,
    /// Which tool; may be one that does not exist.
    pub name: String,
    /// The arguments as the model wrote them; may not be JSON.
    pub arguments: String,
}

/// The public face of a tool: all that a model knows of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// The name to call.
    pub name: String,
    /// What the tool does, as the model reads it when it chooses.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// Whether a model has to call a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// The model decides whether it calls a tool.
    #[default]
    Auto,
    /// It must call one. Not every server obeys.
    Required,
}

impl ToolChoice {
    /// Whether the model decides.
    pub fn is_auto(&self) -> bool {
        *self == Self::Auto
    }
}

/// One question to a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The model's name at its endpoint.
    pub model: String,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// What it may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    /// Whether it has to call one of them.
    #[serde(default, skip_serializing_if = "ToolChoice::is_auto")]
    pub tool_choice: ToolChoice,
    /// Sampling temperature; absent leaves it to the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The most tokens of the reply; absent leaves it to the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// A sampling seed, for endpoints that take one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Texts before which the reply ends, for protocols that take them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// What the reply keeps to, for models and protocols that can hold it to that
    /// ([`Provider::takes_schema`](crate::Provider::takes_schema)); others leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_shape: Option<ReplyShape>,
}

/// Why a model stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It had said what it wanted.
    Stop,
    /// It waits for tool results.
    ToolCalls,
    /// It ran into the limit on tokens: the text is cut off.
    Length,
    /// The endpoint withheld the text.
    ContentFilter,
    /// Somebody stopped it, or it broke off: the text is what had come.
    Stopped,
    /// Anything else, as the endpoint named it.
    Other(String),
}

/// Tokens of one or several turns. `None` is "not told", never zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Input tokens of the request; unknown where the endpoint does not report them.
    pub input_tokens: Option<u64>,
    /// Output tokens, reasoning included.
    pub output_tokens: Option<u64>,
    /// Of the input tokens, those that came from the endpoint's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Of the output tokens, those that were reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
}

impl Usage {
    /// Both together, as far as they were told.
    pub fn total(&self) -> Option<u64> {
        match (self.input_tokens, self.output_tokens) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        }
    }

    /// Adds the usage of another turn; a number that only one of them reports counts alone.
    pub fn add(&mut self, other: Self) {
        for (mine, theirs) in [
            (&mut self.input_tokens, other.input_tokens),
            (&mut self.output_tokens, other.output_tokens),
            (&mut self.cached_tokens, other.cached_tokens),
            (&mut self.reasoning_tokens, other.reasoning_tokens),
        ] {
            if let Some(n) = theirs {
                *mine = Some(mine.unwrap_or(0).saturating_add(n));
            }
        }
    }
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatResponse {
    /// The message of the model, with its tool calls.
    pub message: Message,
    /// Why the model stopped: done, a tool call, a limit, a filter.
    pub finish: FinishReason,
    /// Tokens of this turn, as the endpoint reports them.
    pub usage: Usage,
}
