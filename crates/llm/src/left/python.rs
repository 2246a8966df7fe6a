//! Calls and values as Python writes them.

use serde_json::{Map, Value};

/// The deepest nesting of a value.
const MAX_DEPTH: usize = 32;

/// A value in JSON or as Python writes it; nothing where the text is neither.
pub(super) fn literal(text: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.space();
    reader.rest.is_empty().then_some(value)
}

/// A call `name(key=value, …)` at the beginning of a text, and what comes behind it.
pub(super) fn call(text: &str) -> Option<(&str, Map<String, Value>, &str)> {
    let mut reader = Reader { rest: text };
    let name = reader.name()?;
    let mut given = Map::new();
    if !reader.eat('(') {
        return None;
    }
    while !reader.eat(')') {
        let key = reader.name()?;
        if !reader.eat('=') {
            return None;
        }
        given.insert(key.to_owned(), reader.value(0)?);
        if !reader.eat(',') && !reader.rest.trim_start().starts_with(')') {
            return None;
        }
    }
    Some((name, given, reader.rest))
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, sign: char) -> bool {
        self.space();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// A name, with dots in it.
    fn name(&mut self) -> Option<&'t str> {
        self.space();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return None;
        }
        self.rest = rest;
        Some(name)
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.space();
        match self.rest.chars().next()? {
            '[' => self.items('[', ']', depth),
            '(' => self.items('(', ')', depth),
            '{' => self.map(depth),
            quote @ ('"' | '\'') => self.text(quote).map(Value::String),
            _ => self.word(),
        }
    }

    fn items(&mut self, open: char, close: char, depth: usize) -> Option<Value> {
        self.eat(open);
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(self.value(depth + 1)?);
            if !self.eat(',') && !self.rest.trim_start().starts_with(close) {
                return None;
            }
        }
        Some(Value::Array(items))
    }

    fn map(&mut self, depth: usize) -> Option<Value> {
        self.eat('{');
        let mut map = Map::new();
        while !self.eat('}') {
            let key = match self.value(depth + 1)? {
                Value::String(key) => key,
                other => other.to_string(),
            };
            if !self.eat(':') {
                return None;
            }
            map.insert(key, self.value(depth + 1)?);
            if !self.eat(',') && !self.rest.trim_start().starts_with('}') {
                return None;
            }
        }
        Some(Value::Object(map))
    }

    fn text(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => match letters.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    other => text.push(other),
                },
                end if end == quote => {
                    self.rest = &self.rest[at + quote.len_utf8()..];
                    return Some(text);
                }
                other => text.push(other),
            }
        }
        None
    }

    fn word(&mut self) -> Option<Value> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "True" | "true" => Some(Value::Bool(true)),
            "False" | "false" => Some(Value::Bool(false)),
            "None" | "null" => Some(Value::Null),
            number => serde_json::from_str::<serde_json::Number>(number).ok().map(Value::Number),
        }
    }
}
