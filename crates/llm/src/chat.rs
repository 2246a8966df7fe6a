//! Messages, tools, requests and responses: the words that every provider shares.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
    /// What the model thought before it spoke, where its endpoint tells that.
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

/// A block of a message that goes back, in its place, with the fields that came with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block<'a> {
    /// The text, or a part of it.
    Text(&'a str, Map<String, Value>),
    /// A call.
    Call(&'a ToolCall, Map<String, Value>),
    /// Something that goes back as it came.
    Other(&'a Value),
}

impl Message {
    /// What this provider wants to be given back with the message; empty if nothing.
    pub fn echo_of(&self, provider: &str) -> &[Value] {
        self.echo.as_ref().filter(|e| e.provider == provider).map_or(&[], |e| &e.items)
    }

    /// The message in the blocks in which it came from this provider. Where nothing says their
    /// order, it is what came beside the text, the text, the calls. No text and no call is lost,
    /// whatever the notes say.
    pub(crate) fn blocks(&self, provider: &str) -> Vec<Block<'_>> {
        let items = self.echo_of(provider);
        // The place of the text as it was kept once, without a length.
        let marks_text = |item: &Value| *item == serde_json::json!({ "type": "message" });
        let length = |item: &Value| match item.get("text") {
            None => marks_text(item).then_some(usize::MAX),
            Some(n) => usize::try_from(n.as_u64()?).ok(),
        };
        let place = |item: &Value| usize::try_from(item.get("call")?.as_u64()?).ok();
        let fields = |item: &Value, name: &str| {
            let mut fields = item.as_object().cloned().unwrap_or_default();
            fields.retain(|field, _| field != name && field != "type");
            fields
        };
        let lengths: Vec<usize> = items.iter().filter_map(length).collect();
        let mut texts = self.texts(&lengths).into_iter();
        let is_ordered = items.iter().any(|item| length(item).is_some());
        let (mut blocks, mut calls) = (Vec::new(), vec![None; self.tool_calls.len()]);
        for item in items {
            match (length(item), place(item)) {
                (Some(_), _) => {
                    let text = texts.next().unwrap_or_default();
                    blocks.push(Block::Text(text, fields(item, "text")));
                }
                (None, Some(at)) if is_ordered => {
                    // Each call once.
                    if let Some(seen) = calls.get_mut(at).filter(|seen| seen.is_none()) {
                        *seen = Some(Map::new());
                        blocks.push(Block::Call(&self.tool_calls[at], fields(item, "call")));
                    }
                }
                (None, Some(at)) => {
                    if let Some(call) = calls.get_mut(at) {
                        *call = Some(fields(item, "call"));
                    }
                }
                (None, None) => blocks.push(Block::Other(item)),
            }
        }
        blocks.extend(texts.filter(|t| !t.is_empty()).map(|text| Block::Text(text, Map::new())));
        let rest = self.tool_calls.iter().zip(calls);
        let rest = rest.filter(|(_, seen)| !is_ordered || seen.is_none());
        blocks.extend(rest.map(|(call, fields)| Block::Call(call, fields.unwrap_or_default())));
        blocks
    }

    /// The text in pieces of these lengths, or in one where it is no longer the same.
    fn texts(&self, lengths: &[usize]) -> Vec<&str> {
        let mut texts = Vec::new();
        let mut rest = self.content.as_str();
        for length in lengths {
            let Some((text, after)) = rest.split_at_checked(*length) else { break };
            texts.push(text);
            rest = after;
        }
        if !rest.is_empty() || texts.len() < lengths.len() {
            texts = vec![self.content.as_str()];
        }
        texts
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(items: &[Value]) -> Message {
        let call = |id: &str| ToolCall { id: id.into(), name: "f".into(), arguments: "{}".into() };
        let mut message = Message::assistant("One. Two.");
        message.tool_calls = vec![call("a"), call("b")];
        message.echo = Some(Echo { provider: "p".into(), items: items.to_vec() });
        message
    }

    /// The blocks as words: a text, a call's id, `?` for anything else.
    fn words(message: &Message) -> Vec<String> {
        let word = |block: &Block<'_>| match block {
            Block::Text(text, fields) => format!("{text}{}", fields.len()),
            Block::Call(call, fields) => format!("{}{}", call.id, fields.len()),
            Block::Other(_) => "?".into(),
        };
        message.blocks("p").iter().map(word).collect()
    }

    #[test]
    fn blocks_have_the_order_in_which_they_came() {
        let items = [
            json!({ "text": 5 }),
            json!({ "call": 1, "s": 1 }),
            json!({ "type": "thinking" }),
            json!({ "text": 4, "s": 2 }),
            json!({ "call": 0 }),
        ];
        assert_eq!(words(&message(&items)), ["One. 0", "b1", "?", "Two.1", "a0"]);
        // Notes without an order: what came beside the text, the text, the calls.
        let items = [json!({ "call": 1, "s": 1 }), json!({ "type": "thinking" })];
        assert_eq!(words(&message(&items)), ["?", "One. Two.0", "a0", "b1"]);
        assert_eq!(message(&items).blocks("q").len(), 3, "another provider gets no notes");
    }

    #[test]
    fn notes_of_older_traces_are_read() {
        let items = [
            json!({ "type": "reasoning", "id": "r" }),
            json!({ "type": "call", "call": 1 }),
            json!({ "type": "message" }),
            json!({ "type": "call", "call": 0 }),
        ];
        assert_eq!(words(&message(&items)), ["?", "b0", "One. Two.0", "a0"]);
    }

    #[test]
    fn no_text_and_no_call_is_lost_or_doubled_by_notes_that_are_wrong() {
        // A key that was taken out makes the text another.
        for items in [
            vec![json!({ "text": 3 }), json!({ "call": 1 }), json!({ "text": 4 })],
            vec![json!({ "text": 99 }), json!({ "call": 7 }), json!({ "call": 0 })],
            vec![json!({ "text": 9 }), json!({ "call": 0 }), json!({ "call": 0 })],
        ] {
            let words = words(&message(&items));
            for word in ["One. Two.0", "a0", "b0"] {
                assert_eq!(words.iter().filter(|w| *w == word).count(), 1, "{items:?}: {words:?}");
            }
        }
    }
}
