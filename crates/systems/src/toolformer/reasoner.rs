//! How a model plugs in.

use graph::functions::Touched;
use serde::{Deserialize, Serialize};

use super::error::CallError;
use super::hubs::Function;
use super::load::Loaded;

/// What answers the functions of one domain, such as `graph_bert`.
///
/// A reasoner is given what was loaded and says what it found; it never loads anything itself, and
/// the same question gives the same answer, because answers are remembered.
pub trait Reasoner {
    /// Answers one question.
    ///
    /// # Errors
    /// What is asked about is not in the data, or the model cannot tell; never a made-up answer.
    fn reason(&self, ask: &ReasonerRequest<'_>) -> Result<Reasoned, CallError>;
}

/// A question to a [`Reasoner`]. Its function is one of the domain's task, and its arguments are as
/// many, and of the kinds, as that function takes.
pub struct ReasonerRequest<'a> {
    /// The data that was loaded.
    pub data: &'a Loaded,
    /// The function of the task that is called.
    pub function: &'static Function,
    /// About what; sets are unfolded.
    pub arguments: &'a [Argument],
}

/// An argument: `paper#83826`, or 10.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// What it is said to be; numbers and bare words have no kind.
    pub kind: Option<String>,
    /// The id of the entity.
    pub id: String,
}

/// What a model answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reasoned {
    /// The result as it stands in the text.
    pub text: String,
    /// What it looked at, for a drawing.
    #[serde(default)]
    pub looked_at: Touched,
    /// Remarks for the reader.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was weighed, with how much speaks for it; what that means is the model's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<(String, f64)>,
    /// Whether what was weighed are nodes of the graph, by their names, and no classes or relations.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub weighs_nodes: bool,
}

impl Reasoned {
    /// A result that points to nothing.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}
