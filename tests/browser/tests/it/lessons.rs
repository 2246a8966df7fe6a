//! Lessons: the list, a lesson with its blocks, the disaster, and how they look.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::Browser;

/// Presses every button that runs something, one after the other.
async fn run_all(page: &Browser) -> Result<usize> {
    page.until(
        "everything is ready",
        "const b = [...document.querySelectorAll('[data-testid=lesson-run]')];
        return b.length > 0 && b.every(b => !b.disabled)",
    )
    .await?;
    page.run(
        "document.querySelectorAll('[data-testid=lesson-run]').forEach(b => b.click())",
        vec![],
    )
    .await?;
    let n = page.count("[data-testid='lesson-run']").await?;
    page.until(
        "everything has run",
        "return [...document.querySelectorAll('.lesson-run')].every(b => b.querySelector('.card'))
            && !document.body.textContent.includes('Running…')",
    )
    .await?;
    Ok(n)
}

#[tokio::test]
async fn a_class_reads_guesses_and_runs() -> Result<()> {
    let page = Browser::open("#/lessons").await?;
    page.find("[data-testid='lesson-list'] li:nth-child(10)").await?;
    page.press("[data-testid='lesson-list'] li:first-child a").await?;
    page.until_text(".lesson h1", "friends").await?;
    // The fixed text is checked without a click.
    page.find("[data-testid='lesson-claims'] mark.claim.false").await?;
    page.until_text("[data-testid='lesson-claims'] [data-testid='false-claims']", "1-2").await?;
    page.find("[data-testid='lesson-claims'] .edge.ghost.false").await?;
    // A guess is answered, also a wrong one.
    page.click("choice-0").await?;
    page.until_text("[data-testid='because']", "Not this one").await?;
    page.click("choice-1").await?;
    page.until_text("[data-testid='because']", "Right").await?;
    // Both systems.
    page.click("lesson-run").await?;
    page.find("[data-testid='side-standalone'] .card[data-verdict='Wrong']").await?;
    page.find("[data-testid='side-grounded'] .card[data-verdict='Correct']").await?;
    page.find("[data-testid='lesson-block'] .edge.ghost.false").await?;
    // A step of the run is seen on the drawing in place of the claims.
    page.press("[data-testid='side-grounded'] [data-testid='lesson-steps']").await?;
    let last = "const w = document.querySelectorAll('[data-testid=side-grounded] li.writes');
        w[w.length - 1].click()";
    page.run(last, vec![]).await?;
    page.find("[data-testid='lesson-block'] .edge.written").await?;
    ensure!(page.count("[data-testid='lesson-block'] .edge.ghost.false").await? == 0);
    page.press("[data-testid='side-standalone'] mark.claim").await?;
    page.press(".lesson-nav .next").await?;
    page.until_text(".lesson h1", "distance").await?;
    ensure!(page.count(".card").await? == 0, "the next lesson begins afresh");
    page.close().await
}

#[tokio::test]
async fn the_next_lesson_begins_at_its_top() -> Result<()> {
    let page = Browser::open("#/lessons").await?;
    for (width, large) in [(1280, false), (1280, true), (360, false)] {
        page.becomes(width, 700, "light").await?;
        page.run("location.hash = '#/lessons?l=friends'", vec![]).await?;
        page.until_text(".lesson h1", "friends").await?;
        if large != (page.count(".lessons.large").await? == 1) {
            page.click("large").await?;
        }
        // The first lesson is brought to its top, too, with the next frame.
        page.promised("await new Promise((go) => requestAnimationFrame(go))", vec![]).await?;
        let next = "document.querySelector('.lesson-nav .next')";
        page.run(&format!("{next}.scrollIntoView({{ block: 'end' }})"), vec![]).await?;
        let down = "return Math.max(scrollY, document.querySelector('main').scrollTop)";
        ensure!(page.run(down, vec![]).await?.as_f64() > Some(200.0), "there is nothing to scroll");
        page.run(&format!("{next}.click()"), vec![]).await?;
        page.until_text(".lesson h1", "distance").await?;
        page.until("it is at its top", &format!("{down} === 0")).await?;
    }
    page.close().await
}

/// Notes, frame by frame, each button that can be pressed and moves all the same.
const WATCH: &str = "window.moved = [];
    let first = new WeakMap(), lesson = '';
    const watch = () => {
        const title = document.querySelector('.lesson h1')?.textContent;
        // The next lesson may take over the buttons of this one.
        if (title !== lesson) [first, lesson] = [new WeakMap(), title];
        const down = scrollY + document.querySelector('main').scrollTop;
        for (const b of document.querySelectorAll('[data-testid=lesson-run]')) {
            const top = b.getBoundingClientRect().top + down;
            if (b.disabled) first.delete(b); else if (!first.has(b)) first.set(b, top);
            if (Math.abs(top - (first.get(b) ?? top)) > 1) window.moved.push([first.get(b), top]);
        }
        requestAnimationFrame(watch);
    };
    watch();";

#[tokio::test]
async fn a_button_that_can_be_pressed_does_not_move() -> Result<()> {
    let page = Browser::open("#/lessons").await?;
    page.find("[data-testid='lesson-list'] li:nth-child(10)").await?;
    let all = "return [...document.querySelectorAll('[data-testid=lesson-list] a')]
        .map(a => a.getAttribute('href'))";
    let all: Vec<String> = serde_json::from_value(page.run(all, vec![]).await?)?;
    for width in [1280, 360] {
        page.run("location.hash = '#/lessons'", vec![]).await?;
        page.find("[data-testid='lesson-list']").await?;
        page.becomes(width, 800, "light").await?;
        page.run(WATCH, vec![]).await?;
        for lesson in &all {
            page.run("location.hash = arguments[0]", vec![lesson.clone().into()]).await?;
            page.until(
                "its buttons can be pressed",
                "const b = [...document.querySelectorAll('[data-testid=lesson-run]')];
                const recorded = document.querySelector('[data-testid=lesson-recorded]');
                return (b.length > 0 || recorded) && b.every(b => !b.disabled)",
            )
            .await?;
            tokio::time::sleep(Duration::from_millis(400)).await;
            let moved = page.run("return window.moved", vec![]).await?;
            ensure!(moved == json!([]), "{lesson} at {width}: from and to {moved}");
        }
    }
    page.close().await
}

#[tokio::test]
async fn two_runs_stand_in_order_and_can_be_read_on_a_phone() -> Result<()> {
    let page = Browser::open("#/lessons?l=friends").await?;
    page.until(
        "it can run",
        "return document.querySelector('[data-testid=lesson-run]')?.disabled === false",
    )
    .await?;
    page.click("lesson-run").await?;
    page.find("[data-testid='side-standalone'] .card[data-verdict='Wrong']").await?;
    page.find("[data-testid='side-grounded'] .card[data-verdict='Correct']").await?;
    for width in [1280, 360] {
        page.becomes(width, 800, "light").await?;
        // The button, the drawing, and both answers one under the other, each as wide as the text.
        let order = "const box = s => document.querySelector(s).getBoundingClientRect();
            const whole = box('[data-testid=lesson-block]').width;
            const act = box('.lesson-act'), drawing = box('[data-testid=lesson-block] .lesson-figure');
            const sides = box('.lesson-sides');
            return act.bottom <= drawing.top + 1 && drawing.bottom <= sides.top + 1
                && drawing.width > whole - 2 && sides.width > whole - 2";
        ensure!(page.run(order, vec![]).await? == true, "the block falls apart at {width}");
        let least = "return Math.min(...[...document.querySelectorAll('.lesson-side')]
            .map(s => s.getBoundingClientRect().width))";
        let least = page.run(least, vec![]).await?.as_f64().unwrap_or(0.0);
        ensure!(least >= 260.0, "an answer is {least} pixels wide at {width}");
    }
    page.close().await
}

#[tokio::test]
async fn another_model_takes_the_scripts_place() -> Result<()> {
    let page = Browser::open("#/lessons?l=flow").await?;
    page.play_script("mistaken/bad-json").await?;
    page.click("players-own").await?;
    page.until_text("[data-testid='players-own']", "bad JSON").await?;
    page.click("lesson-run").await?;
    // The lesson's own script would be wrong here too.
    page.find("[data-testid='side-grounded'] .card[data-verdict='Correct']").await?;
    page.until_text("[data-testid='side-grounded'] .card", "bad JSON").await?;
    page.close().await
}

#[tokio::test]
async fn the_transcript_of_the_disaster_is_found_out() -> Result<()> {
    let page = Browser::open("#/lessons?l=rescue").await?;
    ensure!(run_all(&page).await? == 2);
    page.find("[data-testid='lesson-rescue'] .card[data-verdict='Faults']").await?;
    page.find("[data-testid='lesson-rescue'] .card[data-verdict='No fault']").await?;
    page.until_text("[data-testid='findings']", "node L0").await?;
    page.until_text("[data-testid='findings']", "3 times 4 for the debris").await?;
    page.find("[data-testid='lesson-rescue'] .edge.false").await?;
    page.close().await
}

#[tokio::test]
async fn a_word_of_an_answer_is_looked_into() -> Result<()> {
    let page = Browser::open("#/lessons?l=look-inside").await?;
    page.find("[data-testid='look-likely'] li:nth-child(5)").await?;
    let likely = page.text("[data-testid='look-likely']").await?;
    page.find("[data-testid='lesson-look'] .edge.read").await?;
    page.until_text("[data-testid='look-question']", "Q: Give the shortest path").await?;
    // Of a word that it knows by heart the model is sure.
    page.run(
        "[...document.querySelectorAll('.look-words button')]
            .find((b) => b.textContent.trim() === 'shortest').click()",
        vec![],
    )
    .await?;
    page.until_text("[data-testid='look-likely']", "shortest").await?;
    ensure!(page.text("[data-testid='look-likely']").await? != likely);
    for (width, scheme) in [(1280, "light"), (360, "dark")] {
        page.becomes(width, 900, scheme).await?;
        page.run("document.querySelector('.look').scrollIntoView()", vec![]).await?;
        page.shoot(&format!("look-inside-{width}-{scheme}")).await?;
        let wide = page.sideways().await?;
        ensure!(wide <= 0.0, "at {width} it scrolls sideways by {wide}");
    }
    page.close().await
}

#[tokio::test]
async fn an_unknown_lesson_gives_the_list() -> Result<()> {
    let page = Browser::open("#/lessons?l=%3Cb%3E").await?;
    page.until_text(".notice", "no lesson \"<b>\"").await?;
    page.find("[data-testid='lesson-list']").await?;
    page.close().await
}

#[tokio::test]
async fn lessons_look_well_wide_narrow_light_dark_and_large() -> Result<()> {
    for (name, hash) in [
        ("list", "#/lessons"),
        ("friends", "#/lessons?l=friends"),
        ("rescue", "#/lessons?l=rescue"),
        ("attached", "#/lessons?l=attached"),
    ] {
        let page = Browser::open(hash).await?;
        page.find(".lessons h1").await?;
        if name != "list" {
            run_all(&page).await?;
        }
        for (width, scheme) in [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")] {
            page.becomes(width, 800, scheme).await?;
            for (part, at) in [("top", 0.0), ("third", 0.34), ("two-thirds", 0.67), ("end", 1.0)] {
                // A narrow page scrolls as a whole, a wide one its main part.
                let scroll = "const all = [document.scrollingElement, document.querySelector('main')];
                    for (const m of all) m.scrollTop = (m.scrollHeight - m.clientHeight) * arguments[0];
                    return Math.max(...all.map(m => m.scrollWidth - m.clientWidth))";
                let wide = page.run(scroll, vec![at.into()]).await?;
                ensure!(wide.as_f64() == Some(0.0), "{name} at {width} scrolls by {wide}");
                page.shoot(&format!("lesson-{name}-{part}-{width}-{scheme}")).await?;
            }
        }
        page.close().await?;
    }
    let page = Browser::open_sized("#/lessons?l=flow", 1280, 800, "light").await?;
    page.click("large").await?;
    page.find(".lessons.large").await?;
    page.shoot("lesson-large-1280-light").await?;
    page.close().await
}

#[tokio::test]
async fn a_class_votes_by_hand_and_the_teacher_has_notes() -> Result<()> {
    let page = Browser::open("#/lessons?l=friends").await?;
    page.until_text(".lesson-figure svg", "Ann").await?;
    // Every friendship has the weight 1, which says nothing.
    let labels = "return [...document.querySelectorAll('.lesson-figure svg .edge text')].length";
    ensure!(page.run(labels, vec![]).await? == json!(0), "weights of 1 are drawn");
    page.click("votes").await?;
    for _ in 0..3 {
        page.click("vote-1").await?;
    }
    page.click("vote-0").await?;
    page.until_text("[data-testid='votes-1']", "3").await?;
    page.until_text(".votes", "4 votes").await?;
    page.press("[data-testid='teacher'] summary").await?;
    page.until_text("[data-testid='teacher']", "Hide colours").await?;
    // In large type it is not shown to the class, and not on paper.
    page.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await?;
    let hidden = "return ['.teacher', '.lesson-bar', '.votes', '.lesson-run', '.false-claims']
        .filter(css => document.querySelector(css)?.checkVisibility())";
    ensure!(page.run(hidden, vec![]).await? == json!([]), "a handout has parts of the screen");
    let shown = "return ['.lesson h1', '.lesson-figure svg', '.lesson-question .question', '.choices button']
        .filter(css => !document.querySelector(css)?.checkVisibility({ contentVisibilityAuto: true }))";
    ensure!(page.run(shown, vec![]).await? == json!([]), "a handout lacks parts");
    page.shoot("lesson-handout").await?;
    page.close().await
}

#[tokio::test]
async fn a_lesson_is_written_from_blocks_previewed_shared_and_copied() -> Result<()> {
    let page = Browser::open("#/lessons").await?;
    page.click("lesson-write").await?;
    page.until_text(".editor-preview h1", "A lesson of my own").await?;
    page.find(".editor-preview .lesson-figure svg .node").await?;
    page.until_text(".editor-preview .lesson-figure svg", "Ann").await?;
    page.type_into("lesson-title", "Roads of our town").await?;
    page.until_text(".editor-preview h1", "Roads of our town").await?;
    page.click("add-notes").await?;
    page.find(".editor-preview .teacher").await?;
    // What is wrong is told at its block, and nothing that was written is lost.
    page.type_into("piece-predict", "ask = What?").await?;
    page.find(".piece-fields .report.no").await?;
    page.until_text("[data-testid='lesson-fault']", "because").await?;
    page.type_into("piece-predict", "ask = What?\nright = a\nchoice = b\nbecause = So.").await?;
    page.until_text(".editor-preview .predict", "What?").await?;
    page.shoot("lesson-editor").await?;
    page.click("share").await?;
    page.find("[data-testid='share-link']").await?;
    let link =
        page.run("return document.querySelector('[data-testid=share-link]').value", vec![]).await?;
    let hash = link.as_str().and_then(|l| l.split_once('#')).context("a link")?.1.to_owned();
    // After a reload the draft is there.
    page.run("document.querySelector('dialog[open]')?.close()", vec![]).await?;
    page.client.refresh().await?;
    page.until_text(".editor-preview h1", "Roads of our town").await?;
    // The link shows the lesson to others, who can go on from it.
    let other = Browser::open(&format!("#{hash}")).await?;
    other.until_text("[data-testid='lesson'] h1", "Roads of our town").await?;
    other.find("[data-testid='lesson'] .lesson-figure svg .node").await?;
    other.click("lesson-copy").await?;
    other.until_text(".editor-preview h1", "Roads of our town").await?;
    other.close().await?;
    page.close().await
}
