//! Shortest paths by the number of edges: between two nodes, and between two that are farthest apart.

use graph::{Graph, NodeName};

use super::{Grade, invented, joined, wrong};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle;
use crate::verify::named::NodeList;
use crate::{Between, Judgement, Whole};

/// What is wrong with a path, if anything: names, repeats and edges.
fn fault(graph: &Graph, path: &[NodeName], evidence: &mut Evidence) -> Option<String> {
    if path.is_empty() {
        evidence.check(false, "the list is empty");
        return Some("the list is empty".to_owned());
    }
    let invented = invented(graph, path, evidence);
    let mut gap = None;
    for step in path.windows(2) {
        let (a, b) = (&step[0], &step[1]);
        let holds = joined(graph, a, b);
        evidence.check(holds, format_args!("{a} and {b} are joined"));
        evidence.edge(a, b, MarkKind::of(holds), None);
        if !holds && gap.is_none() {
            gap = Some(format!("{a} and {b} are not joined"));
        }
    }
    invented.or(gap)
}

/// `1 edge`, `3 edges`.
fn n_edges(n: f64) -> String {
    if n == 1.0 { "1 edge".to_owned() } else { format!("{n} edges") }
}

/// How many edges a shortest path has, if there is one.
fn distance(graph: &Graph, from: &NodeName, to: &NodeName) -> Option<usize> {
    let to = graph.names().position(|name| name == to)?;
    oracle::hops(graph, from)[to]
}

/// Marks a path that is not the answer's.
fn show(evidence: &mut Evidence, path: &[NodeName]) {
    for step in path.windows(2) {
        evidence.edge(&step[0], &step[1], MarkKind::Path, None);
    }
}

/// A path with the fewest edges from one node to another.
pub(crate) fn shortest(
    problem: Asked<'_, Between>,
    answer: &NodeList,
    mut evidence: Evidence,
) -> Judgement {
    let (graph, Between { source, target }) = (problem.graph, problem.query);
    let path = &answer.nodes;
    if let Some(fault) = fault(graph, path, &mut evidence) {
        return wrong(evidence, fault);
    }
    for (end, wanted, word) in
        [(&path[0], source, "begins"), (&path[path.len() - 1], target, "ends")]
    {
        if end != wanted {
            evidence.check(false, format_args!("it {word} at {wanted}"));
            return wrong(evidence, format_args!("the path {word} at {end}, not at {wanted}"));
        }
    }
    let best = distance(graph, source, target).unwrap_or(path.len() - 1);
    let grade = Grade::least((path.len() - 1) as f64, best as f64, best as f64);
    if grade.is_beaten()
        && evidence.is_wanted()
        && let Some(shorter) = oracle::path(graph, source, target)
    {
        evidence.note(format_args!("shorter: {}", crate::names::join(&shorter, " - ")));
        show(&mut evidence, &shorter);
    }
    evidence.note(format_args!(
        "breadth first from {source}, {target} is {} away",
        n_edges(best as f64)
    ));
    grade.judge(n_edges, evidence)
}

/// The two nodes that are farthest apart, with their distance.
pub(crate) fn farthest(graph: &Graph) -> Option<(NodeName, NodeName, usize)> {
    let mut best: Option<(NodeName, NodeName, usize)> = None;
    for from in graph.names() {
        for (to, hops) in graph.names().zip(oracle::hops(graph, from)) {
            let hops = hops?;
            if best.as_ref().is_none_or(|b| hops > b.2) {
                best = Some((from.clone(), to.clone(), hops));
            }
        }
    }
    best
}

/// A shortest path between two nodes that are farthest apart.
pub(crate) fn diameter(
    problem: Asked<'_, Whole>,
    answer: &NodeList,
    mut evidence: Evidence,
) -> Judgement {
    let graph = problem.graph;
    let path = &answer.nodes;
    if let Some(fault) = fault(graph, path, &mut evidence) {
        return wrong(evidence, fault);
    }
    let (first, last) = (&path[0], &path[path.len() - 1]);
    let own = path.len() - 1;
    let between = distance(graph, first, last).unwrap_or(own);
    if between < own {
        let shorter = oracle::path(graph, first, last).unwrap_or_default();
        let way = crate::names::join(&shorter, " - ").to_string();
        evidence.check(false, format_args!("no way from {first} to {last} is shorter; {way} is"));
        show(&mut evidence, &shorter);
        return wrong(
            evidence,
            format_args!("it is no shortest path: {way} has {}", n_edges(between as f64)),
        );
    }
    let Some((a, b, most)) = farthest(graph) else {
        return wrong(evidence, "the graph is not connected");
    };
    let value = Grade::most(own, most, most);
    if value.is_beaten() {
        evidence.note(format_args!("{a} and {b} are {} apart", n_edges(most as f64)));
        [&a, &b].into_iter().for_each(|node| evidence.node(node, MarkKind::Path));
    }
    value.judge(n_edges, evidence)
}
