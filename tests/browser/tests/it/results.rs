//! Results that the command line made, opened on the Bench page.

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::travelling::Folder;

async fn opened(page: &Browser, folder: &Folder, name: &str) -> Result<()> {
    let path = folder.0.join(name);
    page.by_id("bench-file").await?.send_keys(&path.to_string_lossy()).await?;
    page.find("[data-testid='bench-report'] table").await?;
    Ok(())
}

async fn runs_of_systems(folder: &Folder) -> Result<()> {
    let bench = "bench --experiment kgqa --kg metro:6:1 --system all --seed 1 --n 10 \
                 --model erring:30 --count-tokens --out metro.jsonl";
    folder.companion(&bench.split_whitespace().collect::<Vec<_>>()).await?;
    Ok(())
}

#[tokio::test]
async fn runs_on_a_knowledge_graph_are_added_up_and_open_as_traces() -> Result<()> {
    let folder = Folder::new("results")?;
    runs_of_systems(&folder).await?;
    let page = Browser::open("#/bench").await?;
    opened(&page, &folder, "metro.jsonl").await?;
    page.until_text("[data-testid='bench-report']", "Measures of answers").await?;
    let told = folder.companion(&["report", "metro.jsonl", "--json"]).await?;
    let report: serde_json::Value = serde_json::from_str(&told)?;
    let value = report["rows"][0]["accuracy"]["value"].as_f64().unwrap_or(-1.0);
    let share = format!("{:.2}%", value * 100.0);
    page.until_text("[data-testid='bench-report'] tbody tr:first-child", &share).await?;
    page.shoot("results-1280-light").await?;
    page.click("bench-check").await?;
    page.until_text("[data-testid='check-result']", "40 verdicts").await?;
    page.until_text("[data-testid='bench-runs'] h2", "40 of 40").await?;
    // Runs stand in the order in which they came to their end.
    let graphrunner = "const row = [...document.querySelectorAll(\"[data-testid='bench-runs'] button.bench-row\")]
            .find(r => r.textContent.includes('GraphRunner'));
        row?.click();
        return row !== undefined";
    page.until("a run of GraphRunner is opened", graphrunner).await?;
    page.until("the trace is open", "return location.hash.startsWith('#/traces')").await?;
    page.until_text("main", "Fetch_Neighbors").await?;
    // What is no such file leaves what is kept.
    page.run("location.hash = '#/bench'", vec![]).await?;
    page.find("[data-testid='bench-report'] table").await?;
    page.click("bench-back").await?;
    let text = std::fs::read_to_string(folder.0.join("metro.jsonl"))?;
    std::fs::write(folder.0.join("bad.jsonl"), text.replacen("\"score\"", "\"scores\"", 1))?;
    let path = folder.0.join("bad.jsonl");
    page.by_id("bench-file").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text(".notice", "bad.jsonl: line").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn requests_of_families_have_the_papers_tables() -> Result<()> {
    let folder = Folder::new("results-family")?;
    let made = folder.companion(&["kgetool", "generate", "--small"]).await?;
    std::fs::write(folder.0.join("small.jsonl"), made)?;
    let run = "bench --experiment family --system gs --problems small.jsonl --out family.jsonl";
    folder.companion(&run.split_whitespace().collect::<Vec<_>>()).await?;
    let page = Browser::open_sized("#/bench", 360, 800, "dark").await?;
    opened(&page, &folder, "family.jsonl").await?;
    page.until_text("[data-testid='bench-report']", "Table 5").await?;
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
