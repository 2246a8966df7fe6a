//! Knowledge graphs through the engine, every message as JSON text.

use agent::Limits;
use engine::message::{KgAsk, KgReply, KgSource, KgView, ModelChoice};
use engine::{Event, Output, Request};
use systems::kgqa::{KgOptions, KgRun};
use tasks::Verdict;
use tasks::kgqa::KgQuestion;

use crate::page::*;

pub fn open_metro() -> KgAsk {
    KgAsk::Open { source: KgSource::Metro { n_lines: 8, seed: 1 } }
}

pub fn reply(posted: &mut Vec<Event>) -> Result<KgReply, String> {
    match posted.pop().unwrap() {
        Event::Done { output } => match *output {
            Output::Kg { reply } => Ok(KgReply::read(&reply).unwrap()),
            other => panic!("{other:?}"),
        },
        Event::Failed { message } => Err(message),
        other => panic!("{other:?}"),
    }
}

pub fn play(page: &mut Page, ask: KgAsk) -> Result<KgReply, String> {
    reply(&mut page.play(ask.request().unwrap()))
}

fn opened(page: &mut Page) -> KgView {
    match play(page, open_metro()).unwrap() {
        KgReply::Opened { view } => *view,
        other => panic!("{other:?}"),
    }
}

fn questions(page: &mut Page) -> Vec<KgQuestion> {
    match play(page, KgAsk::Questions { n: 40, min_hops: 2, seed: 1 }).unwrap() {
        KgReply::Questions { questions } => questions,
        other => panic!("{other:?}"),
    }
}

fn ask(
    page: &mut Page,
    system: &str,
    question: &KgQuestion,
    script: &str,
    plan: Option<&str>,
) -> (usize, KgRun) {
    let ask = KgAsk::Ask {
        system: system.into(),
        question: Box::new(question.clone()),
        options: Box::default(),
        model: ModelChoice::Script { name: script.into() },
        limits: Limits { max_rounds: 60, max_calls: 1_000, ..Limits::default() },
        plan: plan.map(str::to_owned),
    };
    let mut posted = page.play(ask.request().unwrap());
    match reply(&mut posted).unwrap() {
        KgReply::Ran { run, places, effort, way } => {
            let drawn = run.trace.graph_after(run.trace.steps.len()).unwrap();
            assert!(effort.n_turns == run.trace.n_rounds() && effort.n_input > 100);
            assert!(run.plan.is_some() || way.nodes.is_empty());
            assert!(drawn.indices().all(|i| places.get(drawn.name(i)).is_some()));
            (posted.len(), *run)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_graph_is_opened_asked_and_searched() {
    let mut page = Page::new();
    let none = play(&mut page, KgAsk::Questions { n: 1, min_hops: 1, seed: 1 });
    assert_eq!(none, Err(engine::kg::NOT_OPEN.to_owned()));
    let view = opened(&mut page);
    assert!(view.n_nodes > 60 && view.n_edges > 100);
    assert_eq!(view.drawing.n_nodes(), view.schema.node_types().len());
    for question in questions(&mut page) {
        for system in ["graphrunner", "graph_cot"] {
            let (n_steps, run) = ask(&mut page, system, &question, "script", None);
            assert_eq!(n_steps, run.trace.steps.len());
            assert_eq!(run.judgement.verdict, Verdict::Correct, "{system} {}", question.question);
        }
    }
    let found = play(
        &mut page,
        KgAsk::Find {
            hint: "amber lin".into(),
            node_type: Some("Line".into()),
            options: Default::default(),
        },
    );
    let KgReply::Found { hits, .. } = found.unwrap() else { panic!() };
    assert_eq!(hits[0].node, "Amber Line");
    let wrong = play(
        &mut page,
        KgAsk::Find {
            hint: "x".into(),
            node_type: Some("Tram".into()),
            options: Default::default(),
        },
    );
    assert!(wrong.unwrap_err().contains("no node type \"Tram\""));
}

#[test]
fn a_replay_says_that_the_graph_is_not_in_the_trace() {
    let mut page = Page::new();
    opened(&mut page);
    let question = questions(&mut page).remove(0);
    let (_, run) = ask(&mut page, "graphrunner", &question, "script", None);
    match page.play(Request::Replay { trace: Box::new(run.trace) }).pop() {
        Some(Event::Failed { message }) => {
            assert!(message.contains("not in the trace"), "{message}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_plan_by_hand_is_verified_and_run() {
    let mut page = Page::new();
    opened(&mut page);
    let question = questions(&mut page).remove(0);
    let options = KgOptions::default();
    let verify = |plan: &str| KgAsk::Verify {
        plan: plan.into(),
        question: String::new(),
        options: Box::new(options.clone()),
    };
    let KgReply::Verified { findings, types, .. } =
        play(&mut page, verify("Find_Node[Amber Line, Line]\nFetch_Neighbors[s1, near]")).unwrap()
    else {
        panic!()
    };
    assert_eq!((findings.len(), types[0].as_slice()), (1, ["Line".to_owned()].as_slice()));
    assert!(play(&mut page, verify("hm")).unwrap_err().contains("no plan was found"));
    let plan = "Find_Node[Amber Line, Line]\nFetch_Neighbors[s1, stops_at]";
    let (_, run) = ask(&mut page, "graphrunner", &question, "script", Some(plan));
    assert_eq!(run.plan.unwrap().steps.len(), 2);
    assert!(run.trace.model.starts_with("a plan by hand"));
    let (_, wrong) =
        ask(&mut page, "graphrunner", &question, "script", Some("Find_Node[Amber Line, Tram]"));
    assert_eq!(wrong.judgement.verdict, Verdict::NoAnswer);
}

#[test]
fn files_are_read_and_their_faults_told() {
    let mut page = Page::new();
    let node =
        |i: usize| format!("{{\"id\": \"n{i}\", \"type\": \"Thing\", \"name\": \"thing {i}\"}}");
    let mut lines: Vec<String> = (0..100).map(node).collect();
    for i in (0..100).step_by(33) {
        lines[i] = "{\"id\": 7".into();
    }
    let files = vec![("my.jsonl".to_owned(), lines.join("\n"))];
    let source = KgSource::Files { title: "mine".into() };
    let ask = serde_json::to_string(&KgAsk::Open { source: source.clone() }).unwrap();
    let KgReply::Opened { view } =
        reply(&mut page.play(Request::Kg { ask: ask.clone(), files })).unwrap()
    else {
        panic!()
    };
    assert_eq!((view.n_nodes, view.n_faults), (96, 4));
    assert!(view.faults[0].starts_with("line 1, column "), "{}", view.faults[0]);
    for (name, text, told) in
        [("x.exe", "", "no format has this ending"), ("x.jsonl", "hello", "line 1, column 1")]
    {
        let files = vec![(name.to_owned(), text.to_owned())];
        let error = reply(&mut page.play(Request::Kg { ask: ask.clone(), files })).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
    // What was open before stays open.
    let found = play(
        &mut page,
        KgAsk::Find { hint: "thing 5".into(), node_type: None, options: Default::default() },
    );
    assert!(matches!(found, Ok(KgReply::Found { hits, .. }) if hits.len() == 1));
}
