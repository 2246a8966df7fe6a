//! A layer between a problem whose nodes have names and a model that knows only numbers.
//!
//! Scripts and our own small model were made for questions about nodes 0 to n - 1. To such a model the
//! names go out as numbers, in the question and in results of tools; in its calls and its answer the
//! numbers become names again. The trace has the names, and a note with the numbers.

use graph::NodeName;
use llm::{
    BoxFuture, ChatRequest, ChatResponse, Endpoint, Message, Model, ModelError, Role, ToolSpec,
    Watch,
};
use serde_json::Value;
use tasks::{Problem, TaskGroup, TaskId};

/// Names longer than this in all are not written into the note.
const MAX_NOTE: usize = 600;

/// The names of a problem's nodes, by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numbers {
    names: Vec<NodeName>,
    /// The names, the longest first, so that a name within another is not taken for it.
    by_length: Vec<(String, usize)>,
    /// Whether lists of numbers in an answer are lists of nodes; to one task they are embeddings.
    has_lists: bool,
}

impl Numbers {
    /// Those of a problem; nothing if a node is a number already, if its task asks about names, or if
    /// its question does not say the names, as that of a matching, which counts applicants and jobs.
    pub(super) fn of(problem: &Problem, question: &str) -> Option<Self> {
        let names: Vec<NodeName> = problem.graph.names().cloned().collect();
        let has_numbers = names.iter().any(|name| name.as_int().is_some());
        if names.is_empty() || has_numbers || problem.task().group() == TaskGroup::GraphArena {
            return None;
        }
        let mut by_length: Vec<(String, usize)> =
            names.iter().enumerate().map(|(i, name)| (name.to_string(), i)).collect();
        by_length.sort_by_key(|(name, i)| (std::cmp::Reverse(name.len()), *i));
        let has_lists = problem.task() != TaskId::Gnn;
        let numbers = Self { names, by_length, has_lists };
        (numbers.numbered(question) != question).then_some(numbers)
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.by_length.iter().find(|(n, _)| n == name).map(|(_, i)| *i)
    }

    /// The same problem about numbers; nothing if it does not survive JSON.
    pub(super) fn problem(&self, problem: &Problem) -> Option<Problem> {
        let renamed = |value: &mut Value| self.numbers_in(value);
        let mut graph = serde_json::to_value(&problem.graph).ok()?;
        let mut query = serde_json::to_value(&problem.query).ok()?;
        renamed(&mut graph);
        renamed(&mut query);
        let graph = serde_json::from_value(graph).ok()?;
        let query = serde_json::from_value(query).ok()?;
        Some(Problem { graph, query, difficulty: problem.difficulty, seed: problem.seed })
    }

    /// The note that a trace has.
    pub(super) fn note(&self, model: &str) -> String {
        let pairs: Vec<String> =
            self.names.iter().enumerate().map(|(i, name)| format!("{name} is {i}")).collect();
        let mut pairs = pairs.join(", ");
        if pairs.len() > MAX_NOTE {
            pairs.truncate(pairs.floor_char_boundary(MAX_NOTE));
            pairs.push('…');
        }
        format!("{model} reads numbers alone, so names were sent as numbers: {pairs}")
    }

    /// Puts numbers in the place of names, in all texts of a value and in the keys of its objects.
    fn numbers_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(number) = self.number(text) {
                    *value = number.into();
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.numbers_in(item)),
            Value::Object(map) => {
                let entries = std::mem::take(map);
                for (key, mut item) in entries {
                    self.numbers_in(&mut item);
                    let key = self.number(&key).map_or(key, |number| number.to_string());
                    map.insert(key, item);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A text with numbers in the place of names that stand as words of their own.
    pub(super) fn numbered(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let is_begin = !out.ends_with(is_word);
            let found = self.by_length.iter().find(|(name, _)| {
                is_begin
                    && !name.is_empty()
                    && rest.starts_with(name.as_str())
                    && !rest[name.len()..].starts_with(is_word)
            });
            match found {
                Some((name, number)) => {
                    out.push_str(&number.to_string());
                    at += name.len();
                }
                None => {
                    let Some(letter) = rest.chars().next() else { break };
                    out.push(letter);
                    at += letter.len_utf8();
                }
            }
        }
        out
    }

    /// Arguments of a call with names in the place of the numbers of nodes: where the function wants a
    /// text, which is how it says that it wants a node.
    fn named_arguments(&self, value: &mut Value, schema: &Value) {
        match (&*value, schema["type"].as_str()) {
            (Value::Array(_), _) => {
                if let Value::Array(items) = value {
                    items.iter_mut().for_each(|v| self.named_arguments(v, &schema["items"]));
                }
            }
            (Value::Object(_), _) => {
                if let Value::Object(map) = value {
                    for (key, item) in map.iter_mut() {
                        self.named_arguments(item, &schema["properties"][key.as_str()]);
                    }
                }
            }
            (Value::Number(_) | Value::String(_), Some("string")) if schema["enum"].is_null() => {
                let number = match &*value {
                    Value::Number(n) => n.as_u64(),
                    Value::String(text) => text.parse().ok(),
                    _ => None,
                };
                let name = number.and_then(|n| self.names.get(usize::try_from(n).ok()?));
                if let Some(name) = name {
                    *value = serde_json::to_value(name).unwrap_or_default();
                }
            }
            _ => {}
        }
    }

    /// An answer with names in the place of the numbers of nodes. A number is one of a node behind
    /// "node" and its like, and in a list: between arrows, commas, dashes or brackets with another.
    fn named(&self, text: &str) -> String {
        let tokens = tokens(text);
        let mut is_node = vec![false; tokens.len()];
        let words: Vec<usize> =
            (0..tokens.len()).filter(|i| !tokens[*i].trim().is_empty()).collect();
        let number = |w: usize| {
            let n: usize = tokens[*words.get(w)?].parse().ok()?;
            (n < self.names.len()).then_some(n)
        };
        let word = |w: usize| words.get(w).map_or("", |i| tokens[*i]);
        for w in 0..words.len() {
            if number(w).is_none() {
                continue;
            }
            let before = w.checked_sub(1).map_or("", word).to_lowercase();
            let is_called = NODES.contains(&before.as_str());
            let joins = |mark: &str| JOINTS.contains(&mark);
            let behind = w >= 2 && joins(&before) && is_node[words[w - 2]];
            let opens = joins(word(w + 1)) && number(w + 2).is_some();
            let is_amount = AMOUNTS.contains(&before.as_str());
            let in_list = self.has_lists && (behind || (opens && !is_amount));
            is_node[words[w]] = is_called || in_list;
        }
        let named = tokens.iter().zip(&is_node).map(|(token, is_node)| {
            let name =
                token.parse().ok().filter(|_| *is_node).and_then(|n: usize| self.names.get(n));
            name.map_or_else(|| (*token).to_owned(), ToString::to_string)
        });
        named.collect()
    }
}

/// Words behind which a number is a node.
const NODES: [&str; 6] = ["node", "nodes", "vertex", "vertices", "from", "between"];
/// What stands between the nodes of a list.
const JOINTS: [&str; 7] = [",", "->", "→", "-", "–", "and", "to"];
/// Words behind which a number counts or weighs something.
const AMOUNTS: [&str; 4] = ["weight", "of", "flow", "total"];

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A text cut into runs of digits, of letters, of blanks, and marks; an arrow is one mark.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_ascii_digit() => 0,
        c if is_word(c) => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let len = match kind(first) {
            3 if rest.starts_with("->") => 2,
            3 => first.len_utf8(),
            k => rest.find(|c| kind(c) != k).unwrap_or(rest.len()),
        };
        all.push(&rest[..len]);
        at += len;
    }
    all
}

/// A model that gets numbers, and whose numbers come back as names.
pub(super) struct Numbered<'a> {
    pub(super) inner: &'a dyn Model,
    pub(super) numbers: &'a Numbers,
    /// The question with names, and with numbers.
    pub(super) questions: (&'a str, &'a str),
}

impl Numbered<'_> {
    fn sent(&self, message: &Message) -> Message {
        let mut sent = message.clone();
        match message.role {
            Role::System => {}
            Role::Tool => match serde_json::from_str::<Value>(&message.content) {
                Ok(mut value) => {
                    self.numbers.numbers_in(&mut value);
                    sent.content = value.to_string();
                }
                Err(_) => sent.content = self.numbers.numbered(&message.content),
            },
            Role::User | Role::Assistant => {
                let (named, numbered) = self.questions;
                sent.content = match message.content.strip_prefix(named) {
                    Some(more) => format!("{numbered}{}", self.numbers.numbered(more)),
                    None => self.numbers.numbered(&message.content),
                };
                for call in &mut sent.tool_calls {
                    if let Ok(mut arguments) = serde_json::from_str::<Value>(&call.arguments) {
                        self.numbers.numbers_in(&mut arguments);
                        call.arguments = arguments.to_string();
                    }
                }
            }
        }
        sent
    }

    fn came(&self, mut message: Message, tools: &[ToolSpec]) -> Message {
        message.content = self.numbers.named(&message.content);
        for call in &mut message.tool_calls {
            let tool = tools.iter().find(|tool| tool.name == call.name);
            let arguments = serde_json::from_str::<Value>(&call.arguments);
            if let (Some(tool), Ok(mut arguments)) = (tool, arguments) {
                self.numbers.named_arguments(&mut arguments, &tool.parameters);
                call.arguments = arguments.to_string();
            }
        }
        message
    }
}

impl Model for Numbered<'_> {
    fn label(&self) -> String {
        self.inner.label()
    }

    fn wire(&self, request: &ChatRequest) -> Option<(Endpoint, String)> {
        self.inner.wire(request)
    }

    fn complete<'b>(
        &'b self,
        request: &'b ChatRequest,
        _: &'b dyn Watch,
    ) -> BoxFuture<'b, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            let messages = request.messages.iter().map(|m| self.sent(m)).collect();
            let asked = ChatRequest { messages, ..request.clone() };
            // What it says while it says it has numbers; the answer has names.
            let response = self.inner.complete(&asked, &()).await?;
            let message = self.came(response.message, &request.tools);
            Ok(ChatResponse { message, ..response })
        })
    }
}
