//! JSON as language models write it: in fences, between words, with faults.

use serde_json::{Map, Number, Value};

/// The most objects and lists within each other.
const MAX_DEPTH: usize = 64;

/// JSON that was found in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The value.
    pub value: Value,
    /// What was repaired, each sort once; empty where the text had JSON without a fault.
    pub repairs: Vec<&'static str>,
}

/// Finds the first object or list of a text, and reads it. Where it is no JSON, it is repaired: quotes
/// of the wrong kind, escapes that there are not (`\x41`, half letters), line ends in texts, names
/// without quotes, commas too many or too few, comments, Python's `True` and `None`, a missing end.
/// O(n).
///
/// ```
/// let read = llm::repair::read("Sure:\n```json\n{'vote': 'it\\'s \\u00e9', 'sure': True,}\n```").unwrap();
/// assert_eq!(read.value, serde_json::json!({ "vote": "it's é", "sure": true }));
/// assert!(!read.repairs.is_empty());
/// ```
///
/// # Errors
/// There is no object and no list, or they are more than 64 deep.
pub fn read(text: &str) -> Result<Repaired, String> {
    let inner = fenced(text).unwrap_or(text);
    let found = [inner, text].into_iter().find_map(|t| t.find(['{', '[']).map(|at| &t[at..]));
    let Some(found) = found else {
        let shown: String = text.trim().chars().take(60).collect();
        return Err(format!("expected a JSON object, found {shown:?}"));
    };
    let mut whole = serde_json::Deserializer::from_str(found).into_iter::<Value>();
    if let Some(Ok(value)) = whole.next() {
        return Ok(Repaired { value, repairs: Vec::new() });
    }
    let mut reader = Reader { rest: found, depth: 0, repairs: Vec::new() };
    let value = reader.value()?;
    Ok(Repaired { value, repairs: reader.repairs })
}

/// What stands between the first fence and the next; to the end where there is no next.
fn fenced(text: &str) -> Option<&str> {
    let (_, behind) = text.split_once("```")?;
    let inner = behind.split_once('\n').map_or(behind, |(_, inner)| inner);
    Some(inner.split("```").next().unwrap_or(inner))
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
    repairs: Vec<&'static str>,
}

impl Reader<'_> {
    fn note(&mut self, what: &'static str) {
        if !self.repairs.contains(&what) {
            self.repairs.push(what);
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn advance(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }

    fn takes(&mut self, c: char) -> bool {
        let is = self.peek() == Some(c);
        if is {
            self.advance();
        }
        is
    }

    fn skip_space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                self.note("comments");
                self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
            } else if self.rest.starts_with("/*") {
                self.note("comments");
                self.rest = self.rest.find("*/").map_or("", |end| &self.rest[end + 2..]);
            } else {
                return;
            }
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        self.skip_space();
        match self.peek() {
            Some('{') => self.nested(Self::object),
            Some('[') => self.nested(Self::list),
            Some('"' | '\'' | '“' | '‘' | '`') => Ok(Value::String(self.text())),
            Some(_) => Ok(self.word()),
            None => {
                self.note("a missing end");
                Ok(Value::Null)
            }
        }
    }

    fn nested(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<Value, String>,
    ) -> Result<Value, String> {
        if self.depth >= MAX_DEPTH {
            return Err(format!("the JSON is more than {MAX_DEPTH} objects and lists deep"));
        }
        self.depth += 1;
        self.advance();
        let value = inner(self);
        self.depth -= 1;
        value
    }

    /// What stands between two items. Gives whether there is another.
    fn goes_on(&mut self, end: char, is_first: bool) -> bool {
        self.skip_space();
        let mut n_commas = 0;
        while self.takes(',') {
            n_commas += 1;
            self.skip_space();
        }
        match self.peek() {
            Some(c) if c == end => {
                if n_commas > 0 {
                    self.note("a comma too many");
                }
                self.advance();
                false
            }
            // The other bracket ends it too; it is left for whoever it belongs to.
            None | Some('}' | ']') => {
                self.note("a missing end");
                false
            }
            Some(_) => {
                if n_commas > 1 || is_first && n_commas > 0 {
                    self.note("a comma too many");
                }
                if n_commas == 0 && !is_first {
                    self.note("a missing comma");
                }
                true
            }
        }
    }

    fn object(&mut self) -> Result<Value, String> {
        let mut map = Map::new();
        let mut is_first = true;
        while self.goes_on('}', is_first) {
            is_first = false;
            let before = self.rest.len();
            let key = match self.peek() {
                Some('"' | '\'' | '“' | '‘' | '`') => self.text(),
                _ => {
                    self.note("a name without quotes");
                    let end = self
                        .rest
                        .find(|c: char| c == ':' || c == '=' || ",{}[]\n".contains(c))
                        .unwrap_or(self.rest.len());
                    let (key, rest) = self.rest.split_at(end);
                    self.rest = rest;
                    key.trim().to_owned()
                }
            };
            self.skip_space();
            if !self.takes(':') {
                self.note("a missing colon");
                self.takes('=');
            }
            let value = self.value()?;
            map.insert(key, value);
            self.move_from(before);
        }
        Ok(Value::Object(map))
    }

    fn list(&mut self) -> Result<Value, String> {
        let mut items = Vec::new();
        while self.goes_on(']', items.is_empty()) {
            let before = self.rest.len();
            items.push(self.value()?);
            self.move_from(before);
        }
        Ok(Value::Array(items))
    }

    /// Every item takes at least a letter, so that reading ends.
    fn move_from(&mut self, before: usize) {
        if self.rest.len() == before {
            self.advance();
        }
    }

    /// A text between quotes of one kind. A quote ends it if what follows could stand behind a text.
    fn text(&mut self) -> String {
        let open = self.advance().unwrap_or('"');
        let close = match open {
            '“' => '”',
            '‘' => '’',
            other => other,
        };
        if open != '"' {
            self.note("quotes of another kind");
        }
        let mut text = String::new();
        loop {
            match self.advance() {
                None => {
                    self.note("a missing end");
                    return text;
                }
                Some(c) if c == close => {
                    let next = self.rest.trim_start().chars().next();
                    if next.is_none_or(|c| ",:]}/#`".contains(c)) || self.rest.starts_with('\n') {
                        return text;
                    }
                    self.note("quotes within a text");
                    text.push(c);
                }
                Some('\\') => self.escape(&mut text),
                Some(c) => {
                    if c < ' ' {
                        self.note("line ends or tabs within a text");
                    }
                    text.push(c);
                }
            }
        }
    }

    fn escape(&mut self, text: &mut String) {
        match self.advance() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some(c @ ('"' | '\\' | '/')) => text.push(c),
            Some('u') => self.letter(4, text, "u"),
            Some('x') => {
                self.note("an escape that there is not");
                self.letter(2, text, "x");
            }
            Some(c) => {
                self.note("an escape that there is not");
                if c != '\'' && c != '\n' {
                    text.push('\\');
                }
                if c != '\n' {
                    text.push(c);
                }
            }
            None => self.note("a missing end"),
        }
    }

    /// A letter by its number. Two halves make one; a half alone is left out.
    fn letter(&mut self, n_digits: usize, text: &mut String, sort: &str) {
        let Some(code) = self.digits(n_digits) else {
            self.note("an escape that there is not");
            text.push('\\');
            text.push_str(sort);
            return;
        };
        if (0xd800..0xdc00).contains(&code)
            && let Some(behind) = self.rest.strip_prefix("\\u")
        {
            let before = std::mem::replace(&mut self.rest, behind);
            let pair = self.digits(4).and_then(|low| {
                let pair = [u16::try_from(code).ok()?, u16::try_from(low).ok()?];
                char::decode_utf16(pair).next()?.ok()
            });
            match pair {
                Some(c) => return text.push(c),
                None => self.rest = before,
            }
        }
        match char::from_u32(code) {
            Some(c) => text.push(c),
            None => self.note("half a letter"),
        }
    }

    fn digits(&mut self, n: usize) -> Option<u32> {
        let digits = self.rest.get(..n)?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        self.rest = &self.rest[n..];
        Some(code)
    }

    /// A number, true, false, null, or words without quotes.
    fn word(&mut self) -> Value {
        let end = self.rest.find([',', '}', ']', '\n', '"']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let word = word.trim();
        if let Ok(value) = serde_json::from_str::<Value>(word)
            && !value.is_object()
        {
            return value;
        }
        match word {
            "True" | "TRUE" => {
                self.note("Python's words");
                Value::Bool(true)
            }
            "False" | "FALSE" => {
                self.note("Python's words");
                Value::Bool(false)
            }
            "None" | "undefined" | "NULL" | "" => {
                self.note("Python's words");
                Value::Null
            }
            _ => {
                let number = word.trim_start_matches('+').trim_end_matches('.');
                let read = number.parse::<f64>().ok().and_then(Number::from_f64);
                match read {
                    Some(number) => {
                        self.note("a number in another form");
                        Value::Number(number)
                    }
                    None => {
                        self.note("words without quotes");
                        Value::String(word.to_owned())
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_models_write_is_read() {
        let cases = [
            (r#"{"a": 1}"#, json!({ "a": 1 })),
            ("```json\n{\"a\": [1, 2]}\n```\nDone.", json!({ "a": [1, 2] })),
            ("Sure! {'a': 'b', 'c': None,} ok", json!({ "a": "b", "c": null })),
            ("{\"q\": \"line1\nline2\\x41\\u00e9\"}", json!({ "q": "line1\nline2Aé" })),
            (r#"{"q": "\ud83d\ude00 \ud83d \uZZ"}"#, json!({ "q": "😀  \\uZZ" })),
            (r#"{"q": ["a", "b"#, json!({ "q": ["a", "b"] })),
            (r#"{"q": "say "hi" now", "r": 1}"#, json!({ "q": "say \"hi\" now", "r": 1 })),
            ("{q: 1, // why\n r: two words}", json!({ "q": 1, "r": "two words" })),
            (r#"{"a": 1 "b": .5}"#, json!({ "a": 1, "b": 0.5 })),
            (r#"{"q": "MATCH (n {name: 'it\'s'})"}"#, json!({ "q": "MATCH (n {name: 'it's'})" })),
            (r#"{"q": "n.x =~ '\d+'"}"#, json!({ "q": "n.x =~ '\\d+'" })),
            ("[{\"a\": 1}", json!([{ "a": 1 }])),
        ];
        for (text, value) in cases {
            assert_eq!(read(text).map(|r| r.value), Ok(value), "{text}");
        }
        assert!(read("no JSON here").is_err());
        assert!(read(&"[".repeat(100_000)).is_err());
        assert!(read(&"{\"a\":".repeat(100_000)).is_err());
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((".{0,6}", inner), 0..4)
                    .prop_map(|entries| Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_json_is_read_as_it_is(value in json()) {
            let whole = json!({ "v": value });
            let read = read(&format!("Here: {whole} and more")).unwrap();
            prop_assert_eq!(read.value, whole);
            prop_assert!(read.repairs.is_empty());
        }

        /// Its own reading of JSON without faults is that of serde_json.
        #[test]
        fn the_repairer_reads_json_as_it_is(value in json()) {
            let text = json!({ "v": value }).to_string();
            let mut reader = Reader { rest: &text, depth: 0, repairs: Vec::new() };
            let read = reader.value().unwrap();
            // Quotes within a text are seen only by what follows them.
            if !text.contains("\\\"") {
                prop_assert_eq!(read, json!({ "v": value }));
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in r#"[\[\]{}"',:\\ux0-9a-f \n/*#.tT]{0,60}"#) {
            let _ = read(&text);
        }
    }
}
