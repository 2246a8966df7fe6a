//! Runs a verified plan.
//!
//! Paper: GraphRunner §3.1 for the actions. A "current node" may be several: an action is applied to
//! each, and the results are united.

use std::collections::{BTreeMap, BTreeSet};

use super::sets::{Edge, Trail, path, reach, union};
use super::{Does, Op, Ready};
use crate::find::{FindOptions, Finder, Hit};
use crate::{Kg, NodeIx, fold};

/// What a step gives.
#[derive(Clone, Debug, PartialEq)]
pub enum StepValue {
    /// Nodes, each once, in the order in which they were met.
    Nodes(Vec<NodeIx>),
    /// A number, such as a count.
    Number(f64),
    /// Texts, in the order of the nodes that have them.
    Texts(Vec<String>),
}

impl StepValue {
    /// The nodes, if it is nodes.
    pub fn nodes(&self) -> &[NodeIx] {
        match self {
            Self::Nodes(nodes) => nodes,
            _ => &[],
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Nodes(nodes) => nodes.is_empty(),
            Self::Texts(texts) => texts.is_empty(),
            Self::Number(_) => false,
        }
    }

    /// As a person would write it: names of nodes, a number, texts.
    pub fn texts(&self, kg: &Kg) -> Vec<String> {
        match self {
            Self::Nodes(nodes) => nodes.iter().map(|n| kg.name(*n).to_owned()).collect(),
            Self::Number(number) => vec![number.to_string()],
            Self::Texts(texts) => texts.clone(),
        }
    }
}

/// What one step did.
#[derive(Clone, Debug, PartialEq)]
pub struct StepResult {
    /// The step, as the plan calls it.
    pub id: String,
    /// The value that the step gave.
    pub value: StepValue,
    /// `find_node`: how the nodes were found, with their scores.
    pub hits: Vec<Hit>,
    /// `find_node`: the best of those that were not taken.
    pub near: Vec<Hit>,
    /// Edges that were followed, as they lie in the graph; the first 400.
    pub edges: Vec<Edge>,
    /// How many were followed.
    pub n_edges: usize,
    /// Remarks for a person, such as nodes that were left out.
    pub notes: Vec<String>,
}

/// What a plan did.
#[derive(Clone, Debug, PartialEq)]
pub struct Executed {
    /// The result of each step, in the order of the plan.
    pub steps: Vec<StepResult>,
    /// The number of the step that has the answer.
    pub answer: usize,
}

impl Executed {
    /// What the plan gives.
    pub fn answer(&self) -> &StepValue {
        &self.steps[self.answer].value
    }

    /// Every node that some step reached.
    pub fn reached(&self) -> BTreeSet<NodeIx> {
        self.steps.iter().flat_map(|s| s.value.nodes().iter().copied()).collect()
    }
}

/// Runs a plan, step by step. It never fails: a step may be empty, and what follows it then is too.
///
/// O(edges at the nodes of each step); a search over several hops is bounded.
pub fn execute(ready: &Ready, finder: &Finder, options: FindOptions) -> Executed {
    let mut steps: Vec<StepResult> = Vec::new();
    for step in &ready.steps {
        let ran = one(ready, &steps, &step.id, &step.does, finder, options);
        steps.push(ran);
    }
    Executed { steps, answer: ready.answer }
}

pub(super) fn one(
    ready: &Ready,
    before: &[StepResult],
    id: &str,
    does: &Does,
    finder: &Finder,
    options: FindOptions,
) -> StepResult {
    let kg: &Kg = finder.kg();
    let nodes = |i: usize| before[i].value.nodes();
    let mut trail = Trail::default();
    let (mut hits, mut near, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let value = match does {
        Does::Find { hint, node_type } => {
            let found = finder.find(hint, Some(*node_type), options);
            (hits, near) = (found.hits, found.near);
            StepValue::Nodes(hits.iter().map(|h| h.node).collect())
        }
        Does::Fetch { from, edge_type, way } => {
            StepValue::Nodes(union(kg, nodes(*from), *edge_type, *way, &mut trail))
        }
        Does::Reach { from, node_type, way } => {
            let bounds = (ready.semantics.max_hops, ready.semantics.nearest);
            let mut all = Vec::new();
            let mut seen = BTreeSet::new();
            let mut n_cut = 0;
            for node in nodes(*from) {
                let reached = reach(kg, *node, *node_type, *way, bounds, &mut trail);
                n_cut += usize::from(reached.is_cut);
                all.extend(reached.nodes.into_iter().filter(|n| seen.insert(*n)));
            }
            if n_cut > 0 {
                notes.push(format!("the bound of {} hops ended {n_cut} searches", bounds.0));
            }
            StepValue::Nodes(all)
        }
        Does::Common { of } => {
            let mut shared: Option<Vec<NodeIx>> = None;
            for (from, edge_type, way) in of {
                let mut from = nodes(*from);
                if from.len() > 1 {
                    if ready.semantics.set_entries {
                        notes.push(format!("an entry is {} nodes: their union", from.len()));
                    } else {
                        notes.push(format!("an entry is {} nodes: the first", from.len()));
                        from = &from[..1];
                    }
                }
                let own = union(kg, from, *edge_type, *way, &mut trail);
                shared = Some(match shared {
                    None => own,
                    Some(before) => {
                        let own: BTreeSet<NodeIx> = own.into_iter().collect();
                        before.into_iter().filter(|n| own.contains(n)).collect()
                    }
                });
            }
            let shared = shared.unwrap_or_default();
            // What was followed and not shared would only clutter the drawing.
            let keep: BTreeSet<NodeIx> = shared.iter().copied().collect();
            trail.edges.retain(|(a, _, b)| keep.contains(a) || keep.contains(b));
            StepValue::Nodes(shared)
        }
        Does::Count { from } => StepValue::Number(nodes(*from).len() as f64),
        Does::Attribute { from, attribute } => {
            let texts = nodes(*from).iter().filter_map(|n| text_of(kg, *n, attribute)).collect();
            StepValue::Texts(texts)
        }
        Does::Filter { from, attribute, op, value } => {
            let fits =
                |n: &&NodeIx| text_of(kg, **n, attribute).is_some_and(|t| holds(*op, &t, value));
            StepValue::Nodes(nodes(*from).iter().filter(fits).copied().collect())
        }
        Does::MostCommon { from, edge_type, way } => {
            let mut counts: BTreeMap<NodeIx, usize> = BTreeMap::new();
            for node in nodes(*from) {
                for other in union(kg, &[*node], *edge_type, *way, &mut trail) {
                    *counts.entry(other).or_default() += 1;
                }
            }
            let most = counts.values().max().copied().unwrap_or(0);
            notes.push(format!("each by {most} of {}", nodes(*from).len()));
            StepValue::Nodes(
                counts.into_iter().filter(|(_, n)| *n == most).map(|(n, _)| n).collect(),
            )
        }
        Does::ArgmaxAttribute { from, attribute } => {
            StepValue::Nodes(largest(nodes(*from), |n| number(&text_of(kg, n, attribute)?)))
        }
        Does::ArgmaxDegree { from, edge_type, way } => {
            let of = |n| Some(kg.neighbors(n, *edge_type, *way).len() as f64);
            StepValue::Nodes(largest(nodes(*from), of))
        }
        Does::ShortestPath { from, to } => {
            StepValue::Nodes(path(kg, nodes(*from), nodes(*to), &mut trail))
        }
    };
    let Trail { edges, n } = trail;
    StepResult { id: id.to_owned(), value, hits, near, edges, n_edges: n, notes }
}

fn text_of(kg: &Kg, node: NodeIx, attribute: &str) -> Option<String> {
    match kg.attributes(node).and_then(|a| a.get(attribute)) {
        Some(serde_json::Value::String(text)) => Some(text.clone()),
        Some(serde_json::Value::Null) => None,
        Some(other) => Some(other.to_string()),
        None => (attribute == "name").then(|| kg.name(node).to_owned()),
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|n: &f64| n.is_finite())
}

/// Numbers are compared as numbers, other texts as names are.
fn holds(op: Op, own: &str, value: &str) -> bool {
    let order = match (number(own), number(value)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => fold(own).cmp(&fold(value)),
    };
    match op {
        Op::Is => order.is_eq(),
        Op::IsNot => order.is_ne(),
        Op::Less => order.is_lt(),
        Op::More => order.is_gt(),
        Op::Contains => fold(own).contains(&fold(value)),
    }
}

/// The nodes with the largest value; those without one are left out.
fn largest(nodes: &[NodeIx], value: impl Fn(NodeIx) -> Option<f64>) -> Vec<NodeIx> {
    let valued: Vec<(NodeIx, f64)> = nodes.iter().filter_map(|n| Some((*n, value(*n)?))).collect();
    let most = valued.iter().map(|(_, v)| *v).fold(f64::NEG_INFINITY, f64::max);
    valued.into_iter().filter(|(_, v)| *v == most).map(|(n, _)| n).collect()
}
