//! The page as one file, opened from a disk with no network.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::{Browser, Companion, target};

/// Where the file is, as an address.
fn address(path: &str, hash: &str) -> String {
    format!("file://{path}{hash}")
}

fn file() -> Result<String> {
    std::env::var("GRAPHGROUND_SINGLE_FILE").context("run these tests with `cargo xtask test`")
}

/// Opens the file in a browser that finds no host but this machine's own.
async fn open(hash: &str, width: u32, scheme: &str) -> Result<Browser> {
    Browser::open_at(
        &address(&file()?, hash),
        width,
        800,
        scheme,
        &["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    )
    .await
}

/// What the browser loaded for this page, and what its security policy refused.
async fn asked(page: &Browser) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let noted = page.requests().await?;
    ensure!(noted.iter().any(|line| line.starts_with("file:")), "the page itself was not noted");
    for line in noted {
        let own =
            ["file:", "data:", "blob:", "chrome:"].iter().any(|scheme| line.starts_with(scheme));
        if !own {
            found.push(line);
        }
    }
    let entries = page
        .run(
            "return performance.getEntriesByType('resource').map(e => e.name)
                .filter(n => !/^(data|blob):/.test(n))",
            vec![],
        )
        .await?;
    let entries: Vec<String> = serde_json::from_value(entries)?;
    found.extend(entries);
    Ok(found)
}

#[tokio::test]
async fn a_run_its_trace_and_a_lesson_work_from_a_disk_without_a_network() -> Result<()> {
    let page = open("#/solve?task=shortest_path&difficulty=easy&seed=7", 1280, "light").await?;
    page.until_text(".question", "Q:").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.until_text("[data-testid='kept']", "kept in this browser").await?;
    page.shoot("disk-solve-1280-light").await?;
    page.run("location.hash = '#/traces'", vec![]).await?;
    page.press("[data-testid='kept-runs'] .open").await?;
    page.find(".step-row").await?;
    page.run("location.hash = '#/lessons?l=friends'", vec![]).await?;
    page.find("[data-testid='lesson-claims'] mark.claim.false").await?;
    page.click("lesson-run").await?;
    page.find("[data-testid='side-grounded'] .card[data-verdict='Correct']").await?;
    // Both engines: files are checked by the other one.
    page.run("location.hash = '#/endpoints'", vec![]).await?;
    page.until_text("[data-testid='from-disk'] code", "null").await?;
    page.shoot("disk-endpoints-1280-light").await?;
    let asked = asked(&page).await?;
    ensure!(asked.is_empty(), "the page asked for {asked:?}");
    let refused = page.complaints().await?;
    ensure!(refused.is_empty(), "the browser complained: {refused:?}");
    page.close().await
}

#[tokio::test]
async fn our_own_model_answers_from_a_disk() -> Result<()> {
    let page = open("", 1280, "light").await?;
    page.find("[data-testid='home-side-0'] [data-verdict]").await?;
    page.find("[data-testid='home-side-1'] [data-verdict='Correct']").await?;
    let asked = asked(&page).await?;
    ensure!(asked.is_empty(), "the page asked for {asked:?}");
    page.close().await
}

#[tokio::test]
async fn an_endpoint_on_this_machine_is_asked_from_a_disk() -> Result<()> {
    let companion = Companion::start_for_a_disk().await?;
    let page = open("#/solve?task=cycle&difficulty=easy&seed=2", 360, "dark").await?;
    page.until_text(".question", "Q:").await?;
    page.click("endpoint").await?;
    page.click("use-endpoint").await?;
    page.type_into("base-url", &companion.url).await?;
    page.type_into("model", "script").await?;
    page.click("use").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.shoot("disk-solve-360-dark").await?;
    let asked = asked(&page).await?;
    ensure!(!asked.is_empty(), "no request was seen, so the other test cannot see any");
    for url in &asked {
        ensure!(url.starts_with(&companion.url), "the page asked {url}");
    }
    page.close().await
}

/// A program may put data into the file and shut its network; the scripts' hash still fits.
#[tokio::test]
async fn data_is_embedded_and_the_file_then_asks_nobody() -> Result<()> {
    let companion = Companion::start().await?;
    let trace = {
        let mut trace =
            trace::Trace::new("grounded", "embedded </script><b>model".into(), Vec::new());
        trace.steps.clear();
        let record = trace::Record { id: "e1".into(), ..trace::Record::of(trace) };
        let own = trace::formats::find("graphground").context("our own format")?;
        (own.write)(&[record])
    };
    let html = std::fs::read_to_string(file()?)?;
    let place = r#"<script type="application/json" id="embedded"></script>"#;
    ensure!(html.matches(place).count() == 1, "the place for data is not there once");
    ensure!(html.matches("connect-src *").count() == 1, "the policy is not there once");
    let data = trace.replace('<', "\\u003c");
    let html = html
        .replace(place, &place.replace("></", &format!(">{data}</")))
        .replace("connect-src *", "connect-src 'none'");
    let folder = target().join("uploads");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("embedded.html");
    std::fs::write(&path, html)?;
    let path = path.canonicalize()?.display().to_string();
    let page = Browser::open_at(&address(&path, ""), 1280, 800, "light", &[]).await?;
    // It opens by itself.
    page.until_text("[data-testid='open-traces']", "embedded </script><b>model").await?;
    page.shoot("disk-embedded-1280-light").await?;
    let script = "const done = arguments[arguments.length - 1];
        fetch(arguments[0]).then(() => done('answered'), () => done('refused'))";
    let url = format!("{}/models", companion.url);
    let answer = page.client.execute_async(script, vec![json!(url)]).await?;
    ensure!(answer == "refused", "the page could ask: {answer}");
    let refused = page.complaints().await?;
    ensure!(refused.iter().any(|line| line.contains("connect-src")), "{refused:?}");
    page.close().await
}

#[tokio::test]
async fn it_says_that_no_model_file_runs_in_it() -> Result<()> {
    let page = open("#/solve", 1280, "light").await?;
    page.until_text(".question", "Q:").await?;
    page.click("endpoint").await?;
    page.click("use-file").await?;
    page.until_text(".endpoint .report", "has nothing in it that runs models").await?;
    ensure!(page.count("[data-testid='own-file']").await? == 0);
    page.close().await
}
