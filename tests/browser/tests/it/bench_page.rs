//! The benchmark's own page; `cargo xtask bench-browser` runs this and prints the table.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::browser::Browser;

/// Slow libraries on large graphs take their time.
const PATIENCE: Duration = Duration::from_secs(3600);

#[tokio::test]
#[ignore = "run by `cargo xtask bench-browser`"]
async fn every_library_on_the_same_graphs() -> Result<()> {
    let url = std::env::var("GRAPHGROUND_BENCH_PAGE").context("run `cargo xtask bench-browser`")?;
    let page = Browser::open_at(&url, 1280, 800, "light", &[]).await?;
    for _ in 0..PATIENCE.as_secs() {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let result = page.run("return window.result ?? null", vec![]).await?;
        if result == Value::Null {
            continue;
        }
        ensure!(result["error"].is_null(), "{result}");
        page.shoot("bench-page").await?;
        println!("CELLS {result}");
        return page.close().await;
    }
    bail!("the page did not end; it says {:?}", page.text("#status").await?)
}
