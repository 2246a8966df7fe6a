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
use serde::{Deserialize, Serialize};
use tasks::{Difficulty, Group, Style, TaskId, Verdict, Wording};
use trace::Record;

use crate::jobs::Context;
use crate::message::{ModelChoice, ProblemView};
use crate::{Event, Output, Request};

pub(crate) use store::{Kept, Store};

/// What a benchmark is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BenchSpec {
    /// The ids of systems.
    pub systems: Vec<String>,
    /// The models; the addresses of endpoints stay here and go into no runs file.
    pub models: Vec<ModelChoice>,
    /// Tasks of generated problems.
    pub tasks: Vec<TaskId>,
    /// Levels of generated problems.
    pub levels: Vec<Difficulty>,
    /// Generated problems of each task and level.
    pub n: usize,
    /// The first seed.
    pub seed: u64,
    /// Names and texts of files of problems; with any, none is generated. Empty once the benchmark
    /// has lines, for then the problems are among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(String, String)>,
    /// How often each problem is put.
    pub n_samples: u32,
    /// In which words.
    pub wording: Wording,
    /// In which prompting style.
    pub style: Style,
    /// Hands the graph over beside the question.
    pub attach: bool,
    /// Sends only so many tools beside those that build a graph.
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
            systems: vec!["grounded".into(), "standalone".into()],
            models: vec![ModelChoice::Script { name: "mistaken".into() }],
            tasks: Group::NlGraph.tasks().collect(),
            levels: vec![Difficulty::Easy],
            n: 5,
            seed: 1,
            files: Vec::new(),
            n_samples: 1,
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

/// What is asked about a benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BenchAsk {
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
    /// One run with its problem.
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
    /// The task.
    pub task: TaskId,
    /// The level.
    pub difficulty: Option<Difficulty>,
    /// The verdict.
    pub verdict: Verdict,
    /// Nodes of the graph.
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
    /// What is there now.
    Taken {
        /// Finished runs.
        n_runs: usize,
        /// Problems.
        n_problems: usize,
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
        /// Problems.
        n_problems: usize,
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
        /// Its problem.
        problem: Box<ProblemView>,
    },
    /// Two setups.
    Compared {
        /// Task by task.
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
pub(crate) async fn answer(context: &Context, kept: &Kept, ask: &str) -> Result<Output, String> {
    let ask: BenchAsk = serde_json::from_str(ask).map_err(unread)?;
    let reply = match ask {
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
        n_problems: store.runs.problems.len(),
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
    let tables =
        vec![report.main_table(), report.cost_table(), report.error_table(), report.setup_table()];
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
