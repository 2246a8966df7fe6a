//! Calls and values as Python writes them.

use serde_json::{Map, Value};

/// The deepest nesting of a value.
const MAX_DEPTH: usize = 32;

/// What stands around a text that may have any signs in it.
const QUOTE: &str = "<|\"|>";

/// A value at the beginning of a text, in JSON or as Python writes it, and what comes behind it.
pub(super) fn value(text: &str) -> Option<(Value, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(value)) = values.next() {
        return Some((value, &text[values.byte_offset()..]));
    }
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    Some((value, reader.rest))
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
        if let Some(quoted) = self.rest.strip_prefix(QUOTE) {
            let (text, rest) = quoted.split_once(QUOTE)?;
            self.rest = rest;
            return Some(Value::String(text.to_owned()));
        }
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
            // A name may stand without quotation marks.
            let key = match self.name() {
                Some(name) => name.to_owned(),
                None => match self.value(depth + 1)? {
                    Value::String(key) => key,
                    other => other.to_string(),
                },
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
                    'r' => text.push('\r'),
                    '\n' => {}
                    'u' => {
                        let code: String = letters.by_ref().take(4).map(|(_, c)| c).collect();
                        text.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                    }
                    same @ ('\\' | '\'' | '"' | '/') => text.push(same),
                    // What is no escape stands as it is.
                    other => text.extend(['\\', other]),
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
