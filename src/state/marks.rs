//! From what a check or a call points to, to what is drawn.

use std::collections::BTreeSet;

use draw::{Mark, Marks, Scene};
use graph::Delta;
use graph::functions::Touched;
use protocol::problem::ProblemView;
use tasks::MarkKind;
use trace::Effects;

/// Marks of several answers on one drawing.
pub fn together(all: impl IntoIterator<Item = Marks>) -> Marks {
    let mut sum = Marks::default();
    for marks in all {
        sum.nodes.extend(marks.nodes);
        sum.edges.extend(marks.edges);
    }
    sum
}

/// The marks of a certificate. What holds in an answer that is not right is no answer: it is drawn as
/// what is there and was not asked for.
pub fn of_certificate(marks: &tasks::EvidenceMarks, is_right: bool) -> Marks {
    let mark = |kind: MarkKind| match kind {
        MarkKind::Path => (Mark::Path, None),
        MarkKind::True if is_right => (Mark::True, None),
        MarkKind::True => (Mark::Aside, None),
        MarkKind::False => (Mark::False, None),
        MarkKind::Cut => (Mark::Cut, None),
        MarkKind::Side(side) => (Mark::Side(side), None),
        MarkKind::Order(place) => (Mark::Path, Some((place + 1).to_string())),
    };
    let mut nodes: Vec<(graph::NodeName, Mark, Option<String>)> = marks
        .nodes
        .iter()
        .map(|m| {
            let (drawn, place) = mark(m.kind);
            (m.node.clone(), drawn, m.label.clone().or(place))
        })
        .collect();
    // A path that holds is seen whole: its nodes too.
    let mut known: BTreeSet<(graph::NodeName, Mark)> =
        nodes.iter().map(|(n, m, _)| (n.clone(), *m)).collect();
    for edge in &marks.edges {
        let (drawn, _) = mark(edge.kind);
        if !matches!(drawn, Mark::True | Mark::Aside | Mark::Path) {
            continue;
        }
        for end in [&edge.source, &edge.target] {
            if known.insert((end.clone(), drawn)) {
                nodes.push((end.clone(), drawn, None));
            }
        }
    }
    // A node that a claim holds of is not pointed at besides.
    let holding: BTreeSet<graph::NodeName> = nodes
        .iter()
        .filter(|(_, m, _)| matches!(m, Mark::True | Mark::Aside))
        .map(|(n, ..)| n.clone())
        .collect();
    nodes.retain(|(n, m, tag)| *m != Mark::Path || tag.is_some() || !holding.contains(n));
    Marks {
        nodes,
        edges: marks
            .edges
            .iter()
            .map(|m| {
                let (drawn, _) = mark(m.kind);
                // Only what is wrong carries words on the line: the rest is in the list.
                let label = m.label.clone().filter(|_| drawn == Mark::False);
                (m.source.clone(), m.target.clone(), drawn, label)
            })
            .collect(),
    }
}

/// A problem's graph with marks. A marked edge to a node that the problem does not have is drawn too.
pub fn scene(problem: &ProblemView, drawn: &Marks) -> Scene {
    let outside = |n: &graph::NodeName| !problem.graph.has_node(n);
    if !drawn.edges.iter().any(|(u, v, ..)| outside(u) || outside(v)) {
        return Scene::new(&problem.graph, &problem.places, drawn);
    }
    let mut graph = problem.graph.clone();
    for (u, v, ..) in &drawn.edges {
        let _ = graph.ensure_node(u.clone());
        let _ = graph.ensure_node(v.clone());
    }
    let places = draw::layout(&graph, problem.layout, 1, &problem.places);
    Scene::new(&problem.graph, &places, drawn)
}

/// Names beside their nodes and not in them, behind what is tagged there: where names are long.
pub fn names_beside(mut scene: Scene) -> Scene {
    for node in &mut scene.nodes {
        if !node.label.is_empty() {
            node.put_name_beside();
        }
    }
    scene.arrange();
    scene
}

/// What a function's result points to.
pub fn of_touched(touched: &Touched) -> Marks {
    Marks {
        nodes: touched.nodes.iter().map(|n| (n.clone(), Mark::Path, None)).collect(),
        edges: touched
            .edges
            .iter()
            .map(|(s, t)| (s.clone(), t.clone(), Mark::Path, None))
            .collect(),
    }
}

/// What a call in a trace wrote (amber) or read (blue).
pub fn of_effects(effects: &Effects) -> Marks {
    let mut marks = Marks::default();
    for delta in &effects.deltas {
        match delta {
            Delta::AddNode { node }
            | Delta::SetEmbedding { node, .. }
            | Delta::RenameNode { to: node, .. } => {
                marks.nodes.push((node.clone(), Mark::Written, None));
            }
            Delta::AddEdge { source, target, .. } => {
                marks.edges.push((source.clone(), target.clone(), Mark::Written, None));
            }
            _ => {}
        }
    }
    if effects.deltas.is_empty() {
        for node in &effects.touched.nodes {
            marks.nodes.push((node.clone(), Mark::Read, None));
        }
        for (s, t) in &effects.touched.edges {
            marks.edges.push((s.clone(), t.clone(), Mark::Read, None));
        }
    }
    marks
}
