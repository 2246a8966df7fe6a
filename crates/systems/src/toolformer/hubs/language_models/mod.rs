//! The hub of language models that write calls, one file each.

mod endpoint;
mod gpt_j;
mod own;

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

/// Every language model that can write statements, and the paper's own.
pub static LANGUAGE_MODELS: [&LanguageModel; 3] =
    [&own::LANGUAGE_MODEL, &endpoint::LANGUAGE_MODEL, &gpt_j::LANGUAGE_MODEL];

/// Whether a name before the colon of a function is that of a language model: they write statements,
/// and no call asks one. Paper: Graph-ToolFormer §4.7.3.
pub fn is_one(domain: &str) -> bool {
    let domain = domain.trim().to_lowercase().replace('-', "_");
    domain == "llm" || LANGUAGE_MODELS.iter().any(|m| m.id == domain)
}
