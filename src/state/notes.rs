//! What a person writes about a run: tags, a note on the whole of it, notes on its steps.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where they stand in what a record has besides its trace.
const NAME: &str = "notes";
/// Bounds of what is read from a file: a list draws it all.
const MOST_TAGS: usize = 20;
const MOST_TAG: usize = 40;
const MOST_STEPS: usize = 2_000;
const MOST_NOTE: usize = 4_000;

/// Notes on one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// Words by which runs are found again.
    pub tags: Vec<String>,
    /// On the run as a whole.
    pub run: String,
    /// On a step, by its number, counted from 1 as people read it.
    pub steps: BTreeMap<usize, String>,
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

impl Notes {
    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The notes in a record's metadata; what is none of ours stays where it is.
    pub fn of(metadata: &Map<String, Value>) -> Self {
        let found = metadata.get(NAME).and_then(|n| serde_json::from_value::<Self>(n.clone()).ok());
        let Some(found) = found else { return Self::default() };
        let mut notes = Self { run: cut(&found.run, MOST_NOTE), ..Self::default() };
        notes.set_tags(&found.tags.join(","));
        for (step, words) in found.steps.into_iter().take(MOST_STEPS) {
            notes.set_step(step, &words);
        }
        notes
    }

    /// Writes them into a record's metadata; empty ones are taken out.
    pub fn put(&self, metadata: &mut Map<String, Value>) {
        if self.is_empty() {
            metadata.shift_remove(NAME);
        } else if let Ok(value) = serde_json::to_value(self) {
            metadata.insert(NAME.to_owned(), value);
        }
    }

    /// Takes tags as a person types them, with commas between them.
    pub fn set_tags(&mut self, text: &str) {
        let mut tags: Vec<String> = Vec::new();
        for tag in text.split(',').map(|t| cut(t.trim(), MOST_TAG)).filter(|t| !t.is_empty()) {
            if !tags.contains(&tag) && tags.len() < MOST_TAGS {
                tags.push(tag);
            }
        }
        self.tags = tags;
    }

    /// Takes the note on a step; an empty one is taken out.
    pub fn set_step(&mut self, step: usize, words: &str) {
        if words.trim().is_empty() {
            self.steps.remove(&step);
        } else {
            self.steps.insert(step, cut(words, MOST_NOTE));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use trace::{Record, Trace, formats};

    use super::*;

    fn some() -> Notes {
        let mut notes = Notes { run: "Read again.".into(), ..Notes::default() };
        notes.set_tags(" invented edge, hard ,, hard");
        notes.set_step(3, "Here it makes an edge up.");
        notes.set_step(4, "  ");
        notes
    }

    #[test]
    fn tags_are_words_between_commas() {
        assert_eq!(some().tags, ["invented edge", "hard"]);
        assert_eq!(some().steps.len(), 1);
    }

    #[test]
    fn they_come_back_from_a_record_and_leave_no_trace_when_empty() {
        let mut metadata = Map::new();
        metadata.insert("epoch".into(), json!(1));
        some().put(&mut metadata);
        assert_eq!(Notes::of(&metadata), some());
        Notes::default().put(&mut metadata);
        assert_eq!(metadata.len(), 1);
    }

    #[test]
    fn they_are_in_files_whose_format_has_room_for_them() {
        let mut record = Record::of(Trace::new("grounded", "m".into(), Vec::new()));
        some().put(&mut record.metadata);
        for format in formats::FORMATS.iter().filter(|f| f.id != "otel") {
            let Some(write) = format.write else { continue };
            let text = write(std::slice::from_ref(&record));
            let read = format.read(&text).unwrap();
            assert_eq!(Notes::of(&read[0].metadata), some(), "{}", format.id);
        }
    }

    #[test]
    fn what_somebody_else_wrote_there_is_bounded_or_left_alone() {
        let mut metadata = Map::new();
        metadata.insert(NAME.into(), json!("words of another program"));
        assert!(Notes::of(&metadata).is_empty());
        let tags: Vec<String> = (0..1000).map(|i| format!("{i}{}", "x".repeat(100))).collect();
        metadata.insert(NAME.into(), json!({ "tags": tags, "run": "y".repeat(1_000_000) }));
        let notes = Notes::of(&metadata);
        assert_eq!((notes.tags.len(), notes.run.len()), (MOST_TAGS, MOST_NOTE));
        assert!(notes.tags.iter().all(|t| t.len() <= MOST_TAG));
    }
}
