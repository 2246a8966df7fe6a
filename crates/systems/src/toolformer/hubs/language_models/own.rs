//! The model that this project trains itself.

use super::LanguageModel;

pub(super) static LANGUAGE_MODEL: LanguageModel = LanguageModel {
    id: "own",
    title: "Our own small model",
    lede: "It learned such statements, and runs on this machine.",
    source: "it comes with this program and with the page",
};
