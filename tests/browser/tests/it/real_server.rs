//! The page against llama.cpp's server with a small model: the checks, an answer that comes as a stream,
//! Stop in the middle of it, and a run with tools in the text.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::Browser;

const PATIENCE: Duration = Duration::from_secs(600);
const TASK: &str = "#/solve?task=connectivity&difficulty=easy&seed=1";

fn address() -> Result<String> {
    std::env::var("GRAPHGROUND_LLAMA").context("`cargo xtask peers --server` names the server")
}

/// Waits longer than other tests: the model computes on this machine.
async fn wait(page: &Browser, what: &str, script: &str) -> Result<()> {
    let began = Instant::now();
    while page.run(script, vec![]).await? != true {
        ensure!(began.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("{what}: {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}

/// Opens a problem, with the endpoint that is in use.
async fn open(page: &Browser, hash: &str) -> Result<()> {
    page.run("location.hash = arguments[0]", vec![hash.into()]).await?;
    page.until_text(".question", "Q:").await
}

/// Fills in the server and uses it.
async fn with_server(page: &Browser, style: &str, max_tokens: &str) -> Result<()> {
    page.choose("protocol", "openai").await?;
    page.type_into("endpoint-url", &address()?).await?;
    page.type_into("endpoint-model", "smollm2").await?;
    page.choose("tool-style", style).await?;
    page.run("document.querySelectorAll('form details').forEach(d => d.open = true)", vec![])
        .await?;
    page.type_into("max-tokens", max_tokens).await?;
    page.click("use-this").await?;
    page.until_text(".report.ok", "smollm2").await
}

#[tokio::test]
#[ignore = "run by `cargo xtask peers --server`"]
async fn the_checks_notice_that_the_model_reads_of_no_tools() -> Result<()> {
    let page = Browser::open("#/endpoints").await?;
    page.choose("protocol", "openai").await?;
    page.type_into("endpoint-url", &address()?).await?;
    page.type_into("endpoint-model", "smollm2").await?;
    page.click("check").await?;
    let done = "return !!document.querySelector(\"[data-check='ToolCall'][data-outcome='doubt'], \
                [data-check='ToolCall'][data-outcome='no']\")";
    wait(&page, "the checks", done).await?;
    let said = page.text(".checks").await?;
    ensure!(said.contains("leaves tools out"), "{said}");
    let style = "return document.querySelector(\"[data-testid='tool-style']\").value";
    let style = page.run(style, vec![]).await?;
    ensure!(style == "json" || style == "react", "the style stayed {style}");
    page.shoot("endpoints-llama-1280-light").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "run by `cargo xtask peers --server`"]
async fn an_answer_comes_as_a_stream_and_stop_ends_it() -> Result<()> {
    let page = Browser::open("#/endpoints").await?;
    with_server(&page, "native", "1500").await?;
    // An order of many nodes: the model would speak for long.
    open(&page, "#/solve?task=topology&difficulty=medium&seed=1").await?;
    page.click("standalone").await?;
    wait(&page, "the first words", "return !!document.querySelector('.live')?.textContent.trim()")
        .await?;
    let began = Instant::now();
    // The button that began it ends it.
    page.click("standalone").await?;
    page.until("stopped", "return !document.querySelector('.card.busy')").await?;
    println!("Stop took {:.0} ms", began.elapsed().as_secs_f64() * 1000.0);
    page.until_text(".steps", "Model, stopped").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "run by `cargo xtask peers --server`"]
async fn runs_in_every_style_come_to_a_verdict() -> Result<()> {
    for style in ["native", "json", "react"] {
        let page = Browser::open("#/endpoints").await?;
        with_server(&page, style, "64").await?;
        open(&page, TASK).await?;
        page.click("grounded").await?;
        let done = "return !!document.querySelector('.card[data-verdict]')";
        wait(&page, &format!("a run with tools, {style}"), done).await?;
        let told = page.text(".steps").await?;
        let is_dropped = told.contains("left the tools out");
        ensure!(is_dropped == (style == "native"), "{style}: {}", json!(told));
        page.shoot(&format!("solve-llama-{style}-1280-light")).await?;
        page.close().await?;
    }
    Ok(())
}
