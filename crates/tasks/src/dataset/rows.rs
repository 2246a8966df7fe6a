//! Rows of other benchmarks' files: the problem that a question is, what its label is worth, and what
//! both rules say of the answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::checker::{CheckFailure, CheckedRow};
use super::{gracore, instruct};
use crate::official::files::{FileRow, GraphBenchmark};
use crate::official::instruct::{
    self as instruct_rule, InstructOutcome, InstructProblem, InstructTask,
};
use crate::official::questions::{self, Asks};
use crate::official::{self, wiz};
use crate::verify::judged;
use crate::{
    Difficulty, Judgement, ParseError, Problem, TaskGroup, Verdict, parse_question, reference_text,
    solve,
};

/// How a benchmark's own script and our rule judge the logged answers of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleCounts {
    /// How many answers.
    pub answers: usize,
    /// How many the script counts as right.
    pub official_right: usize,
    /// How many our rule counts as right.
    pub fair_right: usize,
    /// How many the script counts as right and our rule does not.
    pub only_official: usize,
    /// How many our rule counts as right and the script does not.
    pub only_fair: usize,
    /// Where they differ: what the script went by and our verdict, and how often.
    pub causes: BTreeMap<String, usize>,
}

impl RuleCounts {
    /// Adds the counts of other answers.
    pub fn absorb(&mut self, other: &Self) {
        self.answers += other.answers;
        self.official_right += other.official_right;
        self.fair_right += other.fair_right;
        self.only_official += other.only_official;
        self.only_fair += other.only_fair;
        for (cause, n) in &other.causes {
            *self.causes.entry(cause.clone()).or_default() += n;
        }
    }

    fn add(&mut self, official: bool, fair: Verdict, is_right: bool, cause: &str) {
        self.answers += 1;
        self.official_right += usize::from(official);
        self.fair_right += usize::from(is_right);
        self.only_official += usize::from(official && !is_right);
        self.only_fair += usize::from(is_right && !official);
        if official != is_right {
            let says = if official { "right" } else { "wrong" };
            let cause = format!("script: {says} ({cause}); here: {}", fair.as_str());
            *self.causes.entry(cause).or_default() += 1;
        }
    }
}

/// A question of a file as a problem, with what is asked of it.
#[derive(Clone, Debug, PartialEq)]
pub struct RowProblem {
    /// The problem.
    pub problem: Problem,
    /// What of an answer the benchmark asks for, where it asks for less than we do.
    pub asks: Option<Asks>,
}

impl RowProblem {
    /// Reads the question of a row.
    ///
    /// # Errors
    /// The row has no question, or one that is not read: in which words, and what would be right.
    pub fn of(row: &FileRow) -> Result<Self, ParseError> {
        if let Some(fault) = &row.fault {
            return Err(ParseError::Row { message: fault.clone() });
        }
        let question = row.question.as_deref().unwrap_or_default();
        let read = match (row.benchmark, questions::read(question)) {
            (GraphBenchmark::GraphWiz, Ok(found)) => {
                Self { problem: found.problem, asks: Some(found.asks) }
            }
            (GraphBenchmark::GraphInstruct, _) => instruct::problem(row)?,
            (GraphBenchmark::GraCoRe, _) => gracore::problem(row)?,
            _ => Self { problem: parse_question(question)?, asks: None },
        };
        let difficulty = row.field("level").and_then(Difficulty::from_name);
        Ok(Self { problem: Problem { difficulty, ..read.problem }, ..read })
    }

    /// Whether a verdict of ours is right by what the benchmark asks for: where it wants a yes or a number
    /// alone, a missing path is no fault.
    fn is_right(&self, verdict: Verdict) -> bool {
        match self.asks {
            Some(Asks::Decision | Asks::Value) => {
                matches!(verdict, Verdict::Correct | Verdict::Partial)
            }
            _ => verdict == Verdict::Correct,
        }
    }

    /// What is wrong with the label of a row, if anything: why, with what shows it.
    fn label_fault(&self, row: &FileRow) -> Option<String> {
        let label = row.label.as_deref()?;
        let problem = &self.problem;
        if self.asks.is_some() {
            return match questions::check_label(problem, label) {
                Ok(check) => (check.agrees == Some(false)).then(|| shown(&check.judgement)),
                Err(error) => Some(error.to_string()),
            };
        }
        if row.benchmark == GraphBenchmark::GraCoRe {
            let judgement = gracore::judge_label(problem, label);
            return (judgement.verdict != Verdict::Correct).then(|| shown(&judgement));
        }
        if problem.task().group() != TaskGroup::GraphArena {
            let judgement = judged(problem, label);
            return (judgement.verdict != Verdict::Correct).then(|| shown(&judgement));
        }
        let Ok(theirs) = label.trim().parse::<f64>() else {
            return Some(format!("the label {label:?} is no number"));
        };
        let best = reference_text(problem, &solve(problem));
        let ours = official::value_of(problem, &best)?;
        let judgement = judged(problem, &best);
        // What is not proven says nothing against a label.
        let is_proven = judgement.verdict == Verdict::Correct;
        (is_proven && (ours - theirs).abs() > 1e-6).then(|| {
            format!("the label is {theirs}, and {best} has the value {ours}. {}", shown(&judgement))
        })
    }

    /// Whether the benchmark's own script counts an answer as right, and the part of it that decided;
    /// `None` where it cannot decide.
    pub fn official(&self, row: &FileRow, text: &str) -> Option<(bool, &'static str)> {
        match (row.benchmark, row.label.as_deref()) {
            (GraphBenchmark::GraphInstruct, Some(answer)) => InstructTask::from_name(&row.task)
                .map(|task| {
                    let question = row.question.as_deref().unwrap_or_default();
                    let graph = &self.problem.graph;
                    let asked = InstructProblem { task, graph, question, answer };
                    let score = instruct_rule::score(&asked, text);
                    (score.outcome == InstructOutcome::Right, score.cause)
                }),
            (GraphBenchmark::GraCoRe, Some(label)) => {
                Some((official::gracore::score(label, text), "exact match"))
            }
            (GraphBenchmark::GraphWiz, Some(label)) => {
                let task = wiz::WizTask::from_name(&row.task).or_else(|| self.wiz_task());
                task.map(|task| {
                    let score = wiz::score(task, label, text);
                    (score.correct, score.cause)
                })
            }
            _ => official::official(&self.problem, text)
                .map(|(verdict, cause)| (verdict == Some(Verdict::Correct), cause)),
        }
    }

    /// Judges the answers of a row by both rules.
    pub fn count(&self, row: &FileRow, counts: &mut RuleCounts) {
        for (_, text) in &row.answers {
            let fair = self.judge(row, text).verdict;
            let official = self.official(row, text);
            if let Some((official, cause)) = official {
                counts.add(official, fair, self.is_right(fair), cause);
            }
        }
    }

    /// Our judgement of an answer. GraphInstruct's stand between marks, where a number or a word is all
    /// that is asked; other texts are read as all answers are.
    pub fn judge(&self, row: &FileRow, text: &str) -> Judgement {
        if row.benchmark == GraphBenchmark::GraphInstruct
            && self.asks.is_some()
            && let Some((before, _)) = text.rsplit_once(">>>")
            && let Some((_, inside)) = before.rsplit_once("<<<")
            && let Ok(check) = questions::check_label(&self.problem, inside)
        {
            return check.judgement;
        }
        judged(&self.problem, text)
    }

    /// GraphWiz's name of the task, where a file says none.
    fn wiz_task(&self) -> Option<wiz::WizTask> {
        let name = match self.problem.task().as_str() {
            "shortest_path" => "shortest",
            "hamiltonian" => "hamilton",
            name => name,
        };
        wiz::WizTask::from_name(name)
    }
}

/// An explanation with the lines of its certificate that decide.
fn shown(judgement: &Judgement) -> String {
    let lines = judgement.certificate.lines.iter().filter(|line| line.holds.is_some());
    let lines: Vec<&str> = lines.take(4).map(|line| line.text.as_str()).collect();
    match lines.is_empty() {
        true => judgement.explanation.clone(),
        false => format!("{} ({})", judgement.explanation, lines.join("; ")),
    }
}

/// Gives rows without a question the one that they answer, from rows of other files, with its label and
/// fields, in which GraphInstruct has the graph; what finds none stays as it is.
pub fn find_questions(rows: &mut [FileRow], all: &[FileRow]) {
    let asked: BTreeMap<_, &FileRow> =
        all.iter().filter(|row| row.question.is_some()).map(|row| (key_of(row), row)).collect();
    for row in rows.iter_mut().filter(|row| row.question.is_none()) {
        let Some(found) = asked.get(&key_of(row)) else { continue };
        row.question.clone_from(&found.question);
        row.label = row.label.take().or_else(|| found.label.clone());
        for (name, value) in &found.fields {
            if row.field(name).is_none() {
                row.fields.push((name.clone(), value.clone()));
            }
        }
    }
}

/// What belongs together in files of one benchmark.
fn key_of(row: &FileRow) -> (GraphBenchmark, String, String, String) {
    let level = row.field("level").unwrap_or_default().to_owned();
    (row.benchmark, row.task.to_lowercase(), level, row.id.clone())
}

/// Puts answers to the questions that they answer: GraphArena keeps problems and answers in files of their
/// own, and the same task, level and id belong together. What finds no question stays as it is.
pub fn joined_rows(rows: Vec<FileRow>) -> Vec<FileRow> {
    let mut places = BTreeMap::new();
    let mut joined: Vec<FileRow> = Vec::new();
    let (asked, answered): (Vec<FileRow>, Vec<FileRow>) =
        rows.into_iter().partition(|row| row.question.is_some());
    for row in asked {
        places.entry(key_of(&row)).or_insert(joined.len());
        joined.push(row);
    }
    for row in answered {
        match places.get(&key_of(&row)) {
            Some(place) => joined[*place].answers.extend(row.answers),
            None => joined.push(row),
        }
    }
    joined
}

/// Checks a row: its question, our solution, its label.
pub(super) fn check(row: &FileRow) -> (CheckedRow, RuleCounts) {
    let mut checked = CheckedRow {
        key: row.id.clone(),
        task: None,
        difficulty: None,
        n_nodes: 0,
        n_edges: 0,
        failures: Vec::new(),
    };
    let mut counts = RuleCounts::default();
    let asked = match RowProblem::of(row) {
        Ok(asked) => asked,
        Err(error) => {
            checked.failures.push(CheckFailure::Parse { message: error.to_string() });
            return (checked, counts);
        }
    };
    let problem = &asked.problem;
    checked.task = Some(problem.task());
    checked.difficulty = problem.difficulty;
    (checked.n_nodes, checked.n_edges) = (problem.graph.n_nodes(), problem.graph.n_edges());
    let own = judged(problem, &reference_text(problem, &solve(problem)));
    if own.verdict != Verdict::Correct {
        checked.failures.push(CheckFailure::SolutionRejected { message: own.explanation });
    }
    if let Some(message) = asked.label_fault(row) {
        checked.failures.push(CheckFailure::ReferenceRejected { message });
    }
    asked.count(row, &mut counts);
    (checked, counts)
}

#[cfg(test)]
mod tests;
