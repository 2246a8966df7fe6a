//! Problems: made, read, worded, solved, judged, and the functions that solve them.

use draw::{LayoutKind, Places};
use graph::composed::{Proposal, ProposalReport};
use graph::formats::TableColumns;
use graph::functions::{FunctionError, Touched};
use graph::{Delta, Graph};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::claims::Claim;
use tasks::{Difficulty, Judgement, Query, Style, TaskId, Wording};

use crate::exact::Exact;
use crate::service::services;

/// A problem as the page holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemView {
    /// The task.
    pub task: TaskId,
    /// How hard it is, where that is known.
    pub difficulty: Option<Difficulty>,
    /// The seed that made it, if our generator did.
    pub seed: Option<u64>,
    /// The graph.
    #[serde(with = "crate::compact::message")]
    pub graph: Graph,
    /// What is asked.
    pub query: Query,
    /// The question, as models read it.
    pub question: String,
    /// The layout that suits it.
    pub layout: LayoutKind,
    /// Where its nodes stand.
    pub places: Places,
}

/// Makes a problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GenerateProblem {
    /// The task.
    pub task: TaskId,
    /// How hard.
    pub difficulty: Difficulty,
    /// The seed.
    pub seed: u64,
    /// In which words.
    pub wording: Wording,
    /// In which prompting style; the question comes without the style's exemplars, which
    /// [`RewordProblem`] adds.
    pub style: Style,
}

/// Asks a task's question about a random graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SampleProblem {
    /// The task.
    pub task: TaskId,
    /// The generator with its numbers, such as `er,20,0.2`.
    pub generator: String,
    /// The seed.
    pub seed: u64,
    /// In which words.
    pub wording: Wording,
    /// In which prompting style.
    pub style: Style,
}

/// Reads who knows whom, and a question about them, as a problem in the benchmark's words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskAboutPeople {
    /// The text.
    pub text: String,
}

/// A text without its question, and the question: the last sentence that ends with a question mark.
pub fn facts_and_question(text: &str) -> (String, Option<String>) {
    let Some(end) = text.rfind('?') else { return (text.to_owned(), None) };
    let begin = text[..end].rfind(['.', '!', '?', '\n', ';']).map_or(0, |at| at + 1);
    let facts = format!("{}\n{}", &text[..begin], &text[end + 1..]);
    (facts, Some(text[begin..=end].trim().to_owned()))
}

/// The most edges of a graph that the page asks about.
pub const MOST_EDGES: usize = 400_000;

/// Reads a question, or a graph in any format that is known.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadProblem {
    /// The text.
    pub text: String,
    /// Which columns of a table are what, where a person said so.
    pub columns: Option<TableColumns>,
    /// Which graph of a file with several, from 1.
    pub graph_number: usize,
}

impl ReadProblem {
    /// Reads a text without any choice of a person; of several graphs the first.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), columns: None, graph_number: 1 }
    }
}

/// The first rows of a table, for a person to say which columns are what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableView {
    /// Why the columns are not known, for people; nothing where they are.
    pub message: Option<String>,
    /// The first row, which may be a heading.
    pub columns: Vec<String>,
    /// Some rows behind it.
    pub rows: Vec<Vec<String>>,
}

/// A graph without a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphView {
    /// The format it was in, for people.
    pub format: String,
    /// What of the text the graph does not show, and what could not be read, for people.
    pub notes: Vec<String>,
    /// The graph.
    #[serde(with = "crate::compact::message")]
    pub graph: Graph,
    /// The layout that suits it.
    pub layout: LayoutKind,
    /// Where its nodes stand.
    pub places: Places,
    /// How many graphs the text has.
    pub n_graphs: usize,
}

/// What a text turned out to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadReply {
    /// A question about a graph.
    Problem(Box<ProblemView>),
    /// A graph alone.
    Graph(Box<GraphView>),
    /// A table whose columns are not known.
    Table(Box<TableView>),
}

/// Words a problem whose graph was edited. Whoever asks has the rest, so the words alone come back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RewordProblem {
    /// The problem.
    #[serde(with = "crate::exact")]
    pub problem: Box<ProblemView>,
    /// In which words.
    pub wording: Wording,
    /// In which prompting style.
    pub style: Style,
}

/// Places a graph's nodes afresh.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaceNodes {
    /// The graph.
    #[serde(with = "crate::compact::text")]
    pub graph: Graph,
    /// The kind of layout.
    pub kind: LayoutKind,
    /// The seed.
    pub seed: u64,
}

/// Solves a problem and verifies the solution.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SolveProblem {
    /// The problem.
    #[serde(with = "crate::exact")]
    pub problem: Box<ProblemView>,
}

/// Judges a text as an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VerifyAnswer {
    /// The problem.
    #[serde(with = "crate::exact")]
    pub problem: Box<ProblemView>,
    /// The answer.
    pub text: String,
}

/// An answer with its verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JudgedAnswer {
    /// The answer in words.
    pub text: String,
    /// The verdict.
    #[serde(with = "crate::exact")]
    pub judgement: Judgement,
}

/// Finds what a text claims about a problem's graph, and whether it is true. The claims stand in the
/// order of the text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FindClaims {
    /// The problem.
    #[serde(with = "crate::exact")]
    pub problem: Box<ProblemView>,
    /// The text.
    pub text: String,
}

/// Calls one graph function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallFunction {
    /// The name of the function.
    pub function: String,
    /// The graph to call it on.
    #[serde(with = "crate::compact::text")]
    pub graph: Graph,
    /// The arguments.
    #[serde(with = "crate::exact")]
    pub arguments: Value,
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

/// Tells every graph function, in the catalogue's order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListFunctions {}

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
    #[serde(with = "crate::exact")]
    pub parameters: Value,
    /// Its description in each shape: name of the shape, JSON.
    #[serde(with = "crate::exact")]
    pub shapes: Vec<(String, Value)>,
    /// A graph to try it on.
    #[serde(with = "crate::compact::text")]
    pub example_graph: Graph,
    /// Where that graph's nodes stand.
    #[serde(with = "crate::exact")]
    pub example_places: Places,
    /// Arguments to try.
    #[serde(with = "crate::exact")]
    pub example_arguments: Value,
}

/// Checks a function that is composed of the library's: what a model or a person proposes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckProposal {
    /// The proposal as JSON.
    pub text: String,
    /// Names that it may not have: those of the composed functions that there are.
    pub taken: Vec<String>,
}

/// What came of a proposal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckedProposal {
    /// The proposal as it was read; absent where it is no proposal.
    #[serde(with = "crate::exact")]
    pub proposal: Option<Proposal>,
    /// What was found.
    #[serde(with = "crate::exact")]
    pub report: ProposalReport,
}

/// Parses, solves and verifies the files that are attached, and keeps them for [`OpenQuestion`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckFiles {}

/// Checks problems of its own for a while. A browser compiles a function quickly first, and well only
/// once it has run often: the first file after this is checked as fast as later ones.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WarmUp {
    /// Milliseconds; three seconds at most.
    pub ms: f64,
}

/// What was done to warm up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WarmedUp {
    /// Problems that were checked.
    pub n_questions: usize,
}

/// Makes a file of answers in GraphArena's form: three to a problem of each of its tasks, of which one is
/// the best, one leaves something out, and one names what is not there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SampleAnswers {
    /// The seed of the problems.
    pub seed: u64,
}

/// One file of a dataset after the check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileReport {
    /// Which, counted from 0.
    pub index: usize,
    /// The name of the file.
    pub name: String,
    /// The counts, or why it could not be read.
    pub report: Result<tasks::dataset::DatasetReport, String>,
}

/// All files after the check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckedFiles {
    /// Problems in all files.
    pub n_questions: usize,
    /// Milliseconds of parsing, solving and verifying, all files together.
    pub took_ms: f64,
    /// Threads that shared the work.
    pub n_threads: usize,
}

/// Makes a file of questions in the benchmark's form: three of each of its tasks, over its levels.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SampleQuestions {
    /// The seed of the first of each task.
    pub seed: u64,
}

/// Opens one problem of the files that were checked last.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenQuestion {
    /// Which file, counted from 0.
    pub file: usize,
    /// The problem's key in it.
    pub key: String,
}

services! {
    GenerateProblem, "problem/generate" => Exact<ProblemView>,
    SampleProblem, "problem/sample" => Exact<ProblemView>,
    AskAboutPeople, "problem/people" => Exact<ProblemView>,
    ReadProblem, "problem/read" => Exact<ReadReply>,
    RewordProblem, "problem/reword" => String,
    PlaceNodes, "problem/place" => Exact<Places>,
    SolveProblem, "problem/solve" => JudgedAnswer,
    VerifyAnswer, "problem/verify" => JudgedAnswer,
    FindClaims, "problem/claims" => Exact<Vec<Claim>>,
    CallFunction, "function/call" => Exact<Result<CallOutput, FunctionError>>,
    ListFunctions, "function/list" => Vec<FunctionView>,
    CheckProposal, "function/propose" => CheckedProposal,
    WarmUp, "dataset/warm" => WarmedUp,
    CheckFiles, "dataset/check" => CheckedFiles; FileReport,
    SampleQuestions, "dataset/sample" => String,
    SampleAnswers, "dataset/sample-answers" => String,
    OpenQuestion, "dataset/open" => Exact<ProblemView>,
}
