//! What can be chosen.

use serde::{Deserialize, Serialize};

use super::KgotLanguage;

/// How a prompt marks its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptForm {
    /// `<task>…</task>`, as in the public code.
    #[default]
    Xml,
    /// `## Task`.
    Markdown,
}

/// The options of a run. The numbers are those of the public code for GAIA where it has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KgotOptions {
    /// In which language the graph is written and read.
    pub language: KgotLanguage,
    /// Rounds that may enhance the graph before an answer is forced.
    pub max_rounds: u32,
    /// Votes in each round.
    pub votes: u32,
    /// The temperature of votes where there are several: at 0 they are nearly copies of each other.
    pub vote_temperature: f64,
    /// Corrections of one failing query, before it is dropped.
    pub max_fixes: u32,
    /// New queries for one that read nothing.
    pub max_rereads: u32,
    /// Further questions for a reply that cannot be read, or a model that failed.
    pub max_replies: u32,
    /// Answers that are made of each result; the public code makes 3.
    pub answers: u32,
    /// Whether to ask if a calculation is needed.
    pub maths: bool,
    /// How prompts mark their parts.
    pub prompts: PromptForm,
    /// The letters of the graph that a prompt may have.
    pub max_graph: u32,
}

impl Default for KgotOptions {
    fn default() -> Self {
        Self {
            language: KgotLanguage::Cypher,
            max_rounds: 7,
            votes: 5,
            vote_temperature: 0.6,
            max_fixes: 3,
            max_rereads: 3,
            max_replies: 3,
            answers: 1,
            maths: true,
            prompts: PromptForm::Xml,
            max_graph: 40_000,
        }
    }
}
