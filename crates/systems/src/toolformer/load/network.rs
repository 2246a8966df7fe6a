//! A part of a network.

use std::collections::BTreeMap;

use graph::{Delta, Graph, NodeName, nearest_names};

use super::{Part, name_of};
use crate::toolformer::data::Network;
use crate::toolformer::error::CallError;
use crate::toolformer::tree::Value;

fn known(graph: &Graph, name: &str) -> Result<NodeName, CallError> {
    let name = NodeName::from(name.trim());
    if graph.has_node(&name) {
        return Ok(name);
    }
    let near = nearest_names(&name, graph.names(), 5);
    Err(CallError::UnknownNode {
        node: name.to_string(),
        near: near.iter().map(NodeName::to_string).collect(),
    })
}

/// The part of a network: the nodes that are named with the links between them, or the links that
/// are named with their ends. Paper: Graph-ToolFormer §4.3.1.
pub(super) fn cut(
    network: &Network,
    nodes: &Part<'_>,
    links: &Part<'_>,
) -> Result<Network, CallError> {
    let whole = &network.graph;
    let mut pairs: Vec<(NodeName, NodeName)> = Vec::new();
    if let Part::Some(all) = links {
        for value in *all {
            let wrong = || CallError::Subset { what: "links".to_owned(), found: value.to_string() };
            let Value::Tuple(ends) = value else { return Err(wrong()) };
            let [a, b] = ends.as_slice() else { return Err(wrong()) };
            let a = known(whole, &name_of(a, "links")?)?;
            let b = known(whole, &name_of(b, "links")?)?;
            if whole.edge(&a, &b).is_none() {
                return Err(CallError::UnknownLink { from: a.to_string(), to: b.to_string() });
            }
            pairs.push((a, b));
        }
    }
    let named = match nodes {
        Part::Some(all) => {
            let name = |v: &Value| known(whole, &name_of(v, "nodes")?);
            Some(all.iter().map(name).collect::<Result<Vec<NodeName>, CallError>>()?)
        }
        Part::All { is_related: true } => {
            Some(pairs.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect())
        }
        Part::All { is_related: false } => None,
    };
    let mut is_kept = vec![named.is_none(); whole.n_nodes()];
    let places: Vec<&NodeName> = whole.names().collect();
    let mut place: BTreeMap<&NodeName, usize> = BTreeMap::new();
    place.extend(places.iter().enumerate().map(|(i, n)| (*n, i)));
    for name in named.iter().flatten() {
        if let Some(i) = place.get(name) {
            is_kept[*i] = true;
        }
    }
    let mut graph = if whole.is_directed() { Graph::directed() } else { Graph::undirected() };
    let full = |e: graph::GraphError| CallError::model(e.to_string());
    for (name, _) in places.iter().zip(&is_kept).filter(|(_, k)| **k) {
        graph.ensure_node((*name).clone()).map_err(full)?;
    }
    let kept = |name: &NodeName| place.get(name).is_some_and(|i| is_kept[*i]);
    let mut link = |a: &NodeName, b: &NodeName, weight: Option<f64>, capacity: Option<f64>| {
        let (source, target) = (a.clone(), b.clone());
        graph.apply(&Delta::AddEdge { source, target, weight, capacity }).map(drop).map_err(full)
    };
    if let Part::Some(_) = links {
        for (a, b) in &pairs {
            if let Some(outside) = [a, b].into_iter().find(|n| !kept(n)) {
                let near = named.iter().flatten().take(5).map(NodeName::to_string).collect();
                return Err(CallError::UnknownNode { node: outside.to_string(), near });
            }
            let edge = whole.edge(a, b);
            link(a, b, edge.and_then(|e| e.weight), edge.and_then(|e| e.capacity))?;
        }
    } else {
        for edge in whole.edges().filter(|e| kept(e.source) && kept(e.target)) {
            link(edge.source, edge.target, edge.weight, edge.capacity)?;
        }
    }
    let features = rows(&network.features, &is_kept);
    let labels = rows(&network.labels, &is_kept);
    // A part is for looking at, and nothing that looks asks for times.
    Ok(Network { graph, features, labels, times: Vec::new() })
}

fn rows<T: Clone>(all: &[T], is_kept: &[bool]) -> Vec<T> {
    all.iter().zip(is_kept).filter(|(_, k)| **k).map(|(v, _)| v.clone()).collect()
}
