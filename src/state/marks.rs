//! From what a check or a call points to, to what is drawn.

use std::collections::BTreeSet;

use draw::{Mark, Marks, Scene};
use graph::Delta;
use graph::functions::Touched;
use protocol::problem::ProblemView;
use tasks::{MarkKind, Query, TaskId};
use trace::{Effects, Step, StepBody};

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
        MarkKind::Flow => (Mark::Flow, None),
        MarkKind::Side(side) => (Mark::Side(side), None),
        MarkKind::Pair => (Mark::Pair, None),
        MarkKind::Order(place) => (Mark::Path, Some((place + 1).to_string())),
    };
    let mut nodes: Vec<(graph::NodeName, Mark, Option<String>)> = marks
        .nodes
        .iter()
        .map(|m| {
            let (drawn, place) = match m.kind {
                // A row of an answer is right or wrong by itself, whatever the others are.
                MarkKind::True if m.label.is_some() => (Mark::True, None),
                kind => mark(kind),
            };
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
                // What is wrong carries words on the line, and a flow its amount: the rest is in the list.
                let label = m.label.clone().filter(|_| matches!(drawn, Mark::False | Mark::Flow));
                (m.source.clone(), m.target.clone(), drawn, label)
            })
            .collect(),
    }
}

/// Says at the two ends of a flow which is which.
pub fn name_ends(scene: &mut Scene, query: &Query) {
    if query.task() != TaskId::Flow {
        return;
    }
    let Some((source, sink)) = query.ends() else { return };
    for node in &mut scene.nodes {
        let words = match &node.name {
            name if name == source => "source",
            name if name == sink => "sink",
            _ => continue,
        };
        node.tag.get_or_insert_with(|| words.to_owned());
    }
    scene.arrange();
}

/// A problem's graph with marks. A marked edge to a node that the problem does not have is drawn too.
pub fn scene(problem: &ProblemView, drawn: &Marks) -> Scene {
    let outside = |n: &graph::NodeName| !problem.graph.has_node(n);
    if !drawn.edges.iter().any(|(u, v, ..)| outside(u) || outside(v)) {
        let mut scene = Scene::new(&problem.graph, &problem.places, drawn);
        name_ends(&mut scene, &problem.query);
        return scene;
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

/// What a step of a run wrote or read; nothing where it is no call.
pub fn of_step(step: &Step) -> Marks {
    match &step.body {
        StepBody::Call { effects, .. } => of_effects(effects),
        _ => Marks::default(),
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

#[cfg(test)]
mod tests {
    use graph::Graph;
    use tasks::{Difficulty, EvidenceMarks, MarkKind};

    use super::*;

    fn view(task: TaskId) -> ProblemView {
        let problem = tasks::task(task).generate(Difficulty::Easy, 2);
        let places =
            draw::layout(&problem.graph, draw::suited(&problem.graph), 2, &draw::Places::default());
        ProblemView {
            task,
            difficulty: None,
            seed: None,
            layout: draw::suited(&problem.graph),
            places,
            question: String::new(),
            query: problem.query,
            graph: problem.graph,
        }
    }

    #[test]
    fn a_flow_says_its_amounts_and_its_ends() {
        let problem = view(TaskId::Flow);
        let (source, sink) = problem.query.ends().unwrap();
        let made = tasks::task(TaskId::Flow).generate(Difficulty::Easy, 2);
        let judged = tasks::verify_answer(&made, &tasks::solve(&made));
        let scene = scene(&problem, &of_certificate(&judged.certificate.marks, true));
        let tag = |name: &graph::NodeName| {
            scene.nodes.iter().find(|n| n.name == *name).unwrap().tag.clone()
        };
        assert_eq!((tag(source).as_deref(), tag(sink).as_deref()), (Some("source"), Some("sink")));
        // What leaves the source is what reaches the sink, and no pipe carries more than it can.
        let mut sums = [0.0, 0.0];
        for edge in &scene.edges {
            let label = edge.label.as_deref().unwrap();
            let (amount, capacity) = label.split_once('/').unwrap();
            let [amount, capacity] = [amount, capacity].map(|n| n.parse::<f64>().unwrap());
            assert!(amount <= capacity, "{label}");
            sums[0] += if edge.source == *source { amount } else { 0.0 };
            sums[1] += if edge.target == *sink { amount } else { 0.0 };
        }
        assert!(sums[0] > 0.0 && sums[0] == sums[1], "{sums:?}");
    }

    #[test]
    fn each_node_shows_the_row_that_the_answer_gives() {
        let problem = view(TaskId::Gnn);
        let made = tasks::task(TaskId::Gnn).generate(Difficulty::Easy, 2);
        let mut answer = tasks::solve(&made);
        let tasks::Answer::Gnn(rows) = &mut answer else { panic!("{answer:?}") };
        rows.rows[0].1[0] += 1.0;
        let judged = tasks::verify_answer(&made, &answer);
        let scene = scene(&problem, &of_certificate(&judged.certificate.marks, false));
        let n_wrong = scene.nodes.iter().filter(|n| n.marks == [Mark::False]).count();
        assert_eq!(n_wrong, 1);
        for node in &scene.nodes {
            let words = node.beside().unwrap();
            assert!(words.starts_with('[') && words.contains("] → ["), "{words}");
            assert!(node.marks == [Mark::True] || node.marks == [Mark::False], "{node:?}");
        }
    }

    #[test]
    fn what_holds_in_a_wrong_answer_is_drawn_as_what_was_not_asked() {
        let edge = tasks::EdgeMark {
            source: 0_usize.into(),
            target: 1_usize.into(),
            kind: MarkKind::True,
            label: None,
        };
        let marks = EvidenceMarks { nodes: Vec::new(), edges: vec![edge] };
        let mark = |is_right| of_certificate(&marks, is_right).edges[0].2;
        assert_eq!((mark(true), mark(false)), (Mark::True, Mark::Aside));
        let mut graph = Graph::undirected();
        graph.link(0_usize, 1_usize).unwrap();
        let both = together([of_certificate(&marks, true), of_certificate(&marks, false)]);
        let places = draw::layout(&graph, draw::LayoutKind::Circle, 1, &draw::Places::default());
        assert_eq!(Scene::new(&graph, &places, &both).edges[0].marks, [Mark::True, Mark::Aside]);
    }
}
