//! Graph-ToolFormer: statements are run, written and stepped; data are dropped; mistakes are told.

use anyhow::{Result, ensure};

use crate::browser::{Browser, file};

async fn open(width: u32, scheme: &str) -> Result<Browser> {
    let page = Browser::open_sized("#/toolformer", width, 800, scheme).await?;
    page.find("[data-testid='family-attribute_calculation'] li").await?;
    Ok(page)
}

/// Puts words into the field as typing does.
async fn say(page: &Browser, words: &str) -> Result<()> {
    let fill = "const f = document.querySelector(\"[data-testid='input']\");
        f.value = arguments[0];
        f.dispatchEvent(new Event('input', { bubbles: true }));";
    page.run(fill, vec![words.into()]).await?;
    page.click("run").await
}

async fn unfold(page: &Browser) -> Result<()> {
    page.run(
        "document.querySelectorAll('.toolformer .left details').forEach(d => d.open = true)",
        vec![],
    )
    .await?;
    Ok(())
}

async fn sentence(page: &Browser) -> Result<String> {
    page.text("[data-testid='sentence']").await
}

#[tokio::test]
async fn a_statement_is_run_stepped_and_opened_as_a_trace() -> Result<()> {
    let page = open(1280, "light").await?;
    page.click("run").await?;
    page.until_text("[data-testid='sentence']", "The bull graph has 5 nodes, and its radius is 2.")
        .await?;
    ensure!(page.count("[data-testid='chip']").await? == 2);
    ensure!(page.count("[data-testid='used'] .node").await? == 5, "the graph is drawn");
    ensure!(page.count("[data-testid='memory'] li").await? == 3, "a graph and two results");
    page.until_text("[data-testid='parse-tree']", "GR, graph reasoning").await?;
    page.shoot("toolformer-1280-light").await?;
    // Before the first call nothing was filled in, nothing drawn, nothing remembered.
    page.press("[aria-label='To the start']").await?;
    page.until_text("[data-testid='sentence']", "toolx:order").await?;
    ensure!(page.count("[data-testid='used'] .node").await? == 0);
    ensure!(page.count("[data-testid='memory'] li").await? == 0);
    page.press("[aria-label='One step on']").await?;
    page.press("[aria-label='One step on']").await?;
    page.press("[aria-label='One step on']").await?;
    page.until_text("[data-testid='sentence']", "has 5 nodes").await?;
    page.click("keep-calls").await?;
    page.until_text("[data-testid='sentence']", "toolx:order → 5").await?;
    // Run again, both are found in the working memory.
    page.click("run").await?;
    page.until_text("[data-testid='memory']", "used again once").await?;
    page.click("forget").await?;
    page.until_text("[data-testid='memory']", "Empty").await?;
    page.click("run").await?;
    page.until_text("[data-testid='sentence']", "radius").await?;
    page.click("to-traces").await?;
    page.until("the trace is open", "return location.hash.startsWith('#/traces')").await?;
    page.find(".step-row").await?;
    page.until_text("main", "toolx:radius").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_script_writes_the_statement_and_a_mistaken_one_is_told() -> Result<()> {
    let page = open(1280, "dark").await?;
    unfold(&page).await?;
    page.press("[data-testid='ask-eccentricity']").await?;
    page.find("[data-testid='chip'].gives").await?;
    ensure!(!sentence(&page).await?.contains("GR("), "{}", sentence(&page).await?);
    page.shoot("toolformer-written-1280-dark").await?;
    page.choose("writer", "mistaken:unknown-domain").await?;
    page.click("run").await?;
    page.find("[data-testid='chip'].fails").await?;
    page.until_text("[data-testid='call-error']", "there is no model").await?;
    page.close().await
}

#[tokio::test]
async fn communities_are_found_in_the_village() -> Result<()> {
    let page = open(360, "light").await?;
    unfold(&page).await?;
    page.press("[data-testid='try-community']").await?;
    page.find("[data-testid='chip'].gives").await?;
    ensure!(sentence(&page).await?.contains('#'), "{}", sentence(&page).await?);
    page.find("[data-testid='used'] .node").await?;
    page.shoot("toolformer-360-light").await?;
    let wide = page.run("return document.documentElement.scrollWidth > innerWidth", vec![]).await?;
    ensure!(wide == false, "the page scrolls sideways");
    page.close().await
}

#[tokio::test]
async fn mistakes_are_told_and_the_rest_of_the_text_stands() -> Result<()> {
    let page = open(1280, "light").await?;
    for (call, why) in [
        (r#"[GR(GL("gpr", {"bull_graph"}), "oracle:order")-->r]"#, "oracle"),
        (r#"[GR(GL("gpr", {"bull_graph"}), "toolx:shortest_path", node#1)-->r]"#, "shortest_path"),
        (r#"[GR(GL("cora"), "graph_bert:topic", paper#1)-->r]"#, "not here"),
        (r#"[GR(GL("gpr", {"bull_graph"), "toolx:order")-->r]"#, "expected"),
    ] {
        say(&page, &format!("Before {call} and after.")).await?;
        page.find("[data-testid='chip'].fails").await?;
        let told = page.text("[data-testid='call-error']").await?;
        ensure!(told.contains(why), "{call}: {told}");
        let words = sentence(&page).await?;
        ensure!(words.starts_with("Before ") && words.contains("and after."), "{words}");
    }
    page.close().await
}

#[tokio::test]
async fn packs_are_taken_and_broken_files_refused() -> Result<()> {
    let page = open(1280, "light").await?;
    let pack = concat!(
        r#"{"id":"a","type":"Person","name":"a"}"#,
        "\n",
        r#"{"id":"b","type":"Person","name":"b"}"#,
        "\n",
        r#"{"src":"a","dst":"b","type":"likes"}"#,
        "\n",
    );
    let path = file("mine.jsonl", pack)?;
    page.by_id("open").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text("[data-testid='taken']", "mine is here: 2 nodes and 1 links").await?;
    let path = file("broken.jsonl", r#"{"format":"graphground-data","version":1}"#)?;
    page.by_id("open").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text(".notice", "broken.jsonl").await?;
    page.click("load-wordnet").await?;
    page.until_text("[data-testid='taken']", "wordnet is here").await?;
    unfold(&page).await?;
    page.until_text("[data-testid='hub']", "WordNet").await?;
    page.close().await
}
