//! A researcher's desk: a file of many traces, what its scorer says beside what the graph says, notes that
//! stay, two traces beside each other.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use trace::formats;

use crate::browser::{Browser, file};
use crate::screens::Traces;

const QUESTION: &str = "Determine if there is a path between two nodes in the graph. Note that (i,j) \
    means that node i and node j are connected with an undirected edge.\n\
    Graph: (0,1) (1,2) (3,4)\nQ: Is there a path between node 0 and node 4?\nA:";
const RIGHT: &str = "No, there is no path between node 0 and node 4.";
const WRONG: &str = "Yes, there is a path between node 0 and node 4.";

/// Conversations as an OpenAI client logs them, each with the score that somebody gave it: of every four the
/// scorer is right about two, too kind to one and too strict with one.
fn scored(name: &str, n: usize) -> String {
    let mut lines = String::new();
    for i in 0..n {
        let (answer, score) = [(RIGHT, 1.0), (WRONG, 1.0), (RIGHT, 0.0), (WRONG, 0.0)][i % 4];
        let messages = [("user", QUESTION), ("assistant", answer)]
            .map(|(role, content)| json!({ "role": role, "content": content }));
        let line = json!({ "id": format!("{name}-{i}"), "model": "m", "messages": messages, "score": score });
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{line}");
    }
    lines
}

/// A conversation that calls a function of another program.
fn foreign(id: &str, query: &str) -> Value {
    let arguments = json!({ "query": query, "limit": 5 }).to_string();
    let function = json!({ "name": "search_web", "arguments": arguments });
    let call = json!({ "id": "c1", "type": "function", "function": function });
    json!({ "id": id, "model": "m", "messages": [
        { "role": "user", "content": "Who wrote it?" },
        { "role": "assistant", "content": null, "tool_calls": [call] },
        { "role": "tool", "tool_call_id": "c1", "content": "a page" },
        { "role": "assistant", "content": "Nobody knows." },
    ] })
}

#[tokio::test]
async fn scorer_and_graph_are_compared_over_a_file_and_notes_stay() -> Result<()> {
    let page = Browser::open("#/traces").await?;
    let traces = Traces(&page);
    let path = file("scored.jsonl", &scored("sample", 20))?;
    traces.opens_file(&path).await?;
    traces.table_has(20, 20).await?;
    traces.too_kind("graph says wrong: 5 of 20").await?;
    traces.too_strict("graph says right: 5 of 20").await?;
    // Those come first, by their ids in the file.
    traces.first_row_says("sample-1 ").await?;
    page.fits("traces-scored", None).await?;
    traces.shows_too_kind().await?;
    traces.table_has(5, 20).await?;
    traces.draws_figure().await?;
    page.shoot("traces-figure-1280-light").await?;
    // One click to each, and from one to the next.
    traces.opens_row(1).await?;
    traces.verdict_says("Wrong").await?;
    traces.detail_says("Its file says score: 1").await?;
    traces.walk_says("1 of 5").await?;
    traces.walks_on().await?;
    traces.walk_says("2 of 5").await?;
    traces.open_say("sample-5").await?;
    traces.notes("look again", "Too kind, I say.", "The \"no\" is missing.").await?;
    traces.kept_say("#look again").await?;
    traces.returns_to_table().await?;
    traces.table_has(5, 20).await?;

    page.keep_saved().await?;
    let table = traces.saves_all("csv").await?;
    ensure!(table.lines().count() == 6, "{table}");
    ensure!(table.contains("\"file right, graph wrong\"") && table.contains("Too kind, I say."));
    let records = formats::FORMATS[0].read(&traces.saves_all("graphground").await?)?;
    let noted = records.iter().filter(|r| r.metadata.contains_key("notes")).count();
    ensure!((records.len(), noted) == (5, 1), "{} records, {noted} noted", records.len());
    let figure = traces.saves_all("svg").await?;
    ensure!(figure.starts_with("<svg") && figure.contains("The graph"), "{figure}");

    // After a reload the trace is there with what was written, and the file gets it back.
    page.reload().await?;
    traces.kept_say("#look again").await?;
    traces.opens_file(&path).await?;
    traces.table_has(20, 20).await?;
    traces.open_say("#look again").await?;
    traces.searches_runs("too kind").await?;
    traces.table_has(1, 20).await?;
    traces.opens_row(1).await?;
    ensure!(traces.run_note().await? == "Too kind, I say.");
    traces.returns_to_table().await?;
    traces.searches_runs("").await?;
    traces.keeps_all().await?;
    page.has_notice("19 traces are now kept in this browser, 1 were before").await?;
    page.reload().await?;
    traces.to_table().await?;
    traces.table_has(20, 20).await?;
    traces.too_kind("5 of 20").await?;
    page.becomes(360, 740, "dark").await?;
    page.fits("traces-scored-phone", None).await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn two_foreign_traces_are_told_apart_by_their_arguments() -> Result<()> {
    let page = Browser::open("#/traces").await?;
    let traces = Traces(&page);
    let lines = format!("{}\n{}\n", foreign("a", "graph theory"), foreign("b", "trees"));
    traces.opens_file(&file("foreign.jsonl", &lines)?).await?;
    traces.table_has(2, 2).await?;
    traces.picks_two().await?;
    traces.compares_two().await?;
    traces.diff_says("query: graph theory").await?;
    traces.diff_says("query: trees").await?;
    traces.changes_say("query").await?;
    ensure!(traces.n_small_graphs().await? == 0, "a box for a graph that is not there");
    page.fits("traces-foreign-diff", None).await?;
    traces.ends_comparison().await?;
    traces.opens_row(1).await?;
    traces.replays("not ours: not run again").await?;
    page.close().await
}

/// Each file takes as long as the one before: nothing that is open is made again.
#[tokio::test]
async fn three_hundred_traces_open_as_fast_behind_hundreds_of_others() -> Result<()> {
    let page = Browser::open("#/traces").await?;
    let traces = Traces(&page);
    let mut took = Vec::new();
    for part in 1..=4 {
        let lines = scored(&format!("part{part}"), 300);
        traces.opens_file(&file(&format!("part{part}.jsonl"), &lines)?).await?;
        traces.table_has(300 * part, 300 * part).await?;
        took.push(traces.opened_ms().await?);
        println!("TRACES 300 more open after {:.0} ms", took[part - 1]);
    }
    ensure!(took.iter().all(|ms| *ms < 5_000.0), "{took:?}");
    // The first one also loads the engine's part.
    ensure!(took[3] < 2.0 * took[1] + 500.0, "the time grows with what is open: {took:?}");
    page.close().await
}
