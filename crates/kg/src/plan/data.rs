//! The optional second stage of verification: on the data.
//!
//! `// Departs from §3.3:` the paper verifies on the schema alone, and names the error that this
//! misses: an edge of the right shape and the wrong meaning (§4.4). Where such an edge leads nowhere
//! from the nodes in question, it shows here, before anything is answered.

use std::collections::BTreeSet;

use super::execute::one;
use super::{Does, PlanFinding, Ready, Rule, Severity, StepResult};
use crate::find::{FindOptions, Finder};
use crate::{Direction, Kg, NodeIx};

/// Whether every hint means a node, and every step gives something. Stops at the first that does
/// not, because nothing after it can. As costly as running the plan.
pub fn check_data(ready: &Ready, finder: &Finder, options: FindOptions) -> Vec<PlanFinding> {
    let kg: &Kg = finder.kg();
    let mut before: Vec<StepResult> = Vec::new();
    for (i, step) in ready.steps.iter().enumerate() {
        let ran = one(ready, &before, &step.id, &step.does, finder, options);
        if let (Does::Common { of }, false) = (&step.does, ready.semantics.set_entries)
            && let Some((from, _, _)) =
                of.iter().find(|(f, _, _)| before[*f].value.nodes().len() > 1)
        {
            let n = before[*from].value.nodes().len();
            let id = &before[*from].id;
            let message = format!("{id:?} is {n} nodes, and an entry of find_common_nodes is one");
            return vec![finding(Rule::D3, &step.id, message, Vec::new())];
        }
        if ran.value.is_empty() {
            let fault = match &step.does {
                Does::Find { hint, node_type } => {
                    let near: Vec<String> =
                        ran.near.iter().map(|h| kg.name(h.node).to_owned()).collect();
                    let of = &kg.schema().node_type(*node_type).name;
                    let told = if near.is_empty() { "nothing".into() } else { near.join(", ") };
                    let message = format!("no {of} is called {hint:?}; most like it: {told}");
                    finding(Rule::D1, &step.id, message, near)
                }
                does => empty(kg, &before, ready, i, does),
            };
            return vec![fault];
        }
        before.push(ran);
    }
    Vec::new()
}

fn finding(rule: Rule, step: &str, message: String, options: Vec<String>) -> PlanFinding {
    let step = Some(step.to_owned());
    PlanFinding { rule, step, severity: Severity::Error, message, options }
}

/// D2, with the edges that these very nodes have and that lead to the same types.
fn empty(kg: &Kg, before: &[StepResult], ready: &Ready, i: usize, does: &Does) -> PlanFinding {
    let step = &ready.steps[i];
    let edge = |e| &kg.schema().edge_type(e).name;
    let (message, options) = match does {
        Does::Fetch { from, edge_type, way } => {
            let nodes = before[*from].value.nodes();
            let options = others(kg, nodes, ready, i, *way);
            let who = describe(kg, nodes);
            (format!("{who} has no edge {:?}", edge(*edge_type)), options)
        }
        Does::Common { of } => {
            let alone = of.iter().find(|(from, edge_type, way)| {
                let nodes = before[*from].value.nodes();
                nodes.iter().all(|n| kg.degree(*n, *edge_type, *way) == 0)
            });
            match alone {
                Some((from, edge_type, way)) => {
                    let nodes = before[*from].value.nodes();
                    let who = describe(kg, nodes);
                    let options = others(kg, nodes, ready, i, *way);
                    (format!("{who} has no edge {:?}", edge(*edge_type)), options)
                }
                None => {
                    let mut options = Vec::new();
                    for (from, _, way) in of {
                        options.extend(others(kg, before[*from].value.nodes(), ready, i, *way));
                    }
                    options.sort();
                    options.dedup();
                    ("the entries share no node".to_owned(), options)
                }
            }
        }
        _ => ("the step gives nothing".to_owned(), Vec::new()),
    };
    let also = if options.is_empty() {
        String::new()
    } else {
        format!("; to nodes of that type lead {}", options.join(", "))
    };
    finding(Rule::D2, &step.id, format!("{message}{also}"), options)
}

fn describe(kg: &Kg, nodes: &[NodeIx]) -> String {
    match nodes {
        [one] => kg.label(*one),
        _ => format!("none of {} nodes", nodes.len()),
    }
}

/// The types of edges at these nodes that lead to nodes of the step's types.
fn others(kg: &Kg, nodes: &[NodeIx], ready: &Ready, i: usize, way: Direction) -> Vec<String> {
    let types = &ready.steps[i].types;
    let mut found = BTreeSet::new();
    // Enough to tell of; a set can be all of a graph.
    for node in nodes.iter().take(1_000) {
        for (edge_type, _, other) in kg.edges_of(*node, way) {
            if types.contains(&kg.node_type(other)) {
                found.insert(kg.schema().edge_type(edge_type).name.clone());
            }
        }
    }
    found.into_iter().take(20).collect()
}
