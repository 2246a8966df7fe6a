//! The problem of the day, which a person solves in the model's place.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, ensure};
use tasks::{TaskId, parse_question};

use crate::browser::Browser;

/// A day whose problem is about a cycle: two calls and a word.
const CYCLE: &str = "2026-11-20";

/// Calls a function in the model's place, with its fields filled in.
async fn call(page: &Browser, name: &str, fields: &[(&str, &str)]) -> Result<()> {
    page.choose("seat-tool", name).await?;
    page.until_text("[data-testid='seat'] .schema-form", "").await?;
    for (field, value) in fields {
        let script = "const label = [...document.querySelectorAll('[data-testid=seat] .schema-form label')]
                .find(l => l.textContent.trim().startsWith(arguments[0]));
            const input = label?.querySelector('textarea, input') ?? label?.parentElement.querySelector('textarea, input');
            if (!input) return false;
            input.value = arguments[1];
            input.dispatchEvent(new Event('input', { bubbles: true }));
            return true";
        let is_there = page.run(script, vec![(*field).into(), (*value).into()]).await?;
        ensure!(is_there == true, "{name} has no field {field}");
    }
    page.press("[data-testid='seat'] .schema-form button").await?;
    page.until_text(".steps", name).await
}

async fn question(page: &Browser) -> Result<String> {
    page.until_text("[data-testid='daily-question']", "Q:").await?;
    page.text("[data-testid='daily-question']").await
}

#[tokio::test]
async fn a_person_solves_the_problem_of_a_day_in_two_calls() -> Result<()> {
    let page = Browser::open(&format!("#/daily?day={CYCLE}")).await?;
    page.until_text("[data-testid='daily-day']", CYCLE).await?;
    let asked = question(&page).await?;
    let problem = parse_question(&asked)?;
    ensure!(problem.task() == TaskId::Cycle, "{asked}");
    page.until_text(
        "[data-testid='daily-script']",
        "The script, which knows every function, makes",
    )
    .await?;
    page.click("daily-start").await?;
    page.until_text("[data-testid='daily-count']", "No calls so far.").await?;
    let edges = "return document.querySelector('[data-testid=daily-edges]').textContent";
    let edges = page.run(edges, vec![]).await?;
    call(&page, "add_edges", &[("edges", edges.as_str().context("no edges")?)]).await?;
    page.until_text("[data-testid='daily-count']", "1 call so far.").await?;
    // The graph of the calls is drawn.
    page.until(
        "every node is drawn",
        &format!(
            "return document.querySelectorAll('svg.graph .node').length === {}",
            problem.graph.n_nodes()
        ),
    )
    .await?;
    page.shoot("daily-turn").await?;
    call(&page, "has_cycle", &[]).await?;
    page.until_text("[data-testid='daily-count']", "2 calls so far.").await?;
    let right = tasks::reference_text(&problem, &tasks::solve(&problem));
    page.type_into("seat-answer", &right).await?;
    page.press("[data-testid='seat'] form:last-child button").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.until_text("[data-testid='daily-told']", "Right, with 2 calls").await?;
    let line = "return document.querySelector('[data-testid=result-line]').value";
    let line = page.run(line, vec![]).await?;
    let line = line.as_str().context("no line")?.to_owned();
    let wanted =
        format!("Graphground · be the model · {CYCLE} · solved with 2 calls (the script: ");
    ensure!(line.starts_with(&wanted) && line.contains("■■"), "{line}");
    ensure!(line.ends_with(&format!("#/daily?day={CYCLE}")), "{line}");
    page.shoot("daily-solved").await?;
    // Again from the start, and a wrong answer from the head.
    page.click("daily-start").await?;
    page.until_text("[data-testid='daily-count']", "No calls so far.").await?;
    page.type_into("seat-answer", "I do not know.").await?;
    page.press("[data-testid='seat'] form:last-child button").await?;
    page.until_text("[data-testid='daily-told']", "not right, after 0 calls").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_day_has_one_problem_and_no_day_is_said_to_be_none() -> Result<()> {
    let page = Browser::open(&format!("#/daily?day={CYCLE}")).await?;
    let first = question(&page).await?;
    page.press(".daily-day a").await?;
    page.until_text("[data-testid='daily-day']", "2026-11-19").await?;
    page.until(
        "another question",
        "return !!document.querySelector('[data-testid=daily-question]').textContent",
    )
    .await?;
    let other = question(&page).await?;
    ensure!(first != other, "two days have one problem");
    page.run(&format!("location.hash = '#/daily?day={CYCLE}'"), vec![]).await?;
    page.until_text("[data-testid='daily-day']", CYCLE).await?;
    page.until(
        "the same problem",
        &format!(
            "return document.querySelector('[data-testid=daily-question]').textContent.trim() === {}",
            serde_json::json!(first.trim())
        ),
    )
    .await?;
    page.run("location.hash = '#/daily?day=2026-02-30'", vec![]).await?;
    page.until_text(".notice", "\"2026-02-30\" is no day").await?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() as f64;
    let today = trace::formats::moment(since);
    page.until_text("[data-testid='daily-day']", today.get(..10).context("no day")?).await?;
    page.close().await
}

#[tokio::test]
async fn the_problem_of_the_day_fits_every_window() -> Result<()> {
    let page = Browser::open(&format!("#/daily?day={CYCLE}")).await?;
    question(&page).await?;
    for begins in [false, true] {
        if begins {
            page.click("daily-start").await?;
            page.find("[data-testid='seat']").await?;
        }
        let name = if begins { "daily-seat" } else { "daily" };
        for (width, height) in [(1280, 800), (768, 1024), (360, 740)] {
            for scheme in ["light", "dark"] {
                page.becomes(width, height, scheme).await?;
                page.shoot(&format!("{name}-{width}-{scheme}")).await?;
                let wide = page.sideways().await?;
                ensure!(wide <= 0.0, "{name} at {width} scrolls sideways by {wide}");
            }
        }
        page.becomes(1280, 800, "light").await?;
    }
    page.close().await
}
