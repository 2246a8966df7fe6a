//! Benchmarks: runs made, kept as lines of a runs file, added up, checked again.
//!
//! What is asked and replied travels as JSON text inside its message, as for [`rescue`](crate::rescue).
//! The worker holds the lines of one benchmark; the page keeps them in the browser's storage, and
//! hands them back after a reload.

mod making;
mod store;

use eval::compare::Differing;
use eval::prices::Prices;
use eval::report::{Options, Report};
use eval::tables::Table;
use eval::{Budget, Drift, Estimate, Key, Spent};
use llm::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use systems::experiment::{ALL, EXPERIMENTS, Experiment, Role, Source};
use systems::nlgraph;
use tasks::{Style, Verdict, Wording};
use trace::Record;

use crate::jobs::Context;
use crate::message::{ModelChoice, ProblemView};
use crate::{Event, Output, Request};

pub(crate) use store::{Kept, Store};

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
    /// NLGraph: in which words.
    pub wording: Wording,
    /// NLGraph: in which prompting style.
    pub style: Style,
    /// NLGraph: hands the graph over beside the question.
    pub attach: bool,
    /// NLGraph: sends only so many tools beside those that build a graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_tools: Option<usize>,
    /// The sampling temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Runs at once.
    pub concurrency: usize,
    /// When it stops by itself.
    pub budget: Budget,
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
            wording: Wording::Improved,
            style: Style::ZeroShot,
            attach: false,
            n_tools: None,
            temperature: None,
            concurrency: 4,
            budget: Budget::default(),
        }
    }
}

impl BenchSpec {
    /// Where its cases come from.
    pub fn source(&self) -> Source {
        Source {
            files: self.files.clone(),
            n: self.files.is_empty().then_some(self.n),
            seed: self.seed,
            groups: self.groups.clone(),
            levels: self.levels.clone(),
            world: self.world.clone(),
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
}

/// A system as a form shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SystemView {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What it does.
    pub lede: String,
    /// Its usual options.
    pub options: Value,
}

/// A role as a form shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoleView {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What it does.
    pub lede: String,
    /// The scripts that can play it, by name, with what they are called.
    pub scripts: Vec<(String, String)>,
}

/// The experiments as a form shows them.
fn catalog() -> Vec<ExperimentView> {
    let role = |experiment: &dyn Experiment, role: &Role| RoleView {
        id: role.id.into(),
        title: role.title.into(),
        lede: role.lede.into(),
        scripts: experiment.scripts(role.id).into_iter().map(|s| (s.name, s.label)).collect(),
    };
    let view = |experiment: &&'static dyn Experiment| {
        let mut roles: Vec<RoleView> = Vec::new();
        for of_system in experiment.systems().iter().flat_map(|s| s.roles) {
            if roles.iter().all(|r| r.id != of_system.id) {
                roles.push(role(*experiment, of_system));
            }
        }
        let systems = experiment.systems().iter().map(|s| SystemView {
            id: s.id.into(),
            title: s.title.into(),
            lede: s.lede.into(),
            options: experiment.options(s.id),
        });
        ExperimentView {
            id: experiment.id().into(),
            title: experiment.title().into(),
            lede: experiment.lede().into(),
            systems: systems.collect(),
            all_groups: {
                let groups = experiment.groups().into_iter();
                groups.filter(|g| experiment.suite(g) == experiment.id()).collect()
            },
            groups: experiment.groups(),
            levels: experiment.levels(),
            world: experiment.usual_world().into(),
            roles,
        }
    };
    EXPERIMENTS.iter().map(view).collect()
}

/// What is asked about a benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BenchAsk {
    /// Tells which experiments there are.
    Catalog,
    /// Forgets the lines that are there.
    Clear,
    /// Takes in more lines of a runs file; the last may be cut off.
    Take {
        /// The lines.
        text: String,
    },
    /// Takes in a runs file in gzip in base64.
    Unpack {
        /// The file.
        packed: String,
    },
    /// What a start would take.
    Estimate {
        /// What is to be done.
        spec: Box<BenchSpec>,
        /// What models cost.
        prices: Prices,
    },
    /// Makes the runs that are missing; [`Event::BenchLines`] tells of each.
    Start {
        /// What is to be done.
        spec: Box<BenchSpec>,
        /// What models cost.
        prices: Prices,
    },
    /// Adds up.
    Report {
        /// How.
        options: Box<Options>,
    },
    /// Every run on a line.
    Rows,
    /// One run with its case.
    Open {
        /// Which.
        key: Key,
    },
    /// Compares two setups by their hashes.
    Compare {
        /// The one.
        left: String,
        /// The other.
        right: String,
    },
    /// Computes every result and every verdict again.
    Check,
    /// Writes a file.
    Write {
        /// Which.
        form: BenchForm,
        /// The title, where it has one.
        title: String,
        /// How runs are added up.
        options: Box<Options>,
    },
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
}

impl BenchForm {
    /// Every form, with what a file's name ends with and what it is for.
    pub const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Runs, "jsonl", "Runs (JSON lines), to go on or to put together"),
        (Self::Html, "html", "A page that opens offline"),
        (Self::Csv, "csv", "Values, one run a line (CSV)"),
        (Self::Json, "json", "The report (JSON)"),
    ];
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
    /// Which run.
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

/// What comes of a [`BenchAsk`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BenchReply {
    /// The experiments.
    Catalog {
        /// In the order of their list.
        experiments: Vec<ExperimentView>,
    },
    /// What is there now.
    Taken {
        /// Finished runs.
        n_runs: usize,
        /// Cases.
        n_cases: usize,
        /// Runs that failed.
        n_failed: usize,
        /// Bytes of a last line that was cut off.
        n_torn: usize,
    },
    /// What a start would take.
    Estimate {
        /// The sums.
        estimate: Estimate,
        /// Runs that are finished.
        n_finished: usize,
        /// Cases.
        n_cases: usize,
        /// The models' names with their systems.
        n_setups: usize,
    },
    /// No run goes on any more.
    Ended {
        /// How far it is.
        progress: BenchProgress,
        /// Why it ended early, if it did.
        reason: Option<String>,
    },
    /// Added up.
    Report {
        /// The sums; without the dots, which are in the plots.
        report: Box<Report>,
        /// The names of the setups.
        labels: Vec<String>,
        /// As tables.
        tables: Vec<Table>,
        /// As plots.
        plots: Vec<draw::plot::Plot>,
    },
    /// Every run.
    Rows {
        /// In the order of the file.
        rows: Vec<BenchRow>,
    },
    /// One run.
    Opened {
        /// The run.
        record: Box<Record>,
        /// Its problem, where it is one of NLGraph's.
        problem: Option<Box<ProblemView>>,
    },
    /// Two setups.
    Compared {
        /// Group by group.
        table: Table,
        /// Where they differ.
        differing: Vec<Differing>,
    },
    /// Everything computed again.
    Checked {
        /// Runs that were checked.
        n_runs: usize,
        /// Calls whose results were computed again.
        n_calls: usize,
        /// What differs.
        drifts: Vec<Drift>,
    },
    /// A file.
    Text {
        /// Its text.
        text: String,
        /// What its name ends with.
        extension: String,
    },
}

impl BenchAsk {
    /// As a message.
    ///
    /// # Errors
    /// A number that JSON does not have.
    pub fn request(&self) -> Result<Request, String> {
        Ok(Request::Bench { ask: serde_json::to_string(self).map_err(unread)? })
    }
}

impl BenchReply {
    /// Reads the text of an [`Output::Bench`].
    ///
    /// # Errors
    /// The text is none of ours.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(unread)
    }
}

fn unread(error: serde_json::Error) -> String {
    format!("a fault of ours: what is said of a benchmark does not fit ({error})")
}

/// Answers what is asked.
pub(crate) fn perform<'a>(
    context: &'a Context,
    kept: &'a Kept,
    ask: String,
) -> BoxFuture<'a, Result<Output, String>> {
    Box::pin(async move { answer(context, kept, &ask).await })
}

async fn answer(context: &Context, kept: &Kept, ask: &str) -> Result<Output, String> {
    let ask: BenchAsk = serde_json::from_str(ask).map_err(unread)?;
    let reply = match ask {
        BenchAsk::Catalog => BenchReply::Catalog { experiments: catalog() },
        BenchAsk::Clear => {
            *kept.borrow_mut() = Store::default();
            taken(&kept.borrow())
        }
        BenchAsk::Take { text } => {
            take(context, kept, &text).await?;
            taken(&kept.borrow())
        }
        BenchAsk::Unpack { packed } => {
            let text = store::unpack(&packed)?;
            *kept.borrow_mut() = Store::default();
            take(context, kept, &text).await?;
            taken(&kept.borrow())
        }
        BenchAsk::Estimate { spec, prices } => making::estimate(kept, &spec, &prices).await?,
        BenchAsk::Start { spec, prices } => making::start(context, kept, &spec, &prices).await?,
        BenchAsk::Report { options } => report(&kept.borrow(), *options),
        BenchAsk::Rows => BenchReply::Rows { rows: kept.borrow().rows() },
        BenchAsk::Open { key } => kept.borrow().open(&key)?,
        BenchAsk::Compare { left, right } => kept.borrow().compare(&left, &right)?,
        BenchAsk::Check => match check(context, kept).await? {
            Some(reply) => reply,
            None => return Ok(Output::Cancelled),
        },
        BenchAsk::Write { form, title, options } => kept.borrow().write(form, &title, *options)?,
    };
    let reply = serde_json::to_string(&reply).map_err(unread)?;
    Ok(Output::Bench { reply })
}

fn taken(store: &Store) -> BenchReply {
    BenchReply::Taken {
        n_runs: store.runs.runs.len(),
        n_cases: store.runs.cases.len(),
        n_failed: store.runs.failures.len(),
        n_torn: store.runs.n_torn,
    }
}

/// The longest that is computed without letting other messages in.
const SLICE_MS: f64 = 12.0;

async fn take(context: &Context, kept: &Kept, text: &str) -> Result<(), String> {
    let mut began = context.host.now_ms();
    for line in text.split_inclusive('\n') {
        kept.borrow_mut().take(line)?;
        if context.host.now_ms() - began > SLICE_MS {
            context.post(Event::Progress { done: kept.borrow().runs.runs.len(), total: 0 });
            context.host.pause().await;
            if context.cancel.is_cancelled() {
                return Err("stopped: what was read until then is there".into());
            }
            began = context.host.now_ms();
        }
    }
    Ok(())
}

fn report(store: &Store, options: Options) -> BenchReply {
    let mut report = Report::of(&store.runs, options);
    let tables = report.tables(&store.runs);
    let (labels, plots) = (report.labels(), report.plots());
    report.dots.clear();
    BenchReply::Report { report: Box::new(report), labels, tables, plots }
}

/// Checks every run, a slice at a time; `None` if it was stopped.
async fn check(context: &Context, kept: &Kept) -> Result<Option<BenchReply>, String> {
    let total = kept.borrow().runs.runs.len();
    let (mut drifts, mut n_calls) = (Vec::new(), 0);
    let mut began = context.host.now_ms();
    for i in 0..total {
        let (n, drift) = kept.borrow().check(i)?;
        n_calls += n;
        drifts.extend(drift);
        if context.host.now_ms() - began > SLICE_MS {
            context.post(Event::Progress { done: i + 1, total });
            context.host.pause().await;
            if context.cancel.is_cancelled() {
                return Ok(None);
            }
            began = context.host.now_ms();
        }
    }
    Ok(Some(BenchReply::Checked { n_runs: total, n_calls, drifts }))
}
