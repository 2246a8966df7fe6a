//! How a run goes about it: fewer functions, the graph beside the question, votes, the person as the
//! model.

use anyhow::{Result, ensure};

use crate::browser::Browser;

async fn open() -> Result<Browser> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=3&model=demo").await?;
    page.until_text(".question", "Q:").await?;
    page.press("[data-testid='run-choices'] summary").await?;
    Ok(page)
}

#[tokio::test]
async fn few_functions_are_sent_and_the_choice_is_a_step() -> Result<()> {
    let page = open().await?;
    page.click("few-tools").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.until_text(".steps", "6 of 66 functions").await?;
    page.until_text(".steps", "find_cycle").await?;
    page.close().await
}

#[tokio::test]
async fn an_attached_graph_need_not_be_built() -> Result<()> {
    let page = open().await?;
    page.click("attach").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.until_text(".facts", "1 call").await?;
    page.close().await
}

#[tokio::test]
async fn several_runs_are_put_to_the_vote() -> Result<()> {
    let page = open().await?;
    page.type_into("n-runs", "3").await?;
    page.press("[data-testid='run-choices'] summary").await?;
    page.until_text("[data-testid='run-choices']", "best of 3").await?;
    page.click("grounded").await?;
    page.until_text("[data-testid='tallies']", "3 ×").await?;
    page.close().await
}

#[tokio::test]
async fn a_person_is_the_model() -> Result<()> {
    let page = open().await?;
    page.click("be-the-model").await?;
    page.find("[data-testid='seat']").await?;
    page.shoot("seat").await?;
    page.choose("seat-tool", "create_graph").await?;
    page.press("[data-testid='seat'] .schema-form button").await?;
    page.until_text(".steps", "create_graph").await?;
    page.find("[data-testid='seat']").await?;
    page.type_into("seat-answer", "I do not know; perhaps there is a cycle.").await?;
    page.press("[data-testid='seat'] form:last-child button").await?;
    page.find(".card[data-verdict]").await?;
    ensure!(page.count("[data-testid='seat']").await? == 0);
    page.until_text(".facts", "You").await?;
    page.close().await
}

#[tokio::test]
async fn a_graph_of_a_thousand_nodes_is_attached_and_solved() -> Result<()> {
    use std::fmt::Write as _;
    let graph = graph::generators::random_sparse(1000, 5000, false, 7)?;
    let mut text = String::new();
    for (i, edge) in graph.edges().enumerate() {
        writeln!(text, "{} {} {}", edge.source, edge.target, 1 + i * 7 % 20)?;
    }
    let path = crate::browser::file("thousand.txt", &text)?;
    let page = open().await?;
    page.click("import").await?;
    page.by_id("file").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text(".question", "999").await?;
    page.click("attach").await?;
    page.click("few-tools").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    // Nothing that the model read was long: the graph took no words.
    page.run("location.hash = '#/traces'", vec![]).await?;
    page.press("[data-testid='kept-runs'] .open").await?;
    page.seek_end().await?;
    page.click("tab-raw").await?;
    page.until_text("[data-testid='raw-check']", "its hash is the one that was kept").await?;
    let words = page.text("[data-testid='detail']").await?;
    ensure!(words.len() < 20_000, "the model read {} characters", words.len());
    let drawn = page.count("svg.graph .node").await?;
    ensure!(drawn > 10 && drawn <= 200, "{drawn} nodes are drawn");
    page.shoot("attached-thousand").await?;
    page.close().await
}
