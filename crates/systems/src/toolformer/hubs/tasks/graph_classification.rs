//! Functions of molecules.

use super::{Function, Parameter, Task};
use crate::toolformer::hubs::Kind;

pub(super) static TASK: Task = Task {
    id: "graph_classification",
    title: "Functions of molecules",
    lede: "What a molecule does.",
    kinds: &[Kind::Molecules],
    is_for_any_network: false,
    model: "seg_bert",
    functions: &[Function {
        name: "molecule_function",
        spellings: &["protein_function"],
        takes: &[Parameter::some(&["instance"])],
        gives: "the class of a molecule",
    }],
};
