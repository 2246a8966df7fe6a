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
use crate::screens::{Family, Kg, Names};

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

/// A model is given, used on both pages and on a large graph, kept, and deleted.
#[tokio::test]
async fn a_model_is_given_used_kept_and_deleted() -> Result<()> {
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let (kg, names) = (Kg(&page), Names(&page));
    kg.is_ready().await?;
    page.note_workers().await?;
    names.open().await?;
    names.want_minilm().await?;
    names.panel_fits("similarity-files").await?;
    ensure!(page.workers("ml").await? == 0, "the engine is loaded before there is a model for it");
    names.give_model(&laid("small", &files())?).await?;
    names.compares_by("MiniLM").await?;
    ensure!(!names.has_fault().await?);
    names.find_name("mother is sister", "").await?;
    // The score that is shown is the one that is computed here.
    let (name, score) = names.first_found().await?;
    let expected = alone()?.similarity("mother is sister", &name);
    ensure!((expected - score).abs() < 1e-4, "{name}: {score}, natively {expected}");
    names.panel_fits("similarity").await?;
    // The other page of the same engine says so too, and its work continues.
    page.go("#/family").await?;
    let family = Family(&page);
    family.is_ready().await?;
    names.panel_fits("similarity-family").await?;
    family.request().await?;
    page.says("Names were compared by MiniLM").await?;
    // Another graph is read by it when it is opened.
    page.go("#/kg?lines=8&seed=1").await?;
    kg.unfold_left().await?;
    kg.open_graph("wordnet", "7,769 nodes").await?;
    names.is_idle().await?;
    names.compares_by("MiniLM").await?;
    // That graph has questions of its own, each with a plan that the script knows.
    kg.is_asked("What is a bird a kind of?").await?;
    kg.start("graphrunner").await?;
    kg.row_says("graphrunner", "correct").await?;
    // What the model wrote as its plan is folded: above it is the plan as people read it.
    kg.steps_fold("Plan as the model wrote it").await?;
    names.measure("table").await?;
    names.compares_no_longer_by("MiniLM").await?;
    // The measure stays with the graph that is opened next.
    kg.open_graph("metro", "94 nodes").await?;
    names.compares_by("words").await?;
    // The model is there on the next visit, without files.
    page.load("#/kg?lines=8&seed=1").await?;
    kg.is_ready().await?;
    names.open().await?;
    names.has_kept().await?;
    names.measure("minilm").await?;
    names.compares_by("MiniLM").await?;
    names.delete_model().await?;
    names.measure("trigrams").await?;
    names.compares_by("trigrams").await?;
    names.want_minilm().await?;
    page.close().await
}

#[tokio::test]
async fn what_is_no_model_leaves_the_page_as_it_was() -> Result<()> {
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let (kg, names) = (Kg(&page), Names(&page));
    kg.is_ready().await?;
    names.open().await?;
    kg.start("graphrunner").await?;
    kg.verdict_says("").await?;
    names.want_minilm().await?;
    let [weights, tokenizer, config] = &laid("small", &files())?[..] else {
        anyhow::bail!("three files")
    };
    names.give_model(&[weights.clone(), config.clone()]).await?;
    names.says("tokenizer.json is missing").await?;
    let mut cut = files();
    cut[0].1.truncate(3_000);
    names.give_model(&laid("cut", &cut)?).await?;
    names.says("the file ends after 3000 of").await?;
    names.want_minilm().await?;
    let mut nan = files();
    let at = nan[0].1.len() - 4;
    nan[0].1[at..].copy_from_slice(&f32::NAN.to_le_bytes());
    names.give_model(&laid("nan", &nan)?).await?;
    names.says("no finite number").await?;
    // Heads that lie: a length that no file has, and one tensor twice over.
    names.want_minilm().await?;
    let mut lies = files();
    lies[0].1[..8].copy_from_slice(&(1_u64 << 63).to_le_bytes());
    names.give_model(&laid("lies", &lies)?).await?;
    names.says("announce a head that does not fit").await?;
    names.want_minilm().await?;
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
    names.give_model(&laid("twice", &twice)?).await?;
    names.says("is there twice").await?;
    // Whatever was wrong: the page works as before, nothing is kept, and what it shows stays.
    names.compares_by("trigrams").await?;
    ensure!(kg.has_verdict().await?);
    ensure!(!names.keeps_a_model().await?);
    names.find_name("moon librari", "Moon Library").await?;
    names.want_minilm().await?;
    names.give_model(&[weights.clone(), tokenizer.clone(), config.clone()]).await?;
    names.compares_by("MiniLM").await?;
    page.close().await
}

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
    let answers = Names(page).asks_an_engine(&steps).await?;
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

/// The folder of the real model in the cache; none where the companion has not fetched it or the site
/// does not ship it.
async fn cached_minilm(page: &Browser) -> Result<Option<PathBuf>> {
    let cache = std::env::var_os("GRAPHGROUND_CACHE")
        .filter(|c| !c.is_empty())
        .map(|c| PathBuf::from(c).join("minilm"));
    let Some(cache) = cache.filter(|c| c.join("model.safetensors").is_file()) else {
        println!("skipped: GRAPHGROUND_CACHE names no cache with MiniLM");
        return Ok(None);
    };
    if !Names(page).site_ships_minilm().await? {
        println!("skipped: this site does not ship MiniLM");
        return Ok(None);
    }
    Ok(Some(cache))
}

#[tokio::test]
async fn minilm_itself_is_loaded_stopped_used_and_computes_the_same() -> Result<()> {
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let Some(cache) = cached_minilm(&page).await? else { return page.close().await };
    let (kg, names) = (Kg(&page), Names(&page));
    kg.is_ready().await?;
    names.open().await?;
    names.measure("minilm").await?;
    names.is_loading().await?;
    page.shoot("similarity-doing-1280-light").await?;
    names.stop().await?;
    names.compares_by("trigrams").await?;
    ensure!(names.chosen().await? == "trigrams");
    names.measure("minilm").await?;
    names.compares_by("MiniLM").await?;
    names.has_kept().await?;
    names.find_name("a place to borrow books", "Library").await?;
    page.shoot("similarity-minilm-1280-light").await?;
    let files = ["model.safetensors", "tokenizer.json", "config.json"];
    let read = |name: &str| std::fs::read(cache.join(name));
    let native = MiniLm::new(read(files[0])?, &read(files[1])?, &read(files[2])?)?;
    let given = files.map(|n| (n.to_owned(), format!("models/minilm/{n}")));
    let (most, load_ms, name_ms, n) = beside(&page, &given, &native).await?;
    println!(
        "MiniLM: {n} scores, largest difference {most:e}; {load_ms:.0} ms to load, \
         {name_ms:.1} ms a name"
    );
    ensure!(most < TOLERANCE, "the largest difference of {n} scores is {most:e}");
    page.close().await
}
