//! What fails around the page: a store that never answers, a network that is gone, an engine that is
//! ended from outside, a query without an end.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::browser::Browser;
use crate::servers::{Cors, Reply, Server};

/// Keeps every worker that the page starts within reach, with its name.
const KEEP_WORKERS: &str = "window.workers = [];
    window.Worker = class extends Worker {
        constructor(url, options) { super(url, options); workers.push([options?.name ?? '', this]); }
    };";

/// Ends the youngest worker of a kind, as a browser ends one: nobody is told.
const END_YOUNGEST: &str =
    "const found = workers.filter(([n]) => n.startsWith(`${arguments[0]}-`));
    found.at(-1)[1].terminate();
    return found.length;";

#[tokio::test]
async fn a_store_that_never_answers_is_told() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    // An opening that neither comes nor fails, as some browsers have it in private windows.
    page.before_pages(
        "IDBFactory.prototype.open = function () {
             const waits = Object.create(IDBOpenDBRequest.prototype);
             return new Proxy(new EventTarget(), {
                 get: (t, k) => k === 'addEventListener' ? () => {} : waits[k] instanceof Function ? () => {} : null,
                 set: () => true,
                 getPrototypeOf: () => IDBOpenDBRequest.prototype,
             });
         };",
    )
    .await?;
    let address = format!("{}#/solve?task=cycle&difficulty=easy&seed=2", crate::browser::base()?);
    page.client.goto(&address).await?;
    page.client.refresh().await?;
    page.until_text(".question", "Q:").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    let words = "this browser does not keep runs (its storage does not answer)";
    page.until_text(".notice", words).await?;
    // The run itself stands, and the next one too.
    page.click("standalone").await?;
    page.find(".card[data-verdict]").await?;
    page.run("location.hash = '#/bench'", vec![]).await?;
    page.until_text(".notice", words).await?;
    page.close().await
}

/// What a test reads of faults that nobody caught.
pub(crate) const NOTE_FAULTS: &str = "window.faults = [];
    addEventListener('error', (e) => faults.push(e.message));
    addEventListener('unhandledrejection', (e) => faults.push(`${e.reason}`));";

#[tokio::test]
async fn an_engine_that_cannot_be_loaded_is_reported_and_tried_again() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    page.run(NOTE_FAULTS, vec![]).await?;
    page.run(
        "const { Worker } = window;
         window.Worker = class extends Worker {
             constructor(url, options) { super(url.replace('worker.js', 'gone.js'), options); }
         };
         window.restore = () => { window.Worker = Worker; };
         location.hash = '#/kg'",
        vec![],
    )
    .await?;
    page.until_text(".notice", "the engine could not be loaded; is the page's server there?")
        .await?;
    page.until_text("[data-testid='canvas']", "No graph is open").await?;
    let faults = page.run("return faults", vec![]).await?;
    ensure!(faults == json!([]), "{faults}");
    page.shoot("offline-1280-light").await?;
    page.becomes(500, 800, "light").await?;
    page.shoot("offline-500-light").await?;
    page.run("restore()", vec![]).await?;
    page.click("again").await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.close().await
}

#[tokio::test]
async fn a_benchmark_goes_on_when_its_engine_is_ended() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    page.before_pages(KEEP_WORKERS).await?;
    page.client.goto(&format!("{}#/bench", crate::browser::base()?)).await?;
    page.client.refresh().await?;
    page.click("bench-new").await?;
    let set =
        "const [id, value] = arguments; const n = document.querySelector(`[data-testid=${id}]`);
        n.value = value; n.dispatchEvent(new Event('change', { bubbles: true }))";
    page.run(set, vec![json!("bench-n"), json!("60")]).await?;
    page.choose("bench-script", "script").await?;
    page.click("bench-start").await?;
    let n_done = "Number(document.querySelector('[data-testid=bench-progress] span')?.textContent.split(' ')[0])";
    page.until("some runs are done", &format!("return {n_done} > 40")).await?;
    let ended = page.run(END_YOUNGEST, vec![json!("knowledge")]).await?;
    ensure!(ended.as_u64() > Some(0), "no engine runs");
    page.until_text(".notice", "The engine ended, and was started anew").await?;
    let all = "const h = document.querySelector('[data-testid=bench-runs] h2')?.textContent ?? '';
        const found = /Runs: (\\d+) of (\\d+)/.exec(h);
        return found !== null && found[1] === found[2] && Number(found[1]) >= 480";
    for _ in 0..6 {
        if page.until("all runs are made", all).await.is_ok() {
            break;
        }
    }
    page.until("all runs are made", all).await?;
    // None is there twice: what is kept has as many lines as there are runs.
    page.click("bench-check").await?;
    page.until_text("[data-testid='check-result']", "everything comes out as the file says")
        .await?;
    page.close().await
}

#[tokio::test]
async fn a_run_whose_engine_is_ended_says_so() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    page.before_pages(KEEP_WORKERS).await?;
    let server = Server::start(Cors::Open, |asked| {
        if asked.path.ends_with("/models") {
            return Reply::json(200, json!({ "data": [{ "id": "m" }] }));
        }
        Reply::silence()
    })?;
    let address = format!("{}#/solve?task=cycle&difficulty=easy&seed=2", crate::browser::base()?);
    page.client.goto(&address).await?;
    page.client.refresh().await?;
    page.until_text(".question", "Q:").await?;
    page.use_endpoint(&server.url(), "m").await?;
    page.click("standalone").await?;
    page.until_text(".verdicts", "Running").await?;
    page.run(END_YOUNGEST, vec![json!("engine")]).await?;
    page.until_text(".notice", "the engine ended before it answered").await?;
    page.click("solve").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.close().await
}

#[tokio::test]
async fn a_query_that_takes_too_long_is_stopped_and_the_next_is_answered() -> Result<()> {
    let page = Browser::open("#/kg").await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.click("kg-sparql").await?;
    // The one counts without an end, the other wants more memory than there is, sooner or later.
    for (query, words) in [
        (
            "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
            "The query took longer than 10 seconds and was stopped",
        ),
        (
            "SELECT DISTINCT ?a ?d ?g {?a ?b ?c . ?d ?e ?f . ?g ?h ?i} ORDER BY ?a",
            "and was stopped",
        ),
    ] {
        page.type_into("sparql-query", query).await?;
        page.click("sparql-run").await?;
        page.until_text(".sparql [role='status']", "Asking…").await?;
        // Nobody stops it.
        page.until_text("[data-testid='sparql-said']", words).await?;
        page.until_text("[data-testid='kg-figures']", "nodes").await?;
        page.type_into("sparql-query", "ASK { ?l a type:Line }").await?;
        page.click("sparql-run").await?;
        page.until_text("[data-testid='sparql-table'] td", "yes").await?;
    }
    page.shoot("sparql-late-1280-light").await?;
    page.close().await
}

#[tokio::test]
async fn an_engine_of_sparql_that_breaks_is_told_and_started_anew() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    page.before_pages(KEEP_WORKERS).await?;
    page.client.goto(&format!("{}#/kg", crate::browser::base()?)).await?;
    page.client.refresh().await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.click("kg-sparql").await?;
    let endless = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }";
    page.type_into("sparql-query", endless).await?;
    page.click("sparql-run").await?;
    page.until_text(".sparql [role='status']", "Asking…").await?;
    page.run(END_YOUNGEST, vec![json!("rdf")]).await?;
    page.until_text("[data-testid='sparql-said']", "more memory than a page has").await?;
    // The graph is opened again before anybody asks.
    page.until("a new engine", "return workers.filter(([n]) => n.startsWith('rdf-')).length === 2")
        .await?;
    page.type_into("sparql-query", "ASK { ?l a type:Line }").await?;
    page.click("sparql-run").await?;
    page.until_text("[data-testid='sparql-table'] td", "yes").await?;
    page.close().await
}
