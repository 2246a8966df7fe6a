//! The open graph asked in SPARQL.

use anyhow::{Result, ensure};

use crate::browser::{Browser, file};

async fn opened() -> Result<Browser> {
    let page = Browser::open("#/kg").await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.find("[data-testid='kg-questions']").await?;
    page.click("kg-sparql").await?;
    page.by_id("sparql-query").await?;
    Ok(page)
}

/// Writes a query and asks it.
async fn ask(page: &Browser, query: &str) -> Result<()> {
    page.type_into("sparql-query", query).await?;
    page.click("sparql-run").await
}

#[tokio::test]
async fn a_graph_is_asked_and_the_answer_saved() -> Result<()> {
    let page = opened().await?;
    page.note_workers().await?;
    // The example at hand has an answer.
    page.click("sparql-run").await?;
    page.until_text("[data-testid='sparql-facts']", "rows.").await?;
    ensure!(page.count("[data-testid='sparql-table'] tbody tr").await? > 20);
    // The engine was loaded when it was asked for, and is loaded once.
    ensure!(page.workers("rdf").await? == 1);
    ask(&page, "SELECT (COUNT(?l) AS ?n) WHERE { ?l a type:Line }").await?;
    page.until_text("[data-testid='sparql-table'] td", "8").await?;
    page.until_text("[data-testid='sparql-facts']", "1 row.").await?;
    // More than is shown is said.
    ask(&page, "SELECT * WHERE { ?a ?b ?c . ?d ?e ?f }").await?;
    page.until_text("[data-testid='sparql-facts']", "The first 10000 rows; there are more").await?;
    ask(&page, "SELECT ?x WHERE { ?x a type:Submarine }").await?;
    page.until_text("[data-testid='sparql-facts']", "No rows").await?;
    // What is saved is what is shown.
    page.run(
        "window.saved = []; const made = URL.createObjectURL;
         URL.createObjectURL = blob => { blob.text().then(t => saved.push(t)); return made(blob); }",
        vec![],
    )
    .await?;
    ask(&page, "SELECT ?z WHERE { VALUES ?z { 'a,b' '=1+1' } }").await?;
    page.until_text("[data-testid='sparql-facts']", "2 rows.").await?;
    page.click("sparql-csv").await?;
    page.until("a CSV", "return saved[0] === 'z\\r\\n\"a,b\"\\r\\n\\'=1+1\\r\\n'").await?;
    page.click("sparql-tsv").await?;
    ensure!(page.workers("rdf").await? == 1);
    page.until("a TSV", "return saved[1] === 'z\\na,b\\n=1+1\\n'").await?;
    page.close().await
}

#[tokio::test]
async fn what_is_wrong_with_a_query_is_told_with_its_place() -> Result<()> {
    let page = opened().await?;
    ask(&page, "SELECT ?x\nWHERE { ?x edge:stops_at }").await?;
    page.until_text("[data-testid='sparql-fault']", "line 2, column 26: found \"}\"").await?;
    page.click("sparql-place").await?;
    let at = "const q = document.querySelector('[data-testid=sparql-query]');
        return document.activeElement === q ? q.value.slice(q.selectionStart, q.selectionEnd) : ''";
    ensure!(page.run(at, vec![]).await?.as_str() == Some("}"), "the place is not marked");
    ask(&page, "SELECT ?x WHERE { ?x nope:a ?y }").await?;
    page.until_text("[data-testid='sparql-fault']", "column 22: the prefix \"nope\"").await?;
    // A query is text and nothing else.
    ask(&page, "<img src=x onerror=alert(1)>").await?;
    page.until_text("[data-testid='sparql-fault']", "line 1, column").await?;
    ensure!(page.count(".sparql img").await? == 0);
    page.close().await
}

#[tokio::test]
async fn a_query_without_an_end_is_stopped() -> Result<()> {
    let page = opened().await?;
    let endless = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }";
    ask(&page, endless).await?;
    page.until_text("[data-testid='sparql-run']", "Stop").await?;
    page.until_text(".sparql [role='status']", "Asking…").await?;
    page.click("sparql-run").await?;
    page.until_text("[data-testid='sparql-said']", "Stopped").await?;
    // The next one works, and so does everything else.
    ask(&page, "ASK { ?l a type:Line }").await?;
    page.until_text("[data-testid='sparql-table'] td", "yes").await?;
    page.click("run-graphrunner").await?;
    page.find("[data-testid='kg-verdict']").await?;
    page.close().await
}

#[tokio::test]
async fn another_graph_has_other_examples_and_answers() -> Result<()> {
    let page = opened().await?;
    page.click("sparql-run").await?;
    page.until_text("[data-testid='sparql-facts']", "rows.").await?;
    let lines = ["p1\thas mother\tp2", "p2\thas mother\tp3"].join("\n");
    let path = file("mothers.tsv", &lines)?;
    page.by_id("kg-files").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text("[data-testid='kg-figures']", "mothers.tsv").await?;
    page.until_text("[data-testid='sparql-examples']", "has mother").await?;
    ensure!(page.count("[data-testid='sparql-table']").await? == 0, "an old answer stays");
    page.click("sparql-run").await?;
    page.until_text("[data-testid='sparql-facts']", "2 rows.").await?;
    // What is no graph leaves the one that is open, here too.
    let other = file("notes.exe", "hello")?;
    page.by_id("kg-files").await?.send_keys(&other.to_string_lossy()).await?;
    page.until_text(".notice", "no format has this ending").await?;
    ask(&page, "SELECT ?x WHERE { ?x edge:has%20mother/edge:has%20mother ?y }").await?;
    page.until_text("[data-testid='sparql-table'] td", "p1").await?;
    page.close().await
}

const STAGE: &str = ".stage";

#[tokio::test]
async fn the_panel_fits_wide_and_narrow_light_and_dark() -> Result<()> {
    let page = Browser::open("#/kg").await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.click("kg-sparql").await?;
    page.click("sparql-run").await?;
    page.until_text("[data-testid='sparql-facts']", "rows.").await?;
    page.fits("sparql", Some(STAGE)).await?;
    page.type_into("sparql-query", "SELECT ?x WHERE { ?x nope:a }").await?;
    page.click("sparql-run").await?;
    page.find("[data-testid='sparql-fault']").await?;
    page.fits("sparql-fault", Some(STAGE)).await?;
    page.close().await
}
