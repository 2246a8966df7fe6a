//! Many runs in one table: what is filtered by, and how they are sorted.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use draw::plot::{Plot, PlotValue, dots};
use eval::stats::wilson;
use eval::tables::csv_line;
use systems::experiments::system_title;
use tasks::Verdict;
use trace::Record;

use super::notes::Notes;
use super::prices::{Prices, dollars};
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
    /// What its file says of it; empty where that is nothing.
    pub file_score: String,
    /// How right it is by our own rules, where it could be held against its question.
    pub verdict: Option<Verdict>,
    /// Words by which it is found again.
    pub tags: Vec<String>,
    /// What a person wrote about it.
    pub note: String,
    /// Steps, calls, tokens and the like.
    pub facts: RunFacts,
    /// Dollars, where tokens and prices are known.
    pub cost: Option<f64>,
}

/// How the score in a file and our own rules contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// The file says right, and the graph says wrong.
    TooKind,
    /// The file says wrong, and the graph says right.
    TooStrict,
}

impl Disagreement {
    /// Both, with what is said of them.
    pub const ALL: [(Self, &'static str); 2] = [
        (Self::TooKind, "Your scorer says right, the graph says wrong"),
        (Self::TooStrict, "Your scorer says wrong, the graph says right"),
    ];
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
            file_score: run.file_score.clone(),
            verdict: run.verdict,
            tags: run.tags.clone(),
            note: run.note.clone(),
            cost: prices.cost(&run.model, &facts.usage),
            facts,
        }
    }

    /// A trace that is open.
    pub fn of_open(
        id: u64,
        name: &str,
        record: &Record,
        (verdict, notes): (Option<Verdict>, &Notes),
        is_of_file: bool,
        facts: RunFacts,
        prices: &Prices,
    ) -> Self {
        Self {
            place: RunPlace::Open(id),
            name: name.to_owned(),
            model: record.trace.model.clone(),
            system: system_words(&record.trace.system),
            file_score: {
                let score = record.score.as_ref().filter(|_| is_of_file);
                score.map_or_else(String::new, records::score_words)
            },
            verdict,
            tags: notes.tags.clone(),
            note: notes.run.clone(),
            cost: prices.cost(&record.trace.model, &facts.usage),
            facts,
        }
    }

    /// What its file and the graph say, where both say something.
    fn both(&self) -> Option<(Verdict, Verdict)> {
        Some((records::said(&self.file_score)?, self.verdict?))
    }

    /// How its file and the graph contradict each other, if they do.
    pub fn disagreement(&self) -> Option<Disagreement> {
        match self.both()? {
            (Verdict::Correct, Verdict::Incorrect | Verdict::NoAnswer) => {
                Some(Disagreement::TooKind)
            }
            (Verdict::Incorrect | Verdict::NoAnswer, Verdict::Correct) => {
                Some(Disagreement::TooStrict)
            }
            _ => None,
        }
    }

    /// Our verdict in a word; empty where there is none.
    pub fn verdict_words(&self) -> &'static str {
        self.verdict.map_or("", records::word)
    }

    /// What stands in a column; empty where the run has nothing there.
    pub fn text(&self, column: RunColumn) -> String {
        let facts = &self.facts;
        let some = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        match column {
            RunColumn::Came => String::new(),
            RunColumn::Name => self.name.clone(),
            RunColumn::Model => self.model.clone(),
            RunColumn::System => self.system.clone(),
            RunColumn::FileScore => self.file_score.clone(),
            RunColumn::Verdict => self.verdict_words().to_owned(),
            RunColumn::Steps => facts.n_steps.to_string(),
            RunColumn::Calls => facts.n_calls.to_string(),
            RunColumn::Mistakes => some(self.n_mistakes()),
            RunColumn::Tokens => facts.usage.total().map_or(String::new(), |n| n.to_string()),
            RunColumn::Cost => self.cost.map_or(String::new(), |cost| dollars(Some(cost))),
            RunColumn::Time if facts.ms <= 0.0 => String::new(),
            RunColumn::Time => took_words(facts.ms),
        }
    }

    fn n_mistakes(&self) -> usize {
        self.facts.mistakes.iter().map(|(_, n)| n).sum()
    }

    /// Its values of a field that runs are filtered by.
    fn values(&self, field: RunField) -> Vec<&str> {
        match field {
            RunField::Verdict => vec![self.verdict_words()],
            RunField::FileScore => vec![self.file_score.as_str()],
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
    /// How right the answer is by our rules.
    Verdict,
    /// What its file says of it.
    FileScore,
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
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Verdict, "Our verdict"),
        (Self::FileScore, "File's score"),
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
    /// As they came, the newest first, and those about which file and graph disagree before them.
    #[default]
    Came,
    /// What it is about.
    Name,
    /// Who answered.
    Model,
    /// With what.
    System,
    /// What its file says of it.
    FileScore,
    /// How right the answer is by our rules.
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
    pub const SHOWN: [(Self, &'static str, bool); 11] = [
        (Self::Name, "Run", false),
        (Self::Model, "Model", false),
        (Self::System, "System", false),
        (Self::FileScore, "File's score", false),
        (Self::Verdict, "Our verdict", false),
        (Self::Steps, "Steps", true),
        (Self::Calls, "Calls", true),
        (Self::Mistakes, "Mistakes", true),
        (Self::Tokens, "Tokens", true),
        (Self::Cost, "Cost", true),
        (Self::Time, "Time", true),
    ];

    fn order(self, a: &RunRow, b: &RunRow) -> Ordering {
        let place = |r: &RunRow| r.verdict.and_then(|v| Verdict::ALL.iter().position(|w| *w == v));
        match self {
            Self::Came => a.disagreement().is_none().cmp(&b.disagreement().is_none()),
            Self::Name => a.name.cmp(&b.name),
            Self::Model => a.model.cmp(&b.model),
            Self::System => a.system.cmp(&b.system),
            Self::FileScore => a.file_score.cmp(&b.file_score),
            Self::Verdict => place(a).cmp(&place(b)),
            Self::Steps => a.facts.n_steps.cmp(&b.facts.n_steps),
            Self::Calls => a.facts.n_calls.cmp(&b.facts.n_calls),
            Self::Mistakes => a.n_mistakes().cmp(&b.n_mistakes()),
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
    /// How file and graph must contradict each other.
    pub disagreement: Option<Disagreement>,
    /// Steps that a run has at least.
    pub n_least: Option<usize>,
    /// Words that its name, model, tags or note have in them.
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
            && self.disagreement.is_none_or(|d| row.disagreement() == Some(d))
            && self.n_least.is_none_or(|n| row.facts.n_steps >= n)
            && (words.is_empty()
                || has(&row.name)
                || has(&row.model)
                || has(&row.note)
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

/// How many runs file and graph both judged, and about how many of these they disagree in each way.
pub fn disagreements(all: &[RunRow]) -> (usize, [usize; 2]) {
    let count = |of: Disagreement| all.iter().filter(|r| r.disagreement() == Some(of)).count();
    let n_both = all.iter().filter(|r| r.both().is_some()).count();
    (n_both, Disagreement::ALL.map(|(of, _)| count(of)))
}

/// The columns of which some rows have something to say.
pub fn columns(all: &[RunRow]) -> Vec<(RunColumn, &'static str, bool)> {
    let is_said = |column: RunColumn| all.iter().any(|row| !row.text(column).is_empty());
    RunColumn::SHOWN.into_iter().filter(|(column, ..)| is_said(*column)).collect()
}

/// Rows as comma-separated values, with what a person wrote about each; numbers without units.
pub fn csv<'a>(rows: impl Iterator<Item = &'a RunRow>) -> String {
    const HEAD: [&str; 15] = [
        "run",
        "task",
        "model",
        "system",
        "file_score",
        "verdict",
        "disagreement",
        "steps",
        "calls",
        "mistakes",
        "tokens",
        "dollars",
        "milliseconds",
        "tags",
        "note",
    ];
    let mut out = csv_line(HEAD.into_iter());
    for row in rows {
        let disagreement = match row.disagreement() {
            Some(Disagreement::TooKind) => "file right, graph wrong",
            Some(Disagreement::TooStrict) => "file wrong, graph right",
            None => "",
        };
        let cells = [
            row.name.clone(),
            row.facts.task.clone(),
            row.model.clone(),
            row.system.clone(),
            row.file_score.clone(),
            row.verdict_words().to_owned(),
            disagreement.to_owned(),
            row.facts.n_steps.to_string(),
            row.facts.n_calls.to_string(),
            row.n_mistakes().to_string(),
            row.facts.usage.total().map_or(String::new(), |n| n.to_string()),
            row.cost.map_or(String::new(), |cost| cost.to_string()),
            row.facts.ms.to_string(),
            row.tags.join("; "),
            row.note.clone(),
        ];
        out += &csv_line(cells.iter().map(String::as_str));
    }
    out
}

/// The share of right answers by the file's scorer and by the graph, of the runs that both judged: by
/// model, else by task, and of all; `None` where no run has both.
pub fn figure(rows: &[&RunRow], width: f64) -> Option<Plot> {
    let judged: Vec<(&RunRow, (Verdict, Verdict))> =
        rows.iter().filter_map(|row| Some((*row, row.both()?))).collect();
    let by_model = |row: &RunRow| row.model.clone();
    let by_task = |row: &RunRow| row.facts.task.clone();
    let names = |of: &dyn Fn(&RunRow) -> String| -> BTreeSet<String> {
        judged.iter().map(|(row, _)| of(row)).collect()
    };
    let of: &dyn Fn(&RunRow) -> String =
        if names(&by_model).len() > 1 { &by_model } else { &by_task };
    let mut groups: Vec<Option<String>> = names(of).into_iter().map(Some).collect();
    if groups.len() < 2 {
        groups.clear();
    }
    groups.push(None);
    let share = |group: &Option<String>, side: fn(&(Verdict, Verdict)) -> Verdict, who: &str| {
        let is_in = |row: &RunRow| group.as_ref().is_none_or(|name| of(row) == *name);
        let mine = judged.iter().filter(|(row, _)| is_in(row));
        let (n, n_right) = mine.fold((0, 0), |(n, right), (_, both)| {
            (n + 1, right + usize::from(side(both) == Verdict::Correct))
        });
        let interval = wilson(n_right as f64, n as f64)?;
        Some(PlotValue {
            value: interval.value * 100.0,
            bounds: Some((interval.low * 100.0, interval.high * 100.0)),
            words: format!("{who}: {n_right} of {n}"),
        })
    };
    let (scorer, graph) = ("The file's scorer", "The graph");
    let line = |group: &Option<String>| {
        let name = group.clone().unwrap_or_else(|| "All".to_owned());
        (name, vec![share(group, |b| b.0, scorer), share(group, |b| b.1, graph)])
    };
    let lines: Vec<_> = groups.iter().map(line).collect();
    let said = |who: &Option<PlotValue>| who.as_ref().map(|v| v.words.clone());
    let all: Vec<String> = lines.last()?.1.iter().filter_map(said).collect();
    (!judged.is_empty()).then(|| {
        let about = format!("Right answers of the runs that both judged. {}.", all.join("; "));
        let series = [scorer.to_owned(), graph.to_owned()];
        dots("Right answers by scorer", &about, &series, &lines, (100.0, "%"), width)
    })
}

/// Milliseconds in words.
pub fn took_words(ms: f64) -> String {
    if ms >= 1000.0 { format!("{:.1} s", ms / 1000.0) } else { format!("{ms:.1} ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(i: u64, model: &str, verdict: Verdict, n_steps: usize, tools: &[&str]) -> RunRow {
        let facts = RunFacts {
            task: "cycle".into(),
            n_steps,
            tools: tools.iter().map(|t| (*t).to_owned()).collect(),
            mistakes: (verdict != Verdict::Correct)
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
            file_score: String::new(),
            verdict: Some(verdict),
            note: String::new(),
            tags: if i == 2 { vec!["look again".into()] } else { Vec::new() },
            facts,
            cost: (i > 0).then_some(i as f64),
        }
    }

    fn all() -> Vec<RunRow> {
        vec![
            row(0, "a", Verdict::Correct, 8, &["find_cycle"]),
            row(1, "b", Verdict::Incorrect, 20, &["add_nodes", "find_cycle"]),
            row(2, "b", Verdict::Correct, 3, &[]),
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
        assert_eq!(by(RunField::Verdict, "Correct"), [0, 2]);
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
    fn those_about_which_file_and_graph_disagree_come_first() {
        let mut all = all();
        for (row, score) in all.iter_mut().zip(["1.0", "correct", "I"]) {
            row.file_score = score.into();
        }
        assert_eq!(disagreements(&all), (3, [1, 1]));
        let mut shown = RunsShown::default();
        assert_eq!(shown.rows(&all), [1, 2, 0]);
        shown.disagreement = Some(Disagreement::TooKind);
        assert_eq!(shown.rows(&all), [1]);
        shown.disagreement = Some(Disagreement::TooStrict);
        assert_eq!(shown.rows(&all), [2]);
        // A score that says neither contradicts nothing, and neither does an answer nobody judged.
        all[1].file_score = "0.7".into();
        all[2].verdict = None;
        assert_eq!(disagreements(&all), (2, [0, 0]));
    }

    #[test]
    fn columns_are_those_in_which_something_stands() {
        let heads = |all: &[RunRow]| columns(all).iter().map(|c| c.1).collect::<Vec<_>>();
        let mut all = all();
        let some = ["Run", "Model", "System", "Our verdict", "Steps", "Calls", "Mistakes", "Cost"];
        assert_eq!(heads(&all), some);
        all[0].file_score = "0.5".into();
        assert_eq!(heads(&all)[3], "File's score");
    }

    #[test]
    fn rows_are_a_table_for_others_and_a_figure() {
        let mut all = all();
        assert!(figure(&all.iter().collect::<Vec<_>>(), 540.0).is_none(), "no file says anything");
        for row in &mut all {
            row.file_score = "1".into();
            row.note = "=1, \"look\"".into();
        }
        let text = csv(all.iter().skip(1).take(1));
        let line = "Cycle, easy, seed 1\",cycle,b,With graph tools,1,Wrong,\"file right, graph \
                    wrong\",20,0,2,,1,0,,\"'=1, \"\"look\"\"\"\r\n";
        assert!(text.ends_with(line), "{text}");
        let plot = figure(&all.iter().collect::<Vec<_>>(), 540.0).unwrap();
        let all = "The file's scorer: 3 of 3; The graph: 2 of 3.";
        assert!(plot.description.ends_with(all), "{}", plot.description);
        let file = plot.file();
        for words in [">a<", ">b<", ">All<", "The graph: 1 of 2"] {
            assert!(file.contains(words), "{words} in {file}");
        }
    }

    #[test]
    fn only_words_that_are_there_are_offered() {
        assert_eq!(choices(&all(), RunField::Tool), ["add_nodes", "find_cycle"]);
        assert_eq!(choices(&all(), RunField::Model), ["a", "b"]);
    }
}
