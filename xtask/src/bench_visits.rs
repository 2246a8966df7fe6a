//! How long a visitor waits on slow lines: `cargo xtask bench-visits`.

use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::server::{Line, Server};
use crate::steps::{root, say};
use crate::{pack, setup, site};

/// Lines: their name, Mbit a second, and milliseconds before an answer begins.
const LINES: [(&str, f64, u64); 2] =
    [("1.6 Mbit/s, 150 ms", 1.6, 150), ("10 Mbit/s, 40 ms", 10.0, 40)];

/// Builds what is shipped, serves it slowly, and prints when pages were usable in Chromium.
pub fn run_all() -> Result<()> {
    let toolchain = setup::page(false)?;
    setup::browser(false)?;
    let site = site::build(&toolchain)?;
    pack::compress(&site)?;
    println!("| line | page | usable after |\n|---|---|---:|");
    for (name, mbit, delay) in LINES {
        let line = Line::new(mbit * 1e6 / 8.0, Duration::from_millis(delay));
        let url = Server::bind(0)?.over(line).spawn(site.clone());
        let out = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
            .args(["test", "--quiet", "--package", "browser-tests"])
            .args(["--", "--ignored", "visits::", "--nocapture", "--test-threads", "1"])
            .current_dir(root())
            .env("GRAPHGROUND_SLOW_PAGE", url)
            .output()?;
        let text = String::from_utf8_lossy(&out.stdout);
        if !out.status.success() {
            bail!("the browser's part failed:\n{text}\n{}", String::from_utf8_lossy(&out.stderr));
        }
        for visit in text.lines().filter_map(|l| l.split_once("VISIT ")) {
            let (page, seconds) = visit.1.split_once('|').unwrap_or((visit.1, ""));
            println!("| {name} | {page} | {seconds} s |");
        }
    }
    say("each is the median of three visits with an empty cache, on this machine's processor");
    Ok(())
}
