//! A model at an endpoint.

use super::LanguageModel;

pub(super) static LANGUAGE_MODEL: LanguageModel = LanguageModel {
    id: "endpoint",
    title: "A model at an endpoint",
    lede: "Any chat model that is told the language in its prompt.",
    source: "any endpoint with chat completions",
};
