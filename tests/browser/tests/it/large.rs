//! What is large holds up nothing: links to dense graphs, files of many nodes, calls of many edges,
//! answers of many rows.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::{Browser, file};
use crate::quiet;
use crate::servers::{Cors, Reply, Server, piece};

/// The longest that a task of the page may take here, in milliseconds: on a machine that does nothing
/// else it is a fifth of it.
const LONGEST_MS: f64 = 1_000.0;

/// Fails if a task took too long, and tells what was measured.
async fn held_up_nothing(page: &Browser, what: &str) -> Result<()> {
    let tasks = page.long_tasks().await?;
    let longest = tasks.first().copied().unwrap_or(0.0);
    println!(
        "LARGE {what}: longest task {longest:.0} ms, {} over 50 ms, {} MB",
        tasks.len(),
        page.memory_mb()
    );
    ensure!(longest < LONGEST_MS, "{what}: tasks of {tasks:.0?} ms");
    Ok(())
}

#[tokio::test]
async fn a_link_to_a_dense_graph_is_bounded() -> Result<()> {
    let _alone = quiet::alone();
    let page = Browser::open("#/solve?task=cycle&gen=er,500,1&seed=1").await?;
    page.until_text(".notice", "it has 124750 edges; at most 50000 are read from a link").await?;
    page.until_text(".question", "Q:").await?;
    held_up_nothing(&page, "a link to 124,750 edges").await?;
    page.close().await?;
    // One that is allowed is drawn in part, and its question is shown in part.
    let page = Browser::open("#/solve?task=cycle&gen=er,500,0.39&seed=1").await?;
    page.until_text(".part", "of 500 nodes: what was touched").await?;
    page.until_text("[data-testid='cut']", "The beginning of").await?;
    let n = page.run("return document.querySelector('.question').textContent.length", vec![]);
    ensure!(n.await?.as_u64().is_some_and(|n| n <= 4_000), "the question is not cut");
    held_up_nothing(&page, "a link to 48,700 edges").await?;
    page.click("show-all").await?;
    page.until_text("[data-testid='cut']", "All ").await?;
    page.until(
        "all of it stands there",
        "return document.querySelector('.question').textContent.length > 400000",
    )
    .await?;
    page.run("const q = document.querySelector('.question'); q.scrollTop = q.scrollHeight", vec![])
        .await?;
    page.until_text(".question", "Q: Is there a cycle").await?;
    held_up_nothing(&page, "the whole question").await?;
    page.click("show-all").await?;
    page.until_text("[data-testid='cut']", "The beginning of").await?;
    page.click("solve").await?;
    page.find(".card[data-verdict='Correct']").await?;
    held_up_nothing(&page, "its solution").await?;
    page.shoot("large-link-1280-light").await?;
    page.close().await
}

#[tokio::test]
async fn what_is_large_fits_wide_and_narrow_light_and_dark() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&gen=er,500,0.3&seed=1").await?;
    page.until_text("[data-testid='cut']", "The beginning of").await?;
    for (width, scheme) in
        [(1280, "dark"), (768, "light"), (768, "dark"), (360, "light"), (360, "dark")]
    {
        page.becomes(width, 900, scheme).await?;
        page.run("document.querySelector('.cut').scrollIntoView({ block: 'center' })", vec![])
            .await?;
        page.shoot(&format!("large-{width}-{scheme}")).await?;
        let wide = "const d = document.documentElement; return d.scrollWidth - d.clientWidth";
        let wide = page.run(wide, vec![]).await?.as_f64().context("no number")?;
        ensure!(wide <= 0.0, "at {width} it scrolls sideways by {wide}");
    }
    page.close().await
}

#[tokio::test]
async fn a_file_of_a_hundred_thousand_nodes_is_asked_about() -> Result<()> {
    let _alone = quiet::alone();
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=1").await?;
    page.until_text(".question", "Q:").await?;
    let mut edges = String::new();
    for i in 0..100_000_u64 {
        writeln!(edges, "{i} {}", (i * 7 + 1) % 100_001)?;
    }
    let path = file("hundred-thousand.txt", &edges)?;
    page.by_id("file").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text("[data-testid='cut']", "million characters").await?;
    page.until_text(".part", "of 100001 nodes").await?;
    held_up_nothing(&page, "100,000 nodes and edges").await?;
    // A node is typed, not chosen from a hundred thousand.
    ensure!(page.count(".left option").await? < 100, "every node is listed");
    let ends = ".left .row input[type='text']";
    ensure!(page.count(ends).await? == 2, "the ends cannot be typed");
    let set = "const i = document.querySelector(arguments[0]); i.value = arguments[1];
        i.dispatchEvent(new Event('change', { bubbles: true }))";
    page.run(set, vec![json!(ends), json!("no such")]).await?;
    page.until_text(".notice", "The graph has no node \"no such\"").await?;
    page.run(set, vec![json!(ends), json!("77")]).await?;
    page.until("the question follows", "return !document.querySelector('.notice')").await?;
    page.click("solve").await?;
    page.find(".card[data-verdict='Correct']").await?;
    held_up_nothing(&page, "its solution").await?;
    page.shoot("large-file-1280-light").await?;
    page.close().await?;
    Ok(())
}

/// A model that calls `add_edges` with so many edges, once, and then answers.
fn adds_edges(n: usize) -> Result<Server> {
    let edges: Vec<[usize; 2]> = (0..n).map(|i| [i % 1_000, (i * 7 + 1) % 100_000]).collect();
    let arguments = json!({ "edges": edges }).to_string();
    Server::start(Cors::Open, move |asked| {
        if asked.path.ends_with("/models") {
            return Reply::json(200, json!({ "data": [{ "id": "m" }] }));
        }
        let answered = asked.body["messages"].as_array().into_iter().flatten();
        if answered.filter(|m| m["role"] == "tool").count() > 0 {
            let said = piece(json!({ "content": "No, there is no cycle." }), Some("stop"));
            return Reply::events(&[said], true);
        }
        let name = json!({ "name": "add_edges", "arguments": "" });
        let mut events = vec![piece(
            json!({ "tool_calls": [{ "index": 0, "id": "c1", "function": name }] }),
            None,
        )];
        for start in (0..arguments.len()).step_by(100_000) {
            let part = &arguments[start..(start + 100_000).min(arguments.len())];
            let call = json!({ "index": 0, "function": { "arguments": part } });
            events.push(piece(json!({ "tool_calls": [call] }), None));
        }
        events.push(piece(json!({}), Some("tool_calls")));
        Reply::events(&events, true)
    })
}

#[tokio::test]
async fn a_call_with_hundreds_of_thousands_of_edges_holds_up_nothing() -> Result<()> {
    let _alone = quiet::alone();
    for (n, words) in [(300_000, "are too long"), (90_000, "n_nodes: 90000")] {
        let server = adds_edges(n)?;
        let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=1").await?;
        page.until_text(".question", "Q:").await?;
        page.use_endpoint(&server.url(), "m").await?;
        page.click("grounded").await?;
        page.find(".card[data-verdict]:not(.busy)").await?;
        page.until_text(".steps", words).await?;
        page.until_text("[data-testid='kept']", "1 run kept").await?;
        held_up_nothing(&page, &format!("a call of {n} edges")).await?;
        // What was called is there, behind a fold, and the whole of it when it is asked for.
        if n < 100_000 {
            page.press(".steps .fn summary").await?;
            page.press(".steps .fn [data-testid='show-all']").await?;
            page.until(
                "all of it stands there",
                "return document.querySelector('.steps .fn').textContent.length > 900000",
            )
            .await?;
            held_up_nothing(&page, "all of its arguments").await?;
        }
        page.run("location.hash = '#/traces'", vec![]).await?;
        page.press("[data-testid='kept-runs'] .open").await?;
        page.find(".step-row").await?;
        page.run("document.querySelectorAll('.step-row')[1].click()", vec![]).await?;
        page.until_text("[data-testid='detail']", "add_edges").await?;
        page.click("tab-raw").await?;
        page.until_text("[data-testid='raw-check']", "its hash is the one that was kept").await?;
        page.click("tab-fork").await?;
        page.by_id("fork-go").await?;
        held_up_nothing(&page, &format!("its trace, {n} edges")).await?;
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn ten_thousand_rows_are_shown_part_by_part() -> Result<()> {
    let _alone = quiet::alone();
    let page = Browser::open("#/kg").await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.click("kg-sparql").await?;
    page.type_into("sparql-query", "SELECT * WHERE { ?a ?b ?c . ?d ?e ?f }").await?;
    page.click("sparql-run").await?;
    page.until_text("[data-testid='sparql-facts']", "The first 10000 rows; there are more").await?;
    let rows = "[data-testid='sparql-table'] tbody tr";
    ensure!(page.count(rows).await? == 500);
    page.click("sparql-more").await?;
    let script = format!("return document.querySelectorAll(`{rows}`).length === 1000");
    page.until("more rows", &script).await?;
    held_up_nothing(&page, "10,000 rows").await?;
    let text = page.text(".cut").await.context("how many are shown")?;
    ensure!(text.contains("1000 of 10000 rows"), "{text}");
    page.close().await
}
