//! What the drawing of inline tool calls shows beside the part of the data that was used.

use draw::{Mark, Places, Point, Scene};
use graph::{Graph, NodeName};
use protocol::toolformer::RunView;
use trace::StepBody;

use super::calls_of;

/// A mark on a link of a drawing, with words.
type EdgeMark = (NodeName, NodeName, Mark, Option<String>);

/// Places farther apart from left to right, if names are to stand beside nodes and would stand over
/// one another.
pub fn with_room(places: &Places, graph: &Graph) -> Places {
    /// The width of a character of a name, as distances of nodes are.
    const WIDE: f64 = 6.6;
    /// The height of its line.
    const HIGH: f64 = 18.0;
    /// Wider than so many times nothing is made: the drawing would become a line.
    const MOST: f64 = 4.0;
    if graph.names().all(|name| draw::fits(&name.to_string())) {
        return places.clone();
    }
    // Room for a score before the name, too.
    let width = |n: &NodeName| WIDE * (n.to_string().chars().count().min(26) + 7) as f64;
    let of = |n: &NodeName| Some((n.clone(), places.get(n)?));
    let placed: Vec<(NodeName, Point)> = graph.names().filter_map(of).collect();
    let all: Vec<(Point, f64)> = placed.iter().map(|(n, at)| (*at, width(n))).collect();
    let mut factor = 1.0_f64;
    for (i, (a, a_wide)) in all.iter().enumerate() {
        for (b, b_wide) in &all[i + 1..] {
            let apart = (a.x - b.x).abs();
            if (a.y - b.y).abs() < HIGH && apart > 1.0 {
                factor = factor.max((a_wide + b_wide) / 2.0 / apart);
            }
        }
    }
    let factor = factor.min(MOST);
    let moved = |(n, at): (NodeName, Point)| (n, Point { x: at.x * factor, ..at });
    Places::from(placed.into_iter().map(moved).collect::<Vec<_>>())
}

/// Words on links that models made out stand as other words on links do: they are no faults.
pub fn calm(scene: &mut Scene) {
    for edge in scene.edges.iter_mut().filter(|e| e.is_ghost) {
        edge.label = edge.tag.take();
    }
}

/// Marks on links that models made out up to a step: those that they point to, and that the graph
/// there does not have.
pub fn made_out(run: &RunView, graph: &Graph, at: usize) -> Vec<EdgeMark> {
    let effects = run.trace.steps.iter().take(at).filter_map(|s| match &s.body {
        StepBody::Call { effects, .. } => Some(effects),
        _ => None,
    });
    let has = |a: &NodeName, b: &NodeName| graph.edge(a, b).is_some() || graph.edge(b, a).is_some();
    let mut links: Vec<&(NodeName, NodeName)> = effects
        .flat_map(|e| &e.touched.edges)
        .filter(|(a, b)| graph.has_node(a) && graph.has_node(b) && !has(a, b) && a != b)
        .collect();
    links.dedup();
    // Of many, words on each would hide the drawing.
    let words = (links.len() == 1).then(|| "predicted".to_owned());
    links.into_iter().map(|(a, b)| (a.clone(), b.clone(), Mark::Path, words.clone())).collect()
}

/// Writes beside nodes what the last call that is done weighed them.
pub fn tag_scores(scene: &mut Scene, run: &RunView, at: usize) {
    let done = calls_of(&run.pieces).filter(|c| c.done_at <= at).last();
    let steps = done.into_iter().flat_map(|c| &c.steps);
    let scores = steps.filter(|s| s.weighs_nodes).flat_map(|s| &s.scores);
    for (name, score) in scores {
        let found = scene.nodes.iter_mut().find(|n| n.name.to_string() == *name);
        if let Some(node) = found {
            node.tag = Some(format!("{score:.2}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::toolformer::PieceView;
    use systems::toolformer::Replacement;

    use super::super::tests::call;
    use super::*;

    /// A run over the links a–b and b–c, whose one step points to `touched`.
    fn make_run(touched: &[(&str, &str)], scores: &[(&str, f64)]) -> RunView {
        let name = |n: &str| NodeName::from(n);
        let deltas = vec![
            graph::Delta::Create { directed: false, weighted: false },
            graph::Delta::AddNode { node: name("a") },
            graph::Delta::AddNode { node: name("b") },
            graph::Delta::AddNode { node: name("c") },
            graph::Delta::AddEdge {
                source: name("a"),
                target: name("b"),
                weight: None,
                capacity: None,
            },
            graph::Delta::AddEdge {
                source: name("b"),
                target: name("c"),
                weight: None,
                capacity: None,
            },
        ];
        let edges = touched.iter().map(|(a, b)| (name(a), name(b))).collect();
        let touched = graph::functions::Touched { nodes: Vec::new(), edges };
        let body = StepBody::Call {
            call: llm::ToolCall { id: "0".into(), name: "GR".into(), arguments: "{}".into() },
            result: trace::ToolResult::Value { value: "c".into(), notes: Vec::new() },
            effects: trace::Effects { deltas, touched },
            told: None,
        };
        let mut trace = trace::Trace::new("toolformer", "you".to_owned(), Vec::new());
        trace.steps.push(trace::Step { at_ms: 0.0, took_ms: 0.0, by_person: false, body });
        let mut of =
            call(r#"[GR(GL("w"), "transe:tail_entity", a#a, r#r)-->r]"#, Replacement::Result);
        of.done_at = 1;
        of.steps.push(protocol::toolformer::StepView {
            call: "GR".into(),
            result: Some("c".into()),
            notes: Vec::new(),
            scores: scores.iter().map(|(n, s)| ((*n).to_owned(), *s)).collect(),
            weighs_nodes: true,
            hits: Vec::new(),
        });
        RunView {
            trace,
            text: String::new(),
            pieces: vec![PieceView::Call(Box::new(of))],
            memory: Vec::new(),
            places: Vec::new(),
        }
    }

    #[test]
    fn what_a_model_makes_out_is_marked_and_what_the_data_have_is_not() {
        let of = |touched: &[(&str, &str)]| {
            let run = make_run(touched, &[]);
            made_out(&run, &run.trace.graph_after(1).unwrap(), 1)
        };
        let predicted = of(&[("a", "c"), ("b", "a")]);
        assert_eq!(predicted.len(), 1, "b–a is in the data");
        assert_eq!(predicted[0], ("a".into(), "c".into(), Mark::Path, Some("predicted".into())));
        assert!(of(&[("a", "nobody"), ("a", "a")]).is_empty());
        let run = make_run(&[("a", "c")], &[]);
        assert!(made_out(&run, &run.trace.graph_after(1).unwrap(), 0).is_empty(), "not yet");
    }

    #[test]
    fn what_was_weighed_stands_beside_its_node() {
        let run = make_run(&[], &[("c", 0.8349), ("elsewhere", 0.1)]);
        let graph = run.trace.graph_after(1).unwrap();
        let places = draw::layout(&graph, draw::LayoutKind::Force, 1, &Places::default());
        let tags_of = |run: &RunView, at: usize| -> Vec<(String, Option<String>)> {
            let mut scene = Scene::new(&graph, &places, &draw::Marks::default());
            tag_scores(&mut scene, run, at);
            scene.nodes.into_iter().map(|n| (n.name.to_string(), n.tag)).collect()
        };
        let tags = |at: usize| tags_of(&run, at);
        assert!(tags(0).iter().all(|t| t.1.is_none()), "nothing is done yet");
        let tagged: Vec<_> = tags(1).into_iter().filter(|t| t.1.is_some()).collect();
        assert_eq!(tagged, [("c".to_owned(), Some("0.83".to_owned()))]);
        // A class may be called as a node is, and is none.
        let mut of_classes = run.clone();
        if let PieceView::Call(call) = &mut of_classes.pieces[0] {
            call.steps[0].weighs_nodes = false;
        }
        assert!(tags_of(&of_classes, 1).iter().all(|t| t.1.is_none()));
    }

    #[test]
    fn names_that_would_stand_over_one_another_get_room() {
        let mut graph = Graph::default();
        let names = ["domestic_animal.n.01", "dog.n.01", "cat.n.01"].map(NodeName::from);
        for name in &names {
            graph.ensure_node(name.clone()).unwrap();
        }
        let at = [(0.0, 0.0), (60.0, 5.0), (10.0, 200.0)];
        let places: Vec<(NodeName, Point)> =
            names.iter().cloned().zip(at.map(|(x, y)| Point { x, y })).collect();
        let wide = with_room(&Places::from(places.clone()), &graph);
        let x = |i: usize| wide.get(&names[i]).unwrap().x;
        assert!(x(1) - x(0) > 120.0, "beside each other: {}", x(1) - x(0));
        assert!(x(1) - x(0) <= 240.0 && wide.get(&names[2]).unwrap().y == 200.0);
        let short = ["a", "b", "c"].map(NodeName::from);
        let mut graph = Graph::default();
        let mut near = Vec::new();
        for (name, (x, y)) in short.iter().zip(at) {
            graph.ensure_node(name.clone()).unwrap();
            near.push((name.clone(), Point { x, y }));
        }
        let near = Places::from(near);
        assert_eq!(with_room(&near, &graph), near, "names in circles need none");
    }

    #[test]
    fn words_on_what_is_made_out_are_no_faults() {
        let run = make_run(&[("a", "c")], &[]);
        let graph = run.trace.graph_after(1).unwrap();
        let places = draw::layout(&graph, draw::LayoutKind::Force, 1, &Places::default());
        let marks = draw::Marks { nodes: Vec::new(), edges: made_out(&run, &graph, 1) };
        let mut scene = Scene::new(&graph, &places, &marks);
        calm(&mut scene);
        let ghosts: Vec<_> = scene.edges.iter().filter(|e| e.is_ghost).collect();
        assert_eq!(ghosts.len(), 1);
        assert_eq!(
            (ghosts[0].label.as_deref(), ghosts[0].tag.as_deref()),
            (Some("predicted"), None)
        );
    }
}
