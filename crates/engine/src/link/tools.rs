//! What models read of the library's functions is most of a short run. A link leaves it out where it is
//! what this version says; whoever opens the link puts in what theirs says.

use std::collections::BTreeMap;

use agent::ToolSet as _;
use llm::ToolSpec;
use serde_json::json;
use systems::grounded::GraphTools;
use trace::Trace;

/// The library's functions by their names.
fn own() -> BTreeMap<String, ToolSpec> {
    GraphTools::default().specs().into_iter().map(|spec| (spec.name.clone(), spec)).collect()
}

/// Keeps the names alone of the functions that are the library's own.
pub(super) fn leave_out(trace: &mut Trace) {
    let own = own();
    for spec in &mut trace.tools {
        if own.get(&spec.name) == Some(spec) {
            (spec.description, spec.parameters) = (String::new(), json!({}));
        }
    }
}

/// Puts in what the names of the library's functions stand for.
pub(super) fn put_back(trace: &mut Trace) {
    let own = own();
    for spec in &mut trace.tools {
        if spec.description.is_empty()
            && spec.parameters == json!({})
            && let Some(known) = own.get(&spec.name)
        {
            spec.clone_from(known);
        }
    }
}
