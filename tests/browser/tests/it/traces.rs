//! Traces: walked through, replayed, taken over, compared, saved, and opened in any size.

use anyhow::{Context as _, Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use graph::Delta;
use llm::{FinishReason, Message, ToolCall, Usage};
use serde_json::json;
use trace::{Effects, Record, Step, StepBody, Stop, ToolResult, Trace, formats};

use crate::browser::{Browser, file};

/// Runs the grounded system on a problem, and opens the run on the Traces page.
async fn open_a_run(script: &str) -> Result<Browser> {
    let page = Browser::open("#/solve?task=shortest_path&difficulty=easy&seed=7").await?;
    page.until_text(".question", "Q:").await?;
    page.play_script(script).await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict]").await?;
    page.run("location.hash = '#/traces'", vec![]).await?;
    page.press("[data-testid='kept-runs'] .open").await?;
    page.find(".step-row").await?;
    Ok(page)
}

async fn key(page: &Browser, key: &str) -> Result<()> {
    let script = "document.activeElement?.blur();
        window.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }))";
    page.run(script, vec![json!(key)]).await?;
    Ok(())
}

#[tokio::test]
async fn a_run_is_walked_through_by_keys_and_by_clicks() -> Result<()> {
    let page = open_a_run("mistaken/bad-json").await?;
    let count = page.text("[data-testid='count']").await?;
    let n: usize = count.split(' ').next_back().context("a count")?.parse()?;
    ensure!(n >= 8, "the run has {n} steps");
    // It opens at its first mistake.
    page.find(".step-row.k-bad.now").await?;
    key(&page, "Home").await?;
    page.until_text("[data-testid='count']", &format!("0 of {n}")).await?;
    page.until_text(".stage .empty", "No graph yet").await?;
    for _ in 0..3 {
        key(&page, "j").await?;
    }
    page.until_text("[data-testid='count']", &format!("3 of {n}")).await?;
    key(&page, "k").await?;
    page.until_text("[data-testid='count']", &format!("2 of {n}")).await?;
    key(&page, "End").await?;
    page.until_text("[data-testid='count']", &format!("{n} of {n}")).await?;
    // Where nodes stand does not change while the graph grows.
    let place = "const n = [...document.querySelectorAll('svg.graph .node')].find(g => g.textContent.trim() === '0');
        return n ? JSON.stringify(n.getBoundingClientRect()) : null";
    let at_end = page.run(place, vec![]).await?;
    key(&page, "k").await?;
    key(&page, "k").await?;
    ensure!(page.run(place, vec![]).await? == at_end, "node 0 jumped");
    // A mistake is found by the filter.
    page.choose("filter", "Mistakes").await?;
    page.until_text("[data-testid='n-listed']", "1").await?;
    page.press(".step-row.k-bad").await?;
    page.until_text("[data-testid='detail']", "malformed JSON").await?;
    page.choose("filter", "All steps").await?;
    page.type_into("search-steps", "find_shortest_path").await?;
    page.until("the search leaves some", "return +document.querySelector('[data-testid=n-listed]').textContent < arguments.length + 8").await?;
    page.type_into("search-steps", "").await?;
    let field = page.by_id("search-steps").await?;
    field.send_keys(&Key::Backspace.to_string()).await?;
    // What the model saw is rebuilt, and has the hash that was kept.
    page.click("tab-raw").await?;
    page.until_text("[data-testid='raw-check']", "its hash is the one that was kept").await?;
    // It plays by itself.
    key(&page, "Home").await?;
    page.choose_text(".speed", "20 ×").await?;
    page.click("play").await?;
    page.until_text("[data-testid='count']", &format!("{n} of {n}")).await?;
    page.shoot("traces-run").await?;
    page.close().await
}

#[tokio::test]
async fn a_replay_finds_no_drift_and_a_changed_result_is_told() -> Result<()> {
    let page = open_a_run("script").await?;
    page.click("replay").await?;
    page.until_text("[data-testid='replay-report']", "results are the same").await?;
    ensure!(page.count(".badge.same").await? > 0);
    // The same trace with a result that somebody changed.
    let mut trace = Trace::new("grounded", "m".into(), vec![Message::user("Which way?")]);
    trace.steps = vec![
        step(
            call_of("add_nodes", "{\"nodes\":[0,1]}"),
            json!({ "added": 2 }),
            vec![node(0), node(1)],
        ),
        step(call_of("describe_graph", "{}"), json!("nothing"), vec![]),
    ];
    let path = file("drift.trace.json", &own(trace))?;
    open_file(&page, &path).await?;
    page.until_text("[data-testid='open-traces']", "Which way?").await?;
    page.click("replay").await?;
    page.until_text("[data-testid='replay-report']", "differ").await?;
    page.find(".badge.drift").await?;
    page.close().await
}

#[tokio::test]
async fn a_run_is_taken_over_by_another_model_with_another_result_and_by_a_person() -> Result<()> {
    let page = open_a_run("mistaken/wrong-total").await?;
    page.until_text("[data-testid='open-traces']", "partial").await?;
    // Before its wrong answer the careful script takes over.
    key(&page, "End").await?;
    page.click("tab-fork").await?;
    page.choose("fork-model", "script").await?;
    page.click("fork-go").await?;
    page.until_text("[data-testid='open-traces']", "from step").await?;
    page.until_text("[data-testid='open-traces'] li.fork", "correct").await?;
    // The two beside each other part at the answer.
    let other = page
        .run(
            "const o = document.querySelectorAll('[data-testid=compare-with] option'); return o[o.length - 1].value",
            vec![],
        )
        .await?;
    page.choose("compare-with", other.as_str().context("another trace")?).await?;
    page.until_text("[data-testid='diff-summary']", "first difference in row").await?;
    page.find(".diff-row.other").await?;
    page.shoot("traces-diff").await?;
    page.press(".diff-head button:last-child").await?;
    // A person puts another result in the place of a call's.
    key(&page, "Home").await?;
    page.press(".step-row.k-reads").await?;
    page.click("tab-fork").await?;
    page.type_into("fork-result", "{\"path\":[0,1],\"length\":1}").await?;
    page.click("fork-with-result").await?;
    page.until(
        "three are open",
        "return document.querySelectorAll('[data-testid=open-traces] li').length === 3",
    )
    .await?;
    page.find(".step-row .badge.edited").await?;
    page.click("replay").await?;
    page.until_text("[data-testid='replay-report']", "are the same").await?;
    // A person goes on in the model's place.
    page.click("tab-fork").await?;
    page.choose("fork-model", "person").await?;
    page.click("fork-go").await?;
    page.find("[data-testid='seat']").await?;
    page.type_into("seat-answer", "The shortest path is 0, 1 with a total weight of 1.").await?;
    page.press("[data-testid='seat'] form:last-child button").await?;
    page.until(
        "four are open",
        "return document.querySelectorAll('[data-testid=open-traces] li').length === 4",
    )
    .await?;
    page.close().await
}

fn node(n: usize) -> Delta {
    Delta::AddNode { node: n.into() }
}

fn call_of(name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: "c1".into(), name: name.into(), arguments: arguments.into() }
}

fn step(call: ToolCall, value: serde_json::Value, deltas: Vec<Delta>) -> Step {
    let result = ToolResult::Value { value, notes: Vec::new() };
    let effects = Effects { deltas, ..Effects::default() };
    let body = StepBody::Call { call, result, effects, told: None };
    Step { at_ms: 0.0, took_ms: 0.1, by_person: false, body }
}

fn own(trace: Trace) -> String {
    (formats::FORMATS[0].write)(&[Record::of(trace)])
}

async fn open_file(page: &Browser, path: &std::path::Path) -> Result<()> {
    let input = page.client.find(Locator::Css("[data-testid='trace-file']")).await?;
    input.send_keys(&path.to_string_lossy()).await?;
    Ok(())
}

/// A run of so many steps: a model that calls and calls.
pub(crate) fn long_trace(n_steps: usize) -> Trace {
    let mut trace =
        Trace::new("grounded", "a long run".into(), vec![Message::user("Count them all.")]);
    for i in 0..n_steps / 2 {
        let call = ToolCall {
            id: format!("c{i}"),
            name: "add_nodes".into(),
            arguments: format!("{{\"nodes\":[{}]}}", i % 300),
        };
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
async fn thirty_thousand_steps_open_and_scroll() -> Result<()> {
    let path = file("long.trace.json", &own(long_trace(30_000)))?;
    let page = Browser::open("#/traces").await?;
    open_file(&page, &path).await?;
    page.until_text("[data-testid='count']", "1 of 30000").await?;
    let rows = page.count(".step-row").await?;
    ensure!(rows < 120, "{rows} rows are made, though few are in sight");
    // From one end to the other.
    let scroll = "const l = document.querySelector('.virtual'); l.scrollTop = arguments[0]";
    page.run(scroll, vec![json!(0)]).await?;
    page.until_text(".step-row .n", "1").await?;
    page.run(scroll, vec![json!(500_000)]).await?;
    page.until("rows in the middle are made", "return [...document.querySelectorAll('.step-row .n')].some(n => Math.abs(n.textContent - 14706) < 40)").await?;
    key(&page, "Home").await?;
    page.until_text("[data-testid='count']", "0 of 30000").await?;
    page.type_into("search-steps", "Now node 14999").await?;
    page.until_text("[data-testid='n-listed']", "1").await?;
    page.shoot("traces-long").await?;
    page.close().await
}

#[tokio::test]
async fn files_of_other_programs_open_and_hostile_ones_neither_freeze_nor_inject() -> Result<()> {
    let page = Browser::open("#/traces").await?;
    let mut trace = long_trace(6);
    if let Some(Step { body: StepBody::Model { message, .. }, .. }) = trace.steps.first_mut() {
        message.content =
            "<script>window.bad = 1</script><img src=x onerror='window.bad=1'>".into();
    }
    for format in formats::FORMATS {
        let text = (format.write)(&[Record::of(trace.clone())]);
        let path = file(&format!("other.{}", format.extension), &text)?;
        open_file(&page, &path).await?;
        page.until_text("[data-testid='opened-ms']", "opened in").await?;
    }
    page.until(
        "all are open",
        "return document.querySelectorAll('[data-testid=open-traces] li').length === 5",
    )
    .await?;
    key(&page, "Home").await?;
    key(&page, "j").await?;
    page.until_text("[data-testid='detail']", "<script>").await?;
    let bad = page.run("return window.bad === undefined", vec![]).await?;
    ensure!(bad == json!(true), "a trace ran a script");
    // What cannot be read says so, and what was open stays.
    let huge = json!({ "messages": [{ "role": "assistant", "content": "x".repeat(10_000_000) }] });
    let hostile = [
        ("deep.json", "[".repeat(100_000), "recursion limit"),
        ("list.json", "{\"hello\":1}".to_owned(), "Inspect log"),
    ];
    for (name, text, words) in hostile {
        open_file(&page, &file(name, &text)?).await?;
        page.until_text(".right .notice, .left .notice", words).await?;
    }
    open_file(&page, &file("huge.json", &huge.to_string())?).await?;
    page.until(
        "it is open",
        "return document.querySelectorAll('[data-testid=open-traces] li').length === 6",
    )
    .await?;
    page.until_text("[data-testid='detail']", "Show all").await?;
    page.close().await
}

#[tokio::test]
async fn a_trace_is_saved_in_every_format() -> Result<()> {
    let page = open_a_run("script").await?;
    // The page offers files by links to blobs: their texts are caught here.
    let catch = "window.saved = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = b => { b.text().then(t => window.saved.push(t)); return make(b); };";
    page.run(catch, vec![]).await?;
    for (i, format) in formats::FORMATS.iter().enumerate() {
        page.choose("save-as", format.id).await?;
        page.until("it is saved", &format!("return window.saved.length === {}", i + 1)).await?;
        let text = page.run("return window.saved[window.saved.length - 1]", vec![]).await?;
        let text = text.as_str().context("a text")?;
        let records = (format.read)(text)?;
        ensure!(records[0].trace.n_calls() == 4, "{}: {}", format.id, records[0].trace.n_calls());
        let score = records[0].score.as_ref().context("a score")?;
        ensure!(score.label == "correct");
    }
    page.close().await
}

#[tokio::test]
async fn an_empty_page_opens_two_examples() -> Result<()> {
    let page = Browser::open("#/traces").await?;
    page.click("trace-examples").await?;
    page.until_text("[data-testid='open-traces']", "Example with mistakes").await?;
    ensure!(page.count("[data-testid='open-traces'] li").await? == 2);
    ensure!(page.count("[data-testid='trace-examples']").await? == 0);
    page.find(".step-row").await?;
    ensure!(page.count(".step-row.k-bad").await? > 0, "no mistake among the steps");
    page.close().await
}

/// Runs a system of the Solve page with a script, and opens the run.
async fn open_run_of(system: &str, script: &str) -> Result<Browser> {
    let page = Browser::open("#/solve?task=shortest_path&difficulty=easy&seed=7").await?;
    page.until_text(".question", "Q:").await?;
    page.play_script(script).await?;
    page.click(system).await?;
    page.find(".card[data-verdict]").await?;
    page.run("location.hash = '#/traces'", vec![]).await?;
    page.press("[data-testid='kept-runs'] .open").await?;
    page.find(".step-row").await?;
    Ok(page)
}

#[tokio::test]
async fn an_answer_without_tools_is_judged_on_the_graph_of_its_problem() -> Result<()> {
    let page = open_run_of("standalone", "mistaken/bad-json").await?;
    page.until(
        "the problem is drawn",
        "return document.querySelectorAll('svg.graph .node').length > 3",
    )
    .await?;
    key(&page, "End").await?;
    page.until_text("[data-testid='trace-verdict'] .card", "Wrong").await?;
    page.until_text(".detail .certificate", "").await?;
    page.find(".detail .claim.false").await?;
    page.find("[data-testid='false-claims'] li").await?;
    page.find("svg.graph .edge.false, svg.graph [data-mark='false']").await?;
    // The name says who answered, and with what.
    let name = page.text("[data-testid='open-traces'] b").await?;
    ensure!(name.contains("seed 7") && name.contains("without tools"), "{name}");
    page.shoot("traces-answer").await?;
    // Where the time went, turn by turn: a bar leads to its step.
    page.click("tab-spent").await?;
    page.until_text("[data-testid='spent-words']", "turn").await?;
    page.press(".detail .spent button").await?;
    page.until_text("[data-testid='count']", "1 of").await?;
    page.close().await
}

/// The id of the first run that the browser keeps.
pub(crate) async fn kept_run(page: &Browser) -> Result<serde_json::Value> {
    let read = "return new Promise(done => { const r = indexedDB.open('graphground');
        r.onsuccess = () => { const q = r.result.transaction('run_summaries')
            .objectStore('run_summaries').getAllKeys();
            q.onsuccess = () => { r.result.close(); done(q.result[0]); } } })";
    page.promised(read, vec![]).await
}

#[tokio::test]
async fn notes_and_tags_are_kept_shared_and_filtered_by() -> Result<()> {
    let page = open_a_run("mistaken/bad-json").await?;
    page.press("[data-testid='run-notes'] summary").await?;
    let write = "const f = document.querySelector(`[data-testid=${arguments[0]}]`);
        f.value = arguments[1]; f.dispatchEvent(new Event('change', { bubbles: true }))";
    page.run(write, vec![json!("tags"), json!("look again, bad json")]).await?;
    page.run(write, vec![json!("run-note"), json!("The first call is no JSON.")]).await?;
    page.press(".step-note summary").await?;
    page.run(write, vec![json!("step-note"), json!("Here <b>it</b> goes wrong.")]).await?;
    page.find(".step-row.now .badge.noted").await?;
    page.until_text("[data-testid='kept-runs']", "#look again").await?;
    // Arguments are printed as a person would, and the step has an address.
    page.click("step-link").await?;
    page.find("[data-testid='share-link']").await?;
    let link = page.run("return document.querySelector('[data-testid=share-link]').value", vec![]);
    let link = link.await?;
    let link = link.as_str().context("a link")?;
    ensure!(link.contains("&step="), "{link}");
    let hash = link.split_once('#').context("a fragment")?.1.to_owned();
    // After a reload they are there, at the step of the address.
    let id = kept_run(&page).await?;
    page.run("location.hash = '#/traces?run=' + arguments[0] + '&step=2'", vec![id]).await?;
    page.client.refresh().await?;
    page.until_text("[data-testid='count']", "2 of").await?;
    page.until_text("[data-testid='open-traces']", "#bad json").await?;
    // A second run, and the table with both.
    page.run("location.hash = '#/solve?task=cycle&difficulty=easy&seed=3'", vec![]).await?;
    page.until_text(".question", "Q:").await?;
    page.play_script("script").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.run("location.hash = '#/traces'", vec![]).await?;
    page.click("run-table").await?;
    page.until_text("[data-testid='n-runs']", "2 of 2").await?;
    page.shoot("traces-table").await?;
    page.choose("by-tag", "bad json").await?;
    page.until_text("[data-testid='n-runs']", "1 of 2").await?;
    page.choose("by-tag", "").await?;
    page.choose("by-task", "cycle").await?;
    page.until_text("[data-testid='n-runs']", "1 of 2").await?;
    page.choose("by-task", "").await?;
    page.press("[data-testid='all-runs'] th:nth-child(5) button").await?;
    page.find("[data-testid='all-runs'] th[aria-sort='ascending']").await?;
    page.press("[data-testid='all-runs'] tbody tr:last-child button").await?;
    page.find(".step-row").await?;
    // In another browser the link has the notes, and they are text.
    let other = Browser::open(&format!("#{hash}")).await?;
    other.until_text("[data-testid='open-traces']", "#look again").await?;
    let note = "return document.querySelector('[data-testid=step-note]')?.value";
    ensure!(other.run(note, vec![]).await? == json!("Here <b>it</b> goes wrong."));
    other.close().await?;
    page.close().await
}

#[tokio::test]
async fn the_transcripts_of_the_paper_are_opened_with_our_verdicts() -> Result<()> {
    let page = Browser::open("#/traces").await?;
    page.click("paper-transcripts").await?;
    page.until_text("[data-testid='open-traces']", "partial").await?;
    // They open one after the other.
    page.until_text("[data-testid='opened-ms']", "opened in").await?;
    ensure!(page.count("[data-testid='open-traces'] li").await? == 5);
    page.find(".step-row").await?;
    page.close().await
}
