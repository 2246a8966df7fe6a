//! Recommendation.

use super::{Function, FunctionParameter, HubTask};
use crate::toolformer::hubs::DatasetKind;

pub(super) static TASK: HubTask = HubTask {
    id: "ranking",
    title: "Recommendation",
    lede: "What somebody may like next.",
    kinds: &[DatasetKind::Recommender],
    is_for_any_network: false,
    model: "bpr",
    functions: &[
        Function {
            name: "recommendation",
            spellings: &[],
            takes: &[
                FunctionParameter::one(&["user"]),
                FunctionParameter::one(&["item", "artist", "movie"]),
            ],
            gives: "how likely a user will like an item",
        },
        Function {
            name: "topk_recommendation",
            spellings: &[],
            takes: &[FunctionParameter::one(&["user"]), FunctionParameter::number()],
            gives: "the items that a user will like most",
        },
    ],
};
