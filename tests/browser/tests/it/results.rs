//! Results that the command line made, opened on the Bench page.

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::travelling::Folder;

async fn opened(page: &Browser, folder: &Folder, name: &str) -> Result<()> {
    let path = folder.0.join(name);
    page.by_id("bench-file").await?.send_keys(&path.to_string_lossy()).await?;
    page.find("[data-testid='results'] table").await?;
    Ok(())
}

async fn runs_of_systems(folder: &Folder) -> Result<()> {
    let bench = ["kg", "bench", "--kg", "metro:6:1", "--n", "10", "--model", "erring:30"];
    folder.companion(&[&bench[..], &["--out", "metro.jsonl"]].concat()).await?;
    Ok(())
}

#[tokio::test]
async fn runs_on_a_knowledge_graph_are_added_up_and_open_as_traces() -> Result<()> {
    let folder = Folder::new("results")?;
    runs_of_systems(&folder).await?;
    let page = Browser::open("#/bench").await?;
    opened(&page, &folder, "metro.jsonl").await?;
    page.until_text("[data-testid='results'] .quiet-text", "40 runs on the graph").await?;
    let told = folder.companion(&["report", "metro.jsonl", "--json"]).await?;
    let tables: serde_json::Value = serde_json::from_str(&told)?;
    let share = tables[0]["rows"][0]["cells"][2].as_str().unwrap_or("none").to_owned();
    page.until_text("[data-testid='results'] tbody tr:first-child", &share).await?;
    page.shoot("results-1280-light").await?;
    page.until_text("[data-testid='results-runs'] h2", "40 of 40").await?;
    page.type_into("results-search", "graphrunner").await?;
    page.until_text("[data-testid='results-runs'] h2", "10 of 40").await?;
    page.choose("results-verdict", "0").await?;
    page.press("[data-testid='results-runs'] button.bench-row").await?;
    page.until("the trace is open", "return location.hash.startsWith('#/traces')").await?;
    page.until_text("main", "Fetch_Neighbors").await?;
    // What is no such file leaves what is shown.
    page.run("location.hash = '#/bench'", vec![]).await?;
    page.find("[data-testid='results'] table").await?;
    page.click("bench-back").await?;
    let line = std::fs::read_to_string(folder.0.join("metro.jsonl"))?;
    std::fs::write(folder.0.join("bad.jsonl"), line.replacen("\"claims\"", "\"clams\"", 1))?;
    let path = folder.0.join("bad.jsonl");
    page.by_id("bench-file").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text(".notice", "bad.jsonl, line 1: expected a run on a knowledge graph").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn requests_of_families_have_the_papers_tables() -> Result<()> {
    let folder = Folder::new("results-family")?;
    let made = folder.companion(&["kgetool", "generate", "--small"]).await?;
    std::fs::write(folder.0.join("small.jsonl"), made)?;
    let ran = folder.companion(&["kgetool", "run", "--benchmark", "small.jsonl"]).await?;
    std::fs::write(folder.0.join("family.jsonl"), ran)?;
    let page = Browser::open_sized("#/bench", 360, 800, "dark").await?;
    opened(&page, &folder, "family.jsonl").await?;
    page.until_text("[data-testid='results']", "Table 5").await?;
    page.shoot("results-360-dark").await?;
    let wide = page.run("return document.documentElement.scrollWidth > innerWidth", vec![]).await?;
    ensure!(wide == false, "the page scrolls sideways");
    page.close().await
}

#[tokio::test]
async fn the_page_of_results_opens_from_a_disk() -> Result<()> {
    let folder = Folder::new("results-page")?;
    runs_of_systems(&folder).await?;
    folder.companion(&["report", "metro.jsonl", "--html", "page.html", "--title", "Metro"]).await?;
    let more = crate::travelling::NO_NETWORK;
    let page = Browser::open_at(&folder.address("page.html"), 1280, 800, "light", more).await?;
    ensure!(page.count("details.p").await? == 10, "one for each question");
    page.press("details.p summary").await?;
    page.until("a stepper", "return document.querySelectorAll('.t + .bar, .bar + .t').length > 0 || document.querySelectorAll('details .bar').length > 0").await?;
    page.shoot("results-page-1280-light").await?;
    page.no_complaints().await?;
    page.close().await
}
