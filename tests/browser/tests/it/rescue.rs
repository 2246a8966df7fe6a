//! Rescue: the map, events by click and by sentence, plans, the conversation.

use anyhow::{Result, ensure};
use fantoccini::key::Key;

use crate::browser::{Browser, file};

/// Opens what is folded in the left room.
async fn unfold(page: &Browser) -> Result<()> {
    page.find(".left details").await?;
    page.run("document.querySelectorAll('.left details').forEach(d => d.open = true)", vec![])
        .await?;
    Ok(())
}

/// Clicks a location on the map, as a person does.
async fn pick(page: &Browser, id: &str) -> Result<()> {
    page.find(&format!("[data-location='{id}']")).await?;
    let click = "document.querySelector(`[data-location='${arguments[0]}']`)
        .dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    page.run(click, vec![id.into()]).await?;
    page.until_text(".menu h2", id).await
}

/// Presses a button of the menu by its words.
async fn press(page: &Browser, words: &str) -> Result<()> {
    let press = "const b = [...document.querySelectorAll('.menu button')]
            .find(b => b.textContent === arguments[0]);
        b.click(); return true;";
    page.run(press, vec![words.into()]).await?;
    Ok(())
}

/// Says something and waits for the answer.
async fn say(page: &Browser, words: &str) -> Result<()> {
    let before = page.count(".turn .answer").await?;
    page.type_into("say", words).await?;
    page.click("send").await?;
    page.until(
        &format!("an answer to {words:?}"),
        &format!("return document.querySelectorAll('.turn .answer').length > {before}"),
    )
    .await
}

async fn last(page: &Browser, css: &str) -> Result<String> {
    page.text(&format!(".turn.last {css}")).await
}

#[tokio::test]
async fn the_papers_conversation_without_a_key() -> Result<()> {
    let page = Browser::open("#/rescue").await?;
    page.until_text("[data-testid='scenario-facts']", "9 locations").await?;
    say(&page, "Deploy rescue robots. There are survivors and fire hazards.").await?;
    let answer = last(&page, ".answer").await?;
    ensure!(
        answer.contains("R1: L5 -> L3 -> L5 -> L7; serves S1 at 3, S2 at 9; length 9"),
        "{answer}"
    );
    ensure!(last(&page, "[data-testid='turn-verdict']").await?.contains("every rule is kept"));
    page.find("[data-testid='plan-verdict'][data-verdict='No fault']").await?;
    ensure!(page.count(".map .route .step").await? == 4, "both routes are drawn, step by step");
    say(&page, "What are the locations of victims with critical health condition?").await?;
    let answer = last(&page, ".answer").await?;
    ensure!(answer == "S1 at L3, critical; S3 at L1, critical.", "{answer}");
    say(&page, "Fire expanded to L2. Update the environment.").await?;
    page.find("[data-location='L2'][aria-label*='fire']").await?;
    say(&page, "Robot 1 is lost.").await?;
    let answer = last(&page, ".answer").await?;
    ensure!(answer.contains("R2: L6 -> L1 -> L6 -> L4 -> L7 -> L5 -> L3"), "{answer}");
    say(&page, "How far is it from L6 to L3?").await?;
    let answer = last(&page, ".answer").await?;
    ensure!(answer.starts_with("27 units"), "{answer}");
    // The calls are there for who wants them.
    page.press(".turn.last .calls summary").await?;
    page.until_text(".turn.last .calls", "find_shortest_path").await?;
    // A reload loses nothing.
    page.client.refresh().await?;
    page.until(
        "the conversation is back",
        "return document.querySelectorAll('.turn').length === 5",
    )
    .await?;
    page.find("[data-location='L2'][aria-label*='fire']").await?;
    page.close().await
}

#[tokio::test]
async fn an_event_by_click_breaks_the_plan_and_the_model_plans_again() -> Result<()> {
    let page = Browser::open("#/rescue").await?;
    page.click("plan-exact").await?;
    page.until_text("[data-testid='routes']", "S1 at 3").await?;
    page.until_text("[data-testid='best']", "Proven best").await?;
    pick(&page, "L7").await?;
    press(&page, "Fire here").await?;
    page.find("[data-testid='plan-verdict'][data-verdict='Faults']").await?;
    page.until_text("[data-testid='plan-verdict']", "L7, which burns").await?;
    page.find("[data-location='L7'] .changed").await?;
    page.click("replan").await?;
    page.until_text(".turn.last .answer", "Unreachable: S2 (L7 burns)").await?;
    page.find("[data-testid='plan-verdict'][data-verdict='No fault']").await?;
    page.until_text("[data-testid='routes']", "cannot be reached").await?;
    // Back to before the fire: the plan is older than the map again.
    page.click("undo-event").await?;
    page.until(
        "the fire is gone",
        "return !document.querySelector(`[data-location='L7']`).getAttribute('aria-label').includes('fire')",
    )
    .await?;
    page.until_text("[data-testid='plan-verdict']", "S2 at L7").await?;
    page.close().await
}

#[tokio::test]
async fn few_functions_are_enough_for_a_plan() -> Result<()> {
    let page = Browser::open("#/rescue").await?;
    page.click("rescue-few-tools").await?;
    say(&page, "Deploy the rescue robots.").await?;
    page.until_text("[data-testid='plan-verdict']", "Every rule is kept").await?;
    page.press(".turn.last details summary").await?;
    page.until_text(".turn.last", "10 of ").await?;
    page.close().await
}

#[tokio::test]
async fn the_mistaken_script_is_caught_on_the_page() -> Result<()> {
    let page = Browser::open("#/rescue").await?;
    page.click("errs").await?;
    say(&page, "Deploy the rescue robots.").await?;
    page.until_text(".turn.last", "node L0 of the graph is no location").await?;
    page.until_text(".turn.last", "edge L5 - L9 of the graph is no road").await?;
    page.until_text(".turn.last", "3 times 4 for the debris").await?;
    page.until_text(".turn.last", "R1 goes L5 -> L1, and there is no such road").await?;
    ensure!(page.count(".map .step.bad").await? == 2, "the steps without a road are marked");
    page.shoot("rescue-mistaken-1280-light").await?;
    page.close().await
}

#[tokio::test]
async fn a_map_is_made_edited_saved_and_opened() -> Result<()> {
    let page = Browser::open("#/rescue").await?;
    unfold(&page).await?;
    page.run(
        "const i = document.querySelector(`[data-testid='size']`); i.value = '200';
         i.dispatchEvent(new Event('change', { bubbles: true }))",
        vec![],
    )
    .await?;
    page.click("generate").await?;
    page.until_text("[data-testid='scenario-facts']", "200 locations").await?;
    page.click("plan-exact").await?;
    page.find("[data-testid='plan-verdict'][data-verdict='No fault']").await?;
    page.shoot("rescue-200-1280-light").await?;
    for _ in 0..3 {
        page.click("zoom-in").await?;
    }
    page.until(
        "a location is large enough to hit",
        "return document.querySelector('.location .hit').getBoundingClientRect().width >= 24",
    )
    .await?;
    page.shoot("rescue-200-zoomed-1280-light").await?;
    let best = page.text("[data-testid='best']").await?;
    let ms: f64 = best
        .split_whitespace()
        .rev()
        .zip(best.split_whitespace().rev().skip(1))
        .find_map(|(unit, n)| unit.starts_with("ms").then(|| n.parse().ok())?)
        .unwrap_or(f64::INFINITY);
    // How long is a measurement, not a test: it depends on the machine.
    ensure!(ms.is_finite(), "the plan does not say how long it took: {best}");
    println!("200 locations were planned in {ms} ms");
    page.click("undo-event").await?;
    page.until_text("[data-testid='scenario-facts']", "9 locations").await?;
    // The editor: a road that is not there, a location that goes.
    pick(&page, "L8").await?;
    press(&page, "New road from here").await?;
    page.until_text(".hint", "other end").await?;
    page.run(
        "document.querySelector(`[data-location='L9']`)
            .dispatchEvent(new MouseEvent('click', { bubbles: true }))",
        vec![],
    )
    .await?;
    page.until_text("[data-testid='scenario-facts']", "10 roads").await?;
    page.until_text(".menu h2", "Road L8 - L9").await?;
    pick(&page, "L9").await?;
    press(&page, "Take it off the map").await?;
    page.until_text("[data-testid='scenario-facts']", "8 locations, 8 roads").await?;
    // A file that is no scenario says so; one that is opens.
    let bad = file("bad-scenario.json", "{\"version\": 1}")?;
    let input = page.by_id("open-scenario").await?;
    input.send_keys(&bad.display().to_string()).await?;
    page.until_text(".notice", "this is no scenario").await?;
    let good = tasks::rescue::generate(12, 5)?;
    let good = file("good-scenario.json", &good.to_json())?;
    page.by_id("open-scenario").await?.send_keys(&good.display().to_string()).await?;
    page.until_text("[data-testid='scenario-facts']", "12 locations").await?;
    page.close().await
}

#[tokio::test]
async fn the_keyboard_walks_the_map_and_the_table_tells_the_same() -> Result<()> {
    let page = Browser::open("#/rescue").await?;
    page.find("[data-location='L5']").await?;
    page.run("document.getElementById('at-L5').focus()", vec![]).await?;
    let arrow = |key: Key| {
        let page = &page;
        async move {
            let here = page.client.active_element().await?;
            here.send_keys(&char::from(key).to_string()).await?;
            anyhow::Ok(())
        }
    };
    arrow(Key::Right).await?;
    page.until("L2 has the focus", "return document.activeElement.id === 'at-L2'").await?;
    page.until_text(".menu h2", "L2").await?;
    arrow(Key::Enter).await?;
    press(&page, "Fire here").await?;
    page.click("map-table").await?;
    page.until_text(".map-tables", "fire, debris").await?;
    let rows = page.count(".map-tables tbody tr").await?;
    ensure!(rows == 18, "nine locations and nine roads, not {rows}");
    page.close().await
}

/// Pictures of the page as it is, on a phone those of its parts too.
async fn looks_well(page: &Browser, name: &str) -> Result<()> {
    for (width, scheme) in [(360, "light"), (360, "dark"), (1280, "dark"), (1280, "light")] {
        page.becomes(width, 800, scheme).await?;
        page.shoot(&format!("{name}-{width}-{scheme}")).await?;
        let parts = [("map", ".map"), ("talk", ".talk"), ("plan", ".plan-bar")];
        for (part, css) in parts.into_iter().filter(|_| width == 360 && name == "rescue") {
            let to = format!("document.querySelector('{css}').scrollIntoView()");
            page.run(&to, vec![]).await?;
            page.shoot(&format!("{name}-{part}-{width}-{scheme}")).await?;
        }
        let wide = page.sideways().await?;
        ensure!(wide <= 0.0, "{name} at {width} scrolls sideways by {wide}");
    }
    Ok(())
}

#[tokio::test]
async fn it_looks_right_with_a_plan_wide_and_narrow_light_and_dark() -> Result<()> {
    let page = Browser::open("#/rescue").await?;
    page.find("[data-location='L5']").await?;
    looks_well(&page, "rescue-fresh").await?;
    say(&page, "Deploy the rescue robots.").await?;
    pick(&page, "L7").await?;
    press(&page, "Fire here").await?;
    page.find("[data-testid='plan-verdict'][data-verdict='Faults']").await?;
    looks_well(&page, "rescue").await?;
    page.close().await?;
    let page = Browser::open("#/rescue").await?;
    unfold(&page).await?;
    page.run(
        "const i = document.querySelector(`[data-testid='size']`); i.value = '60';
         i.dispatchEvent(new Event('change', { bubbles: true }))",
        vec![],
    )
    .await?;
    page.click("generate").await?;
    page.until_text("[data-testid='scenario-facts']", "60 locations").await?;
    page.click("plan-exact").await?;
    page.find("[data-testid='plan-verdict']").await?;
    page.shoot("rescue-60-1280-light").await?;
    page.close().await
}
