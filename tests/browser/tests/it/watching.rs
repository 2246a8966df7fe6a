//! Watching a run: what plays, its caption and its verdict, keys, large type, colours that wait; and
//! drawings of answers.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::Browser;

const COUNT: &str = "[data-testid='count']";

/// Presses a key, wherever the focus is.
async fn key(page: &Browser, key: Key) -> Result<()> {
    keys(page, &char::from(key).to_string()).await
}

async fn keys(page: &Browser, keys: &str) -> Result<()> {
    Ok(page.client.active_element().await?.send_keys(keys).await?)
}

/// Runs with tools, and skips the play.
async fn run_and_skip(page: &Browser) -> Result<()> {
    page.until_text(".question", "Q:").await?;
    page.click("grounded").await?;
    page.click("skip").await?;
    page.find(".card[data-verdict]").await?;
    Ok(())
}

#[tokio::test]
async fn the_drawing_stays_where_it_is_when_steps_come() -> Result<()> {
    for (width, height) in [(1280, 800), (1024, 768), (768, 1024), (360, 740)] {
        let hash = "#/solve?task=shortest_path&difficulty=easy&seed=7&model=script";
        let page = Browser::open_playing_sized(hash, width, height, "light").await?;
        page.until("it is drawn", "return document.querySelectorAll('.node').length === 8").await?;
        let place = "const box = s => document.querySelector(s).getBoundingClientRect();
            const down = scrollY, stage = box('.stage'), canvas = box('[data-testid=canvas]');
            const node = [...document.querySelectorAll('.node')]
                .find(n => n.textContent.trim().startsWith('0')).querySelector('.body')
                .getBoundingClientRect();
            return [stage.top + down, canvas.top + down, canvas.height, node.left, node.top + down]
                .map(Math.round)";
        let before = page.run(place, vec![]).await?;
        run_and_skip(&page).await?;
        page.until_text(COUNT, "8 of 8").await?;
        let after = page.run(place, vec![]).await?;
        ensure!(before == after, "at {width} it went from {before} to {after}");
        page.shoot(&format!("watching-solve-{width}")).await?;
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_verdict_comes_with_the_last_step() -> Result<()> {
    let hash = "#/solve?task=shortest_path&difficulty=easy&seed=7&model=script";
    let page = Browser::open_playing(hash).await?;
    page.until_text(".question", "Q:").await?;
    // Notes each moment at which a verdict stands though the play is not at its end.
    page.run(
        "window.early = [];
         const look = () => {
            const count = document.querySelector('[data-testid=count]')?.textContent;
            const [at, n] = (count ?? '').split(' of ');
            const told = document.querySelector('.card[data-verdict], .evidence');
            if (told && count && at !== n) window.early.push(count);
            if (!told) requestAnimationFrame(look);
         };
         look()",
        vec![],
    )
    .await?;
    page.click("grounded").await?;
    page.until_text(".card.playing", "Playing…").await?;
    // The caption says what happens, and later steps are not to be seen yet.
    page.until_text("[data-testid='caption']", "The model calls").await?;
    let hidden = "return getComputedStyle(document.querySelector('.steps li:last-child')).display";
    ensure!(page.run(hidden, vec![]).await? == "none", "the answer is seen before it comes");
    page.find(".card[data-verdict='Correct']").await?;
    ensure!(page.run("return window.early", vec![]).await? == json!([]));
    page.until_text("[data-testid='caption']", "The model answers").await?;
    // A screen reader is told.
    page.until_text("[data-testid='announced']", "Correct").await?;
    let polite = "return document.querySelector('[data-testid=announced]').ariaLive";
    ensure!(page.run(polite, vec![]).await? == "polite");
    // What was told is not taken back.
    key(&page, Key::Home).await?;
    page.until_text(COUNT, "0 of").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.close().await
}

#[tokio::test]
async fn a_play_is_skipped() -> Result<()> {
    let page =
        Browser::open_playing("#/solve?task=flow&difficulty=hard&seed=3&model=script").await?;
    run_and_skip(&page).await?;
    let count = page.text(COUNT).await?;
    let (at, n) = count.split_once(" of ").unwrap_or_default();
    ensure!(at == n && n != "0", "skipped to {count}");
    page.close().await
}

/// Walks over the steps that are shown by every key that does so.
async fn walk(page: &Browser) -> Result<()> {
    page.run("document.activeElement?.blur()", vec![]).await?;
    key(page, Key::End).await?;
    let n = page.text(COUNT).await?;
    let n: usize = n.rsplit(' ').next().unwrap_or_default().parse()?;
    ensure!(n >= 2, "there are {n} steps");
    let is = async |at: usize| page.until_text(COUNT, &format!("{at} of {n}")).await;
    is(n).await?;
    for back in ["\u{e012}", "k", "\u{e00e}"] {
        key(page, Key::End).await?;
        is(n).await?;
        keys(page, back).await?;
        is(n - 1).await?;
    }
    key(page, Key::Home).await?;
    is(0).await?;
    for on in ["\u{e014}", "j", "\u{e00f}"] {
        key(page, Key::Home).await?;
        is(0).await?;
        keys(page, on).await?;
        is(1).await?;
    }
    // Space plays, and pauses.
    keys(page, " ").await?;
    page.find("[data-testid='play'][aria-label='Pause']").await?;
    keys(page, " ").await?;
    page.find("[data-testid='play'][aria-label='Play']").await?;
    Ok(())
}

#[tokio::test]
async fn keys_walk_over_the_steps_of_every_page_that_plays() -> Result<()> {
    let page =
        Browser::open_playing("#/solve?task=cycle&difficulty=easy&seed=3&model=script").await?;
    run_and_skip(&page).await?;
    walk(&page).await?;
    page.close().await?;

    let page =
        Browser::open_playing("#/compare?task=cycle&difficulty=easy&seed=3&model=demo").await?;
    page.until("it can run", "return !document.querySelector('[data-testid=run-both]').disabled")
        .await?;
    page.click("run-both").await?;
    page.find("[data-testid='side-2'] .card[data-verdict]").await?;
    walk(&page).await?;
    page.close().await?;

    let page = Browser::open_playing("#/kg").await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.find("[data-testid='kg-questions']").await?;
    page.click("run-graphrunner").await?;
    page.find("[data-testid='row-graphrunner']").await?;
    walk(&page).await?;
    page.close().await?;

    let page = Browser::open_playing("#/family?seed=4&people=9").await?;
    page.until_text("[data-testid='about']", "tools to choose from").await?;
    page.click("run").await?;
    page.until_text("[data-testid='outcome']", "Right is").await?;
    walk(&page).await?;
    page.close().await?;

    let page = Browser::open_playing("#/rescue").await?;
    page.until_text("[data-testid='scenario-facts']", "9 locations").await?;
    page.click("plan-exact").await?;
    page.find("[data-testid='plan-verdict']").await?;
    page.until_text("[data-testid='caption']", "goes from").await?;
    walk(&page).await?;
    page.close().await?;

    let page = Browser::open_playing("#/lessons?l=friends").await?;
    page.until(
        "it can run",
        "return document.querySelector('[data-testid=lesson-run]')?.disabled === false",
    )
    .await?;
    page.click("lesson-run").await?;
    page.find("[data-testid='side-grounded'] .card[data-verdict]").await?;
    walk(&page).await?;
    page.close().await
}

#[tokio::test]
async fn both_answers_of_compare_come_with_their_last_steps() -> Result<()> {
    let page =
        Browser::open_playing("#/compare?task=cycle&difficulty=easy&seed=3&model=demo").await?;
    page.until("it can run", "return !document.querySelector('[data-testid=run-both]').disabled")
        .await?;
    page.click("run-both").await?;
    page.until_text("[data-testid='side-2'] .card.playing", "Playing…").await?;
    // The answer without tools has one step, and does not wait for the other.
    page.find("[data-testid='side-0'] .card[data-verdict='Wrong']").await?;
    ensure!(page.count("[data-testid='side-2'] .card[data-verdict]").await? == 0);
    page.press("[data-testid='side-2'] [data-testid='skip']").await?;
    page.find("[data-testid='side-2'] .card[data-verdict='Correct']").await?;
    page.close().await
}

#[tokio::test]
async fn the_list_of_keys_opens_on_every_page_and_esc_closes() -> Result<()> {
    let page = Browser::open_playing("#/solve?task=cycle&difficulty=easy&seed=3").await?;
    page.until_text(".question", "Q:").await?;
    let paths: Vec<String> = page.pages().await?;
    for path in paths {
        page.run("location.hash = '#/' + arguments[0]", vec![path.clone().into()]).await?;
        page.find(&format!("body[data-page='{path}'] main")).await?;
        page.run("document.activeElement?.blur()", vec![]).await?;
        keys(&page, "?").await?;
        page.find("[data-testid='keys'][open]").await?;
        key(&page, Key::Escape).await?;
        page.until("it is closed", "return !document.querySelector('dialog[open]')").await?;
    }
    // The palette closes at once, even where something is typed.
    let open = "dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))";
    page.run(open, vec![]).await?;
    page.type_into("palette", "flow").await?;
    key(&page, Key::Escape).await?;
    page.until("it is closed", "return !document.querySelector('dialog[open]')").await?;
    page.close().await
}

/// The size of the words of an element.
async fn size(page: &Browser, css: &str) -> Result<f64> {
    let size = "return parseFloat(getComputedStyle(document.querySelector(arguments[0])).fontSize)";
    Ok(page.run(size, vec![css.into()]).await?.as_f64().unwrap_or_default())
}

#[tokio::test]
async fn large_type_and_full_screen_are_on_every_page_with_a_stage() -> Result<()> {
    let page = Browser::open_playing("#/tools").await?;
    for path in ["solve", "compare", "rescue", "kg", "kgot", "family", "toolformer", "ask"] {
        page.run("location.hash = '#/' + arguments[0]", vec![path.into()]).await?;
        page.find(&format!("body[data-page='{path}'] main")).await?;
        if page.count("details.present[open]").await? == 0 {
            page.click("present").await?;
        }
        let before = size(&page, "main").await?;
        page.click("large").await?;
        page.find("body[data-large]").await?;
        ensure!(size(&page, "main").await? > before * 1.3, "{path} is no larger");
        let wide = page.sideways().await?;
        ensure!(wide <= 0.0, "{path} scrolls sideways by {wide} where it is large");
        page.click("full-screen").await?;
        page.until("it fills the screen", "return document.fullscreenElement !== null").await?;
        page.shoot(&format!("large-{path}")).await?;
        page.click("full-screen").await?;
        page.until("it does no longer", "return document.fullscreenElement === null").await?;
        // The next visit is large too.
        if path == "ask" {
            page.client.refresh().await?;
            page.find("body[data-large] main").await?;
        } else {
            page.click("large").await?;
            page.until("it is small again", "return !document.body.dataset.large").await?;
        }
    }
    page.close().await
}

#[tokio::test]
async fn colours_wait_until_they_are_revealed() -> Result<()> {
    let page = Browser::open_playing("#/lessons?l=friends").await?;
    page.find("[data-testid='lesson-claims'] mark.claim.false").await?;
    page.find("[data-testid='lesson-claims'] .edge.ghost.false").await?;
    let seen = "const mark = getComputedStyle(document.querySelector('mark.claim.false'));
        const ghost = document.querySelector('.edge.ghost.false');
        const line = getComputedStyle(document.querySelector('.edge.true .line'));
        const plain = getComputedStyle(document.querySelector('.edge:not(.true, .false) .line'));
        return [mark.textDecorationLine !== 'none' || mark.backgroundColor !== 'rgba(0, 0, 0, 0)',
            getComputedStyle(ghost).visibility === 'visible', line.stroke !== plain.stroke]";
    ensure!(page.run(seen, vec![]).await? == json!([true, true, true]));
    page.click("reveal").await?;
    page.until_text("[data-testid='reveal']", "Reveal").await?;
    ensure!(page.run(seen, vec![]).await? == json!([false, false, false]), "something shows");
    page.shoot("colours-hidden").await?;
    page.click("reveal").await?;
    ensure!(page.run(seen, vec![]).await? == json!([true, true, true]));
    // By its key, too, and where the buttons are folded away.
    page.run("location.hash = '#/solve?task=flow&difficulty=easy&seed=2'", vec![]).await?;
    page.until_text(".question", "flow").await?;
    keys(&page, "r").await?;
    page.click("reveal-now").await?;
    page.until("all is shown", "return !document.body.hasAttribute('data-hides-colours')").await?;
    page.close().await
}

#[tokio::test]
async fn a_graph_convolution_shows_its_rows_at_the_nodes() -> Result<()> {
    let page =
        Browser::open_playing("#/solve?task=GNN&difficulty=easy&seed=4&model=script").await?;
    page.until("it is drawn", "return document.querySelectorAll('.node').length > 3").await?;
    ensure!(page.count(".node .result").await? == 0);
    page.click("solve").await?;
    page.until_text(".card b", "Solver").await?;
    let rows = "return [...document.querySelectorAll('.node .beside')].map(t => t.textContent)";
    let shown: Value = page.run(rows, vec![]).await?;
    let list: Vec<&str> =
        shown.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    ensure!(list.len() > 3 && list.iter().all(|row| row.contains("] → [")), "{list:?}");
    ensure!(page.count(".node.true .result").await? == list.len());
    page.shoot("rows-right").await?;
    // One row of an answer is wrong.
    page.click("judge-open").await?;
    page.type_into("judge-text", "node 0: [99, 99]").await?;
    page.click("judge").await?;
    page.find(".card[data-verdict='Wrong']").await?;
    page.until_text(".node.false .result", "[99, 99]").await?;
    page.shoot("rows-wrong").await?;
    page.close().await
}

#[tokio::test]
async fn the_minimum_cut_is_a_line_across() -> Result<()> {
    for seed in [2, 3, 5] {
        let hash = format!("#/solve?task=flow&difficulty=easy&seed={seed}");
        let page = Browser::open_playing(&hash).await?;
        page.until("it is drawn", "return document.querySelectorAll('.node').length > 3").await?;
        ensure!(page.count(".cut-line").await? == 0);
        page.click("solve").await?;
        page.find(".cut-line").await?;
        // Every edge of the cut meets the line, and no node does.
        let met = "const line = document.querySelector('.cut-line');
            const along = p => Array.from({ length: 601 }, (_, i) =>
                p.getPointAtLength(p.getTotalLength() * i / 600));
            const least = (a, b) => Math.min(...a.map(p =>
                Math.min(...b.map(q => Math.hypot(p.x - q.x, p.y - q.y)))));
            const points = along(line);
            const cut = [...document.querySelectorAll('.edge.cut .line')];
            const nodes = [...document.querySelectorAll('.node')].map(n =>
                n.transform.baseVal.getItem(0).matrix).map(m => ({ x: m.e, y: m.f }));
            return cut.length > 0 && cut.every(e => least(along(e), points) < 4)
                && least(nodes, points) > 18";
        ensure!(page.run(met, vec![]).await? == true, "seed {seed}: the line parts nothing");
        page.shoot(&format!("cut-{seed}")).await?;
        page.close().await?;
    }
    Ok(())
}
