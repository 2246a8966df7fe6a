//! What fails around the page: a store that never answers, a network that is gone, an engine that is ended
//! from outside, a query without an end, a server that has another page by now.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::screens::{Kg, ModelFiles, Outage, Solve};
use crate::served::Served;
use crate::servers::{Cors, Reply, Server, good};

const SOLVE: &str = "#/solve?task=cycle&difficulty=easy&seed=2";

#[tokio::test]
async fn a_store_that_never_answers_is_reported_and_runs_are_made_all_the_same() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    let solve = Solve(&page);
    Outage(&page).silences_stores().await?;
    page.load(SOLVE).await?;
    solve.question().await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    let words = "this browser does not keep runs (its storage does not answer)";
    page.has_notice(words).await?;
    // The run itself stays, and so does the next one.
    solve.alone().await?;
    solve.has_verdict().await?;
    page.go("#/bench").await?;
    page.has_notice(words).await?;
    page.close().await
}

/// Counts without an end.
const ENDLESS: &str = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }";

#[tokio::test]
async fn engines_that_end_or_cannot_be_loaded_are_reported_and_started_again() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    let (outage, solve, kg) = (Outage(&page), Solve(&page), Kg(&page));
    outage.reaches_engines().await?;
    page.load(SOLVE).await?;
    solve.question().await?;
    // While it waits for an endpoint that says nothing.
    let silent = Server::start(Cors::Open, |asked| {
        if asked.path.ends_with("/models") { good(asked) } else { Reply::silence() }
    })?;
    page.use_endpoint(&silent.url(), "small").await?;
    solve.alone().await?;
    solve.verdicts_say("Running").await?;
    outage.ends_engine("engine").await?;
    page.has_notice("the engine ended before it answered").await?;
    solve.shows_solution().await?;
    solve.is_judged("Correct").await?;

    outage.loads_engines(false).await?;
    page.go("#/kg").await?;
    page.has_notice("the engine could not be loaded; is the page's server there?").await?;
    kg.canvas_says("No graph is open").await?;
    outage.caught_all().await?;
    page.fits("offline", None).await?;
    outage.loads_engines(true).await?;
    outage.tries_again().await?;
    kg.figures_say("nodes").await?;

    // The engine that answers queries breaks, is ended by the browser, and by the page. The graph is opened
    // again before anybody asks.
    kg.open_sparql().await?;
    kg.query(Some(ENDLESS)).await?;
    kg.query_is_under_way().await?;
    outage.breaks_engine("rdf").await?;
    kg.query_ended("more memory than a page has").await?;
    outage.has_started("rdf", 2).await?;
    answers_a_query(&kg).await?;
    kg.query(Some(ENDLESS)).await?;
    kg.query_is_under_way().await?;
    outage.ends_engine("rdf").await?;
    kg.query_ended("more memory than a page has").await?;
    kg.figures_say("nodes").await?;
    answers_a_query(&kg).await?;
    page.cuts_waits_of(10_000).await?;
    kg.query(Some(ENDLESS)).await?;
    kg.query_ended("The query took longer than 10 seconds and was stopped").await?;
    kg.figures_say("nodes").await?;
    page.waits_as_usual().await?;
    answers_a_query(&kg).await?;
    page.shoot("sparql-late-1280-light").await?;
    page.close().await
}

/// A page that stays open while its server gets a new one says so, and goes on where it is loaded again.
#[tokio::test]
async fn a_page_whose_server_has_another_build_is_to_be_loaded_again() -> Result<()> {
    // The engine and the worker of model files of another build.
    for (name, other) in [("worker.js", OTHER_ENGINE), ("model.js", OTHER_MODEL)] {
        let served = Served::start_with(move |file, bytes| match file == name {
            true => [other.as_bytes(), &bytes].concat(),
            false => bytes,
        })?;
        let page =
            Browser::open_plain(&format!("{}#/tools", served.url), 1280, 800, "light").await?;
        let outage = Outage(&page);
        page.go(SOLVE).await?;
        if name == "model.js" {
            ModelFiles(&page).open().await?;
        }
        outage.is_told_of_the_update().await?;
        page.close().await?;
    }

    // Files that are gone.
    let is_new = Arc::new(AtomicBool::new(false));
    let now = Arc::clone(&is_new);
    let served = Served::start_with(move |file, bytes| match file {
        "wasm/bundles.js" if now.load(Ordering::Relaxed) => {
            let text = String::from_utf8_lossy(&bytes);
            text.replace("build = \"", "build = \"ffff").into_bytes()
        }
        "wasm/engine_worker/engine_worker.js" if now.load(Ordering::Relaxed) => b"gone(".to_vec(),
        _ => bytes,
    })?;
    let page = Browser::open_plain(&format!("{}#/tools", served.url), 1280, 800, "light").await?;
    let (outage, solve) = (Outage(&page), Solve(&page));
    page.says("functions").await?;
    is_new.store(true, Ordering::Relaxed);
    page.go("#/kg").await?;
    outage.is_told_of_the_update().await?;
    page.fits("updated", None).await?;
    is_new.store(false, Ordering::Relaxed);
    page.go(SOLVE).await?;
    outage.loads_the_new_page().await?;
    solve.question().await?;
    ensure!(!outage.has_update().await?, "the new page takes itself for an old one");
    page.close().await
}

/// A worker that says that it is of another build.
const OTHER_ENGINE: &str = "const post = self.postMessage.bind(self);
    self.postMessage = (m) => {
        if (m.body?.ready) m.body.ready.version = 'another';
        post(m);
    };\n";
const OTHER_MODEL: &str = "const post = self.postMessage.bind(self);
    self.postMessage = (m) => {
        if (m[1]?.ready) m[1].ready.version = 1;
        post(m);
    };\n";

async fn answers_a_query(kg: &Kg<'_>) -> Result<()> {
    kg.query(Some("ASK { ?l a type:Line }")).await?;
    kg.cell_says("yes").await
}
