//! The whole dataset in the page, timed; `cargo xtask bench` runs this and prints the table.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::browser::Browser;

/// Seconds that a person takes at least to drag files over the page: its engine warms up meanwhile.
const DRAGGING: u64 = 3;

#[tokio::test]
#[ignore = "run by `cargo xtask bench`"]
async fn the_whole_dataset() -> Result<()> {
    println!("BENCH {}", dropped_after(0).await?);
    println!("BENCH {}", dropped_after(DRAGGING).await?);
    Ok(())
}

/// The files, dropped when the page has been open for `seconds`.
async fn dropped_after(seconds: u64) -> Result<Value> {
    let files = std::env::var("GRAPHGROUND_BENCH_FILES").context("run `cargo xtask bench`")?;
    let page = Browser::open("#/dataset").await?;
    tokio::time::sleep(Duration::from_secs(seconds)).await;
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
    tokio::time::sleep(Duration::from_millis(300)).await;
    let figures = page
        .run(
            "const words = document.querySelector(\"[data-testid='dataset-summary']\").textContent.match(/\\d+/g);
             return { questions: Number(words[0]), worker_ms: Number(words[1]),
                 page_ms: window.ended - window.began, long_tasks_ms: window.longTasks };",
            vec![],
        )
        .await?;
    ensure!(figures["long_tasks_ms"] == json!([]), "the page was blocked: {figures}");
    page.close().await?;
    Ok(figures)
}

/// A trace of 30,000 steps: how long it takes to open, and the longest frame while it is scrolled.
#[tokio::test]
#[ignore = "run by `cargo xtask bench`"]
async fn a_long_trace() -> Result<()> {
    let trace = crate::journeys::tracing::long_trace(30_000);
    let text = trace::formats::write_own(&[trace::Record::of(trace)]);
    let path = crate::browser::file("bench.trace.json", &text)?;
    let page = Browser::open("#/traces").await?;
    page.by_id("trace-file").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text("[data-testid='count']", "30000 of 30000").await?;
    let opened = page.text("[data-testid='opened-ms']").await?;
    page.run(
        "const list = document.querySelector('.virtual');
         window.frames = [];
         let last = performance.now(), n = 0;
         function frame(now) {
             window.frames.push(now - last);
             last = now;
             list.scrollTop = (n += 1) * 400;
             if (n < 240) requestAnimationFrame(frame); else window.scrolled = true;
         }
         requestAnimationFrame(frame);",
        vec![],
    )
    .await?;
    page.until("the list was scrolled", "return window.scrolled === true").await?;
    let frames = page
        .run(
            "const f = window.frames.slice(2).sort((a, b) => a - b);
             return { frames: f.length, median_ms: f[f.length >> 1], longest_ms: f[f.length - 1] };",
            vec![],
        )
        .await?;
    println!("TRACE {opened} {frames}");
    page.close().await
}
