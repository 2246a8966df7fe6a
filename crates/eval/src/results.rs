//! Files of results of every kind but runs files: told apart by their first line, and made into a
//! [`Sheet`] that the page, the terminal and an HTML file show alike.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use tasks::Verdict;
use tasks::family::score::Mode;
use trace::Trace;

use crate::family::{self, FamilyLine};
use crate::knowledge::{self, KgLine};
use crate::prices::Prices;
use crate::tables::Table;

/// What a file of results is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A runs file: [`Runs`](crate::Runs) reads it.
    Runs,
    /// Runs on a knowledge graph.
    Knowledge,
    /// Requests of the family benchmark.
    Family,
}

/// What a file is by its first line; `None` if it is none of them.
pub fn kind(text: &str) -> Option<Kind> {
    let line = text.lines().find(|l| !l.trim().is_empty())?.trim_start_matches('\u{feff}');
    let value: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).ok()?;
    let has = |names: &[&str]| names.iter().all(|n| value.contains_key(*n));
    if has(&["type"]) {
        Some(Kind::Runs)
    } else if has(&["key", "run"]) {
        Some(Kind::Knowledge)
    } else if has(&["extract_model", "call_model", "searches"]) {
        Some(Kind::Family)
    } else {
        None
    }
}

/// Why files could not be made into a sheet.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// Of another kind.
    #[error(
        "{file}: this is no file of results; expected lines that `graphground kg bench` or \
         `graphground kgetool run` wrote"
    )]
    Unknown {
        /// Its name.
        file: String,
    },
    /// Of two kinds.
    #[error("{file}: its results are of another kind than those before; give files of one kind")]
    Mixed {
        /// The name of the first that differs.
        file: String,
    },
    /// A line that cannot be read.
    #[error("{file}, {reason}")]
    Line {
        /// Its name.
        file: String,
        /// Where, and what is wrong.
        reason: String,
    },
    /// Nothing.
    #[error("there is no finished run in it yet")]
    Empty,
}

/// Results added up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// What the results are of.
    pub kind: Kind,
    /// What was added up, in a sentence.
    pub lede: String,
    /// The tables.
    pub tables: Vec<Table>,
    /// The runs, where they are kept step by step.
    pub runs: Vec<SheetRun>,
}

/// A run of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SheetRun {
    /// The question's id.
    pub id: String,
    /// The question.
    pub question: String,
    /// Who answered.
    pub setup: String,
    /// How good the answer was.
    pub verdict: Verdict,
    /// Why, in a sentence, and what of it nothing supports.
    pub explanation: String,
    /// What happened.
    pub trace: Trace,
}

/// How results are added up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SheetOptions {
    /// What models cost.
    pub prices: Prices,
    /// Counts calls as the family benchmark's public code does.
    pub is_compat: bool,
}

/// Reads files, names with texts, and adds them up.
///
/// # Errors
/// A file is no such file, or of another kind than the first, or a line cannot be read.
pub fn sheet(files: &[(String, String)], options: &SheetOptions) -> Result<Sheet, ResultsError> {
    let mut of: Option<Kind> = None;
    let (mut knowledge, mut family) = (Vec::new(), Vec::new());
    for (file, text) in files.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let kind = kind(text).filter(|k| *k != Kind::Runs);
        let Some(kind) = kind else { return Err(ResultsError::Unknown { file: file.clone() }) };
        if *of.get_or_insert(kind) != kind {
            return Err(ResultsError::Mixed { file: file.clone() });
        }
        let wrong = |reason: String| ResultsError::Line { file: file.clone(), reason };
        match kind {
            Kind::Family => family.extend(family::read(text).map_err(|e| wrong(e.to_string()))?),
            _ => {
                let read = knowledge::read(text).map_err(|e| wrong(e.to_string()))?;
                knowledge.extend(read.lines);
            }
        }
    }
    match of {
        Some(Kind::Family) if !family.is_empty() => Ok(of_family(&family, options)),
        Some(Kind::Knowledge) if !knowledge.is_empty() => Ok(of_knowledge(knowledge, options)),
        _ => Err(ResultsError::Empty),
    }
}

fn of_knowledge(lines: Vec<KgLine>, options: &SheetOptions) -> Sheet {
    let tables = knowledge::tables(&lines, &options.prices);
    let graphs: std::collections::BTreeSet<&str> =
        lines.iter().map(|l| l.run.kg.as_str()).collect();
    let lede = format!(
        "{} runs on {}; every answer held against the right names, and its entities against what the run reached.",
        lines.len(),
        match graphs.len() {
            1 => format!("the graph {}", graphs.iter().next().unwrap_or(&"")),
            n => format!("{n} graphs"),
        }
    );
    let run = |line: KgLine| {
        let setup = line.setup().title();
        let mut explanation = line.run.judgement.explanation.clone();
        let unsupported: Vec<&str> =
            line.run.claims.iter().filter(|c| !c.is_supported).map(|c| c.name.as_str()).collect();
        if !unsupported.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(explanation, " Nothing supports {}.", unsupported.join("; "));
        }
        SheetRun {
            id: line.run.question.id,
            question: line.run.question.question,
            setup,
            verdict: line.run.judgement.verdict,
            explanation,
            trace: line.run.trace,
        }
    };
    Sheet { kind: Kind::Knowledge, lede, tables, runs: lines.into_iter().map(run).collect() }
}

fn of_family(lines: &[FamilyLine], options: &SheetOptions) -> Sheet {
    let rules = if options.is_compat { Mode::Compat } else { Mode::Paper };
    Sheet {
        kind: Kind::Family,
        lede: format!("{} requests of the family benchmark.", lines.len()),
        tables: family::tables(lines, rules),
        runs: Vec::new(),
    }
}
