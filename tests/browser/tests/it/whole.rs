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
async fn open(hash: &str, height: u32) -> Result<Browser> {
    Browser::open_at(&format!("{}{hash}", base()?), 1280, height, "light", &SOFTWARE).await
}

/// Waits until the canvas is ready to be drawn on.
async fn is_ready(page: &Browser) -> Result<()> {
    let script = "return document.querySelector('.whole-canvas')?.dataset.gpu === 'webgl2'";
    page.until("WebGL draws", script).await
}

/// Keeps from now on what the page saves.
const WATCH: &str = "
    HTMLCanvasElement.prototype.toBlob = function () { window.saved = this.toDataURL(); };
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { window.blob = blob; return make.call(URL, blob); };";

/// The saved picture as an address of data.
async fn saved_picture(page: &Browser) -> Result<serde_json::Value> {
    page.run("window.saved = null", vec![]).await?;
    page.click("whole-png").await?;
    page.until("a picture is saved", "return !!window.saved").await?;
    page.run("return window.saved", vec![]).await
}

/// Of two pictures: the share of their pixels that differ clearly, and for each the pixels that are not
/// those of its corner.
async fn differences(page: &Browser, pictures: [&serde_json::Value; 2]) -> Result<(f64, u64, u64)> {
    let script = "
        const pixels = async (url) => {
            const image = new Image();
            image.src = url;
            await image.decode();
            const c = document.createElement('canvas');
            [c.width, c.height] = [image.width, image.height];
            const plane = c.getContext('2d');
            plane.drawImage(image, 0, 0);
            return plane.getImageData(0, 0, c.width, c.height).data;
        };
        const [a, b] = await Promise.all(given.map(pixels));
        if (a.length !== b.length) throw new Error(`${a.length} and ${b.length} bytes`);
        const far = (p, i, q, j) => Math.max(...[0, 1, 2].map((k) => Math.abs(p[i + k] - q[j + k])));
        let [differ, inA, inB] = [0, 0, 0];
        for (let i = 0; i < a.length; i += 4) {
            if (far(a, i, b, i) > 48) differ += 1;
            if (far(a, i, a, 0) > 24) inA += 1;
            if (far(b, i, b, 0) > 24) inB += 1;
        }
        return [differ / (a.length / 4), inA, inB];";
    let [a, b] = pictures;
    let seen = page.promised(script, vec![a.clone(), b.clone()]).await?;
    let count = |i: usize| seen[i].as_u64().context("no number");
    Ok((seen[0].as_f64().context("no share")?, count(1)?, count(2)?))
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
    is_ready(page).await?;
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

/// Frames a second while a hand pans for so many frames, or for ten seconds where a frame takes long.
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
            const took = performance.now() - began;
            if (i < n && took < 10_000) return requestAnimationFrame(() => step(done));
            at('pointerup', 0);
            done(i / took * 1000);
        };
        return await new Promise((done) => requestAnimationFrame(() => step(done)));";
    page.promised(script, vec![json!(n)]).await?.as_f64().context("no number")
}

/// Solve with a graph of so many nodes, each joined to three of those before it, most of them near by.
async fn with_graph(n: u64) -> Result<Browser> {
    let page = open("#/solve?task=cycle&difficulty=easy&seed=1", 900).await?;
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
    let page = open("#/kg", 640).await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.click("kg-whole").await?;
    page.until_text("[data-testid='whole-said']", "Placed in").await?;
    let (all, _) = look(&page).await?;
    page.press(".whole-types label:nth-of-type(1) input").await?;
    let (fewer, _) = look(&page).await?;
    ensure!(fewer < all, "{fewer} of {all} pixels without a type");
    page.press(".whole-types label:nth-of-type(1) input").await?;
    ensure!(look(&page).await?.0 == all);
    for (width, scheme) in
        [(1280, "dark"), (768, "light"), (360, "light"), (360, "dark"), (1280, "light")]
    {
        page.becomes(width, 640, scheme).await?;
        let (all, _) = look(&page).await?;
        ensure!(all > 200, "at {width}: {all} pixels");
        page.shoot(&format!("whole-kg-{width}-{scheme}")).await?;
        let wide = page.sideways().await?;
        ensure!(wide <= 0.0, "at {width} it scrolls sideways by {wide}");
    }
    // A click on a node picks it: the middle of a place that is asked for by name.
    page.type_into("whole-search", "Moon Library").await?;
    page.press(".whole-found button").await?;
    page.until_text("[data-testid='whole-picked'] h3", "Moon Library").await?;
    page.press("[data-testid='whole-picked'] > button").await?;
    page.press(".whole-canvas").await?;
    page.until_text("[data-testid='whole-picked'] h3", "Moon Library").await?;
    page.no_complaints().await?;
    page.close().await
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

/// A browser that draws 5,000 nodes.
async fn drawn() -> Result<Browser> {
    let page = with_graph(5_000).await?;
    page.run(WATCH, vec![]).await?;
    page.until_text(".part", "of 5000 nodes").await?;
    page.click("whole-graph").await?;
    page.until_text("[data-testid='whole-said']", "Placed in").await?;
    is_ready(&page).await?;
    Ok(page)
}

/// A driver that starts again takes everything with it that was sent to the graphics processor.
#[tokio::test]
async fn a_drawing_whose_context_was_lost_is_drawn_again() -> Result<()> {
    let page = drawn().await?;
    page.choose_text("[data-testid='whole-colour']", "Degree").await?;
    let before = saved_picture(&page).await?;
    wheel(&page, 6).await?;
    let close = saved_picture(&page).await?;
    let (share, ..) = differences(&page, [&before, &close]).await?;
    ensure!(share > 0.01, "the comparison sees no difference where there is one");
    let lost = "const c = document.querySelector('.whole-canvas');
        const lose = c.getContext('webgl2').getExtension('WEBGL_lose_context');
        const gone = new Promise((go) => c.addEventListener('webglcontextlost', go));
        const back = new Promise((go) => c.addEventListener('webglcontextrestored', go));
        lose.loseContext();
        await gone;
        // A browser gives it back after the event alone.
        await new Promise((go) => setTimeout(go));
        lose.restoreContext();
        await back;";
    page.promised(lost, vec![]).await?;
    look(&page).await?;
    let after = saved_picture(&page).await?;
    let (share, _, drawn) = differences(&page, [&close, &after]).await?;
    ensure!(drawn > 1_000 && share < 0.01, "{drawn} pixels, {share} differ");
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_large_graph_is_saved_as_lines_and_circles() -> Result<()> {
    let page = drawn().await?;
    page.click("whole-svg").await?;
    page.until_text("[data-testid='whole-said']", "graph.svg: 5,000 nodes").await?;
    let script = "
        const text = await window.blob.text();
        const file = new DOMParser().parseFromString(text, 'image/svg+xml');
        const n = (which) => file.querySelectorAll(which).length;
        const image = new Image();
        image.src = URL.createObjectURL(window.blob);
        await image.decode();
        const c = document.createElement('canvas');
        [c.width, c.height] = [image.width, image.height];
        c.getContext('2d').drawImage(image, 0, 0);
        return [n('parsererror'), n('circle'), n('path'), n('text'), text.length, c.toDataURL()];";
    let seen = page.promised(script, vec![]).await?;
    ensure!(seen[0] == 0 && seen[1] == 5_000, "{} errors, {} circles", seen[0], seen[1]);
    let (paths, names) = (seen[2].as_u64().unwrap_or(0), seen[3].as_u64().unwrap_or(0));
    ensure!((1..=64).contains(&paths) && names > 3, "{paths} paths, {names} names");
    // The file looks like the picture.
    let picture = saved_picture(&page).await?;
    let (share, a, b) = differences(&page, [&picture, &seen[5]]).await?;
    println!("WHOLE svg {} bytes, {share:.5} of the pixels differ; {a} and {b}", seen[4]);
    ensure!(share < 0.1 && b > 1_000, "{share} of the pixels differ, {b} are drawn");
    // Close by it has less.
    wheel(&page, 8).await?;
    page.click("whole-svg").await?;
    let fewer = "const n = (await window.blob.text()).match(/<circle/g)?.length; return n";
    let fewer = page.promised(fewer, vec![]).await?.as_u64().context("no circles")?;
    ensure!((1..5_000).contains(&fewer), "{fewer} circles");
    page.close().await
}
