//! A key that is typed in is nowhere but in the request's header.

use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::json;

use crate::browser::{Browser, Companion};
use crate::servers::{Asked, Cors, Reply, Server, good};
use crate::travelling::{Folder, NO_NETWORK};

const CANARY: &str = "sk-canary-7f3a91";

#[tokio::test]
async fn a_key_is_in_no_run_no_store_and_no_address() -> Result<()> {
    let companion = Companion::start().await?;
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    page.click("endpoint").await?;
    page.click("use-endpoint").await?;
    page.type_into("base-url", &companion.url).await?;
    page.type_into("key", CANARY).await?;
    page.type_into("model", "script").await?;
    // What goes over the wire is seen where it leaves the page.
    page.run(
        "window.seen = [];
         const before = window.fetch;
         window.fetch = (r, o) => {
             // The page loads its own parts by their addresses.
             if (r instanceof Request) { window.seen.push(r.headers.get('authorization')); window.space = r.targetAddressSpace; }
             return before(r, o);
         };
         const post = Worker.prototype.postMessage;
         window.posted = [];
         Worker.prototype.postMessage = function (m, ...rest) { window.posted.push(JSON.stringify(m, (_, v) => typeof v === 'bigint' ? String(v) : v instanceof Map ? [...v] : v)); return post.call(this, m, ...rest); };",
        vec![],
    )
    .await?;
    page.click("use").await?;
    page.click("grounded").await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.until_text("[data-testid='kept']", "1 run kept").await?;
    let sent = page.run("return window.seen", vec![]).await?;
    ensure!(
        sent.as_array().is_some_and(|s| s.contains(&json!(format!("Bearer {CANARY}")))),
        "the key did not go to the endpoint: {sent}"
    );
    // What is on this machine is asked as that, or a page from elsewhere would be blocked.
    let space = page.run("return window.space", vec![]).await?;
    ensure!(space == json!("loopback"), "the address space is {space}");
    // Everything that the page offers as a file: the trace in every format, the drawing.
    let catch = "window.saved = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = b => { b.text().then(t => window.saved.push(t)); return make(b); };";
    page.run(catch, vec![]).await?;
    page.click("share").await?;
    page.click("save-svg").await?;
    page.press("dialog.share footer button").await?;
    page.run("location.hash = '#/traces'", vec![]).await?;
    page.press("[data-testid='kept-runs'] .open").await?;
    page.click("tab-raw").await?;
    for (id, _) in trace::formats::TITLES {
        page.choose("save-as", id).await?;
    }
    page.until("all is saved", "return window.saved.length >= 6").await?;
    let saved: Vec<String> =
        serde_json::from_value(page.run("return window.saved", vec![]).await?)?;
    ensure!(saved.iter().filter(|t| t.contains("find_cycle")).count() >= 5, "no trace was saved");
    for text in &saved {
        ensure!(!text.contains(CANARY), "the key is in a file: {}", &text[..text.len().min(300)]);
    }
    let found = everywhere(&page).await?;
    ensure!(found.len() >= 7, "the stores were not read");
    ensure!(found.iter().any(|t| t.contains("find_cycle")), "the kept run was not read");
    for text in &found {
        ensure!(!text.contains(CANARY), "the key is in {}", &text[..text.len().min(300)]);
    }
    page.close().await
}

/// Everything of a page in which a key could lie: address, page, both storages, what went to
/// workers, and every kept run.
async fn everywhere(page: &Browser) -> Result<Vec<String>> {
    let found = page
        .client
        .execute_async(
            "const done = arguments[arguments.length - 1];
             const found = [location.href, document.documentElement.outerHTML,
                 JSON.stringify(localStorage), JSON.stringify(sessionStorage), ...(window.posted || [])];
             const open = indexedDB.open('graphground');
             open.onsuccess = () => {
                 const db = open.result;
                 const names = [...db.objectStoreNames];
                 const t = db.transaction(names);
                 let left = names.length;
                 for (const n of names) {
                     t.objectStore(n).getAll().onsuccess = e => {
                         found.push(JSON.stringify(e.target.result));
                         left -= 1;
                         if (left === 0) done(found);
                     };
                 }
             };",
            vec![],
        )
        .await?;
    Ok(serde_json::from_value(found)?)
}

/// A key that an endpoint quotes in its error, and that is kept in each place in turn.
#[tokio::test]
async fn a_key_is_kept_only_where_it_was_ticked_and_forgotten_everywhere() -> Result<()> {
    let server = Server::start(Cors::Open, good)?;
    let page = Browser::open("#/endpoints").await?;
    page.type_into("endpoint-url", &server.url()).await?;
    page.type_into("endpoint-model", "small").await?;
    page.type_into("endpoint-key", CANARY).await?;
    page.click("use-this").await?;
    page.until_text(".report.ok", "Runs now ask").await?;
    let stored = async || -> Result<(bool, bool)> {
        let script = "return [sessionStorage, localStorage].map(s => JSON.stringify(s))";
        let found = page.run(script, vec![]).await?;
        let has = |at: usize| found[at].as_str().is_some_and(|t| t.contains(CANARY));
        Ok((has(0), has(1)))
    };
    ensure!(stored().await? == (false, false), "in memory means in memory");
    for text in everywhere(&page).await? {
        ensure!(!text.contains(CANARY), "the key is in {}", &text[..text.len().min(300)]);
    }
    page.click("keep-tab").await?;
    ensure!(stored().await? == (true, false), "the tab's storage, and no other");
    page.click("keep-device").await?;
    ensure!(stored().await? == (false, true), "the device's storage, and no other");
    // It is there after the page was loaded again, and goes to its own address.
    page.client.refresh().await?;
    page.click("check").await?;
    page.find("[data-check='Stream'][data-outcome='ok']").await?;
    let sent = server.heads.lock().is_ok_and(|h| h.iter().any(|h| h.contains(CANARY)));
    ensure!(sent, "the key did not go to the endpoint");
    page.click("forget-key").await?;
    ensure!(stored().await? == (false, false), "forgotten means forgotten");
    page.close().await
}

#[tokio::test]
async fn a_key_goes_to_no_other_endpoint_and_no_error_shows_it() -> Result<()> {
    let mine = Server::start(Cors::Open, |_| {
        Reply::json(401, json!({ "error": { "message": format!("wrong key {CANARY}") } }))
    })?;
    let other = Server::start(Cors::Open, good)?;
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    page.click("endpoint").await?;
    page.click("use-endpoint").await?;
    page.type_into("base-url", &mine.url()).await?;
    page.type_into("key", CANARY).await?;
    page.type_into("model", "small").await?;
    page.click("use").await?;
    page.click("standalone").await?;
    page.until_text("body", "the endpoint answered 401").await?;
    page.until_text("[data-testid='kept']", "1 run kept").await?;
    for text in everywhere(&page).await? {
        ensure!(!text.contains(CANARY), "the key is in {}", &text[..text.len().min(300)]);
    }
    page.click("endpoint").await?;
    page.type_into("base-url", &other.url()).await?;
    page.click("use").await?;
    page.click("standalone").await?;
    page.until_text(".steps", "Yes.").await?;
    let leaked = other.heads.lock().is_ok_and(|h| h.iter().any(|h| h.contains(CANARY)));
    ensure!(!leaked, "the key went to another endpoint");
    page.close().await
}

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

/// Where it quotes it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// In its answer.
    Content,
    /// In its thoughts.
    Thoughts,
    /// In the arguments of a call.
    Arguments,
    /// In the arguments, escaped once more: it is read together with them.
    InnerArguments,
    /// In the body of a 401.
    Error,
}

const PLACES: [Place; 5] =
    [Place::Content, Place::Thoughts, Place::Arguments, Place::InnerArguments, Place::Error];

/// Every letter as JSON may have it.
fn escaped(text: &str, backslash: &str) -> String {
    text.chars().map(|c| format!("{backslash}u{:04x}", c as u32)).collect()
}

/// The pieces of a text: whole, or five letters each.
fn cut(text: &str, quoted: Quoted) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let each = if quoted == Quoted::InPieces { 5 } else { letters.len().max(1) };
    letters.chunks(each).map(|c| c.iter().collect()).collect()
}

/// An endpoint that quotes its key, in one way at a time.
struct Quoting {
    server: Server,
    way: Arc<Mutex<(Quoted, Place)>>,
}

impl Quoting {
    fn start() -> Result<Self> {
        let way = Arc::new(Mutex::new((Quoted::Whole, Place::Content)));
        let now = Arc::clone(&way);
        let server = Server::start(Cors::Open, move |asked: &Asked| {
            if asked.path.ends_with("/models") {
                return Reply::json(200, json!({ "data": [{ "id": "m" }] }));
            }
            let (quoted, place) = *now.lock().unwrap_or_else(PoisonError::into_inner);
            quoting(asked, quoted, place)
        })?;
        Ok(Self { server, way })
    }

    /// Quotes in another way from now on.
    fn becomes(&self, quoted: Quoted, place: Place) {
        *self.way.lock().unwrap_or_else(PoisonError::into_inner) = (quoted, place);
        self.server.heads.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Whether it was sent the key since.
    fn was_sent_the_key(&self) -> bool {
        self.server.heads.lock().is_ok_and(|heads| heads.iter().any(|head| head.contains(CANARY)))
    }
}

/// What a run says, by which its files are known from those of other runs.
fn mark(quoted: Quoted, place: Place) -> String {
    format!("{quoted:?} in {place:?}")
}

fn quoting(asked: &Asked, quoted: Quoted, place: Place) -> Reply {
    let end = format!("No, there is no cycle. {}", mark(quoted, place));
    let key = if quoted == Quoted::Escaped { escaped(CANARY, "\\") } else { CANARY.into() };
    if place == Place::Error {
        let body = format!("{{\"error\":{{\"message\":\"Incorrect API key provided: {key}\"}}}}");
        let pieces = cut(&body, quoted);
        return Reply { pieces, ..Reply::json(401, json!(null)) };
    }
    // Written by hand: no library escapes letters that need it not.
    let event = |delta: &str, finish: &str| {
        format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n"
        )
    };
    let mut pieces = Vec::new();
    let answered = asked.body["messages"].as_array().into_iter().flatten();
    let is_second = answered.filter(|m| m["role"] == "tool").count() > 0;
    let said = |field: &str, text: &str, pieces: &mut Vec<String>| {
        for part in cut(text, quoted) {
            pieces.push(event(&format!("{{\"{field}\":\"{part}\"}}"), "null"));
        }
    };
    match place {
        Place::Content => said("content", &format!("Your key is {key}. {end}"), &mut pieces),
        Place::Thoughts => {
            said("reasoning_content", &format!("The key {key} is theirs."), &mut pieces);
            said("content", &end, &mut pieces);
        }
        _ if is_second => said("content", &end, &mut pieces),
        _ => {
            let inner = match (place, quoted) {
                (Place::InnerArguments, _) => escaped(CANARY, "\\\\"),
                _ => key,
            };
            let name = "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"add_nodes\",\"arguments\":\"\"}}]}";
            pieces.push(event(name, "null"));
            let mut parts = vec!["{\\\"nodes\\\":[\\\"".to_owned()];
            // An escape is one letter of the wire: it is not cut in two there.
            parts.extend(if inner == CANARY { cut(&inner, quoted) } else { vec![inner] });
            parts.push("\\\"]}".to_owned());
            for part in parts {
                let call = format!(
                    "{{\"tool_calls\":[{{\"index\":0,\"function\":{{\"arguments\":\"{part}\"}}}}]}}"
                );
                pieces.push(event(&call, "null"));
            }
            pieces.push(event("{}", "\"tool_calls\""));
        }
    }
    pieces.push(event("{}", "\"stop\""));
    pieces.push("data: [DONE]\n\n".into());
    Reply { content_type: "text/event-stream", pieces, ..Reply::json(200, json!(null)) }
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
    ] {
        assert!(clean("a text", &text).is_err(), "{text}");
    }
    assert!(clean("a text", "nothing of it").is_ok());
}

/// Types an endpoint with the key into the dialog.
async fn use_with_key(page: &Browser, url: &str) -> Result<()> {
    page.click("endpoint").await?;
    if page.count("[data-testid='use-endpoint'][aria-pressed='true']").await? == 0 {
        page.click("use-endpoint").await?;
    }
    page.type_into("base-url", url).await?;
    page.type_into("key", CANARY).await?;
    page.type_into("model", "m").await?;
    page.click("use").await
}

/// Notes from now on the text of every file that the page saves.
const NOTE_FILES: &str = "window.saved = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = b => { b.text().then(t => window.saved.push(t)); return make(b); };";

#[tokio::test]
async fn a_key_that_an_endpoint_quotes_is_nowhere() -> Result<()> {
    let endpoint = Quoting::start()?;
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    use_with_key(&page, &endpoint.server.url()).await?;
    page.run(NOTE_FILES, vec![]).await?;
    let mut n = 0;
    for quoted in [Quoted::Whole, Quoted::InPieces, Quoted::Escaped] {
        for place in PLACES {
            let what = mark(quoted, place);
            endpoint.becomes(quoted, place);
            page.click("grounded").await?;
            n += 1;
            let kept = format!("{n} run{} kept", if n == 1 { "" } else { "s" });
            page.until_text("[data-testid='kept']", &kept).await?;
            ensure!(endpoint.was_sent_the_key(), "{what}: the key did not go to the endpoint");
            for text in everywhere(&page).await? {
                clean(&what, &text)?;
            }
            // The run as a link, and as a file in every format.
            page.run("window.saved.length = 0", vec![]).await?;
            page.click("share").await?;
            page.click("save-svg").await?;
            page.press("dialog.share footer button").await?;
            page.run("location.hash = '#/traces'", vec![]).await?;
            page.press("[data-testid='kept-runs'] .open").await?;
            // A run that got no answer has no steps, and can be saved and shared all the same.
            if place != Place::Error {
                page.find(".step-row").await?;
            }
            for (id, _) in trace::formats::TITLES {
                page.choose("save-as", id).await?;
            }
            page.until("all is saved", "return window.saved.length >= 6").await?;
            page.click("share").await?;
            page.by_id("share-link").await?;
            let link = page
                .run("return document.querySelector('[data-testid=share-link]').value", vec![])
                .await?;
            let link = link.as_str().context("no link")?;
            ensure!(unfolded(link).len() > 1, "{what}: the link was not unfolded: {link}");
            clean(&format!("the link, {what}"), link)?;
            let saved: Vec<String> =
                serde_json::from_value(page.run("return window.saved", vec![]).await?)?;
            let is_of_this_run = saved.iter().any(|text| text.contains(&what));
            ensure!(is_of_this_run || place == Place::Error, "{what} is in no file: {saved:?}");
            for text in &saved {
                clean(&format!("a file, {what}"), text)?;
            }
            for text in everywhere(&page).await? {
                clean(&format!("the page of traces, {what}"), &text)?;
            }
            page.press("dialog.share footer button").await?;
            page.run("location.hash = '#/solve?task=cycle&difficulty=easy&seed=2'", vec![]).await?;
        }
    }
    page.close().await
}

#[tokio::test]
async fn a_quoted_key_is_in_no_benchmark_and_no_page_that_is_made_of_it() -> Result<()> {
    let endpoint = Quoting::start()?;
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    page.until_text(".question", "Q:").await?;
    use_with_key(&page, &endpoint.server.url()).await?;
    page.run(NOTE_FILES, vec![]).await?;
    page.run("location.hash = '#/bench'", vec![]).await?;
    for quoted in [Quoted::Whole, Quoted::InPieces, Quoted::Escaped] {
        for place in [Place::Content, Place::Arguments, Place::Error] {
            let what = mark(quoted, place);
            endpoint.becomes(quoted, place);
            page.click("bench-new").await?;
            let set = "const [id, value] = arguments; const n = document.querySelector(`[data-testid=${id}]`);
                n.value = value; n.dispatchEvent(new Event('change', { bubbles: true }))";
            page.press(".bench-models button").await?;
            page.click("bench-endpoint").await?;
            page.run(set, vec![json!("bench-n"), json!("1")]).await?;
            page.run("window.saved.length = 0", vec![]).await?;
            page.click("bench-start").await?;
            // It has come to its end, whatever that is.
            page.until_text("[data-testid='bench-progress'] span", "new ones in").await?;
            if place != Place::Error {
                page.by_id("bench-runs").await?;
                for form in ["jsonl", "html", "csv", "json"] {
                    page.click(&format!("save-{form}")).await?;
                }
                page.until("all is saved", "return window.saved.length >= 4").await?;
                // Of these there is one a setup, and there are two setups.
                for (i, form) in ["eval.json", "results.json", "samples.jsonl"].iter().enumerate() {
                    page.click(&format!("save-{form}")).await?;
                    let n = 4 + 2 * (i + 1);
                    let saved = format!("return window.saved.length >= {n}");
                    page.until("it is saved for other programs", &saved).await?;
                }
                let saved: Vec<String> =
                    serde_json::from_value(page.run("return window.saved", vec![]).await?)?;
                for text in &saved {
                    clean(&format!("a file of a benchmark, {what}"), text)?;
                }
                page.click("save-live").await?;
                page.until("the live page is saved", "return window.saved.length >= 11").await?;
                // The playground around them is some megabytes, which stay in the browser.
                let data =
                    "return window.saved[10].split('id=\"embedded\">')[1]?.split('</script>')[0]";
                let data = page.run(data, vec![]).await?;
                let data = with_runs(data.as_str().context("nothing is embedded")?)?;
                clean(&format!("a live page by the page, {what}"), data)?;
                let runs = saved.iter().find(|t| t.starts_with("{\"type\":"));
                let runs = runs.context("no runs file")?;
                ensure!(runs.contains(&what), "{what} is in no run: {runs}");
                live(runs, &what).await?;
            }
            ensure!(endpoint.was_sent_the_key(), "{what}: the key did not go to the endpoint");
            for text in everywhere(&page).await? {
                clean(&format!("the page of a benchmark, {what}"), &text)?;
            }
            page.click("bench-back").await?;
        }
    }
    page.close().await
}

/// What a live page holds. The playground around it is some megabytes of base64; what is embedded
/// stands in one element.
fn embedded(page: &str) -> Result<&str> {
    let data = page.split("id=\"embedded\">").nth(1).and_then(|t| t.split("</script>").next());
    with_runs(data.context("nothing is embedded")?)
}

/// Fails if there are no runs in what is embedded.
fn with_runs(data: &str) -> Result<&str> {
    let has_runs = unfolded(data).iter().any(|t| t.contains("\"type\":\"run\""));
    ensure!(has_runs, "no runs in {data:.300}");
    Ok(data)
}

/// The live page of a runs file, which has the playground in it: its file, and what it shows.
async fn live(runs: &str, what: &str) -> Result<()> {
    let app = std::env::var("GRAPHGROUND_SINGLE_FILE")
        .context("run these tests with `cargo xtask test`")?;
    let app = std::fs::canonicalize(app)?.display().to_string();
    let folder = Folder::new("quoted")?;
    std::fs::write(folder.0.join("runs.jsonl"), runs)?;
    let report = ["report", "runs.jsonl", "--html", "live.html", "--live", "--app", &app];
    folder.companion(&report).await?;
    let text = std::fs::read_to_string(folder.0.join("live.html"))?;
    clean(&format!("a live page, {what}"), embedded(&text)?)?;
    let page =
        Browser::open_at(&folder.address("live.html"), 1280, 900, "light", NO_NETWORK).await?;
    page.by_id("bench-runs").await?;
    page.press("button.bench-row").await?;
    page.find(".step-row").await?;
    let shown = page.run("return document.documentElement.outerHTML", vec![]).await?;
    clean(&format!("a live page as it is shown, {what}"), shown.as_str().unwrap_or_default())?;
    page.close().await
}
