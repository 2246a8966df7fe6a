//! Takes a key out of what an endpoint says: some servers quote it in their errors, a model may
//! repeat it, and all of that is kept, shown and shared.
//!
//! A key is found as it is, in base64 at any offset, and where letters of either are escaped:
//! `\u0041` (as JSON within JSON has it, too), `\x41`, `%41`, `&#65;`. The same text is cleaned
//! twice: on the wire, and again when an answer is put together, because a model that streams says
//! a key in pieces.

mod parts;
mod view;

use std::borrow::Cow;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use serde_json::Value;

use crate::{ApiKey, ChatResponse, HttpHead, HttpRequest, Message, ModelError};

pub use parts::{CleanParts, Stream};
use view::View;

/// What stands in the key's place.
pub const MARK: &str = "***";
/// Keys shorter than this are words that a text may have anyway.
pub const SHORTEST: usize = 6;

/// Takes keys out of texts.
#[derive(Clone, Default)]
pub struct Scrub {
    /// The keys and their forms in base64, the longest first.
    needles: Vec<Vec<u8>>,
}

impl std::fmt::Debug for Scrub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scrub(***)")
    }
}

impl Scrub {
    /// For these keys, of which those count that are long enough to be no word. Of `user:password`
    /// the password is taken out by itself, too.
    pub fn new<'a>(keys: impl IntoIterator<Item = &'a ApiKey>) -> Self {
        Self::of(
            keys.into_iter()
                .map(ApiKey::expose)
                .flat_map(|key| [key, key.split_once(':').map_or("", |(_, password)| password)]),
        )
    }

    /// As [`Scrub::new`], but for passwords by themselves.
    pub fn whole<'a>(keys: impl IntoIterator<Item = &'a ApiKey>) -> Self {
        Self::of(keys.into_iter().map(ApiKey::expose))
    }

    fn of<'a>(secrets: impl Iterator<Item = &'a str>) -> Self {
        let mut needles = Vec::new();
        for secret in secrets.filter(|s| s.len() >= SHORTEST) {
            needles.push(secret.as_bytes().to_vec());
            for alphabet in [&STANDARD, &URL_SAFE] {
                let whole = alphabet.encode(secret);
                needles.push(whole.trim_end_matches('=').as_bytes().to_vec());
                needles.push(whole.into_bytes());
                needles.extend((0..3).map(|offset| within_base64(alphabet, secret, offset)));
            }
        }
        needles.retain(|n| n.len() >= SHORTEST);
        Self::default().taking(needles)
    }

    /// For other keys, too.
    pub fn with<'a>(&self, keys: impl IntoIterator<Item = &'a ApiKey>) -> Self {
        self.clone().taking(Self::new(keys).needles)
    }

    fn taking(mut self, needles: Vec<Vec<u8>>) -> Self {
        self.needles.extend(needles);
        self.needles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        self.needles.dedup();
        self
    }

    /// The text without the key. O(n) where no letter of a key is in it, and O(n k) at most.
    pub fn clean<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.needles.is_empty() {
            return Cow::Borrowed(text);
        }
        let hits = self.hits(&View::of(text));
        if hits.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut clean = String::with_capacity(text.len());
        let mut at = 0;
        for hit in hits {
            clean.push_str(&text[at..hit.start]);
            clean.push_str(MARK);
            at = hit.end;
        }
        clean.push_str(&text[at..]);
        Cow::Owned(clean)
    }

    /// Where a key stands, in order and apart from each other.
    fn hits(&self, view: &View) -> Vec<Range<usize>> {
        let mut hits: Vec<Range<usize>> = Vec::new();
        for needle in &self.needles {
            hits.extend(view.find(needle));
        }
        hits.sort_by_key(|hit| (hit.start, hit.end));
        let mut apart: Vec<Range<usize>> = Vec::new();
        for hit in hits {
            match apart.last_mut() {
                Some(last) if hit.start < last.end => last.end = last.end.max(hit.end),
                _ => apart.push(hit),
            }
        }
        apart
    }

    /// From where on the text may be the beginning of a key.
    fn begins_at(&self, view: &View) -> usize {
        let starts = self.needles.iter().map(|needle| view.unfinished(needle));
        starts.min().unwrap_or(usize::MAX)
    }

    fn text(&self, text: &mut String) {
        if let Cow::Owned(clean) = self.clean(text) {
            *text = clean;
        }
    }

    /// Takes the key out of every text of a JSON value, names of fields included.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(fields) => {
                let clean = std::mem::take(fields).into_iter().map(|(name, mut value)| {
                    self.value(&mut value);
                    (self.clean(&name).into_owned(), value)
                });
                *fields = clean.collect();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Takes the key out of a message: text, thoughts, calls, and what the endpoint wants back.
    pub fn message(&self, message: &mut Message) {
        self.text(&mut message.content);
        message.reasoning.iter_mut().for_each(|text| self.text(text));
        message.tool_call_id.iter_mut().for_each(|text| self.text(text));
        for call in &mut message.tool_calls {
            self.text(&mut call.id);
            self.text(&mut call.name);
            self.text(&mut call.arguments);
        }
        for item in message.echo.iter_mut().flat_map(|echo| &mut echo.items) {
            self.value(item);
        }
    }

    /// Takes the key out of a request. The header that carries it comes later.
    pub fn request(&self, request: &mut HttpRequest) {
        self.text(&mut request.url);
        self.text(&mut request.body);
    }

    /// Takes the key out of what stands before an answer.
    pub fn head(&self, head: &mut HttpHead) {
        head.content_type.iter_mut().for_each(|text| self.text(text));
    }

    /// Takes the key out of what came of a question.
    pub fn outcome(
        &self,
        outcome: Result<ChatResponse, ModelError>,
    ) -> Result<ChatResponse, ModelError> {
        match outcome {
            Ok(mut answer) => {
                self.message(&mut answer.message);
                if let crate::FinishReason::Other(reason) = &mut answer.finish {
                    self.text(reason);
                }
                Ok(answer)
            }
            Err(error) => Err(self.error(error)),
        }
    }

    /// Takes the key out of an error, whichever text of it has it.
    pub fn error(&self, mut error: ModelError) -> ModelError {
        for text in error.texts() {
            self.text(text);
        }
        error
    }
}

/// What of a key's base64 does not depend on what is before and after it, where it begins so many
/// bytes after a group of three.
fn within_base64(alphabet: &impl base64::Engine, secret: &str, offset: usize) -> Vec<u8> {
    let mut bytes = vec![0; offset];
    bytes.extend_from_slice(secret.as_bytes());
    let text = alphabet.encode(&bytes).into_bytes();
    // A letter has six bits: those that have a bit of what is before, and those that are not full.
    let start = (offset * 8).div_ceil(6);
    let end = bytes.len() * 8 / 6;
    text.get(start..end).unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests;
