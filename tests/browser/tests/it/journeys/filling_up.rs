//! The browser has no more room: what is not kept is reported, stays in the tab, and is kept later.

use anyhow::{Result, ensure};

use super::model_files::small;
use crate::browser::{Browser, base, file};
use crate::screens::{Bench, ModelFiles, Outage, Solve};

/// What the line of a run has in it.
const RUN: &str = "\"type\":\"run\"";
/// Bytes that hold some runs of a benchmark, and by far not all.
const LITTLE: u32 = 300_000;
/// Bytes that hold no run.
const FOR_NO_RUN: u32 = 20_000;

#[tokio::test]
async fn a_benchmark_waits_for_room_and_then_keeps_every_run_once() -> Result<()> {
    // A browser remembers for a while how much room there was, so this is a new one.
    let page = Browser::open_new(&format!("{}icon.svg", base()?)).await?;
    let (outage, bench, solve) = (Outage(&page), Bench(&page), Solve(&page));
    outage.leaves_room_for(Some(FOR_NO_RUN)).await?;
    page.load("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    solve.question().await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    page.has_notice("Storage is full: this run is not kept.").await?;
    page.fits("solve-full", None).await?;

    outage.leaves_room_for(Some(LITTLE)).await?;
    page.go("#/bench").await?;
    bench.begin().await?;
    bench.names("Full").await?;
    bench.adds_script("script").await?;
    bench.of_each("60").await?;
    bench.start().await?;
    bench.unkept_say("Storage is full: ").await?;
    bench.reports("Paused. Resume runs what is missing.").await?;
    let n = bench.n_done().await?;
    ensure!(n < 1920, "it made all of its runs");
    page.fits("bench-full", None).await?;
    // Without room it does not begin again, and what is there can be saved.
    bench.start().await?;
    bench.unkept_say(" runs are not kept").await?;
    ensure!(bench.n_done().await? == n, "it made runs without room for them");
    page.keep_saved().await?;
    bench.saves_unkept().await?;
    let saved = page.saved(1).await?;
    ensure!(saved[0].matches(RUN).count() == n, "the file has not all {n} runs");
    // In the list it is there with all of them, and comes back from there.
    bench.leaves().await?;
    bench.lists_title("Full", &format!("{n} of 1,920 runs")).await?;
    bench.opens_titled("Full").await?;
    bench.lists(n).await?;

    outage.leaves_room_for(None).await?;
    bench.start().await?;
    bench.lists(1920).await?;
    ensure!(!bench.has_unkept().await?, "something is not kept");
    let lines = bench.kept_lines(RUN, 1920).await?;
    ensure!(lines.matches(RUN).count() == 1920, "a run was kept twice");
    page.reload().await?;
    bench.lists(1920).await?;

    page.close().await
}

#[tokio::test]
async fn a_model_file_without_room_is_reported_with_what_is_missing() -> Result<()> {
    let whole = file("small.gguf", &small()?)?;
    let page = Browser::open("#/solve").await?;
    let (outage, files) = (Outage(&page), ModelFiles(&page));
    outage.leaves_room_for(Some(LITTLE)).await?;
    files.open().await?;
    files.add(&whole).await?;
    files.fault_says("small.gguf was not added: it needs 0.7 MB").await?;
    files.list_says("There is no file yet").await?;
    files.fault_says("so 0.7 MB are missing; delete a file").await?;
    files.fits("model-file-full").await?;
    outage.leaves_room_for(None).await?;
    files.add(&whole).await?;
    files.is_chosen("small.gguf").await?;
    page.close().await
}
