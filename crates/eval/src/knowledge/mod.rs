//! Benchmarks on knowledge graphs: what came of each question as a line, and the tables over such
//! lines, with the paper's own figures as reference rows.

mod report;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use systems::kgqa::{Effort, KgOptions, KgRun, about};
use tasks::kgqa::KgQuestion;
use trace::bytes_hash;

pub use report::{SOURCE, tables};

/// The most lines that are read.
pub const MAX_LINES: usize = 200_000;
/// The longest line, in bytes.
pub const MAX_LINE: usize = 64_000_000;

/// What came of one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KgLine {
    /// [`key`] of the run: one that is there is never made again.
    pub key: String,
    /// How its system went about it.
    #[serde(default)]
    pub options: KgOptions,
    /// What it took; counted anew, roughly, where it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// What a judging model said, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<bool>,
    /// What happened.
    pub run: KgRun,
}

impl KgLine {
    /// What the run took.
    pub fn effort(&self) -> Effort {
        self.effort.unwrap_or_else(|| Effort::of(&self.run.trace, &about))
    }

    /// Who answered: runs of one setup are counted together.
    pub fn setup(&self) -> Setup {
        Setup {
            system: self.run.system.clone(),
            model: self.run.trace.model.clone(),
            way: way(&self.run.system, &self.options),
        }
    }
}

/// A system with a model, and what is not as usual about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup {
    /// The system's id.
    pub system: String,
    /// The model's label.
    pub model: String,
    /// What is not as usual, in words; empty if all is.
    pub way: String,
}

impl Setup {
    /// For people.
    pub fn title(&self) -> String {
        let system = systems::kgqa::find(&self.system).map_or(self.system.as_str(), |s| s.title);
        let way = if self.way.is_empty() { String::new() } else { format!(" ({})", self.way) };
        format!("{system}{way}, {}", self.model)
    }
}

/// What is not as usual about options, each with its value.
fn way(system: &str, options: &KgOptions) -> String {
    let value = |o: &KgOptions| match serde_json::to_value(o) {
        Ok(serde_json::Value::Object(map)) => map,
        _ => serde_json::Map::new(),
    };
    let (usual, here) = (value(&KgOptions::default()), value(options));
    // What only other systems look at says nothing of this one.
    let of_others: &[&str] = match system {
        "graphrunner" => &["max_steps", "n_retrieved", "n_hops", "max_context_chars"],
        "graph_cot" => &["form", "verify", "check_data", "max_repairs", "n_retrieved", "n_hops"],
        _ => &["form", "verify", "check_data", "max_repairs", "max_steps", "semantics"],
    };
    let mut words = Vec::new();
    for (name, value) in &here {
        if of_others.contains(&name.as_str()) || usual.get(name) == Some(value) {
            continue;
        }
        match (name.as_str(), value) {
            ("verify", _) => words.push("not verified".to_owned()),
            ("check_data", _) => words.push("verified on the data too".to_owned()),
            (name, serde_json::Value::Object(parts)) => {
                let before = usual.get(name).and_then(|v| v.as_object());
                let other = parts.iter().filter(|(k, v)| before.and_then(|b| b.get(*k)) != Some(v));
                words.extend(other.map(|(k, v)| format!("{} {v}", k.replace('_', " "))));
            }
            (name, value) => words.push(format!("{} {value}", name.replace('_', " "))),
        }
    }
    words.join(", ")
}

/// The key of a run: a finished run with it is never made again.
pub fn key(
    system: &str,
    options: &KgOptions,
    model: &str,
    kg: &str,
    question: &KgQuestion,
) -> String {
    let words = serde_json::to_string(&(system, options, model, kg, question));
    bytes_hash(words.unwrap_or_default().as_bytes())
}

/// Lines as they were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KgLines {
    /// The lines, each key once: what was written last counts.
    pub lines: Vec<KgLine>,
    /// Where the last line begins, in bytes, if it was cut off when it was written.
    pub torn_at: Option<usize>,
}

/// Why lines could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KgLineError {
    /// A line that is none.
    #[error("line {line}: expected a run on a knowledge graph, with `key` and `run`: {reason}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// Too many.
    #[error("there are more than {limit} lines; at most so many are read")]
    TooMany {
        /// How many are read.
        limit: usize,
    },
}

/// Reads lines, one as JSON each. The last may have been cut off when the program was ended.
///
/// # Errors
/// One of them is none, or there are too many.
pub fn read(text: &str) -> Result<KgLines, KgLineError> {
    let mut place: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = KgLines::default();
    let mut at = 0;
    for (i, line) in text.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |reason: String| KgLineError::Line { line: i + 1, reason };
        if line.len() > MAX_LINE {
            let n = line.len();
            return Err(wrong(format!("it has {n} bytes; at most {MAX_LINE} are read")));
        }
        let read: KgLine = match serde_json::from_str(line) {
            Ok(read) => read,
            Err(_) if at == text.len() && !line.ends_with('\n') => {
                found.torn_at = Some(start);
                break;
            }
            Err(error) => return Err(wrong(error.to_string())),
        };
        match place.get(&read.key) {
            Some(there) => found.lines[*there] = read,
            None if found.lines.len() >= MAX_LINES => {
                return Err(KgLineError::TooMany { limit: MAX_LINES });
            }
            None => {
                place.insert(read.key.clone(), found.lines.len());
                found.lines.push(read);
            }
        }
    }
    Ok(found)
}
