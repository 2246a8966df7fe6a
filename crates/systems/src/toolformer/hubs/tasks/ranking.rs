//! Recommendation.

use super::{Function, Parameter, Task};
use crate::toolformer::hubs::Kind;

pub(super) static TASK: Task = Task {
    id: "ranking",
    title: "Recommendation",
    lede: "What somebody may like next.",
    kinds: &[Kind::Recommender],
    is_for_any_network: false,
    model: "bpr",
    functions: &[
        Function {
            name: "recommendation",
            spellings: &[],
            takes: &[Parameter::one(&["user"]), Parameter::one(&["item", "artist", "movie"])],
            gives: "how likely a user will like an item",
        },
        Function {
            name: "topk_recommendation",
            spellings: &[],
            takes: &[Parameter::one(&["user"]), Parameter::number()],
            gives: "the items that a user will like most",
        },
    ],
};
