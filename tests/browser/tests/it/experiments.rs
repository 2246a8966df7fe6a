//! Every experiment on the Bench page: begun, gone on with after a reload, added up, checked.

use anyhow::{Result, ensure};

use crate::benchmark::{RUN, kept_lines};
use crate::browser::Browser;

/// Begins a form, and chooses an experiment in it.
async fn chosen(page: &Browser, id: &str) -> Result<()> {
    page.click("bench-new").await?;
    page.until(
        "the experiments are listed",
        "return document.querySelectorAll(\"[data-testid='bench-experiment'] option\").length >= 5",
    )
    .await?;
    page.choose("bench-experiment", id).await
}

/// Begins a benchmark of an experiment with the fewest clicks that a person needs, and waits for its
/// end.
async fn made(page: &Browser, id: &str) -> Result<()> {
    chosen(page, id).await?;
    page.type_into("bench-n", "2").await?;
    page.click("bench-start").await?;
    page.find("[data-testid='bench-report'] table").await?;
    page.until("no run goes on", "return !document.querySelector(\"[data-testid='bench-pause']\")")
        .await
}

async fn experiment(id: &str, words: &[&str]) -> Result<()> {
    let page = Browser::open("#/bench").await?;
    made(&page, id).await?;
    for words in words {
        page.until_text("[data-testid='bench-report']", words).await?;
    }
    page.shoot(&format!("bench-{id}-1280-light")).await?;
    page.click("bench-check").await?;
    page.until_text("[data-testid='check-result']", "verdicts").await?;
    // A reload keeps every run, and another sample of each is all that is made when it goes on.
    let count = "[data-testid='bench-runs'] h2";
    let before = page.text(count).await?;
    let n: usize = before.rsplit(' ').next().unwrap_or_default().parse()?;
    kept_lines(&page, RUN, n).await?;
    page.client.refresh().await?;
    page.until_text(count, &before).await?;
    page.press("details.bench-form summary").await?;
    page.type_into("bench-samples", "2").await?;
    page.click("bench-start").await?;
    let both = format!("{} of {}", 2 * n, 2 * n);
    page.until_text(count, &both).await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn nlgraph_on_the_bench_page() -> Result<()> {
    experiment("nlgraph", &["They test the harness, not a method", "False claim"]).await
}

#[tokio::test]
async fn questions_about_a_graph_on_the_bench_page() -> Result<()> {
    experiment("kgqa", &["Measures of answers", "GraphRunner", "Unsupported answer"]).await
}

#[tokio::test]
async fn family_requests_on_the_bench_page() -> Result<()> {
    experiment("family", &["Extraction (Table 3)", "Calls with Greedy Search (Table 5)"]).await
}

#[tokio::test]
async fn inline_calls_on_the_bench_page() -> Result<()> {
    experiment("toolformer", &["Statements with inline calls (Table 4)", "BLEU"]).await
}

#[tokio::test]
async fn disasters_on_the_bench_page() -> Result<()> {
    experiment("rescue", &["Plans", "As good as ours"]).await
}

#[tokio::test]
async fn tasks_that_grow_a_graph_on_the_bench_page() -> Result<()> {
    experiment("kgot", &["A query dropped", "KGoT, fusion", "no graph"]).await
}

/// Options are fields with their usual values; a wrong one says what would be right and changes
/// nothing, a right one is part of the setup.
#[tokio::test]
async fn an_option_of_an_experiment_is_set_on_the_bench_page() -> Result<()> {
    let page = Browser::open("#/bench").await?;
    chosen(&page, "kgqa").await?;
    for system in ["graphrunner", "graph_rag", "text_rag"] {
        page.click(&format!("system-{system}")).await?;
    }
    page.press("[data-testid='bench-options'] summary").await?;
    page.type_into("bench-option-max_steps", "many").await?;
    page.until_text("[data-testid='bench-options'] .fault", "such as 15").await?;
    page.shoot("bench-options-1280-light").await?;
    page.type_into("bench-option-max_steps", "7").await?;
    page.until_text("[data-testid='bench-options'] summary", "changed").await?;
    page.type_into("bench-n", "1").await?;
    page.click("bench-start").await?;
    page.until_text("[data-testid='bench-report']", "max steps 7").await?;
    page.no_complaints().await?;
    page.close().await
}

/// Another tab that makes runs of the same benchmark holds its lock; this one says so, makes nothing,
/// and goes on once that tab is done.
#[tokio::test]
async fn two_tabs_do_not_make_the_runs_of_one_benchmark() -> Result<()> {
    let page = Browser::open("#/bench").await?;
    page.run(
        "const take = navigator.locks.request.bind(navigator.locks);
         navigator.locks.request = async (name, options, callback) => {
             if (name.startsWith('graphground-bench-') && !window.release) {
                 await new Promise((held) => take(name, () => {
                     held();
                     return new Promise((release) => { window.release = release; });
                 }));
             }
             return take(name, options, callback);
         };",
        vec![],
    )
    .await?;
    page.click("bench-new").await?;
    page.find("[data-testid='bench-experiment'] option").await?;
    page.type_into("bench-n", "1").await?;
    page.click("bench-start").await?;
    page.until_text(".notice", "Another tab makes runs of this benchmark").await?;
    anyhow::ensure!(page.count("[data-testid='bench-report'] table").await? == 0);
    page.run("window.release()", vec![]).await?;
    page.click("bench-start").await?;
    page.find("[data-testid='bench-report'] table").await?;
    page.close().await
}

/// Two readers sort the runs that are not right, and the report says how often they agree.
#[tokio::test]
async fn failures_are_sorted_by_two_readers() -> Result<()> {
    let page = Browser::open("#/bench").await?;
    chosen(&page, "kgqa").await?;
    for system in ["graph_cot", "graph_rag"] {
        page.click(&format!("system-{system}")).await?;
    }
    // Text-RAG is told no edge: none of its answers is right.
    page.type_into("bench-n", "3").await?;
    page.click("bench-start").await?;
    page.find("[data-testid='sorting']").await?;
    page.until("no run goes on", "return !document.querySelector(\"[data-testid='bench-pause']\")")
        .await?;
    page.press("[data-testid='sorting'] summary").await?;
    page.find("[data-testid='sorting-run']").await?;
    // Without a name nothing is kept.
    page.click("sort-right").await?;
    page.until_text(".notice", "Type your name").await?;
    page.shoot("bench-sorting-1280-light").await?;
    page.type_into("sorting-reader", "Ada").await?;
    let run = "return document.querySelector('[data-testid=sorting-run] p').textContent";
    let first = page.run(run, vec![]).await?;
    page.click("sort-reasoning").await?;
    page.until_text("[data-testid='sorting-told']", "1 of ").await?;
    ensure!(page.run(run, vec![]).await? != first, "the next run comes by itself");
    page.click("sort-hallucination").await?;
    page.until_text("[data-testid='sorting-told']", "2 of ").await?;
    page.type_into("sorting-reader", "Ben").await?;
    page.until_text("[data-testid='sorting-told']", "0 of ").await?;
    page.press("[data-testid='sorting-run'] ~ .bench-act button:first-child").await?;
    page.press("[data-testid='sorting-run'] ~ .bench-act button:first-child").await?;
    page.click("sort-reasoning").await?;
    page.until_text("[data-testid='sorting-told']", "1 of ").await?;
    page.click("sorting-report").await?;
    page.until_text("[data-testid='bench-report']", "How readers agree").await?;
    // A reload keeps what readers said.
    kept_lines(&page, "\"reader\":\"Ben\"", 1).await?;
    page.client.refresh().await?;
    page.until_text("[data-testid='bench-report']", "How readers agree").await?;
    page.becomes(360, 800, "dark").await?;
    page.press("[data-testid='sorting'] summary").await?;
    page.find("[data-testid='sorting-run']").await?;
    ensure!(page.sideways().await? < 1.0);
    page.shoot("bench-sorting-360-dark").await?;
    page.no_complaints().await?;
    page.close().await
}
