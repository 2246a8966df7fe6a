use agent::{Cancel, Limits};
use futures_util::FutureExt;
use trace::ToolResult;

use super::*;
use llm::Part;

use crate::toolformer::data::Data;
use crate::toolformer::files::{CallFiles, FileData, read};
use crate::toolformer::hubs::{DatasetKind, Hubs};
use crate::toolformer::{Mode, Replacement};

fn run(executor: &RefCell<Executor>, text: &str) -> Written {
    let clock = || 0.0;
    let cancel = Cancel::default();
    let limits = Limits::default();
    let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let mut seen = Vec::new();
    let statement = Statement::of_person(text);
    let written =
        FutureExt::now_or_never(write(executor, &(), text, &statement, setting, &mut |step| {
            seen.push(step.clone())
        }))
        .unwrap();
    assert_eq!(seen, written.trace.steps, "each step is handed on as it comes");
    written
}

fn executor() -> RefCell<Executor> {
    RefCell::new(Executor::new(Hubs::new().unwrap(), Mode::Ours))
}

fn names(written: &Written) -> Vec<(String, bool)> {
    let call = |step: &Step| match &step.body {
        StepBody::Call { call, result, .. } => {
            Some((call.name.clone(), matches!(result, ToolResult::Value { .. })))
        }
        _ => None,
    };
    written.trace.steps.iter().filter_map(call).collect()
}

#[test]
fn each_call_is_a_step_and_the_graph_is_drawn() {
    let executor = executor();
    let text = r#"It has [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r] nodes."#;
    let written = run(&executor, text);
    assert_eq!(written.ran.as_ref().unwrap().text, "It has 5 nodes.");
    assert_eq!(names(&written), [("GL".to_owned(), true), ("GR".to_owned(), true)]);
    assert_eq!(written.done_at, [3]);
    let graph = written.trace.graph_after(written.trace.steps.len()).unwrap();
    assert_eq!((graph.n_nodes(), graph.n_edges()), (5, 5));
    // The same again is remembered: one step, from the memory.
    let again = run(&executor, text);
    assert_eq!(names(&again), [("GR".to_owned(), true)]);
    let graph = again.trace.graph_after(again.trace.steps.len()).unwrap();
    assert_eq!(graph.n_nodes(), 5, "the graph is remembered too");
}

#[test]
fn another_graph_takes_the_place_of_the_last() {
    let text = r#"[GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r] and
        [GR(GL("gpr", {"diamond_graph"}), "toolx:order")-->r]"#;
    let written = run(&executor(), text);
    assert_eq!(written.done_at, [3, 5]);
    assert_eq!(written.trace.graph_after(3).unwrap().n_nodes(), 5);
    assert_eq!(written.trace.graph_after(5).unwrap().n_nodes(), 4);
}

#[test]
fn a_mistake_is_a_step_and_the_rest_stands() {
    let text = r#"One [GR(GL("gpr", {"bull_graph"}), "nobody:order")-->r], two
        [GR(GL("cora"), "toolx:order")-->r], three [GR(GL("gpr", {"bull_graph"}, and four
        [GR(GL("gpr", {"bull_graph"}), "toolx:size")-->r]."#;
    let written = run(&executor(), text);
    let ran = written.ran.as_ref().unwrap();
    let places: Vec<Replacement> = ran.calls().map(|c| c.place).collect();
    assert_eq!(places.last(), Some(&Replacement::Result));
    assert!(places[..places.len() - 1].iter().all(|p| *p == Replacement::Itself));
    assert_eq!(written.done_at.len(), places.len());
    let codes: Vec<String> = written
        .trace
        .steps
        .iter()
        .filter_map(|s| match &s.body {
            StepBody::Call { result: ToolResult::Error(e), .. } => Some(e.code.clone()),
            _ => None,
        })
        .collect();
    assert!(codes.contains(&"unknown_domain".to_owned()), "{codes:?}");
    assert!(codes.contains(&"no_data".to_owned()), "{codes:?}");
}

#[test]
fn a_large_graph_is_drawn_where_it_was_looked_at() {
    let mut ring = graph::Graph::undirected();
    for i in 0..500_i64 {
        ring.link(i, (i + 1) % 500).unwrap();
    }
    let hubs = Hubs::new().unwrap().with_data("ring", DatasetKind::Social, Data::network(ring));
    let executor = RefCell::new(Executor::new(hubs, Mode::Ours));
    let text = r#"[GR(GL("ring"), "toolx:order")-->r]"#;
    let written = run(&executor, text);
    let n = written.trace.steps.len();
    assert_eq!(written.trace.graph_after(n).unwrap().n_nodes(), 0);
    assert_eq!(written.ran.unwrap().text, "500");
    let whole = executor.borrow().hubs().data("ring").unwrap();
    let (name, kind, data) = whole;
    let loaded =
        std::rc::Rc::new(crate::toolformer::Loaded { name, kind, data, notes: Vec::new() });
    let mut drawn = part::Drawn::default();
    let nodes = (0..200_i64).map(graph::NodeName::from).collect();
    // A link that a model makes out is not in the data.
    let edges = vec![(graph::NodeName::from(3_i64), graph::NodeName::from(40_i64))];
    let deltas = drawn.used(&loaded, None, &graph::functions::Touched { nodes, edges });
    let part = graph::Graph::from_deltas(&deltas).unwrap();
    assert_eq!((part.n_nodes(), part.n_edges()), (MAX_NODES, MAX_NODES - 1));
}

#[test]
fn a_model_is_told_the_functions_and_examples_but_not_the_answer() {
    let hubs = Hubs::new().unwrap();
    let pairs = crate::toolformer::prompts::make(&hubs, "gpr", 30, 1).unwrap();
    for pair in pairs {
        let messages = prompt(&hubs, &pair.input);
        assert!(messages[0].content.contains("toolx:eccentricity"));
        assert_eq!(messages.last().unwrap().content, pair.input);
        assert!(messages.len() > 4);
        let (_, before) = messages.split_last().unwrap();
        assert!(before.iter().all(|m| m.content != pair.input));
    }
}

/// Says that it looked at the first three atoms of whatever it is asked about.
struct Looks;

impl crate::toolformer::Reasoner for Looks {
    fn reason(
        &self,
        _: &crate::toolformer::ReasonerRequest<'_>,
    ) -> Result<crate::toolformer::Reasoned, crate::toolformer::CallError> {
        let nodes = (0..3_i64).map(graph::NodeName::from).collect();
        let looked_at = graph::functions::Touched { nodes, edges: Vec::new() };
        Ok(crate::toolformer::Reasoned { looked_at, ..crate::toolformer::Reasoned::new("1") })
    }
}

#[test]
fn of_many_molecules_the_one_that_is_asked_about_is_drawn() {
    let hubs = Hubs::new().unwrap().with_model("seg_bert", std::rc::Rc::new(Looks)).unwrap();
    let executor = RefCell::new(Executor::new(hubs, Mode::Ours));
    let text = r#"[GR(GL("molecules"), "seg_bert:molecule_function", instance#3)-->r] and
        [GR(GL("molecules"), "seg_bert:molecule_function", instance#4)-->r]"#;
    let written = run(&executor, text);
    assert_eq!(written.done_at, [3, 5]);
    for at in written.done_at {
        let graph = written.trace.graph_after(at).unwrap();
        assert_eq!(graph.n_nodes(), 3);
        assert!(graph.n_edges() >= 2, "atoms that follow each other are bound");
    }
}

#[test]
fn a_code_fence_around_the_statement_is_no_part_of_it() {
    let statement = "It has [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r] nodes.";
    for said in [
        statement.to_owned(),
        format!("```\n{statement}\n```"),
        format!("  ```text\n{statement}\n```\n"),
    ] {
        assert_eq!(unfenced(&said), statement, "{said:?}");
    }
    // Fences inside, and fences around nothing, are what was said.
    for said in ["```a```", "```\n\n```", "```\na\n```\nb\n```\nc\n```"] {
        assert_eq!(unfenced(said), said);
    }
}

#[test]
fn what_a_model_weighed_is_in_the_trace() {
    let scores: Vec<(String, f64)> =
        ["a", "b", "c", "d", "e", "f"].iter().map(|n| ((*n).to_owned(), 0.5)).collect();
    let words = steps::weighed(&scores[..2]).unwrap();
    assert_eq!(words, "weighed: a 0.5000, b 0.5000");
    assert!(steps::weighed(&scores).unwrap().ends_with("e 0.5000 and 1 more"));
    assert_eq!(steps::weighed(&[]), None);
}

/// A model that says its answer in pieces, and what happened in which order.
struct Streaming<'l> {
    pieces: Vec<&'static str>,
    log: &'l RefCell<Vec<String>>,
}

impl Model for Streaming<'_> {
    fn label(&self) -> String {
        "streaming".into()
    }

    fn complete<'a>(
        &'a self,
        _: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        Box::pin(async move {
            for piece in &self.pieces {
                self.log.borrow_mut().push((*piece).to_owned());
                watch.part(Part::Text { text: (*piece).to_owned() });
            }
            let message = Message::assistant(self.pieces.concat());
            Ok(ChatResponse { message, finish: FinishReason::Stop, usage: Usage::default() })
        })
    }
}

/// Writes down what it is asked for; nothing more can be had.
struct Wanting<'l>(&'l RefCell<Vec<String>>);

impl Supply for Wanting<'_> {
    fn begin(&self, needed: &Needed) {
        let model = needed.model.unwrap_or("data");
        self.0.borrow_mut().push(format!("want {model} for {}", needed.dataset));
    }

    fn settled(&self) -> BoxFuture<'_, ()> {
        self.0.borrow_mut().push("settled".to_owned());
        Box::pin(std::future::ready(()))
    }
}

#[test]
fn a_model_is_wanted_while_the_statement_still_streams() {
    let log = RefCell::new(Vec::new());
    let executor = executor();
    let pieces = vec!["It is [GR(GL(\"papers\"), ", "\"graph_bert:topic\", paper#3)-->r]", "."];
    let model = Streaming { pieces: pieces.clone(), log: &log };
    let (clock, cancel, limits) = (|| 0.0, Cancel::default(), Limits::default());
    let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
    let wanting = Wanting(&log);
    let written =
        FutureExt::now_or_never(write(&executor, &wanting, "?", &model, setting, &mut |_| ()));
    let ran = written.unwrap().ran.unwrap();
    assert!(ran.calls().all(|call| call.error.is_some()));
    let want = "want graph_bert for papers";
    // Once as soon as its call is whole, and once more of the whole statement.
    assert_eq!(log.take(), [pieces[0], pieces[1], want, pieces[2], want, "settled"]);
}

struct Logged(std::rc::Rc<RefCell<Vec<String>>>);

impl CallFiles for Logged {
    fn load(&self, steps: &[&str]) -> Result<FileData, String> {
        self.0.borrow_mut().push(format!("load {}", steps.join("/")));
        read("roads.txt", "a b\nb c\n")
    }

    fn paths(&self, _: usize) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn a_file_is_loaded_while_the_statement_still_streams() {
    let log = std::rc::Rc::new(RefCell::new(Vec::new()));
    let said = |pieces: &[&'static str], mode: Mode| -> (Vec<String>, String) {
        log.borrow_mut().clear();
        let hubs = Hubs::new().unwrap().with_files(std::rc::Rc::new(Logged(log.clone())));
        let executor = RefCell::new(Executor::new(hubs, mode));
        let model = Streaming { pieces: pieces.to_vec(), log: &log };
        let (clock, cancel, limits) = (|| 0.0, Cancel::default(), Limits::default());
        let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
        let written = FutureExt::now_or_never(write(
            &executor,
            &(),
            "How many?",
            &model,
            setting,
            &mut |_| (),
        ));
        let text = written.unwrap().ran.unwrap().text;
        (log.borrow().clone(), text)
    };
    let pieces = ["There are [GR(GL(\"roads", ".txt\"", "), \"toolx:order\")-->r]", " towns."];
    let (order, text) = said(&pieces, Mode::Ours);
    assert_eq!(text, "There are 3 towns.");
    // It is asked for once its name is whole, and once more by the call.
    let wanted = [pieces[0], pieces[1], "load roads.txt", pieces[2], pieces[3], "load roads.txt"];
    assert_eq!(order, wanted);
    // What leads out of the folder is never asked for, what is at hand neither, and the public code
    // knows no files.
    let (order, _) = said(&["[GL(\"../roads.txt\")] [GL(\"gpr\")]"], Mode::Ours);
    assert_eq!(order.len(), 1, "{order:?}");
    let (order, _) = said(&pieces, Mode::Reference);
    assert_eq!(order.len(), 4, "{order:?}");
}
