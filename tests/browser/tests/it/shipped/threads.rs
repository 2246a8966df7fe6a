//! The engine with threads and the engine without say the same, each where it belongs.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, bail, ensure};
use graph::functions::FUNCTIONS;
use graph::{Graph, generators};
use serde_json::{Map, Value, json};
use tasks::{Style, TASKS, Wording};

use crate::browser::{Browser, base};
use crate::servers::{self, Cors};

/// A host that cannot send the headers which isolate a page: hands on what the page's server says,
/// without them. Gives its address and the paths that were asked for.
pub(crate) fn plain_host() -> Result<(String, Arc<Mutex<Vec<String>>>)> {
    let upstream = base()?;
    let upstream = upstream.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://127.0.0.1:{}/", listener.local_addr()?.port());
    let paths = Arc::<Mutex<Vec<String>>>::default();
    let all = Arc::clone(&paths);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (upstream, all) = (upstream.clone(), Arc::clone(&all));
            std::thread::spawn(move || hand_on(stream, &upstream, &all));
        }
    });
    Ok((url, paths))
}

fn hand_on(mut page: TcpStream, upstream: &str, paths: &Mutex<Vec<String>>) -> Option<()> {
    let mut first = String::new();
    BufReader::new(page.try_clone().ok()?).read_line(&mut first).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    let mut server = TcpStream::connect(upstream).ok()?;
    write!(server, "GET {path} HTTP/1.1\r\nHost: {upstream}\r\nConnection: close\r\n\r\n").ok()?;
    paths.lock().ok()?.push(path);
    let mut reader = BufReader::new(server);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if !line.to_ascii_lowercase().starts_with("cross-origin-") {
            page.write_all(line.as_bytes()).ok()?;
        }
        if line == "\r\n" || line.is_empty() {
            break;
        }
    }
    let mut body = Vec::new();
    reader.read_to_end(&mut body).ok()?;
    page.write_all(&body).ok()
}

/// Asks an engine of its own, past the page: first a file to check, again and again until the
/// threads that are to come are there; then everything else. What it says stands in
/// `window.said`, without what tells the time.
const ASK: &str = "
    const [file, requests] = arguments;
    window.said = null;
    (async () => {
        const worker = new Worker('worker.js', { type: 'module', name: 'threads-of-a-test' });
        const waiting = new Map();
        let jobs = 0, files = [];
        await new Promise((ready) => {
            const plain = (_, v) => typeof v === 'bigint' ? String(v) : v instanceof Map ? Object.fromEntries(v) : v;
            worker.onmessage = ({ data }) => {
                const { job, body } = data;
                const text = JSON.stringify(body, plain).replace(/\"(seconds|took_ms)\":[-+.e\\d]+/g, '');
                if (body.ready) ready();
                if (body.event) files.push(text);
                if (body.done || body.failed) waiting.get(job)([text, body]);
            };
        });
        const ask = (service, ask, files = []) => new Promise((done) => {
            waiting.set(++jobs, done);
            worker.postMessage({ message: { job: jobs, body: { start: { service, ask } } }, files });
        });
        const wanted = self.crossOriginIsolated ? navigator.hardwareConcurrency : 1;
        let threads = 0;
        for (let i = 0; i < 200 && threads < wanted; i++) {
            files = [];
            const [, body] = await ask('dataset/check', {}, [new File([file], 'made.json')]);
            threads = Number(body.done.reply.n_threads);
            await new Promise((later) => setTimeout(later, 20));
        }
        const texts = [...files];
        for (const request of requests) {
            const [text, body] = await ask(...request);
            texts.push(text);
            if (request[0] !== 'problem/generate') continue;
            const problem = body.done.reply;
            const [solved, judged] = await ask('problem/solve', { problem });
            texts.push(solved);
            texts.push((await ask('problem/verify', { problem, text: judged.done.reply.text }))[0]);
        }
        worker.terminate();
        window.said = { threads, texts };
    })().catch((error) => { window.said = { error: String(error) }; });";

/// How many threads an engine may have here.
const N_THREADS: &str =
    "return import(new URL('wasm/bundles.js', location.href)).then(({ threads }) =>
        threads && crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, 8) : 1)";

/// Problems of every task, every fifth with an answer that is wrong.
fn dataset() -> String {
    let mut all = Map::new();
    for task in TASKS {
        for level in task.difficulties {
            for seed in 0..8 {
                let problem = task.generate(*level, seed);
                let answer = tasks::reference_text(&problem, &tasks::solve(&problem));
                let entry = json!({
                    "question": problem.question(Wording::Benchmark, Style::ZeroShot),
                    "answer": if seed % 5 == 4 { "I do not know." } else { &answer },
                    "difficulty": level.as_str(),
                });
                all.insert(all.len().to_string(), entry);
            }
        }
    }
    Value::Object(all).to_string()
}

/// A problem of each kind, and each function of a graph that is large enough to be shared out.
fn requests() -> Result<Vec<Value>> {
    let mut requests = Vec::new();
    for task in TASKS {
        requests.push(json!(["problem/generate", {
            "task": task.id, "difficulty": task.difficulties[0], "seed": 3,
            "wording": Wording::Benchmark, "style": Style::ZeroShot,
        }]));
    }
    let mut weighted = Graph::directed();
    let sparse = generators::random_sparse(260, 1500, true, 4)?;
    for (i, edge) in sparse.edges().enumerate() {
        let (a, b) = (edge.source.clone(), edge.target.clone());
        weighted.link_weighted(a, b, 0.1 * (1 + i % 7) as f64)?;
    }
    for graph in [generators::barabasi_albert(400, 3, 3)?, weighted] {
        // These take a second each here, on one thread.
        let slow = ["max_independent_set", "min_vertex_cover"];
        for function in FUNCTIONS.iter().filter(|f| !f.writes && !slow.contains(&f.name)) {
            requests.push(json!(["function/call", {
                "function": function.name, "graph": serde_json::to_string(&graph)?, "arguments": "{}",
            }]));
        }
    }
    Ok(requests)
}

async fn said(page: &Browser, file: &str, requests: &[Value]) -> Result<(u64, Vec<String>)> {
    page.run(ASK, vec![json!(file), json!(requests)]).await?;
    page.until("the engine has said everything", "return window.said !== null").await?;
    let said = page.run("return window.said", vec![]).await?;
    let threads = said["threads"].as_u64().with_context(|| format!("{said}"))?;
    Ok((threads, serde_json::from_value(said["texts"].clone())?))
}

#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn both_bundles_say_the_same_byte_for_byte() -> Result<()> {
    let (file, requests) = (dataset(), requests()?);
    let page = Browser::open("#/solve").await?;
    let (threads, many) = said(&page, &file, &requests).await?;
    let expected = page.run(N_THREADS, vec![]).await?;
    ensure!(json!(threads) == expected, "{threads} threads, not {expected}");
    page.close().await?;

    let (url, _) = plain_host()?;
    let page = Browser::open("#/solve").await?;
    page.client.goto(&url).await?;
    page.find(".top").await?;
    ensure!(page.run("return crossOriginIsolated", vec![]).await? == json!(false));
    let (threads, one) = said(&page, &file, &requests).await?;
    ensure!(threads == 1, "{threads} threads without isolation");
    ensure!(one.len() == many.len() && one.len() > 100, "{} and {}", one.len(), many.len());
    for (one, many) in one.iter().zip(&many) {
        if one != many {
            let same = one.bytes().zip(many.bytes()).take_while(|(a, b)| a == b).count();
            let near = |text: &str| text.chars().skip(same.saturating_sub(60)).take(160).collect();
            let (one, many): (String, String) = (near(one), near(many));
            bail!("the bundles differ:\n  one thread: {one}\n  several:    {many}");
        }
    }
    page.close().await
}

#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn large_files_are_shared_out_among_threads() -> Result<()> {
    let Value::Object(some) = serde_json::from_str(&dataset())? else { bail!("no file") };
    let (mut text, mut n) = (String::from("{"), 0);
    while text.len() < 65_000_000 {
        for entry in some.values() {
            let comma = if n == 0 { "" } else { "," };
            write!(text, "{comma}\"{n}\": {entry}")?;
            n += 1;
        }
    }
    text.push('}');
    let page = Browser::open("#/dataset").await?;
    let file = crate::browser::file("shared-out.json", &text)?;
    page.by_id("dataset-files").await?.send_keys(&file.to_string_lossy()).await?;
    let summary = "[data-testid='dataset-summary']";
    page.until_text(summary, &format!("{n} questions parsed")).await?;
    let said = page.text(summary).await?;
    println!("LARGE {:.0} MB of problems: {said}", text.len() as f64 / 1e6);
    let on = page.run(N_THREADS, vec![]).await?.as_u64().unwrap_or_default();
    let words = format!(" on {on} threads");
    ensure!(said.contains(&words) == (on > 1), "{said:?}, of {on}");
    // The engine that has the files opens them.
    page.press("[data-testid='dataset-table'] tbody button").await?;
    page.press(".problems button.problem").await?;
    page.until_text(".question", "Q:").await?;
    page.close().await?;
    std::fs::remove_file(file)?;
    Ok(())
}

#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn a_host_without_the_headers_is_helped_from_the_second_visit_on() -> Result<()> {
    let (url, paths) = plain_host()?;
    let page = Browser::open("#/solve").await?;
    page.client.goto(&format!("{url}#/dataset")).await?;
    page.find(".top").await?;
    page.until(
        "the service worker is there",
        "return navigator.serviceWorker.getRegistration().then((r) => !!r?.active)",
    )
    .await?;
    // Time enough for a reload that there must not be.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let visits = paths.lock().map(|p| p.iter().filter(|p| *p == "/").count()).unwrap_or(0);
    ensure!(visits == 1, "the page was loaded {visits} times");
    ensure!(page.run("return crossOriginIsolated", vec![]).await? == json!(false));

    page.client.refresh().await?;
    page.find(".top").await?;
    ensure!(page.run("return crossOriginIsolated", vec![]).await? == json!(true));
    let file = crate::browser::file("isolated.json", &dataset())?;
    page.by_id("dataset-files").await?.send_keys(&file.to_string_lossy()).await?;
    page.until_text("[data-testid='dataset-summary']", "questions parsed").await?;

    // The host did not send this, so the service worker did; other origins' answers come as before.
    let elsewhere = servers::Server::start(Cors::Open, servers::good)?;
    let seen = page
        .run(
            "return Promise.all([fetch('icon.svg'), fetch(arguments[0])]).then((all) =>
                 all.map((r) => [r.status, r.headers.get('cross-origin-embedder-policy')]))",
            vec![json!(format!("{}/models", elsewhere.url()))],
        )
        .await?;
    ensure!(seen == json!([[200, "credentialless"], [200, null]]), "{seen}");
    // And it does so by not touching them.
    let source = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/isolate.js"),
    )?;
    let script = format!(
        "const self = {{ location: {{ origin: 'http://here' }}, addEventListener(name, f) {{ this[name] = f; }} }};
         {source}
         return ['http://here/a', 'http://there/a', 'https://here/a', 'http://here:81/a'].map((url) => {{
             let touched = false;
             const respondWith = (answer) => {{ touched = true; answer.catch(() => {{}}); }};
             self.fetch({{ request: {{ url }}, respondWith }});
             return touched;
         }});"
    );
    let touched = page.run(&script, vec![]).await?;
    ensure!(touched == json!([true, false, false, false]), "{touched}");
    page.close().await
}

/// A worker that is ended takes its threads with it, and the next one is as good as the first.
#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn an_engine_that_is_ended_in_the_midst_of_work_is_replaced() -> Result<()> {
    let page = Browser::open("#/solve").await?;
    let graph = generators::random_sparse(4000, 30_000, false, 1)?;
    let long = json!({ "start": { "service": "function/call", "ask": {
        "function": "betweenness_centrality", "graph": serde_json::to_string(&graph)?,
        "arguments": "{}",
    } } });
    page.run(
        "const [request] = arguments;
         window.ended = 0;
         for (let i = 0; i < 6; i++) {
             const worker = new Worker('worker.js', { type: 'module', name: `threads-${i}` });
             worker.onmessage = ({ data }) => {
                 if (!data.body.ready) return;
                 worker.onmessage = null;
                 // Once the threads are there and at work.
                 setTimeout(() => worker.postMessage({ message: { job: 1, body: request } }), 300);
                 setTimeout(() => { worker.terminate(); window.ended += 1; }, 600);
             };
         }",
        vec![long],
    )
    .await?;
    page.until("all are ended", "return window.ended === 6").await?;
    let (_, texts) = said(&page, &dataset(), &requests()?[..1]).await?;
    ensure!(texts.len() == 4, "{} answers", texts.len());
    page.close().await
}

/// What a thread says when it breaks reaches the page past the engine, which then waits for it in
/// vain: the engine is given up, and the next request gets a new one.
#[tokio::test]
#[ignore = "run by `cargo xtask dist --check`"]
async fn the_last_words_of_a_thread_end_its_engine() -> Result<()> {
    let page = Browser::open("#/dataset").await?;
    page.run(
        "window.names = [];
         window.Worker = class extends Worker {
             constructor(address, options) { super(address, options); window.names.push(options.name); }
         };",
        vec![],
    )
    .await?;
    let file = crate::browser::file("twice.json", &dataset())?;
    let file = file.to_string_lossy();
    page.by_id("dataset-files").await?.send_keys(&file).await?;
    page.until_text("[data-testid='dataset-summary']", "questions parsed").await?;
    ensure!(page.run("return names.length", vec![]).await? == json!(1));
    page.run(
        "const body = { panicked: { message: 'index out of bounds' } };
         new BroadcastChannel(names[0]).postMessage({ job: 0, body });",
        vec![],
    )
    .await?;
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    page.by_id("dataset-files").await?.send_keys(&file).await?;
    page.until("another engine answers", "return names.length === 2").await?;
    page.until_text("[data-testid='dataset-summary']", "questions parsed").await?;
    ensure!(page.run("return names[0] !== names[1]", vec![]).await? == json!(true));
    page.close().await
}
