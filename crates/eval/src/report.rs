//! Runs added up: what a table or a plot is drawn from.

use std::collections::{BTreeMap, BTreeSet};

use llm::Usage;
use serde::{Deserialize, Serialize};
use systems::{experiment, experiments};
use tasks::Verdict;
use trace::MistakeKind;

use crate::prices::Prices;
use crate::stats::{Interval, Outliers, wilson};
use crate::{Case, RunEntry, Runs, Setup, Spent};

/// How runs are added up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportOptions {
    /// How outliers in times are left out.
    pub outliers: Outliers,
    /// Prices by model, for the columns of cost.
    pub prices: Prices,
    /// Draws the tables as a paper's public code counts, where that differs.
    pub is_compat: bool,
    /// How wide plots are, in units of a pixel; as usual where it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plot_width: Option<f64>,
}

impl ReportOptions {
    /// How wide plots are, in units of a pixel.
    pub(crate) fn width(&self) -> f64 {
        self.plot_width.filter(|w| w.is_finite()).unwrap_or(draw::plot::WIDTH)
    }
}

/// Which cases a row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RowGroup {
    /// The group, such as a task; absent for all.
    pub group: Option<String>,
    /// The level; absent for all, or where it is not known.
    pub level: Option<String>,
    /// All cases of the group, or of all groups.
    pub is_total: bool,
}

impl RowGroup {
    /// The row of all cases together.
    pub const ALL: Self = Self { group: None, level: None, is_total: true };

    /// The title of the row.
    pub fn title(&self) -> String {
        // Ids of groups are written as names of files.
        let group = self.group.as_ref().map(|group| group.replace('_', " "));
        match (group.as_deref(), self.level.as_deref()) {
            (None, _) => "all".into(),
            (Some(""), Some(level)) => level.to_owned(),
            (Some(""), None) => "level unknown".into(),
            (Some(group), Some(level)) => format!("{group}, {level}"),
            (Some(group), None) if self.is_total => group.to_owned(),
            (Some(group), None) => format!("{group}, level unknown"),
        }
    }
}

/// The runs of a setup on a group of cases, added up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The hash of the setup.
    pub setup: String,
    /// The cases that the row is about.
    pub group: RowGroup,
    /// The number of cases.
    pub n_cases: usize,
    /// Finished runs; several of one problem where samples were drawn.
    pub n_runs: usize,
    /// Runs that failed at their endpoint and are not counted.
    pub n_failed: usize,
    /// Runs by verdict, best first, as [`Verdict::ALL`] lists them.
    pub verdicts: [usize; 4],
    /// The share of correct runs with its Wilson interval. With several samples a case counts by the
    /// share of its runs, and the interval is that of the number of cases.
    pub accuracy: Option<Interval>,
    /// Average seconds of a run, outliers left out.
    pub seconds: Option<f64>,
    /// Runs that were left out of it.
    pub n_outliers: usize,
    /// Average seconds of all runs.
    pub seconds_all: Option<f64>,
    /// Tokens of all runs, as endpoints report them; absent if of any run they are not reported.
    pub usage: Usage,
    /// Input and output tokens of all runs, reported or counted here; absent if neither is so.
    pub tokens: Option<(u64, u64)>,
    /// Whether any of these are counted here.
    pub is_counted: bool,
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
    /// Calls that were corrected.
    pub n_corrections: u32,
    /// Counts of the experiment, added up.
    pub counts: BTreeMap<String, u64>,
    /// The mean of each measure over the runs that have it, with its interval.
    pub measures: BTreeMap<String, Interval>,
    /// Runs with each kind of error.
    pub errors: BTreeMap<String, usize>,
}

impl Row {
    /// Runs that came out right.
    pub fn n_correct(&self) -> usize {
        self.verdicts[0]
    }

    /// Runs with a kind of error.
    pub fn n_errors(&self, kind: &str) -> usize {
        self.errors.get(kind).copied().unwrap_or(0)
    }
}

/// One run as plots and lists need it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    /// Which run, as a place in [`Runs::runs`].
    pub run: usize,
    /// Which setup, as a place in [`Report::setups`].
    pub setup: usize,
    /// Nodes of the case's own graph; 0 where it has none.
    pub n_nodes: usize,
    /// Whether it came out right.
    pub is_correct: bool,
    /// The number of tool calls.
    pub n_calls: u32,
}

/// Runs added up by setup and by group of cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How they were added up.
    pub options: ReportOptions,
    /// Every setup that has runs, with its hash, in the order of the file.
    pub setups: Vec<(String, Setup)>,
    /// Setup by setup: groups by level, then each group, then all.
    pub rows: Vec<Row>,
    /// One dot for each run, for the plots.
    pub dots: Vec<Dot>,
    /// What was used up.
    pub spent: Spent,
    /// The groups of the experiments, in their order.
    known: Vec<String>,
    /// The number of cases.
    pub n_cases: usize,
    /// The most samples of one case.
    pub n_samples: u32,
    /// The benchmark that totals are over, where the cases are of several: they are not added up.
    pub totals_of: Option<String>,
}

impl Report {
    /// Adds runs up.
    ///
    /// # Complexity
    /// O(n log n) in the number of runs.
    pub fn of<T>(runs: &Runs<T>, options: ReportOptions) -> Self {
        // Setups in the order in which they were written down, not in which a run came first.
        let used: BTreeSet<&str> = runs.runs.iter().map(|r| r.key.setup.as_str()).collect();
        let order: Vec<String> =
            runs.order.iter().filter(|h| used.contains(h.as_str())).cloned().collect();
        let place: BTreeMap<&str, usize> =
            order.iter().enumerate().map(|(i, hash)| (hash.as_str(), i)).collect();
        let main = main_suites(runs);
        let mut spent = Spent::default();
        let mut dots = Vec::with_capacity(runs.runs.len());
        let mut groups: BTreeMap<(usize, RowGroup), Bucket<'_, T>> = BTreeMap::new();
        let mut cases: BTreeSet<&str> = BTreeSet::new();
        let mut totals_of = None;
        for (i, run) in runs.runs.iter().enumerate() {
            let (Some(setup), Some(case)) =
                (place.get(run.key.setup.as_str()), runs.case(&run.key.case))
            else {
                continue;
            };
            cases.insert(&case.id);
            let dollars = options.prices.of_run(&runs.setups[&run.key.setup], &run.cost);
            spent.add(&run.cost.usage, dollars);
            dots.push(Dot {
                run: i,
                setup: *setup,
                n_nodes: case.size.unwrap_or(0),
                is_correct: run.score.verdict == Verdict::Correct,
                n_calls: run.cost.n_calls,
            });
            let mut is_in_total = false;
            for group in groups_of(case, &main) {
                is_in_total |= group == RowGroup::ALL;
                groups.entry((*setup, group)).or_default().runs.push((run, dollars));
            }
            if !is_in_total && totals_of.is_none() {
                totals_of = main.get(&case.experiment).map(|suite| (*suite).to_owned());
            }
        }
        for failure in runs.failures.values() {
            let (Some(setup), Some(case)) =
                (place.get(failure.key.setup.as_str()), runs.case(&failure.key.case))
            else {
                continue;
            };
            for group in groups_of(case, &main) {
                groups.entry((*setup, group)).or_default().n_failed += 1;
            }
        }
        let mut rows: Vec<Row> = groups
            .into_iter()
            .map(|((setup, group), bucket)| bucket.row(&order[setup], group, &options))
            .collect();
        let known = known_groups(runs);
        let rank = |row: &Row| {
            let setup = order.iter().position(|h| *h == row.setup);
            (setup, row.group.group.is_none(), row.group.is_total, rank(&known, &row.group))
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
            known,
            n_cases: cases.len(),
            n_samples: runs.runs.iter().map(|r| r.key.sample + 1).max().unwrap_or(0),
            totals_of,
            options,
        }
    }

    /// Over what totals are, as a sentence behind a note; empty where they are over everything.
    pub fn totals_note(&self) -> String {
        self.totals_of.as_ref().map_or_else(String::new, |suite| {
            format!(" Over the cases of {suite} alone: benchmarks are not added up.")
        })
    }

    /// The rows of a setup.
    pub fn rows_of<'a>(&'a self, setup: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |r| r.setup == setup)
    }

    /// The row of a setup on a group.
    pub fn row(&self, setup: &str, group: &RowGroup) -> Option<&Row> {
        self.rows.iter().find(|r| r.setup == setup && r.group == *group)
    }

    /// A group's name for people. Where no case of it has a level, its name says nothing of levels.
    pub fn title(&self, group: &RowGroup) -> String {
        let has_levels =
            self.rows.iter().any(|r| r.group.group == group.group && r.group.level.is_some());
        match &group.group {
            Some(name) if group.level.is_none() && !has_levels && !name.is_empty() => {
                name.replace('_', " ")
            }
            Some(_) if group.level.is_none() && !has_levels => "all".into(),
            _ => group.title(),
        }
    }

    /// Every group of one level, in the experiment's order.
    pub fn groups(&self) -> Vec<RowGroup> {
        let all: BTreeSet<&RowGroup> =
            self.rows.iter().map(|r| &r.group).filter(|g| !g.is_total).collect();
        let mut all: Vec<RowGroup> = all.into_iter().cloned().collect();
        all.sort_by_cached_key(|g| rank(&self.known, g));
        all
    }

    /// The experiments that the setups are of, each once.
    pub fn experiments(&self) -> Vec<&'static dyn experiment::Experiment> {
        let ids: BTreeSet<&str> = self.setups.iter().map(|(_, s)| s.experiment.as_str()).collect();
        experiments::EXPERIMENTS.iter().copied().filter(|e| ids.contains(e.id())).collect()
    }

    /// Whether every model of the setup with a hash is a script: its figures say nothing about a
    /// method.
    pub fn is_scripted(&self, hash: &str) -> bool {
        self.setups.iter().any(|(known, setup)| known == hash && setup.is_scripted())
    }

    /// What stands on top where every row comes from scripts: they know the questions, so there are no
    /// intervals, no costs, and no rows of papers beside them.
    pub fn scripts_note(&self) -> Option<&'static str> {
        let all = !self.setups.is_empty() && self.setups.iter().all(|(_, s)| s.is_scripted());
        all.then_some(
            "Scripts that know the questions produced these rows. They test the harness, not a \
             method.",
        )
    }

    /// The name of each setup, in as few words as tell them apart. A script is called one.
    pub fn labels(&self) -> Vec<String> {
        let plain: Vec<String> = self
            .setups
            .iter()
            .map(|(_, s)| {
                let models = s.models();
                let is_told = !s.is_scripted() || models.to_lowercase().contains("script");
                let models = if is_told { models } else { format!("script {models}") };
                format!("{models}, {}", lower(&s.system_title()))
            })
            .collect();
        let is_twice = |l: &String| plain.iter().filter(|p| *p == l).count() > 1;
        plain
            .iter()
            .zip(&self.setups)
            .map(|(label, (hash, s))| {
                if !is_twice(label) {
                    return label.clone();
                }
                let mut words = s.unusual();
                words.extend([s.kind(), hash[..hash.len().min(6)].to_owned()]);
                format!("{label} ({})", words.join(", "))
            })
            .collect()
    }
}

/// A title within a sentence. A name such as `GraphRunner` or `Text-RAG` stays as it is.
fn lower(title: &str) -> String {
    let is_name = title.chars().skip(1).any(char::is_uppercase);
    if is_name { title.to_owned() } else { title.to_lowercase() }
}

/// The suite of each experiment over which its totals are: that of its first group with runs.
fn main_suites<T>(runs: &Runs<T>) -> BTreeMap<String, &'static str> {
    let mut present: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for case in runs.runs.iter().filter_map(|run| runs.case(&run.key.case)) {
        present.entry(&case.experiment).or_default().insert(&case.group);
    }
    let main = |(id, groups): (&str, BTreeSet<&str>)| {
        let experiment = experiments::find(id).ok()?;
        let order = experiment.groups();
        let first = order.iter().find(|g| groups.contains(g.as_str()));
        let first = first.map(String::as_str).or_else(|| groups.first().copied())?;
        Some((id.to_owned(), experiment.suite(first)))
    };
    present.into_iter().filter_map(main).collect()
}

/// The groups that a case counts in: in that of all only where it is of the main suite.
fn groups_of(case: &Case, main: &BTreeMap<String, &'static str>) -> impl Iterator<Item = RowGroup> {
    let suite = experiments::find(&case.experiment).ok().map(|e| e.suite(&case.group));
    let is_main = suite.is_none_or(|s| main.get(&case.experiment).is_none_or(|m| *m == s));
    let group = Some(case.group.clone());
    let level = Some(case.level.clone()).filter(|l| !l.is_empty());
    [
        RowGroup { group: group.clone(), level, is_total: false },
        RowGroup { group, level: None, is_total: true },
    ]
    .into_iter()
    .chain(is_main.then_some(RowGroup::ALL))
}

/// The groups of all experiments in the runs, in the order of their tables.
fn known_groups<T>(runs: &Runs<T>) -> Vec<String> {
    let ids: BTreeSet<&str> = runs.setups.values().map(|s| s.experiment.as_str()).collect();
    ids.into_iter().filter_map(|id| experiments::find(id).ok()).flat_map(|e| e.groups()).collect()
}

/// Where a group stands: groups by the experiment's order, levels from easy to hard or by number.
fn rank(
    known: &[String],
    group: &RowGroup,
) -> (usize, Option<String>, usize, usize, Option<String>) {
    let name = group.group.as_deref().unwrap_or_default();
    let level = group.level.as_deref().unwrap_or_default();
    let hard = ["easy", "medium", "hard"].iter().position(|l| *l == level).unwrap_or(0);
    let digits: String = level.chars().take_while(char::is_ascii_digit).collect();
    (
        known.iter().position(|k| k == name).unwrap_or(known.len()),
        group.group.clone(),
        hard,
        digits.parse().unwrap_or(0),
        group.level.clone(),
    )
}

struct Bucket<'a, T> {
    runs: Vec<(&'a RunEntry<T>, Option<f64>)>,
    n_failed: usize,
}

impl<T> Default for Bucket<'_, T> {
    fn default() -> Self {
        Self { runs: Vec::new(), n_failed: 0 }
    }
}

impl<T> Bucket<'_, T> {
    fn row(&self, setup: &str, group: RowGroup, options: &ReportOptions) -> Row {
        let n_runs = self.runs.len();
        let mut verdicts = [0; 4];
        let mut by_case: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut usage = Usage::default();
        let mut is_told = true;
        let (mut tokens, mut is_counted) = (Some((0, 0)), false);
        let mut measures: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut dollars = Some(0.0);
        let (mut mistakes, mut errors) = (BTreeMap::new(), BTreeMap::new());
        let (mut rounds, mut calls, mut n_corrections) = (0, 0, 0);
        let mut seconds = Vec::with_capacity(n_runs);
        for (run, cost) in &self.runs {
            let place = Verdict::ALL.iter().position(|v| *v == run.score.verdict).unwrap_or(3);
            verdicts[place] += 1;
            let of = by_case.entry(&run.key.case).or_default();
            of.0 += usize::from(run.score.verdict == Verdict::Correct);
            of.1 += 1;
            let of = &run.cost;
            is_told &= of.usage.total().is_some();
            usage.add(of.usage);
            tokens = tokens.zip(of.tokens()).map(|((a, b), (i, o, _))| (a + i, b + o));
            is_counted |= of.tokens().is_some_and(|t| t.2);
            dollars = dollars.zip(*cost).map(|(a, b)| a + b);
            rounds += of.n_rounds;
            calls += of.n_calls;
            n_corrections += of.n_corrections;
            seconds.push(of.took_ms / 1e3);
            for (kind, n) in &of.mistakes {
                *mistakes.entry(*kind).or_default() += n;
            }
            for kind in &run.score.errors {
                *errors.entry(kind.clone()).or_default() += 1;
            }
            for (name, n) in &run.score.counts {
                *counts.entry(name.clone()).or_default() += n;
            }
            for (name, value) in &run.score.measures {
                measures.entry(name).or_default().push(*value);
            }
        }
        let n_cases = by_case.len();
        let right: f64 = by_case.values().map(|(c, n)| *c as f64 / *n as f64).sum();
        let mean = |sum: u32| if n_runs == 0 { 0.0 } else { f64::from(sum) / n_runs as f64 };
        let average = options.outliers.mean(&seconds);
        let dollars = dollars.filter(|_| n_runs > 0);
        Row {
            setup: setup.to_owned(),
            group,
            n_cases,
            n_runs,
            n_failed: self.n_failed,
            verdicts,
            accuracy: wilson(right, n_cases as f64),
            seconds: average.map(|(mean, _)| mean),
            n_outliers: average.map_or(0, |(_, n)| n),
            seconds_all: Outliers::Keep.mean(&seconds).map(|(mean, _)| mean),
            usage: if is_told { usage } else { Usage::default() },
            tokens: tokens.filter(|_| n_runs > 0),
            is_counted,
            dollars,
            dollars_per_correct: dollars
                .filter(|_| verdicts[0] > 0)
                .map(|sum| sum / verdicts[0] as f64),
            rounds: mean(rounds),
            calls: mean(calls),
            mistakes,
            n_corrections,
            counts,
            measures: measures
                .into_iter()
                .filter_map(|(name, values)| Some((name.to_owned(), bounded_mean(&values)?)))
                .collect(),
            errors,
        }
    }
}

/// The mean of measures, which lie between 0 and 1 whatever the normal distribution says.
pub(crate) fn bounded_mean(values: &[f64]) -> Option<Interval> {
    let mean = crate::stats::mean(values)?;
    Some(Interval { low: mean.low.max(0.0), high: mean.high.min(1.0), ..mean })
}
