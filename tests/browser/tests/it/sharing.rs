//! Links and frames: what is shared opens elsewhere, what is broken says so, a frame is stepped.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use serde_json::json;

use crate::browser::{Browser, Companion, base};

/// The link in the dialog, from `#` on, and the whole of it.
async fn shared(page: &Browser) -> Result<(String, String)> {
    page.click("share").await?;
    let link = page.by_id("share-link").await?;
    let link = link.prop("value").await?.context("the link is empty")?;
    let hash = link.split_once('#').context("no fragment")?.1.to_owned();
    page.run("document.querySelector('dialog.share').close()", vec![]).await?;
    Ok((format!("#{hash}"), link))
}

/// What is packed into a link, by other means than the page's own.
fn unpacked(hash: &str) -> Result<String> {
    let payload = hash.rsplit('.').next().context("no payload")?;
    let payload = payload.split('&').next().unwrap_or_default();
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(payload)?;
    let mut text = String::new();
    flate2::read::DeflateDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    Ok(text)
}

#[tokio::test]
async fn a_problem_that_was_edited_is_shared_and_opened() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    // One that a seed makes has an address that can be read.
    let (hash, _) = shared(&page).await?;
    ensure!(hash == "#/solve?task=cycle&difficulty=easy&seed=2", "{hash}");
    page.click("import").await?;
    page.type_into("paste", "0 1\n1 2\n2 0\n2 3\n").await?;
    page.click("read").await?;
    page.until_text(".question", "node 0 and node 3").await?;
    let question = page.text(".question").await?;
    page.click("share").await?;
    page.by_id("share-copy").await?;
    page.shoot("share-1280-light").await?;
    page.run("document.querySelector('dialog.share').close()", vec![]).await?;
    let (hash, link) = shared(&page).await?;
    ensure!(hash.starts_with("#/solve?s=v1.problem."), "{hash}");
    ensure!(link.len() < 2000, "{}", link.len());
    ensure!(unpacked(&hash)?.contains("\"edges\""), "another reader finds no graph");
    page.close().await?;
    let page = Browser::open(&hash).await?;
    page.until_text(".question", "node 0 and node 3").await?;
    ensure!(page.text(".question").await? == question, "the question is another");
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.close().await
}

#[tokio::test]
async fn a_disaster_and_a_run_are_shared_without_the_key() -> Result<()> {
    const CANARY: &str = "sk-canary-52c1";
    let page = Browser::open("#/rescue").await?;
    page.find("[data-testid='scenario-name']").await?;
    let name = page.text("[data-testid='scenario-name']").await?;
    let (hash, _) = shared(&page).await?;
    page.run(
        &format!("location.hash = {}", json!("#/solve?task=cycle&difficulty=easy&seed=2")),
        vec![],
    )
    .await?;
    page.until_text(".question", "Q:").await?;
    let companion = Companion::start().await?;
    page.click("endpoint").await?;
    page.click("use-endpoint").await?;
    page.type_into("base-url", &companion.url).await?;
    page.type_into("key", CANARY).await?;
    page.type_into("model", "script").await?;
    page.click("use").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.until_text("[data-testid='kept']", "1 run kept").await?;
    page.run("location.hash = '#/traces'", vec![]).await?;
    page.press("[data-testid='kept-runs'] .open").await?;
    page.find(".step-row").await?;
    let (run, link) = shared(&page).await?;
    ensure!(run.starts_with("#/traces?s=v1.trace."), "{run}");
    ensure!(!link.contains(CANARY) && !unpacked(&run)?.contains(CANARY), "the key is in the link");
    page.close().await?;
    let page = Browser::open(&hash).await?;
    page.until_text("[data-testid='scenario-name']", &name).await?;
    page.close().await?;
    let page = Browser::open(&format!("{run}&step=2")).await?;
    page.find(".step-row").await?;
    page.until_text("[data-testid='count']", "2 of").await?;
    page.close().await
}

#[tokio::test]
async fn short_forms_lead_to_the_same_places() -> Result<()> {
    let page = Browser::open("#task=shortest_path&gen=er,20,0.2&seed=7&step=4&hide=prompt").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.until(
        "the run is at step 4",
        "return document.querySelector('.player')?.textContent.includes('4 of') === true",
    )
    .await?;
    ensure!(!page.find(".question").await?.is_displayed().await?, "the prompt is not hidden");
    page.until_text("[data-testid='kept']", "No runs kept").await?;
    page.shoot("short-form-1280-light").await?;
    page.close().await?;
    let page = Browser::open("#lesson=flow").await?;
    page.find(".lesson h1").await?;
    page.close().await
}

#[tokio::test]
async fn a_link_that_is_broken_or_too_new_says_so_and_harms_nothing() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    let question = page.text(".question").await?;
    let bomb = {
        use std::io::Write as _;
        let mut deflate =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        deflate.write_all(&vec![b'0'; 40_000_000])?;
        base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(deflate.finish()?)
    };
    for (hash, words) in [
        ("#/solve?s=v1.problem.AAAA".to_owned(), "damaged"),
        ("#v7.problem.AAAA".to_owned(), "newer Graphground"),
        ("#/solve?s=%3Cimg%20src=x%3E".to_owned(), "no link of Graphground"),
        (format!("#/solve?s=v1.graph.{bomb}"), "unfolds to more"),
        (format!("#/solve?s=v1.problem.{}", "A".repeat(70_000)), "longer than"),
    ] {
        page.run("location.hash = arguments[0]", vec![json!(hash)]).await?;
        page.until_text(".right .notice", words).await?;
        ensure!(page.text(".question").await? == question, "{words}: the problem is gone");
    }
    page.close().await?;
    // Where nothing is yet, there is a problem all the same.
    let page = Browser::open("#v1.problem.AAAA").await?;
    page.until_text(".right .notice", "damaged").await?;
    page.until_text(".question", "Q:").await?;
    page.close().await?;
    for hash in ["#/traces?s=v1.trace.AAAA", "#/rescue?s=v1.rescue.AAAA"] {
        let page = Browser::open(hash).await?;
        page.until_text(".notice", "damaged").await?;
        page.close().await?;
    }
    Ok(())
}

/// The example page frames the app as it is served, and as one file.
#[tokio::test]
async fn a_frame_is_stepped_by_the_page_around_it() -> Result<()> {
    let example =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/embed.html").canonicalize()?;
    let single = std::env::var("GRAPHGROUND_SINGLE_FILE").context("run with `cargo xtask test`")?;
    for app in [base()?, format!("file://{single}")] {
        let url = format!("file://{}?app={app}", example.display());
        let page = Browser::open_plain(&url, 1280, 900, "light").await?;
        page.until_text("#place", "Step 1 of").await?;
        page.press("#next").await?;
        page.until_text("#place", "Step 2 of").await?;
        page.press("#third").await?;
        page.until_text("#place", "Step 3 of").await?;
        page.press("#previous").await?;
        page.until_text("#place", "Step 2 of").await?;
        // What is not a message of ours changes nothing.
        let script = "for (const m of [null, 7, 'next', {}, { graphground: 1 }, { order: 'next' },
                { graphground: 2, order: 'next' }, { graphground: 1, order: 'goto' },
                { graphground: 1, order: 'goto', step: -1 }, { graphground: 1, order: 'goto', step: '1' }])
            frame.contentWindow.postMessage(m, '*');
            frame.contentWindow.postMessage({ graphground: 1, order: 'tell' }, '*');
            place.textContent = 'asked'";
        page.run(script, vec![]).await?;
        page.until_text("#place", "Step 2 of").await?;
        if app.starts_with("http") {
            page.shoot("embed-1280-light").await?;
        }
        page.find("#frame").await?.enter_frame().await?;
        page.find(".stage").await?;
        for gone in [".top", "dialog.endpoint", "dialog.share", "[data-testid='share']"] {
            ensure!(page.count(gone).await? == 0, "{gone} is in the frame");
        }
        ensure!(!page.find(".question").await?.is_displayed().await?, "the prompt is not hidden");
        ensure!(!page.find(".tools").await?.is_displayed().await?, "the tools are not hidden");
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_frame_looks_well() -> Result<()> {
    for (name, hash) in [
        ("solve", "#/solve?task=shortest_path&difficulty=easy&seed=7&step=99&embed=1"),
        (
            "bare",
            "#/solve?task=flow&difficulty=easy&seed=3&step=4&embed=1&hide=prompt,steps,answer,tools",
        ),
        ("lesson", "#/lessons?l=friends&embed=1"),
        ("rescue", "#/rescue?embed=1"),
    ] {
        let page = Browser::open(hash).await?;
        if name == "solve" {
            page.find(".card[data-verdict='Correct']").await?;
        }
        if name == "bare" {
            let script =
                "return document.querySelector('.player')?.textContent.includes('4 of') === true";
            page.until("the run is at step 4", script).await?;
        }
        page.until("it is there", "return document.querySelectorAll('svg').length > 0").await?;
        for (width, scheme) in [(1280, "light"), (1000, "dark"), (360, "light"), (360, "dark")] {
            page.becomes(width, 620, scheme).await?;
            page.shoot(&format!("embed-{name}-{width}-{scheme}")).await?;
            let wide = page.sideways().await?;
            ensure!(wide <= 0.0, "{name} at {width} scrolls sideways by {wide}");
        }
        page.close().await?;
    }
    Ok(())
}

/// Waits until both sides of Compare have a verdict; gives them.
async fn verdicts(page: &Browser) -> Result<Vec<String>> {
    page.until(
        "both verdicts",
        "return document.querySelectorAll('.compare-side .card[data-verdict]:not(.busy)').length === 2",
    )
    .await?;
    let script = "return [...document.querySelectorAll('.compare-side .card[data-verdict]')]
        .map((card) => card.dataset.verdict)";
    Ok(serde_json::from_value(page.run(script, vec![]).await?)?)
}

#[tokio::test]
async fn a_compared_pair_is_shared_and_opens_finished() -> Result<()> {
    // By a script: the link lets it run again.
    let page = Browser::open(
        "#/compare?task=shortest_path&difficulty=easy&seed=7&model=mistaken/bad-json",
    )
    .await?;
    page.until("a problem", "return document.querySelectorAll('.compare-stage .node').length > 0")
        .await?;
    let (hash, _) = shared(&page).await?;
    ensure!(!hash.contains("run="), "{hash}");
    page.click("run-both").await?;
    let seen = verdicts(&page).await?;
    let (hash, link) = shared(&page).await?;
    ensure!(hash.ends_with("model=mistaken%2Fbad-json&run=1"), "{hash}");
    page.click("share").await?;
    page.click("share-frame").await?;
    let code = "return document.querySelector('.share-frame textarea').value";
    let code = page.run(code, vec![]).await?;
    let code = code.as_str().context("no code")?;
    ensure!(code.contains(&link.replace('&', "&amp;")) && code.contains("&amp;embed=1"), "{code}");
    page.shoot("share-pair-1280-light").await?;
    page.close().await?;
    let page = Browser::open(&hash).await?;
    ensure!(verdicts(&page).await? == seen);
    // An edited problem has no seed: both runs are in the link.
    page.run("location.hash = '#/solve'", vec![]).await?;
    page.click("import").await?;
    page.type_into("paste", "0 1\n1 2\n2 0\n2 3\n").await?;
    page.click("read").await?;
    page.until_text(".question", "node 0 and node 3").await?;
    page.run("location.hash = '#/compare'", vec![]).await?;
    page.click("run-both").await?;
    let seen = verdicts(&page).await?;
    let said =
        "return [...document.querySelectorAll('.compare-side .claimed')].map((c) => c.textContent)";
    let answers = page.run(said, vec![]).await?;
    let (hash, _) = shared(&page).await?;
    ensure!(hash.starts_with("#/compare?s=v1.pair."), "{hash}");
    page.close().await?;
    let page = Browser::open(&hash).await?;
    ensure!(verdicts(&page).await? == seen);
    let claims = "[data-testid='n-claims']";
    page.until_text(claims, "claim").await?;
    let again = page.run(said, vec![]).await?;
    ensure!(again == answers, "{again}, not {answers}");
    page.shoot("shared-pair-1280-light").await?;
    page.no_complaints().await?;
    page.close().await?;
    // One that is broken says so.
    let page = Browser::open(&hash[..hash.len() - 40]).await?;
    page.until_text(".notice", "damaged").await?;
    page.close().await
}

#[tokio::test]
async fn a_finished_run_is_shared_and_plays_or_stands_at_its_step() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2&model=script").await?;
    page.until_text(".question", "Q:").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.seek_end().await?;
    let (hash, _) = shared(&page).await?;
    ensure!(hash.ends_with("&model=script&system=grounded&play=1"), "{hash}");
    page.seek(2).await?;
    let (at_step, _) = shared(&page).await?;
    ensure!(at_step.ends_with("&model=script&system=grounded&step=2"), "{at_step}");
    page.close().await?;
    let page = Browser::open(&hash).await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.close().await?;
    let page = Browser::open(&at_step).await?;
    page.find(".card[data-verdict='Correct']").await?;
    let at = "return document.querySelector('.player input[type=range]').value";
    page.until("it is at step 2", &format!("{at} === '2'")).await?;
    page.close().await
}

#[tokio::test]
async fn a_compared_pair_is_saved_as_pictures_and_as_a_film() -> Result<()> {
    let page = Browser::open(
        "#/compare?task=shortest_path&difficulty=easy&seed=7&model=mistaken/bad-json&run=1",
    )
    .await?;
    verdicts(&page).await?;
    // The page offers files by links to blobs: they are caught here.
    let catch = "window.saved = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = b => { window.saved.push(b); return make(b); };";
    page.run(catch, vec![]).await?;
    page.click("pictures").await?;
    page.click("picture-svg").await?;
    page.until("an SVG is saved", "return window.saved.length === 1").await?;
    page.click("picture-png").await?;
    page.until("a PNG is saved", "return window.saved.length === 2").await?;
    page.click("picture-film").await?;
    page.until_within("a film is saved", "return window.saved.length === 3", 60).await?;
    let seen = "const [svg, png, film] = window.saved;
        const text = await svg.text();
        const bits = await createImageBitmap(png);
        const head = new Uint8Array(await film.slice(0, 8).arrayBuffer());
        // The first bytes of WebM (EBML), or of MP4.
        const isFilm = head.slice(0, 4).join() === '26,69,223,163'
            || String.fromCharCode(...head.slice(4)) === 'ftyp';
        return [text.startsWith('<svg') && text.includes('Without tools'), bits.width >= 1200,
            film.type.split('/')[0], film.size > 20000, isFilm]";
    let seen = page.promised(seen, vec![]).await?;
    ensure!(seen == json!([true, true, "video", true, true]), "{seen}");
    page.close().await
}
