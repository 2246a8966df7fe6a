//! The page in Firefox: a scripted run, isolation, an engine that is ended, SPARQL, hostile traces, a
//! store that never answers. `cargo xtask firefox`.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::browser::{base, file, target};

const PATIENCE: Duration = Duration::from_secs(60);

/// A Firefox of its own, with its driver, which ends with it.
async fn firefox() -> Result<(Client, tokio::process::Child)> {
    let program = std::env::var("GRAPHGROUND_GECKODRIVER")
        .context("run this test with `cargo xtask firefox`")?;
    let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    // A second driver beside the first wants another port for its own talk with the browser too.
    let inner = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let driver = Command::new(program)
        .args(["--port", &port.to_string(), "--marionette-port", &inner.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .context("geckodriver does not start")?;
    let options = json!({ "args": ["-headless", "--width=1280", "--height=800"] });
    let capabilities = json!({ "browserName": "firefox", "moz:firefoxOptions": options });
    let Value::Object(capabilities) = capabilities else { bail!("no capabilities") };
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.clone());
        if let Ok(found) = builder.connect(&format!("http://127.0.0.1:{port}")).await {
            return Ok((found, driver));
        }
    }
    bail!("no Firefox")
}

/// What a selector finds, once it is there.
async fn find(page: &Client, css: &str) -> Result<fantoccini::elements::Element> {
    let found = page.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await;
    found.with_context(|| format!("nothing on the page is {css}"))
}

/// Waits until a text is somewhere in what a selector finds.
async fn until_text(page: &Client, css: &str, text: &str) -> Result<()> {
    let script = "return [...document.querySelectorAll(arguments[0])]
        .some(e => e.textContent.includes(arguments[1]))";
    for _ in 0..PATIENCE.as_millis() / 100 {
        if page.execute(script, vec![json!(css), json!(text)]).await? == json!(true) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let body = page.execute("return document.body.innerText.slice(0, 2000)", vec![]).await?;
    bail!("{css} never says {text:?}; the page says {body}")
}

async fn shoot(page: &Client, name: &str) -> Result<()> {
    let folder = target().join("screenshots");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(format!("{name}.png")), page.screenshot().await?)?;
    Ok(())
}

#[tokio::test]
#[ignore = "run by `cargo xtask firefox`"]
async fn a_scripted_run_in_firefox() -> Result<()> {
    let (page, _driver) = firefox().await?;
    // As it is served, and as one file from a disk.
    let single = std::env::var("GRAPHGROUND_SINGLE_FILE").context("the page as one file")?;
    for (name, at) in [("firefox", base()?), ("firefox-disk", format!("file://{single}"))] {
        look(&page, name, &at).await?;
    }
    page.close().await?;
    Ok(())
}

/// The page is cut off from other origins, so that threads could start, and each engine holds its
/// lock: one that is ended is noticed, and a run says so.
#[tokio::test]
#[ignore = "run by `cargo xtask firefox`"]
async fn isolation_and_lost_engines_in_firefox() -> Result<()> {
    let (page, _driver) = firefox().await?;
    page.goto(&format!("{}#/solve?task=cycle&difficulty=easy&seed=2", base()?)).await?;
    until_text(&page, ".question", "Q:").await?;
    let isolated = page.execute("return crossOriginIsolated", vec![]).await?;
    ensure!(isolated == json!(true), "the page is not isolated");
    let has =
        "return [typeof SharedArrayBuffer, typeof navigator.locks, typeof navigator.serviceWorker]";
    let has = page.execute(has, vec![]).await?;
    ensure!(has == json!(["function", "object", "object"]), "{has}");
    let keep = "window.workers = []; window.Worker = class extends Worker {
        constructor(url, options) { super(url, options); workers.push([options?.name ?? '', this]); } }";
    page.execute(keep, vec![]).await?;
    page.execute("location.hash = '#/bench'", vec![]).await?;
    find(&page, "[data-testid='bench-new']").await?.click().await?;
    let set = "const n = document.querySelector('[data-testid=bench-n]');
        n.value = '60'; n.dispatchEvent(new Event('change', { bubbles: true }))";
    find(&page, "[data-testid='bench-n']").await?;
    page.execute(set, vec![]).await?;
    find(&page, "[data-testid='bench-start']").await?.click().await?;
    until_text(&page, "[data-testid='bench-progress'] span", " correct").await?;
    page.execute("workers.findLast(([n]) => n.startsWith('knowledge-'))[1].terminate()", vec![])
        .await?;
    until_text(&page, ".notice", "The engine ended and was restarted").await?;
    find(&page, "[data-testid='bench-runs']").await?;
    shoot(&page, "firefox-bench").await?;
    page.close().await?;
    Ok(())
}

#[tokio::test]
#[ignore = "run by `cargo xtask firefox`"]
async fn sparql_in_firefox() -> Result<()> {
    let (page, _driver) = firefox().await?;
    page.goto(&format!("{}#/kg", base()?)).await?;
    until_text(&page, "[data-testid='kg-figures']", "nodes").await?;
    find(&page, "[data-testid='kg-sparql']").await?.click().await?;
    find(&page, "[data-testid='sparql-run']").await?.click().await?;
    until_text(&page, "[data-testid='sparql-facts']", "rows.").await?;
    // One without an end is stopped, and the next is answered.
    let ask = async |query: &str| -> Result<()> {
        let field = find(&page, "[data-testid='sparql-query']").await?;
        field.clear().await?;
        field.send_keys(query).await?;
        find(&page, "[data-testid='sparql-run']").await?.click().await?;
        Ok(())
    };
    ask("SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }").await?;
    until_text(&page, "[data-testid='sparql-said']", "took longer than 10 seconds").await?;
    ask("ASK { ?l a type:Line }").await?;
    until_text(&page, "[data-testid='sparql-table'] td", "yes").await?;
    shoot(&page, "firefox-sparql").await?;
    page.close().await?;
    Ok(())
}

#[tokio::test]
#[ignore = "run by `cargo xtask firefox`"]
async fn hostile_traces_in_firefox() -> Result<()> {
    let (page, _driver) = firefox().await?;
    page.goto(&format!("{}#/traces", base()?)).await?;
    let evil = "<img src=x onerror=window.ran=1><script>window.ran=1</script>";
    let mut trace = trace::Trace::new(evil, evil.into(), vec![llm::Message::user(evil)]);
    let body = trace::StepBody::Note { text: format!("{evil}{}", "x".repeat(2_000_000)) };
    trace.steps.push(trace::Step { at_ms: 0.0, took_ms: 0.0, by_person: false, body });
    let write = trace::formats::write_own;
    let path = file("hostile-firefox.jsonl", &write(&[trace::Record::of(trace)]))?;
    find(&page, "[data-testid='trace-file']").await?.send_keys(&path.to_string_lossy()).await?;
    find(&page, ".step-row").await?.click().await?;
    until_text(&page, "[data-testid='detail']", "<img src=x").await?;
    until_text(&page, "[data-testid='cut']", "2.0 million characters").await?;
    let ran = page.execute("return [window.ran ?? 0, document.images.length]", vec![]).await?;
    ensure!(ran == json!([0, 0]), "{ran}");
    let broken = file("broken-firefox.jsonl", "{\"trace\": [[[")?;
    find(&page, "[data-testid='trace-file']").await?.send_keys(&broken.to_string_lossy()).await?;
    find(&page, ".notice").await?;
    shoot(&page, "firefox-traces").await?;
    page.close().await?;
    Ok(())
}

#[tokio::test]
#[ignore = "run by `cargo xtask firefox`"]
async fn a_store_that_never_answers_in_firefox() -> Result<()> {
    let (page, _driver) = firefox().await?;
    page.goto(&format!("{}#/solve?task=cycle&difficulty=easy&seed=2", base()?)).await?;
    until_text(&page, ".question", "Q:").await?;
    // From here on no opening comes or fails.
    let never = "IDBFactory.prototype.open = function () {
        const waits = { addEventListener: () => {}, removeEventListener: () => {} };
        return Object.setPrototypeOf(waits, IDBOpenDBRequest.prototype);
    }";
    page.execute(never, vec![]).await?;
    find(&page, "[data-testid='grounded']:not([disabled])").await?.click().await?;
    find(&page, ".card[data-verdict='Correct']").await?;
    until_text(&page, ".notice", "this browser does not keep runs").await?;
    page.close().await?;
    Ok(())
}

async fn look(page: &Client, name: &str, at: &str) -> Result<()> {
    page.goto(&format!("{at}#/solve?task=shortest_path&difficulty=easy&seed=7")).await?;
    let find = |css: &'static str| page.wait().at_most(PATIENCE).for_element(Locator::Css(css));
    let version = page.execute("return navigator.userAgent", vec![]).await?;
    ensure!(version.as_str().is_some_and(|v| v.contains("Firefox")), "{version}");
    find(".question").await?;
    // The button waits for the problem.
    find("[data-testid='grounded']:not([disabled])").await?.click().await?;
    find(".card[data-verdict='Correct']").await?;
    // The run is kept, and opens as a trace.
    page.execute("location.hash = '#/traces'", vec![]).await?;
    find("[data-testid='kept-runs'] .open").await?.click().await?;
    find(".step-row").await?;
    let folder = target().join("screenshots");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(format!("{name}.png")), page.screenshot().await?)?;
    let broken = page.find_all(Locator::Css(".panic")).await?.len();
    ensure!(broken == 0, "the page broke");
    Ok(())
}
