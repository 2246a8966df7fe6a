//! Knowledge Graph of Thoughts: a task is solved while its graph grows, is asked and corrected by hand,
//! and travels as a snapshot.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::browser::{Browser, file};
use crate::screens::{Outage, Thoughts, Traces, left_out};
use crate::servers::{Asked, Cors, Reply, Server, piece};

/// Opens a task of the set and waits for it.
async fn open(number: usize) -> Result<Browser> {
    let page = Browser::open(&format!("#/kgot?task={number}")).await?;
    Thoughts(&page).is_ready().await?;
    Ok(page)
}

#[tokio::test]
async fn a_task_is_solved_while_its_graph_grows_and_is_asked_at_any_step() -> Result<()> {
    let page = open(41).await?;
    let kgot = Thoughts(&page);
    kgot.solve().await?;
    kgot.marks_the_answer().await?;
    let all = kgot.n_drawn().await?;
    // At the start there is no graph; half-way there is some of it, with what is new.
    page.seek(1).await?;
    kgot.draws(0).await?;
    let first = kgot.first_step("Writes to the graph").await?;
    ensure!(first > 1, "no step writes");
    page.seek(first).await?;
    kgot.marks_what_is_new().await?;
    ensure!(kgot.n_drawn().await? < all, "all was there at once");
    page.seek_end().await?;

    kgot.unfold_all().await?;
    let completed = kgot.complete("MATCH (v:Vil", "Village").await?;
    ensure!(completed == "MATCH (v:Village", "{completed}");
    kgot.query("MATCH (v:Village) RETURN count(v) AS villages").await?;
    kgot.rows_say("villages").await?;
    kgot.cell_is(true, 0).await?;
    // The same at the start: nothing was there.
    page.seek(1).await?;
    kgot.query("MATCH (v:Village) RETURN count(v) AS villages").await?;
    kgot.cell_is(false, 0).await?;
    page.seek_end().await?;
    kgot.language("1").await?;
    kgot.query("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }").await?;
    kgot.cell_is(true, 50).await?;
    kgot.language("0").await?;
    kgot.query("MATCH (v:Village RETURN v").await?;
    kgot.query_fault_says("line 1").await?;
    kgot.query("CREATE (:Village)").await?;
    kgot.query_fault_says("only be read").await?;
    kgot.to_traces().await?;
    Traces(&page).is_open().await?;

    // The lesson has a task with and without a graph.
    page.go("#/lessons?l=graph-of-thoughts").await?;
    kgot.run_in_lesson(0, "Wrong").await?;
    kgot.run_in_lesson(1, "Correct").await?;
    kgot.lesson_marks_the_answer().await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_run_is_corrected_by_hand_while_it_pauses_and_begins_with_a_snapshot() -> Result<()> {
    let page = open(41).await?;
    let kgot = Thoughts(&page);
    kgot.unfold_all().await?;
    kgot.pause_at_steps().await?;
    kgot.start().await?;
    kgot.is_paused().await?;
    kgot.add("Zoe <b>x</b>", "lives in", "O'Hara's").await?;
    kgot.draws(2).await?;
    kgot.steps_say("You correct the graph").await?;
    ensure!(!kgot.has_markup().await?, "a name became a tag");
    kgot.drop_node("Hara", "LIVES_IN").await?;
    kgot.draws(1).await?;
    // As often as it pauses, however long each step takes.
    kgot.continue_to_the_end().await?;
    kgot.is_right().await?;
    kgot.stage_says("Zoe").await?;

    page.load("#/kgot?task=86").await?;
    kgot.is_ready().await?;
    kgot.unfold_all().await?;
    let lines = r#"{"type":"node","id":"0","labels":["Person"],"properties":{"name":"Ada"}}
{"type":"node","id":"1","labels":["Person"],"properties":{"name":"Bea"}}
{"type":"relationship","id":"0","label":"KNOWS","properties":{},"start":{"id":"0","labels":["Person"]},"end":{"id":"1","labels":["Person"]}}
"#;
    kgot.open_snapshot(&file("snapshot.jsonl", lines)?).await?;
    kgot.draws(2).await?;
    kgot.add("Ada", "likes", "snow").await?;
    kgot.draws(3).await?;
    kgot.solve().await?;
    kgot.steps_say("Begins with a graph").await?;
    kgot.stage_says("snow").await?;
    page.no_complaints().await?;
    page.close().await
}

/// An engine that a query ended takes neither the graph with it nor what was paid for.
#[tokio::test]
async fn what_was_done_is_still_there_where_a_query_ends_the_engine() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    let (outage, kgot) = (Outage(&page), Thoughts(&page));
    outage.reaches_engines().await?;
    page.load("#/kgot?task=41").await?;
    kgot.is_ready().await?;
    kgot.unfold_all().await?;
    kgot.solve().await?;
    let villages = "MATCH (v:Village) RETURN count(v) AS villages";
    kgot.query(villages).await?;
    kgot.cell_is(true, 0).await?;
    let n = kgot.cell().await?;
    // A query in SPARQL ends an engine that holds nothing.
    kgot.language("1").await?;
    page.cuts_waits_of(10_000).await?;
    kgot.query("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p }")
        .await?;
    kgot.query_fault_says("the query took longer than 10 seconds and was stopped").await?;
    page.waits_as_usual().await?;
    kgot.query("ASK {}").await?;
    kgot.rows_say("true").await?;
    kgot.language("0").await?;
    outage.ends_engine("knowledge").await?;
    kgot.query("MATCH (v:Village) RETURN 2 * count(v) AS villages").await?;
    kgot.cell_is(true, n.parse()?).await?;
    // At any step.
    page.seek(1).await?;
    kgot.query(villages).await?;
    kgot.cell_is(false, 0).await?;
    page.seek_end().await?;
    // The next run begins with it.
    kgot.add("Ada", "likes", "snow").await?;
    kgot.stage_says("snow").await?;
    outage.ends_engine("knowledge").await?;
    kgot.solve().await?;
    kgot.steps_say("Begins with a graph").await?;
    kgot.stage_says("snow").await?;

    // A run in the middle.
    page.load("#/kgot?task=41").await?;
    kgot.is_ready().await?;
    kgot.unfold_all().await?;
    kgot.pause_at_steps().await?;
    kgot.start().await?;
    kgot.is_paused().await?;
    kgot.add("Ada", "likes", "snow").await?;
    kgot.steps_say("You correct the graph").await?;
    outage.ends_engine("knowledge").await?;
    page.has_notice("the engine ended before it answered").await?;
    page.fits("kgot-broken-off", None).await?;
    kgot.to_traces().await?;
    let traces = Traces(&page);
    traces.is_open().await?;
    page.says("the engine ended before it answered").await?;
    page.close().await
}

#[tokio::test]
async fn a_task_is_solved_in_several_languages_in_one_and_without_a_graph() -> Result<()> {
    let page = open(41).await?;
    let kgot = Thoughts(&page);
    kgot.method("fusion").await?;
    kgot.toggle_members(&["cypher", "direct"]).await?;
    kgot.start().await?;
    page.has_notice("Fusion needs a language").await?;
    kgot.toggle_members(&["direct", "cypher", "sparql"]).await?;
    kgot.solve().await?;
    let answers = kgot.members().await?;
    for name in ["Cypher", "SPARQL", "direct retrieval", "taken"] {
        ensure!(answers.contains(name), "{answers}");
    }
    // Where SPARQL begins the graph is empty; before it the one in Cypher is whole.
    kgot.steps_say("Takes another graph").await?;
    let first = kgot.first_step("Takes another graph").await?;
    page.seek(first).await?;
    kgot.draws(0).await?;
    page.seek(first - 1).await?;
    kgot.draws_more_than(3).await?;
    kgot.unfold_all().await?;
    kgot.language("0").await?;
    kgot.query("MATCH (n) RETURN count(n) AS nodes").await?;
    kgot.rows_say("nodes").await?;
    let (asked, drawn) = (kgot.cell().await?, kgot.n_drawn().await?);
    ensure!(asked == drawn.to_string(), "{asked} are asked, {drawn} drawn");

    page.load("#/kgot?task=86").await?;
    kgot.is_ready().await?;
    kgot.method("none").await?;
    kgot.solve().await?;
    kgot.stage_says("Without a graph").await?;
    kgot.method("sparql").await?;
    kgot.start().await?;
    kgot.steps_say("SPARQL").await?;
    kgot.is_right().await?;
    page.no_complaints().await?;
    page.close().await
}

/// An image goes to the model's endpoint where the person says that it sees, and else nowhere.
#[tokio::test]
async fn a_task_of_ones_own_has_files_needs_a_model_and_shows_it_an_image() -> Result<()> {
    let server = Server::start(Cors::Open, |asked| {
        let sees = asked.body["messages"].as_array().into_iter().flatten().any(|message| {
            let url = message["content"][1]["image_url"]["url"].as_str().unwrap_or_default();
            url == "data:image/gif;base64,R0lGODlhAQABAAAAACw="
        });
        let words = if sees { "FINAL ANSWER: a dot" } else { "FINAL ANSWER: nothing to see" };
        Reply::events(&[piece(json!({ "content": words }), Some("stop"))], true)
    })?;
    let page = open(1).await?;
    let kgot = Thoughts(&page);
    kgot.own_task("How many sheep?", &[&file("sheep.txt", "Seven sheep.\n")?]).await?;
    kgot.file_says("Seven sheep").await?;
    kgot.start().await?;
    page.has_notice("choose a larger model").await?;

    page.load("#/kgot?task=1").await?;
    kgot.is_ready().await?;
    kgot.method("none").await?;
    page.use_endpoint(&server.url(), "small").await?;
    let dot = file("dot.gif", "GIF89a\u{1}\0\u{1}\0\0\0\0,")?;
    kgot.own_task("What is on it?", &[&dot]).await?;
    kgot.file_says("dot.gif").await?;
    kgot.file_says("This is an image (image/gif, 14 bytes)").await?;
    kgot.start().await?;
    kgot.answer_says("nothing to see").await?;
    kgot.tick("kgot-sees").await?;
    kgot.start().await?;
    kgot.answer_says("a dot").await?;
    page.no_complaints().await?;
    page.close().await
}

/// What a reader of pages is asked for is what the model wrote, and not where the page is.
#[tokio::test]
async fn a_reader_hears_the_address_of_a_page_and_nothing_else() -> Result<()> {
    let reader = Server::start(Cors::Open, |_| Reply::html(200, "Twelve sheep"))?;
    let model = Server::start(Cors::Open, |asked| {
        if asked.body["messages"].to_string().contains("Twelve sheep") {
            let says = piece(json!({ "content": "FINAL ANSWER: 12" }), Some("stop"));
            return Reply::events(&[says], true);
        }
        let arguments = json!({ "url": "http://a.example/?x=1" }).to_string();
        let function = json!({ "name": "open_web_page", "arguments": arguments });
        let call = json!({ "index": 0, "id": "a", "type": "function", "function": function });
        Reply::events(&[piece(json!({ "tool_calls": [call] }), Some("tool_calls"))], true)
    })?;
    let page = open(1).await?;
    let kgot = Thoughts(&page);
    kgot.method("none").await?;
    page.use_endpoint(&model.url(), "small").await?;
    kgot.own_task("How many sheep?", &[&file("none.txt", "Nothing.\n")?]).await?;
    kgot.reads_pages_by(&format!("http://127.0.0.1:{}/read?page={{url}}", reader.port)).await?;
    kgot.start().await?;
    kgot.answer_says("12").await?;
    let wanted = "GET /read?page=http%3A%2F%2Fa.example%2F%3Fx%3D1 HTTP";
    ensure!(reader.has_heard(wanted), "another address was asked for");
    for server in [&reader, &model] {
        let says = server.has_heard("Referer:") || server.has_heard("referer:");
        ensure!(!says, "the address of the page was told");
    }
    page.close().await
}

/// Runs code of its own, then code that never ends, then answers.
fn asks_for_python(asked: &Asked) -> Reply {
    let heard = asked.body["messages"].to_string();
    let call = |code: &str| {
        let arguments = json!({ "code": code }).to_string();
        let function = json!({ "name": "run_python", "arguments": arguments });
        let call = json!({ "index": 0, "id": "a", "type": "function", "function": function });
        let asks = piece(json!({ "tool_calls": [call] }), Some("tool_calls"));
        Reply::events(&[asks], true)
    };
    if heard.contains("the code was ended") {
        let says = piece(json!({ "content": "FINAL ANSWER: 12" }), Some("stop"));
        Reply::events(&[says], true)
    } else if heard.contains("result") && heard.contains("12") && heard.contains("\"tool\"") {
        call("while True: pass")
    } else {
        call("result = sum(int(n) for n in open('sheep.txt').read().split())")
    }
}

/// A graph grows by code in the sandbox, and is asked by hand in it; a model's own code runs there too,
/// and is ended where it never ends.
#[tokio::test]
async fn python_grows_the_graph_and_runs_what_a_model_writes() -> Result<()> {
    if left_out() {
        return Ok(());
    }
    let page = open(41).await?;
    let kgot = Thoughts(&page);
    kgot.unfold_all().await?;
    kgot.method("networkx").await?;
    kgot.python_is_ready().await?;
    kgot.solve().await?;
    ensure!(kgot.n_drawn().await? > 3, "the graph is drawn");
    kgot.query("result = [G.number_of_nodes() > 3, nx.is_directed(G)]").await?;
    kgot.rows_say("true").await?;
    kgot.query("result = 1 / 0").await?;
    kgot.query_fault_says("ZeroDivisionError").await?;

    let server = Server::start(Cors::Open, asks_for_python)?;
    kgot.method("none").await?;
    page.use_endpoint(&server.url(), "small").await?;
    kgot.own_task("How many sheep?", &[&file("sheep.txt", "5\n7\n")?]).await?;
    kgot.let_models_run_python().await?;
    kgot.python_is_ready().await?;
    kgot.start().await?;
    kgot.answer_says("12").await?;
    kgot.steps_say("result: 12").await?;
    kgot.steps_say("the code was ended").await?;
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
    let kgot = Thoughts(&page);
    kgot.unfold_all().await?;
    ensure!(kgot.offers_of_a_store().await? == [false; 3], "there is no store yet");
    kgot.store("neo4j", &url, "neo4j:hunter2").await?;
    kgot.writing_says(&format!("type {url}/db/neo4j")).await?;
    ensure!(kgot.offers_of_a_store().await? == [true, false, false], "nothing was typed");
    kgot.ask_where("1").await?;
    kgot.query("MATCH (n) RETURN 1 AS answer").await?;
    kgot.rows_say("out of the store").await?;
    kgot.allow_writing(&format!("{url}/db/neo4j"), "Writing is allowed").await?;
    page.shoot("kgot-store-1280-light").await?;
    kgot.tick("kgot-keep-copy").await?;
    kgot.solve().await?;
    let copied = kgot.copied("In your store, as “kgot”").await?;
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
    ensure!(!edges.is_empty() && copied.contains(&right), "{copied}, not {right}");
    // By hand too, where that was chosen; and no address that was not typed.
    kgot.ask_where("2").await?;
    kgot.query("CREATE (:A)").await?;
    kgot.rows_say("nodesCreated").await?;
    let n = lock(&bodies).len();
    kgot.copy().await?;
    kgot.copied(&right).await?;
    ensure!(lock(&bodies).len() > n, "nothing was copied");
    let heads = lock(&server.heads).join("\n").to_lowercase();
    // user:password, as HTTP's Basic scheme has it.
    ensure!(heads.contains("authorization: basic bmvvngo6ahvudgvymg=="), "{heads}");
    kgot.allow_writing(&url, "Nothing is written yet").await?;
    ensure!(!kgot.offers_of_a_store().await?[2], "it may not be written to");
    for text in page.everywhere().await? {
        ensure!(!text.contains("hunter2"), "{text:.300}");
    }
    page.no_complaints().await?;
    page.close().await
}
