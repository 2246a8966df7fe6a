//! Links and frames: what is shared opens elsewhere, what is broken says so, a frame is stepped.

use std::io::{Read as _, Write as _};

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::browser::{Browser, Companion, base};
use crate::screens::{Endpoints, Framing, Head, Lessons, Player, Rescue, Solve, Traces};
use crate::servers::{Cors, Reply, Server, good};

/// What is packed into a link, by other means than the page's own.
fn unpacked(hash: &str) -> Result<String> {
    let payload = hash.rsplit('.').next().context("no payload")?;
    let payload = payload.split('&').next().unwrap_or_default();
    let bytes = URL_SAFE_NO_PAD.decode(payload)?;
    let mut text = String::new();
    flate2::read::DeflateDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    Ok(text)
}

#[tokio::test]
async fn problems_runs_and_disasters_are_shared_without_the_key_and_open_elsewhere() -> Result<()> {
    const CANARY: &str = "sk-canary-52c1";
    const MADE: &str = "#/solve?task=cycle&difficulty=easy&seed=2";
    let page = Browser::open(MADE).await?;
    let (solve, player, rescue, traces) =
        (Solve(&page), Player(&page), Rescue(&page), Traces(&page));
    solve.question().await?;
    // One that a seed makes has an address that can be read.
    let made = page.shared().await?;
    ensure!(made == MADE, "{made}");
    page.go("#/rescue").await?;
    rescue.is_named("").await?;
    let name = rescue.name().await?;
    let disaster = page.shared().await?;

    let companion = Companion::start().await?;
    page.go(MADE).await?;
    page.use_endpoint_with(&companion.url, "script", CANARY).await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    solve.keeps(1).await?;
    traces.open_kept().await?;
    let run = page.shared().await?;
    ensure!(run.starts_with("#/traces?s=v1.trace."), "{run}");
    ensure!(!run.contains(CANARY) && !unpacked(&run)?.contains(CANARY), "the key is in the link");

    // One that was edited is in its link, whole.
    page.go("#/solve").await?;
    solve.begins_import().await?;
    solve.pastes("0 1\n1 2\n2 0\n2 3\n").await?;
    solve.asks("node 0 and node 3").await?;
    let question = solve.question().await?;
    let edited = page.shared().await?;
    ensure!(edited.starts_with("#/solve?s=v1.problem."), "{edited}");
    ensure!(base()?.len() + edited.len() < 2000, "{}", edited.len());
    ensure!(unpacked(&edited)?.contains("\"edges\""), "another reader finds no graph");

    page.opens_elsewhere(&disaster).await?;
    rescue.is_named(&name).await?;
    page.opens_elsewhere(&format!("{run}&step=2")).await?;
    traces.is_open().await?;
    player.is_at(2).await?;
    page.opens_elsewhere(&edited).await?;
    solve.asks_exactly(&question).await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    // From another problem, the same link leads here again.
    solve.opens("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.go(&edited).await?;
    solve.asks_exactly(&question).await?;

    // A finished run plays in its link, or is at its step.
    solve.opens("#/solve?task=cycle&difficulty=easy&seed=2&model=script").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    page.seek_end().await?;
    let plays = page.shared().await?;
    ensure!(plays.ends_with("&model=script&system=grounded&play=1"), "{plays}");
    page.seek(2).await?;
    let at_step = page.shared().await?;
    ensure!(at_step.ends_with("&model=script&system=grounded&step=2"), "{at_step}");
    page.opens_elsewhere(&plays).await?;
    solve.is_judged("Correct").await?;
    page.opens_elsewhere(&at_step).await?;
    solve.is_judged("Correct").await?;
    player.is_at(2).await?;
    page.close().await
}

#[tokio::test]
async fn short_links_lead_on_and_broken_ones_say_so_and_harm_nothing() -> Result<()> {
    let page = Browser::open("#task=shortest_path&gen=er,20,0.2&seed=7&step=4&hide=prompt").await?;
    let (solve, player, head) = (Solve(&page), Player(&page), Head(&page));
    solve.is_judged("Correct").await?;
    player.is_at(4).await?;
    ensure!(!solve.has_a_question_in_sight().await?, "the prompt is not hidden");
    solve.keeps(0).await?;
    page.shoot("short-form-1280-light").await?;
    page.opens_elsewhere("#lesson=flow").await?;
    Lessons(&page).is_titled("").await?;

    let question = solve.opens("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    let mut bomb = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    bomb.write_all(&vec![b'0'; 40_000_000])?;
    let bomb = URL_SAFE_NO_PAD.encode(bomb.finish()?);
    for (hash, words) in [
        ("#/solve?s=v1.problem.AAAA".to_owned(), "damaged"),
        ("#v7.problem.AAAA".to_owned(), "newer Graphground"),
        ("#/solve?s=%3Cimg%20src=x%3E".to_owned(), "no link of Graphground"),
        (format!("#/solve?s=v1.graph.{bomb}"), "unfolds to more"),
        (format!("#/solve?s=v1.problem.{}", "A".repeat(70_000)), "longer than"),
    ] {
        head.follows(&hash).await?;
        solve.notices(words).await?;
        ensure!(solve.question().await? == question, "{words}: the problem is gone");
    }
    for hash in ["#/traces?s=v1.trace.AAAA", "#/rescue?s=v1.rescue.AAAA"] {
        page.go(hash).await?;
        head.notices("damaged").await?;
    }
    // Where nothing is yet, there is a problem all the same.
    page.opens_elsewhere("#v1.problem.AAAA").await?;
    solve.notices("damaged").await?;
    solve.question().await?;
    page.close().await
}

/// The example page frames the app as it is served, and as one file.
#[tokio::test]
async fn a_frame_is_stepped_by_the_page_around_it() -> Result<()> {
    for app in [base()?, Framing::single_file()?] {
        let page = Framing::open(&app).await?;
        let outer = Framing(&page);
        outer.place_says("Step 1 of").await?;
        outer.moves("next").await?;
        outer.place_says("Step 2 of").await?;
        outer.moves("third").await?;
        outer.place_says("Step 3 of").await?;
        outer.moves("previous").await?;
        outer.place_says("Step 2 of").await?;
        // What is not a message of ours changes nothing.
        outer.sends_nonsense().await?;
        outer.place_says("Step 2 of").await?;
        if app.starts_with("http") {
            page.shoot("embed-1280-light").await?;
        }
        outer.frames_the_stage_alone().await?;
        page.close().await?;
    }
    Ok(())
}

/// The address of a frame is written by whoever frames the page, so it does not decide what is used there.
#[tokio::test]
async fn a_page_in_a_frame_uses_nothing_of_the_person_whatever_its_address_says() -> Result<()> {
    let model = Server::start(Cors::Open, good)?;
    let page = Browser::open("#/endpoints").await?;
    let endpoints = Endpoints(&page);
    endpoints.fills_in(&model.url(), "small", "sk-canary-frame").await?;
    endpoints.uses("Runs now ask").await?;
    endpoints.keeps_key("device").await?;
    page.load("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    Solve(&page).alone().await?;
    Solve(&page).has_verdict().await?;
    ensure!(model.has_heard("sk-canary-frame"), "the page itself does not use what is kept");

    let asked = model.n_heard();
    let inner = format!("{}#/solve?task=cycle&difficulty=easy&seed=2&hide=prompt,tools", base()?);
    let around = Server::start(Cors::Unknown, move |_| {
        let frame = format!("<iframe id=\"frame\" src=\"{inner}\" width=1000 height=700></iframe>");
        Reply { pieces: vec![frame], ..Reply::html(200, "") }
    })?;
    let outer = Framing(&page);
    outer.goes_around(&format!("http://127.0.0.1:{}/", around.port)).await?;
    outer.frames_the_stage_alone().await?;
    Solve(&page).is_drawn().await?;
    outer.presses_what_is_hidden("standalone").await?;
    outer.has_a_verdict().await?;
    ensure!(model.n_heard() == asked, "a frame asked the person's endpoint");
    page.close().await
}

#[tokio::test]
async fn a_framed_run_lesson_or_disaster_fits_its_frame() -> Result<()> {
    let shown = "#/solve?task=shortest_path&difficulty=easy&seed=7&step=99&embed=1";
    let page = Browser::open(shown).await?;
    let (frame, solve, player) = (Framing(&page), Solve(&page), Player(&page));
    solve.is_judged("Correct").await?;
    page.fits("embed-solve", None).await?;
    let bare =
        "#/solve?task=flow&difficulty=easy&seed=3&step=4&embed=1&hide=prompt,steps,answer,tools";
    page.load(bare).await?;
    player.is_at(4).await?;
    page.fits("embed-bare", None).await?;
    for (name, hash) in [("lesson", "#/lessons?l=friends&embed=1"), ("rescue", "#/rescue?embed=1")]
    {
        page.load(hash).await?;
        frame.draws().await?;
        page.fits(&format!("embed-{name}"), None).await?;
    }
    page.close().await
}
