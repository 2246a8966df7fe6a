//! What a run can be told beside its system: fewer tools, an attached graph, short results, votes,
//! and taking over.

use agent::{Cancel, Choosing, Limits, RunContext, ToolSet as _, choose};
use futures_util::FutureExt as _;
use graph::{Graph, generators};
use llm::Message;
use serde_json::json;
use systems::experiment::{Finished, Score, vote};
use systems::grounded::retrieval::{PINNED, choosing};
use systems::grounded::scripted::Script;
use systems::grounded::{GraphTools, Surface};
use systems::{Run, RunOptions, RunRequest, run_system};
use tasks::{Ends, Problem, Query, Style, TASKS, TaskId, Verdict, Whole, Wording};
use test_support::{context, share};
use trace::replay::{ReplayFinding, replay};
use trace::{StepBody, ToolResult};

fn play(script: Script, problem: &Problem, question: &str, options: RunOptions) -> Run {
    let system = systems::nlgraph::find("grounded").unwrap();
    let (limits, cancel) = (Limits::default(), Cancel::default());
    let setting = RunContext { limits, ..context(&cancel) };
    let request = RunRequest { system, problem, question, options, setting, python: None };
    run_system(request, &script, &mut |_| {}).now_or_never().unwrap()
}

fn called(run: &Run) -> Vec<String> {
    let names = run.trace.steps.iter().filter_map(|s| match &s.body {
        StepBody::Call { call, .. } => Some(call.name.clone()),
        _ => None,
    });
    names.collect()
}

#[test]
fn retrieval_finds_every_function_that_the_solutions_use() {
    let specs = GraphTools::default().specs();
    for task in TASKS {
        for level in task.difficulties {
            for seed in 0..share(10) {
                let problem = task.generate(*level, seed);
                for wording in Wording::ALL {
                    let question = problem.question(wording, Style::ZeroShot);
                    let asked = [Message::user(question.as_str())];
                    let sent: Vec<String> =
                        choose(&choosing(2), &specs, &asked).into_iter().map(|t| t.name).collect();
                    assert_eq!(sent.len(), PINNED.len() + 2);
                    let run = play(Script::Careful, &problem, &question, RunOptions::default());
                    for name in called(&run) {
                        assert!(sent.contains(&name), "{name} for {question}: {sent:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_run_with_few_tools_is_as_good() {
    for task in TASKS {
        let problem = task.generate(task.difficulties[0], 1);
        let question = problem.question(Wording::Improved, Style::ZeroShot);
        let options = RunOptions {
            surface: Surface { choosing: choosing(2), ..Surface::default() },
            ..RunOptions::default()
        };
        let run = play(Script::Careful, &problem, &question, options);
        assert_eq!(run.judgement.verdict, Verdict::Correct, "{question}");
        assert!(matches!(run.trace.steps[0].body, StepBody::Choice { .. }));
    }
}

#[test]
fn pinned_by_hand_is_what_is_sent() {
    let specs = GraphTools::default().specs();
    let names = vec!["has_path".to_owned(), "create_graph".to_owned()];
    let sent = choose(&Choosing::Named { names }, &specs, &[]);
    let sent: Vec<&str> = sent.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(sent.len(), 2);
    assert!(sent.contains(&"has_path") && sent.contains(&"create_graph"));
}

fn large(query: Query, directed: bool) -> Problem {
    let graph = generators::random_sparse(1000, 5000, directed, 7).unwrap();
    Problem { difficulty: None, seed: None, graph, query }
}

#[test]
fn a_large_graph_that_is_attached_stays_solvable() {
    let between = || ("0".into(), "999".into());
    let (source, target) = between();
    let connected = large(Query::Connectivity(Ends { source, target }), false);
    let order = large(Query::Topology(Whole), true);
    for problem in [connected, order] {
        let question = problem.attached_question(Wording::Improved);
        let options = RunOptions { attach: true, ..RunOptions::default() };
        let run = play(Script::Careful, &problem, &question, options);
        assert_eq!(run.judgement.verdict, Verdict::Correct, "{:?}", run.judgement.explanation);
        // The graph is there from the first step on, and no message is long.
        assert_eq!(run.trace.graph_after(0).unwrap(), problem.graph);
        for message in run.trace.messages_before(usize::MAX) {
            assert!(message.content.len() < 6_100, "{} characters", message.content.len());
        }
    }
}

#[test]
fn a_handle_stands_for_a_long_result_in_further_calls() {
    let graph = generators::random_sparse(1000, 5000, true, 7).unwrap();
    let mut tools = GraphTools::over(graph).with_compact_results(500);
    let out = tools.call("topological_sort", json!({})).unwrap();
    let told: serde_json::Value = serde_json::from_str(&out.told.unwrap()).unwrap();
    let handle = &told["result"]["order"]["handle"];
    let checked = tools.call("is_topological_order", json!({ "order": handle }));
    assert_eq!(checked.unwrap().value["is_valid"], true);
    let part =
        tools.call("read_result", json!({ "handle": handle, "from": 998, "count": 5 })).unwrap();
    assert_eq!(part.value["items"].as_array().unwrap().len(), 2);
    let unknown = tools.call("is_topological_order", json!({ "order": "$r9" }));
    assert_eq!(unknown.unwrap_err().code, "unknown_handle");
    let mut whole = GraphTools::over(Graph::undirected());
    let name = "read_result";
    assert!(whole.specs().iter().all(|s| s.name != name), "only where results can be left out");
    assert!(whole.call("clear_graph", json!({})).is_ok());
}

#[test]
fn a_vote_takes_the_answer_that_most_runs_gave() {
    let problem = tasks::task(TaskId::Cycle).generate(tasks::Difficulty::Easy, 2);
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    let run = |text: &str| {
        let Run { trace, .. } = play(Script::Careful, &problem, &question, RunOptions::default());
        let judgement = tasks::verify(&problem, text);
        let ballot = judgement.answer.as_ref().map(tasks::Answer::ballot).unwrap_or_default();
        let score = Score { ballot, ..Score::new(judgement.verdict, judgement.explanation) };
        Finished { trace, outcome: json!(text), score }
    };
    let (yes, no, none) =
        (run("Yes, there is a cycle."), run("No, there is no cycle."), run("Hm."));
    let tally = |run: &Finished| match &run.trace.steps.last().unwrap().body {
        StepBody::Vote { tallies, tie } => {
            (tallies.iter().map(|t| (t.answer.clone(), t.runs.clone())).collect::<Vec<_>>(), *tie)
        }
        other => panic!("{other:?}"),
    };
    let won = vote(vec![none.clone(), no.clone(), yes.clone(), yes.clone()]).unwrap();
    assert_eq!(won.outcome, yes.outcome);
    let (tallies, tie) = tally(&won);
    assert_eq!(tallies[0], ("yes".into(), vec![2, 3]));
    assert_eq!(tallies[2], ("no answer".into(), vec![0]));
    assert!(!tie);
    let tied = vote(vec![no.clone(), yes]).unwrap();
    assert_eq!(tied.outcome, no.outcome, "the one that came first");
    assert!(tally(&tied).1);
    assert!(
        !tally(&vote(vec![none.clone(), none.clone(), no]).unwrap()).1,
        "silence does not vote"
    );
    assert_eq!(vote(vec![none.clone()]).unwrap().outcome, none.outcome);
    assert!(vote(Vec::new()).is_none());
}

#[test]
fn a_trace_replays_and_drift_is_found() {
    for task in TASKS {
        let problem = task.generate(task.difficulties[0], 4);
        let question = problem.question(Wording::Improved, Style::ZeroShot);
        let run = play(Script::Mistaken, &problem, &question, RunOptions::default());
        let again = |trace: &trace::Trace| {
            let mut tools = GraphTools::default().with_compact_results(6_000);
            replay(trace, &mut tools, true)
        };
        assert_eq!(again(&run.trace).drift().count(), 0, "{question}");
        let mut changed = run.trace.clone();
        let at = changed
            .steps
            .iter()
            .position(|s| {
                matches!(&s.body, StepBody::Call { result: ToolResult::Value { .. }, .. })
            })
            .unwrap();
        if let StepBody::Call { result, .. } = &mut changed.steps[at].body {
            *result = ToolResult::Value { value: "another".into(), notes: Vec::new() };
        }
        assert_eq!(again(&changed).drift().collect::<Vec<_>>(), [at]);
        changed.steps[at].by_person = true;
        assert_eq!(again(&changed).drift().count(), 0, "a person's change is no drift");
        let edited = again(&changed).findings.into_iter().find(|(i, _)| *i == at).unwrap();
        assert_eq!(edited.1, ReplayFinding::Edited);
    }
}

#[test]
fn a_run_is_taken_over_by_another_model() {
    let problem = tasks::task(TaskId::ShortestPath).generate(tasks::Difficulty::Easy, 3);
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    let bad = Script::by_name("mistaken/wrong-total").unwrap();
    let first = play(bad, &problem, &question, RunOptions::default());
    assert_eq!(first.judgement.verdict, Verdict::Partial);
    // Before its answer, the careful script takes over: the graph and the results are there.
    let n = first.trace.steps.len() - 1;
    let options = RunOptions { resume: Some(first.trace.fork(n)), ..RunOptions::default() };
    let second = play(Script::Careful, &problem, &question, options);
    assert_eq!(second.judgement.verdict, Verdict::Correct);
    assert_eq!(second.trace.steps[..n], first.trace.steps[..n]);
    let diff = trace::diff::diff(&first.trace, &second.trace);
    assert_eq!(diff.first_divergence, Some(n));
}
