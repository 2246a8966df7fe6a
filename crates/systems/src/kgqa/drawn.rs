//! What a step of an execution is in a trace: a value to read, and changes to the drawing.

use std::collections::BTreeSet;

use graph::Delta;
use kg::plan::{StepResult, StepValue};
use kg::{Kg, NodeIx};
use serde_json::{Value as Json, json};
use trace::Effects;

/// The most nodes of one step that come onto the drawing.
const MAX_NODES: usize = 60;
/// The most edges.
const MAX_EDGES: usize = 120;
/// The most names of one step that its value lists.
const MAX_NAMES: usize = 200;

/// A step's result: how many, which, over which edges, and how they were found.
pub fn told_value(kg: &Kg, ran: &StepResult) -> Json {
    let mut value = match &ran.value {
        StepValue::Nodes(nodes) => {
            let names: Vec<String> = nodes.iter().take(MAX_NAMES).map(|n| kg.label(*n)).collect();
            json!({ "n": nodes.len(), "nodes": names })
        }
        StepValue::Number(number) => json!({ "value": number }),
        StepValue::Texts(texts) => {
            json!({ "n": texts.len(), "values": texts.iter().take(MAX_NAMES).collect::<Vec<_>>() })
        }
    };
    let Some(map) = value.as_object_mut() else { return value };
    if !ran.edges.is_empty() {
        let edges: Vec<Json> = drawn(ran)
            .map(|(s, t, o)| json!([kg.label(s), kg.schema().edge_type(t).name, kg.label(o)]))
            .collect();
        map.insert("edges".into(), Json::Array(edges));
        map.insert("n_edges".into(), ran.n_edges.into());
    }
    let scored = |hits: &[kg::find::Hit]| -> Vec<Json> {
        let one = |h: &kg::find::Hit| json!({ "node": kg.label(h.node), "score": (f64::from(h.score) * 1e3).round() / 1e3, "how": h.how });
        hits.iter().take(20).map(one).collect()
    };
    if !ran.hits.is_empty() {
        map.insert("found".into(), Json::Array(scored(&ran.hits)));
    }
    if !ran.near.is_empty() {
        map.insert("near".into(), Json::Array(scored(&ran.near)));
    }
    value
}

fn drawn(ran: &StepResult) -> impl Iterator<Item = (NodeIx, kg::EdgeTypeIx, NodeIx)> {
    // With a bound on nodes an edge needs both of its ends on the drawing.
    let nodes: BTreeSet<NodeIx> = ran.value.nodes().iter().take(MAX_NODES).copied().collect();
    let keeps =
        move |(s, _, o): &(NodeIx, kg::EdgeTypeIx, NodeIx)| nodes.contains(s) || nodes.contains(o);
    ran.edges.iter().copied().filter(keeps).take(MAX_EDGES)
}

/// What is on the drawing of what a run touched.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    has_begun: bool,
    nodes: BTreeSet<NodeIx>,
    edges: BTreeSet<(NodeIx, NodeIx)>,
}

/// What a step adds to the drawing of what the run touched, and what it points to.
pub fn effects_of(kg: &Kg, ran: &StepResult, on: &mut Drawing) -> Effects {
    let mut effects = Effects::default();
    if !on.has_begun {
        on.has_begun = true;
        effects.deltas.push(Delta::Create { directed: true, weighted: false });
    }
    let nodes: Vec<NodeIx> = ran.value.nodes().iter().take(MAX_NODES).copied().collect();
    let edges: Vec<(NodeIx, kg::EdgeTypeIx, NodeIx)> = drawn(ran).collect();
    let ends = edges.iter().flat_map(|(s, _, o)| [*s, *o]);
    for node in nodes.iter().copied().chain(ends) {
        if on.nodes.insert(node) {
            effects.deltas.push(Delta::AddNode { node: kg.node_name(node) });
        }
    }
    for (source, _, target) in edges {
        if source == target {
            continue;
        }
        let pair = (kg.node_name(source), kg.node_name(target));
        if on.edges.insert((source, target)) {
            let (source, target) = pair.clone();
            effects.deltas.push(Delta::AddEdge { source, target, weight: None, capacity: None });
        }
        if !effects.touched.edges.contains(&pair) {
            effects.touched.edges.push(pair);
        }
    }
    effects.touched.nodes = nodes.into_iter().map(|n| kg.node_name(n)).collect();
    effects
}
