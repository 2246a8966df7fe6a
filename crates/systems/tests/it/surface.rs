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
    assert!(found.contains("has_path: Whether") && !found.contains("before"), "{found}");
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
fn a_held_model_is_sent_questions_once_there_is_a_graph() {
    let (_, asked) = run(lines(), Surface { hold: true, ..Surface::guided() });
    let has = |n: usize, name: &str| asked[n].tools.iter().any(|tool| tool.name == name);
    // It asked all the same, and was refused.
    assert!(!has(0, "has_path") && !has(1, "has_path") && has(2, "has_path"));
    assert!((0..3).all(|n| has(n, "create_graph") && has(n, "find_functions")));
}
