//! Communities.

use super::{Function, FunctionParameter, HubTask};
use crate::toolformer::hubs::DatasetKind;

pub(super) static TASK: HubTask = HubTask {
    id: "clustering",
    title: "Communities",
    lede: "Groups of people who have friends in common.",
    kinds: &[DatasetKind::Social],
    is_for_any_network: false,
    model: "kmeans",
    functions: &[
        Function {
            name: "community",
            spellings: &[],
            takes: &[FunctionParameter::optional(&["user"])],
            gives: "the community of a user, or of all",
        },
        Function {
            name: "common_community_check",
            spellings: &[],
            takes: &[FunctionParameter::one(&["user"]), FunctionParameter::one(&["user"])],
            gives: "whether two users are of the same community",
        },
        Function {
            name: "community_count",
            spellings: &[],
            takes: &[],
            gives: "the number of communities",
        },
        Function {
            name: "community_avg_size",
            spellings: &["avg_community_size"],
            takes: &[],
            gives: "their mean size",
        },
        Function {
            name: "community_max_size",
            spellings: &["max_community_size"],
            takes: &[],
            gives: "the size of the largest",
        },
        Function {
            name: "community_size",
            spellings: &[],
            takes: &[FunctionParameter::one(&["user"])],
            gives: "the size of a user's community",
        },
    ],
};
