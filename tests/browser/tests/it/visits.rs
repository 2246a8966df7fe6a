//! How long a visitor on a slow line waits; `cargo xtask bench-visits` serves slowly and runs this.

use std::time::Instant;

use anyhow::{Context as _, Result};

use crate::browser::Browser;

/// This many visits, each with an empty cache.
const VISITS: usize = 3;

#[tokio::test]
#[ignore = "run by `cargo xtask bench-visits`"]
async fn a_page_is_usable_after() -> Result<()> {
    let url = std::env::var("GRAPHGROUND_SLOW_PAGE").context("run `cargo xtask bench-visits`")?;
    for (what, hash, css) in [
        ("the first problem", "", ".home-side .node"),
        ("GraphRunner", "#/kg", "[data-testid='kg-questions'] li button"),
        ("Bench", "#/bench", "[data-testid='bench-new']"),
    ] {
        let mut seconds = Vec::new();
        for _ in 0..VISITS {
            let page = Browser::open_new("about:blank").await?;
            let began = Instant::now();
            page.client.goto(&format!("{url}{hash}")).await?;
            let script =
                format!("return (document.querySelector(\"{css}\")?.textContent ?? '') !== ''");
            page.until_within(&format!("{what} is there"), &script, 120).await?;
            seconds.push(began.elapsed().as_secs_f64());
            page.close().await?;
        }
        seconds.sort_by(f64::total_cmp);
        println!("VISIT {what}|{:.2}", seconds[VISITS / 2]);
    }
    Ok(())
}
