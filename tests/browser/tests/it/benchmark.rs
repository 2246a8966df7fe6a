//! Bench: made, reloaded in the middle, compared, opened, saved, checked again.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::browser::{Browser, Companion};

async fn open(width: u32, scheme: &str) -> Result<Browser> {
    let page = Browser::open_sized("#/bench", width, 900, scheme).await?;
    page.click("bench-new").await?;
    page.type_into("bench-title", "Scripts").await?;
    Ok(page)
}

/// How many runs the page says are done.
async fn n_done(page: &Browser) -> Result<usize> {
    let text = page.text("[data-testid='bench-progress'] span").await?;
    Ok(text.split(' ').next().unwrap_or_default().parse()?)
}

#[tokio::test]
async fn scripts_are_benchmarked_compared_opened_and_checked_again() -> Result<()> {
    let page = open(1280, "light").await?;
    page.choose("bench-script", "script").await?;
    page.click("bench-estimate").await?;
    page.until_text("[data-testid='bench-guess']", "160 runs").await?;
    page.shoot("bench-form-1280-light").await?;
    page.click("bench-start").await?;
    page.until_text("[data-testid='bench-progress']", "160 of 160 runs").await?;
    page.until_text("[data-testid='scripts-note']", "They test the harness, not a method").await?;
    page.until_text("[data-testid='bench-runs'] h2", "Runs: 160 of 160").await?;
    page.shoot("bench-report-1280-light").await?;
    page.choose("compare-right", "2").await?;
    page.click("bench-compare").await?;
    page.find("[data-testid='differing'] li").await?;
    page.click("bench-check").await?;
    page.until_text("[data-testid='check-result']", "everything comes out as the file says")
        .await?;
    // The list is filtered and sorted, and a run opens as a trace.
    page.choose("runs-verdict", "2").await?;
    page.until("fewer runs are listed", "return /Runs: \\d+ of 160/.test(document.querySelector('[data-testid=bench-runs] h2').textContent) && !/Runs: 160/.test(document.querySelector('[data-testid=bench-runs] h2').textContent)").await?;
    page.press("button.bench-row").await?;
    page.find(".step-row").await?;
    // It is kept, and the address opens it again.
    page.run("history.back()", vec![]).await?;
    page.until_text("main h1", "Scripts").await?;
    page.client.refresh().await?;
    page.until_text("main h1", "Scripts").await?;
    page.until_text("[data-testid='bench-runs'] h2", "Runs: 160 of 160").await?;
    page.close().await
}

#[tokio::test]
async fn a_reload_in_the_middle_loses_nothing_that_was_finished() -> Result<()> {
    let companion = Companion::start().await?;
    let page = Browser::open("#/solve").await?;
    crate::solve::use_endpoint(&page, &companion.url, "script").await?;
    page.run("location.hash = '#/bench'", vec![]).await?;
    page.click("bench-new").await?;
    page.type_into("bench-title", "Over the network").await?;
    page.press(".bench-models button").await?;
    page.click("bench-endpoint").await?;
    page.run("const n = document.querySelector('[data-testid=bench-n]'); n.value = 30; n.dispatchEvent(new Event('change', { bubbles: true }))", vec![]).await?;
    page.click("bench-start").await?;
    page.until("some runs are finished", "return +(document.querySelector('[data-testid=bench-progress] span')?.textContent.split(' ')[0] ?? 0) > 20").await?;
    let before = n_done(&page).await?;
    page.client.refresh().await?;
    page.until_text("main h1", "Over the network").await?;
    page.find("[data-testid='bench-runs'] h2").await?;
    let kept = page.text("[data-testid='bench-runs'] h2").await?;
    let kept: usize = kept.split(' ').next_back().unwrap_or_default().parse()?;
    // What was finished within the last moment may not have been kept yet.
    ensure!(kept + 8 >= before && kept < 480, "{kept} of {before} were kept");
    page.click("bench-start").await?;
    page.click("bench-pause").await?;
    page.until_text(".notice", "Paused").await?;
    page.click("bench-start").await?;
    page.until_text("[data-testid='bench-runs'] h2", "Runs: 480 of 480").await?;
    page.until_text("[data-testid='bench-progress']", "480 of 480 runs").await?;
    page.close().await
}

#[tokio::test]
async fn a_tampered_a_torn_and_a_foreign_file_are_told_in_words() -> Result<()> {
    let page = open(360, "dark").await?;
    page.click("bench-start").await?;
    page.until_text("[data-testid='bench-runs'] h2", "of 80").await?;
    page.shoot("bench-report-360-dark").await?;
    let wide = page.run("return document.documentElement.scrollWidth", vec![]).await?;
    ensure!(wide.as_f64().unwrap_or(999.0) <= 360.0, "the page is {wide} wide");
    // The lines as the browser keeps them.
    let lines = page
        .client
        .execute_async(
            "const done = arguments[0]; const open = indexedDB.open('graphground');
             open.onsuccess = () => { const all = open.result.transaction('bench_lines').objectStore('bench_lines').getAll();
               all.onsuccess = () => done(all.result.join('')); };",
            vec![],
        )
        .await?;
    let lines = lines.as_str().unwrap_or_default().to_owned();
    ensure!(lines.matches("\"type\":\"run\"").count() == 80, "not every run is kept");
    let drop = |name: &str, text: String| {
        let script = "const t = new DataTransfer(); t.items.add(new File([arguments[1]], arguments[0]));
            document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: t, bubbles: true }))";
        (script, vec![json!(name), json!(text)])
    };
    let forged = lines.replacen("\"verdict\":\"Incorrect\"", "\"verdict\":\"Correct\"", 1);
    ensure!(forged != lines, "no wrong run to tamper with");
    let (script, arguments) = drop("forged.jsonl", forged);
    page.run(script, arguments).await?;
    page.until_text("main h1", "forged").await?;
    page.until_text("[data-testid='bench-runs'] h2", "of 80").await?;
    page.click("bench-check").await?;
    page.until_text("[data-testid='check-result']", "1 runs do not come out").await?;
    page.until_text("[data-testid='check-result']", "the verdict is \"Wrong\"").await?;
    page.shoot("bench-forged-360-dark").await?;
    let (script, arguments) = drop("torn.jsonl", lines[..lines.len() - 40].to_owned());
    page.run(script, arguments).await?;
    page.until_text(".notice", "was cut off").await?;
    page.until_text("[data-testid='bench-runs'] h2", "of 79").await?;
    let newer = lines.replacen("\"version\":2", "\"version\":9", 1);
    let (script, arguments) = drop("newer.jsonl", newer);
    page.run(script, arguments).await?;
    page.until_text(".notice", "newer Graphground").await?;
    page.close().await
}
