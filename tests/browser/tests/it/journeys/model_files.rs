//! A model file in the page: added, used, stopped, still there after a reload, deleted; what is no
//! model; a download that breaks off.

use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use gguf::fixture::{self, Made};
use gguf::{File, LocalModel, LocalOptions};
use llm::Model as _;
use serde_json::{Value, json};

use crate::browser::{Browser, file, target};
use crate::screens::{ModelFiles, Solve};
use crate::served::Served;

/// The aim: milliseconds until the worker has stopped.
const STOP_MS: f64 = 100.0;
/// On a machine with other work everything takes longer: then a stop is heard in the middle of a run if it
/// takes no more than such a part of a whole one there.
const PART: f64 = 0.1;

/// A small model with made-up weights, and room for a run's prompt. Its template has no tools.
pub(super) fn small() -> Result<Vec<u8>> {
    let template = "{% for m in messages %}{{ m.role + ': ' + m.content + '\\n' }}{% endfor %}";
    // Blocks of 256 numbers, so that it is large enough to take a moment.
    let made = Made { stored: 12, n_ctx: 8192, template, ..Made::default() };
    fixture::file(&made).context("no fixture")
}

async fn opened() -> Result<Browser> {
    let page = Browser::open("#/solve?task=connectivity&difficulty=easy&seed=7&tools=2").await?;
    Solve(&page).question().await?;
    ModelFiles(&page).open().await?;
    Ok(page)
}

async fn give(page: &Browser, name: &str, bytes: &[u8]) -> Result<()> {
    ModelFiles(page).add(&file(name, bytes)?).await
}

#[tokio::test]
async fn a_model_file_runs_stops_and_stays() -> Result<()> {
    let page = opened().await?;
    let (files, solve) = (ModelFiles(&page), Solve(&page));
    files.list_says("There is no file yet").await?;
    files.fits("model-file-none").await?;
    give(&page, "small.gguf", &small()?).await?;
    files.is_chosen("small.gguf").await?;
    files.choice_says("its template has no tools").await?;
    files.fits("model-file").await?;
    // The tools of such a model are in its prompt, and calls are JSON.
    files.calls_are("json").await?;
    files.max_tokens("300").await?;
    files.take().await?;
    files.is_in_use("small.gguf, in this page").await?;
    solve.alone().await?;
    solve.has_verdict().await?;
    solve.is_idle().await?;
    let began = Instant::now();
    solve.with_tools().await?;
    solve.is_idle().await?;
    let whole = began.elapsed();
    solve.has_verdict().await?;
    // The list has its speed.
    println!("{}", files.speed().await?);
    stops(&page, whole).await?;
    // The next visit finds file and choice.
    page.load("#/solve?task=connectivity&difficulty=easy&seed=7&tools=2").await?;
    files.is_in_use("small.gguf, in this page").await?;
    files.open().await?;
    files.is_chosen("small.gguf").await?;
    files.delete().await?;
    files.list_says("There is no file yet").await?;
    files.take().await?;
    files.report_says("add one").await?;
    page.close().await
}

/// What a template can make of the worker: it computes without an end, or fails within a promise.
const TROUBLE: &str = "self.addEventListener('message', ({ data }) => {
    const asked = data.body?.ask?.body ?? '';
    if (asked.includes('endless.gguf')) for (;;);
    if (asked.includes('broken.gguf')) Promise.reject(new RangeError('too much recursion'));
});\n";

#[tokio::test]
async fn a_worker_that_hangs_or_fails_is_reported_with_its_file_and_started_again() -> Result<()> {
    let served = Served::start_with(|name, bytes| match name {
        "model.js" => [TROUBLE.as_bytes(), &bytes].concat(),
        _ => bytes,
    })?;
    let url = format!("{}#/solve?task=connectivity&difficulty=easy&seed=7", served.url);
    let page = Browser::open_plain(&url, 1280, 800, "light").await?;
    let (files, solve) = (ModelFiles(&page), Solve(&page));
    solve.question().await?;
    files.open().await?;
    give(&page, "broken.gguf", &small()?).await?;
    files.is_chosen("broken.gguf").await?;
    files.take().await?;
    solve.alone().await?;
    page.says("broken.gguf: the model's worker failed (RangeError: too much recursion)").await?;
    solve.is_idle().await?;
    page.shoot("model-file-broken").await?;

    files.open().await?;
    give(&page, "endless.gguf", &small()?).await?;
    files.chooses("endless.gguf").await?;
    files.take().await?;
    solve.alone().await?;
    solve.verdicts_say("Running").await?;
    solve.alone().await?;
    solve.is_idle().await?;
    // The worker was ended, so that another file can be added.
    files.open().await?;
    give(&page, "good.gguf", &small()?).await?;
    files.chooses("good.gguf").await?;
    files.take().await?;
    solve.alone().await?;
    solve.is_idle().await?;
    solve.has_verdict().await?;
    page.close().await
}

/// Stops a run in the middle of an answer, and measures how soon the worker has stopped; `whole` is what a
/// run with a shorter prompt took to its end.
async fn stops(page: &Browser, whole: Duration) -> Result<()> {
    let (files, solve) = (ModelFiles(page), Solve(page));
    files.forget_stops().await?;
    // Many functions are in the prompt: it takes a while to be read.
    page.go("#/solve?task=flow&difficulty=hard&seed=3&tools=14").await?;
    solve.asks("flow").await?;
    files.start_and_stop().await?;
    let took = files.stopped_after_ms().await?;
    let whole = whole.as_secs_f64() * 1e3;
    println!(
        "the worker stopped {took:.1} ms after Stop (the aim is {STOP_MS}); a run took {whole:.0}"
    );
    let most = STOP_MS.max(PART * whole);
    ensure!(took < most, "the worker stopped {took} ms after Stop; {most} are the most");
    Ok(())
}

#[tokio::test]
async fn what_is_no_model_is_refused_with_its_reason_and_a_broken_download_resumes() -> Result<()> {
    let page = opened().await?;
    let (files, solve) = (ModelFiles(&page), Solve(&page));
    let whole = small()?;
    give(&page, "cut.gguf", &whole[..whole.len() / 2]).await?;
    files.fault_says("cut.gguf was not added: the file ends within").await?;
    give(&page, "zip.gguf", b"PK\x03\x04 and more").await?;
    files.fault_says("this is no GGUF file").await?;
    give(&page, "model.bin", &whole).await?;
    files.fault_says("no name of a model file; one ends in .gguf").await?;
    let broken = Made { template: "{% for", ..Made::default() };
    give(&page, "template.gguf", &fixture::file(&broken)?).await?;
    files.fault_says("chat template cannot be used").await?;
    // Architectures are names of the same length here.
    let mut other = fixture::file(&Made::default())?;
    let at = other.windows(5).position(|w| w == b"llama").context("no architecture")?;
    other[at..at + 5].copy_from_slice(b"mamba");
    give(&page, "other.gguf", &other).await?;
    files.fault_says("architecture is \"mamba\"").await?;
    // A file without its bytes: only its length counts.
    let large = file("large.gguf", b"GGUF")?;
    std::fs::File::options().write(true).open(&large)?.set_len(2_200_000_000)?;
    files.add(&large).await?;
    files.fault_says("has 2200 MB, and a model file in this page may have at most 2147 MB").await?;
    std::fs::remove_file(large)?;
    // A model that does not fit into memory is refused before it is loaded.
    let huge = Made { is_large: true, stored: 2, ..Made::default() };
    give(&page, "huge.gguf", &fixture::file(&huge)?).await?;
    files.fault_says("for a context of 512 tokens), and a page has 2013 MB for it").await?;
    files.list_says("There is no file yet").await?;
    files.load("http://127.0.0.1:1/none.gguf").await?;
    files.fault_says("nothing came from").await?;
    // What sends a web page in place of a file is found out at once.
    let web = Shelf::start(b"<!doctype html><title>log in</title>".to_vec(), 0, false)?;
    files.load(&web.url.replace("shelf", "web")).await?;
    files.fault_says("this is no GGUF file").await?;
    ensure!(!files.lists("web.gguf").await?);

    // A download that breaks off is kept, also over a reload, and resumes.
    let shelf = Shelf::start(whole.clone(), 1, true)?;
    files.load(&shelf.url).await?;
    files.fault_says("what is here is kept").await?;
    files.file_says("shelf.gguf", "Not whole").await?;
    page.shoot("model-file-half-1280-light").await?;
    page.load("#/solve?task=connectivity&difficulty=easy&seed=7&tools=2").await?;
    solve.question().await?;
    files.open().await?;
    files.load_rest().await?;
    files.is_chosen("shelf.gguf").await?;
    ensure!(!files.has_fault().await?);
    let heads = shelf.heads.lock().map_err(|_| anyhow::anyhow!("a thread broke"))?.clone();
    let last = heads.iter().rfind(|h| h.starts_with("get")).context("nobody asked")?;
    let half = format!("range: bytes={}-", whole.len() / 2);
    ensure!(last.contains(&half) && last.contains("if-range: \"v1\""), "it asked {last}");
    files.take().await?;
    solve.alone().await?;
    solve.has_verdict().await?;
    // A server without parts is asked from the start again, and the page says so.
    files.open().await?;
    files.delete().await?;
    let shelf = Shelf::start(whole, 1, false)?;
    files.load(&shelf.url).await?;
    files.file_says("shelf.gguf", "Not whole").await?;
    files.load_rest().await?;
    files.is_chosen("shelf.gguf").await?;
    files.says("from its start again").await?;
    page.close().await
}

#[tokio::test]
async fn the_page_answers_what_this_program_answers() -> Result<()> {
    let page = Browser::open("#/solve").await?;
    // Blocks of four and eight bits, and numbers of 16 bits. Few tokens: among weights that nobody
    // learned two tokens are soon as likely as each other but for rounding.
    for stored in [3, 8, 1, 12] {
        let made = Made { stored, n_ctx: 2048, ..Made::default() };
        answers_alike(&page, &format!("{stored}.gguf"), fixture::file(&made)?, 2048).await?;
    }
    answers_alike(&page, "tuned.gguf", tuned()?, 512).await?;
    page.close().await
}

/// Asks a file's model in the page and in this program.
async fn answers_alike(page: &Browser, name: &str, bytes: Vec<u8>, n_ctx: usize) -> Result<()> {
    let shelf = Shelf::start(bytes.clone(), 0, false)?;
    // More than a batch, and no whole number of them.
    let words = "Is there a path from the first to the last of these nodes? ".repeat(n_ctx / 227);
    let body = json!({
        "model": name, "temperature": 0, "max_tokens": 12, "seed": 1,
        "messages": [{ "role": "user", "content": words }],
    });
    let options = LocalOptions { n_ctx, ..LocalOptions::default() };
    let model = LocalModel::load(File::over(Cursor::new(bytes))?, options)?;
    let request = llm::served::read(&body).map_err(anyhow::Error::msg)?.request;
    let ours = model.complete(&request, &()).await?;
    let heard = ModelFiles(page).asks_a_worker(&shelf.url, &body).await?;
    let theirs = heard["text"].as_str().context("no text")?;
    let theirs: Value = serde_json::from_str(theirs).with_context(|| heard.to_string())?;
    let theirs = &theirs["choices"][0]["message"]["content"];
    ensure!(ours.message.content.len() > 8, "too short to tell anything: {ours:?}");
    ensure!(*theirs == ours.message.content, "{theirs} is not {ours:?}");
    Ok(())
}

/// A file that the companion fine-tuned from a folder in Hugging Face's form.
fn tuned() -> Result<Vec<u8>> {
    let folder = target().join("uploads/tuned");
    let hugging = folder.join("hugging");
    std::fs::create_dir_all(&hugging)?;
    let made = fixture::hugging("llama", "F16", false);
    std::fs::write(hugging.join("config.json"), made.model.config.to_string())?;
    std::fs::write(hugging.join("tokenizer.json"), made.model.tokenizer.to_string())?;
    let config = made.model.tokenizer_config.to_string();
    std::fs::write(hugging.join("tokenizer_config.json"), config)?;
    std::fs::write(hugging.join("model.safetensors"), made.safetensors())?;
    let pair = |i| format!("{{\"prompt\": \"node {i}\", \"completion\": \"It is {i}.\"}}\n");
    std::fs::write(folder.join("pairs.jsonl"), (0..8).map(pair).collect::<String>())?;
    let _ = std::fs::remove_file(folder.join("tuned.checkpoint"));
    let line = "finetune --base hugging --data pairs.jsonl --held-out-share 0.25 --name tuned \
                --set steps=4 --set measured=0 --set every=0";
    let ended = std::process::Command::new(std::env::var("GRAPHGROUND_COMPANION")?)
        .current_dir(&folder)
        .args(line.split_whitespace())
        .output()?;
    ensure!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    Ok(std::fs::read(folder.join("tuned.gguf"))?)
}

/// A server of one file. The first answers break off; its versions can be distinguished.
struct Shelf {
    url: String,
    /// The heads of the requests that came.
    heads: Arc<Mutex<Vec<String>>>,
}

impl Shelf {
    fn start(bytes: Vec<u8>, breaks: usize, has_parts: bool) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://127.0.0.1:{}/files/shelf.gguf", listener.local_addr()?.port());
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let all = Arc::clone(&heads);
        std::thread::spawn(move || {
            let mut left = breaks;
            for stream in listener.incoming().flatten() {
                let _ = answer(stream, &bytes, &mut left, has_parts, &all);
            }
        });
        Ok(Self { url, heads })
    }
}

fn answer(
    mut stream: TcpStream,
    bytes: &[u8],
    breaks: &mut usize,
    has_parts: bool,
    heads: &Mutex<Vec<String>>,
) -> Option<()> {
    let mut head = String::new();
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    while reader.read_line(&mut head).ok()? > 2 {}
    let head = head.to_ascii_lowercase();
    heads.lock().ok()?.push(head.clone());
    let cors = "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Headers: range, if-range\r\n\
        Access-Control-Expose-Headers: etag, content-range\r\nConnection: close\r\n";
    if head.starts_with("options") {
        return write!(stream, "HTTP/1.1 204 No Content\r\n{cors}\r\n").ok();
    }
    let from = head.split("range: bytes=").nth(1).and_then(|r| r.split('-').next()?.parse().ok());
    let from: usize = from.filter(|_| has_parts).unwrap_or(0);
    let status = match from {
        0 => "200 OK".to_owned(),
        n => {
            let (last, all) = (bytes.len() - 1, bytes.len());
            format!("206 Partial Content\r\nContent-Range: bytes {n}-{last}/{all}")
        }
    };
    let rest = &bytes[from..];
    let n = rest.len();
    write!(stream, "HTTP/1.1 {status}\r\nETag: \"v1\"\r\nContent-Length: {n}\r\n{cors}\r\n")
        .ok()?;
    if *breaks > 0 {
        *breaks -= 1;
        stream.write_all(&rest[..n / 2]).ok()?;
        stream.flush().ok()?;
        // A stream that fails drops what nobody has read yet, so the page gets the time to read it.
        std::thread::sleep(Duration::from_secs(2));
        return None;
    }
    stream.write_all(rest).ok()
}
