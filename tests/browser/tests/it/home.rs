//! The first page: what a visitor sees in the first ten seconds, and where it leads.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use crate::browser::{Browser, base};
use crate::quiet;

/// When something was first on the screen, in seconds since the page was asked for.
async fn at(page: &Browser, what: &str) -> Result<f64> {
    let entry = format!("performance.getEntriesByName('{what}')[0]");
    page.until(what, &format!("return {entry} !== undefined")).await?;
    let ms = page.run(&format!("return {entry}.startTime"), vec![]).await?;
    Ok(ms.as_f64().context("no time")? / 1000.0)
}

/// Until both sides have a verdict.
async fn both(page: &Browser) -> Result<()> {
    for side in ["home-side-0", "home-side-1"] {
        page.find(&format!("[data-testid='{side}'] [data-verdict]")).await?;
    }
    page.until(
        "a sentence says what happened",
        "return document.querySelector('[data-testid=home-told]').textContent.length > 20",
    )
    .await
}

#[tokio::test]
async fn the_first_ten_seconds() -> Result<()> {
    let _alone = quiet::alone();
    // A new browser has an empty cache: the visit is a first one.
    let page = Browser::open_new(&base()?).await?;
    let drawn = at(&page, "home drawn").await?;
    let answered = at(&page, "home answered").await?;
    println!(
        "FIRST drawing {drawn:.2} s, both verdicts {answered:.2} s after the page was asked for"
    );
    ensure!(drawn < 10.0 && answered < 20.0, "{drawn} s, {answered} s");
    both(&page).await?;
    page.find("[data-testid='home-side-0'] [data-verdict='Wrong']").await?;
    page.find("[data-testid='home-side-1'] [data-verdict='Correct']").await?;
    // What is false is red on the drawing, and the right graph is there.
    page.find("[data-testid='home-side-0'] .canvas .edge.false").await?;
    page.find("[data-testid='home-side-1'] .canvas .node").await?;
    page.find("[data-testid='home-side-1'] .home-calls li").await?;
    page.until_text("[data-testid='home-told']", "with tools").await?;
    // The strip goes on by itself to its end.
    page.until_text("[data-testid='home-score']", "of 10").await?;
    println!("{}", page.text("[data-testid='home-score']").await?);
    // Another problem is another question with two answers.
    let before = page.text("[data-testid='home-question']").await?;
    page.click("home-another").await?;
    let is_other = format!(
        "const q = document.querySelector('[data-testid=home-question]').textContent;
         return q !== {} && !!document.querySelector('[data-testid=home-side-1] [data-verdict]')",
        serde_json::json!(before)
    );
    page.until("another problem is answered", &is_other).await?;
    both(&page).await?;
    // Whoever wants another model finds the dialog.
    page.click("door-model").await?;
    page.until("the dialog is open", "return !!document.querySelector('dialog.endpoint[open]')")
        .await?;
    page.press("dialog.endpoint footer .quiet").await?;
    page.click("door-inspect").await?;
    page.find(".step-row").await?;
    page.close().await
}

#[tokio::test]
async fn the_doors_lead_on_and_the_name_leads_back() -> Result<()> {
    let page = Browser::open_playing("#/").await?;
    both(&page).await?;
    for (door, path) in [("door-teach", "lessons"), ("door-bench", "bench")] {
        page.click(door).await?;
        page.until(path, &format!("return document.body.dataset.page === '{path}'")).await?;
        page.press(".brand").await?;
        page.until("the first page", "return document.body.dataset.page === 'home'").await?;
        // It is as it was left.
        page.find("[data-testid='home-side-1'] [data-verdict]").await?;
    }
    page.close().await
}

#[tokio::test]
async fn the_first_page_fits_every_window() -> Result<()> {
    let page = Browser::open_playing("#/").await?;
    both(&page).await?;
    page.until_text("[data-testid='home-score']", "of 10").await?;
    for (width, height) in [(1280, 800), (768, 1024), (360, 740)] {
        for scheme in ["light", "dark"] {
            page.becomes(width, height, scheme).await?;
            page.run("document.querySelector('main').scrollTo(0, 0); scrollTo(0, 0)", vec![])
                .await?;
            page.shoot(&format!("home-{width}-{scheme}")).await?;
            let wide = page.sideways().await?;
            ensure!(wide <= 0.0, "at {width} it scrolls sideways by {wide}");
            if width < 1000 {
                page.run(
                    "document.querySelector('main').scrollTo(0, 1e6); scrollTo(0, 1e6)",
                    vec![],
                )
                .await?;
                page.shoot(&format!("home-{width}-{scheme}-end")).await?;
            }
        }
    }
    page.close().await
}

#[tokio::test]
async fn a_model_that_costs_something_is_asked_only_by_a_person() -> Result<()> {
    let page = Browser::open_playing("#/tools").await?;
    page.click("endpoint").await?;
    page.click("use-endpoint").await?;
    page.type_into("base-url", "http://127.0.0.1:1/v1").await?;
    page.type_into("model", "m").await?;
    page.click("use").await?;
    page.press(".brand").await?;
    page.by_id("home-ask").await?;
    page.until_text("[data-testid='home-who']", "m at 127.0.0.1:1").await?;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let asked = "return performance.getEntriesByType('resource')
        .filter((e) => e.name.includes('127.0.0.1:1/') || e.name.includes('own.bin')).length";
    let n = page.run(asked, vec![]).await?.as_f64().context("no number")?;
    ensure!(n == 0.0, "{n} requests were made before anybody asked");
    page.click("home-ask").await?;
    page.until_text("[data-testid='home-side-1']", "server is not running").await?;
    page.close().await
}
