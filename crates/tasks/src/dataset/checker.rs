//! Holds a set of problems against our parser, solver and verifier, a few at a time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::DatasetEntry;
use super::rows::{self, RuleCounts};
use crate::official::files::FileRow;
use crate::verify::{decide, read_answer};
use crate::{
    Answer, Difficulty, Problem, TaskId, Verdict, parse_question, solve, verify, verify_answer,
};

/// Fewer problems than these at a time are not worth waking a thread for.
const SHARE_FROM: usize = 64;
/// About as many elementary steps as one check takes.
const CHECK_STEPS: u64 = 40_000;

/// What went wrong with a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CheckFailure {
    /// The question could not be read.
    Parse {
        /// Why the question cannot be read.
        message: String,
    },
    /// Our solution differs from the reference where only one answer is right.
    Disagreement {
        /// Our answer and the reference.
        message: String,
    },
    /// The verifier does not accept the reference.
    ReferenceRejected {
        /// What the judge says of the reference.
        message: String,
    },
    /// The verifier does not accept our solution.
    SolutionRejected {
        /// What the judge says of our answer.
        message: String,
    },
}

/// One problem of a set, checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedRow {
    /// Its key in the file.
    pub key: String,
    /// Its task, if the question could be read.
    pub task: Option<TaskId>,
    /// Its level, if the file says one.
    pub difficulty: Option<Difficulty>,
    /// Nodes of its graph.
    pub n_nodes: usize,
    /// Edges of its graph.
    pub n_edges: usize,
    /// What went wrong; empty if all is well.
    pub failures: Vec<CheckFailure>,
}

/// Counts for a set of problems.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelReport {
    /// The number of problems.
    pub questions: usize,
    /// How many could not be read.
    pub parse_failures: usize,
    /// How often our solution differs from the reference where only one answer is right.
    pub disagreements: usize,
    /// How often the verifier does not accept the reference.
    pub reference_rejected: usize,
    /// How often the verifier does not accept our solution.
    pub solution_rejected: usize,
    /// How long it took, filled in by whoever has a clock.
    pub seconds: f64,
}

impl LevelReport {
    fn add(&mut self, row: &CheckedRow) {
        self.questions += 1;
        for failure in &row.failures {
            match failure {
                CheckFailure::Parse { .. } => self.parse_failures += 1,
                CheckFailure::Disagreement { .. } => self.disagreements += 1,
                CheckFailure::ReferenceRejected { .. } => self.reference_rejected += 1,
                CheckFailure::SolutionRejected { .. } => self.solution_rejected += 1,
            }
        }
    }

    /// Whether nothing went wrong.
    pub fn is_clean(&self) -> bool {
        self.parse_failures + self.disagreements + self.reference_rejected + self.solution_rejected
            == 0
    }

    /// Adds the counts of another set.
    pub fn absorb(&mut self, other: &Self) {
        self.questions += other.questions;
        self.parse_failures += other.parse_failures;
        self.disagreements += other.disagreements;
        self.reference_rejected += other.reference_rejected;
        self.solution_rejected += other.solution_rejected;
        self.seconds += other.seconds;
    }
}

/// Counts of one task, in all and for each level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskReport {
    /// The counts of all levels together.
    #[serde(flatten)]
    pub total: LevelReport,
    /// Each level by its name; `unknown` for problems without one.
    pub difficulties: BTreeMap<String, LevelReport>,
}

/// What the check of a set found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DatasetReport {
    /// Each task by NLGraph's name; `unknown` where no question could be read.
    pub tasks: BTreeMap<String, TaskReport>,
    /// The counts of all tasks together.
    pub totals: LevelReport,
    /// Every problem, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<CheckedRow>,
    /// Of each task that has logged answers, what its benchmark's script and our rule say of them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, RuleCounts>,
}

impl DatasetReport {
    /// Adds the report of another file.
    pub fn absorb(&mut self, other: Self) {
        self.totals.absorb(&other.totals);
        for (name, report) in other.tasks {
            let task = self.tasks.entry(name).or_default();
            task.total.absorb(&report.total);
            for (level, report) in report.difficulties {
                task.difficulties.entry(level).or_default().absorb(&report);
            }
        }
        self.rows.extend(other.rows);
        for (name, counts) in &other.rules {
            self.rules.entry(name.clone()).or_default().absorb(counts);
        }
    }
}

/// A check that can be stopped and taken up again, so that a worker can show progress.
///
/// ```
/// use tasks::dataset::{Checker, parse};
/// let mut checker = Checker::new(parse(r#"{"0": {"question": "?", "answer": "!"}}"#)?);
/// while checker.advance(100) > 0 {}
/// assert_eq!(checker.report().totals.parse_failures, 1);
/// # Ok::<(), tasks::dataset::DatasetError>(())
/// ```
#[derive(Debug)]
pub struct Checker {
    entries: Vec<Entry>,
    rows: Vec<CheckedRow>,
    rules: BTreeMap<TaskId, RuleCounts>,
}

/// A problem to be checked.
#[derive(Debug)]
enum Entry {
    /// Of NLGraph's files.
    Own(DatasetEntry),
    /// Of another benchmark's.
    Row(Box<FileRow>),
}

impl Checker {
    /// A check of these problems, not begun.
    pub fn new(entries: Vec<DatasetEntry>) -> Self {
        Self::with(entries.into_iter().map(Entry::Own).collect())
    }

    /// A check of other benchmarks' problems, labels and answers, not begun.
    pub fn of_rows(rows: Vec<FileRow>) -> Self {
        Self::with(rows.into_iter().map(|row| Entry::Row(Box::new(row))).collect())
    }

    fn with(entries: Vec<Entry>) -> Self {
        Self { rows: Vec::with_capacity(entries.len()), entries, rules: BTreeMap::new() }
    }

    /// How many problems are done, of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.rows.len(), self.entries.len())
    }

    /// Checks at most so many more problems and gives back how many are left. Where there are
    /// [threads](graph::threads) they share them, unless they are few; what is found is the same.
    pub fn advance(&mut self, at_most: usize) -> usize {
        let (done, all) = self.progress();
        let end = done.saturating_add(at_most).min(all);
        let fresh = &self.entries[done..end];
        let work = CHECK_STEPS * fresh.len() as u64;
        let found: Vec<_> = if fresh.len() < SHARE_FROM {
            fresh.iter().map(check_entry).collect()
        } else {
            graph::threads::map(fresh.len(), work, || (), |(), i| check_entry(&fresh[i]))
        };
        for (row, counts) in found {
            if let Some(task) = row.task.filter(|_| counts.answers > 0) {
                self.rules.entry(task).or_default().absorb(&counts);
            }
            self.rows.push(row);
        }
        all - end
    }

    /// What has been found so far. A question that could not be read is counted under the task that
    /// most of the others belong to.
    pub fn report(&self) -> DatasetReport {
        let mut report = DatasetReport::default();
        let mut sizes: BTreeMap<TaskId, usize> = BTreeMap::new();
        for task in self.rows.iter().filter_map(|row| row.task) {
            *sizes.entry(task).or_default() += 1;
        }
        let main = sizes.iter().max_by_key(|(_, size)| **size).map(|(task, _)| *task);
        for row in &self.rows {
            let name = row.task.or(main).map_or("unknown", TaskId::as_str);
            let level = row.difficulty.map_or("unknown", Difficulty::as_str);
            // A name is copied only when it comes first.
            let task = match report.tasks.get_mut(name) {
                Some(task) => task,
                None => report.tasks.entry(name.to_owned()).or_default(),
            };
            task.total.add(row);
            match task.difficulties.get_mut(level) {
                Some(counts) => counts.add(row),
                None => task.difficulties.entry(level.to_owned()).or_default().add(row),
            }
            report.totals.add(row);
        }
        report.rows.clone_from(&self.rows);
        let named =
            |(task, counts): (&TaskId, &RuleCounts)| (task.as_str().to_owned(), counts.clone());
        report.rules = self.rules.iter().map(named).collect();
        report
    }
}

fn check_entry(entry: &Entry) -> (CheckedRow, RuleCounts) {
    match entry {
        Entry::Own(entry) => (check(entry), RuleCounts::default()),
        Entry::Row(row) => rows::check(row),
    }
}

fn check(entry: &DatasetEntry) -> CheckedRow {
    let mut row = CheckedRow {
        key: entry.key.clone(),
        task: None,
        difficulty: entry.level(),
        n_nodes: 0,
        n_edges: 0,
        failures: Vec::new(),
    };
    let problem = match parse_question(&entry.question) {
        Ok(problem) => problem,
        Err(error) => {
            row.failures.push(CheckFailure::Parse { message: error.to_string() });
            return row;
        }
    };
    row.task = Some(problem.task());
    (row.n_nodes, row.n_edges) = (problem.graph.n_nodes(), problem.graph.n_edges());
    let solution = solve(&problem);
    let own_is_right = decide(&problem, &solution) == Verdict::Correct;
    if !own_is_right {
        let message = verify_answer(&problem, &solution).explanation;
        row.failures.push(CheckFailure::SolutionRejected { message });
    }
    let read = read_answer(&problem, &entry.answer);
    // What says the same is judged the same: half of all references do.
    if own_is_right && read.as_ref() == Some(&solution) {
        return row;
    }
    let rejected = match &read {
        Some(answer) if decide(&problem, answer) == Verdict::Correct => None,
        // Only now are the reasons wanted.
        _ => Some(verify(&problem, &entry.answer)),
    };
    let theirs = match &rejected {
        // A judge may find that what was read answers nothing.
        Some(judgement) => judgement.answer.as_ref(),
        None => read.as_ref(),
    };
    if let Some(message) = disagreement(&problem, &solution, theirs) {
        row.failures.push(CheckFailure::Disagreement { message });
    }
    if let Some(judgement) = rejected {
        row.failures.push(CheckFailure::ReferenceRejected { message: judgement.explanation });
    }
    row
}

/// How a solution differs from the reference, in what only one answer is right for: a decision, a
/// value, a number, embeddings.
fn disagreement(problem: &Problem, ours: &Answer, theirs: Option<&Answer>) -> Option<String> {
    let Some(theirs) = theirs else {
        return Some("the reference could not be read".into());
    };
    let (ours, theirs) = (problem.unique(ours), problem.unique(theirs));
    (ours != theirs).then(|| format!("ours {ours}, the reference {theirs}"))
}
