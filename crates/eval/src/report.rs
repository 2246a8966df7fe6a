//! Runs added up: what a table or a plot is drawn from.

use std::collections::{BTreeMap, BTreeSet};

use llm::Usage;
use serde::{Deserialize, Serialize};
use tasks::{Difficulty, TaskId, Verdict};
use trace::MistakeKind;

use crate::prices::Prices;
use crate::stats::{Interval, Outliers, wilson};
use crate::{ErrorKind, Item, RunEntry, Runs, Setup, Spent};

/// How runs are added up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// How outliers in times are left out.
    pub outliers: Outliers,
    /// What models cost.
    pub prices: Prices,
}

/// Which problems a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Family {
    /// The task; absent for all.
    pub task: Option<TaskId>,
    /// The level; absent for all, or where it is not known.
    pub difficulty: Option<Difficulty>,
    /// All problems of the task, or of all tasks.
    pub is_total: bool,
}

impl Family {
    /// All problems.
    pub const ALL: Self = Self { task: None, difficulty: None, is_total: true };

    /// For people.
    pub fn title(&self) -> String {
        match (self.task, self.difficulty) {
            (None, _) => "all".into(),
            (Some(task), Some(level)) => format!("{task}, {level}"),
            (Some(task), None) if self.is_total => task.to_string(),
            (Some(task), None) => format!("{task}, level unknown"),
        }
    }
}

/// The runs of a setup on a family of problems, added up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The setup's hash.
    pub setup: String,
    /// Which problems.
    pub family: Family,
    /// Problems.
    pub n_problems: usize,
    /// Finished runs; several of one problem where samples were drawn.
    pub n_runs: usize,
    /// Runs that failed at their endpoint and are not counted.
    pub n_failed: usize,
    /// Runs by verdict, best first, as [`Verdict::ALL`] lists them.
    pub verdicts: [usize; 4],
    /// The share of correct runs with its Wilson interval. With several samples a problem counts by
    /// the share of its runs, and the interval is that of the number of problems.
    pub accuracy: Option<Interval>,
    /// Average seconds of a run, outliers left out.
    pub seconds: Option<f64>,
    /// Runs that were left out of it.
    pub n_outliers: usize,
    /// Average seconds of all runs.
    pub seconds_all: Option<f64>,
    /// Tokens of all runs; absent if of any run they are not told.
    pub usage: Usage,
    /// Dollars of all runs; absent if the price or the tokens of any run are not known.
    pub dollars: Option<f64>,
    /// Dollars for each correct run.
    pub dollars_per_correct: Option<f64>,
    /// Turns of the model, on average.
    pub rounds: f64,
    /// Tool calls, on average.
    pub calls: f64,
    /// Calls that went wrong, by kind.
    pub mistakes: BTreeMap<MistakeKind, u32>,
    /// Calls that were mended.
    pub n_corrections: u32,
    /// Claims about the graph in answers, and of these the false ones.
    pub claims: (u32, u32),
    /// Runs with each kind of error.
    pub errors: BTreeMap<ErrorKind, usize>,
}

impl Row {
    /// Runs that came out right.
    pub fn n_correct(&self) -> usize {
        self.verdicts[0]
    }

    /// Runs with a kind of error.
    pub fn n_errors(&self, kind: ErrorKind) -> usize {
        self.errors.get(&kind).copied().unwrap_or(0)
    }
}

/// One run as plots and lists need it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    /// Which run, as a place in [`Runs::runs`].
    pub run: usize,
    /// Which setup, as a place in [`Report::setups`].
    pub setup: usize,
    /// Nodes of the graph.
    pub n_nodes: usize,
    /// Whether it came out right.
    pub is_correct: bool,
    /// Tool calls.
    pub n_calls: u32,
}

/// Runs added up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How they were added up.
    pub options: Options,
    /// Every setup that has runs, with its hash, in the order of the file.
    pub setups: Vec<(String, Setup)>,
    /// Setup by setup: families, then each task, then all.
    pub rows: Vec<Row>,
    /// Every run.
    pub dots: Vec<Dot>,
    /// What was used up.
    pub spent: Spent,
    /// Problems.
    pub n_problems: usize,
    /// The most samples of one problem.
    pub n_samples: u32,
}

impl Report {
    /// Adds runs up.
    ///
    /// # Complexity
    /// O(n log n) in the number of runs.
    pub fn of<T>(runs: &Runs<T>, options: Options) -> Self {
        // Setups in the order in which they were written down, not in which a run came first.
        let used: BTreeSet<&str> = runs.runs.iter().map(|r| r.key.setup.as_str()).collect();
        let order: Vec<String> =
            runs.order.iter().filter(|h| used.contains(h.as_str())).cloned().collect();
        let place: BTreeMap<&str, usize> =
            order.iter().enumerate().map(|(i, hash)| (hash.as_str(), i)).collect();
        let of_runs = runs.runs.iter().filter_map(|run| runs.problem(&run.key.problem));
        let main = of_runs.map(|item| item.task.group()).min().unwrap_or(tasks::Group::NlGraph);
        let mut spent = Spent::default();
        let mut dots = Vec::with_capacity(runs.runs.len());
        let mut groups: BTreeMap<(usize, Family), Group<'_, T>> = BTreeMap::new();
        let mut problems: BTreeSet<&str> = BTreeSet::new();
        for (i, run) in runs.runs.iter().enumerate() {
            let (Some(setup), Some(item)) =
                (place.get(run.key.setup.as_str()), runs.problem(&run.key.problem))
            else {
                continue;
            };
            problems.insert(&item.id);
            let model = &runs.setups[&run.key.setup].model;
            let dollars = options.prices.cost(model, &run.facts.usage);
            spent.add(&run.facts.usage, dollars);
            dots.push(Dot {
                run: i,
                setup: *setup,
                n_nodes: item.graph.n_nodes(),
                is_correct: run.verdict == Verdict::Correct,
                n_calls: run.facts.n_calls,
            });
            for family in families(item, main) {
                groups.entry((*setup, family)).or_default().runs.push((run, dollars));
            }
        }
        for failure in runs.failures.values() {
            let (Some(setup), Some(item)) =
                (place.get(failure.key.setup.as_str()), runs.problem(&failure.key.problem))
            else {
                continue;
            };
            for family in families(item, main) {
                groups.entry((*setup, family)).or_default().n_failed += 1;
            }
        }
        let mut rows: Vec<Row> = groups
            .into_iter()
            .map(|((setup, family), group)| group.row(&order[setup], family, &options))
            .collect();
        let rank = |row: &Row| {
            let setup = order.iter().position(|h| *h == row.setup);
            (setup, row.family.task.is_none(), row.family.is_total, row.family)
        };
        rows.sort_by_cached_key(rank);
        Self {
            setups: order
                .iter()
                .filter_map(|h| runs.setups.get(h).cloned().map(|s| (h.clone(), s)))
                .collect(),
            rows,
            dots,
            spent,
            n_problems: problems.len(),
            n_samples: runs.runs.iter().map(|r| r.key.sample + 1).max().unwrap_or(0),
            options,
        }
    }

    /// The group of tasks over which totals are: NLGraph where it has runs of it.
    pub fn group(&self) -> tasks::Group {
        let tasks = self.rows.iter().filter_map(|row| row.family.task);
        tasks.map(TaskId::group).min().unwrap_or(tasks::Group::NlGraph)
    }

    /// The rows of a setup.
    pub fn rows_of<'a>(&'a self, setup: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |r| r.setup == setup)
    }

    /// The row of a setup on a family.
    pub fn row(&self, setup: &str, family: Family) -> Option<&Row> {
        self.rows.iter().find(|r| r.setup == setup && r.family == family)
    }

    /// Every family of one task and one level, in the benchmark's order.
    pub fn families(&self) -> Vec<Family> {
        let all: BTreeSet<Family> =
            self.rows.iter().map(|r| r.family).filter(|f| !f.is_total).collect();
        all.into_iter().collect()
    }

    /// The name of each setup, in as few words as tell them apart.
    pub fn labels(&self) -> Vec<String> {
        let plain: Vec<String> = self
            .setups
            .iter()
            .map(|(_, s)| format!("{}, {}", s.model, s.system_title().to_lowercase()))
            .collect();
        let is_twice = |l: &String| plain.iter().filter(|p| *p == l).count() > 1;
        plain
            .iter()
            .zip(&self.setups)
            .map(|(label, (hash, s))| {
                if !is_twice(label) {
                    return label.clone();
                }
                format!("{label} ({}, {})", s.kind(), &hash[..hash.len().min(6)])
            })
            .collect()
    }
}

/// The families that a problem counts in: in the total over all tasks only where it is of the
/// group that the benchmark is about.
fn families(item: &Item, main: tasks::Group) -> impl Iterator<Item = Family> {
    let task = Some(item.task);
    [
        Family { task, difficulty: item.difficulty, is_total: false },
        Family { task, difficulty: None, is_total: true },
    ]
    .into_iter()
    .chain((item.task.group() == main).then_some(Family::ALL))
}

struct Group<'a, T> {
    runs: Vec<(&'a RunEntry<T>, Option<f64>)>,
    n_failed: usize,
}

impl<T> Default for Group<'_, T> {
    fn default() -> Self {
        Self { runs: Vec::new(), n_failed: 0 }
    }
}

impl<T> Group<'_, T> {
    fn row(&self, setup: &str, family: Family, options: &Options) -> Row {
        let n_runs = self.runs.len();
        let mut verdicts = [0; 4];
        let mut by_problem: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut usage = Usage::default();
        let mut is_told = true;
        let mut dollars = Some(0.0);
        let (mut mistakes, mut errors) = (BTreeMap::new(), BTreeMap::new());
        let (mut rounds, mut calls, mut n_corrections) = (0, 0, 0);
        let mut claims = (0, 0);
        let mut seconds = Vec::with_capacity(n_runs);
        for (run, cost) in &self.runs {
            let place = Verdict::ALL.iter().position(|v| *v == run.verdict).unwrap_or(3);
            verdicts[place] += 1;
            let of = by_problem.entry(&run.key.problem).or_default();
            of.0 += usize::from(run.verdict == Verdict::Correct);
            of.1 += 1;
            let facts = &run.facts;
            is_told &= facts.usage.total().is_some();
            usage.add(facts.usage);
            dollars = dollars.zip(*cost).map(|(a, b)| a + b);
            rounds += facts.n_rounds;
            calls += facts.n_calls;
            n_corrections += facts.n_corrections;
            claims.0 += facts.n_claims;
            claims.1 += facts.n_false_claims;
            seconds.push(facts.took_ms / 1e3);
            for (kind, n) in &facts.mistakes {
                *mistakes.entry(*kind).or_default() += n;
            }
            for kind in &facts.errors {
                *errors.entry(*kind).or_default() += 1;
            }
        }
        let n_problems = by_problem.len();
        let right: f64 = by_problem.values().map(|(c, n)| *c as f64 / *n as f64).sum();
        let mean = |sum: u32| if n_runs == 0 { 0.0 } else { f64::from(sum) / n_runs as f64 };
        let average = options.outliers.mean(&seconds);
        let dollars = dollars.filter(|_| n_runs > 0);
        Row {
            setup: setup.to_owned(),
            family,
            n_problems,
            n_runs,
            n_failed: self.n_failed,
            verdicts,
            accuracy: wilson(right, n_problems as f64),
            seconds: average.map(|(mean, _)| mean),
            n_outliers: average.map_or(0, |(_, n)| n),
            seconds_all: Outliers::Keep.mean(&seconds).map(|(mean, _)| mean),
            usage: if is_told { usage } else { Usage::default() },
            dollars,
            dollars_per_correct: dollars
                .filter(|_| verdicts[0] > 0)
                .map(|sum| sum / verdicts[0] as f64),
            rounds: mean(rounds),
            calls: mean(calls),
            mistakes,
            n_corrections,
            claims,
            errors,
        }
    }
}
