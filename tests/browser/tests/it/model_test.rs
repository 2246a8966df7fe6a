//! Test my model: sixteen answers, a card, a badge.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::browser::Browser;

#[tokio::test]
async fn our_own_model_gets_a_card_and_a_badge() -> Result<()> {
    let page = Browser::open("#/test").await?;
    page.until_text("[data-testid='test-model']", "Our own small model").await?;
    page.click("run").await?;
    page.until_text("[data-testid='test-progress']", "16 of 16").await?;
    page.until_text("[data-testid='test-card']", "| **correct** |").await?;
    let line = page.text("[data-testid='test-line']").await?;
    ensure!(line.contains("without tools") && line.contains("of 8"), "{line}");
    // The badge is a picture that the browser can draw.
    let badge = "const b = document.querySelector('[data-testid=test-badge]');
        return b.complete && b.naturalWidth > 100";
    page.until("the badge is drawn", badge).await?;
    page.shoot("model-test-1280").await?;
    page.press("[data-testid='test-table'] tbody tr:first-child td:last-child a").await?;
    page.find(".step-row").await?;
    page.close().await
}

#[tokio::test]
async fn a_test_is_stopped_and_goes_on_and_a_script_is_named() -> Result<()> {
    let page = Browser::open_sized("#/test", 360, 740, "dark").await?;
    page.play_script("script").await?;
    page.until_text("[data-testid='test-model']", "cript").await?;
    page.click("run").await?;
    page.until_text("[data-testid='test-progress']", "16 of 16").await?;
    page.until_text("[data-testid='test-card']", "A script answered").await?;
    ensure!(page.sideways().await? <= 0.0, "it scrolls sideways");
    page.shoot("model-test-360-dark").await?;
    // Another model has answered nothing yet.
    page.play_script("mistaken/bad-json").await?;
    page.until_text("[data-testid='test-progress']", "0 of 16").await?;
    ensure!(
        page.run("return !document.querySelector('[data-testid=test-card]')", vec![]).await?
            == json!(true)
    );
    page.close().await
}
