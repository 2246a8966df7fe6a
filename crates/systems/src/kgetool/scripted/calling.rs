//! The second model's turn: which tool, and with what.

use std::collections::BTreeSet;

use llm::{Message, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};
use tasks::family::{Link, framed, parameter, spoken_of};

use super::super::prompt::EXTRA;
use super::{FamilyScript, speaker_of};

/// Calls the tool in whose frame the request is, with what the links tell; asks where they do not.
pub(super) fn turn(script: FamilyScript, said: &str, tools: &[ToolSpec]) -> Message {
    let (request, links) = match said.split_once(EXTRA) {
        Some((request, rest)) => {
            let end = rest.rfind(").").unwrap_or(rest.len());
            (request.trim_end(), read_links(&rest[..end]))
        }
        None => (said, Vec::new()),
    };
    let (speaker, query) = speaker_of(request);
    let names: Vec<&str> = tools.iter().map(|t| t.name.as_str()).collect();
    let Some((template, said)) = framed(query, &names) else {
        return Message::assistant(
            "This is a script, not a model: it knows the requests of its own benchmark alone.",
        );
    };
    let mut parameters = Map::new();
    for (name, words) in said {
        let Some(value) = parameter(name).and_then(|p| {
            if !words.contains("my ") {
                return Some(p.literal(words));
            }
            let ends = ends_of(words, speaker.unwrap_or_default(), &links);
            let first = ends.first()?.clone();
            Some(if p.literal("x").is_array() { json!(ends) } else { first.into() })
        }) else {
            return Message::assistant(format!("I need to know this first: what is {words}?"));
        };
        let value = if script == FamilyScript::WrongType { other_type(value) } else { value };
        parameters.insert(name.to_owned(), value);
    }
    let other = || names.iter().find(|n| **n != template.name).copied();
    let name = match script {
        FamilyScript::WrongTool => other().unwrap_or(template.name),
        _ => template.name,
    };
    let mut message = Message::assistant("");
    message.tool_calls = vec![ToolCall {
        id: "call_1".into(),
        name: name.to_owned(),
        arguments: Value::Object(parameters).to_string(),
    }];
    message
}

/// Links as they stand in the request; what does not look like one is passed over.
fn read_links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for part in text.split('[').skip(1) {
        let part = part.split(']').next().unwrap_or_default();
        let names: Vec<&str> =
            part.split(',').map(|n| n.trim().trim_matches(['\'', '"'])).collect();
        if let [head, relation, tail] = names[..] {
            links.push(Link::new(head, relation, tail));
        }
    }
    links
}

/// What the words mean, as far as the links tell.
fn ends_of(words: &str, speaker: &str, links: &[Link]) -> Vec<String> {
    let relations: BTreeSet<&str> = links.iter().map(|l| l.relation.as_str()).collect();
    // Words that the links have no relation for leave a part of the path: that is no answer.
    let spoken = spoken_of(words, &relations);
    let [spoken] = &spoken[..] else { return Vec::new() };
    if spoken.at != (0, words.len()) {
        return Vec::new();
    }
    let mut at = vec![speaker.to_owned()];
    for relation in &spoken.path {
        at = links
            .iter()
            .filter(|l| l.relation == *relation && at.contains(&l.head))
            .map(|l| l.tail.clone())
            .collect();
    }
    at
}

/// The same in another type: numbers and truth values as text, texts as lists, lists as text.
fn other_type(value: Value) -> Value {
    match value {
        Value::String(text) => json!([text]),
        Value::Array(items) => {
            let items: Vec<String> =
                items.iter().map(|i| i.as_str().unwrap_or_default().to_owned()).collect();
            items.join(" and ").into()
        }
        other => other.to_string().into(),
    }
}
