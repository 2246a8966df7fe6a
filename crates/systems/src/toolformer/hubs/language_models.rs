//! The hub of language models that write calls.

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
pub static LANGUAGE_MODELS: &[LanguageModel] = &[
    LanguageModel {
        id: "own",
        title: "Our own small model",
        lede: "It learned such statements, and runs on this machine.",
        source: "it comes with this program and with the page",
    },
    LanguageModel {
        id: "endpoint",
        title: "A model at an endpoint",
        lede: "Any chat model that is told the language in its prompt.",
        source: "any endpoint with chat completions",
    },
    LanguageModel {
        id: "gpt_j",
        title: "GPT-J 6B, 8 bit",
        lede: "The paper's own model, of six billion parameters.",
        source: "published checkpoints are for Python; an endpoint that serves one can be asked",
    },
];

/// Whether a name before the colon of a function is that of a language model: they write statements,
/// and no call asks one. Paper: Graph-ToolFormer §4.7.3.
pub fn is_one(domain: &str) -> bool {
    let domain = domain.trim().to_lowercase().replace('-', "_");
    domain == "llm" || LANGUAGE_MODELS.iter().any(|m| m.id == domain)
}
