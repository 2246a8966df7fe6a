//! Questions in anybody's words: the model builds the graph itself.

use agent::Limits;
use graph::Delta;
use llm::Role;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use systems::free::FreeCheck;
use trace::Trace;

use crate::Service;
use crate::exact::Exact;
use crate::run_end::{RunEnd, title_of};
use crate::runs::ModelChoice;
use crate::service::services;
use systems::grounded::{Composing, Surface};

/// Asks a question, or goes on with a conversation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskFreely {
    /// What the person says.
    pub says: String,
    /// The conversation so far; the question begins one, if none.
    #[serde(with = "crate::exact")]
    pub resume: Option<Box<Trace>>,
    /// The model.
    #[serde(with = "crate::exact")]
    pub model: ModelChoice,
    /// How far it may go with this question.
    pub limits: Limits,
    /// What the model sees of the tools.
    #[serde(with = "crate::exact")]
    pub surface: Surface,
    /// The composed functions of the conversation.
    #[serde(with = "crate::exact")]
    pub composing: Composing,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnsweredFreely {
    /// The whole conversation.
    #[serde(with = "crate::exact")]
    pub trace: Box<Trace>,
    /// The last answer, held against the graph that the model built.
    #[serde(with = "crate::exact")]
    pub check: Box<FreeCheck>,
}

/// Holds the last answer of a conversation against its graph as a person corrected it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckFreely {
    /// The conversation.
    #[serde(with = "crate::exact")]
    pub trace: Box<Trace>,
    /// What the person changed, in order.
    #[serde(with = "crate::exact")]
    pub corrections: Vec<Delta>,
}

impl Service for AskFreely {
    const NAME: &'static str = "free/ask";
    type Event = ();
    type Reply = AnsweredFreely;

    fn run_end(AnsweredFreely { trace, .. }: &AnsweredFreely) -> Option<RunEnd<'_>> {
        let asked = trace.prompt.iter().find(|m| m.role == Role::User);
        Some(RunEnd {
            title: asked.map_or_else(String::new, |m| title_of(&m.content)),
            system: &trace.system,
            task: "question",
            trace,
            outcome: Value::Null,
            score: None,
        })
    }
}

services! {
    CheckFreely, "free/check" => Exact<FreeCheck>,
}
