//! The same model with the same question and no tools: what grounding is measured against.

use crate::experiment::{MODEL, SystemSpec};

/// The system.
pub(crate) const SYSTEM: SystemSpec = SystemSpec {
    id: "standalone",
    title: "Without tools",
    lede: "The model answers from the text alone.",
    roles: &[MODEL],
    has_tools: false,
    in_shape: false,
};

/// What it says before the question. Paper: Graph-Grounded LLMs §II-B, the stand-alone side of the
/// examples.
pub(crate) const PROMPT: &str = "Ask for clarification if a user request is ambiguous. First think \
    step by step and then you can find the solution.";
