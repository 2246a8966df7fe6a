//! Conversations that people take with them: the exports of ChatGPT, Claude and Open WebUI, and data
//! sets in ShareGPT's form.

use std::collections::HashSet;

use llm::{Message, Role, ToolCall};
use serde_json::{Map, Value, json};

use super::messages::{self, Said, Turn};
use super::report::Report;
use super::{Format, FormatError, moment, parts};
use crate::Record;

pub(super) const FORMAT: Format = Format {
    id: "chats",
    title: "Chat export (ChatGPT, Claude, Open WebUI, ShareGPT)",
    extensions: &["json", "jsonl", "zip"],
    reads: "`conversations.json` of ChatGPT and Claude, alone or in the archive that comes by mail; \
            exports of Open WebUI; `conversations` in ShareGPT's form; messages, thoughts, calls, \
            texts of attachments",
    loses: "answers that were generated again, files, images and sounds",
    keeps: "",
    take: read,
    write: None,
    is_it,
};

/// What a conversation is from.
#[derive(Clone, Copy)]
enum From {
    ChatGpt,
    Claude,
    OpenWebUi,
    ShareGpt,
}

fn from(value: &Value) -> Option<From> {
    let first_has = |name: &str, field: &str| {
        parts::list(value, name).iter().take(8).any(|v| v.get(field).is_some())
    };
    if value.get("mapping").is_some_and(Value::is_object) {
        Some(From::ChatGpt)
    } else if value.get("chat_messages").is_some_and(Value::is_array) {
        Some(From::Claude)
    } else if value.get("chat").is_some_and(|chat| chat.get("history").is_some()) {
        Some(From::OpenWebUi)
    } else if first_has("conversations", "from") || first_has("conversation", "from") {
        Some(From::ShareGpt)
    } else {
        None
    }
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(list) => list,
        value if from(value).is_none() => parts::list(value, "conversations"),
        value => std::slice::from_ref(value),
    }
}

fn is_it(value: &Value) -> bool {
    items(value).iter().take(8).any(|v| from(v).is_some())
}

fn read(values: Vec<Value>, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let mut records = Vec::new();
    for value in values.iter().flat_map(items) {
        let Some(from) = from(value) else {
            report.left_out("value| that are no conversations", "");
            continue;
        };
        let mut said: Vec<Said> = Vec::new();
        let mut model = String::new();
        match from {
            From::ChatGpt => chat_gpt(value, &mut said, &mut model, report),
            From::Claude => claude(value, &mut said, report),
            From::OpenWebUi => open_web_ui(value, &mut said, &mut model, report),
            From::ShareGpt => share_gpt(value, &mut said, report),
        }
        let mut metadata = Map::new();
        for name in ["title", "name", "model", "source"] {
            if let Some(found) = value.get(name).filter(|v| !v.is_null()) {
                metadata.insert(name.into(), found.clone());
            }
        }
        let start = said.iter().map(|(_, t)| t.at_ms).find(|ms| *ms > 0.0);
        for (_, turn) in &mut said {
            turn.at_ms = start.map_or(0.0, |start| (turn.at_ms - start).max(0.0));
        }
        let trace = parts::assemble("", &model, said, None, report)?;
        let ids = ["conversation_id", "uuid", "id"].map(|name| parts::text(value, name));
        let id = ids.into_iter().find(|id| !id.is_empty()).map(str::to_owned);
        let id = id.unwrap_or_else(|| match value.get("id") {
            Some(Value::Number(n)) => n.to_string(),
            _ => (records.len() + 1).to_string(),
        });
        let started_at = start.map(moment::write);
        records.push(Record { id, started_at, metadata, ..Record::of(trace) });
    }
    if records.is_empty() {
        return Err(parts::missing("the file", "conversation", "a chat export"));
    }
    Ok(records)
}

/// The messages of a tree from its root to the node that is shown; how many stand beside them.
fn thread<'a>(nodes: &'a Map<String, Value>, leaf: &str, parent: &str) -> (Vec<&'a Value>, usize) {
    let mut seen = HashSet::new();
    let mut path = Vec::new();
    let mut at = nodes.get(leaf);
    let mut id = leaf.to_owned();
    while let Some(node) = at.filter(|_| seen.insert(id.clone())) {
        path.push(node);
        parts::text(node, parent).clone_into(&mut id);
        at = nodes.get(&id);
    }
    path.reverse();
    let n_beside = nodes.len() - seen.len();
    (path, n_beside)
}

fn seconds(value: &Value, name: &str) -> f64 {
    value.get(name).and_then(Value::as_f64).unwrap_or(0.0)
}

fn chat_gpt(value: &Value, said: &mut Vec<Said>, model: &mut String, report: &mut Report) {
    let Some(nodes) = value.get("mapping").and_then(Value::as_object) else { return };
    let shown = parts::text(value, "current_node");
    let leaf = if nodes.contains_key(shown) {
        shown
    } else {
        // Without the node that is shown, the latest message counts.
        let time = |node: &Value| node.get("message").map_or(0.0, |m| seconds(m, "create_time"));
        let latest = nodes.iter().max_by(|a, b| time(a.1).total_cmp(&time(b.1)));
        latest.map_or("", |(id, _)| id.as_str())
    };
    let (path, _) = thread(nodes, leaf, "parent");
    let has_message = |node: &Value| node.get("message").is_some_and(Value::is_object);
    let n_all = nodes.values().filter(|n| has_message(n)).count();
    let n_here = path.iter().filter(|n| has_message(n)).count();
    for _ in n_here..n_all {
        report.left_out("message| of branches that are not shown", "");
    }
    let mut thought = String::new();
    for message in path.into_iter().filter_map(|n| n.get("message").filter(|m| m.is_object())) {
        let author = message.get("author").unwrap_or(&Value::Null);
        let about = message.get("metadata").unwrap_or(&Value::Null);
        let content = message.get("content").unwrap_or(&Value::Null);
        let text = chat_gpt_text(content, report);
        let name = parts::text(author, "role");
        let Some(role) = parts::role(name) else {
            report.left_out("message| of the role", name);
            continue;
        };
        if matches!(parts::text(content, "content_type"), "thoughts" | "reasoning_recap") {
            thought.push_str(&text);
            continue;
        }
        if text.is_empty() && role != Role::Tool {
            continue;
        }
        if model.is_empty() {
            parts::text(about, "model_slug").clone_into(model);
        }
        let mut turn = Turn { at_ms: seconds(message, "create_time") * 1e3, ..Turn::default() };
        let recipient = parts::text(message, "recipient");
        let mut out = Message { role, ..Message::assistant(text) };
        match role {
            Role::Assistant => {
                if !thought.is_empty() {
                    out.reasoning = Some(std::mem::take(&mut thought));
                }
                if !matches!(recipient, "" | "all") {
                    let arguments = std::mem::take(&mut out.content);
                    let call = ToolCall { id: String::new(), name: recipient.into(), arguments };
                    out.tool_calls.push(call);
                }
                let details = about.get("finish_details").unwrap_or(&Value::Null);
                let word = parts::text(details, "type");
                turn.finish = (!word.is_empty()).then(|| messages::finish(word));
            }
            Role::Tool => {
                let name = parts::text(author, "name");
                turn.call = (!name.is_empty()).then(|| messages::named(name));
                out.tool_call_id = Some(String::new());
            }
            Role::System | Role::User => {}
        }
        said.push((out, turn));
    }
    if !thought.is_empty() {
        let message = Message { reasoning: Some(thought), ..Message::assistant("") };
        said.push((message, Turn::default()));
    }
}

/// What a content of ChatGPT's says, whatever its type.
fn chat_gpt_text(content: &Value, report: &mut Report) -> String {
    let mut said = Vec::new();
    for part in parts::list(content, "parts") {
        match part {
            Value::String(text) => said.push(text.clone()),
            part => match parts::text(part, "text") {
                "" => report
                    .left_out("part| of messages of the type", parts::text(part, "content_type")),
                text => said.push(text.to_owned()),
            },
        }
    }
    for thought in parts::list(content, "thoughts") {
        let words = [parts::text(thought, "summary"), parts::text(thought, "content")];
        said.push(words.into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join("\n"));
    }
    for name in
        ["text", "result", "content", "user_profile", "user_instructions", "model_set_context"]
    {
        let text = parts::text(content, name);
        if !text.is_empty() {
            said.push(text.to_owned());
        }
    }
    said.retain(|text| !text.is_empty());
    said.join("\n")
}

fn claude(value: &Value, said: &mut Vec<Said>, report: &mut Report) {
    for message in parts::list(value, "chat_messages") {
        let sender = parts::text(message, "sender");
        let role = if sender == "human" { "user" } else { sender };
        let blocks = parts::list(message, "content");
        let mut content: Vec<Value> = if blocks.is_empty() {
            vec![json!({ "type": "text", "text": parts::text(message, "text") })]
        } else {
            blocks.to_vec()
        };
        // A long text that is pasted becomes an attachment, and the message may say nothing else.
        for attached in parts::list(message, "attachments") {
            let (name, text) =
                (parts::text(attached, "file_name"), parts::text(attached, "extracted_content"));
            if text.is_empty() {
                report.left_out("attachment| without its text", name);
            } else {
                let name = if name.is_empty() { "pasted text" } else { name };
                content.push(json!({ "type": "text", "text": format!("\n[{name}]\n{text}") }));
            }
        }
        for file in parts::list(message, "files") {
            report.left_out("file| beside messages", parts::text(file, "file_name"));
        }
        let n = said.len();
        messages::read(&json!({ "role": role, "content": content }), said, report);
        let at_ms = moment::parse(parts::text(message, "created_at")).unwrap_or(0.0);
        for (_, turn) in said.iter_mut().skip(n) {
            turn.at_ms = at_ms;
        }
    }
}

fn open_web_ui(value: &Value, said: &mut Vec<Said>, model: &mut String, report: &mut Report) {
    let chat = &value["chat"];
    let history = chat.get("history").unwrap_or(&Value::Null);
    let nodes = history.get("messages").and_then(Value::as_object);
    let list: Vec<&Value> = match nodes {
        Some(nodes) if nodes.contains_key(parts::text(history, "currentId")) => {
            let (path, n_beside) = thread(nodes, parts::text(history, "currentId"), "parentId");
            for _ in 0..n_beside {
                report.left_out("message| of branches that are not shown", "");
            }
            path
        }
        _ => parts::list(chat, "messages").iter().collect(),
    };
    for message in list {
        if model.is_empty() {
            parts::text(message, "model").clone_into(model);
        }
        for file in parts::list(message, "files") {
            report.left_out("file| beside messages", parts::text(file, "name"));
        }
        let n = said.len();
        let text = json!({
            "role": message.get("role"), "content": message.get("content"),
            "usage": message.get("usage"), "error": message.get("error"),
        });
        messages::read(&text, said, report);
        for (_, turn) in said.iter_mut().skip(n) {
            turn.at_ms = seconds(message, "timestamp") * 1e3;
        }
    }
}

fn share_gpt(value: &Value, said: &mut Vec<Said>, report: &mut Report) {
    let rules = parts::text(value, "system");
    if !rules.is_empty() {
        said.push((Message::system(rules), Turn::default()));
    }
    let list = [parts::list(value, "conversations"), parts::list(value, "conversation")].concat();
    for message in &list {
        let from = parts::text(message, "from");
        let text = parts::arguments(message.get("value").or(message.get("content")));
        match from {
            "function_call" | "tool_call" => {
                let calls = messages::structure(&text).map(|v| match v {
                    Value::Array(list) => list,
                    one => vec![one],
                });
                let calls: Vec<ToolCall> =
                    calls.unwrap_or_default().iter().map(messages::call).collect();
                let out = if calls.iter().any(|c| c.name.is_empty()) || calls.is_empty() {
                    Message::assistant(text)
                } else {
                    Message { tool_calls: calls, ..Message::assistant("") }
                };
                said.push((out, Turn::default()));
            }
            "observation" | "function_response" | "tool_response" | "function" | "tool" => {
                said.push((Message::tool("", text), Turn::default()));
            }
            "bing" | "bard" | "chatbot" | "palm" | "claude" => {
                said.push((Message::assistant(text), Turn::default()));
            }
            from => {
                messages::read(&json!({ "role": from, "content": text }), said, report);
            }
        }
    }
}
