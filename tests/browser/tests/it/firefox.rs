//! The page in Firefox: it opens, and a scripted run gives its verdict. `cargo xtask firefox`.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::browser::{base, target};

const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_scripted_run_in_firefox() -> Result<()> {
    let program = std::env::var("GRAPHGROUND_GECKODRIVER")
        .context("run this test with `cargo xtask firefox`")?;
    let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let _driver = Command::new(program)
        .args(["--port", &port.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .context("geckodriver does not start")?;
    let options = json!({ "args": ["-headless", "--width=1280", "--height=800"] });
    let capabilities = json!({ "browserName": "firefox", "moz:firefoxOptions": options });
    let Value::Object(capabilities) = capabilities else { bail!("no capabilities") };
    let mut client = None;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.clone());
        if let Ok(found) = builder.connect(&format!("http://127.0.0.1:{port}")).await {
            client = Some(found);
            break;
        }
    }
    let page = client.context("no Firefox")?;
    // As it is served, and as one file from a disk.
    let single = std::env::var("GRAPHGROUND_SINGLE_FILE").context("the page as one file")?;
    for (name, at) in [("firefox", base()?), ("firefox-disk", format!("file://{single}"))] {
        look(&page, name, &at).await?;
    }
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
