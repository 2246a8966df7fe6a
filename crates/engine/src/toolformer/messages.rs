//! What the page asks about calls in text, and what it is told.

use agent::Limits;
use draw::Places;
use serde::{Deserialize, Serialize};
use systems::toolformer::data::Profile;
use systems::toolformer::hubs::Kind;
use systems::toolformer::{Bracket, CallError, Mode, Place, Shown};
use trace::Trace;

use crate::Request;
use crate::message::ModelChoice;

/// The name under which the bytes of a model's weights are attached.
pub const WEIGHTS: &str = "weights";

/// What is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolformerAsk {
    /// What is at hand.
    Hub,
    /// Statements to try, from the data that are at hand.
    Gallery {
        /// Another seed, other statements.
        seed: u64,
    },
    /// Takes the data in the files that are attached.
    TakeData {
        /// Which of the page's own it is, if it is one.
        own: Option<String>,
    },
    /// Takes a model from the bytes that are attached as [`WEIGHTS`].
    TakeModel,
    /// Reads a statement without running its calls.
    Read {
        /// The statement.
        text: String,
    },
    /// Has a statement written, unless a person wrote it, and runs its calls.
    Run(Box<ToolformerRun>),
    /// Empties the working memory.
    Forget,
}

/// Who writes the statement.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// It is written already.
    Person,
    /// A model, from a question or from a statement with `[TBR]`.
    Model(ModelChoice),
}

/// A statement to be run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToolformerRun {
    /// A question, a statement with `[TBR]`, or the statement itself.
    pub input: String,
    /// Who writes the statement.
    pub writer: Writer,
    /// By whose rules it is run.
    pub mode: Mode,
    /// How far a model may go.
    pub limits: Limits,
}

/// What came of a [`ToolformerAsk`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolformerReply {
    /// What is at hand.
    Hub {
        /// It.
        hub: HubView,
        /// What the working memory holds, the oldest first.
        memory: Vec<Shown>,
    },
    /// Statements to try.
    Gallery {
        /// Task by task.
        families: Vec<TaskFamily>,
    },
    /// Data or a model were taken.
    Taken {
        /// What it is, for people.
        words: String,
        /// What is at hand now.
        hub: HubView,
    },
    /// A statement was read; its calls have not run.
    Read {
        /// Its words and its calls, in order.
        pieces: Vec<PieceView>,
    },
    /// A statement was run.
    Ran {
        /// What came of it.
        run: Box<RunView>,
    },
}

/// What is at hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HubView {
    /// The data sets.
    pub datasets: Vec<DataView>,
    /// The models.
    pub models: Vec<ModelView>,
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
    pub kind: Kind,
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
    pub examples: Vec<Example>,
}

/// A statement to try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Example {
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
}

/// What came of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunView {
    /// What was written and what each call did.
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
    /// Words.
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
    pub place: Place,
    /// What would stand there; empty if nothing.
    pub result: String,
    /// Why it gave nothing.
    pub error: Option<CallError>,
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
    /// What was found again in the working memory.
    pub hits: Vec<String>,
}

pub(super) fn unread(error: serde_json::Error) -> String {
    format!("a fault of ours: a message about calls in text cannot be read ({error})")
}

impl ToolformerAsk {
    /// The request that asks this.
    ///
    /// # Errors
    /// A number that JSON does not have.
    pub fn request(&self) -> Result<Request, String> {
        let ask = serde_json::to_string(self).map_err(unread)?;
        Ok(Request::Toolformer { ask, files: Vec::new() })
    }
}

impl ToolformerReply {
    /// Reads the text of an [`Output::Toolformer`](crate::Output::Toolformer).
    ///
    /// # Errors
    /// The text is none of ours.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(unread)
    }
}
