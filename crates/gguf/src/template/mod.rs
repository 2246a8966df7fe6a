//! The file's chat template: a conversation as the text that the model was trained on.

mod bounds;
mod python;
#[cfg(test)]
mod tests;

use llm::{Message, Role, ToolCall, ToolSpec};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, Value};
use serde_json::{Map, json};

use crate::GgufError;
use crate::file::Head;
use crate::grammar::CallForm;

const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// The day for templates that cannot do without one where nobody knows it: 26 July 2024, which those
/// that can have as their own.
const SOME_DAY_S: i64 = 1_721_952_000;

/// A template that was read.
#[derive(Debug)]
pub struct ChatTemplate {
    environment: Environment<'static>,
    bos: String,
    eos: String,
    knows_tools: bool,
    knows_system: bool,
    /// Whether calls stand in it as bare JSON with `parameters`.
    has_bare_calls: bool,
    /// The day that it is given where the question has none.
    day_s: Option<i64>,
}

/// What goes into a template.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prompt<'a> {
    /// The conversation.
    pub messages: &'a [Message],
    /// What the model may call.
    pub tools: &'a [ToolSpec],
    /// The day for templates that say one, as `strftime_now` gives it: seconds since 1970.
    pub now_s: Option<i64>,
}

impl ChatTemplate {
    /// Reads a template, and looks whether it has a place for tools.
    ///
    /// # Errors
    /// It is no template, or fails on the simplest conversation.
    pub fn new(text: &str, bos: &str, eos: &str) -> Result<Self, GgufError> {
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        let mut environment = bounds::environment(text, syntax.map_err(|e| failed(&e))?)?;
        python::fill(&mut environment);
        let mut template = Self {
            environment,
            bos: bos.to_owned(),
            eos: eos.to_owned(),
            knows_tools: false,
            knows_system: true,
            has_bare_calls: false,
            day_s: None,
        };
        let messages = [Message::user("hello")];
        let prompt = Prompt { messages: &messages, ..Prompt::default() };
        let bare = template.render(&prompt).or_else(|_| {
            template.day_s = Some(SOME_DAY_S);
            template.render(&prompt)
        })?;
        let tools = [ToolSpec {
            name: "some_tool".to_owned(),
            description: "What it does.".to_owned(),
            parameters: json!({ "type": "object", "properties": {} }),
        }];
        let prompt = Prompt { messages: &messages, tools: &tools, now_s: None };
        template.knows_tools = template.render(&prompt).is_ok_and(|text| text != bare);
        template.has_bare_calls = template.knows_tools && template.writes_bare_calls(&tools);
        let messages = [Message::system("some rules"), Message::user("hello")];
        let ruled = template.render(&Prompt { messages: &messages, ..Prompt::default() });
        template.knows_system = ruled.is_ok_and(|text| text.contains("some rules"));
        Ok(template)
    }

    /// Whether a call that was made stands in the conversation as llama 3 writes one.
    fn writes_bare_calls(&self, tools: &[ToolSpec]) -> bool {
        let call = ToolCall {
            id: "call_0".to_owned(),
            name: "some_tool".to_owned(),
            arguments: "{}".to_owned(),
        };
        let said = Message { tool_calls: vec![call], ..Message::assistant("") };
        let messages = [Message::user("hello"), said, Message::tool("call_0", "1")];
        let text = self.render(&Prompt { messages: &messages, tools, now_s: None });
        text.is_ok_and(|text| {
            text.contains("{\"name\": \"some_tool\", \"parameters\"")
                && !text.contains("<tool_call>")
        })
    }

    /// How the model that it is for writes calls.
    pub(crate) fn call_form(&self) -> CallForm {
        if self.has_bare_calls { CallForm::Bare } else { CallForm::Hermes }
    }

    /// ChatML, for whoever chooses it in place of a file's own.
    ///
    /// # Errors
    /// None that is known.
    pub fn chatml() -> Result<Self, GgufError> {
        Self::new(CHATML, "", "<|im_end|>")
    }

    pub(crate) fn of(head: &Head, bos: &str, eos: &str) -> Result<Self, GgufError> {
        let text = head.text("tokenizer.chat_template").ok_or_else(|| GgufError::Template {
            reason: "the file has no \"tokenizer.chat_template\"".to_owned(),
        })?;
        Self::new(text, bos, eos)
    }

    /// Whether tools change what the template gives. One that does not know them leaves them out
    /// without a word.
    pub fn knows_tools(&self) -> bool {
        self.knows_tools
    }

    /// The conversation as text, up to where the model speaks.
    ///
    /// # Errors
    /// The template refuses the conversation, or takes too long.
    pub fn render(&self, prompt: &Prompt<'_>) -> Result<String, GgufError> {
        self.write(prompt, true)
    }

    /// The conversation as text with all that the model said, for whoever lets one learn from it: no
    /// further turn of the model is begun.
    ///
    /// # Errors
    /// As [`ChatTemplate::render`].
    pub fn render_whole(&self, prompt: &Prompt<'_>) -> Result<String, GgufError> {
        self.write(prompt, false)
    }

    fn write(&self, prompt: &Prompt<'_>, begins_turn: bool) -> Result<String, GgufError> {
        let context = self.context(prompt, begins_turn);
        bounds::render(&self.environment, context).map_err(|e| failed(&e))
    }

    fn context(&self, prompt: &Prompt<'_>, begins_turn: bool) -> Value {
        let mut messages: Vec<serde_json::Value> = Vec::new();
        let mut rules: Option<&str> = None;
        for message in prompt.messages {
            // Rules go to the first that speaks where the template has no place for them.
            if message.role == Role::System && !self.knows_system {
                rules = Some(&message.content);
                continue;
            }
            let rules = if message.role == Role::User { rules.take() } else { None };
            messages.push(self.message(message, rules, prompt.messages));
        }
        let mut context = Map::new();
        context.insert("messages".into(), messages.into());
        context.insert("add_generation_prompt".into(), begins_turn.into());
        context.insert("bos_token".into(), self.bos.as_str().into());
        context.insert("eos_token".into(), self.eos.as_str().into());
        // Python says none where there are none, and templates ask whether it is that.
        context.insert("documents".into(), serde_json::Value::Null);
        let tools = prompt.tools.iter().map(|tool| {
            json!({ "type": "function", "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            } })
        });
        let tools = (!prompt.tools.is_empty()).then(|| tools.collect());
        context.insert("tools".into(), tools.unwrap_or_default());
        let mut context = vec![Value::from(Serde(&context))];
        if let Some(now) = prompt.now_s.or(self.day_s) {
            let now = Value::from_function(move |format: String| python::strftime(&format, now));
            context.push(minijinja::context! { strftime_now => now });
        }
        minijinja::value::merge_maps(context)
    }

    fn message(
        &self,
        message: &Message,
        rules: Option<&str>,
        all: &[Message],
    ) -> serde_json::Value {
        let mut content = message.content.clone();
        if let Some(rules) = rules {
            content = format!("{rules}\n\n{content}");
        }
        let mut role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        let mut map = Map::new();
        if !message.tool_calls.is_empty() {
            if self.knows_tools {
                let calls = message.tool_calls.iter().map(|call| {
                    let arguments = serde_json::from_str(&call.arguments)
                        .unwrap_or_else(|_| call.arguments.clone().into());
                    let arguments: serde_json::Value = arguments;
                    json!({ "id": call.id, "type": "function",
                        "function": { "name": call.name, "arguments": arguments } })
                });
                map.insert("tool_calls".into(), calls.collect());
            } else {
                content = crate::chat::calls::write(&content, &message.tool_calls);
            }
        }
        if message.role == Role::Tool {
            let id = message.tool_call_id.as_deref();
            let mut calls = all.iter().flat_map(|message| &message.tool_calls);
            if let Some(call) = calls.find(|call| Some(call.id.as_str()) == id) {
                map.insert("name".into(), call.name.as_str().into());
            }
            if let Some(id) = id {
                map.insert("tool_call_id".into(), id.into());
            }
            if !self.knows_tools {
                role = "user";
                content = format!("<tool_response>\n{content}\n</tool_response>");
            }
        }
        map.insert("role".into(), role.into());
        map.insert("content".into(), content.into());
        map.into()
    }
}

fn failed(error: &Error) -> GgufError {
    let place = error.line().map(|line| format!(" (line {line})")).unwrap_or_default();
    GgufError::Template { reason: format!("{error}{place}") }
}
