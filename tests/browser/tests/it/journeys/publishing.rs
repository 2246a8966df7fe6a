//! Pages that travel: opened from a disk with no network, with and without scripts, and saved again.

use std::io::{Read as _, Write as _};

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde_json::{Value, json};

use crate::browser::{Browser, Companion, Folder, one_file};
use crate::screens::{Bench, Endpoints, SavedPage, Solve, Traces, from_disk};

/// Words that would end an element, begin a comment, or name another policy.
const HOSTILE: &str = "Ours </script><!-- connect-src *";
/// What takes runs in the page as one file, and the policy of that file.
const PLACE: &str = r#"<script type="application/json" id="embedded"></script>"#;
const POLICY: &str = "; connect-src *;";

const ALL_FINE: &str = "everything comes out as the file says";
const ONE_FORGED: &str = "1 run does not come out as the file says";

/// A folder with 64 runs of a script that errs.
async fn with_runs(name: &str) -> Result<Folder> {
    let folder = Folder::new(name)?;
    let bench = "bench --difficulty easy --n 4 --system grounded,standalone --model mistaken \
                 --out runs.jsonl";
    folder.runs(bench).await?;
    Ok(folder)
}

#[tokio::test]
async fn a_static_page_is_read_without_a_network_and_without_scripts() -> Result<()> {
    let folder = with_runs("static").await?;
    folder.runs("report runs.jsonl --html page.html --title Scripts").await?;
    let bench = "bench --experiment kgqa --kg metro:6:1 --system all --seed 1 --n 10 \
                 --model erring:30 --count-tokens --out metro.jsonl";
    folder.runs(bench).await?;
    folder.runs("report metro.jsonl --html metro.html --title Metro").await?;
    let page = from_disk(&folder.address("page.html")).await?;
    let saved = SavedPage(&page);
    saved.is_titled("Scripts").await?;
    page.fits("static", None).await?;
    ensure!(saved.n_problems().await? == 32, "a problem is missing");
    saved.unfolds_problem().await?;
    saved.steps().await?;
    saved.problem_fits("static-run").await?;
    ensure!(saved.source().await?.contains("class=\"bar\""), "scripts add nothing");
    page.asks_nobody().await?;
    // Without scripts nothing is added, and everything is there.
    page.lets_scripts_run(false).await?;
    page.load_at(&folder.address("page.html")).await?;
    let source = saved.source().await?;
    ensure!(!source.contains("class=\"bar\""), "scripts were not off");
    for words in [
        "Correct answers and average time",
        "They test the harness, not a method",
        "class=\"g-e\"",
        "<li><b>",
    ] {
        ensure!(source.contains(words), "{words} is missing without scripts");
    }
    // The page of an experiment, too, steps through its runs.
    page.lets_scripts_run(true).await?;
    page.load_at(&folder.address("metro.html")).await?;
    ensure!(saved.n_problems().await? == 10, "one for each question");
    saved.unfolds_problem().await?;
    saved.has_steppers().await?;
    page.shoot("results-page-1280-light").await?;
    page.asks_nobody().await?;
    page.close().await
}

/// Makes a benchmark of 32 runs by a script that errs.
async fn small_benchmark(bench: &Bench<'_>, title: &str) -> Result<()> {
    bench.begin().await?;
    bench.names(title).await?;
    bench.of_each("2").await?;
    bench.start().await?;
    bench.lists(32).await
}

/// Waits until a live page has verified every result by itself, and asks nobody.
async fn verifies(page: &Browser, title: &str, n: usize, verdict: &str) -> Result<()> {
    let bench = Bench(page);
    bench.is_titled(title).await?;
    bench.lists(n).await?;
    bench.check_says(verdict).await?;
    match verdict {
        ALL_FINE => bench.has_seal().await?,
        _ => bench.has_broken_seal().await?,
    }
    page.asks_nobody().await
}

/// A live page in which a wrong answer is called right.
fn forged(page: &str) -> Result<String> {
    let (before, rest) = page.split_once("id=\"embedded\">").context("no place")?;
    let (data, after) = rest.split_once("</script>").context("no end")?;
    let mut data: Value = serde_json::from_str(data)?;
    let packed = STANDARD.decode(data["runs"].as_str().context("no runs")?)?;
    let mut runs = String::new();
    GzDecoder::new(packed.as_slice()).read_to_string(&mut runs)?;
    let forged = runs.replacen("\"verdict\":\"Incorrect\"", "\"verdict\":\"Correct\"", 1);
    ensure!(forged != runs, "no wrong run to tamper with");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(forged.as_bytes())?;
    data["runs"] = json!(STANDARD.encode(gzip.finish()?));
    let data = data.to_string().replace('<', "\\u003c");
    Ok(format!("{before}id=\"embedded\">{data}</script>{after}"))
}

#[tokio::test]
async fn a_live_page_verifies_itself_and_finds_what_was_tampered_with() -> Result<()> {
    // By the command line, and by the served page.
    let folder = with_runs("live").await?;
    folder.makes_live("runs.jsonl", "runs.html", "Scripts, live").await?;
    let page = Browser::open("#/bench").await?;
    small_benchmark(&Bench(&page), HOSTILE).await?;
    page.keep_saved().await?;
    let text = Bench(&page).saves("live", 1).await?.remove(0);
    ensure!(text.contains("; connect-src 'none';") && !text.contains(POLICY), "it may ask");
    folder.write("saved.html", &text)?;
    folder.write("tampered.html", &forged(&text)?)?;
    // The page as one file is saved as it is, or it is said that the site lacks it.
    page.go("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    Solve(&page).question().await?;
    let saving = SavedPage(&page);
    saving.opens_sharing().await?;
    let text = saving.saves_page().await?;
    ensure!(text == std::fs::read_to_string(one_file()?)?, "it is another file");
    saving.fails_to_save("new Response('', { status: 404 })", "cargo xtask dist").await?;
    // A site that answers with its first page whatever is asked for.
    saving.fails_to_save("new Response('<p>Welcome</p>')", "is another file").await?;
    page.close().await?;

    let page = from_disk(&folder.address("runs.html")).await?;
    verifies(&page, "Scripts, live", 64, ALL_FINE).await?;
    page.shoot("live-1280-light").await?;
    // Any problem is opened, and its tools are run by hand.
    Bench(&page).opens_run().await?;
    Traces(&page).to_solve().await?;
    let solve = Solve(&page);
    solve.question().await?;
    solve.with_tools().await?;
    solve.has_verdict().await?;
    for (name, verdict) in [("saved.html", ALL_FINE), ("tampered.html", ONE_FORGED)] {
        page.load_at(&folder.address(name)).await?;
        verifies(&page, HOSTILE, 32, verdict).await?;
    }
    page.becomes(360, 740, "dark").await?;
    page.shoot("live-forged-360-dark").await?;
    page.close().await
}

/// A page that Bench saved opens there again, live or small, whole or with a verdict that somebody changed;
/// several files are one benchmark.
#[tokio::test]
async fn saved_pages_and_files_of_runs_open_again_and_are_put_together() -> Result<()> {
    let folder = with_runs("again").await?;
    folder.makes_live("runs.jsonl", "live.html", "Scripts, live").await?;
    folder.runs("report runs.jsonl --html small.html --title Small").await?;
    folder.write("forged.html", &forged(&folder.read("small.html")?)?)?;
    let more = "bench --difficulty easy --n 4 --system grounded --model script --out more.jsonl";
    folder.runs(more).await?;
    let page = Browser::open("#/bench").await?;
    let bench = Bench(&page);
    for (name, title) in [("live.html", "Scripts, live"), ("small.html", "Small")] {
        bench.opens(&folder.0.join(name)).await?;
        bench.is_titled(title).await?;
        bench.lists(64).await?;
        bench.check_says("64 of 64 verdicts recomputed").await?;
        bench.has_seal().await?;
        bench.leaves().await?;
    }
    bench.opens(&folder.0.join("forged.html")).await?;
    bench.check_says("63 of 64 verdicts confirmed").await?;
    bench.has_broken_seal().await?;
    page.shoot("bench-forged-page").await?;
    bench.leaves().await?;
    let (runs, more) = (folder.0.join("runs.jsonl"), folder.0.join("more.jsonl"));
    bench.opens_all(&[&runs, &more]).await?;
    bench.lists(96).await?;
    bench.check_says("96 of 96 verdicts recomputed").await?;
    bench.progress_says("96 of 96 runs").await?;
    page.fits("bench-merged", None).await?;
    page.reload().await?;
    bench.lists(96).await?;
    bench.leaves().await?;
    folder.write("other.html", "<!doctype html><p>Hello")?;
    bench.opens(&folder.0.join("other.html")).await?;
    page.has_notice("holds no runs").await?;
    // A site without the page as one file says so where the button would be.
    bench.is_on_a_bare_site().await?;
    small_benchmark(&bench, "Bare").await?;
    bench.lacks_live("this site does not have the page as one file").await?;
    page.close().await
}

#[tokio::test]
async fn the_page_as_one_file_saves_itself_with_runs_with_others_and_without() -> Result<()> {
    let folder = Folder::new("itself")?;
    let page = from_disk(&format!("file://{}#/bench", one_file()?.display())).await?;
    let (bench, solve, saving) = (Bench(&page), Solve(&page), SavedPage(&page));
    small_benchmark(&bench, "By itself").await?;
    page.keep_saved().await?;
    folder.write("first.html", &bench.saves("live", 1).await?[0])?;
    // One that has runs in it saves itself with what was written about them there.
    page.load_at(&folder.address("first.html")).await?;
    verifies(&page, "By itself", 32, ALL_FINE).await?;
    bench.describes("title", HOSTILE).await?;
    page.keep_saved().await?;
    folder.write("second.html", &bench.saves("live", 1).await?[0])?;
    page.load_at(&folder.address("second.html")).await?;
    verifies(&page, HOSTILE, 32, ALL_FINE).await?;
    // Without runs it is a playground again, which may ask an endpoint.
    let problem = "#/solve?task=cycle&difficulty=easy&seed=2";
    page.go(problem).await?;
    solve.question().await?;
    page.keep_saved().await?;
    saving.opens_sharing().await?;
    let text = saving.saves_page().await?;
    ensure!(text.matches(PLACE).count() == 1 && text.matches(POLICY).count() == 1);
    folder.write("empty.html", &text)?;
    page.load_at(&folder.address(&format!("empty.html{problem}"))).await?;
    solve.question().await?;
    solve.with_tools().await?;
    solve.has_verdict().await?;
    page.close().await
}

/// Everything works from a disk without a network: our own model, runs, traces, lessons, an endpoint on
/// this machine. With data in it, the file opens them and asks nobody.
#[tokio::test]
async fn the_page_as_one_file_works_from_a_disk() -> Result<()> {
    let file = one_file()?.display().to_string();
    let at = |what: &str, hash: &str| format!("file://{file}?{what}{hash}");
    let page = from_disk(&at("starting", "")).await?;
    let (saved, solve, traces) = (SavedPage(&page), Solve(&page), Traces(&page));
    saved.starts().await?;
    page.asks_nobody().await?;
    page.load_at(&at("solving", "#/solve?task=shortest_path&difficulty=easy&seed=7")).await?;
    solve.question().await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    solve.keeps(1).await?;
    page.shoot("disk-solve-1280-light").await?;
    traces.open_kept().await?;
    page.go("#/lessons?l=friends").await?;
    saved.runs_lesson().await?;
    page.go("#/endpoints").await?;
    saved.says_its_origin().await?;
    page.shoot("disk-endpoints-1280-light").await?;
    saved.runs_no_model_file().await?;
    page.asks_nobody().await?;

    let companion = Companion::start_for_a_disk().await?;
    page.load_at(&at("asking", "#/solve?task=cycle&difficulty=easy&seed=2")).await?;
    solve.question().await?;
    page.use_endpoint(&companion.url, "script").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    page.becomes(360, 740, "dark").await?;
    page.shoot("disk-solve-360-dark").await?;
    let asked = page.asked().await?;
    ensure!(!asked.is_empty(), "no request was seen, so nobody can see any");
    for url in &asked {
        ensure!(url.starts_with(&companion.url), "the page asked {url}");
    }

    // A program may put data into the file and shut its network; the scripts' hash still fits.
    let folder = Folder::new("embedded")?;
    let trace = trace::Trace::new("grounded", "embedded </script><b>model".into(), Vec::new());
    let record = trace::Record { id: "e1".into(), ..trace::Record::of(trace) };
    let data = trace::formats::write_own(&[record]).replace('<', "\\u003c");
    let html = std::fs::read_to_string(&file)?;
    ensure!(html.matches(PLACE).count() == 1, "the place for data is not there once");
    ensure!(html.matches("connect-src *").count() == 1, "the policy is not there once");
    let html = html
        .replace(PLACE, &PLACE.replace("></", &format!(">{data}</")))
        .replace("connect-src *", "connect-src 'none'");
    folder.write("embedded.html", &html)?;
    page.becomes(1280, 800, "light").await?;
    page.load_at(&folder.address("embedded.html")).await?;
    traces.open_say("embedded </script><b>model").await?;
    page.shoot("disk-embedded-1280-light").await?;
    let models = format!("{}/models", companion.url);
    ensure!(!Endpoints(&page).can_ask(&models).await?, "the page could ask");
    let refused = page.complaints().await?;
    ensure!(refused.iter().any(|line| line.contains("connect-src")), "{refused:?}");
    page.close().await
}
