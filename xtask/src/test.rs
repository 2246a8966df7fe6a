//! Every test in one command.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::good::Check;
use crate::steps::{output, root, run as step, say};
use crate::toolchain::{TARGET, Toolchain};
use crate::{
    axe, deny, dist, figures, layers, pyodide, server, setup, single_file, site, threads, words,
};

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
    let left_out = LeftOut::begin()?;
    if no_browser {
        Check::Lints.unless_good(|| lints(&toolchain))?;
        Check::Licences.unless_good(deny::run)?;
        let mut tests = cargo();
        step("tests of every crate", left_out.told_by(tests.args(["test", "--workspace"])))?;
        left_out.say()?;
        say("browser tests left out, as asked");
        return Ok(());
    }
    if matches!(toolchain, Toolchain::Rustup) && threads::is_wanted() {
        // Before anything compiles: it changes the toolchain.
        threads::source();
    }
    let networkx =
        if pyodide::is_off() { None } else { Some(pyodide::fetch()?.join("networkx.whl")) };
    let axe = axe::fetch()?;
    // Beside each other: compiling the page and testing the crates take minutes each, and both have long
    // stretches in which they keep one core busy. Nothing that is timed runs meanwhile.
    let (site, native) = std::thread::scope(|scope| {
        let native = scope.spawn(|| native(&toolchain, &left_out, networkx.as_deref()));
        let site = page(&toolchain);
        (site, native.join().unwrap_or_else(|_| bail!("testing the crates broke off")))
    });
    let (site, single_file) = site?;
    native?;
    let url = server::Server::bind(0)?.spawn(site);
    let mut tests = cargo();
    tests
        .args(["test", "--workspace", "--test", PAGE])
        .args(BROWSER)
        .env("GRAPHGROUND_URL", url)
        .env("GRAPHGROUND_COMPANION", root().join("target/debug/graphground"))
        .env("GRAPHGROUND_SINGLE_FILE", single_file)
        .env("GRAPHGROUND_AXE", axe);
    if let Some(networkx) = &networkx {
        tests.env("PYTHONPATH", networkx);
    }
    // A test waits for a quarter of its time: one more than there are cores keeps them busy.
    let n_tests = std::thread::available_parallelism().map_or(3, |n| n.get() + 1);
    tests.args(["--", "--test-threads", &n_tests.to_string()]);
    step("tests in a browser", left_out.told_by(&mut tests))?;
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

/// What makes the tests of a browser a part of all tests. All are built with it: by themselves either
/// would be built with other features of what they stand on, and that would be built twice.
const BROWSER: [&str; 2] = ["--features", "browser-tests/browser"];

/// The target of the tests of a browser.
const PAGE: &str = "page";

/// Builds the page, and gives its folder and the page as one file.
fn page(toolchain: &Toolchain) -> Result<(PathBuf, PathBuf)> {
    let site = site::build(toolchain)?;
    dist::check_growth(&site)?;
    let single_file = single_file::for_tests(&site)?;
    Ok((site, single_file))
}

/// Everything that needs no page: lints, licences, and the tests of every crate. Builds the tests of a
/// browser too.
fn native(toolchain: &Toolchain, left_out: &LeftOut, networkx: Option<&Path>) -> Result<()> {
    Check::Lints.unless_good(|| lints(toolchain))?;
    Check::Licences.unless_good(deny::run)?;
    step("building the tests", cargo().args(["test", "--workspace", "--no-run"]).args(BROWSER))?;
    let mut tests = cargo();
    tests.args(["test", "--workspace", "--lib", "--bins"]).args(BROWSER);
    for (flag, name) in native_targets()? {
        tests.args([flag, name.as_str()]);
    }
    if let Some(networkx) = networkx {
        // Some tests grow graphs in a real Python, which imports networkx from here.
        tests.env("PYTHONPATH", networkx);
    }
    step("tests of every crate", left_out.told_by(&mut tests))?;
    step(
        "examples in the documentation",
        cargo().args(["test", "--workspace", "--doc"]).args(BROWSER),
    )
}

/// The names of all test targets but the browser's, each with cargo's flag for it.
fn native_targets() -> Result<BTreeSet<(&'static str, String)>> {
    #[derive(serde::Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    #[derive(serde::Deserialize)]
    struct Package {
        targets: Vec<Target>,
    }
    #[derive(serde::Deserialize)]
    struct Target {
        name: String,
        kind: Vec<String>,
        test: bool,
    }
    let metadata = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))
        .context("cargo does not tell what the crates have")?;
    let metadata: Metadata = serde_json::from_str(&metadata)?;
    let mut names = BTreeSet::new();
    for target in metadata.packages.into_iter().flat_map(|package| package.targets) {
        let flag = match target.kind.first().map(String::as_str) {
            Some("test") if target.name != PAGE => "--test",
            Some("example") if target.test => "--example",
            _ => continue,
        };
        names.insert((flag, target.name));
    }
    Ok(names)
}

/// Tests that held nothing, because something is missing on this machine: each of them adds a line to
/// a file.
struct LeftOut(PathBuf);

impl LeftOut {
    /// Forgets those of the last time.
    fn begin() -> Result<Self> {
        let path = root().join("target/left-out.txt");
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        Ok(Self(path))
    }

    /// Lets the tests of a command tell. Where the shared data lies beside the clone, a test whose data
    /// is missing fails.
    fn told_by<'a>(&self, tests: &'a mut Command) -> &'a mut Command {
        tests.env("GRAPHGROUND_SKIPPED", &self.0);
        if root().join("../shared/data").is_dir() {
            tests.env("GRAPHGROUND_REQUIRE_DATA", "1");
        }
        tests
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
    let (site, single_file) = page(&toolchain)?;
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
