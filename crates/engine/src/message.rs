//! What crosses the boundary between the page and a worker.
//!
//! Everything is JSON text: `serde_json::Value` and tagged enums do not survive the binary codecs
//! that workers usually speak.
//!
//! The three large enums have their variant's name around them and not inside: a tag among the
//! fields would have serde read everything twice over, by code that is twice as large.

use agent::Limits;
use draw::{LayoutKind, Places};
use graph::functions::{FunctionError, Touched};
use graph::{Delta, Graph};
use llm::{
    ChatResponse, Endpoint, HttpHead, HttpRequest, HttpResponse, Message, ModelError, Part,
    ToolSpec,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use systems::{Run, RunOptions};
use tasks::claims::Claim;
use tasks::{Difficulty, Judgement, Query, Style, TaskId, Wording};
use trace::diff::Diff;
use trace::replay::Replay;
use trace::{Record, Step, Trace};

pub use crate::bench::{
    BenchAsk, BenchForm, BenchProgress, BenchReply, BenchRow, BenchSpec, ExperimentView, RoleView,
    SystemView,
};
pub use crate::family::{FamilyAsk, FamilyReply, FamilyRun};
pub use crate::kg::{HitView, KgAsk, KgReply, KgSource, KgView};
pub use crate::likeness::Likeness;
pub use crate::link::Shared;
pub use crate::rescue::{RescueAsk, RescueReply};
pub use crate::sparql::SparqlReply;

/// A message about a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Envelope<T> {
    /// Which job; the page numbers them.
    pub job: u64,
    /// The message.
    pub body: T,
}

/// A problem as the page holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemView {
    /// The task.
    pub task: TaskId,
    /// How hard it is, where that is known.
    pub difficulty: Option<Difficulty>,
    /// The seed that made it, if ours did.
    pub seed: Option<u64>,
    /// The graph.
    #[serde(with = "crate::compact::message")]
    pub graph: Graph,
    /// What is asked.
    pub query: Query,
    /// The words.
    pub question: String,
    /// The layout that suits it.
    pub layout: LayoutKind,
    /// Where its nodes stand.
    pub places: Places,
}

/// Which model runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ModelChoice {
    /// A script in the worker itself.
    Script {
        /// Its name.
        name: String,
    },
    /// A person, in the model's place.
    Person,
    /// A model at an endpoint.
    Endpoint {
        /// Where.
        endpoint: Endpoint,
        /// Its name there.
        model: String,
    },
}

/// What the page asks of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Request {
    /// Makes a problem.
    Generate {
        /// The task.
        task: TaskId,
        /// How hard.
        difficulty: Difficulty,
        /// The seed.
        seed: u64,
        /// In which words.
        wording: Wording,
        /// In which prompting style.
        style: Style,
    },
    /// Reads a question, or a graph in any format that is known.
    Read {
        /// The text.
        text: String,
    },
    /// Words a problem whose graph was edited; gives [`Output::Question`].
    Reword {
        /// The problem.
        problem: Box<ProblemView>,
        /// In which words.
        wording: Wording,
        /// In which prompting style.
        style: Style,
    },
    /// Places a graph's nodes afresh.
    Layout {
        /// The graph.
        #[serde(with = "crate::compact::message")]
        graph: Graph,
        /// How.
        kind: LayoutKind,
        /// The seed.
        seed: u64,
    },
    /// Solves a problem and verifies the solution.
    Solve {
        /// The problem.
        problem: Box<ProblemView>,
    },
    /// Judges a text as an answer.
    Verify {
        /// The problem.
        problem: Box<ProblemView>,
        /// The answer.
        text: String,
    },
    /// Calls one graph function.
    Call {
        /// Its name.
        function: String,
        /// The graph to call it on.
        #[serde(with = "crate::compact::message")]
        graph: Graph,
        /// The arguments.
        arguments: Value,
    },
    /// Runs a system with a model.
    Run {
        /// The system's id.
        system: String,
        /// The problem.
        problem: Box<ProblemView>,
        /// The model.
        model: ModelChoice,
        /// How far it may go.
        limits: Limits,
        /// How it goes about it.
        #[serde(default)]
        options: Box<RunOptions>,
        /// So many runs, put together by the majority of their answers; 0 counts as 1.
        #[serde(default)]
        n_runs: u32,
    },
    /// What a person says in the model's place, after [`Event::Asked`].
    Said {
        /// The message.
        message: Message,
    },
    /// Reads a file of traces, in whichever format it is.
    ReadTraces {
        /// The file.
        text: String,
    },
    /// Writes traces in a format.
    WriteTraces {
        /// The traces.
        records: Vec<Record>,
        /// The format's id.
        format: String,
    },
    /// Computes every result of a trace again.
    Replay {
        /// The trace.
        trace: Box<Trace>,
    },
    /// Compares two traces.
    Diff {
        /// The one.
        left: Box<Trace>,
        /// The other.
        right: Box<Trace>,
    },
    /// Finds what a text claims about a problem's graph, and whether it is true.
    Claims {
        /// The problem.
        problem: Box<ProblemView>,
        /// The text.
        text: String,
    },
    /// Parses, solves and verifies whole files, and keeps them for [`Request::Question`].
    Dataset {
        /// Name and text of each. The page leaves this empty and attaches the files themselves,
        /// so that their text never passes through it.
        files: Vec<(String, String)>,
    },
    /// One problem of the files that were checked last.
    Question {
        /// Which file, counted from 0.
        file: usize,
        /// The problem's key in it.
        key: String,
    },
    /// The function catalogue.
    Catalog,
    /// Puts something into a permalink; gives [`Output::Text`].
    WriteLink {
        /// What is shared.
        shared: Box<Shared>,
    },
    /// Reads a permalink `v1.<kind>.<payload>`; gives what is in it.
    ReadLink {
        /// The link.
        link: String,
    },
    /// Asks a task's question about a random graph.
    Sample {
        /// The task.
        task: TaskId,
        /// The generator with its numbers, such as `er,20,0.2`.
        generator: String,
        /// The seed.
        seed: u64,
        /// In which words.
        wording: Wording,
        /// In which prompting style.
        style: Style,
    },
    /// Something about a disaster; see [`RescueAsk`].
    Rescue {
        /// A [`RescueAsk`] as JSON text.
        ask: String,
    },
    /// Something about a knowledge graph; see [`KgAsk`].
    Kg {
        /// A [`KgAsk`] as JSON text.
        ask: String,
        /// Name and text of files that it needs; attached as those of [`Request::Dataset`] are.
        #[serde(default)]
        files: Vec<(String, String)>,
    },
    /// Something about a family; see [`FamilyAsk`].
    Family {
        /// A [`FamilyAsk`] as JSON text.
        ask: String,
    },
    /// Something about calls in text; see [`ToolformerAsk`](crate::toolformer::ToolformerAsk).
    Toolformer {
        /// The question as JSON text.
        ask: String,
        /// Name and text of files that it needs; attached as those of [`Request::Dataset`] are.
        #[serde(default)]
        files: Vec<(String, String)>,
    },
    /// The answer to an [`Event::Fetch`] of this job.
    Fetched {
        /// Which fetch.
        fetch: u64,
        /// What came of it.
        result: Result<HttpResponse, ModelError>,
    },
    /// The head of a streamed answer to an [`Event::Fetch`] of this job.
    Head {
        /// Which fetch.
        fetch: u64,
        /// The head.
        head: HttpHead,
    },
    /// More of a streamed answer; [`Request::Fetched`] with an empty body ends it.
    Chunk {
        /// Which fetch.
        fetch: u64,
        /// The text, cut between letters.
        text: String,
    },
    /// The answer to an [`Event::Clean`] of this job.
    Cleaned {
        /// Which one.
        fetch: u64,
        /// The same without the key.
        outcome: Box<Result<ChatResponse, ModelError>>,
    },
    /// Something about a benchmark; see [`BenchAsk`].
    Bench {
        /// A [`BenchAsk`] as JSON text.
        ask: String,
    },
    /// Lets this job's runs come to their end, and begins no further one.
    Pause,
    /// Stops this job.
    Cancel,
}

/// What a worker tells the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// The worker takes requests now; of no job.
    Ready,
    /// A run took a step.
    Step {
        /// The step.
        step: Box<Step>,
    },
    /// The page is to let a person answer in the model's place, with [`Request::Said`].
    Asked {
        /// What may be called.
        tools: Vec<ToolSpec>,
    },
    /// How far a job is.
    Progress {
        /// So many things done.
        done: usize,
        /// Of so many, where that is known.
        total: usize,
    },
    /// The page is to send this and answer with [`Request::Fetched`]. Keys never enter a worker.
    Fetch {
        /// Which fetch.
        fetch: u64,
        /// Where; the page knows its key.
        endpoint: Endpoint,
        /// The bytes.
        request: HttpRequest,
        /// Whether the answer is wanted as it comes, as [`Request::Head`] and [`Request::Chunk`].
        #[serde(default)]
        stream: bool,
    },
    /// The page is to take the key of that endpoint out and answer with [`Request::Cleaned`]: it
    /// alone knows the key, and the worker alone has put the answer together.
    Clean {
        /// Which one; numbered with the fetches.
        fetch: u64,
        /// Where it came from.
        endpoint: Endpoint,
        /// What came of a question.
        outcome: Box<Result<ChatResponse, ModelError>>,
    },
    /// Nobody waits for this fetch any more; the page may hang up.
    Unfetch {
        /// Which fetch.
        fetch: u64,
    },
    /// Pieces of the answer that a run's model is giving.
    Parts {
        /// In their order.
        parts: Vec<Part>,
    },
    /// Lines of a runs file, for the page to keep, and how far the benchmark is.
    BenchLines {
        /// The lines, each with its end.
        text: String,
        /// How far it is.
        progress: Box<BenchProgress>,
    },
    /// One file of a dataset is checked.
    File {
        /// Which, counted from 0.
        index: usize,
        /// What became of it.
        report: Box<FileReport>,
    },
    /// The worker could not load its engine; of no job.
    Unloaded {
        /// What the browser says.
        message: String,
    },
    /// The worker died of a fault of ours; of no job.
    Panicked {
        /// Where and why.
        message: String,
    },
    /// The job is done.
    Done {
        /// What came of it.
        output: Box<Output>,
    },
    /// The job cannot be done; the message says why and what would be right.
    Failed {
        /// The message.
        message: String,
    },
}

/// What comes of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Output {
    /// A problem.
    Problem {
        /// The problem.
        problem: ProblemView,
    },
    /// A problem's words alone: whoever asked has the rest.
    Question {
        /// The words.
        question: String,
    },
    /// A graph without a question.
    Graph {
        /// The format it was in.
        format: String,
        /// The graph.
        #[serde(with = "crate::compact::message")]
        graph: Graph,
        /// The layout that suits it.
        layout: LayoutKind,
        /// Where its nodes stand.
        places: Places,
    },
    /// Places.
    Layout {
        /// Where the nodes stand.
        places: Places,
    },
    /// An answer with its verdict.
    Judged {
        /// The answer in words.
        text: String,
        /// The verdict.
        judgement: Judgement,
    },
    /// What a function gave.
    Called {
        /// The value, or what was wrong.
        result: Result<CallOutput, FunctionError>,
    },
    /// A finished run.
    Run {
        /// The run.
        run: Box<Run>,
        /// All runs of a vote, in their order; empty if there was one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        all: Vec<Run>,
    },
    /// What a file of traces holds.
    Traces {
        /// The format's name for people.
        format: String,
        /// The traces.
        records: Vec<Record>,
    },
    /// A file's text.
    Text {
        /// The text.
        text: String,
        /// What its name ends with.
        extension: String,
    },
    /// What a replay found.
    Replay {
        /// Step by step.
        replay: Replay,
    },
    /// Two traces beside each other.
    Diff {
        /// Row by row.
        diff: Diff,
    },
    /// What a text claims.
    Claims {
        /// In the order of the text.
        claims: Vec<Claim>,
    },
    /// Every file is checked.
    Dataset {
        /// Problems in all files.
        n_questions: usize,
        /// Milliseconds of parsing, solving and verifying, all files together.
        took_ms: f64,
        /// Threads that shared the work.
        n_threads: usize,
    },
    /// Every function.
    Catalog {
        /// In the catalogue's order.
        functions: Vec<FunctionView>,
    },
    /// What came of a [`Request::Rescue`].
    Rescue {
        /// A [`RescueReply`] as JSON text.
        reply: String,
    },
    /// What came of a [`Request::Kg`].
    Kg {
        /// A [`KgReply`] as JSON text.
        reply: String,
    },
    /// What came of a [`Request::Family`].
    Family {
        /// A [`FamilyReply`] as JSON text.
        reply: String,
    },
    /// What came of a [`Request::Toolformer`].
    Toolformer {
        /// A [`ToolformerReply`](crate::toolformer::ToolformerReply) as JSON text.
        reply: String,
    },
    /// What came of a [`Request::Bench`].
    Bench {
        /// A [`BenchReply`] as JSON text.
        reply: String,
    },
    /// The job was stopped.
    Cancelled,
}

/// What a function call gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallOutput {
    /// The result.
    pub value: Value,
    /// Remarks.
    pub notes: Vec<String>,
    /// Changes.
    pub deltas: Vec<Delta>,
    /// What it points to.
    pub touched: Touched,
}

/// One file of a dataset after the check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileReport {
    /// Its name.
    pub name: String,
    /// The counts, or why it could not be read.
    pub report: Result<tasks::dataset::DatasetReport, String>,
}

/// A function for the catalogue page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionView {
    /// The name that a model calls.
    pub name: String,
    /// A few words for people.
    pub title: String,
    /// Where it stands in the catalogue.
    pub group: String,
    /// What the model reads.
    pub description: String,
    /// Where in the paper it comes from; empty for what we added.
    pub paper: String,
    /// Worst-case time.
    pub complexity: String,
    /// Whether it changes the graph.
    pub writes: bool,
    /// Its errors: code, and when.
    pub raises: Vec<(String, String)>,
    /// The schema of its arguments.
    pub parameters: Value,
    /// Its description in each shape: name of the shape, JSON.
    pub shapes: Vec<(String, Value)>,
    /// A graph to try it on.
    pub example_graph: Graph,
    /// Where that graph's nodes stand.
    pub example_places: Places,
    /// Arguments to try.
    pub example_arguments: Value,
}
