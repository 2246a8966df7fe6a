//! What is too much, and the errors that say so.

use serde_json::Value;

use super::{CallOutcome, FunctionError};
use crate::{Graph, GraphError, NodeName};

/// The longest list that a call may carry.
const MAX_ENTRIES: usize = 100_000;
/// The most values in all lists of a call together.
const MAX_VALUES: usize = 1_000_000;
/// Elementary steps that a polynomial function may take: seconds, not minutes, in a browser.
const MAX_WORK: u64 = 400_000_000;
/// Steps of a search that may be exponential: about a second in a browser.
pub(super) const SEARCH_STEPS: u64 = 20_000_000;

/// What a question to a graph without nodes is answered.
pub const EMPTY_GRAPH: &str = "the graph has no nodes: first call create_graph with the edges of the \
                               question, then call this again";

/// Refuses arguments that are larger than anything a person or a model would write.
pub(super) fn arguments(value: &Value) -> Result<(), FunctionError> {
    let mut total = 0;
    let mut stack: Vec<(Option<&str>, &Value)> = vec![(None, value)];
    while let Some((field, value)) = stack.pop() {
        total += 1;
        match value {
            Value::Array(list) => {
                if list.len() > MAX_ENTRIES || total + stack.len() + list.len() > MAX_VALUES {
                    return Err(FunctionError::new(
                        "too_many_entries",
                        format!(
                            "`{}` is too long ({} entries): a list has at most {MAX_ENTRIES} and a \
                             call at most {MAX_VALUES} in all; make several calls",
                            field.unwrap_or("arguments"),
                            list.len()
                        ),
                    ));
                }
                stack.extend(list.iter().map(|v| (field, v)));
            }
            Value::Object(map) => {
                stack.extend(map.iter().map(|(k, v)| (field.or(Some(k.as_str())), v)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Refuses work beyond the limit of a call.
pub(super) fn affordable(work: u64) -> Result<(), FunctionError> {
    if work <= MAX_WORK {
        return Ok(());
    }
    Err(FunctionError::new(
        "too_much_work",
        format!("this takes about {work} steps, at most {MAX_WORK} are done: use a smaller graph"),
    ))
}

/// Refuses what takes one search of the graph from each node where that is too much.
pub(super) fn search_from_each(graph: &Graph) -> Result<(), FunctionError> {
    let (n, m) = (graph.n_nodes() as u64, graph.n_edges() as u64);
    affordable(n.saturating_mul(n + 2 * m))
}

/// Says that a search reached its limit, and what may be missed.
pub(super) fn unproven(steps: u64, what: &str) -> String {
    format!("the search stopped after {steps} steps: {what}")
}

/// Refuses a graph that would be too large.
pub(super) fn fits(n_nodes: usize, n_edges: usize) -> Result<(), FunctionError> {
    let over = |what, limit| Err(GraphError::TooLarge { what, limit }.into());
    if n_nodes > Graph::MAX_NODES {
        over("nodes", Graph::MAX_NODES)
    } else if n_edges > Graph::MAX_EDGES {
        over("edges", Graph::MAX_EDGES)
    } else {
        Ok(())
    }
}

/// Refuses two lists of different lengths.
pub(super) fn one_for_each(
    many: &str,
    n: usize,
    what: &str,
    given: usize,
) -> Result<(), FunctionError> {
    if n == given {
        return Ok(());
    }
    Err(FunctionError::new(
        "length_mismatch",
        format!("{n} {many} but {given} {what}: give one for each of the {many}"),
    ))
}

/// Refuses a graph without nodes where a result would mean nothing.
pub(super) fn not_empty(graph: &Graph) -> Result<(), FunctionError> {
    if graph.n_nodes() > 0 {
        return Ok(());
    }
    Err(FunctionError::new("empty_graph", EMPTY_GRAPH))
}

/// Tells the model that directions were ignored.
pub(super) fn note_undirected(graph: &Graph, out: &mut CallOutcome) {
    if graph.is_directed() {
        out.notes.push("the graph is directed; it was treated as undirected".into());
    }
}

/// Tells the model that weights were ignored.
pub(super) fn note_unweighted(graph: &Graph, out: &mut CallOutcome) {
    if graph.is_weighted() {
        out.notes.push("the graph is weighted; weights were ignored and edges counted".into());
    }
}

/// The first few names of a list.
pub(super) fn listed(names: &[NodeName]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(ToString::to_string).collect();
    let more = if names.len() > 8 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Refuses a sum that no JSON number can hold.
pub(super) fn finite(value: f64) -> Result<f64, FunctionError> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(FunctionError::new(
        "overflow",
        "the weights add up to more than a number can hold: use smaller ones",
    ))
}
