//! Every test in one command.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::steps::{root, run as step, say};
use crate::toolchain::{TARGET, Toolchain};
use crate::{axe, deny, dist, figures, layers, pyodide, server, setup, single_file, site, words};

fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(root());
    command
}

/// Unit, property, conformance and browser tests.
pub fn run(yes: bool, no_browser: bool) -> Result<()> {
    let toolchain = setup::page(yes)?;
    if !no_browser {
        setup::browser(yes)?;
        setup::python(yes)?;
    }
    quick_checks()?;
    lints(&toolchain)?;
    deny::run()?;
    let mut tests = cargo();
    tests.args(["test", "--workspace"]);
    if !no_browser {
        // In one go with those of a browser: by themselves they would be built with other features of
        // what they stand on, and that is built a second time.
        tests.args(BROWSER);
    }
    let left_out = LeftOut::begin(&mut tests)?;
    if no_browser {
        step("tests of every crate", &mut tests)?;
        left_out.say()?;
        say("browser tests left out, as asked");
        return Ok(());
    }
    let site = page_and_tests(&toolchain)?;
    dist::check_growth(&site)?;
    let single_file = single_file::for_tests(&site)?;
    let url = server::Server::bind(0)?.spawn(site);
    tests
        .env("GRAPHGROUND_URL", url)
        .env("GRAPHGROUND_COMPANION", root().join("target/debug/graphground"))
        .env("GRAPHGROUND_SINGLE_FILE", single_file)
        .env("GRAPHGROUND_AXE", axe::fetch()?);
    let networkx = if pyodide::is_off() {
        None
    } else {
        // Some tests grow graphs in a real Python, which imports networkx from here.
        let wheel = pyodide::fetch()?.join("networkx.whl");
        tests.env("PYTHONPATH", &wheel);
        Some(wheel)
    };
    step("tests of every crate and in a browser", &mut tests)?;
    left_out.say()?;
    let Some(networkx) = networkx else {
        say("all tests passed; those of Python were left out, as GRAPHGROUND_PYTHON=off asks");
        return Ok(());
    };
    step(
        "tests of what Python runs around a model's code",
        Command::new("python3")
            .current_dir(root())
            .args(["-m", "unittest", "discover", "-q", "-s", "tests/python"])
            .env("PYTHONPATH", networkx),
    )?;
    say("all tests passed");
    Ok(())
}

/// What makes the tests of a browser a part of all tests.
const BROWSER: [&str; 2] = ["--features", "browser-tests/browser"];

/// Builds the page and the tests, and gives the page's folder. Both at once: each takes minutes, and has
/// long stretches in which it keeps one core busy.
fn page_and_tests(toolchain: &Toolchain) -> Result<PathBuf> {
    std::thread::scope(|scope| {
        let tests = scope.spawn(|| {
            let mut build = cargo();
            build.args(["test", "--workspace", "--no-run"]).args(BROWSER);
            step("building the tests beside the page", &mut build)
        });
        let site = site::build(toolchain);
        let tests = tests.join().unwrap_or_else(|_| bail!("building the tests broke off"));
        let site = site?;
        tests?;
        Ok(site)
    })
}

/// Tests that held nothing, because something is missing on this machine: each of them adds a line to
/// a file.
struct LeftOut(PathBuf);

impl LeftOut {
    /// Lets the tests of a command tell. Where the shared data lies beside the clone, a test whose data
    /// is missing fails.
    fn begin(tests: &mut Command) -> Result<Self> {
        let path = root().join("target/left-out.txt");
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        tests.env("GRAPHGROUND_SKIPPED", &path);
        if root().join("../shared/data").is_dir() {
            tests.env("GRAPHGROUND_REQUIRE_DATA", "1");
        }
        Ok(Self(path))
    }

    fn say(&self) -> Result<()> {
        let text = match std::fs::read_to_string(&self.0) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let lines: BTreeSet<&str> = text.lines().collect();
        say(&format!("{} tests held nothing, for something is missing here:", lines.len()));
        for line in lines {
            println!("    {line}");
        }
        Ok(())
    }
}

/// One scripted run in Firefox ESR: the page is made for every current browser.
pub fn firefox(yes: bool) -> Result<()> {
    let toolchain = setup::page(yes)?;
    let driver = setup::firefox(yes)?;
    let site = site::build(&toolchain)?;
    let single_file = single_file::for_tests(&site)?;
    let url = server::Server::bind(0)?.spawn(site);
    step(
        "a run in Firefox",
        cargo()
            .args(["test", "--package", "browser-tests", "--features", "firefox", "firefox"])
            .env("GRAPHGROUND_URL", url)
            .env("GRAPHGROUND_GECKODRIVER", driver)
            .env("GRAPHGROUND_SINGLE_FILE", single_file),
    )
}

/// What needs no compiler, and so no more than seconds: `.githooks/pre-commit` runs it too.
pub fn quick_checks() -> Result<()> {
    setup::component("rustfmt", "fmt")?;
    step("format", cargo().args(["fmt", "--all", "--check"]))?;
    layers::run()?;
    words::run()?;
    figures::check()
}

/// Clippy for this machine and for the browser, and the documentation; a warning is an error.
pub fn lints(toolchain: &Toolchain) -> Result<()> {
    setup::component("clippy", "clippy")?;
    let deny = ["--", "-D", "warnings"];
    let native = ["clippy", "--workspace", "--all-targets", "--features", "browser-tests/bench"];
    step("lints", cargo().args(native).args(deny))?;
    match toolchain {
        // What only a browser compiles: the page, its workers, and their messages.
        Toolchain::Rustup => step(
            "lints of the page",
            cargo()
                .args(["clippy", "--package", "messages", "--package", "graphground-model-worker"])
                .args(["--target", TARGET])
                .args(site::PACKAGES)
                .args(deny),
        )?,
        Toolchain::Debian { .. } => {
            say("lints of the page: left out, for clippy needs the target's standard library as \
             rustup has it")
        }
    }
    step(
        "documentation",
        cargo()
            .args(["doc", "--workspace", "--no-deps"])
            .args(["--exclude", "browser-tests", "--exclude", "fuzz", "--exclude", "bench-page"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}
