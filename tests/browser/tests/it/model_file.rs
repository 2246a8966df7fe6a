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

/// The aim: milliseconds until the worker has stopped.
const STOP_MS: f64 = 100.0;
/// On a machine with other work everything takes longer: then a stop is heard in the middle of a run if it
/// takes no more than such a part of a whole one there.
const PART: f64 = 0.1;

/// A small model with made-up weights, and room for a run's prompt. Its template has no tools.
fn small() -> Result<Vec<u8>> {
    let template = "{% for m in messages %}{{ m.role + ': ' + m.content + '\\n' }}{% endfor %}";
    // Blocks of 256 numbers, so that it is large enough to take a moment.
    let made = Made { stored: 12, n_ctx: 8192, template, ..Made::default() };
    fixture::file(&made).context("no fixture")
}

async fn open_files(page: &Browser) -> Result<()> {
    page.click("endpoint").await?;
    page.click("use-file").await?;
    page.by_id("own-file").await?;
    Ok(())
}

async fn opened(width: u32, scheme: &str) -> Result<Browser> {
    let hash = "#/solve?task=connectivity&difficulty=easy&seed=7&tools=2";
    let page = Browser::open_sized(hash, width, 900, scheme).await?;
    page.until_text(".question", "Q:").await?;
    open_files(&page).await?;
    Ok(page)
}

async fn give(page: &Browser, name: &str, bytes: &[u8]) -> Result<()> {
    let path = file(name, bytes)?;
    Ok(page.by_id("own-file").await?.send_keys(&path.to_string_lossy()).await?)
}

/// Until a file is the one that is chosen.
async fn chosen(page: &Browser, name: &str) -> Result<()> {
    let script =
        format!("return !!document.querySelector('[data-file={}] input')?.checked", json!(name));
    page.until(&format!("{name} is chosen"), &script).await
}

#[tokio::test]
async fn a_model_file_runs_stops_and_stays() -> Result<()> {
    let page = opened(1280, "light").await?;
    page.until_text("[data-testid='model-files']", "There is no file yet").await?;
    give(&page, "small.gguf", &small()?).await?;
    chosen(&page, "small.gguf").await?;
    page.until_text("[data-file] .choice", "its template has no tools").await?;
    // Such a model is told of its tools in the prompt.
    page.until(
        "calls are JSON",
        "return document.querySelector('[data-testid=file-tool-style]').value === 'json'",
    )
    .await?;
    page.run(
        "const n = document.querySelector('[data-testid=file-max-tokens]');
         n.value = 300; n.dispatchEvent(new Event('change', { bubbles: true }))",
        vec![],
    )
    .await?;
    page.click("use").await?;
    page.until_text(".pill", "small.gguf, in this page").await?;
    page.click("standalone").await?;
    page.find(".card[data-verdict]").await?;
    idle(&page).await?;
    let began = Instant::now();
    page.click("grounded").await?;
    idle(&page).await?;
    let whole = began.elapsed();
    page.find(".card[data-verdict]").await?;
    // Its speed stands in the list.
    page.click("endpoint").await?;
    page.until_text("[data-testid='file-speed']", "tokens a second read").await?;
    println!("{}", page.text("[data-testid='file-speed']").await?);
    page.press("dialog.endpoint footer .quiet").await?;
    stops(&page, whole).await?;
    // The next visit finds file and choice.
    page.client.refresh().await?;
    page.until_text(".pill", "small.gguf, in this page").await?;
    page.click("endpoint").await?;
    chosen(&page, "small.gguf").await?;
    page.click("delete-file").await?;
    page.until_text("[data-testid='model-files']", "There is no file yet").await?;
    page.click("use").await?;
    page.until_text(".report", "add one").await?;
    page.close().await
}

/// Until no run is under way.
async fn idle(page: &Browser) -> Result<()> {
    let script = "return ['standalone', 'grounded'].every(
        (id) => document.querySelector(`[data-testid=${id}]`).textContent.trim() !== 'Stop')";
    page.until_within("the run is over", script, 60).await
}

/// Stops a run in the middle of an answer, and measures how soon the worker has stopped; `whole` is what a
/// run with a shorter prompt took to its end.
async fn stops(page: &Browser, whole: Duration) -> Result<()> {
    page.run("performance.clearMarks()", vec![]).await?;
    // Many functions stand in the prompt: it takes a while to be read.
    page.run("location.hash = '#/solve?task=flow&difficulty=hard&seed=3&tools=14'", vec![]).await?;
    page.until_text(".question", "flow").await?;
    page.click("grounded").await?;
    page.until_text("[data-testid='grounded']", "Stop").await?;
    tokio::time::sleep(Duration::from_millis(400)).await;
    page.click("grounded").await?;
    page.until(
        "the worker has stopped",
        "return performance.getEntriesByName('model file stopped').length > 0",
    )
    .await?;
    let took = "const at = (n) => performance.getEntriesByName(n)[0].startTime;
        return at('model file stopped') - at('model file stop')";
    let took = page.run(took, vec![]).await?.as_f64().context("no number")?;
    let whole = whole.as_secs_f64() * 1e3;
    println!(
        "the worker stopped {took:.1} ms after Stop (the aim is {STOP_MS}); a run took {whole:.0}"
    );
    let most = STOP_MS.max(PART * whole);
    ensure!(took < most, "the worker stopped {took} ms after Stop; {most} are the most");
    Ok(())
}

#[tokio::test]
async fn what_is_no_model_is_refused_with_its_reason() -> Result<()> {
    let page = opened(1280, "light").await?;
    let fault = "[data-testid='file-fault']";
    let whole = small()?;
    give(&page, "cut.gguf", &whole[..whole.len() / 2]).await?;
    page.until_text(fault, "cut.gguf was not added: the file ends within").await?;
    give(&page, "zip.gguf", b"PK\x03\x04 and more").await?;
    page.until_text(fault, "this is no GGUF file").await?;
    give(&page, "model.bin", &whole).await?;
    page.until_text(fault, "no name of a model file; one ends in .gguf").await?;
    let broken = Made { template: "{% for", ..Made::default() };
    give(&page, "template.gguf", &fixture::file(&broken)?).await?;
    page.until_text(fault, "chat template cannot be used").await?;
    // Architectures are names of the same length here.
    let mut other = fixture::file(&Made::default())?;
    let at = other.windows(5).position(|w| w == b"llama").context("no architecture")?;
    other[at..at + 5].copy_from_slice(b"mamba");
    give(&page, "other.gguf", &other).await?;
    page.until_text(fault, "architecture is \"mamba\"").await?;
    page.until_text("[data-testid='model-files']", "There is no file yet").await?;
    // A file without its bytes: only its length counts.
    let large = file("large.gguf", b"GGUF")?;
    std::fs::File::options().write(true).open(&large)?.set_len(301_000_000)?;
    page.by_id("own-file").await?.send_keys(&large.to_string_lossy()).await?;
    page.until_text(fault, "has 301 MB, and a model file in this page may have at most 300 MB")
        .await?;
    std::fs::remove_file(large)?;
    page.type_into("file-address", "http://127.0.0.1:1/none.gguf").await?;
    page.click("load-file").await?;
    page.until_text(fault, "nothing came from").await?;
    page.close().await
}

#[tokio::test]
async fn a_model_that_does_not_fit_into_memory_is_refused_before_it_is_loaded() -> Result<()> {
    let page = opened(1280, "light").await?;
    let large = Made { is_large: true, stored: 2, ..Made::default() };
    give(&page, "large.gguf", &fixture::file(&large)?).await?;
    let fault = "[data-testid='file-fault']";
    page.until_text(fault, "of memory").await?;
    let words = page.text(fault).await?;
    ensure!(
        words.contains("for a context of 512 tokens), and a page has 940 MB for it"),
        "{words}"
    );
    page.until_text("[data-testid='model-files']", "There is no file yet").await?;
    page.close().await
}

/// Starts the worker of model files as the page does, gives it a file, and asks it.
const ASK: &str = "
    const [address, body] = arguments;
    window.told = null;
    const worker = new Worker('model.js', { type: 'module', name: 'test' });
    worker.onerror = (e) => (window.told = { fault: e.message });
    let text = '';
    worker.onmessage = async ({ data: [job, heard] }) => {
      if (heard === 'ready') {
        const file = new File([await (await fetch(address)).blob()], 'same.gguf');
        worker.postMessage({ job: 1, body: { add: { name: 'same.gguf' } }, file });
      } else if (heard.listed) {
        worker.postMessage({ job: 2, body: { ask: { body } } });
      } else if (heard.text) {
        text += heard.text.text;
      } else if (heard.answered || heard.refused || heard.panicked) {
        window.told = { text, heard };
        worker.terminate();
      }
    };";

#[tokio::test]
async fn the_page_answers_what_this_program_answers() -> Result<()> {
    // Blocks of four and eight bits, and numbers of 16 bits. Few tokens: among weights that nobody
    // learned two tokens are soon as likely as each other but for rounding.
    for stored in [3, 8, 1, 12] {
        let made = Made { stored, n_ctx: 2048, ..Made::default() };
        answers_alike(fixture::file(&made)?, 2048).await?;
    }
    Ok(())
}

/// Asks a file's model in the page and in this program.
async fn answers_alike(bytes: Vec<u8>, n_ctx: usize) -> Result<()> {
    let shelf = Shelf::start(bytes.clone(), 0, false)?;
    // More than a batch, and no whole number of them.
    let words = "Is there a path from the first to the last of these nodes? ".repeat(n_ctx / 227);
    let body = json!({
        "model": "same.gguf", "temperature": 0, "max_tokens": 12, "seed": 1,
        "messages": [{ "role": "user", "content": words }],
    });
    let options = LocalOptions { n_ctx, ..LocalOptions::default() };
    let model = LocalModel::load(File::over(Cursor::new(bytes))?, options)?;
    let request = llm::served::read(&body).map_err(anyhow::Error::msg)?.request;
    let ours = model.complete(&request, &()).await?;
    let page = Browser::open_sized("#/solve", 1280, 900, "light").await?;
    page.run(ASK, vec![json!(shelf.url), json!(body.to_string())]).await?;
    page.until("the worker has answered", "return window.told !== null").await?;
    let told = page.run("return window.told", vec![]).await?;
    let theirs = told["text"].as_str().context("no text")?;
    let theirs: Value = serde_json::from_str(theirs).with_context(|| told.to_string())?;
    let theirs = &theirs["choices"][0]["message"]["content"];
    ensure!(ours.message.content.len() > 8, "too short to tell anything: {ours:?}");
    ensure!(*theirs == ours.message.content, "{theirs} is not {ours:?}");
    page.close().await
}

/// From a folder in Hugging Face's form to a fine-tuned file that the page opens.
#[tokio::test]
async fn what_was_fine_tuned_answers_in_the_page() -> Result<()> {
    let folder = target().join("uploads/tuned");
    let hugging = folder.join("hugging");
    std::fs::create_dir_all(&hugging)?;
    let made = fixture::hugging("llama", "F16", false);
    std::fs::write(hugging.join("config.json"), made.model.config.to_string())?;
    std::fs::write(hugging.join("tokenizer.json"), made.model.tokenizer.to_string())?;
    let told = made.model.tokenizer_config.to_string();
    std::fs::write(hugging.join("tokenizer_config.json"), told)?;
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
    answers_alike(std::fs::read(folder.join("tuned.gguf"))?, 512).await
}

/// A server of one file. The first answers break off; its versions can be told apart.
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

async fn load(page: &Browser, url: &str) -> Result<()> {
    page.type_into("file-address", url).await?;
    page.click("load-file").await
}

#[tokio::test]
async fn a_download_that_breaks_off_goes_on() -> Result<()> {
    let bytes = small()?;
    let shelf = Shelf::start(bytes.clone(), 1, true)?;
    let page = opened(1280, "light").await?;
    load(&page, &shelf.url).await?;
    page.until_text("[data-testid='file-fault']", "what is here is kept").await?;
    page.until_text("[data-file='shelf.gguf']", "Not whole").await?;
    page.shoot("model-file-half-1280-light").await?;
    // A tab that is closed loses nothing either.
    page.client.refresh().await?;
    page.until_text(".question", "Q:").await?;
    open_files(&page).await?;
    page.click("load-rest").await?;
    chosen(&page, "shelf.gguf").await?;
    ensure!(page.count("[data-testid='file-fault']").await? == 0);
    let heads = shelf.heads.lock().map_err(|_| anyhow::anyhow!("a thread broke"))?.clone();
    let last = heads.iter().rfind(|h| h.starts_with("get")).context("nobody asked")?;
    let half = format!("range: bytes={}-", bytes.len() / 2);
    ensure!(last.contains(&half) && last.contains("if-range: \"v1\""), "it asked {last}");
    page.click("use").await?;
    page.click("standalone").await?;
    page.find(".card[data-verdict]").await?;
    page.close().await
}

#[tokio::test]
async fn a_server_without_parts_is_asked_anew_and_that_is_said() -> Result<()> {
    let shelf = Shelf::start(small()?, 1, false)?;
    let page = opened(1280, "light").await?;
    load(&page, &shelf.url).await?;
    page.until_text("[data-file='shelf.gguf']", "Not whole").await?;
    page.click("load-rest").await?;
    chosen(&page, "shelf.gguf").await?;
    page.until_text("[data-testid='file-said']", "from its start again").await?;
    // What sends a web page in place of a file is found out at once.
    let web = Shelf::start(b"<!doctype html><title>log in</title>".to_vec(), 0, false)?;
    load(&page, &web.url.replace("shelf", "web")).await?;
    page.until_text("[data-testid='file-fault']", "this is no GGUF file").await?;
    ensure!(page.count("[data-file='web.gguf']").await? == 0);
    page.close().await
}

#[tokio::test]
async fn the_list_fits_wide_and_narrow_light_and_dark() -> Result<()> {
    let page = opened(1280, "light").await?;
    looks_well(&page, "model-file-none").await?;
    give(&page, "small.gguf", &small()?).await?;
    chosen(&page, "small.gguf").await?;
    looks_well(&page, "model-file").await?;
    page.close().await
}

async fn looks_well(page: &Browser, name: &str) -> Result<()> {
    for width in [360, 768, 1280] {
        for scheme in ["light", "dark"] {
            page.becomes(width, 900, scheme).await?;
            page.shoot(&format!("{name}-{width}-{scheme}")).await?;
            let script = "const d = document.querySelector('dialog.endpoint');
                return Math.max(d.scrollWidth - d.clientWidth,
                    document.documentElement.scrollWidth - document.documentElement.clientWidth)";
            let wide = page.run(script, vec![]).await?.as_f64().context("no number")?;
            ensure!(wide <= 0.0, "{name} at {width} scrolls sideways by {wide}");
        }
    }
    Ok(())
}
