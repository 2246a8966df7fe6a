//! The pages that travel: opened from a disk with no network, with and without JavaScript.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde_json::{Value, json};
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
    let noted = page.requests().await?;
    ensure!(noted.iter().any(|line| line.starts_with("file:")), "the page itself was not noted");
    let mut found: Vec<String> = noted.into_iter().filter(|line| !is_own(line)).collect();
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

/// Words that would end an element, begin a comment, or name another policy.
const HOSTILE: &str = "Ours </script><!-- connect-src *";
/// What takes runs in the page as one file, and the policy of that file.
const PLACE: &str = r#"<script type="application/json" id="embedded"></script>"#;
const POLICY: &str = "; connect-src *;";

fn one_file() -> Result<PathBuf> {
    let path = std::env::var("GRAPHGROUND_SINGLE_FILE")
        .context("run these tests with `cargo xtask test`")?;
    Ok(std::fs::canonicalize(path)?)
}

/// Makes a benchmark of 32 runs by a script that errs.
async fn small_benchmark(page: &Browser, title: &str) -> Result<()> {
    page.click("bench-new").await?;
    page.type_into("bench-title", title).await?;
    let few = "const n = document.querySelector('[data-testid=bench-n]');
        n.value = 2; n.dispatchEvent(new Event('change', { bubbles: true }))";
    page.run(few, vec![]).await?;
    page.click("bench-start").await?;
    page.until_text("[data-testid='bench-runs'] h2", "Runs: 32 of 32").await
}

/// Presses a button that saves the page as one file, and gives the text of what was saved.
async fn saved(page: &Browser, button: &str) -> Result<String> {
    // The page offers files by links to blobs: their texts are caught here.
    let catch = "window.pages = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = b => {
            if (b.type === 'text/html') b.text().then(t => window.pages.push(t));
            return make(b);
        };";
    page.run(catch, vec![]).await?;
    page.click(button).await?;
    page.until_within("the page is saved", "return window.pages.length === 1", 60).await?;
    let text = page.run("return window.pages[0]", vec![]).await?;
    Ok(text.as_str().context("no text was saved")?.to_owned())
}

/// Opens a live page in a browser of its own without a network, where every result is verified again.
async fn verified(folder: &Folder, name: &str, title: &str, verdict: &str) -> Result<Browser> {
    let page = Browser::open_at(&folder.address(name), 1280, 900, "light", NO_NETWORK).await?;
    page.until_text("main h1", title).await?;
    page.until_text("[data-testid='bench-runs'] h2", "Runs: 32 of 32").await?;
    page.click("bench-check").await?;
    page.until_text("[data-testid='check-result']", verdict).await?;
    let asked = asked(&page).await?;
    ensure!(asked.is_empty(), "the page asked for {asked:?}");
    Ok(page)
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

const ALL_FINE: &str = "everything comes out as the file says";

#[tokio::test]
async fn a_served_page_saves_a_live_page_and_what_is_tampered_with_in_it_is_found() -> Result<()> {
    let folder = Folder::new("saved")?;
    let page = Browser::open("#/bench").await?;
    small_benchmark(&page, HOSTILE).await?;
    let text = saved(&page, "save-live").await?;
    page.close().await?;
    ensure!(text.contains("; connect-src 'none';") && !text.contains(POLICY), "it may ask");
    std::fs::write(folder.0.join("saved.html"), &text)?;
    verified(&folder, "saved.html", HOSTILE, ALL_FINE).await?.close().await?;
    std::fs::write(folder.0.join("forged.html"), forged(&text)?)?;
    let found = "1 runs do not come out as the file says";
    verified(&folder, "forged.html", HOSTILE, found).await?.close().await
}

#[tokio::test]
async fn the_page_as_one_file_saves_itself_with_runs_with_others_and_without() -> Result<()> {
    let folder = Folder::new("itself")?;
    let address = format!("file://{}#/bench", one_file()?.display());
    let page = Browser::open_at(&address, 1280, 900, "light", NO_NETWORK).await?;
    small_benchmark(&page, "By itself").await?;
    std::fs::write(folder.0.join("first.html"), saved(&page, "save-live").await?)?;
    page.close().await?;
    // One that has runs in it saves itself with what was written about them there.
    let page = verified(&folder, "first.html", "By itself", ALL_FINE).await?;
    page.type_into("about-title", HOSTILE).await?;
    std::fs::write(folder.0.join("second.html"), saved(&page, "save-live").await?)?;
    page.close().await?;
    let page = verified(&folder, "second.html", HOSTILE, ALL_FINE).await?;
    // Without runs it is a playground again, which may ask an endpoint.
    page.run("location.hash = '#/solve?task=cycle&difficulty=easy&seed=2'", vec![]).await?;
    page.until_text(".question", "Q:").await?;
    page.click("share").await?;
    page.click("share-page").await?;
    let text = saved(&page, "share-page-save").await?;
    page.close().await?;
    ensure!(text.matches(PLACE).count() == 1 && text.matches(POLICY).count() == 1);
    std::fs::write(folder.0.join("empty.html"), text)?;
    let address = folder.address("empty.html#/solve?task=cycle&difficulty=easy&seed=2");
    let page = Browser::open_at(&address, 1280, 900, "light", NO_NETWORK).await?;
    page.until_text(".question", "Q:").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict]").await?;
    page.close().await
}

#[tokio::test]
async fn a_served_page_saves_the_page_as_one_file_or_says_that_its_site_lacks_it() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    page.click("share").await?;
    page.click("share-page").await?;
    let text = saved(&page, "share-page-save").await?;
    ensure!(text == std::fs::read_to_string(one_file()?)?, "it is another file");
    let lacking = "window.fetch = () => Promise.resolve(new Response('', { status: 404 }))";
    page.run(lacking, vec![]).await?;
    page.click("share-page-save").await?;
    page.until_text("[data-testid='share-page-save-failed']", "cargo xtask dist").await?;
    // A site that answers with its first page whatever is asked for.
    let other = "window.fetch = () => Promise.resolve(new Response('<p>Welcome</p>'))";
    page.run(other, vec![]).await?;
    page.click("share-page-save").await?;
    page.until_text("[data-testid='share-page-save-failed']", "is another file").await?;
    page.close().await
}
