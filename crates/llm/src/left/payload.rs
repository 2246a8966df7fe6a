//! What stands between and behind marks: names and arguments, in JSON, in tags, or as Python writes
//! calls.

use serde_json::{Map, Value};

use super::{marks, python};
use crate::{ToolCall, ToolSpec};

/// The most calls that are read from one text.
const MAX_CALLS: usize = 32;

/// Reads a text that is nothing but calls; nothing where anything else is in it. With marks a name of
/// no tool is read too.
pub(super) fn read(text: &str, tools: &[ToolSpec], is_marked: bool) -> Option<Calls> {
    let mut reader = Reader {
        tools,
        is_marked,
        rest: text,
        name: None,
        is_named: false,
        calls: Vec::new(),
        has_result: false,
    };
    while reader.step()? {}
    reader.end_of_name()?;
    let has_result = reader.has_result;
    (!reader.calls.is_empty()).then_some(Calls { calls: reader.calls, has_result })
}

/// The calls of a text.
pub(super) struct Calls {
    pub(super) calls: Vec<ToolCall>,
    /// The model went on with a result, which nobody but a tool can know. It and what follows it are left
    /// out.
    pub(super) has_result: bool,
}

/// What a result is called, as a tag or as a field.
const RESULTS: [&str; 10] = [
    "result",
    "results",
    "tool_response",
    "tool_result",
    "tool_results",
    "function_results",
    "tool_output",
    "observation",
    "output",
    "error",
];

struct Reader<'t> {
    tools: &'t [ToolSpec],
    is_marked: bool,
    rest: &'t str,
    /// A name whose arguments are to come.
    name: Option<String>,
    /// Whether a mark says that it is one.
    is_named: bool,
    calls: Vec<ToolCall>,
    has_result: bool,
}

impl<'t> Reader<'t> {
    fn is_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }

    /// The tool that a name means: some put a namespace before it and a number behind it.
    fn meant(&self, name: &str) -> Option<String> {
        let name = name.trim().trim_matches(['"', '\'']);
        let short = name.rsplit_once(':').filter(|(_, n)| n.bytes().all(|b| b.is_ascii_digit()));
        let short = short.map_or(name, |(name, _)| name);
        for name in [name, short, short.rsplit('.').next().unwrap_or(short)] {
            if self.is_tool(name) {
                return Some(name.to_owned());
            }
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let is_one = !short.is_empty() && short.len() < 100 && short.chars().all(is_name);
        (self.is_marked && is_one).then(|| short.to_owned())
    }

    fn push(&mut self, name: String, arguments: String) -> Option<()> {
        self.calls.push(ToolCall { id: String::new(), name, arguments });
        (self.calls.len() <= MAX_CALLS).then_some(())
    }

    /// The name that waits gets its arguments.
    fn finish(&mut self, arguments: Value) -> Option<()> {
        let name = self.name.take()?;
        self.push(name, arguments.to_string())
    }

    /// Leaves out the rest, which begins with a result that the model made up.
    fn end_at_result(&mut self) -> Option<bool> {
        self.end_of_name()?;
        (self.has_result, self.rest) = (true, "");
        Some(false)
    }

    /// Reads one thing; `false` at the end, nothing where it cannot be read.
    fn step(&mut self) -> Option<bool> {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || ",;".contains(c));
        let rest = self.rest;
        if rest.is_empty() {
            return Some(false);
        }
        if let Some(behind) = rest.strip_prefix("```") {
            // A block around arguments.
            self.rest = behind.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
            let is_end = self.rest.is_empty() || self.rest.starts_with(['\n', '<', '[']);
            return (self.is_marked && is_end).then_some(true);
        }
        if let Some((tag, behind)) = marks::tag(rest) {
            return self.tag(tag, behind);
        }
        if rest.starts_with(['{', '[']) {
            return self.value().or_else(|| self.python_list());
        }
        if let Some((name, given, behind)) = python::call(rest) {
            let name = self.meant(name)?;
            self.rest = behind;
            self.push(name, Value::Object(given).to_string())?;
            return Some(true);
        }
        if !self.is_marked && self.calls.is_empty() && self.name.is_none() {
            return self.first_word();
        }
        self.bare_name()
    }

    /// A mark: with a name in it, before a value, or one that says nothing.
    fn tag(&mut self, tag: &str, behind: &'t str) -> Option<bool> {
        self.rest = behind;
        if RESULTS.contains(&tag) && !self.calls.is_empty() {
            return self.end_at_result();
        }
        if tag.starts_with('/') {
            return Some(true);
        }
        let named = marks::assigned(tag).filter(|(word, _)| {
            ["function", "invoke", "call"].iter().any(|known| marks::is_word(word, known))
        });
        if let Some((word, name)) = named {
            self.end_of_name()?;
            let name = self.meant(name)?;
            let given = match self.parameters() {
                Some(given) => Some(given),
                None => self.elements_until(&format!("</{word}>")),
            };
            match given {
                Some(given) => {
                    let arguments = typed(&name, given, self.tools);
                    self.push(name, arguments)?;
                }
                None => (self.name, self.is_named) = (Some(name), true),
            }
            return Some(true);
        }
        if tag == "arg_key" || tag.starts_with("arg_key:") {
            let name = self.name.take()?;
            let given = self.keys_and_values(behind, tag.trim_start_matches("arg_key"))?;
            let arguments = typed(&name, given, self.tools);
            self.push(name, arguments)?;
            return Some(true);
        }
        if self.is_tool(tag) {
            // A tag that is called as the tool is.
            let close = format!("</{tag}>");
            let (inside, after) = behind.split_once(&close)?;
            let given = elements(inside)?;
            self.rest = after;
            let arguments = typed(tag, given, self.tools);
            self.push(tag.to_owned(), arguments)?;
            return Some(true);
        }
        let is_given = ["arguments", "parameters", "args", "input"].contains(&tag);
        if let (true, Some(name)) = (is_given, self.name.clone()) {
            if let Some(given) = self.elements_until(&format!("</{tag}>")) {
                self.name = None;
                let arguments = typed(&name, given, self.tools);
                self.push(name, arguments)?;
            }
            return Some(true);
        }
        let is_channel = tag.trim_matches('|') == "channel";
        if is_channel {
            // `commentary to=functions.NAME <|constrain|>json<|message|>{…}`
            let (head, body) = behind.split_once("<|message|>")?;
            let name = head.split("to=").nth(1)?.split(['<', ' ']).next()?;
            self.end_of_name()?;
            (self.name, self.is_named) = (Some(self.meant(name)?), true);
            self.rest = body;
        }
        // Without marks a tag that is no tool's is other text.
        self.is_marked.then_some(true)
    }

    /// A name before another one had no arguments. A word that is no tool's name is a call only where
    /// the mark says so.
    fn end_of_name(&mut self) -> Option<()> {
        match &self.name {
            Some(name) if self.is_named || self.is_tool(name) => {
                self.finish(Value::Object(Map::new()))
            }
            Some(_) => None,
            None => Some(()),
        }
    }

    /// `<parameter=KEY>VALUE</parameter>`, as many as there are. A value may have other marks in it.
    fn parameters(&mut self) -> Option<Vec<(String, String)>> {
        let mut given = Vec::new();
        while let Some((tag, behind)) = marks::tag(self.rest.trim_start()) {
            let Some((word, key)) = marks::assigned(tag) else { break };
            if !["parameter", "argument"].iter().any(|known| marks::is_word(word, known)) {
                break;
            }
            let (value, after) = behind.split_once(&format!("</{word}>"))?;
            given.push((key.to_owned(), value.to_owned()));
            self.rest = after;
        }
        (!given.is_empty()).then_some(given)
    }

    /// `<KEY>VALUE</KEY>`, as many as there are before that mark.
    fn elements_until(&mut self, close: &str) -> Option<Vec<(String, String)>> {
        let rest = self.rest.trim_start();
        let (inside, after) = rest.starts_with('<').then(|| rest.split_once(close))??;
        let given = elements(inside).filter(|given| !given.is_empty())?;
        self.rest = after;
        Some(given)
    }

    /// `<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>`, behind the first mark; each name may have
    /// the same suffix.
    fn keys_and_values(
        &mut self,
        mut text: &'t str,
        suffix: &str,
    ) -> Option<Vec<(String, String)>> {
        let (key_end, value_end) = (format!("</arg_key{suffix}>"), format!("</arg_value{suffix}>"));
        let (key_mark, value_mark) = (format!("<arg_key{suffix}>"), format!("<arg_value{suffix}>"));
        let mut given = Vec::new();
        loop {
            let (key, behind) = text.split_once(&key_end)?;
            let behind = behind.trim_start().strip_prefix(&value_mark)?;
            let (value, after) = behind.split_once(&value_end)?;
            given.push((key.trim().to_owned(), value.to_owned()));
            match after.trim_start().strip_prefix(&key_mark) {
                Some(next) => text = next,
                None => {
                    self.rest = after;
                    return Some(given);
                }
            }
        }
    }

    /// A value: arguments where a name waits, else one call or a list of them.
    fn value(&mut self) -> Option<bool> {
        let (value, rest) = python::value(self.rest)?;
        if self.name.is_some() && value.is_object() {
            self.finish(value)?;
        } else if !self.calls.is_empty() && is_result(&value) {
            return self.end_at_result();
        } else {
            // An answer may be an object of that shape; a list of them says that they are calls.
            let may_be_keyed = self.is_marked || value.is_array();
            let list = match value {
                Value::Array(list) => list,
                one => vec![one],
            };
            for one in list {
                let (name, arguments) = match self.keyed(&one).filter(|_| may_be_keyed) {
                    Some((name, given)) => (name, Some(given.to_string())),
                    None => call_of(&one)?,
                };
                let name = match (self.meant(name), &arguments) {
                    (Some(name), _) => name,
                    // A name with arguments is a call, whatever it names.
                    (None, Some(_)) => name.to_owned(),
                    (None, None) => return None,
                };
                self.push(name, arguments.unwrap_or_else(|| "{}".to_owned()))?;
            }
        }
        self.rest = rest;
        Some(true)
    }

    /// `{"NAME": {…}}`, where a tool has that name.
    fn keyed<'v>(&self, value: &'v Value) -> Option<(&'v str, &'v Value)> {
        let object = value.as_object().filter(|object| object.len() == 1)?;
        let (name, given) = object.iter().next()?;
        (self.is_tool(name) && given.is_object()).then_some((name.as_str(), given))
    }

    /// `[name(key=value), …]`
    fn python_list(&mut self) -> Option<bool> {
        let mut rest = self.rest.strip_prefix('[')?;
        loop {
            let (name, given, behind) = python::call(rest)?;
            let name = self.meant(name)?;
            self.push(name, Value::Object(given).to_string())?;
            rest = behind.trim_start();
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None => break,
            }
        }
        self.rest = rest.strip_prefix(']')?;
        Some(true)
    }

    /// A word right before a value where nothing is marked: a tool's name, or one that says what comes.
    fn first_word(&mut self) -> Option<bool> {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let (word, rest) = self.rest.split_at(end);
        let is_said = ["tool", "function", "call"].iter().any(|said| word.contains(said));
        if !rest.starts_with(['[', '{']) || !(self.is_tool(word) || is_said) {
            return None;
        }
        self.name = self.is_tool(word).then(|| word.to_owned());
        self.rest = rest;
        Some(true)
    }

    /// A name between marks, before its arguments.
    fn bare_name(&mut self) -> Option<bool> {
        if !self.is_marked {
            return None;
        }
        let end = self.rest.find(|c: char| c.is_whitespace() || "<[{".contains(c));
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        // The kind of what is called stands before its name in some forms, that of the block behind it.
        if matches!(name, "function" | "functions" | "json" | "call" | "tool") {
            return Some(true);
        }
        let name = name.strip_prefix("call").unwrap_or(name).trim_start_matches(':');
        self.end_of_name()?;
        (self.name, self.is_named) = (Some(self.meant(name)?), false);
        // What follows a name is a mark or arguments, never the end or more words.
        rest.trim_start().starts_with(['<', '[', '{', '`']).then_some(true)
    }
}

/// Whether an object is what a tool would answer.
fn is_result(value: &Value) -> bool {
    let is_call = call_of(value).is_some();
    value.as_object().is_some_and(|o| !is_call && RESULTS.iter().any(|name| o.contains_key(*name)))
}

/// The name and the arguments, if there are any, of a call in JSON.
fn call_of(value: &Value) -> Option<(&str, Option<String>)> {
    const NAMES: [&str; 5] = ["name", "tool_name", "tool", "function", "function_name"];
    const ARGUMENTS: [&str; 5] = ["arguments", "parameters", "args", "input", "tool_input"];
    // What describes a tool is no call of it.
    let object = value.as_object().filter(|object| !object.contains_key("description"))?;
    if let Some(inner) = object.get("function").filter(|inner| inner.is_object()) {
        return call_of(inner);
    }
    let name = NAMES.iter().find_map(|key| object.get(*key)?.as_str())?;
    let arguments = ARGUMENTS.iter().find_map(|key| object.get(*key));
    match arguments {
        Some(Value::String(text)) => Some((name, Some(text.clone()))),
        Some(value @ Value::Object(_)) => Some((name, Some(value.to_string()))),
        Some(Value::Null) => Some((name, Some("{}".to_owned()))),
        None if object.len() == 1 => Some((name, None)),
        _ => None,
    }
}

/// `<key>value</key>`, as many as there are, and nothing else.
fn elements(text: &str) -> Option<Vec<(String, String)>> {
    let mut given = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (key, behind) = marks::tag(rest)?;
        let (value, after) = behind.split_once(&format!("</{key}>"))?;
        given.push((key.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    Some(given)
}

/// The deepest nesting of elements.
const MAX_DEPTH: usize = 16;

/// What a text between marks says: a value in JSON or as Python writes it, or elements as an object or a
/// list; nothing where it is just text.
pub(super) fn value(text: &str, depth: usize) -> Option<Value> {
    if let Some((value, rest)) = python::value(text) {
        return rest.trim().is_empty().then_some(value);
    }
    if depth > MAX_DEPTH || !text.starts_with('<') {
        return None;
    }
    let given = elements(text)?.into_iter();
    let mut given: Vec<(String, Value)> = given
        .map(|(key, raw)| {
            let value = value(raw.trim(), depth + 1);
            (key, value.unwrap_or(Value::String(raw)))
        })
        .collect();
    if given.iter().all(|(key, _)| key == "item") {
        return Some(given.drain(..).map(|(_, value)| value).collect());
    }
    Some(Value::Object(given.into_iter().collect()))
}

/// The arguments of a call from values by name, as the tool's schema has their types: a value that
/// stands as bare text is a text where the schema wants one, else what it reads as.
fn typed(name: &str, values: Vec<(String, String)>, tools: &[ToolSpec]) -> String {
    let schema = tools.iter().find(|tool| tool.name == name).map(|tool| &tool.parameters);
    let object = values.into_iter().map(|(key, raw)| {
        let wants = schema.and_then(|schema| schema.pointer(&format!("/properties/{key}/type")));
        let is_only = |kind: &str| match wants {
            Some(Value::String(one)) => one == kind,
            Some(Value::Array(kinds)) => kinds.iter().all(|one| one == kind),
            _ => false,
        };
        let raw = raw.strip_prefix('\n').unwrap_or(&raw);
        let raw = raw.strip_suffix('\n').unwrap_or(raw);
        let typed = match raw.trim() {
            _ if is_only("string") => None,
            "" if is_only("object") => Some(Value::Object(Map::new())),
            "" if is_only("array") => Some(Value::Array(Vec::new())),
            bare => value(bare, 0),
        };
        (key, typed.unwrap_or_else(|| Value::String(raw.to_owned())))
    });
    Value::Object(object.collect()).to_string()
}
