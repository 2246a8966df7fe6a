//! Missing facts.

use super::{Function, Parameter, Task};
use crate::toolformer::hubs::Kind;

pub(super) static TASK: Task = Task {
    id: "searching",
    title: "Missing facts",
    lede: "The part of a fact that is not told.",
    kinds: &[Kind::Knowledge],
    is_for_any_network: false,
    model: "transe",
    functions: &[
        Function {
            name: "relation",
            spellings: &[],
            takes: &[Parameter::one(&["entity"]), Parameter::one(&["entity"])],
            gives: "the relation between two entities",
        },
        Function {
            name: "head_entity",
            spellings: &[],
            takes: &[Parameter::one(&["relation"]), Parameter::one(&["entity"])],
            gives: "the entity from which a relation leads to another",
        },
        Function {
            name: "tail_entity",
            spellings: &[],
            takes: &[Parameter::one(&["entity"]), Parameter::one(&["relation"])],
            gives: "the entity to which a relation leads",
        },
    ],
};
