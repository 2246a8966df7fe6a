//! Parts of the modules load when they are needed, and no sooner.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::threads::plain_host;
use crate::browser::Browser;
use crate::screens::NOTE_FAULTS;

type Paths = Arc<Mutex<Vec<String>>>;

/// The modules that were asked for.
fn modules(paths: &Paths) -> BTreeSet<String> {
    let all = paths.lock().map(|paths| paths.clone()).unwrap_or_default();
    all.into_iter().filter(|path| path.ends_with(".wasm")).collect()
}

/// The files that a part of a module needs.
async fn files_of(page: &Browser, module: &str, part: &str) -> Result<BTreeSet<String>> {
    let script = format!("return fetch('wasm/{module}/parts.json').then((r) => r.json())");
    let parts = page.run(&script, vec![]).await?;
    let parts: BTreeMap<String, Vec<String>> = serde_json::from_value(parts)?;
    let files = parts.get(part).with_context(|| format!("{module} has no part {part}"))?;
    Ok(files.iter().map(|name| format!("/wasm/{module}/{name}")).collect())
}

async fn visit(hash: &str) -> Result<(Browser, Paths)> {
    let (url, paths) = plain_host()?;
    let page = Browser::open_plain("about:blank", 1280, 800, "light").await?;
    page.client.goto(&format!("{url}{hash}")).await?;
    page.find(".top").await?;
    Ok((page, paths))
}

/// What `cargo xtask dist` counts as a first visit is what a first visit loads.
#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn a_first_visit_loads_its_own_parts_alone() -> Result<()> {
    let (page, paths) = visit("").await?;
    page.find("[data-testid='home-side-1'] [data-verdict]").await?;
    page.find(".nodes").await?;
    // Whatever else it would ask for comes soon.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let seen = modules(&paths);
    let mut expected = files_of(&page, "app", "home").await?;
    for part in ["problems", "runs"] {
        expected.extend(files_of(&page, "engine_worker", part).await?);
    }
    for module in ["app", "engine_worker"] {
        expected.insert(format!("/wasm/{module}/{module}_bg.wasm"));
    }
    ensure!(seen == expected, "{seen:?}, not {expected:?}");

    // The next page brings what it needs, once.
    page.run("location.hash = '#/solve'", vec![]).await?;
    page.until_text(".question", "Q:").await?;
    let runs = files_of(&page, "app", "solve").await?;
    let more: BTreeSet<String> = modules(&paths).difference(&expected).cloned().collect();
    ensure!(more == runs.difference(&expected).cloned().collect(), "{more:?}, not {runs:?}");
    let all = paths.lock().map(|paths| paths.clone()).unwrap_or_default();
    for path in &runs {
        ensure!(all.iter().filter(|p| *p == path).count() == 1, "{path} was asked for twice");
    }
    page.close().await
}

/// SPARQL, models and their code come with the first use, and never with a page.
#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn no_page_loads_sparql_or_models() -> Result<()> {
    let (page, paths) = visit("#/solve").await?;
    for path in page.pages().await? {
        page.run(&format!("location.hash = '#/{path}'"), vec![]).await?;
        page.find(&format!("body[data-page='{path}'] main")).await?;
        if path == "kg" {
            page.until_text("[data-testid='kg-figures']", "nodes").await?;
        }
    }
    let engine = "engine_worker";
    let mut rare = files_of(&page, engine, "rdf").await?;
    for part in ["minilm", "trained"] {
        rare.extend(files_of(&page, engine, part).await?);
    }
    let mut usual = BTreeSet::new();
    for part in ["problems", "runs", "files", "bench", "knowledge", "kgot", "toolformer"] {
        usual.extend(files_of(&page, engine, part).await?);
    }
    let rare: BTreeSet<String> = rare.difference(&usual).cloned().collect();
    let seen = modules(&paths);
    ensure!(!rare.is_empty() && rare.is_disjoint(&seen), "{:?}", rare.intersection(&seen));
    page.close().await
}

/// An address may name any page: its part is hastened by `boot.js`, and asked for once.
#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn a_page_that_an_address_names_loads_its_part_once() -> Result<()> {
    let (page, paths) = visit("#/traces").await?;
    page.find("body[data-page='traces'] main").await?;
    let all = paths.lock().map(|paths| paths.clone()).unwrap_or_default();
    for path in files_of(&page, "app", "traces").await? {
        ensure!(all.iter().filter(|p| **p == path).count() == 1, "{path}: {all:?}");
    }
    ensure!(!all.iter().any(|path| path.contains("split_solve")), "{all:?}");
    page.close().await
}

/// While the page's module comes, the claim, an example and the bytes are there.
#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn what_loads_slowly_says_what_it_is_and_how_far() -> Result<()> {
    let page = Browser::open_plain("about:blank", 1280, 800, "light").await?;
    let slow = serde_json::json!({
        "offline": false, "latency": 20, "downloadThroughput": 250_000, "uploadThroughput": 250_000,
    });
    page.devtools("Network.enable", serde_json::json!({})).await?;
    page.devtools("Network.emulateNetworkConditions", slow).await?;
    page.run("location.href = arguments[0]", vec![crate::browser::base()?.into()]).await?;
    page.until_text("#loading h1", "Language models make up edges").await?;
    page.until_text("#loading [data-words]", " MB").await?;
    let drawn = "const s = document.querySelector('#loading svg').getBoundingClientRect();
        const bar = document.querySelector('#loading progress');
        return s.width > 200 && bar.value > 0 && bar.value <= 1";
    page.until("the example and the progress", drawn).await?;
    page.shoot("loading-1280-light").await?;
    let fast = serde_json::json!({
        "offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    });
    page.devtools("Network.emulateNetworkConditions", fast).await?;
    page.find(".top").await?;
    // They stand until the code of the first page is there, too.
    page.until("they go", "return document.querySelector('#loading') === null").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn a_page_that_cannot_be_loaded_offline_is_reported_and_tried_again() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    let offline = |is: bool| {
        let parameters = json!({ "offline": is, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        page.devtools("Network.emulateNetworkConditions", parameters)
    };
    page.devtools("Network.enable", json!({})).await?;
    page.run(NOTE_FAULTS, vec![]).await?;
    offline(true).await?;
    // The page that is there stays; the one that is wanted is reported missing.
    page.run("location.hash = '#/kg'", vec![]).await?;
    let failed = "[data-testid='page-failed']";
    page.until_text(failed, "GraphRunner could not be loaded; you are offline.").await?;
    page.find(".question").await?;
    page.shoot("offline-page-1280-light").await?;
    page.press(&format!("{failed} button")).await?;
    page.until_text(failed, "you are offline").await?;
    offline(false).await?;
    page.press(&format!("{failed} button")).await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    ensure!(page.count(failed).await? == 0);
    let faults = page.run("return faults", vec![]).await?;
    ensure!(faults == json!([]), "{faults}");
    page.close().await
}
