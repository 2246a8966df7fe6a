//! Missing facts.

use super::{Function, FunctionParameter, HubTask};
use crate::toolformer::hubs::DatasetKind;

pub(super) static TASK: HubTask = HubTask {
    id: "searching",
    title: "Missing facts",
    lede: "Predicts the missing part of a triple.",
    kinds: &[DatasetKind::Knowledge],
    is_for_any_network: false,
    model: "transe",
    functions: &[
        Function {
            name: "relation",
            spellings: &[],
            takes: &[FunctionParameter::one(&["entity"]), FunctionParameter::one(&["entity"])],
            gives: "the relation between two entities",
        },
        Function {
            name: "head_entity",
            spellings: &[],
            takes: &[FunctionParameter::one(&["relation"]), FunctionParameter::one(&["entity"])],
            gives: "the entity from which a relation leads to another",
        },
        Function {
            name: "tail_entity",
            spellings: &[],
            takes: &[FunctionParameter::one(&["entity"]), FunctionParameter::one(&["relation"])],
            gives: "the entity to which a relation leads",
        },
    ],
};
