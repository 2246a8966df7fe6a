//! The whole dataset in the page, timed; `cargo xtask bench` runs this and prints the table.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::Browser;

#[tokio::test]
async fn the_whole_dataset() -> Result<()> {
    let files = std::env::var("GRAPHGROUND_BENCH_FILES").context("run `cargo xtask bench`")?;
    let page = Browser::open("#/dataset").await?;
    page.run(
        "window.longTasks = [];
         new PerformanceObserver(l => window.longTasks.push(...l.getEntries().map(e => e.duration)))
             .observe({ entryTypes: ['longtask'] });
         // From the moment the page has the files to the moment the summary stands.
         document.querySelector(\"[data-testid='dataset-files']\")
             .addEventListener('change', () => { window.began = performance.now(); }, true);
         new MutationObserver(() => {
             const s = document.querySelector(\"[data-testid='dataset-summary']\");
             if (s && s.textContent.includes('questions') && !window.ended) window.ended = performance.now();
         }).observe(document.body, { childList: true, subtree: true, characterData: true });",
        vec![],
    )
    .await?;
    page.by_id("dataset-files").await?.send_keys(&files).await?;
    page.until_text("[data-testid='dataset-summary']", "questions parsed").await?;
    ensure!(page.count("[data-testid='dataset-table'] td.fault").await? == 0, "something failed");
    // The observer tells of long tasks a little later.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let figures = page
        .run(
            "const words = document.querySelector(\"[data-testid='dataset-summary']\").textContent.match(/\\d+/g);
             return { questions: Number(words[0]), worker_ms: Number(words[1]),
                 page_ms: window.ended - window.began, long_tasks_ms: window.longTasks };",
            vec![],
        )
        .await?;
    println!("BENCH {figures}");
    ensure!(figures["long_tasks_ms"] == json!([]), "the page was blocked: {figures}");
    page.close().await
}
