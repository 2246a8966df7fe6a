//! Functions of molecules.

use super::{Function, FunctionParameter, HubTask};
use crate::toolformer::hubs::DatasetKind;

pub(super) static TASK: HubTask = HubTask {
    id: "graph_classification",
    title: "Functions of molecules",
    lede: "What a molecule does.",
    kinds: &[DatasetKind::Molecules],
    is_for_any_network: false,
    model: "seg_bert",
    functions: &[Function {
        name: "molecule_function",
        spellings: &["protein_function"],
        takes: &[FunctionParameter::some(&["instance"])],
        gives: "the class of a molecule",
    }],
};
