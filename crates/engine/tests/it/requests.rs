//! Every request is answered, stopped or refused with a reason.

use draw::LayoutKind;
use graph::Delta;
use llm::Endpoint;
use protocol::problem::{
    GraphView, JudgedAnswer, ListFunctions, OpenQuestion, PlaceNodes, ReadProblem, ReadReply,
    RewordProblem, SolveProblem, VerifyAnswer,
};
use protocol::runs::ModelChoice;
use protocol::traces::{JudgeAnswers, JudgedAnswers};
use protocol::{Control, Envelope};
use serde_json::json;
use tasks::{Difficulty, Style, TaskId, Verdict, Wording};
use trace::ToolResult;

use crate::page::*;

#[test]
fn what_no_list_answers_is_refused_by_name() {
    use protocol::{FromWorker, ToWorker};
    let page = Page::new();
    let body = ToWorker::Start { service: "no/such".into(), ask: Json(json!({})) };
    page.engine.handle(Envelope { job: 4, body }, engine::Attachments::default());
    let events = page.events(4);
    let [FromWorker::Failed { message }] = events.as_slice() else { panic!("{events:?}") };
    assert!(message.contains("no/such"), "{message}");
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
        let ReadReply::Problem(problem) = page.ask(read(&made.question)).0 else {
            panic!("{task}")
        };
        assert_eq!((problem.task, &problem.graph), (task, &made.graph));
        assert_eq!((&problem.query, &problem.question), (&made.query, &made.question));
        assert_eq!(problem.seed, None, "nobody knows which seed a pasted question had");
    }
}

#[test]
fn a_graph_without_a_question_is_read_too() {
    let mut page = Page::new();
    let ReadReply::Graph(view) = page.ask(read("Tom Katy 2.5\nKaty 7 1\n")).0 else {
        panic!("this is an edge list");
    };
    let GraphView { format, graph, places, .. } = *view;
    assert_eq!(format, "Edge list");
    assert_eq!((graph.n_nodes(), graph.n_edges()), (3, 2));
    assert_eq!(graph.edge(&"Tom".into(), &"Katy".into()).unwrap().weight, Some(2.5));
    assert!(graph.names().all(|name| places.get(name).is_some()));
}

#[test]
fn another_graph_of_a_text_is_read_by_its_number() {
    let mut page = Page::new();
    let text = "graph { a -- b }\ngraph { a -- b -- c }\n";
    for (graph_number, n_nodes) in [(1, 2), (2, 3)] {
        let ask = ReadProblem { graph_number, ..read(text) };
        let ReadReply::Graph(view) = page.ask(ask).0 else { panic!("graphs") };
        assert_eq!((view.n_graphs, view.graph.n_nodes()), (2, n_nodes));
    }
    let words = page.refused(ReadProblem { graph_number: 3, ..read(text) });
    assert!(words.contains("there is no graph 3: the file has 2 graphs"), "{words}");
}

#[test]
fn what_cannot_be_read_says_what_and_where() {
    let mut page = Page::new();
    let prose = page.refused(read("0 1\nWhat is the capital of France, please?\n"));
    assert!(prose.contains("could not be read as a question or a graph"), "{prose}");
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
    let question = page.ask(RewordProblem { problem, wording, style });
    assert_ne!(question, before.question);
    assert!(question.ends_with("Let's think step by step:"), "{question}");
}

#[test]
fn a_layout_places_every_node() {
    let mut page = Page::new();
    for (kind, _) in LayoutKind::ALL {
        let places = page.ask(PlaceNodes { graph: towns(), kind, seed: 9 }).0;
        assert_eq!(places.iter().count(), 3, "{kind:?}");
    }
}

#[test]
fn a_graph_too_large_to_draw_is_read_and_not_placed() {
    let mut page = Page::new();
    // Applicants and jobs, whose layout is quick to compute.
    let mut text: String = (0..250).map(|i| format!("a{i} j{i}\n")).collect();
    let ReadReply::Graph(view) = page.ask(read(&text)).0 else { panic!("an edge list") };
    let GraphView { graph: drawn, places, .. } = *view;
    assert_eq!((drawn.n_nodes(), places.iter().count()), (500, 500));
    text += "a0 j250\n";
    let ReadReply::Graph(view) = page.ask(read(&text)).0 else { panic!("an edge list") };
    let GraphView { graph, places, .. } = *view;
    assert_eq!((graph.n_nodes(), places.iter().count()), (501, 0));
    // The time and memory of a layout grow with the square of the nodes.
    let message = page.refused(PlaceNodes { graph, kind: LayoutKind::Force, seed: 1 });
    assert!(message.contains("501") && message.contains("500"), "{message}");
}

#[test]
fn the_solver_is_judged_correct_and_a_wrong_answer_is_not() {
    let mut page = Page::new();
    for task in TaskId::ALL {
        let problem = page.problem(task, 4);
        let solve = SolveProblem { problem: Box::new(problem.clone()) };
        let JudgedAnswer { text, judgement } = page.ask(solve);
        assert_eq!(judgement.verdict, Verdict::Correct, "{task}: {text}");
        let verify =
            |text: &str| VerifyAnswer { problem: Box::new(problem.clone()), text: text.into() };
        let JudgedAnswer { text: echo, judgement: again } = page.ask(verify(&text));
        assert_eq!((echo, again), (text, judgement));
        let silent = page.ask(verify("Nice weather today")).judgement;
        assert_eq!(silent.verdict, Verdict::NoAnswer, "{task}");
    }
    let problem = page.problem(TaskId::ShortestPath, 4);
    let text = "The shortest path from node 0 to node 1 is 0,1 with a total weight of 900.".into();
    let wrong = page.ask(VerifyAnswer { problem: Box::new(problem), text }).judgement;
    assert_eq!(wrong.verdict, Verdict::Incorrect);
    assert!(wrong.certificate.lines.iter().any(|line| line.holds == Some(false)));
}

#[test]
fn answers_of_a_file_are_held_against_their_own_questions() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::ShortestPath, 4);
    let right = page.ask(SolveProblem { problem: Box::new(problem.clone()) }).text;
    let ask = |question: &str, answer: &str| (question.to_owned(), answer.to_owned());
    let answers = vec![
        ask(&problem.question, &right),
        ask("What do you think of it?", &right),
        ask(&problem.question, "Nice weather today"),
        ask("", ""),
    ];
    let JudgedAnswers { verdicts } = page.ask(JudgeAnswers { answers });
    assert_eq!(verdicts, [Some(Verdict::Correct), None, Some(Verdict::NoAnswer), None]);
}

#[test]
fn a_function_answers_with_a_value_what_it_touched_and_what_it_wrote() {
    let mut page = Page::new();
    let ends = json!({ "start": "Bern", "end": 7 });
    let result = page.ask(call("find_shortest_path", &towns(), ends)).0;
    let out = result.unwrap();
    assert_eq!(out.value["path"], json!(["Bern", "Chur", 7]));
    assert_eq!(out.value["length"], json!(3.5));
    assert_eq!(out.touched.nodes.len(), 3);
    assert_eq!(out.deltas, []);
    let nodes = json!({ "nodes": ["Sion"] });
    let result = page.ask(call("add_nodes", &towns(), nodes)).0;
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
        let result = page.ask(request).0;
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
        assert_eq!(run.outcome.verdict, Verdict::Correct, "{system}");
        assert_eq!(run.trace.system, system);
        assert_eq!(run.trace.prompt[1].content, problem.question);
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
    assert_eq!(run.outcome.verdict, Verdict::Correct, "it corrects itself");
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
    assert_eq!(run_of(&mut page.events(12)).outcome.verdict, Verdict::Correct);
    let said = |text: &str| answer(json!({ "role": "assistant", "content": text }));
    // Answered in the other order, and one of them stopped meanwhile.
    page.fetched(11, b, said("eleven"));
    page.settle();
    assert_eq!(run_of(&mut page.events(11)).trace.answer(), Some("eleven"));
    assert!(page.events(10).is_empty());
    page.tell(11, Control::Cancel);
    page.fetched(10, a, said("ten"));
    page.settle();
    let run = run_of(&mut page.events(10));
    assert_eq!(run.trace.answer(), Some("ten"));
    assert!(page.host.posted.borrow().is_empty());
}

#[test]
fn names_that_do_not_exist_are_refused_in_words() {
    let mut page = Page::new();
    let problem = page.problem(TaskId::Cycle, 1);
    let unknown =
        ModelChoice::Endpoint { endpoint: Endpoint::new("carrier-pigeon", "x"), model: "m".into() };
    let messages = [
        (
            page.refused(run("crystal-ball", &problem, script("script"))),
            "no system \"crystal-ball\"",
        ),
        (page.refused(run("grounded", &problem, script("mistaken/x"))), "no script \"mistaken/x\""),
        (page.refused(run("grounded", &problem, unknown)), "must be one of openai"),
        (page.refused(call("no_such", &towns(), json!({}))), "no function \"no_such\""),
        (page.refused(OpenQuestion { file: 0, key: "0".into() }), "drop it again"),
    ];
    for (message, words) in messages {
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn the_catalogue_has_every_function_with_an_example_that_works() {
    let mut page = Page::new();
    let functions = page.ask(ListFunctions {});
    let names: Vec<&str> = functions.iter().map(|f| f.name.as_str()).collect();
    let all: Vec<&str> = graph::functions::FUNCTIONS.iter().map(|f| f.name).collect();
    assert_eq!(names, all);
    for view in functions {
        for name in view.example_graph.names() {
            assert!(view.example_places.get(name).is_some(), "{}: {name}", view.name);
        }
        let request = call(&view.name, &view.example_graph, view.example_arguments);
        let result = page.ask(request);
        assert!(result.0.is_ok(), "{}: {result:?}", view.name);
    }
}

#[test]
fn what_a_worker_says_of_itself_survives_json() {
    let ready = Event::Ready { version: protocol::VERSION.into() };
    for event in [ready, Event::Panicked { message: "index out of bounds: \"x\"".into() }] {
        let arrived = through_json(&Envelope { job: 0, body: event });
        assert_eq!(arrived.job, 0);
    }
    let result = ToolResult::Value { value: json!({ "a": [1, 2.5, null, "ü"] }), notes: vec![] };
    assert_eq!(through_json(&result), result);
}
