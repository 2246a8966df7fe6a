//! A key that is typed in is nowhere but in the request's header, even where an endpoint quotes it.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::json;

use crate::browser::{Browser, Folder};
use crate::screens::{Bench, Endpoints, Secrets, Solve, Traces, from_disk};
use crate::servers::{Asked, Cors, Reply, Server, good};

const CANARY: &str = "sk-canary-7f3a91";

/// How an endpoint quotes the key that it was sent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quoted {
    /// As it is.
    Whole,
    /// Five letters an event of the stream, or a piece of the body.
    InPieces,
    /// Each letter as `\\u0073`.
    Escaped,
}

const WAYS: [Quoted; 3] = [Quoted::Whole, Quoted::InPieces, Quoted::Escaped];

/// Every letter as JSON may have it.
fn escaped(text: &str, backslash: &str) -> String {
    text.chars().map(|c| format!("{backslash}u{:04x}", c as u32)).collect()
}

impl Quoted {
    /// The key.
    fn key(self) -> String {
        if self == Self::Escaped { escaped(CANARY, "\\") } else { CANARY.into() }
    }

    /// The pieces of a text with the key in it: all in one, or five letters of the key each.
    fn cut(self, before: &str, after: &str) -> Vec<String> {
        if self != Self::InPieces {
            return vec![format!("{before}{}{after}", self.key())];
        }
        let letters: Vec<char> = CANARY.chars().collect();
        let mut pieces: Vec<String> = letters.chunks(5).map(|c| c.iter().collect()).collect();
        pieces.insert(0, before.to_owned());
        pieces.push(after.to_owned());
        pieces
    }

    /// The body of an error that has the key.
    fn refuses(self) -> Reply {
        let before = "{\"error\":{\"message\":\"Incorrect API key provided: ";
        Reply { pieces: self.cut(before, "\"}}"), ..Reply::json(401, json!(null)) }
    }

    /// What a run says where it has come through, by which its files are known.
    fn mark(self, place: &str) -> String {
        format!("{self:?} in {place}")
    }

    /// A turn that has the key in its thoughts, in its words, and in the arguments of two calls: as they
    /// are, and escaped once more, for they are read together with them.
    fn calls(self) -> Vec<String> {
        let mut pieces = Vec::new();
        for (field, place) in [("reasoning_content", "thoughts"), ("content", "words")] {
            for part in self.cut("The key is ", &format!(". {}", self.mark(place))) {
                pieces.push(event(&format!("{{\"{field}\":\"{part}\"}}"), "null"));
            }
        }
        let before = "{\\\"nodes\\\":[\\\"";
        let after = format!("\\\",\\\"{}\\\"]}}", self.mark("arguments"));
        let twice = format!("{before}{}{after}", escaped(CANARY, "\\\\"));
        for (i, parts) in [self.cut(before, &after), vec![twice]].into_iter().enumerate() {
            let call = |fields: &str, arguments: &str| {
                let function = format!("{{{fields}\"arguments\":\"{arguments}\"}}");
                let call = format!("{{\"index\":{i},\"id\":\"c{i}\",\"function\":{function}}}");
                event(&format!("{{\"tool_calls\":[{call}]}}"), "null")
            };
            pieces.push(call("\"name\":\"add_nodes\",", ""));
            pieces.extend(parts.iter().map(|part| call("", part)));
        }
        pieces.push(event("{}", "\"tool_calls\""));
        pieces
    }
}

/// An event of a stream. Written by hand: no library escapes letters that need it not.
fn event(delta: &str, finish: &str) -> String {
    format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n"
    )
}

/// Quotes the key in a conversation of four turns in every way and place, or in errors.
fn quoting(asked: &Asked, refuses: bool) -> Reply {
    if asked.path.ends_with("/models") {
        return Reply::json(200, json!({ "data": [{ "id": "m" }] }));
    }
    if refuses {
        return WAYS[asked.before % 3].refuses();
    }
    let said = asked.body["messages"].as_array().into_iter().flatten();
    let turn = said.filter(|message| message["role"] == "assistant").count();
    let has_tools = asked.body["tools"].is_array();
    let mut pieces = match WAYS.get(turn) {
        Some(way) if has_tools => way.calls(),
        _ => {
            let mut pieces = Vec::new();
            for way in WAYS {
                let parts = way.cut("Your key is ", &format!(". {}. ", way.mark("the answer")));
                let said = |part: String| event(&format!("{{\"content\":\"{part}\"}}"), "null");
                pieces.extend(parts.into_iter().map(said));
            }
            pieces.push(event("{\"content\":\"No, there is no cycle.\"}", "\"stop\""));
            pieces
        }
    };
    pieces.push("data: [DONE]\n\n".into());
    Reply { content_type: "text/event-stream", pieces, ..Reply::json(200, json!(null)) }
}

/// An endpoint that quotes its key.
struct Quoting {
    server: Server,
    refuses: Arc<AtomicBool>,
}

impl Quoting {
    fn start() -> Result<Self> {
        let refuses = Arc::new(AtomicBool::new(false));
        let now = Arc::clone(&refuses);
        let server =
            Server::start(Cors::Open, move |asked| quoting(asked, now.load(Ordering::Relaxed)))?;
        Ok(Self { server, refuses })
    }

    /// Quotes it in errors from now on.
    fn begins_to_refuse(&self) {
        self.refuses.store(true, Ordering::Relaxed);
    }
}

/// A text, and everything that is packed in it: base64 in either alphabet, and gzip or deflate in that.
fn unfolded(text: &str) -> Vec<String> {
    let mut found = vec![text.to_owned()];
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+/-_=".contains(c);
    for word in text.split(|c| !is_letter(c)).filter(|w| w.len() >= 24) {
        // A link is behind a name and an equals sign.
        for word in [word, word.rsplit_once('=').map_or(word, |(_, w)| w)] {
            let plain = [&STANDARD, &STANDARD_NO_PAD, &URL_SAFE_NO_PAD];
            let Some(bytes) = plain.iter().find_map(|b| b.decode(word).ok()) else { continue };
            let mut texts = vec![bytes.clone()];
            let mut gunzipped = Vec::new();
            if flate2::read::GzDecoder::new(&*bytes).read_to_end(&mut gunzipped).is_ok() {
                texts.push(gunzipped);
            }
            let mut inflated = Vec::new();
            if flate2::read::DeflateDecoder::new(&*bytes).read_to_end(&mut inflated).is_ok() {
                texts.push(inflated);
            }
            found.extend(texts.into_iter().map(|t| String::from_utf8_lossy(&t).into_owned()));
        }
    }
    found
}

/// Fails if the key is in a text, however it is written there.
fn clean(what: &str, text: &str) -> Result<()> {
    for text in unfolded(text) {
        // JSON within JSON, as in messages to workers, has each backslash twice.
        let mut letters: Vec<char> = text.chars().collect();
        letters.dedup_by(|a, b| (*a, *b) == ('\\', '\\'));
        let text: String = letters.into_iter().collect();
        for (how, key) in [
            ("whole", CANARY.to_owned()),
            ("escaped", escaped(CANARY, "\\")),
            ("in capitals", CANARY.to_uppercase()),
        ] {
            let Some(at) = text.find(&key) else { continue };
            let around: String = text
                .chars()
                .skip(text[..at].chars().count().saturating_sub(60))
                .take(160)
                .collect();
            anyhow::bail!("the key is in {what}, {how}: …{around}…");
        }
    }
    Ok(())
}

#[test]
fn what_is_packed_is_looked_into() {
    use flate2::{Compression, write::DeflateEncoder, write::GzEncoder};
    use std::io::Write as _;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(format!("a run of {CANARY}, and so on").as_bytes()).unwrap();
    let gzip = STANDARD.encode(gzip.finish().unwrap());
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
    deflate.write_all(format!("a link of {CANARY}, and so on").as_bytes()).unwrap();
    let link = URL_SAFE_NO_PAD.encode(deflate.finish().unwrap());
    for text in [
        format!("<script>{{\"runs\":\"{gzip}\"}}</script>"),
        format!("http://127.0.0.1/#/traces?s=v1.trace.{link}"),
        format!("{{\"a\":\"{}\"}}", escaped(CANARY, "\\")),
        format!("{{\"a\":\"{}\"}}", escaped(CANARY, "\\\\\\\\")),
    ] {
        assert!(clean("a text", &text).is_err(), "{text}");
    }
    assert!(clean("a text", "nothing of it").is_ok());
}

/// Fails if the key is anywhere in the page, or in what is kept; gives all of it.
async fn clean_everywhere(page: &Browser, what: &str) -> Result<Vec<String>> {
    let found = page.everywhere().await?;
    ensure!(found.len() >= 7, "the stores were not read");
    for text in &found {
        clean(what, text)?;
    }
    Ok(found)
}

/// Fails if the key is in a file, or if a way in which it was quoted is in none of them.
fn clean_files(what: &str, files: &[String], places: &[&str]) -> Result<()> {
    for text in files {
        clean(what, text)?;
    }
    for (way, place) in WAYS.iter().flat_map(|way| places.iter().map(move |place| (way, place))) {
        let mark = way.mark(place);
        ensure!(files.iter().any(|text| text.contains(&mark)), "{what}: {mark} is in none");
    }
    Ok(())
}

/// The run as a drawing, as a file in every format, and as a link: from Solve to Traces and back.
async fn all_of_the_run(page: &Browser, has_steps: bool) -> Result<(Vec<String>, String)> {
    let traces = Traces(page);
    Secrets(page).saves_drawing().await?;
    page.go("#/traces").await?;
    Secrets(page).opens_last_run(has_steps).await?;
    let mut files = page.saved(1).await?;
    for (id, _) in trace::formats::TITLES {
        files.push(traces.saves(id).await?);
    }
    let link = page.shared().await?;
    ensure!(unfolded(&link).len() > 1, "the link was not unfolded: {link}");
    clean("the link", &link)?;
    Ok((files, link))
}

#[tokio::test]
async fn a_key_that_an_endpoint_quotes_is_in_no_run_file_link_or_store() -> Result<()> {
    let endpoint = Quoting::start()?;
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    let (solve, secrets) = (Solve(&page), Secrets(&page));
    solve.question().await?;
    secrets.watches_the_wire().await?;
    page.use_endpoint_with(&endpoint.server.url(), "m", CANARY).await?;
    page.keep_saved().await?;
    solve.with_tools().await?;
    solve.keeps(1).await?;
    ensure!(secrets.sent().await?.contains(&format!("Bearer {CANARY}")), "it was not sent");
    // What is on this machine is asked as that, or a page from elsewhere would be blocked.
    ensure!(secrets.asked_space().await? == "loopback");
    let found = clean_everywhere(&page, "the page of a run").await?;
    ensure!(found.iter().any(|text| text.contains("Whole in words")), "the kept run was not read");
    let (files, _) = all_of_the_run(&page, true).await?;
    let places = ["thoughts", "words", "arguments", "the answer"];
    clean_files("a file of a run", &files, &places)?;
    clean_everywhere(&page, "the page of traces").await?;

    // A run that got no answer has no steps, and can be saved and shared all the same.
    endpoint.begins_to_refuse();
    for n in 2..=4 {
        page.go("#/solve").await?;
        solve.with_tools().await?;
        solve.keeps(n).await?;
        page.says("the endpoint answered 401").await?;
        clean_everywhere(&page, "the page of an error").await?;
        let (files, _) = all_of_the_run(&page, false).await?;
        clean_files("a file of an error", &files, &[])?;
        clean_everywhere(&page, "the page of traces, after an error").await?;
    }
    // It goes to no other endpoint.
    let other = Server::start(Cors::Open, good)?;
    page.go("#/solve").await?;
    page.use_endpoint(&other.url(), "m").await?;
    solve.alone().await?;
    solve.steps_say("Yes.").await?;
    ensure!(!other.has_heard(CANARY), "the key went to another endpoint");
    page.close().await
}

#[tokio::test]
async fn a_key_is_kept_only_where_it_was_ticked_and_forgotten_everywhere() -> Result<()> {
    let server = Server::start(Cors::Open, good)?;
    let page = Browser::open("#/endpoints").await?;
    let (models, secrets) = (Endpoints(&page), Secrets(&page));
    models.fills_in(&server.url(), "small", CANARY).await?;
    models.uses("Runs now ask").await?;
    ensure!(secrets.stores(CANARY).await? == [false, false], "in memory means in memory");
    clean_everywhere(&page, "the page Models").await?;
    models.keeps_key("tab").await?;
    ensure!(secrets.stores(CANARY).await? == [true, false], "the tab's storage, and no other");
    models.keeps_key("device").await?;
    ensure!(secrets.stores(CANARY).await? == [false, true], "the device's storage, and no other");
    // It is there after the page was loaded again, and goes to its own address.
    page.reload().await?;
    models.checks().await?;
    models.passes_to_the_end().await?;
    ensure!(server.has_heard(CANARY), "the key did not go to the endpoint");
    models.forgets_key().await?;
    ensure!(secrets.stores(CANARY).await? == [false, false], "forgotten means forgotten");
    page.close().await
}

#[tokio::test]
async fn a_quoted_key_is_in_no_benchmark_and_no_page_that_is_made_of_it() -> Result<()> {
    let endpoint = Quoting::start()?;
    let page = Browser::open("#/solve").await?;
    Solve(&page).question().await?;
    page.use_endpoint_with(&endpoint.server.url(), "m", CANARY).await?;
    page.keep_saved().await?;
    page.go("#/bench").await?;
    let bench = Bench(&page);
    bench.begin().await?;
    bench.asks_instead(None).await?;
    bench.of_each("1").await?;
    bench.start().await?;
    bench.has_ended().await?;
    ensure!(endpoint.server.has_heard(CANARY), "the key did not go to the endpoint");
    let n = bench.n_listed().await?;
    bench.lists(n).await?;
    // Of the last three there is one a setup, and there are two setups.
    let mut files = Vec::new();
    for (form, n) in [
        ("jsonl", 1),
        ("html", 1),
        ("csv", 1),
        ("json", 1),
        ("eval.json", 2),
        ("results.json", 2),
        ("samples.jsonl", 2),
    ] {
        files.extend(bench.saves(form, n).await?);
    }
    let places = ["thoughts", "words", "arguments", "the answer"];
    clean_files("a file of a benchmark", &files, &places)?;
    clean_files("the runs file", &files[..1], &places)?;
    let live = bench.saves("live", 1).await?.remove(0);
    clean("a live page by the page", embedded(&live)?)?;
    clean_everywhere(&page, "the page of a benchmark").await?;
    // The live page that the companion makes of the runs: its file, and what it shows.
    let folder = Folder::new("quoted")?;
    folder.write("runs.jsonl", &files[0])?;
    folder.makes_live("runs.jsonl", "live.html", "Quoted").await?;
    clean("a live page by the companion", embedded(&folder.read("live.html")?)?)?;
    let disk = from_disk(&folder.address("live.html")).await?;
    Bench(&disk).opens_run().await?;
    clean("a live page as it is shown", &Secrets(&disk).shown().await?)?;
    disk.close().await?;

    bench.leaves().await?;
    endpoint.begins_to_refuse();
    bench.begin().await?;
    bench.start().await?;
    // It has come to its end, whatever that is.
    bench.has_ended().await?;
    clean_everywhere(&page, "the page of a benchmark that failed").await?;
    page.close().await
}

/// What is embedded in a live page, which has runs in it. The playground around it is some megabytes of
/// base64.
fn embedded(page: &str) -> Result<&str> {
    let data = page.split("id=\"embedded\">").nth(1).and_then(|t| t.split("</script>").next());
    let data = data.context("nothing is embedded")?;
    let has_runs = unfolded(data).iter().any(|t| t.contains("\"type\":\"run\""));
    ensure!(has_runs, "no runs in {data:.300}");
    Ok(data)
}
