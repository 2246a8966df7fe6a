//! Knowledge Graph of Thoughts: a task is solved while its graph grows, is asked and corrected by hand,
//! and travels as a snapshot.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::browser::{Browser, file};
use crate::endpoints::use_endpoint;
use crate::screens::left_out;
use crate::servers::{Cors, Reply, Server, piece};

/// Opens a task of the set and waits for it.
async fn open(number: usize) -> Result<Browser> {
    let page = Browser::open(&format!("#/kgot?task={number}")).await?;
    page.until_text("[data-testid='kgot-files-title']", "4 files").await?;
    page.until(
        "the tasks are listed",
        "return document.querySelectorAll(\"[data-testid='kgot-task'] option\").length === 121",
    )
    .await?;
    Ok(page)
}

async fn unfold(page: &Browser) -> Result<()> {
    let open = "document.querySelectorAll('.kgot .left details, .kgot .stage details')
        .forEach(d => d.open = true)";
    page.run(open, vec![]).await?;
    Ok(())
}

/// Puts words into a field as typing does, with the cursor behind them.
async fn fill(page: &Browser, testid: &str, words: &str) -> Result<()> {
    let fill = "const f = document.querySelector(`[data-testid='${arguments[0]}']`);
        f.focus(); f.value = arguments[1];
        f.setSelectionRange(f.value.length, f.value.length);
        f.dispatchEvent(new Event('input', { bubbles: true }));";
    page.run(fill, vec![testid.into(), words.into()]).await?;
    Ok(())
}

async fn solve(page: &Browser) -> Result<()> {
    page.click("run").await?;
    page.find("[data-testid='kgot-answer']").await?;
    Ok(())
}

#[tokio::test]
async fn a_task_is_solved_while_its_graph_grows() -> Result<()> {
    let page = open(41).await?;
    solve(&page).await?;
    page.find(".kgot .card[data-verdict='Correct']").await?;
    page.until(
        "the answer stands on nodes",
        "return document.querySelectorAll('.kgot .node.true').length > 1",
    )
    .await?;
    let all = page.count(".kgot .node").await?;
    // Back at the start there is no graph; half-way there is some of it, with what is new.
    page.seek(1).await?;
    page.until("nothing was written yet", "return !document.querySelector('.kgot .node')").await?;
    let writes = "const rows = [...document.querySelectorAll('.kgot .steps > li')];
        return rows.findIndex(r => r.textContent.startsWith('Writes to the graph')) + 1";
    let first = page.run(writes, vec![]).await?.as_u64().unwrap_or_default() as usize;
    ensure!(first > 1, "no step writes");
    page.seek(first).await?;
    page.until("what is new is marked", "return !!document.querySelector('.kgot .node.written')")
        .await?;
    ensure!(page.count(".kgot .node").await? < all, "all was there at once");
    page.click("to-traces").await?;
    page.find(".step-row").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn the_graph_is_asked_at_any_step_in_both_languages() -> Result<()> {
    let page = open(41).await?;
    solve(&page).await?;
    unfold(&page).await?;
    fill(&page, "kgot-query", "MATCH (v:Vil").await?;
    page.until_text("[data-testid='kgot-offered']", "Village").await?;
    page.press("[data-testid='kgot-offered'] button").await?;
    let typed = "return document.querySelector(\"[data-testid='kgot-query']\").value";
    let typed = page.run(typed, vec![]).await?;
    ensure!(typed == "MATCH (v:Village", "{typed}");
    fill(&page, "kgot-query", "MATCH (v:Village) RETURN count(v) AS villages").await?;
    page.click("kgot-put").await?;
    page.until_text("[data-testid='kgot-rows']", "villages").await?;
    let last = page.text("[data-testid='kgot-rows'] td").await?;
    ensure!(last != "0", "{last}");
    // The same at the start: nothing was there.
    page.seek(1).await?;
    page.click("kgot-put").await?;
    page.until(
        "no village",
        "return document.querySelector(\"[data-testid='kgot-rows'] td\")?.textContent === '0'",
    )
    .await?;
    page.seek_end().await?;
    page.choose("kgot-language", "1").await?;
    fill(&page, "kgot-query", "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }").await?;
    page.click("kgot-put").await?;
    page.until(
        "triples",
        "return +document.querySelector(\"[data-testid='kgot-rows'] td\")?.textContent > 50",
    )
    .await?;
    page.choose("kgot-language", "0").await?;
    fill(&page, "kgot-query", "MATCH (v:Village RETURN v").await?;
    page.click("kgot-put").await?;
    page.until_text("[data-testid='kgot-fault']", "line 1").await?;
    fill(&page, "kgot-query", "CREATE (:Village)").await?;
    page.click("kgot-put").await?;
    page.until_text("[data-testid='kgot-fault']", "only be read").await?;
    page.close().await
}

#[tokio::test]
async fn a_run_pauses_is_corrected_by_hand_and_goes_on() -> Result<()> {
    let page = open(41).await?;
    unfold(&page).await?;
    page.run("document.querySelector(\"[data-testid='kgot-pauses']\").click()", vec![]).await?;
    page.click("run").await?;
    page.find("[data-testid='kgot-continue']").await?;
    for (field, words) in
        [("kgot-head", "Zoe <b>x</b>"), ("kgot-relation", "lives in"), ("kgot-tail", "O'Hara's")]
    {
        fill(&page, field, words).await?;
    }
    page.click("kgot-add").await?;
    page.until("two nodes", "return document.querySelectorAll('.kgot .node').length === 2").await?;
    page.until_text(".kgot .steps", "You correct the graph").await?;
    ensure!(page.count(".kgot .stage b").await? == 0, "a name became a tag");
    // The other node is dropped again.
    let click = "const n = [...document.querySelectorAll('.kgot .node')].find(n => n.textContent.includes('Hara'));
        for (const t of ['pointerdown', 'pointerup'])
            n.dispatchEvent(new PointerEvent(t, { bubbles: true, clientX: 5, clientY: 5 }));";
    page.run(click, vec![]).await?;
    page.until_text("[data-testid='kgot-picked']", "LIVES_IN").await?;
    page.click("kgot-drop-node").await?;
    page.until("one node", "return document.querySelectorAll('.kgot .node').length === 1").await?;
    // As often as it pauses, however long each step takes.
    let next = "document.querySelector(\"[data-testid='kgot-continue']\")?.click();
        return !!document.querySelector(\"[data-testid='kgot-answer']\")";
    page.until("it came to its end", next).await?;
    page.find(".kgot .card[data-verdict='Correct']").await?;
    page.until_text(".kgot .stage", "Zoe").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn fusion_solves_in_several_languages_and_shows_the_graph_of_each() -> Result<()> {
    let page = open(41).await?;
    page.choose("kgot-method", "fusion").await?;
    for box_ in ["kgot-member-cypher", "kgot-member-direct"] {
        page.click(box_).await?;
    }
    page.click("run").await?;
    page.until_text(".notice", "Fusion needs a language").await?;
    for box_ in ["kgot-member-direct", "kgot-member-cypher", "kgot-member-sparql"] {
        page.click(box_).await?;
    }
    page.click("run").await?;
    page.find(".kgot .card[data-verdict='Correct']").await?;
    let answers = page.text("[data-testid='kgot-members']").await?;
    for name in ["Cypher", "SPARQL", "direct retrieval", "taken"] {
        ensure!(answers.contains(name), "{answers}");
    }
    page.until_text(".kgot .steps", "Takes another graph").await?;
    let row = |nth: &str| {
        format!(
            "const rows = [...document.querySelectorAll('.kgot .steps > li')];
            return rows.{nth}(r => r.textContent.startsWith('Takes another graph')) + 1"
        )
    };
    // Where SPARQL begins the graph is empty; before it the one in Cypher is whole.
    let first = page.run(&row("findIndex"), vec![]).await?.as_u64().unwrap_or_default() as usize;
    page.seek(first).await?;
    page.until("the graph is empty", "return !document.querySelector('.kgot .node')").await?;
    page.seek(first - 1).await?;
    page.until(
        "the graph before is whole",
        "return document.querySelectorAll('.kgot .node').length > 3",
    )
    .await?;
    unfold(&page).await?;
    page.choose("kgot-language", "0").await?;
    fill(&page, "kgot-query", "MATCH (n) RETURN count(n) AS nodes").await?;
    page.click("kgot-put").await?;
    page.until_text("[data-testid='kgot-rows']", "nodes").await?;
    let asked = page.text("[data-testid='kgot-rows'] td").await?;
    let drawn = page.count(".kgot .node").await?.to_string();
    ensure!(asked == drawn, "{asked} are asked, {drawn} drawn");
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_snapshot_is_opened_corrected_and_begun_with() -> Result<()> {
    let page = open(86).await?;
    unfold(&page).await?;
    let lines = r#"{"type":"node","id":"0","labels":["Person"],"properties":{"name":"Ada"}}
{"type":"node","id":"1","labels":["Person"],"properties":{"name":"Bea"}}
{"type":"relationship","id":"0","label":"KNOWS","properties":{},"start":{"id":"0","labels":["Person"]},"end":{"id":"1","labels":["Person"]}}
"#;
    let path = file("snapshot.jsonl", lines)?;
    let input = page.find("[data-testid='kgot-open-snapshot']").await?;
    input.send_keys(&path.display().to_string()).await?;
    page.until("two nodes", "return document.querySelectorAll('.kgot .node').length === 2").await?;
    fill(&page, "kgot-head", "Ada").await?;
    fill(&page, "kgot-relation", "likes").await?;
    fill(&page, "kgot-tail", "snow").await?;
    page.click("kgot-add").await?;
    page.until("three nodes", "return document.querySelectorAll('.kgot .node').length === 3")
        .await?;
    solve(&page).await?;
    page.find(".kgot .card[data-verdict='Correct']").await?;
    page.until_text(".kgot .steps", "Begins with a graph").await?;
    page.until_text(".kgot .stage", "snow").await?;
    page.close().await
}

#[tokio::test]
async fn a_task_of_ones_own_has_files_and_needs_a_model() -> Result<()> {
    let page = open(1).await?;
    page.choose("kgot-task", "").await?;
    page.until_text("[data-testid='kgot-files-title']", "No files").await?;
    fill(&page, "kgot-question", "How many sheep?").await?;
    unfold(&page).await?;
    let path = file("sheep.txt", "Seven sheep.\n")?;
    let input = page.find("[data-testid='kgot-add-files']").await?;
    input.send_keys(&path.display().to_string()).await?;
    page.until_text("[data-testid='kgot-files-title']", "1 file").await?;
    page.until_text("[data-testid='kgot-files']", "Seven sheep").await?;
    page.click("run").await?;
    page.until_text(".notice", "a model at an endpoint").await?;
    page.close().await
}

#[tokio::test]
async fn without_a_graph_the_tools_are_there_and_nothing_is_drawn() -> Result<()> {
    let page = open(86).await?;
    page.choose("kgot-method", "none").await?;
    page.click("run").await?;
    page.find(".kgot .card[data-verdict='Correct']").await?;
    page.until_text(".kgot .stage", "Without a graph").await?;
    page.choose("kgot-method", "sparql").await?;
    solve(&page).await?;
    page.find(".kgot .card[data-verdict='Correct']").await?;
    page.until_text(".kgot .steps", "SPARQL").await?;
    page.close().await
}

#[tokio::test]
async fn a_lesson_shows_the_same_task_with_and_without_a_graph() -> Result<()> {
    let page = Browser::open("#/lessons?l=graph-of-thoughts").await?;
    page.find("[data-testid='lesson-thoughts']").await?;
    let press = "document.querySelectorAll(\"[data-testid='lesson-thoughts'] [data-testid='lesson-run']\")[arguments[0]].click()";
    page.run(press, vec![0.into()]).await?;
    page.find("[data-testid='lesson-thoughts'] .card[data-verdict='Wrong']").await?;
    page.run(press, vec![1.into()]).await?;
    page.find("[data-testid='lesson-thoughts'] .card[data-verdict='Correct']").await?;
    page.until("what it stands on is marked", "return document.querySelectorAll(\"[data-testid='lesson-thoughts'] .node.true\").length > 3")
        .await?;
    page.close().await
}

/// A model's code runs in the sandbox; code that never ends is ended, and the model is told.
#[tokio::test]
async fn a_models_python_runs_in_the_sandbox_of_the_page() -> Result<()> {
    if left_out() {
        return Ok(());
    }
    let server = Server::start(Cors::Open, |asked| {
        let told = asked.body["messages"].to_string();
        let call = |code: &str| {
            let arguments = json!({ "code": code }).to_string();
            let function = json!({ "name": "run_python", "arguments": arguments });
            let call = json!({ "index": 0, "id": "a", "type": "function", "function": function });
            let asks = piece(json!({ "tool_calls": [call] }), Some("tool_calls"));
            Reply::events(&[asks], true)
        };
        let says =
            |words: &str| Reply::events(&[piece(json!({ "content": words }), Some("stop"))], true);
        if told.contains("the code was ended") {
            says("FINAL ANSWER: 12")
        } else if told.contains("result") && told.contains("12") && told.contains("\"tool\"") {
            call("while True: pass")
        } else {
            call("result = sum(int(n) for n in open('sheep.txt').read().split())")
        }
    })?;
    let page = open(1).await?;
    page.choose("kgot-task", "").await?;
    page.choose("kgot-method", "none").await?;
    use_endpoint(&page, &server.url(), "small").await?;
    fill(&page, "kgot-question", "How many sheep?").await?;
    unfold(&page).await?;
    let path = file("sheep.txt", "5\n7\n")?;
    let input = page.find("[data-testid='kgot-add-files']").await?;
    input.send_keys(&path.display().to_string()).await?;
    page.until_text("[data-testid='kgot-files-title']", "1 file").await?;
    page.run("document.querySelector(\"[data-testid='kgot-python']\").click()", vec![]).await?;
    page.until_within(
        "Python is ready",
        "return document.querySelector(\"[data-testid='kgot-python-state']\")?.textContent === 'Python is ready.'",
        60,
    )
    .await?;
    page.click("run").await?;
    page.until_text("[data-testid='kgot-answer']", "12").await?;
    let steps = page.text(".kgot .steps").await?;
    ensure!(steps.contains("result: 12") && steps.contains("the code was ended"), "{steps}");
    page.close().await
}

/// An image goes to the model's endpoint where the person says that it sees, and else nowhere.
#[tokio::test]
async fn a_model_that_sees_is_shown_an_image_of_the_task() -> Result<()> {
    let server = Server::start(Cors::Open, |asked| {
        let sees = asked.body["messages"].as_array().into_iter().flatten().any(|message| {
            let url = message["content"][1]["image_url"]["url"].as_str().unwrap_or_default();
            url == "data:image/gif;base64,R0lGODlhAQABAAAAACw="
        });
        let words = if sees { "FINAL ANSWER: a dot" } else { "FINAL ANSWER: nothing to see" };
        Reply::events(&[piece(json!({ "content": words }), Some("stop"))], true)
    })?;
    let page = open(1).await?;
    page.choose("kgot-task", "").await?;
    page.choose("kgot-method", "none").await?;
    use_endpoint(&page, &server.url(), "small").await?;
    fill(&page, "kgot-question", "What is on it?").await?;
    unfold(&page).await?;
    let path = file("dot.gif", "GIF89a\u{1}\0\u{1}\0\0\0\0,")?;
    let input = page.find("[data-testid='kgot-add-files']").await?;
    input.send_keys(&path.display().to_string()).await?;
    page.until_text("[data-testid='kgot-files']", "dot.gif").await?;
    unfold(&page).await?;
    page.until_text("[data-testid='kgot-files']", "This is an image (image/gif, 14 bytes)").await?;
    page.click("run").await?;
    page.until_text("[data-testid='kgot-answer']", "nothing to see").await?;
    page.run("document.querySelector(\"[data-testid='kgot-sees']\").click()", vec![]).await?;
    page.click("run").await?;
    page.until_text("[data-testid='kgot-answer']", "a dot").await?;
    page.no_complaints().await?;
    page.close().await
}

/// The same in Python: the graph grows by code in the sandbox, and is asked by hand in it.
#[tokio::test]
async fn a_graph_grows_in_python_and_is_asked_in_it() -> Result<()> {
    if left_out() {
        return Ok(());
    }
    let page = open(41).await?;
    unfold(&page).await?;
    page.choose("kgot-method", "networkx").await?;
    page.until_within(
        "Python is ready",
        "return document.querySelector(\"[data-testid='kgot-python-state']\")?.textContent === 'Python is ready.'",
        60,
    )
    .await?;
    page.click("run").await?;
    page.until_within(
        "it is solved",
        "return !!document.querySelector(\".kgot .card[data-verdict='Correct']\")",
        60,
    )
    .await?;
    ensure!(page.count(".kgot .node").await? > 3, "the graph is drawn");
    fill(&page, "kgot-query", "result = [G.number_of_nodes() > 3, nx.is_directed(G)]").await?;
    page.click("kgot-put").await?;
    page.until_text("[data-testid='kgot-rows']", "true").await?;
    fill(&page, "kgot-query", "result = 1 / 0").await?;
    page.click("kgot-put").await?;
    page.until_text("[data-testid='kgot-fault']", "ZeroDivisionError").await?;
    page.close().await
}

/// What a server has noted.
fn lock<T>(noted: &Mutex<T>) -> MutexGuard<'_, T> {
    noted.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A store of one's own: nothing is written before its address was typed; then it has a copy of the
/// graph that grew, and is asked by hand.
#[tokio::test]
async fn a_store_has_a_copy_once_its_address_was_typed_and_is_asked_by_hand() -> Result<()> {
    let bodies = Arc::new(Mutex::new(Vec::<(String, Value)>::new()));
    let all = Arc::clone(&bodies);
    let server = Server::start(Cors::Open, move |asked| {
        lock(&all).push((asked.path.clone(), asked.body.clone()));
        let reads = asked.body["accessMode"] == "Read";
        let data = if reads {
            json!({ "fields": ["answer"], "values": [["out of the store"]] })
        } else {
            json!({ "fields": [], "values": [] })
        };
        Reply::json(202, json!({ "data": data, "counters": { "nodesCreated": 3 } }))
    })?;
    let url = server.url().replace("/v1", "");
    let page = open(41).await?;
    unfold(&page).await?;
    ensure!(page.count("[data-testid='kgot-asked']").await? == 0, "there is no store yet");
    page.choose("kgot-store-kind", "neo4j").await?;
    fill(&page, "kgot-store-url", &url).await?;
    fill(&page, "kgot-store-key", "neo4j:hunter2").await?;
    page.until_text("[data-testid='kgot-store-writes']", &format!("type {url}/db/neo4j")).await?;
    ensure!(page.count("[data-testid='kgot-keep-copy']").await? == 0, "nothing was typed");
    page.choose("kgot-asked", "1").await?;
    fill(&page, "kgot-query", "MATCH (n) RETURN 1 AS answer").await?;
    page.click("kgot-put").await?;
    page.until_text("[data-testid='kgot-rows']", "out of the store").await?;
    fill(&page, "kgot-store-confirm", &format!("{url}/db/neo4j")).await?;
    page.until_text("[data-testid='kgot-store-writes']", "Writing is allowed").await?;
    page.shoot("kgot-store-1280-light").await?;
    page.run("document.querySelector(\"[data-testid='kgot-keep-copy']\").click()", vec![]).await?;
    solve(&page).await?;
    page.until_text("[data-testid='kgot-copied']", "In your store, as “kgot”").await?;
    let told = page.text("[data-testid='kgot-copied']").await?;
    let (mut nodes, mut edges) = (BTreeSet::new(), BTreeSet::new());
    for (path, body) in lock(&bodies).iter() {
        ensure!(path == "/db/neo4j/query/v2", "{path}");
        let text = body["statement"].as_str().unwrap_or_default();
        let ids = || {
            let rows = body["parameters"]["rows"].as_array().into_iter().flatten();
            rows.map(|row| row["id"].to_string()).collect::<Vec<_>>()
        };
        if text.contains("SET n = row.is") {
            nodes.extend(ids());
        } else if text.contains("SET r = row.is") {
            edges.extend(ids());
        }
    }
    let right = format!("{} nodes and {} relationships", nodes.len(), edges.len());
    ensure!(!edges.is_empty() && told.contains(&right), "{told}, not {right}");
    // By hand too, where that was chosen; and no address that was not typed.
    page.choose("kgot-asked", "2").await?;
    fill(&page, "kgot-query", "CREATE (:A)").await?;
    page.click("kgot-put").await?;
    page.until_text("[data-testid='kgot-rows']", "nodesCreated").await?;
    let n = lock(&bodies).len();
    page.run("document.querySelector(\"[data-testid='kgot-copy']\").click()", vec![]).await?;
    page.until_text("[data-testid='kgot-copied']", &right).await?;
    ensure!(lock(&bodies).len() > n, "nothing was copied");
    let heads = lock(&server.heads).join("\n").to_lowercase();
    // user:password, as HTTP's Basic scheme has it.
    ensure!(heads.contains("authorization: basic bmvvngo6ahvudgvymg=="), "{heads}");
    fill(&page, "kgot-store-confirm", &url).await?;
    page.until_text("[data-testid='kgot-store-writes']", "Nothing is written yet").await?;
    ensure!(page.count("[data-testid='kgot-copy']").await? == 0, "it may not be written to");
    let kept = "return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])";
    let kept = page.run(kept, vec![]).await?.to_string();
    ensure!(!kept.contains("hunter2"), "{kept}");
    page.no_complaints().await?;
    page.close().await
}
