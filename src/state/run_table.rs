//! Many runs in one table: what is filtered by, and how they are sorted.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use systems::experiments::system_title;
use trace::Record;

use super::notes::Notes;
use super::prices::Prices;
use super::records;
use super::stored::{RunFacts, RunSummary};

/// Where a row's run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunPlace {
    /// The browser keeps it, under a key.
    Kept(f64),
    /// It is open, under a number.
    Open(u64),
}

/// A run as a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// Where the run is.
    pub place: RunPlace,
    /// What it is about.
    pub name: String,
    /// Who answered.
    pub model: String,
    /// With what, in words.
    pub system: String,
    /// How right it is, in words; empty where nobody judged it.
    pub verdict: String,
    /// Words by which it is found again.
    pub tags: Vec<String>,
    /// Steps, calls, tokens and the like.
    pub facts: RunFacts,
    /// Dollars, where tokens and prices are known.
    pub cost: Option<f64>,
}

fn system_words(id: &str) -> String {
    system_title(id).unwrap_or(id).to_owned()
}

impl RunRow {
    /// A run that the browser keeps.
    pub fn of_kept(run: &RunSummary, prices: &Prices) -> Self {
        let facts = run
            .facts
            .clone()
            .unwrap_or_else(|| RunFacts { n_calls: run.n_calls, ..RunFacts::default() });
        Self {
            place: RunPlace::Kept(run.id),
            name: run.problem.clone(),
            model: run.model.clone(),
            system: system_words(&run.system),
            verdict: run
                .verdict
                .map_or_else(String::new, |v| records::label(v).0.replace('_', " ")),
            tags: run.tags.clone(),
            cost: prices.cost(&run.model, &facts.usage),
            facts,
        }
    }

    /// A trace that is open.
    pub fn of_record(id: u64, name: &str, record: &Record, prices: &Prices) -> Self {
        let facts = RunFacts::of(&record.trace, &record.task);
        Self {
            place: RunPlace::Open(id),
            name: name.to_owned(),
            model: record.trace.model.clone(),
            system: system_words(&record.trace.system),
            verdict: record.score.as_ref().map_or_else(String::new, |s| s.label.replace('_', " ")),
            tags: Notes::of(&record.metadata).tags,
            cost: prices.cost(&record.trace.model, &facts.usage),
            facts,
        }
    }

    /// Its values of a field that runs are filtered by.
    fn values(&self, field: RunField) -> Vec<&str> {
        match field {
            RunField::Verdict => vec![self.verdict.as_str()],
            RunField::Model => vec![self.model.as_str()],
            RunField::System => vec![self.system.as_str()],
            RunField::Task => vec![self.facts.task.as_str()],
            RunField::Mistake => {
                self.facts.mistakes.iter().map(|(kind, _)| kind.as_str()).collect()
            }
            RunField::Tool => self.facts.tools.iter().map(String::as_str).collect(),
            RunField::Tag => self.tags.iter().map(String::as_str).collect(),
        }
    }
}

/// What runs are filtered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunField {
    /// How right the answer is.
    Verdict,
    /// Who answered.
    Model,
    /// With what.
    System,
    /// The task.
    Task,
    /// A kind of mistake that the model made.
    Mistake,
    /// A tool that it called.
    Tool,
    /// A tag that a person gave.
    Tag,
}

impl RunField {
    /// All, with their names for people.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Verdict, "Verdict"),
        (Self::Model, "Model"),
        (Self::System, "System"),
        (Self::Task, "Task"),
        (Self::Mistake, "Mistake"),
        (Self::Tool, "Tool"),
        (Self::Tag, "Tag"),
    ];
}

/// Columns that a table can be sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunColumn {
    /// As they came, the newest first.
    #[default]
    Came,
    /// What it is about.
    Name,
    /// Who answered.
    Model,
    /// With what.
    System,
    /// How right the answer is.
    Verdict,
    /// Steps of the trace.
    Steps,
    /// Tool calls.
    Calls,
    /// Mistakes of the model.
    Mistakes,
    /// Tokens.
    Tokens,
    /// Dollars.
    Cost,
    /// Milliseconds.
    Time,
}

impl RunColumn {
    /// Those that are shown, with their heads; whether numbers stand in them.
    pub const SHOWN: [(Self, &'static str, bool); 10] = [
        (Self::Name, "Run", false),
        (Self::Model, "Model", false),
        (Self::System, "System", false),
        (Self::Verdict, "Verdict", false),
        (Self::Steps, "Steps", true),
        (Self::Calls, "Calls", true),
        (Self::Mistakes, "Mistakes", true),
        (Self::Tokens, "Tokens", true),
        (Self::Cost, "Cost", true),
        (Self::Time, "Time", true),
    ];

    fn order(self, a: &RunRow, b: &RunRow) -> Ordering {
        let n_mistakes = |r: &RunRow| r.facts.mistakes.iter().map(|(_, n)| n).sum::<usize>();
        match self {
            Self::Came => Ordering::Equal,
            Self::Name => a.name.cmp(&b.name),
            Self::Model => a.model.cmp(&b.model),
            Self::System => a.system.cmp(&b.system),
            Self::Verdict => a.verdict.cmp(&b.verdict),
            Self::Steps => a.facts.n_steps.cmp(&b.facts.n_steps),
            Self::Calls => a.facts.n_calls.cmp(&b.facts.n_calls),
            Self::Mistakes => n_mistakes(a).cmp(&n_mistakes(b)),
            Self::Tokens => a.facts.usage.total().cmp(&b.facts.usage.total()),
            Self::Cost => a.cost.partial_cmp(&b.cost).unwrap_or(Ordering::Equal),
            Self::Time => a.facts.ms.total_cmp(&b.facts.ms),
        }
    }
}

/// Which rows are shown, and in which order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunsShown {
    /// What a field must be.
    pub wanted: Vec<(RunField, String)>,
    /// Steps that a run has at least.
    pub n_least: Option<usize>,
    /// Words that its name, model or tags have in them.
    pub words: String,
    /// By which column, and whether the greatest comes first.
    pub sort: (RunColumn, bool),
}

impl RunsShown {
    /// Takes what a field must be; an empty word is anything.
    pub fn want(&mut self, field: RunField, word: &str) {
        self.wanted.retain(|(f, _)| *f != field);
        if !word.is_empty() {
            self.wanted.push((field, word.to_owned()));
        }
    }

    /// What a field must be; empty is anything.
    pub fn wanted(&self, field: RunField) -> &str {
        self.wanted.iter().find(|(f, _)| *f == field).map_or("", |(_, word)| word)
    }

    /// Sorts by a column; a second time the other way round.
    pub fn sort_by(&mut self, column: RunColumn) {
        self.sort = (column, self.sort.0 == column && !self.sort.1);
    }

    fn lets(&self, row: &RunRow) -> bool {
        let words = self.words.trim().to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&words);
        self.wanted.iter().all(|(field, word)| row.values(*field).contains(&word.as_str()))
            && self.n_least.is_none_or(|n| row.facts.n_steps >= n)
            && (words.is_empty()
                || has(&row.name)
                || has(&row.model)
                || row.tags.iter().any(|t| has(t)))
    }

    /// The places of the rows that are shown, in their order.
    pub fn rows(&self, all: &[RunRow]) -> Vec<usize> {
        let mut shown: Vec<usize> = (0..all.len()).filter(|i| self.lets(&all[*i])).collect();
        let (column, is_falling) = self.sort;
        shown.sort_by(|a, b| {
            let order = column.order(&all[*a], &all[*b]);
            if is_falling { order.reverse() } else { order }
        });
        shown
    }
}

/// The words that a field has in some rows, in their order.
pub fn choices(all: &[RunRow], field: RunField) -> Vec<String> {
    let found: BTreeSet<&str> = all.iter().flat_map(|row| row.values(field)).collect();
    found.into_iter().filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(i: u64, model: &str, verdict: &str, n_steps: usize, tools: &[&str]) -> RunRow {
        let facts = RunFacts {
            task: "cycle".into(),
            n_steps,
            tools: tools.iter().map(|t| (*t).to_owned()).collect(),
            mistakes: (verdict != "correct")
                .then(|| ("malformed JSON".into(), 2))
                .into_iter()
                .collect(),
            ..RunFacts::default()
        };
        RunRow {
            place: RunPlace::Open(i),
            name: format!("Cycle, easy, seed {i}"),
            model: model.into(),
            system: "With graph tools".into(),
            verdict: verdict.into(),
            tags: if i == 2 { vec!["look again".into()] } else { Vec::new() },
            facts,
            cost: (i > 0).then_some(i as f64),
        }
    }

    fn all() -> Vec<RunRow> {
        vec![
            row(0, "a", "correct", 8, &["find_cycle"]),
            row(1, "b", "incorrect", 20, &["add_nodes", "find_cycle"]),
            row(2, "b", "correct", 3, &[]),
        ]
    }

    #[test]
    fn rows_are_let_through_by_every_field() {
        let all = all();
        let by = |field, word: &str| {
            let mut shown = RunsShown::default();
            shown.want(field, word);
            shown.rows(&all)
        };
        assert_eq!(by(RunField::Model, "b"), [1, 2]);
        assert_eq!(by(RunField::Verdict, "correct"), [0, 2]);
        assert_eq!(by(RunField::Tool, "find_cycle"), [0, 1]);
        assert_eq!(by(RunField::Mistake, "malformed JSON"), [1]);
        assert_eq!(by(RunField::Tag, "look again"), [2]);
        assert_eq!(by(RunField::Task, "flow"), [] as [usize; 0]);
        assert_eq!(by(RunField::System, ""), [0, 1, 2]);
        let long = RunsShown { n_least: Some(8), ..RunsShown::default() };
        assert_eq!(long.rows(&all), [0, 1]);
        let words = RunsShown { words: "SEED 2".into(), ..RunsShown::default() };
        assert_eq!(words.rows(&all), [2]);
    }

    #[test]
    fn they_are_sorted_both_ways() {
        let all = all();
        let mut shown = RunsShown::default();
        shown.sort_by(RunColumn::Steps);
        assert_eq!(shown.rows(&all), [2, 0, 1]);
        shown.sort_by(RunColumn::Steps);
        assert_eq!(shown.rows(&all), [1, 0, 2]);
        shown.sort_by(RunColumn::Cost);
        assert_eq!(shown.rows(&all), [0, 1, 2], "what is not known comes first");
    }

    #[test]
    fn only_words_that_are_there_are_offered() {
        assert_eq!(choices(&all(), RunField::Tool), ["add_nodes", "find_cycle"]);
        assert_eq!(choices(&all(), RunField::Model), ["a", "b"]);
    }
}
