//! Files of examples, one JSON object a line, checked before anything is trained: every fault is told
//! with its file, its line and what would be right.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use llm::{Message, Role, ToolCall, ToolSpec};
use serde_json::{Map, Value};
use systems::toolformer::Instance;
use systems::toolformer::instance::MAX_LINE;
use systems::toolformer::prompts::Pair;

use companion::{input, limits};

/// Faults that are told; of the others only how many there are.
const MAX_FAULTS: usize = 20;
/// Messages of a conversation.
const MAX_MESSAGES: usize = 1_000;

/// A line that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) file: PathBuf,
    pub(crate) number: usize,
    pub(crate) messages: Vec<Message>,
    /// Of each message, whether the model learns to say it.
    pub(crate) learned: Vec<bool>,
    pub(crate) tools: Vec<ToolSpec>,
    /// A question with its answer, where the line is one.
    pub(crate) pair: Option<Pair>,
}

impl Line {
    /// Where it stands, for messages.
    pub(crate) fn place(&self) -> String {
        format!("{}, line {}", self.file.display(), self.number)
    }

    /// What is asked, by which two lines are the same.
    pub(crate) fn asked(&self) -> String {
        let end = self.learned.iter().position(|is| *is).unwrap_or_default();
        let said: Vec<&str> = self.messages[..end].iter().map(|m| m.content.trim()).collect();
        said.join("\n")
    }
}

/// All that is wrong with files.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    told: Vec<String>,
    n: usize,
}

impl Faults {
    pub(crate) fn add(&mut self, place: &str, what: &str) {
        self.n += 1;
        if self.told.len() < MAX_FAULTS {
            // What is quoted may be as long as a file.
            let what: String = what.chars().take(400).collect();
            self.told.push(format!("{place}: {what}"));
        }
    }

    /// An error that tells all of them, if there are any.
    pub(crate) fn check(&self) -> Result<()> {
        if self.n == 0 {
            return Ok(());
        }
        let more = match self.n - self.told.len() {
            0 => String::new(),
            n => format!("\n… and {n} more"),
        };
        let lines = if self.n == 1 { "1 line cannot" } else { &format!("{} lines cannot", self.n) };
        bail!("{lines} be learned from; nothing was trained\n{}{more}", self.told.join("\n"))
    }
}

/// Reads files; what cannot be learned from goes to `faults`.
pub(crate) fn read(files: &[PathBuf], faults: &mut Faults) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for file in files {
        let text = input::text(file, limits::TEXT)?;
        let before = lines.len() + faults.n;
        read_text(file, &text, &mut lines, faults);
        if lines.len() + faults.n == before {
            faults.add(&file.display().to_string(), "it has no line that is not empty");
        }
    }
    Ok(lines)
}

fn read_text(file: &Path, text: &str, lines: &mut Vec<Line>, faults: &mut Faults) {
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        // Some editors begin a file with a mark of its encoding.
        match one(file, line.trim_start_matches('\u{feff}')) {
            Ok(read) => lines.push(Line { file: file.to_owned(), number: i + 1, ..read }),
            Err(what) => faults.add(&format!("{}, line {}", file.display(), i + 1), &what),
        }
    }
}

type Read<T> = std::result::Result<T, String>;

fn one(file: &Path, line: &str) -> Read<Line> {
    if line.len() > MAX_LINE {
        return Err(format!("it has {} bytes; at most {MAX_LINE} are read", line.len()));
    }
    if line.starts_with("Input:") {
        let read = Instance::read(line).map_err(|e| e.to_string())?;
        return pair(file, read.input, read.output, read.answer, &Map::new());
    }
    let value: Value = serde_json::from_str(line)
        .map_err(|e| format!("it is no JSON: {e}; expected one JSON object a line"))?;
    let Value::Object(object) = value else {
        return Err("it is JSON, but no object; expected {\"messages\": […]}".to_owned());
    };
    let has = |name: &str| object.contains_key(name);
    match (has("messages"), has("prompt") || has("completion"), has("input") || has("output")) {
        (true, false, false) => chat(&object),
        (false, true, false) => plain(file, &object, "prompt", "completion"),
        (false, false, true) => plain(file, &object, "input", "output"),
        _ => {
            let keys: Vec<&str> = object.keys().take(8).map(String::as_str).collect();
            Err(format!(
                "its fields are {keys:?}; expected \"messages\", or \"prompt\" and \"completion\", or \
                 \"input\" and \"output\", and not two of these forms"
            ))
        }
    }
}

fn plain(file: &Path, object: &Map<String, Value>, asked: &str, said: &str) -> Read<Line> {
    let text = |name: &str| match object.get(name) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(other) => Err(format!("{name:?} is {}; expected a text", kind(other))),
        None => Err(format!(
            "there is no {name:?} beside {:?}",
            if name == said { asked } else { said }
        )),
    };
    let answer = object.get("answer").and_then(Value::as_str).map(str::to_owned);
    pair(file, text(asked)?, text(said)?, answer, object)
}

fn pair(
    file: &Path,
    input: String,
    output: String,
    answer: Option<String>,
    object: &Map<String, Value>,
) -> Read<Line> {
    for (text, what) in [(&input, "what is asked"), (&output, "what is to be learned")] {
        if text.trim().is_empty() {
            return Err(format!("{what} is empty; expected a text"));
        }
    }
    let of = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default().to_owned();
    let dataset = Some(of("dataset")).filter(|name| !name.is_empty()).unwrap_or(stem);
    let messages = vec![Message::user(&input), Message::assistant(&output)];
    let pair = Pair { input, output, answer, template: of("template"), dataset };
    Ok(Line {
        file: PathBuf::new(),
        number: 0,
        messages,
        learned: vec![false, true],
        tools: Vec::new(),
        pair: Some(pair),
    })
}

/// What a value is, for people.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn chat(object: &Map<String, Value>) -> Read<Line> {
    if object.contains_key("functions") {
        return Err(
            "\"functions\" are an old form; expected \"tools\", each {\"type\": \"function\", \
                    \"function\": {…}}"
                .to_owned(),
        );
    }
    let tools = match object.get("tools") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => {
            let of = |(i, tool)| spec(tool).map_err(|what| format!("tool {}: {what}", i + 1));
            list.iter().enumerate().map(of).collect::<Read<Vec<ToolSpec>>>()?
        }
        Some(other) => return Err(format!("\"tools\" is {}; expected a list", kind(other))),
    };
    let Some(Value::Array(list)) = object.get("messages") else {
        return Err(
            "\"messages\" is no list; expected [{\"role\": …, \"content\": …}, …]".to_owned()
        );
    };
    if list.len() > MAX_MESSAGES {
        return Err(format!("{} messages; at most {MAX_MESSAGES} are read", list.len()));
    }
    let (mut messages, mut learned): (Vec<Message>, Vec<bool>) = (Vec::new(), Vec::new());
    for (i, value) in list.iter().enumerate() {
        let (message, is_learned) = message(value, &messages, &tools)
            .map_err(|what| format!("message {}: {what}", i + 1))?;
        messages.push(message);
        learned.push(is_learned);
    }
    if !learned.iter().any(|is| *is) {
        return Err("no message of the assistant is to be learned; expected one with \"role\": \
                    \"assistant\" and a weight that is not 0"
            .to_owned());
    }
    if !messages.iter().any(|m| m.role == Role::User) {
        return Err("nobody asks; expected a message with \"role\": \"user\"".to_owned());
    }
    if messages.last().is_some_and(|m| m.role != Role::Assistant) {
        return Err(
            "it does not end with the assistant; what stands behind its last message is never \
                    learned"
                .to_owned(),
        );
    }
    Ok(Line { file: PathBuf::new(), number: 0, messages, learned, tools, pair: None })
}

fn spec(value: &Value) -> Read<ToolSpec> {
    let function = value.get("function").unwrap_or(value);
    let Some(name) = function.get("name").and_then(Value::as_str).filter(|n| !n.is_empty()) else {
        return Err(
            "it has no name; expected {\"type\": \"function\", \"function\": {\"name\": …, \
                    \"parameters\": {…}}}"
                .to_owned(),
        );
    };
    let parameters = match function.get("parameters") {
        None | Some(Value::Null) => serde_json::json!({ "type": "object", "properties": {} }),
        Some(schema @ Value::Object(_)) => schema.clone(),
        Some(other) => {
            return Err(format!("its parameters are {}; expected a JSON schema", kind(other)));
        }
    };
    let description =
        function.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(ToolSpec { name: name.to_owned(), description, parameters })
}

/// The text of a message: a text, or a list of parts that are texts.
fn content(value: Option<&Value>) -> Read<String> {
    match value {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(parts)) => parts
            .iter()
            .map(|part| {
                part.get("text").and_then(Value::as_str).ok_or_else(|| {
                    "a part of its content is no text; pictures and sound cannot be learned from"
                        .to_owned()
                })
            })
            .collect(),
        Some(other) => Err(format!("its content is {}; expected a text", kind(other))),
    }
}

fn message(value: &Value, before: &[Message], tools: &[ToolSpec]) -> Read<(Message, bool)> {
    let Value::Object(object) = value else {
        return Err(format!("it is {}; expected an object", kind(value)));
    };
    let text = content(object.get("content"))?;
    let needs = |text: String, role: &str| match text.trim().is_empty() {
        true => Err(format!("what the {role} says is empty; expected a text")),
        false => Ok(text),
    };
    match object.get("role").and_then(Value::as_str) {
        Some("system" | "developer") => Ok((Message::system(text), false)),
        Some("user") => Ok((Message::user(needs(text, "user")?), false)),
        Some("assistant") => {
            let tool_calls = calls(object, tools)?;
            let is_learned = match object.get("weight") {
                None | Some(Value::Null) => true,
                Some(weight) => match weight.as_f64() {
                    Some(0.0) => false,
                    Some(1.0) => true,
                    _ => return Err(format!("its weight is {weight}; expected 0 or 1")),
                },
            };
            let text = if tool_calls.is_empty() { needs(text, "assistant")? } else { text };
            Ok((Message { tool_calls, ..Message::assistant(text) }, is_learned))
        }
        Some("tool") => {
            let known: Vec<&ToolCall> = before.iter().flat_map(|m| &m.tool_calls).collect();
            let id = object.get("tool_call_id").and_then(Value::as_str);
            match id.filter(|id| known.iter().any(|call| call.id == *id)) {
                Some(id) => Ok((Message::tool(id, text), false)),
                None => Err(format!(
                    "its tool_call_id is {id:?}, and no call before it has that; there are {:?}",
                    known.iter().map(|call| call.id.as_str()).collect::<Vec<_>>()
                )),
            }
        }
        Some("function") => {
            Err("the role \"function\" is an old form; expected \"tool\" with \"tool_call_id\""
                .to_owned())
        }
        found => Err(format!(
            "its role is {found:?}; expected \"system\", \"user\", \"assistant\" or \"tool\""
        )),
    }
}

fn calls(object: &Map<String, Value>, tools: &[ToolSpec]) -> Read<Vec<ToolCall>> {
    if object.contains_key("function_call") {
        return Err("\"function_call\" is an old form; expected \"tool_calls\"".to_owned());
    }
    let list = match object.get("tool_calls") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => return Err(format!("its tool_calls are {}; expected a list", kind(other))),
    };
    let one = |(i, value): (usize, &Value)| {
        let function = &value["function"];
        let Some(name) = function["name"].as_str().filter(|name| !name.is_empty()) else {
            return Err(format!(
                "call {} has no name; expected {{\"id\": …, \"type\": \"function\", \"function\": \
                 {{\"name\": …, \"arguments\": \"{{…}}\"}}}}",
                i + 1
            ));
        };
        if !tools.iter().any(|tool| tool.name == name) {
            let known: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
            return Err(format!(
                "it calls {name:?}, which is not in \"tools\"; there are {known:?}"
            ));
        }
        let arguments = match &function["arguments"] {
            Value::String(text) => text.clone(),
            Value::Null => "{}".to_owned(),
            other => other.to_string(),
        };
        if !serde_json::from_str::<Value>(&arguments).is_ok_and(|value| value.is_object()) {
            return Err(format!(
                "the arguments of {name:?} are {arguments:?}; expected a JSON object as a text"
            ));
        }
        let id = value["id"].as_str().map_or_else(|| format!("call_{}", i + 1), str::to_owned);
        Ok(ToolCall { id, name: name.to_owned(), arguments })
    };
    list.iter().enumerate().map(one).collect()
}

#[cfg(test)]
#[path = "data_tests.rs"]
mod tests;
