//! Names compared by a model that is loaded when it is asked for.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ml::MiniLm;
use ml::minilm::fixture;
use serde_json::{Value, json};
use text::Embed as _;

use crate::browser::{Browser, file};

/// The page's vectors are the companion's but for the order in which each machine adds: the largest
/// difference of two cosines.
const TOLERANCE: f64 = 1e-5;

/// The files of a small model with made-up weights.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("model.safetensors", fixture::weights()),
        ("tokenizer.json", fixture::tokenizer()),
        ("config.json", fixture::config().to_string().into_bytes()),
    ]
}

/// Writes files of a model into a folder of their own, for an upload.
fn laid(folder: &str, files: &[(&str, Vec<u8>)]) -> Result<Vec<PathBuf>> {
    files.iter().map(|(name, bytes)| file(&format!("{folder}/{name}"), bytes)).collect()
}

/// Chooses files, several at once.
async fn give(page: &Browser, paths: &[PathBuf]) -> Result<()> {
    let all: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
    page.by_id("model-files").await?.send_keys(&all.join("\n")).await?;
    Ok(())
}

/// Opens a page with the panel unfolded.
async fn opened(hash: &str, width: u32, scheme: &str) -> Result<Browser> {
    let page = Browser::open_sized(hash, width, 800, scheme).await?;
    if hash == "#/kg" {
        page.until_text("[data-testid='kg-figures']", "nodes").await?;
        page.find("[data-testid='kg-questions']").await?;
    }
    if hash == "#/family" {
        page.until_text("[data-testid='about']", "tools to choose from").await?;
    }
    page.press("[data-testid='names'] summary").await?;
    page.until_text("[data-testid='kg-similarity']", "trigrams").await?;
    Ok(page)
}

/// Chooses the model, whose files the site does not ship in these tests.
async fn choose(page: &Browser) -> Result<()> {
    page.choose("similarity", "minilm").await?;
    page.by_id("wants-model").await?;
    Ok(())
}

#[tokio::test]
async fn a_model_is_given_used_kept_and_deleted() -> Result<()> {
    let page = opened("#/kg", 1280, "light").await?;
    page.note_workers().await?;
    choose(&page).await?;
    ensure!(page.workers("ml").await? == 0, "the engine is loaded before there is a model for it");
    give(&page, &laid("small", &files())?).await?;
    page.until_text("[data-testid='kg-similarity']", "MiniLM").await?;
    ensure!(page.count("[data-testid='similarity-said']").await? == 0);
    page.type_into("find-hint", "mother is sister").await?;
    page.click("find").await?;
    page.find("[data-testid='found'] li.taken").await?;
    // The score that is shown is the one that is computed here.
    let [name, score] = ["b", ".num"].map(|part| format!("[data-testid='found'] li {part}"));
    let (name, score) = (page.text(&name).await?, page.text(&score).await?.parse::<f64>()?);
    let expected = alone()?.similarity("mother is sister", &name);
    ensure!((expected - score).abs() < 1e-4, "{name}: {score}, natively {expected}");
    // The other page of the same engine says so too, and its work goes on.
    page.run("location.hash = '#/family'", vec![]).await?;
    page.until_text("[data-testid='about']", "tools to choose from").await?;
    page.click("run").await?;
    page.until_text("main", "Names were compared by MiniLM").await?;
    // Another graph is read by it when it is opened.
    page.run("location.hash = '#/kg'", vec![]).await?;
    page.run("document.querySelectorAll('.left details').forEach(d => d.open = true)", vec![])
        .await?;
    page.choose("kg-graph", "wordnet").await?;
    page.until_text("[data-testid='kg-figures']", "7769 nodes").await?;
    page.until(
        "the names are read",
        "return !document.querySelector('[data-testid=similarity-doing]')",
    )
    .await?;
    page.until_text("[data-testid='kg-similarity']", "MiniLM").await?;
    // It is there on the next visit, without files.
    page.client.refresh().await?;
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.press("[data-testid='names'] summary").await?;
    page.by_id("model-delete").await?;
    page.choose("similarity", "minilm").await?;
    page.until_text("[data-testid='kg-similarity']", "MiniLM").await?;
    page.click("model-delete").await?;
    page.until("it is deleted", "return !document.querySelector('[data-testid=model-delete]')")
        .await?;
    page.choose("similarity", "trigrams").await?;
    page.until_text("[data-testid='kg-similarity']", "trigrams").await?;
    choose(&page).await?;
    page.close().await
}

#[tokio::test]
async fn what_is_no_model_leaves_the_page_as_it_was() -> Result<()> {
    let page = opened("#/kg", 1280, "light").await?;
    page.click("run-graphrunner").await?;
    page.find("[data-testid='kg-verdict']").await?;
    choose(&page).await?;
    let [weights, tokenizer, config] = &laid("small", &files())?[..] else {
        anyhow::bail!("three files")
    };
    give(&page, &[weights.clone(), config.clone()]).await?;
    page.until_text("[data-testid='similarity-said']", "tokenizer.json is missing").await?;
    let mut cut = files();
    cut[0].1.truncate(3_000);
    give(&page, &laid("cut", &cut)?).await?;
    page.until_text("[data-testid='similarity-said']", "the file ends after 3000 of").await?;
    choose(&page).await?;
    let mut nan = files();
    let at = nan[0].1.len() - 4;
    nan[0].1[at..].copy_from_slice(&f32::NAN.to_le_bytes());
    give(&page, &laid("nan", &nan)?).await?;
    page.until_text("[data-testid='similarity-said']", "no finite number").await?;
    // Heads that lie: a length that no file has, and one tensor twice over.
    choose(&page).await?;
    let mut lies = files();
    lies[0].1[..8].copy_from_slice(&(1_u64 << 63).to_le_bytes());
    give(&page, &laid("lies", &lies)?).await?;
    page.until_text("[data-testid='similarity-said']", "announce a head that does not fit").await?;
    choose(&page).await?;
    let mut twice = files();
    let length = u64::from_le_bytes(twice[0].1[..8].try_into()?) as usize;
    let head = String::from_utf8(twice[0].1[8..8 + length].to_vec())?;
    let head = format!(
        "{},{}",
        head.trim_end().strip_suffix('}').context("no object")?,
        &head.trim_start()[1..]
    );
    let body = twice[0].1[8 + length..].to_vec();
    twice[0].1 = [&(head.len() as u64).to_le_bytes()[..], head.as_bytes(), &body].concat();
    give(&page, &laid("twice", &twice)?).await?;
    page.until_text("[data-testid='similarity-said']", "is there twice").await?;
    // Whatever was wrong: the page works as before, nothing is kept, and what it shows still stands.
    page.until_text("[data-testid='kg-similarity']", "trigrams").await?;
    ensure!(page.count("[data-testid='kg-verdict']").await? == 1);
    ensure!(page.count("[data-testid='model-delete']").await? == 0);
    page.type_into("find-hint", "moon librari").await?;
    page.click("find").await?;
    page.until_text("[data-testid='found'] li.taken", "Moon Library").await?;
    choose(&page).await?;
    give(&page, &[weights.clone(), tokenizer.clone(), config.clone()]).await?;
    page.until_text("[data-testid='kg-similarity']", "MiniLM").await?;
    page.close().await
}

/// A model that computes here, as the companion's does.
struct Alone(MiniLm);

fn alone() -> Result<Alone> {
    let [weights, tokenizer, config] = &files()[..] else { anyhow::bail!("three files") };
    Ok(Alone(MiniLm::new(weights.1.clone(), &tokenizer.1, &config.1)?))
}

impl Alone {
    fn similarity(&self, a: &str, b: &str) -> f64 {
        let (a, b) = (self.0.embed(a), self.0.embed(b));
        a.iter().zip(&b).map(|(x, y)| f64::from(x * y)).sum::<f64>().clamp(0.0, 1.0)
    }
}

/// Starts the engine with models as the page does, and sends it what it is told to.
const ENGINE: &str = r#"
    const [steps, done] = arguments;
    // The page's policy lets nothing be fetched from a data address.
    const bytesOf = async where => where.startsWith("base64,")
        ? Uint8Array.from(atob(where.slice(7)), c => c.charCodeAt(0)).buffer
        : (await fetch(where)).arrayBuffer();
    const worker = new Worker("worker.js", { type: "module", name: "ml-test" });
    const asked = [];
    let at = -1, began = 0;
    const next = () => {
        at += 1;
        if (at === steps.length) { worker.terminate(); return done(asked); }
        const { ask, files } = steps[at];
        Promise.all(files.map(async ([name, where]) => [name, await bytesOf(where)])).then(bytes => {
                began = performance.now();
                const message = { job: at + 1, body: { start: ask } };
                worker.postMessage({ message, bytes }, bytes.map(b => b[1]));
            });
    };
    worker.onerror = e => done([{ failed: String(e.message) }]);
    worker.onmessage = ({ data }) => {
        const { job, body } = data;
        if (body === "ready") return next();
        if (body.panicked) return done([{ failed: body.panicked.message }]);
        if (body.failed) return done([{ failed: body.failed.message }]);
        if (body.done && job === at + 1) {
            asked.push({ reply: body.done.reply, ms: performance.now() - began });
            next();
        }
    };
"#;

/// Scores of hints over all names of the generated network in the browser, beside native ones:
/// largest difference, milliseconds to load, milliseconds a name, how many names.
async fn beside(
    page: &Browser,
    files: &[(String, String)],
    native: &MiniLm,
) -> Result<(f64, f64, f64, usize)> {
    let hints = ["mother is sister", "unsis is mothers", "a place with books about the sky"];
    let step = |service: &str, ask: Value, files: &[(String, String)]| json!({ "ask": { "service": service, "ask": ask }, "files": files });
    let mut steps = vec![
        step("kg/load", json!({ "source": { "metro": { "n_lines": 8, "seed": 1 } } }), &[]),
        step("kg/similarity", json!({ "by": "minilm" }), files),
        step("kg/embed", json!({}), &[]),
    ];
    for hint in hints {
        let options = json!({ "theta": 0.0, "max_hits": 100, "gap": 2.0 });
        let find = json!({ "hint": hint, "node_type": null, "options": options });
        steps.push(step("kg/find", find, &[]));
    }
    let answers = page.client.execute_async(ENGINE, vec![json!(steps)]).await?;
    let answers = answers.as_array().context("no answers")?;
    ensure!(answers.len() == steps.len(), "{answers:?}");
    let ms = |i: usize| answers[i]["ms"].as_f64().unwrap_or_default();
    let (mut most, mut n) = (0.0_f64, 0);
    for (hint, answer) in hints.iter().zip(&answers[3..]) {
        let hits = answer["reply"]["hits"].as_array().context("no hits")?;
        let vector = native.embed(hint);
        for hit in hits {
            let name = hit["node"].as_str().context("no name")?;
            let score = hit["score"].as_f64().context("no score")?;
            let here: f64 = native
                .embed(name)
                .iter()
                .zip(&vector)
                .map(|(a, b)| f64::from(*a) * f64::from(*b))
                .sum();
            most = most.max((here.clamp(0.0, 1.0) - score).abs());
            n += 1;
        }
    }
    Ok((most, ms(1), ms(2) / 94.0, n))
}

#[tokio::test]
async fn the_page_computes_what_the_companion_computes() -> Result<()> {
    let page = Browser::open("#/lessons").await?;
    let data = |(name, bytes): (&str, Vec<u8>)| {
        (name.to_owned(), format!("base64,{}", BASE64.encode(bytes)))
    };
    let given: Vec<(String, String)> = files().into_iter().map(data).collect();
    let (most, _, _, n) = beside(&page, &given, &alone()?.0).await?;
    ensure!(n > 150, "{n} scores");
    ensure!(most < TOLERANCE, "the largest difference of {n} scores is {most:e}");
    println!("small model: {n} scores, largest difference {most:e}");
    page.close().await
}

/// A page that has the real model beside it, with the folder of the cache; none where the companion
/// has not fetched it or the server does not have it.
#[expect(clippy::print_stdout, reason = "a test that is left out says so")]
async fn with_minilm(hash: &str) -> Result<Option<(Browser, PathBuf)>> {
    let cache = std::env::var_os("GRAPHGROUND_CACHE")
        .filter(|c| !c.is_empty())
        .map(|c| PathBuf::from(c).join("minilm"));
    let Some(cache) = cache.filter(|c| c.join("model.safetensors").is_file()) else {
        println!("skipped: GRAPHGROUND_CACHE names no cache with MiniLM");
        return Ok(None);
    };
    let page = Browser::open(hash).await?;
    let there = "return fetch('models/minilm/config.json').then(r => r.ok)";
    if page.run(there, vec![]).await? != json!(true) {
        println!("skipped: this site does not ship MiniLM");
        page.close().await?;
        return Ok(None);
    }
    Ok(Some((page, cache)))
}

#[tokio::test]
async fn minilm_beside_the_page_is_loaded_stopped_and_used() -> Result<()> {
    let Some((page, _)) = with_minilm("#/kg").await? else { return Ok(()) };
    page.until_text("[data-testid='kg-figures']", "nodes").await?;
    page.press("[data-testid='names'] summary").await?;
    page.choose("similarity", "minilm").await?;
    page.until_text("[data-testid='similarity-doing']", " of ").await?;
    page.shoot("similarity-doing-1280-light").await?;
    page.click("similarity-stop").await?;
    page.until("stopped", "return !document.querySelector('[data-testid=similarity-doing]')")
        .await?;
    page.until_text("[data-testid='kg-similarity']", "trigrams").await?;
    let chosen = "return document.querySelector('[data-testid=similarity]').value";
    ensure!(page.run(chosen, vec![]).await? == json!("trigrams"));
    page.choose("similarity", "minilm").await?;
    page.until_text("[data-testid='kg-similarity']", "MiniLM").await?;
    page.by_id("model-delete").await?;
    page.type_into("find-hint", "a place to borrow books").await?;
    page.click("find").await?;
    page.until_text("[data-testid='found'] li", "Library").await?;
    page.shoot("similarity-minilm-1280-light").await?;
    page.close().await
}

/// The real model's vectors.
#[tokio::test]
async fn minilm_itself_computes_the_same() -> Result<()> {
    let Some((page, cache)) = with_minilm("#/lessons").await? else { return Ok(()) };
    let names = ["model.safetensors", "tokenizer.json", "config.json"];
    let read = |name: &str| std::fs::read(cache.join(name));
    let native = MiniLm::new(read(names[0])?, &read(names[1])?, &read(names[2])?)?;
    let given = names.map(|n| (n.to_owned(), format!("models/minilm/{n}")));
    let (most, load_ms, name_ms, n) = beside(&page, &given, &native).await?;
    println!(
        "MiniLM: {n} scores, largest difference {most:e}; {load_ms:.0} ms to load, \
         {name_ms:.1} ms a name"
    );
    ensure!(most < TOLERANCE, "the largest difference of {n} scores is {most:e}");
    page.close().await
}

const NAMES: &str = ".names";

#[tokio::test]
async fn the_panel_fits_wide_and_narrow_light_and_dark() -> Result<()> {
    let paths = laid("small", &files())?;
    let page = opened("#/kg", 1280, "light").await?;
    choose(&page).await?;
    page.fits("similarity-files", Some(NAMES)).await?;
    give(&page, &paths).await?;
    page.until_text("[data-testid='kg-similarity']", "MiniLM").await?;
    page.type_into("find-hint", "mother").await?;
    page.click("find").await?;
    page.find("[data-testid='found'] li").await?;
    page.fits("similarity", Some(NAMES)).await?;
    page.close().await?;
    // The other page that has it.
    let page = opened("#/family", 1280, "light").await?;
    page.fits("similarity-family", Some(NAMES)).await?;
    page.close().await
}
