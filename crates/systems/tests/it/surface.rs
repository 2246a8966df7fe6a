//! What a language model sees of the functions: those that fit, results in words, and a hold to calling.

use agent::Cancel;
use futures_util::FutureExt as _;
use llm::{ChatRequest, Message, ToolChoice};
use serde_json::{Value, json};
use systems::grounded::retrieval::{N_TOOLS, PINNED};
use systems::grounded::{GraphTools, Surface};
use systems::{Run, RunOptions, RunRequest, run_system};
use tasks::{Difficulty, Style, TaskId, Wording, task};
use test_support::{Lines, calling, context};
use trace::replay::replay;
use trace::{StepBody, ToolResult};

fn call(name: &str, arguments: &Value) -> Message {
    calling(&[(name, &arguments.to_string())])
}

fn run(lines: Vec<Message>, surface: Surface) -> (Run, Vec<ChatRequest>) {
    let (model, cancel) = (Lines::new(lines), Cancel::default());
    let problem = task(TaskId::Connectivity).generate(Difficulty::Easy, 3);
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    let request = RunRequest {
        system: systems::nlgraph::find("grounded").unwrap(),
        problem: &problem,
        question: &question,
        options: RunOptions { surface, ..RunOptions::default() },
        setting: context(&cancel),
        python: None,
    };
    let run = run_system(request, &model, &mut |_| {}).now_or_never().unwrap();
    (run, model.asked().iter().cloned().collect())
}

/// The code of each call's error, or nothing, and what the model read in place of the result.
fn answers_of(run: &Run) -> Vec<(Option<String>, Option<String>)> {
    let of = |step: &trace::Step| match &step.body {
        StepBody::Call { result, told, .. } => {
            let code = match result {
                ToolResult::Error(error) => Some(error.code.clone()),
                ToolResult::Value { .. } => None,
            };
            Some((code, told.clone()))
        }
        _ => None,
    };
    run.trace.steps.iter().filter_map(of).collect()
}

fn lines() -> Vec<Message> {
    let asks = call("has_path", &json!({ "start": 0, "end": 2 }));
    vec![
        asks.clone(),
        call("create_graph", &json!({ "directed": false, "edges": ["0-1", "1-2"], "weights": [] })),
        asks.clone(),
        asks,
        Message::assistant("The answer is yes."),
    ]
}

#[test]
fn a_guided_model_reads_what_results_mean_and_that_it_repeats_a_call() {
    let (run, asked) = run(lines(), Surface::guided());
    let read = answers_of(&run);
    assert_eq!(read[0].0.as_deref(), Some("empty_graph"));
    assert!(read[1].1.as_ref().unwrap().contains("call the function that answers"), "{read:?}");
    let (found, again) = (read[2].1.as_ref().unwrap(), read[3].1.as_ref().unwrap());
    assert!(found.contains("from start? Yes.") && !found.contains("before"), "{found}");
    assert!(
        again.starts_with(found.as_str()) && again.contains("made this call before"),
        "{again}"
    );
    let StepBody::Call { result: ToolResult::Value { notes, .. }, .. } = &run.trace.steps[4].body
    else {
        panic!("{:?}", run.trace.steps[4]);
    };
    assert!(notes.iter().any(|n| n.contains("0-1") && n.contains("1 more")), "{notes:?}");
    assert!(notes.iter().any(|n| n.contains("weights")), "{notes:?}");
    let sent: Vec<&str> = asked[0].tools.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(sent.len(), PINNED.len() + N_TOOLS + 1, "{sent:?}");
    assert!(sent.contains(&"find_functions") && sent.contains(&"has_path"), "{sent:?}");
    assert!(asked.iter().all(|request| request.tool_choice == ToolChoice::Auto));
    assert_eq!(replay(&run.trace, &mut GraphTools::before(&run.trace), true).drift().count(), 0);
}

#[test]
fn the_papers_surface_has_no_words_of_ours() {
    let (run, asked) = run(lines(), Surface::default());
    assert!(answers_of(&run).iter().all(|(_, told)| told.is_none()));
    assert!(asked[0].tools.iter().all(|tool| tool.name != "find_functions"));
    assert!(asked[0].messages[0].content.starts_with("You can use the given functions"));
}

#[test]
fn a_held_model_has_to_call_until_a_function_has_answered() {
    let (run, asked) = run(lines(), Surface { hold: true, ..Surface::guided() });
    let must: Vec<bool> = asked.iter().map(|r| r.tool_choice == ToolChoice::Required).collect();
    // The refused call and the one that builds the graph answer nothing.
    assert_eq!(must, [true, true, true, false, false]);
    for (i, step) in run.trace.steps.iter().enumerate() {
        if matches!(step.body, StepBody::Model { .. }) {
            let rebuilt = run.trace.request_of(i).unwrap();
            let n = run.trace.steps[..i]
                .iter()
                .filter(|s| matches!(s.body, StepBody::Model { .. }))
                .count();
            assert_eq!(rebuilt.request.tool_choice, asked[n].tool_choice, "turn {n}");
        }
    }
}

#[test]
fn what_is_looked_up_is_sent_from_then_on() {
    let purpose = json!({ "purpose": "critical link, single point of failure" });
    let lines = vec![
        call("find_functions", &purpose),
        call("find_functions", &json!({})),
        Message::assistant("I do not know."),
    ];
    let (run, asked) = run(lines, Surface::guided());
    let has = |n: usize| asked[n].tools.iter().any(|tool| tool.name == "find_bridges");
    assert!(!has(0) && has(1) && has(2));
    assert_eq!(answers_of(&run)[1].0.as_deref(), Some("bad_arguments"));
    assert_eq!(replay(&run.trace, &mut GraphTools::before(&run.trace), true).drift().count(), 0);
}

#[test]
fn a_held_model_is_led_from_the_graph_to_the_question_to_the_answer() {
    let (run, asked) = run(lines(), Surface { hold: true, ..Surface::guided() });
    let sent = |n: usize| asked[n].tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>();
    // It asked about a graph that was not there, and was refused.
    assert_eq!((sent(0), sent(1)), (vec!["create_graph"], vec!["create_graph"]));
    assert!(sent(2).contains(&"has_path") && !sent(2).contains(&"create_graph"), "{:?}", sent(2));
    // Then nothing is left to call, and it sees no call: it would write another one.
    assert!(sent(3).is_empty());
    let [_, found, _] = asked[3].messages.as_slice() else { panic!("{:?}", asked[3].messages) };
    let says =
        "has_path {\"start\":0,\"end\":2}: Is it true that end can be reached from start? Yes.";
    assert!(found.content.contains(says) && found.tool_calls.is_empty(), "{found:?}");
    assert_eq!(replay(&run.trace, &mut GraphTools::before(&run.trace), true).drift().count(), 0);
}

#[test]
fn an_order_that_a_held_model_made_up_is_no_answer_when_it_is_wrong() {
    let edges = json!([{ "u": 0, "v": 1 }, { "u": 1, "v": 2 }]);
    let lines = vec![
        call("create_graph", &json!({ "kind": "directed", "edges": edges, "nodes": [0, 1, 2] })),
        call("is_topological_order", &json!({ "order": [2, 1, 0] })),
        call("topological_sort", &json!({})),
        Message::assistant("0, 1, 2"),
    ];
    let (run, asked) =
        run(lines, Surface { hold: true, ..Surface { guide: true, ..Surface::default() } });
    let has = |n: usize, name: &str| asked[n].tools.iter().any(|tool| tool.name == name);
    assert!(has(1, "is_topological_order") && !has(2, "is_topological_order"));
    let sent = |n: usize| asked[n].tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>();
    assert!(sent(2).contains(&"topological_sort"), "{:?}", sent(2));
    assert!(!sent(3).contains(&"topological_sort"), "{:?}", sent(3));
    assert!(asked[3].messages.iter().all(|m| !m.content.contains("valid? No")));
    let read = asked[2].messages.last().unwrap();
    assert!(read.content.ends_with("So this was no answer. Call the function that finds one."));
    assert_eq!(replay(&run.trace, &mut GraphTools::before(&run.trace), true).drift().count(), 0);
}

#[test]
fn one_that_asks_about_a_missing_node_may_complete_its_graph() {
    let lines = vec![
        call(
            "create_graph",
            &json!({ "kind": "undirected", "edges": [{ "u": 0, "v": 1 }], "nodes": [0, 1] }),
        ),
        call("has_path", &json!({ "start": 0, "end": 9 })),
        call("add_nodes", &json!({ "nodes": [9] })),
        call("find_functions", &json!({ "purpose": "bridges" })),
        call("has_path", &json!({ "start": 0, "end": 9 })),
        Message::assistant("no"),
    ];
    let (_, asked) = run(lines, Surface { hold: true, ..Surface::guided() });
    let has = |n: usize, name: &str| asked[n].tools.iter().any(|tool| tool.name == name);
    assert!(!has(1, "add_nodes") && has(2, "add_nodes") && !has(3, "add_nodes"));
    assert!(has(3, "find_functions") && !has(4, "find_functions"), "twice in a row");
}

#[test]
fn a_guided_model_writes_a_graph_edge_by_edge() {
    let made = |arguments: Value| {
        let (run, asked) = run(
            vec![call("create_graph", &arguments), Message::assistant("no")],
            Surface::guided(),
        );
        let face = asked[0].tools.iter().find(|tool| tool.name == "create_graph").unwrap();
        assert!(face.parameters["properties"].get("directed").is_none());
        (run.trace.graph_after(run.trace.steps.len()).unwrap(), answers_of(&run).remove(0), run)
    };
    let edge = |weight: Option<f64>| match weight {
        Some(weight) => json!({ "u": 0, "v": "1", "weight": weight }),
        None => json!({ "u": 0, "v": "1" }),
    };
    let (graph, _, run) =
        made(json!({ "kind": "directed", "edges": [edge(Some(2.5))], "nodes": [0, 1, 2] }));
    assert!(graph.is_directed() && graph.n_nodes() == 3 && graph.n_edges() == 1);
    assert_eq!(graph.edges().next().unwrap().weight, Some(2.5));
    assert_eq!(replay(&run.trace, &mut GraphTools::before(&run.trace), true).drift().count(), 0);
    let (graph, _, _) = made(json!({ "kind": "undirected", "edges": [edge(None)], "nodes": [] }));
    assert!(!graph.is_directed() && graph.n_edges() == 1);
    // The function's own form stays right.
    let (graph, _, _) = made(json!({ "directed": false, "edges": [[0, 1]] }));
    assert_eq!(graph.n_edges(), 1);
    // Which edge has the one weight, is not guessed.
    let (_, (code, _), _) = made(
        json!({ "kind": "directed", "edges": [edge(Some(1.0)), { "u": 1, "v": 2 }], "nodes": [] }),
    );
    assert_eq!(code.as_deref(), Some("length_mismatch"));
    let (_, (code, _), run) = made(json!({ "kind": "mixed", "edges": [edge(None)], "nodes": [] }));
    assert_eq!(code.as_deref(), Some("bad_arguments"));
    let refusal = run.trace.steps.iter().find_map(|s| match &s.body {
        StepBody::Call { result: ToolResult::Error(error), .. } => Some(&error.message),
        _ => None,
    });
    assert!(refusal.unwrap().contains("kind (undirected or directed)"), "{refusal:?}");
}
