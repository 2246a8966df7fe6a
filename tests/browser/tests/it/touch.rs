//! By touch, and on a phone: what fingers do on the drawing, how large targets are, the head, the bar.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::browser::Browser;

/// A phone of some width with fingers.
async fn phone(hash: &str, width: u32) -> Result<Browser> {
    let page = Browser::open_playing_sized(hash, width, 740, "light").await?;
    page.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await?;
    let size = json!({ "width": width, "height": 740, "deviceScaleFactor": 2, "mobile": true });
    page.devtools("Emulation.setDeviceMetricsOverride", size).await?;
    page.until("it has fingers", "return matchMedia('(pointer: coarse)').matches").await?;
    Ok(page)
}

/// Puts fingers at places of the window, or lets all go.
async fn touch(page: &Browser, kind: &str, at: &[(f64, f64)]) -> Result<()> {
    let points: Vec<Value> =
        at.iter().enumerate().map(|(id, (x, y))| json!({ "x": x, "y": y, "id": id })).collect();
    let event = json!({ "type": kind, "touchPoints": points });
    page.devtools("Input.dispatchTouchEvent", event).await
}

/// The part of the drawing that is shown: corner and size.
async fn view(page: &Browser) -> Result<Vec<f64>> {
    let view = "const v = document.querySelector('svg.graph').viewBox.baseVal;
        return [v.x, v.y, v.width, v.height]";
    Ok(serde_json::from_value(page.run(view, vec![]).await?)?)
}

#[tokio::test]
async fn two_fingers_zoom_the_drawing_and_one_moves_it() -> Result<()> {
    let page = phone("#/solve?task=cycle&difficulty=easy&seed=3", 360).await?;
    page.until("it is drawn", "return document.querySelectorAll('.node').length > 3").await?;
    page.run("document.querySelector('.stage').scrollIntoView()", vec![]).await?;
    let corner = "const b = document.querySelector('svg.graph').getBoundingClientRect();
        return [b.left, b.top, b.height]";
    let corner: Vec<f64> = serde_json::from_value(page.run(corner, vec![]).await?)?;
    let at = |x: f64, y: f64| (corner[0] + x, corner[1] + y);
    let before = view(&page).await?;
    // Two fingers go apart.
    touch(&page, "touchStart", &[at(150.0, 190.0)]).await?;
    touch(&page, "touchStart", &[at(150.0, 190.0), at(210.0, 190.0)]).await?;
    for by in [10.0, 20.0, 40.0, 60.0] {
        touch(&page, "touchMove", &[at(150.0 - by, 190.0), at(210.0 + by, 190.0)]).await?;
    }
    touch(&page, "touchEnd", &[]).await?;
    let near = view(&page).await?;
    ensure!(near[2] < before[2] * 0.5, "two fingers did not zoom: {before:?} {near:?}");
    // The page itself is not zoomed.
    ensure!(page.run("return visualViewport.scale", vec![]).await? == json!(1));
    // The browser reads anew what fingers may do there when it has drawn it.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    // One finger moves what is zoomed in, up and down too, and does not scroll the page.
    let down = page.run("return scrollY", vec![]).await?;
    // Where no node is, and none is near: a browser moves a finger to what it may have meant.
    let free = "const b = document.querySelector('svg.graph').getBoundingClientRect();
        const isFree = (x, y) =>
            document.elementFromPoint(b.left + x, b.top + y)?.matches('svg.graph');
        const around = [-20, 0, 20];
        for (let y = 30; y < 250; y += 10) for (let x = 30; x < 250; x += 10)
            if (around.every(dx => around.every(dy => isFree(x + dx, y + dy)))) return [x, y];";
    let free: Vec<f64> = serde_json::from_value(page.run(free, vec![]).await?)?;
    touch(&page, "touchStart", &[at(free[0], free[1])]).await?;
    for by in [20.0, 50.0, 90.0] {
        touch(&page, "touchMove", &[at(free[0] + by * 0.5, free[1] + by)]).await?;
    }
    touch(&page, "touchEnd", &[]).await?;
    let moved = view(&page).await?;
    ensure!((moved[2] - near[2]).abs() < 0.1, "one finger zoomed");
    ensure!(moved[0] < near[0] - 5.0 && moved[1] < near[1] - 10.0, "{near:?} {moved:?}");
    ensure!(page.run("return scrollY", vec![]).await? == down, "the page was scrolled");
    page.close().await
}

#[tokio::test]
async fn what_a_finger_presses_is_large_enough() -> Result<()> {
    for hash in [
        "#/solve?task=cycle&difficulty=easy&seed=3",
        "#/compare",
        "#/rescue",
        "#/lessons?l=friends",
    ] {
        let page = phone(hash, 360).await?;
        page.find("svg").await?;
        let small = "return [...document.querySelectorAll('button, select, summary, .top a')]
            .filter(e => e.checkVisibility() && !e.closest('svg, dialog'))
            .filter(e => e.getBoundingClientRect().height < 43.5)
            .map(e => `${e.tagName} ${e.className} ${e.textContent.slice(0, 30)}`)";
        let small = page.run(small, vec![]).await?;
        ensure!(small == json!([]), "{hash}: too small for a finger: {small}");
        let wide = page.sideways().await?;
        ensure!(wide <= 0.0, "{hash} scrolls sideways by {wide}");
        page.shoot(&format!("touch-{}", hash[2..].split('?').next().unwrap_or_default())).await?;
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_head_of_a_phone_is_low() -> Result<()> {
    for touch in [false, true] {
        let page = match touch {
            true => phone("#/solve", 360).await?,
            false => Browser::open_playing_sized("#/solve", 360, 740, "light").await?,
        };
        for path in ["solve", "kg", "lessons", "traces"] {
            page.run("location.hash = arguments[0]", vec![format!("#/{path}").into()]).await?;
            page.find(&format!("body[data-page='{path}'] main")).await?;
            let head = "const box = s => document.querySelector(s).getBoundingClientRect();
                const top = box('.top'), brand = box('.brand'), pill = box('.pill');
                const ways = box('.top .ways');
                return [top.height, Math.abs(brand.top + brand.height / 2 - pill.top - pill.height / 2),
                    ways.height, pill.right]";
            let head: Vec<f64> = serde_json::from_value(page.run(head, vec![]).await?)?;
            ensure!(head[0] <= 110.0, "{path}: the head is {} high", head[0]);
            ensure!(head[1] < 4.0, "{path}: brand and model are in two rows");
            ensure!(head[2] < 50.0, "{path}: the pages are in two rows");
            ensure!(head[3] <= 360.0, "{path}: the model is cut off");
        }
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_model_in_use_is_read_in_the_head() -> Result<()> {
    for path in ["solve", "kg", "traces", "lessons"] {
        let page = Browser::open_playing(&format!("#/{path}")).await?;
        page.play_script("mistaken/bad-json").await?;
        page.until_text(".pill", "sends bad JSON").await?;
        let pill = "const pill = document.querySelector('.pill').getBoundingClientRect();
            const words = document.querySelector('.pill .words');
            return [pill.width, pill.right, words.scrollWidth - words.clientWidth,
                document.querySelector('.pill').title === words.textContent,
                getComputedStyle(words).textOverflow]";
        let pill = page.run(pill, vec![]).await?;
        let number = |i: usize| pill[i].as_f64().unwrap_or_default();
        ensure!(number(0) > 180.0 && number(1) <= 1280.0 && number(2) <= 0.0, "{path}: {pill}");
        ensure!(pill[3] == true && pill[4] == "ellipsis", "{path}: {pill}");
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_bar_at_the_bottom_runs_and_steps() -> Result<()> {
    for (hash, n) in [
        ("#/solve?task=cycle&difficulty=easy&seed=3&model=script", ".card[data-verdict='Correct']"),
        (
            "#/compare?task=cycle&difficulty=easy&seed=3&model=demo",
            "[data-testid='side-2'] .card[data-verdict]",
        ),
    ] {
        let page = phone(hash, 360).await?;
        page.until(
            "it can run",
            "return document.querySelector('[data-testid=bar-run]')?.disabled === false",
        )
        .await?;
        // Where the page's own button is out of sight.
        page.run("scrollTo(0, document.body.scrollHeight)", vec![]).await?;
        page.until(
            "the bar is there",
            "return document.querySelector('[data-testid=run-bar]').checkVisibility()",
        )
        .await?;
        let seen =
            "const b = document.querySelector('[data-testid=run-bar]').getBoundingClientRect();
            return b.bottom <= innerHeight + 1 && b.top > innerHeight - 90";
        ensure!(page.run(seen, vec![]).await? == true, "{hash}: the bar is not at the bottom");
        page.click("bar-run").await?;
        page.find(n).await?;
        page.shoot(&format!("bar-{}", &hash[2..6])).await?;
        page.click("bar-back").await?;
        let at = "const [at, n] = document.querySelector('[data-testid=count]').textContent.split(' of ');
            return n - at";
        ensure!(page.run(at, vec![]).await? == json!(1), "{hash}: it did not step back");
        page.click("bar-next").await?;
        ensure!(page.run(at, vec![]).await? == json!(0), "{hash}: it did not step on");
        page.close().await?;
    }
    // Where there is room, there is none.
    let page = Browser::open_playing("#/solve").await?;
    page.find(".stage").await?;
    ensure!(!page.by_id("run-bar").await?.is_displayed().await?);
    page.close().await
}
