//! The key taken out of what comes in pieces.

use std::collections::BTreeMap;

use super::{Scrub, View};
use crate::Part;

/// Takes a key out of a text that comes in pieces.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    scrub: Scrub,
    held: String,
}

impl Stream {
    /// Of the key that `scrub` is for.
    pub fn new(scrub: Scrub) -> Self {
        Self { scrub, held: String::new() }
    }

    /// A piece without the key. What may be the key's beginning is held back until the next piece.
    pub fn feed(&mut self, piece: &str) -> String {
        if self.scrub.needles.is_empty() {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        let view = View::of(&self.held);
        let mut from = self.scrub.begins_at(&view).min(self.held.len());
        // A key that is whole is taken out whole, even where another may begin within it.
        let hits = self.scrub.hits(&view);
        while let Some(hit) = hits.iter().find(|hit| hit.start < from && from < hit.end) {
            from = hit.start;
        }
        let rest = self.held.split_off(from);
        let out = self.scrub.clean(&self.held).into_owned();
        self.held = rest;
        out
    }

    /// What was held back, at the end.
    pub fn end(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        self.scrub.clean(&held).into_owned()
    }
}

/// Takes a key out of the pieces of an answer while they are shown. A beginning of a key at the end
/// of what was said is not shown: the whole message, cleaned, takes the place of the pieces.
#[derive(Clone, Debug, Default)]
pub struct CleanParts {
    scrub: Scrub,
    text: Stream,
    reasoning: Stream,
    calls: BTreeMap<usize, Stream>,
}

impl CleanParts {
    /// Of the key that `scrub` is for.
    pub fn new(scrub: Scrub) -> Self {
        let stream = || Stream::new(scrub.clone());
        Self { text: stream(), reasoning: stream(), calls: BTreeMap::new(), scrub }
    }

    /// The next piece without the key.
    pub fn feed(&mut self, part: Part) -> Part {
        match part {
            Part::Text { text } => Part::Text { text: self.text.feed(&text) },
            Part::Reasoning { text } => Part::Reasoning { text: self.reasoning.feed(&text) },
            Part::Call { index, name, arguments } => {
                let stream =
                    self.calls.entry(index).or_insert_with(|| Stream::new(self.scrub.clone()));
                let arguments = stream.feed(&arguments);
                Part::Call { index, name: self.scrub.clean(&name).into_owned(), arguments }
            }
            Part::Retry { attempt, wait_ms, reason, is_too_fast } => {
                let reason = self.scrub.clean(&reason).into_owned();
                *self = Self::new(self.scrub.clone());
                Part::Retry { attempt, wait_ms, reason, is_too_fast }
            }
        }
    }
}
