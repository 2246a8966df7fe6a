//! The hub of language models that write calls, one file each.

mod endpoint;
mod gpt_j;

/// A model that turns a question into a statement with calls.
pub struct LanguageModel {
    /// A stable id, which files have.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// How to come by it.
    pub source: &'static str,
}

/// Every language model of the paper.
pub static LANGUAGE_MODELS: [&LanguageModel; 2] =
    [&endpoint::LANGUAGE_MODEL, &gpt_j::LANGUAGE_MODEL];
