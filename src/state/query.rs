//! Questions about a graph of one's own.

use graph::{Graph, NodeName};
use tasks::{Query, TaskId};

/// The task of a query.
pub fn task_of(query: &Query) -> TaskId {
    match query {
        Query::Connectivity { .. } => TaskId::Connectivity,
        Query::Cycle => TaskId::Cycle,
        Query::TopologicalSort => TaskId::Topology,
        Query::ShortestPath { .. } => TaskId::ShortestPath,
        Query::MaxFlow { .. } => TaskId::Flow,
        Query::Matching { .. } => TaskId::Matching,
        Query::HamiltonPath => TaskId::Hamilton,
        Query::Convolution { .. } => TaskId::Gnn,
    }
}

/// The questions that make sense for a graph, the most telling first.
pub fn possible(graph: &Graph) -> Vec<Query> {
    let names: Vec<&NodeName> = graph.names().collect();
    let (Some(first), Some(last)) = (names.first(), names.last()) else { return Vec::new() };
    if names.len() < 2 {
        return Vec::new();
    }
    let (source, target) = ((*first).clone(), (*last).clone());
    let mut list = Vec::new();
    if graph.is_directed() {
        if graph.is_weighted() || graph.edges().any(|e| e.capacity.is_some()) {
            list.push(Query::MaxFlow { source, sink: target });
        }
        list.push(Query::TopologicalSort);
        return list;
    }
    if graph.is_weighted() {
        list.push(Query::ShortestPath { source: source.clone(), target: target.clone() });
    }
    list.push(Query::Connectivity { source, target });
    list.push(Query::Cycle);
    list.push(Query::HamiltonPath);
    if graph.indices().all(|i| graph.embedding(i).is_some()) {
        list.push(Query::Convolution { layers: 2 });
    }
    list
}

/// The question that suits a graph best.
pub fn suited(graph: &Graph) -> Option<Query> {
    possible(graph).into_iter().next()
}

/// The two nodes that a query names.
pub fn ends(query: &Query) -> Option<(&NodeName, &NodeName)> {
    match query {
        Query::Connectivity { source, target } | Query::ShortestPath { source, target } => {
            Some((source, target))
        }
        Query::MaxFlow { source, sink } => Some((source, sink)),
        _ => None,
    }
}

/// The same query about other nodes.
pub fn with_ends(query: &Query, from: NodeName, to: NodeName) -> Query {
    match query {
        Query::Connectivity { .. } => Query::Connectivity { source: from, target: to },
        Query::ShortestPath { .. } => Query::ShortestPath { source: from, target: to },
        Query::MaxFlow { .. } => Query::MaxFlow { source: from, sink: to },
        other => other.clone(),
    }
}

/// Makes a query fit a graph that was edited.
pub fn mend(query: &mut Query, graph: &Graph) {
    if let Some((from, to)) = ends(query) {
        let spare = |taken: &NodeName| graph.names().find(|n| *n != taken).cloned();
        let from = if graph.has_node(from) { Some(from.clone()) } else { spare(to) };
        let Some(from) = from else { return };
        let to = if graph.has_node(to) { Some(to.clone()) } else { spare(&from) };
        if let Some(to) = to {
            *query = with_ends(query, from, to);
        }
    }
    if let Query::Matching { n_applicants, n_jobs } = query {
        let count =
            |letter: char| graph.names().filter(|n| n.to_string().starts_with(letter)).count();
        (*n_applicants, *n_jobs) = (count('a'), count('j'));
    }
}
