//! Traces: walked through, noted, replayed, taken over, compared, saved, and opened from any file.

use anyhow::{Context as _, Result, ensure};
use fantoccini::key::Key;
use graph::Delta;
use llm::{FinishReason, Message, ToolCall, Usage};
use serde_json::{Value, json};
use trace::{Effects, Record, Step, StepBody, Stop, ToolResult, Trace, formats};

use crate::browser::{Browser, file};
use crate::screens::{Solve, Traces};

const PROBLEM: &str = "#/solve?task=shortest_path&difficulty=easy&seed=7";

/// Runs a script on the problem of the page Solve, and opens the run.
async fn open_run_of(page: &Browser, script: &str, has_tools: bool) -> Result<()> {
    let solve = Solve(page);
    solve.question().await?;
    page.play_script(script).await?;
    if has_tools {
        solve.with_tools().await?;
    } else {
        solve.alone().await?;
    }
    solve.has_verdict().await?;
    Traces(page).open_kept().await
}

#[tokio::test]
async fn a_run_is_walked_through_noted_shared_and_found_again() -> Result<()> {
    let page = Browser::open(PROBLEM).await?;
    open_run_of(&page, "mistaken/bad-json", true).await?;
    let traces = Traces(&page);
    let n = traces.n_steps().await?;
    ensure!(n >= 8, "the run has {n} steps");
    // It opens at its first mistake.
    traces.is_at_a_mistake().await?;
    traces.types(Key::Home).await?;
    traces.is_at(0).await?;
    traces.stage_says("No graph yet").await?;
    traces.types("jjj").await?;
    traces.is_at(3).await?;
    traces.types("k").await?;
    traces.is_at(2).await?;
    traces.types(Key::End).await?;
    traces.is_at(n).await?;
    // Where nodes stand does not change while the graph grows.
    let at_end = traces.place_of_node_0().await?;
    traces.types("kk").await?;
    traces.is_at(n - 2).await?;
    ensure!(traces.place_of_node_0().await? == at_end, "node 0 jumped");
    traces.filters("Mistakes").await?;
    traces.lists("=== 1").await?;
    traces.opens_mistake().await?;
    traces.detail_says("malformed JSON").await?;
    traces.filters("All steps").await?;
    traces.searches("find_shortest_path").await?;
    traces.lists("< 8").await?;
    traces.searches("").await?;
    traces.lists(&format!("=== {n}")).await?;
    // What the model saw is rebuilt, and has the hash that was kept.
    traces.raw_says("its hash is the one that was kept").await?;
    traces.types(Key::Home).await?;
    traces.plays().await?;
    traces.is_at(n).await?;
    page.shoot("traces-run").await?;

    traces.opens_mistake().await?;
    let note = "Here <b>it</b> goes wrong.";
    traces.notes("look again, bad json", "The first call is no JSON.", note).await?;
    traces.marks("noted").await?;
    traces.kept_say("#look again").await?;
    let link = traces.link_to_step().await?;
    ensure!(link.contains("&step="), "{link}");
    // After a reload they are there, at the step of the address.
    let id = page.kept_runs().await?.pop().context("no run is kept")?;
    page.load(&format!("#/traces?run={id}&step=2")).await?;
    traces.is_at(2).await?;
    traces.open_say("#bad json").await?;
    // A second run, and the table with both.
    page.go("#/solve?task=cycle&difficulty=easy&seed=3").await?;
    let solve = Solve(&page);
    solve.asks("cycle").await?;
    page.play_script("script").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    page.go("#/traces").await?;
    traces.to_table().await?;
    traces.table_has(2, 2).await?;
    page.shoot("traces-table").await?;
    for (field, value) in [("tag", "bad json"), ("task", "cycle")] {
        traces.table_by(field, value).await?;
        traces.table_has(1, 2).await?;
        traces.table_by(field, "").await?;
        traces.table_has(2, 2).await?;
    }
    traces.sorts_and_opens().await?;
    // In another browser the link has the notes, and they are text.
    let other = Browser::open(&link).await?;
    Traces(&other).open_say("#look again").await?;
    ensure!(Traces(&other).step_note().await? == note);
    other.close().await?;
    page.close().await
}

#[tokio::test]
async fn a_run_is_saved_replayed_and_taken_over_by_models_and_people() -> Result<()> {
    let page = Browser::open(PROBLEM).await?;
    open_run_of(&page, "script", true).await?;
    let traces = Traces(&page);
    traces.replays("results are the same").await?;
    traces.marks("same").await?;
    page.keep_saved().await?;
    for format in formats::FORMATS.iter().filter(|f| f.write.is_some()) {
        let records = format.read(&traces.saves(format.id).await?)?;
        ensure!(records[0].trace.n_calls() == 4, "{}: {}", format.id, records[0].trace.n_calls());
        ensure!(records[0].score.as_ref().context("a score")?.label == "correct");
    }
    // A trace with a result that somebody changed.
    let mut changed = Trace::new("grounded", "m".into(), vec![Message::user("Which way?")]);
    changed.steps = vec![
        step(
            call("c1", "add_nodes", "{\"nodes\":[0,1]}"),
            json!({ "added": 2 }),
            vec![node(0), node(1)],
        ),
        step(call("c1", "describe_graph", "{}"), json!("nothing"), vec![]),
    ];
    traces.opens_file(&file("drift.trace.json", &own(changed))?).await?;
    traces.open_say("Which way?").await?;
    traces.replays("differ").await?;
    traces.marks("drift").await?;

    // Before its wrong answer the careful script takes over, and the two part at the answer.
    page.go(PROBLEM).await?;
    open_run_of(&page, "mistaken/wrong-total", true).await?;
    traces.open_say("partial").await?;
    traces.types(Key::End).await?;
    traces.takes_over("script").await?;
    traces.open_say("from step").await?;
    traces.fork_is("correct").await?;
    traces.compares("first difference in row").await?;
    page.shoot("traces-diff").await?;
    traces.ends_comparison().await?;
    traces.are_open(4).await?;
    // A person puts another result in the place of a call's.
    traces.types(Key::Home).await?;
    traces.opens_reading_call().await?;
    traces.puts_result("{\"path\":[0,1],\"length\":1}").await?;
    traces.are_open(5).await?;
    traces.marks("edited").await?;
    traces.replays("are the same").await?;
    // Then she answers in the model's place.
    traces.takes_over("person").await?;
    traces.answers("The shortest path is 0, 1 with a total weight of 1.").await?;
    traces.are_open(6).await?;

    // An answer without tools is judged on the graph of its problem. The name says who answered, and with
    // what.
    page.load(PROBLEM).await?;
    open_run_of(&page, "mistaken/bad-json", false).await?;
    traces.draws_more_than(3).await?;
    traces.types(Key::End).await?;
    traces.shows_what_is_false("Wrong").await?;
    let name = traces.name().await?;
    ensure!(name.contains("seed 7") && name.contains("without tools"), "{name}");
    page.shoot("traces-answer").await?;
    traces.spent_says("turn").await?;
    traces.follows_first_bar().await?;
    traces.is_at(1).await?;
    page.close().await
}

fn node(n: usize) -> Delta {
    Delta::AddNode { node: n.into() }
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
}

fn step(call: ToolCall, value: Value, deltas: Vec<Delta>) -> Step {
    let result = ToolResult::Value { value, notes: Vec::new() };
    let effects = Effects { deltas, ..Effects::default() };
    let body = StepBody::Call { call, result, effects, told: None };
    Step { at_ms: 0.0, took_ms: 0.1, by_person: false, body }
}

fn own(trace: Trace) -> String {
    formats::write_own(&[Record::of(trace)])
}

/// A run of `n_steps` steps: a model that calls and calls.
pub(crate) fn long_trace(n_steps: usize) -> Trace {
    let mut trace =
        Trace::new("grounded", "a long run".into(), vec![Message::user("Count them all.")]);
    for i in 0..n_steps / 2 {
        let call = call(&format!("c{i}"), "add_nodes", &format!("{{\"nodes\":[{}]}}", i % 300));
        let message = Message {
            tool_calls: vec![call.clone()],
            ..Message::assistant(format!("Now node {i}."))
        };
        let body = StepBody::Model {
            message,
            finish: FinishReason::ToolCalls,
            usage: Usage { input_tokens: Some(900), output_tokens: Some(20), ..Usage::default() },
            request_hash: "0".into(),
        };
        trace.steps.push(Step { at_ms: i as f64, took_ms: 0.9, by_person: false, body });
        let deltas = if i < 300 { vec![node(i)] } else { Vec::new() };
        trace.steps.push(step(call, json!({ "added": usize::from(i < 300) }), deltas));
    }
    trace.stop = Some(Stop::Answered);
    trace
}

#[tokio::test]
async fn files_of_any_program_and_size_open_and_hostile_ones_do_no_harm() -> Result<()> {
    let page = Browser::open("#/traces").await?;
    let traces = Traces(&page);
    // Two recorded runs are open: one that corrects a mistake, one that invents an answer.
    traces.examples_are("recorded runs of our own small model").await?;
    traces.are_open(2).await?;
    traces.is_open().await?;
    ensure!(traces.n_mistakes().await? > 0, "no mistake among the steps");
    page.fits("traces-examples", None).await?;
    traces.opens_second().await?;
    traces.types(Key::End).await?;
    traces.shows_what_is_false("Wrong").await?;
    // Closed, they do not come back.
    traces.closes_one().await?;
    traces.closes_one().await?;
    page.reload().await?;
    traces.offers_examples().await?;
    ensure!(!traces.has_any_open().await?, "an example came back");
    traces.opens_examples().await?;
    traces.are_open(2).await?;
    // The transcripts of the paper have our verdicts. They open one after the other.
    traces.opens_transcripts().await?;
    traces.open_say("partial").await?;
    traces.timed_says("opened in").await?;
    traces.are_open(5).await?;
    traces.opens_row(1).await?;

    let mut trace = long_trace(6);
    if let Some(Step { body: StepBody::Model { message, .. }, .. }) = trace.steps.first_mut() {
        message.content =
            "<script>window.bad = 1</script><img src=x onerror='window.bad=1'>".into();
    }
    for (i, (id, _)) in formats::TITLES.into_iter().enumerate() {
        let (format, text) =
            formats::write(id, &[Record::of(trace.clone())]).map_err(anyhow::Error::msg)?;
        traces.opens_file(&file(&format!("other.{}", format.extensions[0]), &text)?).await?;
        traces.are_open(6 + i).await?;
    }
    traces.types(Key::Home).await?;
    traces.types("j").await?;
    traces.detail_says("<script>").await?;
    ensure!(page.is_unharmed().await?, "a trace ran a script");
    // What cannot be read says so, and what was open stays.
    let deep = file("deep.json", &"[".repeat(100_000))?;
    for (path, words) in
        [(deep, "recursion limit"), (file("list.json", "{\"hello\":1}")?, "Inspect log")]
    {
        traces.opens_file(&path).await?;
        page.has_notice(words).await?;
    }
    let n = 5 + formats::TITLES.len();
    traces.are_open(n).await?;
    let huge = json!({ "messages": [{ "role": "assistant", "content": "x".repeat(10_000_000) }] });
    traces.opens_file(&file("huge.json", &huge.to_string())?).await?;
    traces.are_open(n + 1).await?;
    traces.detail_says("Show all").await?;

    // An archive of Inspect, and a file of many runs: each is called by its id in the file.
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    traces.opens_file(&root.join("fuzz/seeds/trace.eval").canonicalize()?).await?;
    traces.are_open(n + 2).await?;
    let of = |i: usize| Record { id: format!("run-{i}"), ..Record::of(long_trace(4)) };
    let many: Vec<Record> = (0..300).map(of).collect();
    traces.opens_file(&file("many.trace.json", &formats::write_own(&many))?).await?;
    traces.are_open(n + 302).await?;
    traces.open_say("run-0 \u{b7} Count them all.").await?;
    traces.open_say("run-299 \u{b7} Count them all.").await?;
    page.shoot("traces-many").await?;

    // Of thirty thousand steps only those in sight have rows, from one end to the other.
    traces.opens_file(&file("long.trace.json", &own(long_trace(30_000)))?).await?;
    traces.is_at_of(1, 30_000).await?;
    let rows = traces.n_rows().await?;
    ensure!(rows < 120, "{rows} rows are made, though few are in sight");
    traces.scrolls(0, 1).await?;
    traces.scrolls(500_000, 14_706).await?;
    traces.types(Key::Home).await?;
    traces.is_at_of(0, 30_000).await?;
    traces.searches("Now node 14999").await?;
    traces.lists("=== 1").await?;
    page.shoot("traces-long").await?;
    page.close().await
}
