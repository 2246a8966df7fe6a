//! Tools for models that have no interface for tools: the tools stand in the prompt, a call in the
//! reply's text, and a result in a user's message.
//!
//! [`ToolStyle::request`] changes what is asked, [`ToolStyle::read`] what is answered. Whoever stands
//! above them sees tools, calls and results as of any other model.

mod json;
mod react;
mod words;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ChatRequest, ChatResponse, FinishReason, Message, ReplyShape, Role};

/// How a model calls tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolStyle {
    /// By the protocol's own fields for tools.
    #[default]
    Native,
    /// By one JSON object in the text: `{"tool": "has_path", "arguments": {…}}`.
    Json,
    /// By lines of the text: `Thought:`, `Action:`, `Action Input:`; results are an `Observation:`.
    ///
    /// Paper: ReAct (arXiv 2210.03629), in the form of its public tools.
    React,
}

impl ToolStyle {
    /// All, with their names in files and for people.
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Native, "native", "The endpoint's own interface for tools"),
        (Self::Json, "json", "JSON in the text"),
        (Self::React, "react", "ReAct: Thought, Action, Action Input"),
    ];

    /// The style of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(style, ..)| *style)
    }

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(style, ..)| *style == self).map_or("", |(_, name, _)| name)
    }

    /// Whether it is the usual one.
    pub fn is_native(&self) -> bool {
        *self == Self::Native
    }

    /// What is sent in place of a question: the tools stand in its first message, calls and results
    /// of before in its texts. The same question, where the style is native.
    ///
    /// With `constrain` the reply is to keep to a shape, and an endpoint that can hold it to that lets
    /// no other come: to a JSON schema of the tools, which only [`ToolStyle::Json`] has, and without
    /// tools to [`ChatRequest::reply_shape`]. Without `constrain` it keeps to none.
    /// O(tools + messages).
    pub fn request(self, chat: &ChatRequest, constrain: bool) -> ChatRequest {
        // Without tools, what the question itself says of the reply's shape counts.
        let asked = chat.reply_shape.clone().filter(|_| constrain);
        if self.is_native() || (chat.tools.is_empty() && !has_calls(&chat.messages)) {
            return ChatRequest { reply_shape: asked, ..chat.clone() };
        }
        let must_call = !chat.tool_choice.is_auto();
        let mut messages = Vec::new();
        if !chat.tools.is_empty() {
            let rules = match self {
                Self::React => react::rules(&chat.tools, must_call),
                _ => json::rules(&chat.tools, must_call),
            };
            messages.push(Message::system(rules));
        }
        let mut name_of = std::collections::BTreeMap::new();
        for message in &chat.messages {
            let said = match message.role {
                Role::System => Message::system(message.content.clone()),
                Role::User => message.clone(),
                Role::Assistant => {
                    let calls = message.tool_calls.iter();
                    name_of.extend(calls.map(|c| (c.id.as_str(), c.name.as_str())));
                    let text = match self {
                        Self::React => react::said(message),
                        _ => json::said(message),
                    };
                    Message { images: message.images.clone(), ..Message::assistant(text) }
                }
                Role::Tool => {
                    let id = message.tool_call_id.as_deref().unwrap_or_default();
                    let name = name_of.get(id).copied().unwrap_or_default();
                    Message::user(match self {
                        Self::React => react::result(&message.content),
                        _ => json::result(name, &message.content),
                    })
                }
            };
            join(&mut messages, said);
        }
        let stop =
            if self == Self::React { vec![react::OBSERVATION.to_owned()] } else { Vec::new() };
        let reply_shape = match chat.tools.is_empty() {
            true => asked,
            false => (constrain && self == Self::Json)
                .then(|| ReplyShape::Schema(json::schema(&chat.tools, must_call))),
        };
        ChatRequest {
            messages,
            tools: Vec::new(),
            tool_choice: crate::ToolChoice::Auto,
            stop,
            reply_shape,
            ..chat.clone()
        }
    }

    /// Finds the calls in an answer to [`ToolStyle::request`]. What was meant as a call and cannot be
    /// read stays one, with the text as its arguments: whoever answers calls says what is wrong.
    /// Without calls, the text is the answer. O(text).
    pub fn read(self, chat: &ChatRequest, answer: ChatResponse) -> ChatResponse {
        if self.is_native() || chat.tools.is_empty() {
            return answer;
        }
        let ChatResponse { mut message, mut finish, usage } = answer;
        if message.tool_calls.is_empty() {
            let was_cut = finish == FinishReason::Length;
            let found = match self {
                Self::React => react::read(&message.content, &chat.tools, was_cut),
                _ => json::read(&message.content, &chat.tools, was_cut),
            };
            message.content = found.text;
            if let Some(thought) = found.thought {
                let before = message.reasoning.take();
                message.reasoning =
                    Some(before.map_or(thought.clone(), |b| format!("{b}\n{thought}")));
            }
            message.tool_calls = found.calls;
        }
        if !message.tool_calls.is_empty() {
            finish = FinishReason::ToolCalls;
        }
        ChatResponse { message, finish, usage }
    }
}

/// What was found in a reply.
#[derive(Debug, Default, PartialEq)]
struct Found {
    /// What it says beside its calls; the answer, where there are none.
    text: String,
    /// What was thought before an answer.
    thought: Option<String>,
    calls: Vec<crate::ToolCall>,
}

/// The most calls that are read from one reply.
const MAX_CALLS: usize = 32;

fn has_calls(messages: &[Message]) -> bool {
    messages.iter().any(|m| !m.tool_calls.is_empty() || m.role == Role::Tool)
}

/// Puts a message behind others. Two of one speaker become one: many templates of models take only
/// turns.
fn join(messages: &mut Vec<Message>, next: Message) {
    match messages.last_mut() {
        Some(last) if last.role == next.role => {
            if !last.content.is_empty() && !next.content.is_empty() {
                last.content.push_str("\n\n");
            }
            last.content.push_str(&next.content);
            last.images.extend(next.images);
        }
        _ => messages.push(next),
    }
}

/// Arguments as a call has them: a JSON text.
fn arguments(value: Option<Value>) -> String {
    match value {
        None | Some(Value::Null) => "{}".into(),
        // Some write the arguments as a text with JSON in it.
        Some(Value::String(text)) => text,
        Some(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests;
