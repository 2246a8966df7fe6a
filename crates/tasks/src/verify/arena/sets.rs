//! Sets of nodes: common neighbours, one node of each component, cliques, independent sets, covers.

use graph::exact::independent_set::{max_independent_set, min_vertex_cover};
use graph::{Graph, NodeName};

use super::{BUDGET, Grade, invented, joined, n_nodes, wrong};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle;
use crate::verify::listing;
use crate::verify::named::NodeList;
use crate::{Couple, Judgement, Verdict, Whole};

/// The first pair of a list for which something holds.
fn first_pair(
    nodes: &[NodeName],
    holds: impl Fn(&NodeName, &NodeName) -> bool,
) -> Option<(&NodeName, &NodeName)> {
    nodes
        .iter()
        .enumerate()
        .find_map(|(i, a)| Some((a, nodes[i + 1..].iter().find(|b| holds(a, b))?)))
}

/// Marks the nodes of an answer, and those of a better one.
fn mark(evidence: &mut Evidence, nodes: &[NodeName], better: &[NodeName]) {
    for node in nodes {
        evidence.node(node, MarkKind::True);
    }
    for node in better.iter().filter(|node| !nodes.contains(node)) {
        evidence.node(node, MarkKind::Path);
    }
}

/// A set of which none may be empty, or the reason against it.
fn at_fault(graph: &Graph, nodes: &[NodeName], evidence: &mut Evidence) -> Option<String> {
    if nodes.is_empty() {
        evidence.check(false, "the list is empty");
        return Some("the list is empty".to_owned());
    }
    invented(graph, nodes, evidence)
}

/// All nodes that are joined with both.
pub(crate) fn common_neighbors(
    problem: Asked<'_, Couple>,
    answer: &NodeList,
    mut evidence: Evidence,
) -> Judgement {
    let (graph, Couple { first, second }) = (problem.graph, problem.query);
    let is_common = |node: &NodeName| {
        node != first && node != second && joined(graph, node, first) && joined(graph, node, second)
    };
    let truth: Vec<&NodeName> = graph.names().filter(|node| is_common(node)).collect();
    let nodes = &answer.nodes;
    if nodes.is_empty() && !truth.is_empty() {
        evidence.check(false, "the list is empty");
        return wrong(evidence, format_args!("no neighbour is named, and {} is one", truth[0]));
    }
    if let Some(fault) = invented(graph, nodes, &mut evidence) {
        return wrong(evidence, fault);
    }
    for node in nodes {
        let holds = is_common(node);
        evidence.check(holds, format_args!("{node} is joined with {first} and with {second}"));
        evidence.node(node, MarkKind::of(holds));
        for end in [first, second] {
            let kind = MarkKind::of(joined(graph, node, end));
            evidence.edge(node, end, kind, None);
        }
    }
    if let Some(node) = nodes.iter().find(|node| !is_common(node)) {
        let end = if joined(graph, node, first) { second } else { first };
        return wrong(evidence, format_args!("{node} is not joined with {end}"));
    }
    let missing: Vec<&NodeName> =
        truth.iter().copied().filter(|node| !nodes.contains(node)).collect();
    for node in &missing {
        evidence.node(node, MarkKind::Path);
    }
    if !missing.is_empty() {
        evidence.check(false, format_args!("it leaves out {}", listing(&missing)));
    }
    Grade::most(nodes.len(), truth.len(), truth.len()).judge(n_nodes, evidence)
}

/// One node of each component.
pub(crate) fn components(
    problem: Asked<'_, Whole>,
    answer: &NodeList,
    mut evidence: Evidence,
) -> Judgement {
    let graph = problem.graph;
    if let Some(fault) = at_fault(graph, &answer.nodes, &mut evidence) {
        return wrong(evidence, fault);
    }
    let component = oracle::components(graph);
    let names: Vec<&NodeName> = graph.names().collect();
    let of = |node: &NodeName| names.iter().position(|name| *name == node).map(|i| component[i]);
    for node in &answer.nodes {
        let with: Vec<&NodeName> = names
            .iter()
            .zip(&component)
            .filter(|(_, c)| Some(**c) == of(node))
            .map(|(n, _)| *n)
            .collect();
        evidence.note(format_args!("{node} stands for {}", listing(&with)));
        evidence.node(node, MarkKind::True);
    }
    if let Some((a, b)) = first_pair(&answer.nodes, |a, b| of(a) == of(b)) {
        let path = oracle::path(graph, a, b).unwrap_or_default();
        let way = crate::names::join(&path, " - ").to_string();
        evidence.check(false, format_args!("{a} and {b} are of one component: {way}"));
        for step in path.windows(2) {
            evidence.edge(&step[0], &step[1], MarkKind::False, None);
        }
        return wrong(evidence, format_args!("{a} and {b} are of one component"));
    }
    let mut all = component.clone();
    all.sort_unstable();
    all.dedup();
    let named: Vec<u32> = answer.nodes.iter().filter_map(of).collect();
    let left: Vec<&NodeName> = all
        .iter()
        .filter(|c| !named.contains(c))
        .filter_map(|c| names.iter().zip(&component).find(|(_, of)| *of == c).map(|(n, _)| *n))
        .collect();
    if !left.is_empty() {
        evidence.check(false, format_args!("nobody stands for the component of {}", left[0]));
        left.iter().for_each(|node| evidence.node(node, MarkKind::Path));
    }
    let words =
        |n: f64| if n == 1.0 { "1 component".to_owned() } else { format!("{n} components") };
    Grade::most(named.len(), all.len(), all.len()).judge(words, evidence)
}

/// The most nodes that are all joined.
pub(crate) fn clique(
    problem: Asked<'_, Whole>,
    answer: &NodeList,
    mut evidence: Evidence,
) -> Judgement {
    let graph = problem.graph;
    if let Some(fault) = at_fault(graph, &answer.nodes, &mut evidence) {
        return wrong(evidence, fault);
    }
    for (i, a) in answer.nodes.iter().enumerate() {
        for b in &answer.nodes[i + 1..] {
            let kind = MarkKind::of(joined(graph, a, b));
            evidence.edge(a, b, kind, None);
        }
    }
    if let Some((a, b)) = first_pair(&answer.nodes, |a, b| !joined(graph, a, b)) {
        evidence.check(false, format_args!("{a} and {b} are not joined"));
        return wrong(evidence, format_args!("{a} and {b} are not joined"));
    }
    evidence.check(true, "each two of them are joined");
    let best = oracle::largest_clique(graph, BUDGET);
    let better = graph.names_of(&best.nodes);
    let bound = if best.exact { best.nodes.len() } else { graph.n_nodes() };
    let grade = Grade::most(answer.nodes.len(), best.nodes.len(), bound);
    mark(&mut evidence, &answer.nodes, if grade.is_beaten() { &better } else { &[] });
    grade.judge(n_nodes, evidence)
}

/// The most nodes of which no two are joined.
pub(crate) fn independent_set(
    problem: Asked<'_, Whole>,
    answer: &NodeList,
    mut evidence: Evidence,
) -> Judgement {
    let graph = problem.graph;
    if let Some(fault) = at_fault(graph, &answer.nodes, &mut evidence) {
        return wrong(evidence, fault);
    }
    if let Some((a, b)) = first_pair(&answer.nodes, |a, b| joined(graph, a, b)) {
        evidence.check(false, format_args!("{a} and {b} are joined"));
        evidence.edge(a, b, MarkKind::False, None);
        return wrong(evidence, format_args!("{a} and {b} are joined"));
    }
    evidence.check(true, "no two of them are joined");
    let best = max_independent_set(graph, BUDGET);
    let better = graph.names_of(&best.nodes);
    let grade = Grade::most(answer.nodes.len(), better.len(), best.bound);
    mark(&mut evidence, &answer.nodes, if grade.is_beaten() { &better } else { &[] });
    grade.judge(n_nodes, evidence)
}

/// The fewest nodes such that every edge has one of them.
pub(crate) fn vertex_cover(
    problem: Asked<'_, Whole>,
    answer: &NodeList,
    mut evidence: Evidence,
) -> Judgement {
    let graph = problem.graph;
    if let Some(fault) = invented(graph, &answer.nodes, &mut evidence) {
        return wrong(evidence, fault);
    }
    let has = |node: &NodeName| answer.nodes.contains(node);
    let open = graph.edges().find(|edge| !has(edge.source) && !has(edge.target));
    if let Some(edge) = open {
        let (a, b) = (edge.source, edge.target);
        evidence.check(false, format_args!("neither {a} nor {b} is in it, and they are joined"));
        evidence.edge(a, b, MarkKind::False, None);
        return wrong(
            evidence,
            format_args!("the edge between {a} and {b} has neither of its ends in it"),
        );
    }
    evidence.check(true, format_args!("each of the {} edges has an end in it", graph.n_edges()));
    let best = min_vertex_cover(graph, BUDGET);
    let better = graph.names_of(&best.nodes);
    let grade = Grade::least(answer.nodes.len() as f64, better.len() as f64, best.bound as f64);
    mark(&mut evidence, &answer.nodes, if grade.is_beaten() { &better } else { &[] });
    let mut judgement = grade.judge(n_nodes, evidence);
    if judgement.verdict == Verdict::Correct && answer.nodes.is_empty() {
        judgement.explanation = "Right: there is no edge to cover.".into();
    }
    judgement
}
