//! GPT-J 6B, 8 bit.

use super::LanguageModel;

pub(super) static LANGUAGE_MODEL: LanguageModel = LanguageModel {
    id: "gpt_j",
    title: "GPT-J 6B, 8 bit",
    lede: "The paper's own model, of six billion parameters.",
    source: "published checkpoints are for Python; an endpoint that serves one can be asked",
};
