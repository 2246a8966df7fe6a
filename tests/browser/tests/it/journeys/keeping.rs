//! Runs that the browser keeps: those of every page on which somebody runs something.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};

use super::asking::{QUESTION, server};
use crate::browser::Browser;
use crate::screens::{
    Ask, Compare, Daily, Family, Inline, Kg, ModelTest, Rescue, Solve, Thoughts, Traces,
};

/// Pages on which nobody runs something of their own: what the first page and a lesson play is theirs, a
/// benchmark keeps its runs in itself, and the others ask no model.
const NONE: [&str; 8] =
    ["home", "dataset", "lessons", "lie", "gallery", "bench", "tools", "endpoints"];

/// Pages with runs, and how many the list has more once something was run there. The last needs an
/// endpoint, which the others would ask too.
const RUNS: [(&str, usize); 10] = [
    ("solve", 1),
    ("compare", 2),
    ("daily", 1),
    ("rescue", 1),
    ("kg", 1),
    ("kgot", 1),
    ("family", 1),
    ("toolformer", 1),
    ("test", 16),
    ("ask", 1),
];

/// Runs something on a page, as a person does.
async fn run_on(page: &Browser, path: &str) -> Result<()> {
    page.go(&match path {
        "solve" => "#/solve?task=cycle&difficulty=easy&seed=2".to_owned(),
        "kgot" => "#/kgot?task=41".to_owned(),
        "family" => "#/family?seed=4&people=9".to_owned(),
        path => format!("#/{path}"),
    })
    .await?;
    match path {
        "solve" => {
            let solve = Solve(page);
            solve.asks("cycle").await?;
            solve.with_tools().await?;
            solve.is_judged("Correct").await
        }
        "compare" => {
            Solve(page).question().await?;
            Compare(page).runs_both().await?;
            Compare(page).verdicts().await.map(drop)
        }
        "daily" => {
            let daily = Daily(page);
            daily.starts().await?;
            daily.answers("I do not know.").await?;
            daily.result_says("not right, after 0 calls").await
        }
        "rescue" => {
            Rescue(page).facts_say("9 locations").await?;
            Rescue(page).says("Deploy rescue robots.").await.map(drop)
        }
        "kg" => {
            Kg(page).is_ready().await?;
            Kg(page).next_question(2).await?;
            Kg(page).start("graphrunner").await?;
            Kg(page).verdict_says("correct").await
        }
        "kgot" => {
            Thoughts(page).is_ready().await?;
            Thoughts(page).solve().await
        }
        "family" => {
            Family(page).is_ready().await?;
            Family(page).request().await
        }
        "toolformer" => {
            Inline(page).is_ready().await?;
            let ran = "The bull graph has 5 nodes, and its radius is 2.";
            Inline(page).sentence_says(ran).await?;
            Inline(page).start().await?;
            Inline(page).sentence_says(ran).await
        }
        "test" => {
            ModelTest(page).starts().await?;
            ModelTest(page).draws_badge().await
        }
        _ => {
            Ask(page).types(QUESTION).await?;
            Ask(page).asks().await?;
            Ask(page).agrees("Follows from this graph").await
        }
    }
}

#[tokio::test]
async fn every_page_that_runs_something_keeps_its_run() -> Result<()> {
    let page = Browser::open("#/traces").await?;
    let traces = Traces(&page);
    let known: BTreeSet<String> = page.pages().await?.into_iter().collect();
    let told = NONE.into_iter().chain(RUNS.map(|(path, _)| path)).chain(["traces"]);
    ensure!(
        known == told.map(str::to_owned).collect(),
        "a page is missing here, or one is no more"
    );
    page.play_script("script").await?;
    let knowing = server(None)?;
    let mut n = 0;
    for (path, more) in RUNS {
        if path == "ask" {
            page.use_endpoint(&knowing.url(), "small").await?;
        }
        run_on(&page, path).await?;
        n += more;
        page.go("#/traces").await?;
        traces.keeps(n).await?;
        traces.newest_opens().await?;
        traces.closes_one().await?;
    }
    // A conversation that continues is one run, with all of it.
    let asking = server(Some("Do friendships go both ways?"))?;
    page.use_endpoint(&asking.url(), "small").await?;
    page.go("#/ask").await?;
    Ask(&page).types(QUESTION).await?;
    Ask(&page).asks().await?;
    Ask(&page).agrees("Asks back").await?;
    Ask(&page).replies("Yes, both ways.").await?;
    Ask(&page).agrees("Follows from this graph").await?;
    page.go("#/traces").await?;
    traces.keeps(n + 1).await?;
    page.close().await
}
