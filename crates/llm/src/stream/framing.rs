//! Cuts a stream of bytes into its pieces: server-sent events, or one JSON text a line.

use serde_json::{Value, json};

use crate::ModelError;
use crate::providers::read::{has_error, parse, shorten};

/// How much is kept of what is no part of a stream, in letters.
const MAX_STRAY: usize = 400;

/// How a protocol cuts its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Server-sent events, as HTML describes them.
    Sse,
    /// One JSON text a line.
    Lines,
}

/// One piece of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The event's name; empty if it has none.
    pub event: String,
    /// What it says. `Null` for the mark `[DONE]`.
    pub data: Value,
}

impl Frame {
    /// Whether this is the mark `[DONE]`, with which many streams end.
    pub fn is_done_mark(&self) -> bool {
        self.data.is_null()
    }

    /// Whether the endpoint says that something failed, as every protocol may say it.
    pub fn is_error(&self) -> bool {
        self.event == "error" || has_error(&self.data)
    }
}

/// Collects bytes and gives whole frames.
pub(super) struct Framer {
    framing: Framing,
    line: Vec<u8>,
    /// Whether the last byte ended a line as a carriage return: a line feed after it is its second
    /// half.
    after_return: bool,
    event: String,
    data: Option<String>,
    /// The beginning of what is no part of a stream.
    stray: String,
    ready: std::collections::VecDeque<(String, String)>,
}

impl Framer {
    pub(super) fn new(framing: Framing) -> Self {
        Self {
            framing,
            line: Vec::new(),
            after_return: false,
            event: String::new(),
            data: None,
            stray: String::new(),
            ready: std::collections::VecDeque::new(),
        }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let is_second_half = std::mem::take(&mut self.after_return) && byte == b'\n';
            match byte {
                b'\n' if is_second_half => {}
                b'\n' => self.end_line(),
                b'\r' => {
                    self.after_return = true;
                    self.end_line();
                }
                _ => self.line.push(byte),
            }
        }
    }

    /// The bytes are at their end: what stands there unfinished is taken as it is, because many
    /// servers leave out the last empty line.
    pub(super) fn end(&mut self) {
        self.end_line();
        self.dispatch();
    }

    fn end_line(&mut self) {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_start_matches('\u{feff}');
        // What has no field is no part of a stream, but may well be an error.
        let is_bare = line.starts_with('{');
        if self.framing == Framing::Lines || is_bare {
            let line = line.trim();
            let line = line.strip_prefix("data:").unwrap_or(line);
            if !line.is_empty() {
                self.ready.push_back((String::new(), line.to_owned()));
            }
            return;
        }
        if line.is_empty() {
            return self.dispatch();
        }
        if line.starts_with(':') {
            self.ready.push_back((String::new(), String::new()));
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.event = value.chars().take(100).collect(),
            // llama.cpp tells an error in a field of its own.
            "data" | "error" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // Ids and times are for those who reconnect.
            "id" | "retry" => {}
            _ => {
                let space = if self.stray.is_empty() { "" } else { " " };
                let left = MAX_STRAY.saturating_sub(self.stray.len());
                self.stray.extend(space.chars().chain(line.chars()).take(left));
            }
        }
    }

    /// What came that is no part of a stream, shortened.
    pub(super) fn stray(&self) -> String {
        shorten(&self.stray)
    }

    fn dispatch(&mut self) {
        let event = std::mem::take(&mut self.event);
        if let Some(data) = self.data.take() {
            self.ready.push_back((event, data));
        }
    }

    /// The next whole frame; `None` within is a sign of life: a comment, or an event that says
    /// nothing.
    pub(super) fn next(&mut self) -> Option<Result<Option<Frame>, ModelError>> {
        let (event, data) = self.ready.pop_front()?;
        let text = data.trim();
        if text.is_empty() {
            return Some(Ok(None));
        }
        if text == "[DONE]" {
            return Some(Ok(Some(Frame { event, data: Value::Null })));
        }
        Some(match parse(text) {
            Some(Value::Null) => Ok(None),
            Some(data) => Ok(Some(Frame { event, data })),
            None if event == "error" => Ok(Some(Frame { event, data: json!({ "error": text }) })),
            None => {
                // Events that nothing parts, or an error behind one that was not finished: each
                // line is looked at, those that are whole first.
                let lines = || text.lines().filter(|line| !line.trim().is_empty());
                if lines().nth(1).is_some() {
                    let (whole, torn): (Vec<&str>, Vec<&str>) =
                        lines().partition(|line| *line == "[DONE]" || parse(line).is_some());
                    for line in torn.into_iter().rev().chain(whole.into_iter().rev()) {
                        self.ready.push_front((event.clone(), line.to_owned()));
                    }
                    return self.next();
                }
                let reason = format!("a piece of the stream is not JSON: \"{}\"", shorten(text));
                Err(ModelError::Broken { reason })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(framing: Framing, text: &str) -> Vec<(String, Value)> {
        let mut framer = Framer::new(framing);
        framer.feed(text.as_bytes());
        framer.end();
        std::iter::from_fn(|| framer.next())
            .filter_map(|f| f.unwrap())
            .map(|f| (f.event, f.data))
            .collect()
    }

    #[test]
    fn events_are_read_with_any_end_of_line() {
        for end in ["\n", "\r\n", "\r"] {
            let text =
                ": hello|event: ping|data: {\"a\":|data: 1}||data:[2]||data: [DONE]||id: 7||"
                    .replace('|', end);
            let found = frames(Framing::Sse, &text);
            let expected = [
                ("ping".to_owned(), json!({ "a": 1 })),
                (String::new(), json!([2])),
                (String::new(), Value::Null),
            ];
            assert_eq!(found, expected, "{end:?}");
        }
    }

    #[test]
    fn the_last_empty_line_may_be_missing() {
        assert_eq!(frames(Framing::Sse, "data: 1").len(), 1);
        assert_eq!(frames(Framing::Lines, "{\"a\":1}\n\n{\"a\":2}").len(), 2);
    }

    #[test]
    fn what_is_no_json_is_quoted() {
        let mut framer = Framer::new(Framing::Lines);
        framer.feed(b"oops\n");
        let error = framer.next().unwrap().unwrap_err().to_string();
        assert_eq!(error, "the answer broke off: a piece of the stream is not JSON: \"oops\"");
    }
}
