//! Benchmarks: runs made, kept as lines of a runs file, added up, checked again.
//!
//! The worker holds the lines of one benchmark; the page keeps them in the browser's storage, and
//! hands them back after a reload.

use std::collections::BTreeMap;

use draw::plot::Plot;
use eval::compare::Differing;
use eval::labels::ReaderLabel;
use eval::prices::Prices;
use eval::report::{Report, ReportOptions};
use eval::tables::Table;
use eval::{About, Budget, Drift, Estimate, Key, Spent};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use systems::experiment::ALL;
use systems::nlgraph;
use tasks::Verdict;
use trace::Record;

use crate::problem::ProblemView;
use crate::runs::ModelChoice;
use crate::service::services;
use crate::traces::TextFile;

/// What a benchmark is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BenchSpec {
    /// The experiment's id.
    pub experiment: String,
    /// The ids of systems.
    pub systems: Vec<String>,
    /// The models of the first role; the addresses of endpoints stay here and go into no runs file.
    pub models: Vec<ModelChoice>,
    /// The models of other roles; a role that is not in here is played by the model of the first,
    /// and a judge is asked only if it is in here.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, ModelChoice>,
    /// Options of the experiment that are not as usual.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub options: Value,
    /// Groups of cases, such as tasks, or `all`.
    #[serde(alias = "tasks")]
    pub groups: Vec<String>,
    /// Levels of cases, or `all`.
    pub levels: Vec<String>,
    /// Generated cases of each group and level.
    pub n: usize,
    /// The first seed.
    pub seed: u64,
    /// What the cases stand on, where it is made from a name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub world: String,
    /// Names and texts of files of cases; with any, none is generated. Empty once the benchmark
    /// has lines, for then the cases are among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(String, String)>,
    /// How often each case is put.
    pub n_samples: u32,
    /// Runs whose majority counts as one.
    pub votes: u32,
    /// The sampling temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Runs at once.
    pub concurrency: usize,
    /// When it stops by itself.
    pub budget: Budget,
    /// Options that earlier versions kept beside the others.
    #[serde(flatten, skip_serializing)]
    pub earlier: EarlierOptions,
}

/// What earlier versions kept beside the options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EarlierOptions {
    /// In which words a problem is put.
    pub wording: Option<Value>,
    /// In which prompting style.
    pub style: Option<Value>,
    /// Whether the graph is handed over beside the question.
    pub attach: Option<Value>,
}

impl BenchSpec {
    /// The same with what an earlier version kept beside the options among them.
    #[must_use]
    pub fn brought_up_to_date(mut self) -> Self {
        let EarlierOptions { wording, style, attach } = std::mem::take(&mut self.earlier);
        for (name, value) in [("wording", wording), ("style", style), ("attach", attach)] {
            if let Some(value) = value {
                if !self.options.is_object() {
                    self.options = Value::Object(serde_json::Map::new());
                }
                self.options[name] = value;
            }
        }
        self
    }
}

impl Default for BenchSpec {
    fn default() -> Self {
        Self {
            experiment: nlgraph::ID.into(),
            systems: vec!["grounded".into(), "standalone".into()],
            models: vec![ModelChoice::Script { name: "mistaken".into() }],
            roles: BTreeMap::new(),
            options: Value::Null,
            groups: vec![ALL.into()],
            levels: vec!["easy".into()],
            n: 5,
            seed: 1,
            world: String::new(),
            files: Vec::new(),
            n_samples: 1,
            votes: 1,
            temperature: None,
            concurrency: 4,
            budget: Budget::default(),
            earlier: EarlierOptions::default(),
        }
    }
}

/// An experiment as a form shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExperimentView {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What it measures.
    pub lede: String,
    /// Its systems.
    pub systems: Vec<SystemView>,
    /// The groups of its cases; empty where there are none.
    pub groups: Vec<String>,
    /// Those of them that `all` stands for.
    pub all_groups: Vec<String>,
    /// The levels of its cases; empty where there are none to choose.
    pub levels: Vec<String>,
    /// What the cases stand on if nothing else is said; empty where that is nothing.
    pub world: String,
    /// The roles of its systems, the first role first.
    pub roles: Vec<RoleView>,
    /// The values of options that take only some, each with its name.
    #[serde(with = "crate::exact")]
    pub choices: BTreeMap<String, Vec<(Value, String)>>,
    /// Whether our own small model was trained on what its cases ask.
    pub suits_own_model: bool,
}

/// A system as a form shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SystemView {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What it is about, for people.
    pub lede: String,
    /// Its usual options.
    #[serde(with = "crate::exact")]
    pub options: Value,
}

/// A role as a form shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoleView {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What the role is for.
    pub lede: String,
    /// The scripts that can play it, by name, with what they are called.
    pub scripts: Vec<(String, String)>,
}

/// Files that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BenchForm {
    /// The runs file.
    Runs,
    /// The page.
    Html,
    /// One run a line, one value a column.
    Csv,
    /// The report as JSON.
    Json,
    /// A log of Inspect; of one setup.
    Inspect,
    /// Results of lm-evaluation-harness; of one setup.
    LmEval,
    /// The samples that belong to these results; of one setup.
    LmEvalSamples,
}

impl BenchForm {
    /// Every form, with what a file's name ends with and what it is for.
    pub const ALL: [(Self, &'static str, &'static str); 7] = [
        (Self::Runs, "jsonl", "Runs file (JSON lines), to resume or merge"),
        (Self::Html, "html", "Small page (HTML)"),
        (Self::Csv, "csv", "Values, one run a line (CSV)"),
        (Self::Json, "json", "The report (JSON)"),
        (Self::Inspect, "eval.json", "Logs of Inspect, one a setup"),
        (Self::LmEval, "results.json", "Results of lm-evaluation-harness, one a setup"),
        (Self::LmEvalSamples, "samples.jsonl", "Samples of lm-evaluation-harness, one a setup"),
    ];

    /// Whether a file holds one setup, so that several are written.
    pub fn is_of_setup(self) -> bool {
        matches!(self, Self::Inspect | Self::LmEval | Self::LmEvalSamples)
    }
}

/// How far a benchmark is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchProgress {
    /// Runs in all.
    pub n_jobs: usize,
    /// Finished, those from before counted in.
    pub n_done: usize,
    /// Finished since the start.
    pub n_new: usize,
    /// Correct since the start.
    pub n_correct: usize,
    /// Failed at their endpoint.
    pub n_failed: usize,
    /// That go on now.
    pub n_running: usize,
    /// That may go on at once now.
    pub concurrency: usize,
    /// Questions that were asked again.
    pub n_retries: usize,
    /// Used up.
    pub spent: Spent,
    /// What went wrong last.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub last_trouble: String,
}

/// A run on a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchRow {
    /// Setup, case and sample of the run.
    pub key: Key,
    /// Which setup, as a place in the report.
    pub setup: usize,
    /// The group of its case.
    pub group: String,
    /// The level of its case; empty where it is not known.
    pub level: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Nodes of the case's own graph; 0 where it has none.
    pub n_nodes: usize,
    /// Tool calls.
    pub n_calls: u32,
    /// Calls that went wrong.
    pub n_mistakes: u32,
    /// Seconds.
    pub seconds: f64,
    /// Tokens, where they were told.
    pub tokens: Option<u64>,
}

/// Tells which experiments there are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListExperiments {}

/// Drops the lines that are there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClearRuns {}

/// Adds lines of a runs file; the last may be cut off.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AddRuns {
    /// The lines.
    pub text: String,
}

/// Opens a runs file in gzip in base64.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnpackRuns {
    /// The file.
    pub packed: String,
}

/// What is there now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRuns {
    /// Finished runs.
    pub n_runs: usize,
    /// The number of cases.
    pub n_cases: usize,
    /// Runs that failed.
    pub n_failed: usize,
    /// Bytes of a last line that was cut off.
    pub n_torn: usize,
}

/// Estimates what a start would take.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EstimateBench {
    /// What is to be done.
    #[serde(with = "crate::exact")]
    pub spec: Box<BenchSpec>,
    /// What models cost.
    #[serde(with = "crate::exact")]
    pub prices: Prices,
}

/// What a start would take.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchEstimate {
    /// The sums.
    pub estimate: Estimate,
    /// Runs that are finished.
    pub n_finished: usize,
    /// The number of cases.
    pub n_cases: usize,
    /// Setups.
    pub n_setups: usize,
}

/// Makes the runs that are missing; [`BenchLines`] tells of each.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StartBench {
    /// What is to be done.
    #[serde(with = "crate::exact")]
    pub spec: Box<BenchSpec>,
    /// What models cost.
    #[serde(with = "crate::exact")]
    pub prices: Prices,
}

/// Lines of a runs file, for the page to keep, and how far the benchmark is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchLines {
    /// The lines, each with its end.
    pub text: String,
    /// How far it is.
    pub progress: BenchProgress,
}

/// No run goes on any more.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EndedBench {
    /// How far it is.
    pub progress: BenchProgress,
    /// Why it ended early, if it did.
    pub reason: Option<String>,
}

/// Adds up the runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReportRuns {
    /// How the runs are added up.
    #[serde(with = "crate::exact")]
    pub options: Box<ReportOptions>,
}

/// The runs added up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BenchReport {
    /// The sums; without the dots, which are in the plots.
    pub report: Box<Report>,
    /// The names of the setups.
    pub labels: Vec<String>,
    /// As tables.
    pub tables: Vec<Table>,
    /// As plots.
    pub plots: Vec<Plot>,
    /// Runs that are not right and that readers can sort into classes of failures.
    #[serde(default)]
    pub n_sortable: usize,
}

/// Lists runs, in the order of the file: a part at a time, because the page reads a reply in one task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListRuns {
    /// The place of the first one.
    pub from: usize,
    /// How many at most.
    pub n: usize,
}

/// A part of the list of runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedRuns {
    /// A line for each.
    pub rows: Vec<BenchRow>,
    /// The number of runs in all.
    pub n_runs: usize,
}

/// Lists the runs that are not right and that rules sorted into a class of failures, in the order of
/// the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListFailures {}

/// The runs that are not right.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ListedFailures {
    /// A line for each; not more than [`MAX_FAILURES`].
    pub rows: Vec<FailureRow>,
    /// How many there are.
    pub n: usize,
    /// The classes that they can be sorted into: ids with titles.
    pub classes: Vec<(String, String)>,
    /// Every reader who has sorted some, with the class of each by the run's key.
    pub readers: Vec<(String, Vec<(Key, String)>)>,
}

/// The most runs that are listed to be sorted.
pub const MAX_FAILURES: usize = 2_000;

/// A run that is not right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailureRow {
    /// Setup, case and sample of the run.
    pub key: Key,
    /// Which setup, as a place in the report.
    pub setup: usize,
    /// What was asked.
    pub question: String,
    /// What would have been right.
    pub gold: String,
    /// What was answered; empty where nothing was.
    pub answer: String,
    /// Why it is not right, in words.
    pub why: String,
    /// The id of its class by the rules.
    pub class: String,
}

/// Takes in what a reader says of a run; its line for the page to keep comes back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LabelRun {
    /// What the reader says.
    pub label: ReaderLabel,
}

/// Opens one run with its case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenRun {
    /// Setup, case and sample of the run.
    pub key: Key,
}

/// One run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenedRun {
    /// The run.
    #[serde(with = "crate::exact")]
    pub record: Box<Record>,
    /// Its problem, where it is one of NLGraph's.
    #[serde(with = "crate::exact")]
    pub problem: Option<Box<ProblemView>>,
}

/// Compares two setups by their hashes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompareSetups {
    /// The hash of the setup on the left.
    pub left: String,
    /// The hash of the setup on the right.
    pub right: String,
}

/// Two setups beside each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComparedSetups {
    /// Group by group.
    pub table: Table,
    /// Where they differ.
    pub differing: Vec<Differing>,
}

/// Computes every result and every verdict again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckRuns {}

/// The runs after the check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckedRuns {
    /// Runs that were checked.
    pub n_runs: usize,
    /// Calls whose results were computed again.
    pub n_calls: usize,
    /// What differs.
    pub drifts: Vec<Drift>,
}

/// Writes a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WriteBench {
    /// The form in which it is written.
    pub form: BenchForm,
    /// What the page says of itself.
    #[serde(default)]
    pub about: About,
    /// The hash of the setup, for a form of which each file holds one.
    #[serde(default)]
    pub setup: Option<String>,
    /// Seconds since 1970, for a form that names the moment.
    #[serde(default)]
    pub date_s: f64,
    /// How runs are added up.
    #[serde(with = "crate::exact")]
    pub options: Box<ReportOptions>,
}

services! {
    ListExperiments, "bench/experiments" => Vec<ExperimentView>,
    ClearRuns, "bench/clear" => KeptRuns,
    AddRuns, "bench/add" => KeptRuns,
    UnpackRuns, "bench/unpack" => KeptRuns,
    EstimateBench, "bench/estimate" => BenchEstimate,
    StartBench, "bench/start" => EndedBench; BenchLines,
    ReportRuns, "bench/report" => BenchReport,
    ListRuns, "bench/runs" => ListedRuns,
    ListFailures, "bench/failures" => ListedFailures,
    LabelRun, "bench/label" => String,
    OpenRun, "bench/open" => OpenedRun,
    CompareSetups, "bench/compare" => ComparedSetups,
    CheckRuns, "bench/check" => CheckedRuns,
    WriteBench, "bench/write" => TextFile,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_spec_of_an_earlier_version_keeps_its_options() {
        let text = r#"{"wording":"benchmark","style":"cot","attach":true,"n":3}"#;
        let spec: BenchSpec = serde_json::from_str(text).unwrap();
        let spec = spec.brought_up_to_date();
        assert_eq!(spec.options, json!({ "wording": "benchmark", "style": "cot", "attach": true }));
        let written = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<BenchSpec>(&written).unwrap(), spec);
    }
}
