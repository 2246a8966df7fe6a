//! Inline tool calls (Graph-ToolFormer): statements that are written and run, data and models.

use draw::Places;
use serde::{Deserialize, Serialize};
use systems::toolformer::data::Profile;
use systems::toolformer::experiment::{Outcome, StatementByHand};
use systems::toolformer::hubs::DatasetKind;
use systems::toolformer::{Bracket, Replacement, Shown};
use trace::Trace;

use crate::runs::RunKind;
use crate::service::services;

/// The name under which the bytes of a model's weights are attached.
pub const WEIGHTS: &str = "weights";

/// Tells what is at hand.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShowHub {}

/// Empties the working memory, and tells what is at hand.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClearMemory {}

/// What is at hand, and what the working memory holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HubState {
    /// Data and models.
    pub hub: HubView,
    /// What the working memory holds, the oldest first.
    pub memory: Vec<Shown>,
}

/// Makes statements to try from the data that are at hand, task by task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MakeExamples {
    /// Another seed, other statements.
    pub seed: u64,
}

/// Shows what kinds of calls the paper's prompts teach, by prompts about the data that are at hand.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShowPrompts {}

/// Opens the data in the files that are attached.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenData {
    /// Which of the page's own it is, if it is one.
    pub own: Option<String>,
}

/// Opens a model from the bytes that are attached as [`WEIGHTS`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenModel {}

/// Data or a model are at hand now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenedData {
    /// What it is, for people.
    pub words: String,
    /// What is at hand now.
    pub hub: HubView,
}

/// Reads a statement without running its calls: its words and its calls, in order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadStatement {
    /// The statement.
    pub text: String,
}

/// Statements, as [`StartRun`](crate::runs::StartRun) runs them.
#[derive(Clone, Debug)]
pub struct StatementRun;

impl RunKind for StatementRun {
    const NAME: &'static str = "run/toolformer";
    const CASES: &'static str = "cases/toolformer";
    type ByHand = StatementByHand;
    /// The statement as it is shown, without its trace; sent at the end.
    type Event = RunView;
    type Outcome = Outcome;
}

/// What is at hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HubView {
    /// The data sets.
    pub datasets: Vec<DataView>,
    /// The models.
    pub models: Vec<ModelView>,
    /// The language models that write statements: id, name, and a sentence with where they are had.
    pub writers: Vec<(String, String, String)>,
}

/// A data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataView {
    /// What calls name it by.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// One sentence for people.
    pub lede: String,
    /// What it is about.
    pub kind: DatasetKind,
    /// What exactly its data are.
    pub source: String,
    /// What is in it, if it is at hand.
    pub profile: Option<Profile>,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelView {
    /// What calls name it by.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// One sentence for people.
    pub lede: String,
    /// How to come by it.
    pub source: String,
    /// Whether it works on any data without training.
    pub is_ready: bool,
    /// The data sets of which weights are at hand.
    pub trained_on: Vec<String>,
    /// Its functions as calls name them: `graph_bert:topic`.
    pub functions: Vec<String>,
}

/// A kind of reasoning with statements to try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskFamily {
    /// Its id.
    pub task: String,
    /// Its name for people.
    pub title: String,
    /// One sentence for people.
    pub lede: String,
    /// Statements.
    pub examples: Vec<StatementExample>,
}

/// A statement to try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatementExample {
    /// The function that it calls.
    pub function: String,
    /// The data set that it loads.
    pub dataset: String,
    /// The question.
    pub question: String,
    /// The statement with its calls.
    pub statement: String,
    /// What is true, where the data tell.
    pub truth: Option<String>,
    /// What kind of call it teaches, where it is one of the prompts to learn from.
    #[serde(default)]
    pub teaches: Option<String>,
}

/// What came of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunView {
    /// What was written and what each call did.
    #[serde(with = "crate::exact")]
    pub trace: Trace,
    /// The statement with its results.
    pub text: String,
    /// The words and the calls of the statement, in order.
    pub pieces: Vec<PieceView>,
    /// What the working memory held after so many steps: the last one that is not later holds.
    pub memory: Vec<(usize, Vec<Shown>)>,
    /// Where the nodes of the drawing are, from so many steps on: each graph has its own places.
    pub places: Vec<(usize, Places)>,
}

/// A part of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceView {
    /// Words that are no call.
    Text(String),
    /// A bracket.
    Call(Box<CallView>),
}

/// A bracket and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallView {
    /// As it was written.
    pub source: String,
    /// What was read, where it could be.
    pub bracket: Option<Bracket>,
    /// What stands in its place.
    pub place: Replacement,
    /// What would stand there; empty if nothing.
    pub result: String,
    /// Why it gave nothing.
    pub error: Option<String>,
    /// Its calls in the order in which they ran.
    pub steps: Vec<StepView>,
    /// After how many steps of the trace it was done.
    pub done_at: usize,
}

/// A call of a bracket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    /// The call.
    pub call: String,
    /// Its result.
    pub result: Option<String>,
    /// Remarks.
    pub notes: Vec<String>,
    /// What a model weighed, the weightiest first.
    pub scores: Vec<(String, f64)>,
    /// Whether these are nodes of the graph, by their names.
    pub weighs_nodes: bool,
    /// What was found again in the working memory.
    pub hits: Vec<String>,
}

services! {
    ShowHub, "toolformer/hub" => HubState,
    ClearMemory, "toolformer/clear" => HubState,
    MakeExamples, "toolformer/examples" => Vec<TaskFamily>,
    ShowPrompts, "toolformer/prompts" => Vec<TaskFamily>,
    OpenData, "toolformer/data" => OpenedData,
    OpenModel, "toolformer/model" => OpenedData,
    ReadStatement, "toolformer/read" => Vec<PieceView>,
}
