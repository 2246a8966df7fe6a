//! Topics of papers.

use super::{Function, FunctionParameter, HubTask};
use crate::toolformer::hubs::DatasetKind;

pub(super) static TASK: HubTask = HubTask {
    id: "node_classification",
    title: "Topics of papers",
    lede: "The field of a paper.",
    kinds: &[DatasetKind::Bibliographic],
    is_for_any_network: false,
    model: "graph_bert",
    functions: &[Function {
        name: "topic",
        spellings: &[],
        takes: &[FunctionParameter::some(&["paper"])],
        gives: "the field of a paper",
    }],
};
