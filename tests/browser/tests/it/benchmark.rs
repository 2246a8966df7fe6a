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

/// What the line of a run has in it.
pub(crate) const RUN: &str = "\"type\":\"run\"";

/// The lines of all benchmarks as the browser keeps them, once words are in them so many times: what is
/// shown is kept a little later.
pub(crate) async fn kept_lines(page: &Browser, words: &str, n: usize) -> Result<String> {
    const LINES: &str = "new Promise((done) => {
        const open = indexedDB.open('graphground');
        open.onsuccess = () => {
            const all = open.result.transaction('bench_lines').objectStore('bench_lines').getAll();
            all.onsuccess = () => {
                open.result.close();
                done(all.result.join(''));
            };
        };
    })";
    let are_kept =
        format!("return {LINES}.then((text) => text.split({}).length > {n})", json!(words));
    page.until(&format!("{n} times {words} is kept"), &are_kept).await?;
    let lines = page.run(&format!("return {LINES}"), vec![]).await?;
    Ok(lines.as_str().unwrap_or_default().to_owned())
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
    // The way back leads to the list with the run that was opened.
    page.click("back").await?;
    page.until_text("main h1", "Scripts").await?;
    page.find("button.bench-row.now").await?;
    kept_lines(&page, RUN, 160).await?;
    page.client.refresh().await?;
    page.until_text("main h1", "Scripts").await?;
    page.until_text("[data-testid='bench-runs'] h2", "Runs: 160 of 160").await?;
    page.close().await
}

#[tokio::test]
async fn a_reload_in_the_middle_loses_nothing_that_was_finished() -> Result<()> {
    let companion = Companion::start().await?;
    let page = Browser::open("#/solve").await?;
    page.use_endpoint(&companion.url, "script").await?;
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
    // The report comes before the list of the runs, which is empty until then.
    page.until(
        "the runs are listed",
        "const h = document.querySelector('[data-testid=bench-runs] h2')?.textContent ?? '';
         return h !== '' && !h.endsWith(' of 0')",
    )
    .await?;
    let kept = page.text("[data-testid='bench-runs'] h2").await?;
    let kept: usize = kept.split(' ').next_back().unwrap_or_default().parse()?;
    // What was finished within the last moment may not have been kept yet.
    ensure!(kept + 8 >= before && kept < 480, "{kept} of {before} were kept");
    page.click("bench-start").await?;
    page.click("bench-pause").await?;
    page.until_text("[data-testid='bench-told']", "Paused").await?;
    // After another reload the progress is told, and what is correct is counted over all of it.
    let kept = n_done(&page).await?;
    page.client.refresh().await?;
    page.until_text("[data-testid='bench-progress']", "of 480 runs").await?;
    page.until_text("[data-testid='bench-progress']", " correct").await?;
    ensure!(n_done(&page).await? + 8 >= kept, "the progress is not that of all runs");
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
    let lines = kept_lines(&page, RUN, 80).await?;
    ensure!(lines.matches(RUN).count() == 80, "not every run is kept");
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

#[tokio::test]
async fn a_report_says_who_made_it_and_is_saved_for_other_programs() -> Result<()> {
    let page = open(1280, "light").await?;
    page.choose("bench-script", "script").await?;
    page.click("bench-start").await?;
    page.until_text("[data-testid='bench-runs'] h2", "of 160").await?;
    page.type_into("about-authors", "Ann Lee; Jan Roe").await?;
    page.type_into("about-address", "example.org").await?;
    page.until_text(".bench-about", "Begin it with https://").await?;
    page.type_into("about-address", "https://example.org/report").await?;
    page.type_into("about-description", "Two scripts <b>only</b>.").await?;
    let date =
        "const d = document.querySelector('[data-testid=about-date]'); d.value = '2026-03-01';
        for (const e of ['input', 'change']) d.dispatchEvent(new Event(e, { bubbles: true }))";
    page.run(date, vec![]).await?;
    page.until_text("[data-testid='citation']", "@misc{lee2026").await?;
    page.until_text("[data-testid='bench-by']", "Ann Lee and Jan Roe").await?;
    page.shoot("bench-about").await?;
    // The page offers files by links to blobs: their texts are caught here.
    let catch = "window.saved = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = b => { b.text().then(t => window.saved.push(t)); return make(b); };";
    page.run(catch, vec![]).await?;
    page.click("save-html").await?;
    page.until("the page is saved", "return window.saved.length === 1").await?;
    let says =
        "return ['Ann Lee and Jan Roe', '@misc{lee2026', 'Two scripts &lt;b&gt;only&lt;/b&gt;.',
        'href=\"https://example.org/report\"'].filter(w => !window.saved[0].includes(w))";
    ensure!(page.run(says, vec![]).await? == json!([]), "the page does not say who made it");
    // One file a setup.
    page.click("save-eval.json").await?;
    page.until("logs of Inspect are saved", "return window.saved.length === 5").await?;
    page.click("save-results.json").await?;
    page.until("results are saved", "return window.saved.length === 9").await?;
    let read = "return [JSON.parse(window.saved[1]).samples.length > 0,
        Object.keys(JSON.parse(window.saved[5]).results).length > 0]";
    ensure!(page.run(read, vec![]).await? == json!([true, true]));
    // What was written is there after a reload.
    page.client.refresh().await?;
    page.until_text("[data-testid='bench-by']", "Ann Lee and Jan Roe").await?;
    page.until_text(".bench-what", "Two scripts <b>only</b>.").await?;
    // So is what was typed in the moment before, when the field was not left.
    page.type_into("about-description", "Written in haste.").await?;
    page.client.refresh().await?;
    page.until_text(".bench-what", "Written in haste.").await?;
    page.client.refresh().await?;
    page.until_text(".bench-what", "Written in haste.").await?;
    page.close().await
}

#[tokio::test]
async fn runs_of_a_second_file_are_compared_with_those_of_the_first() -> Result<()> {
    let page = open(1280, "light").await?;
    page.choose("bench-script", "script").await?;
    page.click("bench-start").await?;
    page.until_text("[data-testid='bench-runs'] h2", "of 160").await?;
    let first = kept_lines(&page, RUN, 160).await?;
    page.close().await?;
    let page = open(1280, "light").await?;
    page.choose("bench-script", "mistaken/bad-json").await?;
    page.click("bench-start").await?;
    page.until_text("[data-testid='bench-runs'] h2", "of 160").await?;
    let path = crate::browser::file("first.jsonl", &first)?;
    let input = page.client.find(fantoccini::Locator::Css("[data-testid='bench-add']")).await?;
    input.send_keys(&path.to_string_lossy()).await?;
    page.until_text("[data-testid='bench-told']", "runs of first.jsonl were added").await?;
    let options =
        "return document.querySelectorAll('[data-testid=compare-left] option').length > 2";
    page.until("there are more setups", options).await?;
    page.choose("compare-right", "2").await?;
    page.click("bench-compare").await?;
    page.find("[data-testid='differing']").await?;
    page.close().await
}

#[tokio::test]
async fn an_empty_page_shows_an_example() -> Result<()> {
    let page = Browser::open_sized("#/bench", 360, 740, "light").await?;
    page.click("bench-example").await?;
    page.until_text("[data-testid='bench-runs'] h2", "80 of 80").await?;
    page.until_text("main h1", "An example by a script").await?;
    // Its plots fit the phone, with words that can be read.
    let plots = "return [...document.querySelectorAll('svg.plot')]
        .filter(p => p.getBoundingClientRect().right > innerWidth
            || p.viewBox.baseVal.width > p.getBoundingClientRect().width * 1.1).length";
    ensure!(page.run(plots, vec![]).await? == json!(0), "a plot is wider than the phone");
    page.shoot("bench-example-360").await?;
    page.close().await
}
