//! Pictures of every page, wide and narrow, light and dark; and that nothing scrolls sideways.

use anyhow::{Result, ensure};

use crate::browser::Browser;

async fn look(name: &str, hash: &str, width: u32, scheme: &str) -> Result<()> {
    let page = Browser::open_sized(hash, width, 800, scheme).await?;
    if hash.starts_with("#/solve") {
        page.until_text(".question", "Q:").await?;
        page.click("grounded").await?;
        page.find(".card[data-verdict='Correct']").await?;
        page.run(
            "const t = document.querySelectorAll('.ticks button'); t[t.length - 1].click()",
            vec![],
        )
        .await?;
    }
    if hash.starts_with("#/tools") {
        page.find(".function").await?;
    }
    page.shoot(&format!("{name}-{width}-{scheme}")).await?;
    let wide = page
        .run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
            vec![],
        )
        .await?;
    ensure!(wide.as_f64().unwrap_or(99.0) <= 0.0, "{name} at {width} scrolls sideways by {wide}");
    page.close().await
}

#[tokio::test]
async fn pages_fit_wide_and_narrow_light_and_dark() -> Result<()> {
    let pages = [
        ("solve", "#/solve?task=shortest_path&difficulty=easy&seed=7"),
        ("solve-matching", "#/solve?task=matching&difficulty=hard&seed=2"),
        ("dataset", "#/dataset"),
        ("tools", "#/tools?f=max_flow"),
    ];
    for (name, hash) in pages {
        for width in [1280, 360] {
            for scheme in ["light", "dark"] {
                look(name, hash, width, scheme).await?;
            }
        }
    }
    Ok(())
}
