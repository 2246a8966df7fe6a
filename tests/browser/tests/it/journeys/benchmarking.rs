//! Benchmarks: made, compared, described, saved, verified again, resumed, and opened from files.

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::browser::{Browser, Companion, Folder, file};
use crate::screens::{Bench, Outage};

/// What the line of a run has in it.
const RUN: &str = "\"type\":\"run\"";
/// What a check finds where nobody changed anything.
const ALL_FINE: &str = "everything comes out as the file says";

/// Makes a benchmark of 80 runs by one script.
async fn eighty_runs(bench: &Bench<'_>, title: &str) -> Result<()> {
    bench.begin().await?;
    bench.names(title).await?;
    bench.start().await?;
    bench.lists(80).await
}

#[tokio::test]
async fn a_benchmark_is_made_compared_verified_described_and_saved() -> Result<()> {
    let page = Browser::open_sized("#/bench", 360, 740, "light").await?;
    let bench = Bench(&page);
    // Who comes first sees runs of real models under the empty list, with plots for a phone.
    bench.example_is_by("SmolLM2-135M-Instruct").await?;
    bench.lists(114).await?;
    bench.plots_fit().await?;
    page.fits("bench-example", None).await?;
    page.becomes(1280, 800, "light").await?;
    bench.checks("114 of 114 verdicts").await?;
    bench.opens_run().await?;
    bench.returns().await?;
    bench.lists(114).await?;
    bench.is_titled("Bench").await?;

    bench.begin().await?;
    bench.names("Scripts").await?;
    bench.adds_script("script").await?;
    bench.estimates("160 runs").await?;
    page.shoot("bench-form-1280-light").await?;
    bench.start().await?;
    bench.progress_says("160 of 160 runs").await?;
    bench.lists(160).await?;
    bench.report_says("They test the harness, not a method").await?;
    bench.compares().await?;
    bench.checks(ALL_FINE).await?;
    page.fits("bench-report", None).await?;
    // A run of those that are wrong opens as a trace, and the way back leads to the list with it.
    bench.filters("2", 160).await?;
    bench.opens_run().await?;
    bench.returns().await?;
    bench.is_titled("Scripts").await?;
    bench.marks_last_run().await?;
    bench.kept_lines(RUN, 160).await?;
    page.reload().await?;
    bench.is_titled("Scripts").await?;
    bench.lists(160).await?;

    bench.describes("authors", "Ann Lee; Jan Roe").await?;
    bench.describes("address", "example.org").await?;
    bench.about_says("Begin it with https://").await?;
    bench.describes("address", "https://example.org/report").await?;
    bench.describes("description", "Two scripts <b>only</b>.").await?;
    bench.dates("2026-03-01").await?;
    bench.about_says("@misc{lee2026").await?;
    bench.is_by("Ann Lee and Jan Roe").await?;
    page.shoot("bench-about").await?;
    page.keep_saved().await?;
    let saved = bench.saves("html", 1).await?;
    for words in [
        "Ann Lee and Jan Roe",
        "@misc{lee2026",
        "Two scripts &lt;b&gt;only&lt;/b&gt;.",
        "href=\"https://example.org/report\"",
    ] {
        ensure!(saved[0].contains(words), "the page does not say {words}");
    }
    // One file for each of the four setups.
    for log in bench.saves("eval.json", 4).await? {
        let log: Value = serde_json::from_str(&log)?;
        ensure!(log["samples"].as_array().is_some_and(|all| !all.is_empty()), "{log}");
    }
    for results in bench.saves("results.json", 4).await? {
        let results: Value = serde_json::from_str(&results)?;
        ensure!(results["results"].as_object().is_some_and(|all| !all.is_empty()), "{results}");
    }
    // What was written is there after a reload, and so is what was typed in the moment before, when the
    // field was not left.
    page.reload().await?;
    bench.is_by("Ann Lee and Jan Roe").await?;
    bench.is_about("Two scripts <b>only</b>.").await?;
    bench.describes("description", "Written in haste.").await?;
    page.reload().await?;
    bench.is_about("Written in haste.").await?;
    page.reload().await?;
    bench.is_about("Written in haste.").await?;
    page.close().await
}

#[tokio::test]
async fn files_of_runs_are_compared_verified_and_refused_in_words() -> Result<()> {
    let page = Browser::open("#/bench").await?;
    let bench = Bench(&page);
    eighty_runs(&bench, "Scripts").await?;
    let lines = bench.kept_lines(RUN, 80).await?;
    ensure!(lines.matches(RUN).count() == 80, "not every run is kept");
    bench.leaves().await?;
    bench.begin().await?;
    bench.asks_instead(Some("mistaken/bad-json")).await?;
    bench.start().await?;
    bench.lists(80).await?;
    bench.adds(&file("first.jsonl", &lines)?).await?;
    bench.reports("80 runs of first.jsonl were added").await?;
    bench.lists(160).await?;
    bench.compares().await?;

    // Tampered with, torn, and of another time.
    let forged = lines.replacen("\"verdict\":\"Incorrect\"", "\"verdict\":\"Correct\"", 1);
    ensure!(forged != lines, "no wrong run to tamper with");
    page.drop_file("forged.jsonl", &forged).await?;
    bench.is_titled("forged").await?;
    bench.lists(80).await?;
    bench.checks("1 run does not come out").await?;
    bench.check_says("the verdict is \"Wrong\"").await?;
    page.fits("bench-forged", None).await?;
    page.drop_file("torn.jsonl", &lines[..lines.len() - 40]).await?;
    page.has_notice("was cut off").await?;
    bench.lists(79).await?;
    let newer = lines.replacen("\"version\":2", "\"version\":9", 1);
    page.drop_file("newer.jsonl", &newer).await?;
    page.has_notice("newer Graphground").await?;
    page.close().await
}

#[tokio::test]
async fn results_of_the_command_line_are_added_up_verified_and_open_as_traces() -> Result<()> {
    let folder = Folder::new("results")?;
    folder
        .runs(
            "bench --experiment kgqa --kg metro:6:1 --system all --seed 1 --n 10 --model erring:30 \
             --count-tokens --out metro.jsonl",
        )
        .await?;
    let reported = folder.runs("report metro.jsonl --json").await?;
    let report: Value = serde_json::from_str(&reported)?;
    let value = report["rows"][0]["accuracy"]["value"].as_f64().unwrap_or(-1.0);
    folder.write("small.jsonl", &folder.runs("kgetool generate --small").await?)?;
    let run = "bench --experiment family --system gs --problems small.jsonl --out family.jsonl";
    folder.runs(run).await?;

    let page = Browser::open("#/bench").await?;
    let bench = Bench(&page);
    bench.opens(&folder.0.join("metro.jsonl")).await?;
    bench.report_says("Measures of answers").await?;
    bench.first_row_says(&format!("{:.2}%", value * 100.0)).await?;
    page.shoot("results-1280-light").await?;
    bench.checks("40 of 40 verdicts").await?;
    bench.lists(40).await?;
    bench.opens_run_of("GraphRunner").await?;
    page.says("Fetch_Neighbors").await?;
    page.go("#/bench").await?;
    bench.report_says("Measures of answers").await?;
    bench.leaves().await?;
    // What is no such file leaves what is kept.
    folder
        .write("bad.jsonl", &folder.read("metro.jsonl")?.replacen("\"score\"", "\"scores\"", 1))?;
    bench.opens(&folder.0.join("bad.jsonl")).await?;
    page.has_notice("bad.jsonl: line").await?;
    bench.opens(&folder.0.join("family.jsonl")).await?;
    bench.report_says("Table 5").await?;
    page.fits("results", None).await?;
    page.no_complaints().await?;
    page.close().await
}

/// Another tab makes its runs, its engine ends, the page is loaded again in the middle, and it is paused:
/// nothing that was finished is lost, and nothing is made twice.
#[tokio::test]
async fn a_benchmark_is_resumed_whatever_interrupts_it() -> Result<()> {
    let companion = Companion::start().await?;
    let page = Browser::open("#/tools").await?;
    let outage = Outage(&page);
    outage.reaches_engines().await?;
    page.load("#/solve").await?;
    page.use_endpoint(&companion.url, "script").await?;
    page.go("#/bench").await?;
    let bench = Bench(&page);
    bench.another_tab_runs(true).await?;
    bench.begin().await?;
    bench.names("Over the network").await?;
    bench.asks_instead(None).await?;
    bench.of_each("15").await?;
    bench.start().await?;
    page.has_notice("Another tab makes runs of this benchmark").await?;
    ensure!(!bench.has_report().await?, "runs were made beside those of another tab");
    bench.another_tab_runs(false).await?;
    bench.start().await?;
    bench.watches_it_grow().await?;
    bench.has_done_more_than(20).await?;
    outage.ends_engine("knowledge").await?;
    page.has_notice("The engine ended and was restarted").await?;
    bench.has_done_more_than(bench.n_done().await? + 20).await?;
    let before = bench.n_done().await?;
    page.reload().await?;
    bench.is_titled("Over the network").await?;
    let kept = bench.n_listed().await?;
    // What was finished within the last moment may not have been kept yet.
    ensure!(kept + 8 >= before && kept < 240, "{kept} of {before} were kept");
    bench.start().await?;
    bench.pauses().await?;
    bench.reports("Paused").await?;
    // After another reload the progress is there, and what is correct is counted over all of it.
    let kept = bench.n_done().await?;
    page.reload().await?;
    bench.progress_says("of 240 runs").await?;
    bench.progress_says(" correct").await?;
    ensure!(bench.n_done().await? + 8 >= kept, "the progress is not that of all runs");
    bench.start().await?;
    bench.lists(240).await?;
    bench.progress_says("240 of 240 runs").await?;
    bench.checks(ALL_FINE).await?;
    page.close().await
}

/// Questions about a knowledge graph, with an option of its own: a wrong value says what would be right, a
/// right one is part of the setup. Two readers sort the runs that are not right.
#[tokio::test]
async fn an_experiment_is_set_up_made_resumed_and_its_failures_are_sorted() -> Result<()> {
    let page = Browser::open("#/bench").await?;
    let bench = Bench(&page);
    bench.begin().await?;
    bench.chooses("kgqa").await?;
    bench.leaves_out("graph_rag").await?;
    bench.option("max_steps", "many").await?;
    bench.options_say("such as 15").await?;
    page.shoot("bench-options-1280-light").await?;
    bench.option("max_steps", "7").await?;
    bench.options_say("changed").await?;
    bench.of_each("2").await?;
    bench.start().await?;
    bench.has_ended().await?;
    for words in ["Measures of answers", "GraphRunner", "Unsupported answer", "max steps 7"] {
        bench.report_says(words).await?;
    }
    let report = bench.report().await?;
    ensure!(report.contains("Text-RAG") && !report.contains("Graph-RAG"), "{report}");
    bench.checks("verdicts").await?;
    // A reload keeps every run, and another sample of each is all that is made when it is resumed.
    let n = bench.n_listed().await?;
    bench.kept_lines(RUN, n).await?;
    page.reload().await?;
    bench.lists(n).await?;
    bench.samples(2).await?;
    bench.start().await?;
    bench.lists(2 * n).await?;

    bench.unfolds_failures().await?;
    bench.sorts("right").await?;
    page.has_notice("Type your name").await?;
    page.shoot("bench-sorting-1280-light").await?;
    bench.reads_as("Ada").await?;
    bench.has_sorted("0 of ").await?;
    let first = bench.failure().await?;
    bench.sorts("reasoning").await?;
    bench.has_sorted("1 of ").await?;
    ensure!(bench.failure().await? != first, "the next run comes by itself");
    bench.sorts("hallucination").await?;
    bench.has_sorted("2 of ").await?;
    bench.reads_as("Ben").await?;
    bench.has_sorted("0 of ").await?;
    bench.previous_failure().await?;
    bench.previous_failure().await?;
    bench.sorts("reasoning").await?;
    bench.has_sorted("1 of ").await?;
    bench.adds_up().await?;
    bench.report_says("How readers agree").await?;
    bench.kept_lines("\"reader\":\"Ben\"", 1).await?;
    page.reload().await?;
    bench.report_says("How readers agree").await?;
    bench.unfolds_failures().await?;
    page.fits("bench-sorting", None).await?;

    // The form of another experiment, and its own words in the report.
    bench.leaves().await?;
    bench.begins().await?;
    bench.chooses("kgot").await?;
    bench.of_each("1").await?;
    bench.start().await?;
    bench.has_ended().await?;
    for words in ["A query dropped", "KGoT, fusion", "no graph"] {
        bench.report_says(words).await?;
    }
    bench.checks("verdicts").await?;
    page.no_complaints().await?;
    page.close().await
}
