//! Benchmarks of thousands of runs, timed; `cargo xtask bench --runs` prints the figures.

use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tokio::process::Command;

use crate::browser::Browser;
use crate::browser::{Folder, NO_NETWORK};

/// Of each of the 19 families: as many as the benchmark has in all, and one more.
const N_EACH: &str = "317";
const N_ALL: u64 = 6_023;

/// Waits in the page until a script gives something true, and gives the milliseconds since it was
/// opened.
async fn opened_ms(page: &Browser, script: &str) -> Result<f64> {
    let script = format!(
        "const done = arguments[0];
         (function look() {{ ({script}) ? requestAnimationFrame(() => done(performance.now())) : setTimeout(look, 10); }})();"
    );
    page.client.execute_async(&script, vec![]).await?.as_f64().context("a time")
}

/// The memory in megabytes of the process in which the page and its workers run: the largest of the
/// browser's. The browser's own measure waits for a collection that may not come.
fn memory_mb() -> Option<u64> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let of = |entry: std::fs::DirEntry| {
        let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
        let is_browser = status.lines().next()?.contains("chromium");
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
        let kb: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        is_browser.then_some(kb / 1000)
    };
    processes.filter_map(of).max()
}

#[tokio::test]
#[ignore = "run by `cargo xtask bench --runs`"]
async fn thousands_of_runs_in_the_page() -> Result<()> {
    let page = Browser::open("#/bench").await?;
    page.click("bench-new").await?;
    let set =
        "const [id, value] = arguments; const n = document.querySelector(`[data-testid=${id}]`);
        n.value = value; n.dispatchEvent(new Event('change', { bubbles: true }))";
    page.run(set, vec![json!("bench-n"), json!(N_EACH)]).await?;
    page.until(
        "the systems are listed",
        "return document.querySelector('[data-testid=system-standalone]') !== null",
    )
    .await?;
    page.run(
        "for (const t of document.querySelectorAll('.bench-ticks')[1].querySelectorAll('input')) if (!t.checked) t.click();
         document.querySelector('[data-testid=system-standalone]').click();
         document.querySelector('.bench-models button').click();",
        vec![],
    )
    .await?;
    page.choose("bench-script", "script").await?;
    page.run(
        "window.longTasks = [];
         new PerformanceObserver(l => window.longTasks.push(...l.getEntries().map(e => Math.round(e.duration))))
             .observe({ entryTypes: ['longtask'] });",
        vec![],
    )
    .await?;
    page.click("bench-start").await?;
    let end = "[data-testid='bench-runs'] h2";
    let mut waited = 0;
    while page.count(end).await? == 0 || !page.text(end).await?.contains(&N_ALL.to_string()) {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        waited += 1;
        ensure!(waited < 600, "the runs did not come to their end");
    }
    let progress = page.text("[data-testid='bench-progress'] span").await?;
    let tasks = page.run("return window.longTasks", vec![]).await?;
    let memory = memory_mb().unwrap_or(0);
    println!("BENCH in the page: {progress}; tasks over 50 ms: {tasks}; memory {memory} MB");
    page.click("bench-check").await?;
    let mut waited = 0;
    while page.count("[data-testid='check-result']").await? == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        waited += 1;
        ensure!(waited < 600, "the check did not come to its end");
    }
    println!("BENCH checked again: {}", page.text("[data-testid='check-result']").await?);
    page.close().await
}

#[tokio::test]
#[ignore = "run by `cargo xtask bench --runs`"]
async fn throughput_and_pages() -> Result<()> {
    let folder = Folder::new("bench")?;
    let program =
        std::env::var("GRAPHGROUND_COMPANION").context("run `cargo xtask bench --runs`")?;
    let program = std::fs::canonicalize(program)?;
    // A loopback endpoint that answers at once, whole and in one process of its own.
    let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
    let mut server = Command::new(&program)
        .args(["serve", "--port", &port])
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let endpoint = format!("http://127.0.0.1:{port}/v1");
    for (what, out, more) in [
        ("script in the process", "runs.jsonl", vec![]),
        (
            "loopback endpoint",
            "loopback.jsonl",
            vec!["--endpoint", endpoint.as_str(), "--no-stream"],
        ),
    ] {
        let began = Instant::now();
        let mut args = vec!["bench", "--n", N_EACH, "--concurrency", "8", "--out", out];
        args.extend(more);
        let done = Command::new(&program).current_dir(&folder.0).args(&args).output().await?;
        ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let seconds = began.elapsed().as_secs_f64();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let peak = said.lines().find(|l| l.contains("peak memory")).unwrap_or_default().to_owned();
        println!(
            "BENCH {what}: {N_ALL} runs in {seconds:.1} s, {:.0} a second; {peak}",
            N_ALL as f64 / seconds
        );
    }
    server.kill().await?;
    folder
        .companion(&["bench", "--n", "53", "--model", "mistaken", "--out", "thousand.jsonl"])
        .await?;
    folder.companion(&["report", "thousand.jsonl", "--html", "static.html"]).await?;
    let app = std::env::var("GRAPHGROUND_SINGLE_FILE").context("run `cargo xtask bench --runs`")?;
    let app = std::fs::canonicalize(app)?.display().to_string();
    folder
        .companion(&["report", "runs.jsonl", "--html", "live.html", "--live", "--app", &app])
        .await?;
    for (what, name, ready) in [
        (
            "1,007 runs, static",
            "static.html",
            "document.readyState === 'complete' && document.querySelectorAll('.p').length > 1000",
        ),
        (
            "6,023 runs, live",
            "live.html",
            "/6023 of 6023/.test(document.querySelector('[data-testid=bench-runs] h2')?.textContent)",
        ),
    ] {
        let size = std::fs::metadata(folder.0.join(name))?.len() as f64 / 1e6;
        let mut times = Vec::new();
        for _ in 0..3 {
            let page =
                Browser::open_at(&folder.address(name), 1280, 900, "light", NO_NETWORK).await?;
            times.push(opened_ms(&page, ready).await?);
            page.close().await?;
        }
        times.sort_by(f64::total_cmp);
        println!("BENCH {what}: {size:.2} MB, opens in {:.0} ms (of three: {times:.0?})", times[1]);
    }
    Ok(())
}
