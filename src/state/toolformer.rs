//! What the page of calls in text knows without a browser.

use draw::{Mark, Places, Scene};
use engine::toolformer::{CallView, PieceView, RunView};
use graph::{Graph, NodeName};
use systems::toolformer::{Bracket, Call, Output, Place, Shown, Value};
use trace::StepBody;

use super::marks;

/// Who writes, where a person does.
pub const PERSON: &str = "person";
/// Who writes, where the endpoint in use does.
pub const ENDPOINT: &str = "endpoint";
/// The statement that stands in the field when the page is opened.
pub const FIRST: &str = "The bull graph has [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r] nodes, and its radius is [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:radius\")-->r].";

/// A mark on a link of a drawing, with words.
type EdgeMark = (NodeName, NodeName, Mark, Option<String>);

/// Whether a file holds weights rather than data.
pub fn is_weights(name: &str) -> bool {
    name.to_lowercase().ends_with(".safetensors")
}

/// What the working memory held after so many steps.
pub fn memory_at(run: &RunView, at: usize) -> &[Shown] {
    let now = run.memory.iter().rev().find(|(after, _)| *after <= at);
    now.map(|(_, memory)| memory.as_slice()).unwrap_or_default()
}

/// The places that hold after so many steps, and up to which step they do.
pub fn places_at(run: &RunView, at: usize) -> Option<(&Places, usize)> {
    let now = run.places.iter().rposition(|(from, _)| *from <= at)?;
    let end = run.places.get(now + 1).map_or(run.trace.steps.len(), |(from, _)| from - 1);
    Some((&run.places[now].1, end))
}

/// Names stand above their nodes where one of them is too long to stand in its circle.
pub fn named(scene: Scene) -> Scene {
    const MOST: usize = 4;
    let is_long = scene.nodes.iter().any(|n| n.label.chars().count() > MOST);
    if is_long { marks::names_above(scene) } else { scene }
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
    let scores = done.into_iter().flat_map(|c| &c.steps).flat_map(|s| &s.scores);
    for (name, score) in scores {
        let found = scene.nodes.iter_mut().find(|n| n.name.to_string() == *name);
        if let Some(node) = found {
            node.tag = Some(format!("{score:.2}"));
        }
    }
}

/// A number with at most four places, for people; what is no number stays as it is.
pub fn rounded(truth: &str) -> String {
    match truth.parse::<f64>() {
        Ok(n) if truth.contains('.') => {
            let places = format!("{n:.4}");
            places.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => truth.to_owned(),
    }
}

/// What a person is told of a statement while it is typed, and whether it is a fault.
pub fn told(pieces: &[PieceView]) -> (bool, String) {
    let calls: Vec<&CallView> = calls_of(pieces).collect();
    let fault = calls.iter().enumerate().find_map(|(i, c)| c.error.as_ref().map(|e| (i, e)));
    match (fault, calls.len()) {
        (Some((i, error)), _) => (true, format!("Call {} cannot be read: {error}", i + 1)),
        (None, 0) => {
            (false, "No call in it: [GR(…)-->r] stands where a result is to stand.".to_owned())
        }
        (None, 1) => (false, "One call, which can be read.".to_owned()),
        (None, n) => (false, format!("{n} calls, all of which can be read.")),
    }
}

/// What stands in a bracket's place in the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chip {
    /// It has not run yet.
    Waiting(String),
    /// Its result.
    Result(String),
    /// It is silent: nothing, once it has run.
    Silent(String),
    /// It failed, and stands as it was.
    Failed(String),
}

/// A bracket as a chip after so many steps; `keeps` leaves the call where its result would stand.
pub fn chip(call: &CallView, at: usize, keeps: bool) -> Chip {
    let short = || shortened(call);
    if at < call.done_at {
        return Chip::Waiting(short());
    }
    match call.place {
        Place::Itself => Chip::Failed(short()),
        Place::Nothing => Chip::Silent(short()),
        Place::Result if keeps => Chip::Result(format!("{} → {}", short(), call.result)),
        Place::Result => Chip::Result(call.result.clone()),
    }
}

/// A call in a few words: `toolx:order`, or `GL cora`; what cannot be read, as it was written.
pub fn shortened(call: &CallView) -> String {
    let Some(bracket) = &call.bracket else { return cut(&call.source, 40) };
    let name = |call: &Call| {
        let texts: Vec<String> = call.arguments.iter().filter_map(Value::words).collect();
        let asked = texts.iter().find(|t| t.contains(':')).or(texts.first());
        let what = asked.cloned().unwrap_or_default();
        match call.api {
            systems::toolformer::Api::Load => format!("GL {what}"),
            systems::toolformer::Api::Reason => what,
        }
    };
    cut(&bracket.calls.iter().map(name).collect::<Vec<_>>().join(", "), 40)
}

fn cut(text: &str, most: usize) -> String {
    let mut out: String = text.chars().take(most).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// A part of a parse tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// What sort of part it is.
    pub kind: &'static str,
    /// Its words.
    pub words: String,
    /// Its parts.
    pub parts: Vec<Self>,
}

/// A bracket as a tree.
pub fn tree(bracket: &Bracket) -> Vec<Branch> {
    let leaf = |kind, words: String| Branch { kind, words, parts: Vec::new() };
    let mut all: Vec<Branch> = bracket.calls.iter().map(branch_of).collect();
    if let Some(tag) = &bracket.tag {
        let words = match &tag.output {
            Output::Result => "the result stands here".to_owned(),
            Output::Value(claimed) => format!("the result stands here; {claimed} is claimed"),
            Output::Name(name) => format!("named {name} for later calls"),
        };
        all.push(leaf("tag", format!("{} {words}", tag.arrow.text())));
    } else {
        all.push(leaf("tag", "silent: nothing stands here".to_owned()));
    }
    all
}

fn branch_of(call: &Call) -> Branch {
    let words = match call.api {
        systems::toolformer::Api::Load => "GL, graph loading",
        systems::toolformer::Api::Reason => "GR, graph reasoning",
    };
    let parts = call.arguments.iter().map(value_branch).collect();
    Branch { kind: "call", words: words.to_owned(), parts }
}

fn value_branch(value: &Value) -> Branch {
    let leaf = |kind, words: String| Branch { kind, words, parts: Vec::new() };
    let several = |kind, all: &[Value]| Branch {
        kind,
        words: match all.len() {
            1 => "1 element".to_owned(),
            n => format!("{n} elements"),
        },
        parts: all.iter().take(40).map(value_branch).collect(),
    };
    match value {
        Value::Call(call) => branch_of(call),
        Value::Text(text) => {
            leaf(if text.contains(':') { "function" } else { "text" }, text.clone())
        }
        Value::Set(all) => several("set", all),
        Value::Tuple(all) => several("tuple", all),
        Value::Reference { kind, id } => leaf("reference", format!("{kind} {id}")),
        Value::Number(n) => leaf("number", n.to_string()),
        Value::Name(name) => leaf("name", name.clone()),
    }
}

/// The brackets among the pieces of a statement.
pub fn calls_of(pieces: &[PieceView]) -> impl Iterator<Item = &CallView> {
    pieces.iter().filter_map(|p| match p {
        PieceView::Call(call) => Some(call.as_ref()),
        PieceView::Text(_) => None,
    })
}

/// Data and weights that lie beside the page.
#[derive(Debug)]
pub struct Beside {
    /// A stable id.
    pub id: &'static str,
    /// What it is for people.
    pub title: &'static str,
    /// What it is good for, and how large it is.
    pub lede: &'static str,
    /// Its files, data before weights.
    pub paths: &'static [&'static str],
}

/// All of them.
pub static BESIDE: [Beside; 5] = [
    Beside {
        id: "papers",
        title: "Graph-Bert for papers",
        lede: "topics of generated papers, 160 KB",
        paths: &["assets/models/toolformer/graph_bert-papers.safetensors"],
    },
    Beside {
        id: "molecules",
        title: "SEG-Bert for molecules",
        lede: "classes of generated molecules, 96 KB",
        paths: &["assets/models/toolformer/seg_bert-molecules.safetensors"],
    },
    Beside {
        id: "films",
        title: "BPR for films",
        lede: "what people may like, 34 KB",
        paths: &["assets/models/toolformer/bpr-films.safetensors"],
    },
    Beside {
        id: "family",
        title: "TransE for the family",
        lede: "missing facts of a generated family, 57 KB",
        paths: &["assets/models/toolformer/transe-family.safetensors"],
    },
    Beside {
        id: "wordnet",
        title: "WordNet and TransE",
        lede: "its most used nouns and their missing facts, 1 MB",
        paths: &[
            "assets/kgs/wordnet/graph.jsonl.gz",
            "assets/models/toolformer/transe-wordnet.safetensors",
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use systems::toolformer::{CallError, Segment, parse};

    fn call(source: &str, place: Place) -> CallView {
        let site = parse(source).into_iter().find_map(|s| match s {
            Segment::Site(site) => Some(site),
            Segment::Text(_) => None,
        });
        CallView {
            source: source.to_owned(),
            bracket: site.and_then(|s| s.bracket.ok()),
            place,
            result: "5".to_owned(),
            error: None,
            steps: Vec::new(),
            done_at: 3,
        }
    }

    #[test]
    fn a_chip_waits_until_its_call_is_done() {
        let source = r#"[GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r]"#;
        let gives = call(source, Place::Result);
        assert_eq!(chip(&gives, 2, false), Chip::Waiting("toolx:order".into()));
        assert_eq!(chip(&gives, 3, false), Chip::Result("5".into()));
        assert_eq!(chip(&gives, 3, true), Chip::Result("toolx:order → 5".into()));
        let failed = call("[GR(GL(\"gpr\"", Place::Itself);
        assert_eq!(chip(&failed, 3, false), Chip::Failed("[GR(GL(\"gpr\"".into()));
        let silent = call("[GL(\"cora\")]", Place::Nothing);
        assert_eq!(chip(&silent, 3, true), Chip::Silent("GL cora".into()));
    }

    #[test]
    fn a_tree_has_the_inner_call_in_the_outer_one() {
        let of = call(r#"[GR(GL("cora"), "graph_bert:topic", paper#7)-->r]"#, Place::Result);
        let tree = tree(&of.bracket.unwrap());
        assert_eq!(tree.len(), 2, "the call and its tag");
        let kinds: Vec<&str> = tree[0].parts.iter().map(|b| b.kind).collect();
        assert_eq!(kinds, ["call", "function", "reference"]);
        assert_eq!(tree[0].parts[0].parts[0].words, "cora");
    }

    #[test]
    fn what_cannot_be_read_is_told_while_it_is_typed() {
        let good = || PieceView::Call(Box::new(call("[GL(\"cora\")]", Place::Nothing)));
        assert!(told(&[PieceView::Text("No call.".into())]).1.starts_with("No call in it"));
        assert_eq!(told(&[good()]), (false, "One call, which can be read.".into()));
        let source = "[GR(GL(\"gpr\", {\"bull_graph\"), \"toolx:order\")-->r]";
        let error = parse(source).into_iter().find_map(|s| match s {
            Segment::Site(site) => site.bracket.err(),
            Segment::Text(_) => None,
        });
        let error = CallError::Syntax { error: error.unwrap() };
        let bad = CallView { error: Some(error), ..call(source, Place::Itself) };
        let (is_fault, words) = told(&[good(), PieceView::Call(Box::new(bad))]);
        assert!(is_fault && words.starts_with("Call 2 cannot be read"), "{words}");
    }

    /// A run over the links a–b and b–c, whose one step points to `touched`.
    fn ran(touched: &[(&str, &str)], scores: &[(&str, f64)]) -> RunView {
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
        let mut of = call(r#"[GR(GL("w"), "transe:tail_entity", a#a, r#r)-->r]"#, Place::Result);
        of.done_at = 1;
        of.steps.push(engine::toolformer::StepView {
            call: "GR".into(),
            result: Some("c".into()),
            notes: Vec::new(),
            scores: scores.iter().map(|(n, s)| ((*n).to_owned(), *s)).collect(),
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
            let run = ran(touched, &[]);
            made_out(&run, &run.trace.graph_after(1).unwrap(), 1)
        };
        let predicted = of(&[("a", "c"), ("b", "a")]);
        assert_eq!(predicted.len(), 1, "b–a is in the data");
        assert_eq!(predicted[0], ("a".into(), "c".into(), Mark::Path, Some("predicted".into())));
        assert!(of(&[("a", "nobody"), ("a", "a")]).is_empty());
        let run = ran(&[("a", "c")], &[]);
        assert!(made_out(&run, &run.trace.graph_after(1).unwrap(), 0).is_empty(), "not yet");
    }

    #[test]
    fn what_was_weighed_stands_beside_its_node() {
        let run = ran(&[], &[("c", 0.8349), ("elsewhere", 0.1)]);
        let graph = run.trace.graph_after(1).unwrap();
        let places = draw::layout(&graph, draw::LayoutKind::Force, 1, &Places::default());
        let tags = |at: usize| -> Vec<(String, Option<String>)> {
            let mut scene = Scene::new(&graph, &places, &draw::Marks::default());
            tag_scores(&mut scene, &run, at);
            scene.nodes.into_iter().map(|n| (n.name.to_string(), n.tag)).collect()
        };
        assert!(tags(0).iter().all(|t| t.1.is_none()), "nothing is done yet");
        let tagged: Vec<_> = tags(1).into_iter().filter(|t| t.1.is_some()).collect();
        assert_eq!(tagged, [("c".to_owned(), Some("0.83".to_owned()))]);
    }

    #[test]
    fn long_names_stand_above_their_circles_and_short_ones_in_them() {
        let mut graph = Graph::default();
        for name in ["Aba", "Abc"] {
            graph.ensure_node(NodeName::from(name)).unwrap();
        }
        let drawn = |graph: &Graph| {
            let places = draw::layout(graph, draw::LayoutKind::Force, 1, &Places::default());
            named(Scene::new(graph, &places, &draw::Marks::default()))
        };
        assert!(drawn(&graph).nodes.iter().all(|n| n.tag.is_none() && n.label.len() == 3));
        graph.ensure_node(NodeName::from("domestic animal")).unwrap();
        let scene = drawn(&graph);
        assert!(scene.nodes.iter().all(|n| n.label.is_empty()));
        assert!(scene.nodes.iter().any(|n| n.tag.as_deref() == Some("domestic animal")));
    }

    #[test]
    fn what_is_true_is_rounded_for_people() {
        let all = ["0.7142857142857143", "4.626373626373627", "12", "2.0", "{12, 31}", "#p3"];
        let short: Vec<String> = all.iter().map(|t| rounded(t)).collect();
        assert_eq!(short, ["0.7143", "4.6264", "12", "2", "{12, 31}", "#p3"]);
    }

    #[test]
    fn weights_are_told_from_data_by_their_ending() {
        assert!(is_weights("BPR-films.SafeTensors"));
        assert!(!is_weights("cora.jsonl.gz"));
    }
}
