//! Our own small model: its weights come from the page once, it solves with tools, it is stopped between
//! tokens, and says what it does not read.

use std::collections::BTreeSet;
use std::path::Path;

use agent::Limits;
use engine::Attachments;
use graph::{Delta, Graph, NodeName};
use llm::Message;
use protocol::free::AskFreely;
use protocol::page::SendWeights;
use protocol::problem::RewordProblem;
use protocol::runs::{LookInside, ModelChoice, OwnWeights, ProblemRun, StartRun};
use protocol::{Control, Service};
use systems::free::Standing;
use systems::grounded::Composing;
use systems::grounded::Surface;
use tasks::{Style, TaskId, Verdict, Wording};
use trace::Stop;

use crate::page::*;

pub(crate) fn weights() -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read(root.join(OwnWeights::Problems.path())).unwrap()
}

/// Plays a request that waits for the weights, and sends these.
pub(crate) fn play<S: Service>(page: &mut Page, ask: S, weights: Vec<u8>) -> Vec<Event> {
    let (ask, SendWeights { weights: wanted }) = waits(&page.play(ask));
    let beside = Attachments::new(vec![(wanted.path().to_owned(), weights)]);
    page.answer_with::<SendWeights>(1, ask, &(), beside);
    page.settle();
    page.events(1)
}

fn asks(events: &[Event]) -> usize {
    events.iter().filter_map(question::<SendWeights>).count()
}

#[test]
fn it_solves_with_tools_and_its_weights_come_once() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Connectivity, 7);
    let events = page.play(run("grounded", &problem, ModelChoice::Own));
    assert_eq!((events.len(), asks(&events)), (1, 1), "it waits for the page: {events:?}");
    page.tell(1, Control::Cancel);
    page.settle();
    page.events(1);
    let mut events = play(&mut page, run("grounded", &problem, ModelChoice::Own), weights());
    let said = events.iter().any(|e| matches!(e, Event::Parts { .. }));
    let made = run_of(&mut events);
    assert!(said, "what it says comes while it says it");
    assert_eq!(made.outcome.verdict, Verdict::Correct);
    assert_eq!(made.trace.model, "our own small model (on this machine)");
    assert!(made.trace.n_calls() > 0);
    // The engine has the model now.
    let mut events = page.play(run("standalone", &problem, ModelChoice::Own));
    assert_eq!(asks(&events), 0);
    assert!(run_of(&mut events).trace.answer().is_some());
}

#[test]
fn it_tells_how_an_answer_comes_about() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::ShortestPath, 7);
    let mut events = play(&mut page, run("standalone", &problem, ModelChoice::Own), weights());
    let answer = run_of(&mut events).trace.answer().unwrap().to_owned();
    let question = problem.question.clone();
    let looked = page.ask(look(&question, &answer)).0;
    assert_eq!(looked.pieces[looked.n_question..].concat(), answer);
    assert_eq!(looked.pieces[..looked.n_question].concat(), problem.question);
    // Every edge of the question is among the pairs.
    let is_named = |u: &NodeName, v: &NodeName| {
        looked.pairs.iter().any(|pair| pair.nodes == [u.to_string(), v.to_string()])
    };
    for edge in problem.graph.edges() {
        let (u, v) = (edge.source, edge.target);
        assert!(is_named(u, v) || is_named(v, u), "{u} {v}");
    }
    let question = "Quelle heure est-il donc à Bruxelles, s'il vous plaît?".to_owned();
    assert!(page.refused(look(&question, &answer)).contains("this small model knows"));
}

/// Asks how an answer without tools comes about.
pub(crate) fn look(question: &str, answer: &str) -> LookInside {
    LookInside {
        before: vec![Message::user(question)],
        said: Box::new(Message::assistant(answer)),
        has_tools: false,
    }
}

#[test]
fn a_stop_is_heard_between_tokens() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Connectivity, 7);
    play(&mut page, run("standalone", &problem, ModelChoice::Own), weights());
    // A clock that lets messages in behind every token.
    page.host.tick_ms.set(10.0);
    let ask = run("grounded", &problem, ModelChoice::Own);
    let mut events = page.play_and_stop(ask, Attachments::default(), 5);
    assert_eq!(run_of(&mut events).trace.stop, Some(Stop::Cancelled));
    // So is one while the weights are on their way.
    let mut page = Page::new();
    assert_eq!(asks(&page.play(run("grounded", &problem, ModelChoice::Own))), 1);
    page.tell(1, Control::Cancel);
    page.settle();
    assert_eq!(run_of(&mut page.events(1)).trace.stop, Some(Stop::Cancelled));
    // Nobody but the weights is waited for here.
    let mut page = Page::new();
    assert_eq!(asks(&page.play(look(&problem.question, "No."))), 1);
    page.tell(1, Control::Cancel);
    page.settle();
    assert!(matches!(page.events(1).pop(), Some(Event::Cancelled)));
}

#[test]
fn what_goes_wrong_is_said() {
    let mut page = Page::new();
    let mut problem = page.problem(TaskId::Connectivity, 7);
    let why = |mut events: Vec<Event>| match run_of(&mut events).trace.stop {
        Some(Stop::ModelFailed { message, .. }) => message,
        other => panic!("it should have failed: {other:?}"),
    };
    let ask =
        |problem: &_| -> StartRun<ProblemRun> { run("standalone", problem, ModelChoice::Own) };
    let (number, SendWeights { .. }) = waits(&page.play(ask(&problem)));
    page.refuse(1, number, "the page's server is gone");
    page.settle();
    assert!(why(page.events(1)).contains("the page's server is gone"));
    assert!(why(play(&mut page, ask(&problem), b"GGUF".to_vec())).contains("GGOWN001"));
    // What failed is tried again.
    play(&mut page, ask(&problem), weights());
    problem.question = "Quelle heure est-il donc à Bruxelles, s'il vous plaît?".into();
    let said = why(page.play(ask(&problem)));
    assert!(said.contains("are not among those that this small model knows"), "{said}");
}

/// A question in a person's own words is read by weights that learned such questions.
#[test]
fn a_question_of_ones_own_is_answered() {
    let mut page = Page::new();
    let ask = |says: &str| AskFreely {
        says: says.into(),
        resume: None,
        model: ModelChoice::Own,
        limits: Limits::default(),
        surface: Surface::default(),
        composing: Composing::default(),
    };
    let question = ask("Emma knows Noah, Noah knows Mia. Can Emma reach Mia?");
    let (number, SendWeights { weights }) = waits(&page.play(question));
    assert_eq!(weights, OwnWeights::People);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bytes = std::fs::read(root.join(weights.path())).unwrap();
    let beside = Attachments::new(vec![(weights.path().to_owned(), bytes)]);
    page.answer_with::<SendWeights>(1, number, &(), beside);
    page.settle();
    let answered = done::<AskFreely>(page.events(1).pop().unwrap());
    assert_eq!(answered.check.standing, Standing::Consistent);
    assert_eq!(answered.trace.answer().unwrap(), "Yes: Emma->Noah->Mia.");
    // It passes on why a call was refused: the graph has no Ida.
    let absent = ask("Emma knows Noah, Noah knows Mia, Mia knows Ben. Can Emma reach Ida?");
    let events = page.play(absent);
    let declined = done::<AskFreely>(events.into_iter().next_back().unwrap());
    assert!(declined.trace.answer().unwrap().starts_with("I cannot tell"));
    // The engine has the weights now. What is no question about a graph builds none.
    let events = page.play(ask("Please write a poem about my cat."));
    let declined = done::<AskFreely>(events.into_iter().next_back().unwrap());
    assert_eq!(declined.trace.n_calls(), 0, "{:?}", declined.trace.answer());
    assert!(declined.trace.answer().unwrap().starts_with("I cannot"));
}

/// The model knows nodes by numbers alone: names go out as numbers, and come back as names.
#[test]
fn names_of_ones_own_are_read() {
    const NAMES: [&str; 10] =
        ["Emma", "Noah", "Mia", "Lea", "Kim Lund", "Tom", "Ida", "Émile", "Ben", "Zoe"];
    let mut page = Page::new();
    let mut problem = page.problem(TaskId::Connectivity, 7);
    let name = |node: &NodeName| NodeName::from(NAMES[node.as_int().unwrap() as usize]);
    let all: Vec<NodeName> = problem.graph.names().cloned().collect();
    for from in all {
        let to = name(&from);
        problem.graph.apply(&Delta::RenameNode { from, to }).unwrap();
    }
    let (source, target) = problem.query.ends().map(|(a, b)| (name(a), name(b))).unwrap();
    problem.query = problem.query.with_ends(source, target);
    let (wording, style) = (Wording::Benchmark, Style::ZeroShot);
    problem.question =
        page.ask(RewordProblem { problem: Box::new(problem.clone()), wording, style });
    assert!(problem.question.contains("Kim Lund"), "{}", problem.question);
    let made = run_of(&mut play(&mut page, run("grounded", &problem, ModelChoice::Own), weights()));
    assert_eq!(made.outcome.verdict, Verdict::Correct, "{:?}", made.trace.stop);
    let graph = made.trace.graph_after(made.trace.steps.len()).unwrap();
    // It was built with the names; the model leaves out nodes that have no edge.
    let edges = |graph: &Graph| -> BTreeSet<(String, String)> {
        graph.edges().map(|e| (e.source.to_string(), e.target.to_string())).collect()
    };
    assert_eq!(edges(&graph), edges(&problem.graph));
    // Without tools it guesses, and what it says is read.
    let made = run_of(&mut page.play(run("standalone", &problem, ModelChoice::Own)));
    assert_ne!(made.outcome.verdict, Verdict::NoAnswer, "{:?}", made.trace.answer());
}
