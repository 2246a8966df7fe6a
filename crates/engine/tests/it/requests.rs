//! Every request is answered, stopped or refused with a reason.

use std::collections::BTreeSet;

use draw::LayoutKind;
use engine::message::{FileReport, ModelChoice, Shared};
use engine::{Envelope, Event, Output, Request};
use graph::Delta;
use llm::{Endpoint, HttpHead, Message, ModelError};
use serde_json::json;
use tasks::{Difficulty, Style, TaskId, Verdict, Wording};
use trace::{Record, ToolResult};

use crate::page::*;

fn rescue_ask() -> Request {
    let text = tasks::rescue::NINE_LOCATIONS.to_owned();
    engine::message::RescueAsk::Load { text }.request().unwrap()
}

fn family_ask() -> Request {
    let ask = engine::message::FamilyAsk::Generate { seed: 1, n_relatives: 8, is_opaque: false };
    ask.request().unwrap()
}

#[test]
fn every_request_is_answered() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 3);
    let boxed = || Box::new(problem.clone());
    let (wording, style) = (Wording::Improved, Style::Cot);
    let trace = run_of(&mut page.play(run("grounded", &problem, script("script")))).trace;
    let shared = Shared::Problem { problem: boxed(), wording, style };
    let link = page.text(Request::WriteLink { shared: Box::new(shared.clone()) });
    let mut requests = vec![
        Request::Generate {
            task: TaskId::Gnn,
            difficulty: Difficulty::Hard,
            seed: 1,
            wording,
            style,
        },
        read("0 1\n1 2\n"),
        Request::Reword { problem: boxed(), wording, style },
        Request::Layout { graph: towns(), kind: LayoutKind::Circle, seed: 1 },
        Request::Solve { problem: boxed() },
        Request::Verify { problem: boxed(), text: "There is a cycle.".into() },
        call("describe_graph", &towns(), json!({})),
        run("grounded", &problem, script("script")),
        Request::Dataset { files: vec![("a.json".into(), file(TaskId::Cycle, 2))] },
        Request::Question { file: 0, key: "1".into() },
        Request::Catalog,
        Request::Replay { trace: Box::new(trace.clone()) },
        Request::Diff { left: Box::new(trace.clone()), right: Box::new(trace.clone()) },
        Request::ReadTraces { text: serde_json::to_string(&trace).unwrap() },
        Request::WriteTraces { records: vec![Record::of(trace)], format: "atif".into() },
        Request::Claims { problem: boxed(), text: "There is a cycle.".into() },
        rescue_ask(),
        family_ask(),
        engine::toolformer::ToolformerAsk::Hub.request().unwrap(),
        engine::message::BenchAsk::Clear.request().unwrap(),
        crate::kg::open_metro().request().unwrap(),
        Request::WriteLink { shared: Box::new(shared) },
        Request::ReadLink { link },
        Request::Sample {
            task: TaskId::Cycle,
            generator: "er,9,0.3".into(),
            seed: 1,
            wording,
            style,
        },
    ];
    let mut seen = BTreeSet::new();
    for request in requests.drain(..) {
        let name = kind(&request);
        let last = page.play(request).pop();
        assert!(matches!(last, Some(Event::Done { .. })), "{name}: {last:?}");
        seen.insert(name);
    }
    // These are about a job that runs; without one they change nothing and say nothing.
    let fetched = Request::Fetched { fetch: 0, result: Err(ModelError::Cancelled) };
    let said = Request::Said { message: Message::assistant("") };
    let head = Request::Head { fetch: 0, head: HttpHead::default() };
    let chunk = Request::Chunk { fetch: 0, text: "x".into() };
    let cleaned = Request::Cleaned { fetch: 0, outcome: Box::new(Err(ModelError::Cancelled)) };
    for request in [fetched, head, chunk, cleaned, said, Request::Pause, Request::Cancel] {
        let name = kind(&request);
        assert!(page.play(request).is_empty(), "{name}");
        seen.insert(name);
    }
    // A request that is added must be sent here too: serde names all that it knows.
    let error = serde_json::from_value::<Request>(json!({ "?": {} })).unwrap_err();
    let known = error.to_string().split_once("expected one of ").unwrap().1.to_owned();
    let known: BTreeSet<String> =
        known.split(", ").map(|name| name.trim_matches('`').to_owned()).collect();
    assert_eq!(seen, known);
}

#[test]
fn a_new_problem_has_words_and_a_place_for_every_node() {
    let mut page = Page::new();
    for task in TaskId::ALL {
        let problem = page.problem(task, 5);
        assert_eq!((problem.task, problem.seed), (task, Some(5)));
        assert_eq!(problem.difficulty, Some(Difficulty::Easy));
        assert!(problem.graph.n_nodes() > 1);
        for name in problem.graph.names() {
            assert!(problem.places.get(name).is_some(), "{task}: {name}");
        }
        assert_eq!(problem.places.iter().count(), problem.graph.n_nodes());
        let again = page.problem(task, 5);
        assert_eq!(problem, again, "the same seed gives the same problem");
    }
}

#[test]
fn a_question_is_read_back_to_its_problem() {
    let mut page = Page::new();
    for task in TaskId::ALL {
        let made = page.problem(task, 2);
        let Output::Problem { problem } = page.ask(read(&made.question)) else {
            panic!("{task}");
        };
        assert_eq!((problem.task, &problem.graph), (task, &made.graph));
        assert_eq!((&problem.query, &problem.question), (&made.query, &made.question));
        assert_eq!(problem.seed, None, "nobody knows which seed a pasted question had");
    }
}

#[test]
fn a_graph_without_a_question_is_read_too() {
    let mut page = Page::new();
    let Output::Graph { format, graph, places, .. } = page.ask(read("Tom Katy 2.5\nKaty 7 1\n"))
    else {
        panic!("this is an edge list");
    };
    assert_eq!(format, "Edge list");
    assert_eq!((graph.n_nodes(), graph.n_edges()), (3, 2));
    assert_eq!(graph.edge(&"Tom".into(), &"Katy".into()).unwrap().weight, Some(2.5));
    assert!(graph.names().all(|name| places.get(name).is_some()));
}

#[test]
fn what_cannot_be_read_says_what_and_where() {
    let mut page = Page::new();
    let prose = page.refused(read("0 1\nWhat is the capital of France, please?\n"));
    assert!(prose.contains("none of NLGraph's questions"), "{prose}");
    assert!(prose.contains("line 2"), "{prose}");
    let question = page.problem(TaskId::ShortestPath, 1).question;
    let (before, _) = question.split_once("Q:").unwrap();
    let cut = page.refused(read(before));
    assert!(cut.contains("line ") && cut.contains("expected") || cut.contains("cut off"), "{cut}");
    assert!(!cut.contains("Edge list"), "a question is never taken for a graph: {cut}");
}

#[test]
fn new_words_come_without_the_graph_again() {
    let mut page = Page::new();
    let before = page.problem(TaskId::ShortestPath, 1);
    let problem = Box::new(before.clone());
    let (wording, style) = (Wording::City, Style::ZeroCot);
    let Output::Question { question } = page.ask(Request::Reword { problem, wording, style })
    else {
        panic!("words come of it");
    };
    assert_ne!(question, before.question);
    assert!(question.ends_with("Let's think step by step:"), "{question}");
}

#[test]
fn a_layout_places_every_node() {
    let mut page = Page::new();
    for (kind, _) in LayoutKind::ALL {
        let Output::Layout { places } = page.ask(Request::Layout { graph: towns(), kind, seed: 9 })
        else {
            panic!("{kind:?}");
        };
        assert_eq!(places.iter().count(), 3, "{kind:?}");
    }
}

#[test]
fn a_graph_too_large_to_draw_is_read_and_not_placed() {
    let mut page = Page::new();
    // Applicants and jobs, whose layout is quick to compute.
    let mut text: String = (0..250).map(|i| format!("a{i} j{i}\n")).collect();
    let Output::Graph { graph: drawn, places, .. } = page.ask(read(&text)) else {
        panic!("an edge list");
    };
    assert_eq!((drawn.n_nodes(), places.iter().count()), (500, 500));
    text += "a0 j250\n";
    let Output::Graph { graph, places, .. } = page.ask(read(&text)) else {
        panic!("an edge list");
    };
    assert_eq!((graph.n_nodes(), places.iter().count()), (501, 0));
    // The time and memory of a layout grow with the square of the nodes.
    let message = page.refused(Request::Layout { graph, kind: LayoutKind::Force, seed: 1 });
    assert!(message.contains("501") && message.contains("500"), "{message}");
}

#[test]
fn the_solver_is_judged_correct_and_a_wrong_answer_is_not() {
    let mut page = Page::new();
    for task in TaskId::ALL {
        let problem = page.problem(task, 4);
        let solve = Request::Solve { problem: Box::new(problem.clone()) };
        let (text, judgement) = judged(page.ask(solve));
        assert_eq!(judgement.verdict, Verdict::Correct, "{task}: {text}");
        let verify =
            |text: &str| Request::Verify { problem: Box::new(problem.clone()), text: text.into() };
        let (echo, again) = judged(page.ask(verify(&text)));
        assert_eq!((echo, again), (text, judgement));
        let (_, silent) = judged(page.ask(verify("Nice weather today")));
        assert_eq!(silent.verdict, Verdict::NoAnswer, "{task}");
    }
    let problem = page.problem(TaskId::ShortestPath, 4);
    let text = "The shortest path from node 0 to node 1 is 0,1 with a total weight of 900.".into();
    let (_, wrong) = judged(page.ask(Request::Verify { problem: Box::new(problem), text }));
    assert_ne!(wrong.verdict, Verdict::Correct);
    assert!(wrong.certificate.lines.iter().any(|line| line.holds == Some(false)));
}

#[test]
fn a_function_answers_with_a_value_what_it_touched_and_what_it_wrote() {
    let mut page = Page::new();
    let ends = json!({ "start": "Bern", "end": 7 });
    let Output::Called { result } = page.ask(call("find_shortest_path", &towns(), ends)) else {
        panic!("a call comes back");
    };
    let out = result.unwrap();
    assert_eq!(out.value["path"], json!(["Bern", "Chur", 7]));
    assert_eq!(out.value["length"], json!(3.5));
    assert_eq!(out.touched.nodes.len(), 3);
    assert_eq!(out.deltas, []);
    let nodes = json!({ "nodes": ["Sion"] });
    let Output::Called { result } = page.ask(call("add_nodes", &towns(), nodes)) else {
        panic!("a call comes back");
    };
    assert_eq!(result.unwrap().deltas, [Delta::AddNode { node: "Sion".into() }]);
}

#[test]
fn a_bad_call_is_an_answer_and_an_unknown_function_is_a_fault() {
    let mut page = Page::new();
    let cases = [
        (json!({ "start": "Brn", "end": 7 }), "unknown_node", "Bern"),
        (json!({ "start": "Bern" }), "bad_arguments", "`end`"),
        (json!({ "from": 1, "to": 2 }), "bad_arguments", "start (integer or string)"),
        (json!([1, 2]), "bad_arguments", "start"),
    ];
    for (arguments, code, words) in cases {
        let request = call("find_shortest_path", &towns(), arguments);
        let Output::Called { result } = page.ask(request) else { panic!("a call comes back") };
        let error = result.unwrap_err();
        assert_eq!(error.code, code);
        assert!(error.message.contains(words), "{error}");
    }
    let message = page.refused(call("shortest_pth", &towns(), json!({})));
    assert!(message.contains("\"shortest_pth\""), "{message}");
}

#[test]
fn a_script_runs_step_by_step_to_a_correct_answer() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::ShortestPath, 7);
    for system in ["grounded", "standalone"] {
        let mut events = page.play(run(system, &problem, script("script")));
        let run = run_of(&mut events);
        assert_eq!(run.judgement.verdict, Verdict::Correct, "{system}");
        assert_eq!((run.system.as_str(), run.task), (system, TaskId::ShortestPath));
        assert_eq!(run.question, problem.question);
        let steps: Vec<trace::Step> = events
            .into_iter()
            .map(|event| match event {
                Event::Step { step } => *step,
                other => panic!("only steps come before the end: {other:?}"),
            })
            .collect();
        assert_eq!(steps, run.trace.steps, "the trace is what was told on the way");
        assert_eq!(run.trace.n_calls() > 0, system == "grounded");
        if system == "grounded" {
            assert_eq!(run.trace.graph_after(steps.len()).unwrap(), problem.graph);
        }
    }
}

#[test]
fn a_script_that_errs_leaves_its_mistake_in_the_trace() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 7);
    let mut events = page.play(run("grounded", &problem, script("mistaken/bad-json")));
    let run = run_of(&mut events);
    assert_eq!(run.trace.mistakes(), [(trace::MistakeKind::BadJson, 1)]);
    assert_eq!(run.judgement.verdict, Verdict::Correct, "it corrects itself");
}

#[test]
fn two_jobs_do_not_mix() {
    let mut page = Page::new();
    let (cycle, flow) = (page.problem(TaskId::Cycle, 1), page.problem(TaskId::Flow, 2));
    page.send(10, run("standalone", &cycle, endpoint()));
    page.send(11, run("standalone", &flow, endpoint()));
    page.send(12, run("grounded", &flow, script("script")));
    page.settle();
    let (ten, eleven) = (page.events(10), page.events(11));
    let (a, first) = fetch(&ten);
    let (b, second) = fetch(&eleven);
    assert_ne!(first.body, second.body);
    assert_eq!(run_of(&mut page.events(12)).judgement.verdict, Verdict::Correct);
    let said = |text: &str| answer(json!({ "role": "assistant", "content": text }));
    // Answered in the other order, and one of them stopped meanwhile.
    page.send(11, Request::Fetched { fetch: b, result: said("eleven") });
    page.settle();
    assert_eq!(run_of(&mut page.events(11)).trace.answer(), Some("eleven"));
    assert!(page.events(10).is_empty());
    page.send(11, Request::Cancel);
    page.send(10, Request::Fetched { fetch: a, result: said("ten") });
    page.settle();
    let run = run_of(&mut page.events(10));
    assert_eq!((run.trace.answer(), run.task), (Some("ten"), TaskId::Cycle));
    assert!(page.host.posted.borrow().is_empty());
}

fn reports(events: &[Event]) -> Vec<(usize, &FileReport)> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::File { index, report } => Some((*index, &**report)),
            _ => None,
        })
        .collect()
}

#[test]
fn files_are_checked_one_by_one_and_counted() {
    let mut page = Page::new();
    let files = vec![
        ("cycle.json".to_owned(), file(TaskId::Cycle, 20)),
        ("broken.json".to_owned(), "{\"0\": {\"question\": \"In an".to_owned()),
        ("flow.json".to_owned(), file(TaskId::Flow, 5)),
    ];
    let mut events = page.play(Request::Dataset { files });
    let Output::Dataset { n_questions, took_ms, .. } = done(events.pop().unwrap()) else {
        panic!("the totals come last");
    };
    assert_eq!(n_questions, 25);
    assert!(took_ms > 0.0);
    let reports = reports(&events);
    let names: Vec<(usize, &str)> = reports.iter().map(|(i, r)| (*i, r.name.as_str())).collect();
    assert_eq!(names, [(0, "cycle.json"), (1, "broken.json"), (2, "flow.json")]);
    let cycle = reports[0].1.report.as_ref().unwrap();
    assert_eq!((cycle.totals.questions, cycle.totals.is_clean()), (20, true));
    assert_eq!(cycle.rows.len(), 20);
    let fault = reports[1].1.report.as_ref().unwrap_err();
    assert!(fault.contains("cut off"), "{fault}");
}

#[test]
fn a_problem_of_a_checked_file_can_be_opened() {
    let mut page = Page::new();
    let files = vec![
        ("cycle.json".to_owned(), file(TaskId::Cycle, 3)),
        ("flow.json".to_owned(), file(TaskId::Flow, 3)),
    ];
    page.play(Request::Dataset { files });
    let question = |file, key: &str| Request::Question { file, key: key.into() };
    let Output::Problem { problem } = page.ask(question(1, "2")) else { panic!("a problem") };
    let made = tasks::task(TaskId::Flow).generate(Difficulty::Easy, 2);
    assert_eq!((&problem.graph, &problem.query), (&made.graph, &made.query));
    assert_eq!(problem.difficulty, Some(Difficulty::Easy), "the file says the level");
    let message = page.refused(question(1, "77"));
    assert!(message.contains("\"77\""), "{message}");
    let message = page.refused(question(5, "0"));
    assert!(message.contains("drop it again"), "{message}");
}

#[test]
fn a_check_is_stopped_between_slices() {
    let mut page = Page::new();
    // Each look at the clock is longer than a slice, so every batch is followed by a pause.
    page.host.tick_ms.set(50.0);
    let files = vec![("big.json".to_owned(), file(TaskId::Cycle, 200))];
    let mut events = page.play_and_stop(Request::Dataset { files }, 2);
    assert!(matches!(done(events.pop().unwrap()), Output::Cancelled));
    let so_far: Vec<usize> = events
        .iter()
        .map(|event| match event {
            Event::Progress { done, total: 200 } => *done,
            other => panic!("a file that is half checked has no report: {other:?}"),
        })
        .collect();
    assert_eq!(so_far.len(), 3);
    assert!(so_far.is_sorted() && so_far[0] > 0 && so_far[2] < 200, "{so_far:?}");
}

#[test]
fn many_small_files_can_be_stopped_too() {
    let mut page = Page::new();
    // No file takes as long as a slice.
    page.host.tick_ms.set(0.0);
    let one = file(TaskId::Cycle, 1);
    let files = (0..50).map(|i| (format!("{i}.json"), one.clone())).collect();
    let mut events = page.play_and_stop(Request::Dataset { files }, 1);
    assert!(matches!(done(events.pop().unwrap()), Output::Cancelled));
    assert_eq!(reports(&events).len(), 2, "the stop came after the second file");
}

#[test]
fn the_rows_that_a_stopped_check_has_shown_are_those_that_open() {
    let mut page = Page::new();
    page.play(Request::Dataset { files: vec![("old.json".into(), file(TaskId::Cycle, 2))] });
    let files = vec![
        ("new.json".to_owned(), file(TaskId::Flow, 2)),
        ("next.json".to_owned(), file(TaskId::Flow, 2)),
    ];
    let events = page.play_and_stop(Request::Dataset { files }, 0);
    assert_eq!(reports(&events).len(), 1);
    let Output::Problem { problem } = page.ask(Request::Question { file: 0, key: "1".into() })
    else {
        panic!("a problem");
    };
    assert_eq!(problem.task, TaskId::Flow);
}

#[test]
fn names_that_do_not_exist_are_refused_in_words() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 1);
    let unknown =
        ModelChoice::Endpoint { endpoint: Endpoint::new("carrier-pigeon", "x"), model: "m".into() };
    let cases = [
        (run("crystal-ball", &problem, script("script")), "no system \"crystal-ball\""),
        (run("grounded", &problem, script("mistaken/x")), "no script \"mistaken/x\""),
        (run("grounded", &problem, unknown), "must be one of openai"),
        (call("no_such", &towns(), json!({})), "no function \"no_such\""),
        (Request::Question { file: 0, key: "0".into() }, "drop it again"),
    ];
    for (request, words) in cases {
        let message = page.refused(request);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn the_catalogue_has_every_function_with_an_example_that_works() {
    let mut page = Page::new();
    let Output::Catalog { functions } = page.ask(Request::Catalog) else { panic!("a catalogue") };
    let names: Vec<&str> = functions.iter().map(|f| f.name.as_str()).collect();
    let all: Vec<&str> = graph::functions::FUNCTIONS.iter().map(|f| f.name).collect();
    assert_eq!(names, all);
    for view in functions {
        for name in view.example_graph.names() {
            assert!(view.example_places.get(name).is_some(), "{}: {name}", view.name);
        }
        let request = call(&view.name, &view.example_graph, view.example_arguments);
        let Output::Called { result } = page.ask(request) else { panic!("a call comes back") };
        assert!(result.is_ok(), "{}: {result:?}", view.name);
    }
}

#[test]
fn what_a_worker_says_of_itself_survives_json() {
    for event in [Event::Ready, Event::Panicked { message: "index out of bounds: \"x\"".into() }] {
        let arrived = through_json(&Envelope { job: 0, body: event });
        assert_eq!(arrived.job, 0);
    }
    let result = ToolResult::Value { value: json!({ "a": [1, 2.5, null, "ü"] }), notes: vec![] };
    assert_eq!(through_json(&result), result);
}
