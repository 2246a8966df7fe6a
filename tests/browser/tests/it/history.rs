//! The browser's history: "Back" shows what was there before, and a link asked for twice works twice.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::browser::Browser;

async fn back(page: &Browser) -> Result<()> {
    page.run("history.back()", vec![]).await?;
    Ok(())
}

/// Waits until the address has a piece.
async fn address_has(page: &Browser, piece: &str) -> Result<()> {
    let script = format!("return location.hash.includes({})", json!(piece));
    page.until(&format!("the address has {piece}"), &script).await
}

#[tokio::test]
async fn back_returns_to_the_problem_before() -> Result<()> {
    for path in ["solve", "compare"] {
        let page =
            Browser::open(&format!("#/{path}?task=cycle&difficulty=easy&seed=3&model=script"))
                .await?;
        let question = ".question";
        page.until_text(question, "Q:").await?;
        let first = page.text(question).await?;
        page.click("next-problem").await?;
        address_has(&page, "seed=4").await?;
        page.click("next-problem").await?;
        address_has(&page, "seed=5").await?;
        back(&page).await?;
        address_has(&page, "seed=4").await?;
        back(&page).await?;
        address_has(&page, "seed=3").await?;
        let script = format!(
            "return document.querySelector({}).innerText.trim() === {}",
            json!(question),
            json!(first.trim())
        );
        page.until("the first question again", &script).await?;
        page.run("history.forward()", vec![]).await?;
        address_has(&page, "seed=4").await?;
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn back_leaves_a_benchmark_for_the_list_and_forward_opens_it_again() -> Result<()> {
    let page = Browser::open("#/bench").await?;
    page.click("bench-new").await?;
    page.type_into("bench-title", "Scripts").await?;
    page.choose("bench-script", "script").await?;
    page.click("bench-start").await?;
    page.until_text("[data-testid='bench-progress']", "160 of 160 runs").await?;
    page.find("[data-testid='bench-report'] table").await?;
    address_has(&page, "b=").await?;
    back(&page).await?;
    page.find("[data-testid='bench-file']").await?;
    page.until_text("main h1", "Bench").await?;
    ensure!(page.run("return location.hash", vec![]).await? == "#/bench");
    page.run("history.forward()", vec![]).await?;
    page.until_text("main h1", "Scripts").await?;
    page.find("[data-testid='bench-report'] table").await?;
    // The palette has it too, from anywhere.
    page.run("location.hash = '#/tools'", vec![]).await?;
    page.find("[data-testid='find-function']").await?;
    page.run(
        "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))",
        vec![],
    )
    .await?;
    page.type_into("palette", "scripts benchmark").await?;
    page.until_text("dialog.palette li", "Scripts · 160 runs").await?;
    page.press("dialog.palette li").await?;
    page.until_text("main h1", "Scripts").await?;
    // One that this browser does not keep is told.
    page.run("location.hash = '#/bench?b=12345'", vec![]).await?;
    page.until_text(".notice", "keeps no benchmark").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_trace_by_its_address_moves_to_another_step_and_is_found_where_it_was_left() -> Result<()>
{
    let page = Browser::open(
        "#/solve?task=cycle&difficulty=easy&seed=3&model=script&system=grounded&play=1",
    )
    .await?;
    page.until_text("[data-testid='kept']", "1 run kept").await?;
    let id = page.kept_runs().await?.remove(0);
    let go = "location.hash = `#/traces?run=${arguments[0]}&step=${arguments[1]}`";
    page.run(go, vec![id.clone(), json!(2)]).await?;
    page.until_text("[data-testid='count']", "2 of").await?;
    page.run(go, vec![id, json!(1)]).await?;
    page.until_text("[data-testid='count']", "1 of").await?;
    page.seek(3).await?;
    page.until_text("[data-testid='count']", "3 of").await?;
    page.run("location.hash = '#/tools'", vec![]).await?;
    page.find("[data-testid='find-function']").await?;
    back(&page).await?;
    page.until_text("[data-testid='count']", "3 of").await?;
    page.close().await
}
