//! The same model with the same question and no tools: what grounding is measured against.

use crate::System;

/// Paper: Graph-Grounded LLMs §II-B, the stand-alone side of the examples.
pub(crate) const SYSTEM: System = System {
    id: "standalone",
    title: "Without tools",
    lede: "The model answers from the text alone.",
    prompt: "Ask for clarification if a user request is ambiguous. First think step by step and \
             then you can find the solution.",
    has_tools: false,
};
