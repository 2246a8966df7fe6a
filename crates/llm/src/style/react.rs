//! Calls as lines: Thought, Action, Action Input; results as an Observation.

use serde_json::Value;

use super::{Found, words};
use crate::{Message, ToolCall, ToolSpec, repair};

/// What stands before a result. A model that goes on with it makes the result up.
pub(super) const OBSERVATION: &str = "Observation:";

/// What is said of the tools.
pub(super) fn rules(tools: &[ToolSpec], must_call: bool) -> String {
    let list: Vec<String> = tools.iter().map(words::tool).collect();
    let names: Vec<&str> = tools.iter().map(|t| t.name.as_str()).collect();
    let end = if must_call {
        "You must use a tool now."
    } else {
        "When you know the answer, write:\n\nThought: I know the answer.\nFinal Answer: the answer"
    };
    format!(
        "You have these tools:\n{}\n\nUse this form:\n\nThought: what you want to do\nAction: one \
         of {}\nAction Input: the arguments as one JSON object\n\nThen stop. You are given:\n\n\
         Observation: the result\n\nThis may repeat. {end}",
        list.join("\n"),
        names.join(", "),
    )
}

/// What an assistant said, with its calls in the text.
pub(super) fn said(message: &Message) -> String {
    let mut lines = Vec::new();
    let text = message.content.trim();
    if message.tool_calls.is_empty() {
        let thought = message.reasoning.as_deref().map(str::trim).filter(|t| !t.is_empty());
        lines.extend(thought.map(|t| format!("Thought: {t}")));
        lines.push(format!("Final Answer: {text}"));
        return lines.join("\n");
    }
    if !text.is_empty() {
        lines.push(format!("Thought: {text}"));
    }
    for call in &message.tool_calls {
        lines.push(format!("Action: {}\nAction Input: {}", call.name, call.arguments.trim()));
    }
    lines.join("\n")
}

/// What a call gave.
pub(super) fn result(text: &str) -> String {
    format!("{OBSERVATION} {text}")
}

/// A line that begins a part, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Thought,
    Action,
    Input,
    Observation,
    Answer,
}

const PARTS: [(&str, Part); 8] = [
    ("thought", Part::Thought),
    ("action input", Part::Input),
    ("action_input", Part::Input),
    ("action", Part::Action),
    ("observation", Part::Observation),
    ("final answer", Part::Answer),
    ("final_answer", Part::Answer),
    ("answer", Part::Answer),
];

/// Which part a line begins, and what of it stands behind the colon.
fn part(line: &str) -> Option<(Part, &str)> {
    let bare = line.trim_start_matches([' ', '\t', '*', '#', '-', '>']);
    let (_, part) = PARTS.iter().find(|(word, _)| {
        bare.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
            && bare[word.len()..].trim_start_matches(['*', ' ']).starts_with(':')
    })?;
    let (_, rest) = bare.split_once(':')?;
    Some((*part, rest.trim_start_matches('*')))
}

/// Finds the first call of a reply, or its answer. What comes behind a call is left out: it was
/// written before the result was known.
pub(super) fn read(text: &str, tools: &[ToolSpec], was_cut: bool) -> Found {
    let mut parts: Vec<(Part, String)> = Vec::new();
    let mut before = String::new();
    for line in text.lines() {
        match (part(line), parts.last_mut()) {
            (Some((found, rest)), _) => parts.push((found, rest.to_owned())),
            (None, Some((_, text))) => {
                text.push('\n');
                text.push_str(line);
            }
            (None, None) => {
                before.push_str(line);
                before.push('\n');
            }
        }
    }
    let mut thought = before.trim().to_owned();
    let mut add = |text: &str| {
        let text = text.trim();
        if !text.is_empty() {
            if !thought.is_empty() {
                thought.push('\n');
            }
            thought.push_str(text);
        }
    };
    for (at, (part, said)) in parts.iter().enumerate() {
        match part {
            Part::Thought => add(said),
            Part::Action => {
                let input = parts.get(at + 1).filter(|(next, _)| *next == Part::Input);
                // Half a call is none: it may be the wrong one.
                // Half a call is none: it may be the wrong one.
                if was_cut
                    && at + 2 >= parts.len()
                    && !input.is_some_and(|(_, text)| is_whole(text))
                {
                    break;
                }
                let call = call(said, input.map(|(_, text)| text.as_str()), tools);
                return Found { text: thought, thought: None, calls: vec![call] };
            }
            Part::Answer => {
                let thought = Some(thought).filter(|t| !t.is_empty());
                return Found { text: said.trim().to_owned(), thought, calls: Vec::new() };
            }
            Part::Observation | Part::Input => {}
        }
    }
    Found { text: text.trim().to_owned(), thought: None, calls: Vec::new() }
}

/// Whether a text has JSON that comes to its end.
fn is_whole(text: &str) -> bool {
    repair::read(text).is_ok_and(|read| !read.repairs.contains(&"a missing end"))
}

/// A call from its two lines. Some write it as one: `has_path(0, 4)` or `has_path {"source": 0}`.
fn call(action: &str, input: Option<&str>, tools: &[ToolSpec]) -> ToolCall {
    let line = action.trim().lines().next().unwrap_or_default();
    let line = line.trim().trim_matches(['`', '*', '"', '\'', '.', '[', ']', ' ']);
    let end = line.find(['(', '{', ' ', ':']).unwrap_or(line.len());
    let (name, behind) = line.split_at(end);
    let mut name = name.trim_matches(['`', '*', '"', '\'', ' ']).to_owned();
    if !tools.iter().any(|t| t.name == name)
        && let Some(known) = tools.iter().find(|t| t.name.eq_ignore_ascii_case(&name))
    {
        name.clone_from(&known.name);
    }
    let text = input.map(str::trim).filter(|text| !text.is_empty());
    let text = text.unwrap_or_else(|| behind.trim().trim_start_matches('(').trim_end_matches(')'));
    let bare = text.trim().trim_matches('`').trim();
    let bare = bare.strip_prefix("json").unwrap_or(bare).trim();
    let arguments = match repair::read(text) {
        Ok(read) if read.value.is_object() => read.value.to_string(),
        Ok(read) => only_argument(&name, tools, read.value),
        Err(_) if bare.is_empty() || bare.eq_ignore_ascii_case("none") => "{}".into(),
        Err(_) => match serde_json::from_str::<Value>(bare) {
            Ok(value) => only_argument(&name, tools, value),
            Err(_) => bare.to_owned(),
        },
    };
    ToolCall { id: String::new(), name, arguments }
}

/// A value alone is the argument of a tool that has one; else it stays as it is, and is refused.
fn only_argument(name: &str, tools: &[ToolSpec], value: Value) -> String {
    let spec = tools.iter().find(|t| t.name == name);
    let properties = spec.and_then(|t| t.parameters.get("properties")?.as_object());
    match properties.map(|all| all.keys().collect::<Vec<_>>()).as_deref() {
        Some([only]) => serde_json::json!({ only.as_str(): value }).to_string(),
        _ => value.to_string(),
    }
}
