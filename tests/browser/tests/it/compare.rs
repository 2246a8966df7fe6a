//! Compare: both answers at once, and every claim marked in the text and on the drawing.

use anyhow::{Result, ensure};

use crate::browser::Browser;

#[tokio::test]
async fn a_false_claim_is_marked_in_the_text_and_on_the_drawing() -> Result<()> {
    let page = Browser::open("#/compare").await?;
    page.play_script("mistaken/bad-json").await?;
    ensure!(question(&page).await?.contains("Q:"));
    page.click("run-both").await?;
    page.find("[data-testid='side-0'] .card[data-verdict='Wrong']").await?;
    page.find("[data-testid='side-2'] .card[data-verdict='Correct']").await?;
    page.until_text("[data-testid='side-0'] [data-testid='n-claims']", "false").await?;
    page.find("[data-testid='side-0'] mark.claim.false").await?;
    page.until_text("[data-testid='side-0'] [data-testid='false-claims']", "there is no edge")
        .await?;
    page.until_text("[data-testid='side-2'] [data-testid='n-claims']", "all true").await?;
    page.find(".compare-stage .edge.ghost.false").await?;
    page.shoot("compare-both").await?;
    // The right answer alone has nothing false on the drawing.
    page.click("whose-2").await?;
    page.until("no false edge", "return !document.querySelector('.compare-stage .edge.ghost')")
        .await?;
    // One claim alone.
    page.press("[data-testid='side-0'] mark.claim.false").await?;
    page.find(".compare-stage .edge.ghost.false").await?;
    ensure!(page.count("mark.claim.picked").await? == 1);
    page.until_text("[data-testid='side-0']", "token count not reported").await?;
    page.close().await
}

/// The text of the question, where it was made.
async fn question(page: &Browser) -> Result<String> {
    page.until("there is a question", "return !!document.querySelector('.question')?.textContent")
        .await?;
    let text = page.run("return document.querySelector('.question').textContent", vec![]).await?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

/// Runs both sides once the problem is there: one is wrong, with what is false marked, the other right.
async fn runs_wrong_beside_correct(page: &Browser) -> Result<()> {
    ensure!(question(page).await?.contains("Q:"));
    page.click("run-both").await?;
    page.find("[data-testid='side-0'] .card[data-verdict='Wrong']").await?;
    page.find("[data-testid='side-2'] .card[data-verdict='Correct']").await?;
    page.find("[data-testid='side-0'] mark.claim.false").await?;
    page.find(".compare-stage .edge.false").await?;
    Ok(())
}

#[tokio::test]
async fn the_first_press_shows_one_model_wrong_and_right() -> Result<()> {
    let page = Browser::open("#/compare").await?;
    page.until_text(".pill", "Our own small model").await?;
    runs_wrong_beside_correct(&page).await?;
    page.shoot("compare-first-press").await?;
    // How that answer came about.
    page.click("look-inside").await?;
    page.find("[data-testid='look-likely'] li:nth-child(5)").await?;
    page.shoot("compare-look-inside").await?;
    page.close().await
}

#[tokio::test]
async fn the_demo_script_shows_wrong_beside_correct() -> Result<()> {
    let page = Browser::open("#/compare?model=demo").await?;
    page.until_text("[data-testid='demo-note']", "a script, written to show both").await?;
    runs_wrong_beside_correct(&page).await?;
    for task in tasks::TaskId::ALL.into_iter().filter(|t| *t != tasks::TaskId::ShortestPath) {
        page.choose("task", task.as_str()).await?;
        page.until_text(".compare-question summary", task.title()).await?;
        page.click("run-both").await?;
        page.find("[data-testid='side-0'] .card[data-verdict='Wrong']").await?;
        page.find("[data-testid='side-2'] .card[data-verdict='Correct']").await?;
    }
    page.close().await
}

#[tokio::test]
async fn an_address_reopens_the_whole_setup() -> Result<()> {
    for (path, setup) in [("compare", ""), ("solve", "&tools=3&attach=1&runs=2")] {
        let hash = format!(
            "#/{path}?task=flow&difficulty=hard&seed=4&wording=benchmark&style=zero_cot\
             &model=mistaken%2Fbad-json{setup}"
        );
        let page = Browser::open(&hash).await?;
        page.until_text(".pill", "sends bad JSON").await?;
        let first = question(&page).await?;
        ensure!(first.contains("step by step"), "the style is lost: {first}");
        let now = "return location.hash";
        page.until("the address holds all of it", &format!("{now} === '{hash}'")).await?;
        // What is changed on the page is in the address, and the address leads back to it.
        page.click("next-problem").await?;
        page.until("the address follows", &format!("{now}.includes('seed=5')")).await?;
        page.until(
            "there is another question",
            &format!("return document.querySelector('.question').textContent !== {first:?}"),
        )
        .await?;
        let (second, address) = (question(&page).await?, page.run(now, vec![]).await?);
        page.close().await?;
        let page = Browser::open(address.as_str().unwrap_or_default()).await?;
        ensure!(question(&page).await? == second, "{path}: {address} leads to another question");
        page.until_text(".pill", "sends bad JSON").await?;
        page.close().await?;
    }
    Ok(())
}

/// Between two answers there is less room than on any other stage.
#[tokio::test]
async fn the_player_stays_in_its_column() -> Result<()> {
    let page = Browser::open("#/compare?task=cycle&difficulty=easy&seed=3&model=script").await?;
    page.click("run-both").await?;
    page.find("[data-testid='side-2'] .card[data-verdict]").await?;
    page.find(".compare-stage .player-row").await?;
    for width in [640, 768, 900, 901, 960, 1024, 1100, 1280, 1920] {
        page.becomes(width, 800, "light").await?;
        let over = "const room = document.querySelector('.compare-stage').getBoundingClientRect();
            return [...document.querySelectorAll('.compare-stage .player-row > *')]
                .map((e) => e.getBoundingClientRect().right - room.right)
                .reduce((a, b) => Math.max(a, b))";
        let over = page.run(over, vec![]).await?.as_f64().unwrap_or(f64::MAX);
        ensure!(over <= 0.0, "at {width} the player stands out by {over}");
    }
    page.close().await
}
