//! The pages that travel: opened from a disk with no network, with and without JavaScript.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tokio::process::Command;

use crate::browser::Browser;

pub(crate) const NO_NETWORK: &[&str] = &["--host-resolver-rules=MAP * ~NOTFOUND"];

/// A folder that goes with its test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("graphground-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// Runs the companion in here.
    pub(crate) async fn companion(&self, args: &[&str]) -> Result<String> {
        let program = std::env::var("GRAPHGROUND_COMPANION")
            .context("run these tests with `cargo xtask test`")?;
        let program = std::fs::canonicalize(program)?;
        let done = Command::new(program).current_dir(&self.0).args(args).output().await?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        ensure!(done.status.success(), "{args:?}: {said}");
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }

    /// The document as it stands after it was opened, with JavaScript switched on or off in the
    /// browser's own settings.
    async fn dump(&self, name: &str, javascript: bool) -> Result<String> {
        let profile = self.0.join(format!("profile-{javascript}"));
        std::fs::create_dir_all(profile.join("Default"))?;
        let allowed = if javascript { 1 } else { 2 };
        let settings =
            json!({ "profile": { "default_content_setting_values": { "javascript": allowed } } });
        std::fs::write(profile.join("Default/Preferences"), settings.to_string())?;
        let done = Command::new("chromium")
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(NO_NETWORK)
            .arg(self.address(name))
            .output()
            .await?;
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }

    pub(crate) fn address(&self, name: &str) -> String {
        format!("file://{}", self.0.join(name).display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn with_runs(name: &str) -> Result<Folder> {
    let folder = Folder::new(name)?;
    let bench = ["bench", "--difficulty", "easy", "--n", "4", "--system", "grounded,standalone"];
    folder
        .companion(&[&bench[..], &["--model", "mistaken", "--out", "runs.jsonl"]].concat())
        .await?;
    Ok(folder)
}

/// What the browser asked for over a network, and what its policy refused.
async fn asked(page: &Browser) -> Result<Vec<String>> {
    let is_own = |line: &String| {
        ["file:", "data:", "blob:", "chrome:"].iter().any(|scheme| line.starts_with(scheme))
    };
    let mut found: Vec<String> =
        page.requests().await?.into_iter().filter(|line| !is_own(line)).collect();
    found.extend(page.complaints().await?);
    Ok(found)
}

#[tokio::test]
async fn a_static_page_is_read_without_a_network_and_without_javascript() -> Result<()> {
    let folder = with_runs("static").await?;
    folder
        .companion(&["report", "runs.jsonl", "--html", "page.html", "--title", "Scripts"])
        .await?;
    for (width, scheme) in [(1280, "light"), (360, "dark")] {
        let page =
            Browser::open_at(&folder.address("page.html"), width, 900, scheme, NO_NETWORK).await?;
        page.until_text("h1", "Scripts").await?;
        page.shoot(&format!("static-{width}-{scheme}")).await?;
        let wide = page.run("return document.documentElement.scrollWidth", vec![]).await?;
        ensure!(wide.as_u64().unwrap_or(9999) <= u64::from(width), "the page is {wide} wide");
        ensure!(page.count(".p").await? == 32, "a problem is missing");
        page.run("document.querySelector('.p').open = true; document.querySelector('.p').scrollIntoView()", vec![]).await?;
        page.find(".p[open] .t li").await?;
        page.press(".p[open] button[aria-label='First step']").await?;
        page.until_text(".p[open] output", "step 1 of").await?;
        page.press(".p[open] button[aria-label='Next step']").await?;
        page.until_text(".p[open] output", "step 2 of").await?;
        page.shoot(&format!("static-run-{width}-{scheme}")).await?;
        let asked = asked(&page).await?;
        ensure!(asked.is_empty(), "the page asked for {asked:?}");
        page.close().await?;
    }
    // Without JavaScript nothing is added, and everything is there.
    let (off, on) = (folder.dump("page.html", false).await?, folder.dump("page.html", true).await?);
    ensure!(
        on.contains("class=\"bar\"") && !off.contains("class=\"bar\""),
        "JavaScript was not off"
    );
    for words in [
        "Correct answers and average time",
        "They test the harness, not a method",
        "class=\"g-e\"",
        "<li><b>",
    ] {
        ensure!(off.contains(words), "{words} is missing without JavaScript");
    }
    Ok(())
}

#[tokio::test]
async fn a_live_page_checks_itself_again_and_finds_what_was_tampered_with() -> Result<()> {
    let app = std::env::var("GRAPHGROUND_SINGLE_FILE")
        .context("run these tests with `cargo xtask test`")?;
    let app = std::fs::canonicalize(app)?;
    let folder = with_runs("live").await?;
    let runs = std::fs::read_to_string(folder.0.join("runs.jsonl"))?;
    let forged = runs.replacen("\"verdict\":\"Incorrect\"", "\"verdict\":\"Correct\"", 1);
    ensure!(forged != runs, "no wrong run to tamper with");
    std::fs::write(folder.0.join("forged.jsonl"), forged)?;
    for name in ["runs", "forged"] {
        let (lines, page) = (format!("{name}.jsonl"), format!("{name}.html"));
        let app = app.display().to_string();
        let title = if name == "runs" { "Scripts, live" } else { "Forged" };
        let report = ["report", &lines, "--html", &page, "--live", "--app", &app, "--title", title];
        folder.companion(&report).await?;
    }
    let page =
        Browser::open_at(&folder.address("runs.html"), 1280, 900, "light", NO_NETWORK).await?;
    page.until_text("main h1", "Scripts, live").await?;
    page.until_text("[data-testid='bench-runs'] h2", "Runs: 64 of 64").await?;
    page.click("bench-check").await?;
    page.until_text("[data-testid='check-result']", "everything comes out as the file says")
        .await?;
    page.shoot("live-1280-light").await?;
    // Any problem is opened, and its tools are run by hand.
    page.press("button.bench-row").await?;
    page.find(".step-row").await?;
    page.click("to-solve").await?;
    page.until_text(".question", "Q:").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict]").await?;
    let asked_for = asked(&page).await?;
    ensure!(asked_for.is_empty(), "the page asked for {asked_for:?}");
    page.close().await?;
    let page =
        Browser::open_at(&folder.address("forged.html"), 360, 800, "dark", NO_NETWORK).await?;
    page.until_text("[data-testid='bench-runs'] h2", "Runs: 64 of 64").await?;
    page.click("bench-check").await?;
    page.until_text("[data-testid='check-result']", "1 runs do not come out as the file says")
        .await?;
    page.shoot("live-forged-360-dark").await?;
    page.close().await
}
