//! The whole of a large graph: placed in a worker, drawn on a canvas, searched, coloured, filtered, moved.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::{Browser, base, file};
use crate::quiet;

/// What lets Chromium draw by WebGL where there is no graphics processor.
const SOFTWARE: [&str; 3] =
    ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

/// Opens the page in a browser that has WebGL.
async fn open(hash: &str, width: u32, scheme: &str) -> Result<Browser> {
    Browser::open_at(&format!("{}{hash}", base()?), width, 900, scheme, &SOFTWARE).await
}

/// Counts the pixels of the drawing that are not empty, and their colours.
const LOOK: &str = "
    const from = document.querySelector('.whole-canvas');
    const c = document.createElement('canvas');
    [c.width, c.height] = [from.width, from.height];
    const plane = c.getContext('2d');
    plane.drawImage(from, 0, 0);
    const all = plane.getImageData(0, 0, c.width, c.height).data;
    let drawn = 0;
    const colours = new Set();
    for (let i = 0; i < all.length; i += 4) {
        if (all[i + 3] > 128) {
            drawn += 1;
            colours.add((all[i] >> 5) + ',' + (all[i + 1] >> 5) + ',' + (all[i + 2] >> 5));
        }
    }
    return [drawn, colours.size]";

/// Pixels that are drawn, and how many colours they have.
async fn look(page: &Browser) -> Result<(u64, u64)> {
    // The frame after the change.
    let frames =
        "await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))";
    page.promised(frames, vec![]).await?;
    let seen = page.run(LOOK, vec![]).await?;
    let number = |i: usize| seen[i].as_u64().context("no number");
    Ok((number(0)?, number(1)?))
}

/// Turns the wheel in the middle of the drawing.
async fn wheel(page: &Browser, n: usize) -> Result<()> {
    let script = "const c = document.querySelector('.whole-canvas');
        const a = c.getBoundingClientRect();
        for (let i = 0; i < arguments[0]; i++) {
            c.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, bubbles: true, cancelable: true,
                clientX: a.left + a.width / 2, clientY: a.top + a.height / 2 }));
        }";
    page.run(script, vec![json!(n)]).await?;
    Ok(())
}

/// Frames a second while a hand pans for so many frames.
async fn panned(page: &Browser, n: usize) -> Result<f64> {
    let script = "
        const n = arguments[0];
        const c = document.querySelector('.whole-canvas');
        const a = c.getBoundingClientRect();
        const at = (kind, i) => c.dispatchEvent(new PointerEvent(kind, { pointerId: 7, bubbles: true,
            pointerType: 'mouse', clientX: a.left + a.width / 2 + i, clientY: a.top + a.height / 2 }));
        c.setPointerCapture = () => {};
        at('pointerdown', 0);
        const began = performance.now();
        let i = 0;
        const step = (done) => {
            at('pointermove', 10 + 3 * ++i);
            // What is drawn is there when a pixel of it can be read.
            const gl = c.getContext('webgl2');
            gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
            if (i < n) return requestAnimationFrame(() => step(done));
            at('pointerup', 0);
            done(n / (performance.now() - began) * 1000);
        };
        return await new Promise((done) => requestAnimationFrame(() => step(done)));";
    page.promised(script, vec![json!(n)]).await?.as_f64().context("no number")
}

/// Solve with a graph of so many nodes, each joined to three of those before it, most of them near by.
async fn with_graph(n: u64) -> Result<Browser> {
    let page = open("#/solve?task=cycle&difficulty=easy&seed=1", 1280, "light").await?;
    page.until_text(".question", "Q:").await?;
    let mut edges = String::new();
    let mut state = 1u64;
    let mut chance = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for i in 1..n {
        for _ in 0..3 {
            let near = if chance(20) == 0 { chance(i) } else { i - 1 - chance(i.min(60)) };
            writeln!(edges, "{i} {near}")?;
        }
    }
    let path = file(&format!("whole-{n}.txt"), &edges)?;
    page.by_id("file").await?.send_keys(&path.to_string_lossy()).await?;
    Ok(page)
}

#[tokio::test]
async fn a_large_graph_is_placed_and_looked_at() -> Result<()> {
    let page = with_graph(2_000).await?;
    page.until_text(".part", "of 2000 nodes").await?;
    page.click("whole-graph").await?;
    page.until_text("[data-testid='whole-said']", "Placed in").await?;
    let said = page.text("[data-testid='whole-said']").await?;
    ensure!(said.contains("2,000 nodes") && said.contains("stress"), "{said}");
    let (drawn, plain) = look(&page).await?;
    ensure!(drawn > 2_000, "{drawn} pixels");
    page.shoot("whole-1280-light").await?;
    // Colours by a measure that has to be found first.
    page.choose_text("[data-testid='whole-colour']", "Betweenness").await?;
    page.until("no work", "return !document.querySelector('.whole-doing progress')").await?;
    let (_, coloured) = look(&page).await?;
    ensure!(coloured > plain, "{coloured} colours after {plain}");
    page.choose_text("[data-testid='whole-size']", "PageRank").await?;
    page.until("no work", "return !document.querySelector('.whole-doing progress')").await?;
    // A node by its name, with what it is joined to.
    page.type_into("whole-search", "199").await?;
    page.until_text(".whole-found", "1990").await?;
    page.press(".whole-found button").await?;
    page.until_text("[data-testid='whole-picked']", "neighbours").await?;
    page.until_text("[data-testid='whole-picked']", "PageRank").await?;
    page.shoot("whole-picked-1280-light").await?;
    // A neighbour leads on.
    let before = page.text("[data-testid='whole-picked'] h3").await?;
    page.press("[data-testid='whole-picked'] li button").await?;
    let script = "return document.querySelector('[data-testid=whole-picked] h3').textContent !== arguments[0]";
    let moved = page.run(script, vec![json!(before)]).await?;
    ensure!(moved == json!(true), "still at {before}");
    // The keyboard moves the drawing, and 0 shows all of it.
    let seen = look(&page).await?;
    page.run("document.querySelector('.whole-canvas').focus()", vec![]).await?;
    let key = "document.querySelector('.whole-canvas').dispatchEvent(
        new KeyboardEvent('keydown', { key: arguments[0], bubbles: true, cancelable: true }))";
    page.run(key, vec![json!("Escape")]).await?;
    page.run(key, vec![json!("0")]).await?;
    ensure!(look(&page).await? != seen, "nothing moved");
    wheel(&page, 8).await?;
    let close = look(&page).await?;
    page.run(key, vec![json!("ArrowLeft")]).await?;
    ensure!(look(&page).await? != close, "the arrow moved nothing");
    // Back to the part, and the same places again.
    page.click("whole-graph").await?;
    page.find("svg.graph").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_knowledge_graph_is_seen_whole_and_filtered_by_type() -> Result<()> {
    for (width, scheme) in
        [(1280, "light"), (1280, "dark"), (768, "light"), (360, "light"), (360, "dark")]
    {
        let page = open("#/kg", width, scheme).await?;
        page.until_text("[data-testid='kg-figures']", "nodes").await?;
        page.click("kg-whole").await?;
        page.until_text("[data-testid='whole-said']", "Placed in").await?;
        let (all, _) = look(&page).await?;
        ensure!(all > 200, "at {width}: {all} pixels");
        page.shoot(&format!("whole-kg-{width}-{scheme}")).await?;
        let wide = page.sideways().await?;
        ensure!(wide <= 0.0, "at {width} it scrolls sideways by {wide}");
        if width == 1280 {
            page.press(".whole-types label:nth-of-type(1) input").await?;
            let (fewer, _) = look(&page).await?;
            ensure!(fewer < all, "{fewer} of {all} pixels without a type");
            page.press(".whole-types label:nth-of-type(1) input").await?;
            ensure!(look(&page).await?.0 == all);
            // A click on a node picks it: the middle of a place that is asked for by name.
            page.type_into("whole-search", "Moon Library").await?;
            page.press(".whole-found button").await?;
            page.until_text("[data-testid='whole-picked'] h3", "Moon Library").await?;
            page.press("[data-testid='whole-picked'] > button").await?;
            page.press(".whole-canvas").await?;
            page.until_text("[data-testid='whole-picked'] h3", "Moon Library").await?;
        }
        page.no_complaints().await?;
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_hundred_thousand_nodes_are_placed_panned_and_can_be_stopped() -> Result<()> {
    let _alone = quiet::alone();
    let page = with_graph(100_000).await?;
    page.until_text(".part", "of 100000 nodes").await?;
    page.long_tasks().await?;
    page.click("whole-graph").await?;
    // A stop comes through, and the way back.
    page.find("[data-testid='whole-stop']").await?;
    page.click("whole-stop").await?;
    page.until_text("[data-testid='whole-said']", "Stopped").await?;
    page.click("whole-graph").await?;
    page.find("svg.graph").await?;
    page.click("whole-graph").await?;
    let said = "const s = document.querySelector('[data-testid=whole-said]');
        return s && s.textContent.includes('Placed in')";
    page.until_within("all nodes are placed", said, 120).await?;
    let said = page.text("[data-testid='whole-said']").await?;
    let (drawn, _) = look(&page).await?;
    ensure!(drawn > 20_000, "{drawn} pixels");
    let frames = panned(&page, 30).await?;
    let tasks = page.long_tasks().await?;
    let longest = tasks.first().copied().unwrap_or(0.0);
    println!("WHOLE {said} {frames:.1} frames a second, longest task {longest:.0} ms");
    page.shoot("whole-large-1280-light").await?;
    page.close().await
}
