//! The answers that GraphInstruct's evaluators hold against the graph.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use graph::{Graph, NodeIdx};

use super::read::until;
use super::{InstructProblem, InstructScore, InstructTask, UNKNOWN, node_words};
use crate::official::python::skip_chars;
use crate::official::{hops, node};

pub(super) fn score(problem: &InstructProblem<'_>, answer: &str) -> InstructScore {
    let graph = problem.graph;
    let Some(words) = node_words(problem, answer) else { return InstructScore::wrong(UNKNOWN) };
    let walk: Vec<NodeIdx> = words.iter().filter_map(|word| node(graph, word)).collect();
    match problem.task {
        InstructTask::TopologicalSort => order(graph, &walk),
        InstructTask::EulerPath => euler(graph, &walk),
        InstructTask::HamiltonianPath => hamilton(graph, &walk),
        task => {
            // The name of the start is what stands in the question up to its first comma.
            let start = cut_start(problem.question);
            if words.first().map(String::as_str) != Some(start) {
                return InstructScore::wrong("another first node than the question's");
            }
            if task == InstructTask::Bfs { layers(graph, &walk) } else { depth_first(graph, &walk) }
        }
    }
}

/// From the 16th character of the question to its first comma.
fn cut_start(question: &str) -> &str {
    let head = until(question, ',');
    skip_chars(head, "Start from node ".len())
}

/// The evaluator builds its graph from the edges, so nodes without any are not in it.
fn has_edges(graph: &Graph, place: NodeIdx) -> bool {
    !graph.neighbors(place).is_empty() || !graph.predecessors(place).is_empty()
}

fn n_with_edges(graph: &Graph) -> usize {
    graph.indices().filter(|place| has_edges(graph, *place)).count()
}

const NOT_IN_EDGES: &str = "a node that no edge names is not in the evaluator's graph";

/// The nodes of each distance have to come together; what comes after the last is not read.
fn layers(graph: &Graph, walk: &[NodeIdx]) -> InstructScore {
    let start = walk[0];
    if !has_edges(graph, start) {
        return InstructScore::stops(NOT_IN_EDGES);
    }
    let hops = hops(graph, start);
    let mut layers: BTreeMap<usize, BTreeSet<NodeIdx>> = BTreeMap::new();
    for place in graph.indices() {
        if let Some(hop) = hops[place.index()] {
            layers.entry(hop).or_default().insert(place);
        }
    }
    let mut rest = walk;
    for layer in layers.values() {
        let (now, later) = rest.split_at(layer.len().min(rest.len()));
        if now.iter().copied().collect::<BTreeSet<_>>() != *layer {
            return InstructScore::wrong("the nodes of a distance do not stand together");
        }
        rest = later;
    }
    InstructScore::new(true, "the nodes of each distance stand together")
}

/// Each part of the walk has to reach what can be reached from its first node.
fn depth_first(graph: &Graph, walk: &[NodeIdx]) -> InstructScore {
    let mut visited = HashSet::from([walk[0]]);
    let mut at = 0;
    while at < walk.len() {
        let (length, is_valid) = part(graph, &mut visited, &walk[at..]);
        let piece = &walk[at..at + length];
        at += length;
        if !is_valid {
            return InstructScore::wrong("a step goes neither to a free neighbour nor back to one");
        }
        if !has_edges(graph, piece[0]) {
            return InstructScore::stops(NOT_IN_EDGES);
        }
        let reached: HashSet<NodeIdx> = {
            let hops = hops(graph, piece[0]);
            graph.indices().filter(|place| hops[place.index()].is_some()).collect()
        };
        if reached.len() != piece.len() {
            return InstructScore::wrong("another number of nodes than can be reached");
        }
        if reached != piece.iter().copied().collect() {
            return InstructScore::stops("as many nodes as can be reached, and others");
        }
    }
    InstructScore::new(true, "every step goes to a free neighbour, or back to one")
}

/// How far a part goes, and whether all its steps are valid. Going back skips the last node: its
/// own free neighbours are not looked at.
fn part(graph: &Graph, visited: &mut HashSet<NodeIdx>, walk: &[NodeIdx]) -> (usize, bool) {
    for i in 1..walk.len() {
        let next = walk[i];
        if graph.edge_between(walk[i - 1], next).is_some() {
            if !visited.insert(next) {
                return (i, false);
            }
            continue;
        }
        let free = |place: &NodeIdx| -> Vec<NodeIdx> {
            graph.neighbors(*place).into_iter().filter(|n| !visited.contains(n)).collect()
        };
        let back = walk[..i - 1].iter().rev().map(free).find(|free| !free.is_empty());
        match back {
            Some(free) if free.contains(&next) => {
                visited.insert(next);
            }
            Some(_) => return (i, false),
            None => return (i, true),
        }
    }
    (walk.len(), true)
}

fn order(graph: &Graph, walk: &[NodeIdx]) -> InstructScore {
    let distinct: BTreeSet<NodeIdx> = walk.iter().copied().collect();
    if distinct.len() != n_with_edges(graph) {
        return InstructScore::wrong("another number of nodes than the graph has");
    }
    let mut done: HashSet<NodeIdx> = HashSet::new();
    for place in walk {
        let waits = graph.predecessors(*place).iter().any(|before| !done.contains(before));
        if waits || !has_edges(graph, *place) || !done.insert(*place) {
            return InstructScore::wrong(
                "a node comes before one that has to come first, or twice",
            );
        }
    }
    InstructScore::new(true, "every node comes after those that have to come first")
}

fn euler(graph: &Graph, walk: &[NodeIdx]) -> InstructScore {
    if walk.len() != graph.n_edges() + 1 {
        return InstructScore::wrong("another number of steps than the graph has edges");
    }
    let mut used = HashSet::new();
    for step in walk.windows(2) {
        let (a, b) = (step[0], step[1]);
        if graph.edge_between(a, b).is_none() {
            return InstructScore::wrong("a step is no edge");
        }
        let edge = if graph.is_directed() { (a, b) } else { (a.min(b), a.max(b)) };
        if !used.insert(edge) {
            return InstructScore::wrong("an edge comes twice");
        }
    }
    InstructScore::new(true, "every edge comes once")
}

fn hamilton(graph: &Graph, walk: &[NodeIdx]) -> InstructScore {
    let n = n_with_edges(graph);
    let distinct: BTreeSet<NodeIdx> = walk.iter().copied().collect();
    if walk.len() != n || distinct.len() != n {
        return InstructScore::wrong("not every node comes once");
    }
    let is_walk = walk.windows(2).all(|step| graph.edge_between(step[0], step[1]).is_some());
    InstructScore::new(is_walk, if is_walk { "every step is an edge" } else { "a step is no edge" })
}
