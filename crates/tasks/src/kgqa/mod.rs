//! Questions about a typed knowledge graph.
//!
//! Paper: GraphRunner §4 with the benchmark GRBench. A [`KgQuestion`] has its answers as names of
//! nodes or numbers, and, where it is known, the plan that finds them.

mod corrupt;
mod families;
mod grbench;
mod hints;
mod judge;
mod metro;
mod programs;
mod read;
mod template;
mod tiny;
mod town;
mod typed;
mod wordnet;

use kg::plan::Plan;
use serde::{Deserialize, Serialize};

use crate::Difficulty;

pub use corrupt::{Corruption, wrong_meaning};
pub use families::{generate, known, questions_about, recognise};
pub use grbench::GrbenchDomain;
pub use hints::{HintChange, KnownHint, known_hints, searched_half};
pub use judge::{KgJudgement, answer_part, judge};
pub use metro::TEMPLATES;
pub use programs::program;
pub use read::{QuestionError, QuestionRow, is_of_questions, read_questions};
pub use template::QuestionTemplate;
pub use tiny::{ask_tiny, generate_tiny, is_tiny, tiny_semantics};
pub use town::{TOWN_TEMPLATES, generate_town, is_told, told_fact};
pub use typed::{generate_typed, is_typed, read_typed};
pub use wordnet::{plan_of, wordnet};

/// A question about a knowledge graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KgQuestion {
    /// A name that is unique in its file.
    pub id: String,
    /// The question in words.
    pub question: String,
    /// What is right: names of nodes, or a number; their order does not count.
    pub answers: Vec<String>,
    /// How hard it is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Difficulty>,
    /// How many hops lead to the answer; 0 where that is not known.
    #[serde(default)]
    pub hops: u32,
    /// Which family of questions it is of.
    #[serde(default)]
    pub template: String,
    /// A plan that finds the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
}
