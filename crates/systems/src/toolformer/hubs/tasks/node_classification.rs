//! Topics of papers.

use super::{Function, Parameter, Task};
use crate::toolformer::hubs::Kind;

pub(super) static TASK: Task = Task {
    id: "node_classification",
    title: "Topics of papers",
    lede: "The field of a paper.",
    kinds: &[Kind::Bibliographic],
    is_for_any_network: false,
    model: "graph_bert",
    functions: &[Function {
        name: "topic",
        spellings: &[],
        takes: &[Parameter::some(&["paper"])],
        gives: "the field of a paper",
    }],
};
