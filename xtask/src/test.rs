//! Every test in one command.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::executables::{self, Executable};
use crate::steps::{cargo, linted, root, run as step, say};
use crate::toolchain::{TARGET, Toolchain};
use crate::{
    axe, count, deny, dist, figures, layers, pack, pyodide, results, server, setup, site, timings,
    words,
};

/// How many inputs a property is tried on in every run, where the test sets no count of its own.
/// `cargo xtask nightly` tries each on proptest's own count, which is 256.
const CASES: (&str, &str) = ("PROPTEST_CASES", "32");

/// Lints, and unit, property, conformance and browser tests.
///
/// # Errors
/// Something is missing, does not compile, or fails.
pub fn run(yes: bool, no_browser: bool) -> Result<()> {
    let start = Instant::now();
    let outcome = all(yes, no_browser);
    timings::report(start)?;
    outcome
}

fn all(yes: bool, no_browser: bool) -> Result<()> {
    quick_checks()?;
    let toolchain = setup::page(yes)?;
    let left_out = LeftOut::begin()?;
    if no_browser {
        native(&left_out, None, Some(CASES))?;
        left_out.say()?;
        say("all tests passed; those in a browser were left out, as --no-browser asks");
        return Ok(());
    }
    setup::browser(yes)?;
    setup::python(yes)?;
    let networkx =
        if pyodide::is_off() { None } else { Some(pyodide::fetch()?.join("networkx.whl")) };
    let axe = axe::fetch()?;
    // Side by side: compiling the page and testing the crates take minutes each, and both have long
    // stretches in which they keep one core busy. Nothing that is timed runs meanwhile.
    let (site, native) = std::thread::scope(|scope| {
        let native = scope.spawn(|| {
            pack::build()?;
            native(&left_out, networkx.as_deref(), Some(CASES))
        });
        let site = site::build_for_tests(&toolchain);
        (site, native.join().unwrap_or_else(|_| bail!("testing the crates broke off")))
    });
    let ((site, single_file), browser) = (site?, native?);
    let url = server::Server::bind(0)?.spawn(site.clone());
    executables::run("tests in a browser", &browser, &|command| {
        left_out.prepare(command);
        command
            .env("GRAPHGROUND_URL", &url)
            .env("GRAPHGROUND_COMPANION", root().join("target/debug/graphground"))
            .env(LAB.0, root().join(LAB.1))
            .env("GRAPHGROUND_SITE", &site)
            .env("GRAPHGROUND_SINGLE_FILE", &single_file)
            .env("GRAPHGROUND_AXE", &axe);
        if let Some(networkx) = &networkx {
            command.env("PYTHONPATH", networkx);
        }
    })?;
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

/// What leaves every run so that it stays short: documentation, licences, every property on all its
/// inputs, what is shipped with its sizes, parts and threads, and Firefox.
///
/// # Errors
/// Something is missing, does not compile, or fails.
pub fn nightly(yes: bool) -> Result<()> {
    let start = Instant::now();
    let outcome = at_night(yes);
    timings::report(start)?;
    outcome
}

fn at_night(yes: bool) -> Result<()> {
    documentation()?;
    deny::run()?;
    setup::python(yes)?;
    let networkx =
        if pyodide::is_off() { None } else { Some(pyodide::fetch()?.join("networkx.whl")) };
    let left_out = LeftOut::begin()?;
    native(&left_out, networkx.as_deref(), None)?;
    left_out.say()?;
    dist::run(&root().join("target/nightly"), None, false, true)?;
    firefox(yes)?;
    say("nightly: all passed");
    Ok(())
}

/// The packages whose tests are built together, those of a browser among them: any other choice would
/// build what they need with other features, and so once more. `pack` stays by itself: its libraries are
/// the heaviest, and `cargo xtask` builds them anyway, to pack modules.
const TESTED: [&str; 3] = ["--workspace", "--exclude", "pack"];

/// The laboratory, which is built with the tests: `graphground` would ask cargo for it otherwise, which
/// compiles our crates a second time, without lints.
const LAB: (&str, &str) = ("GRAPHGROUND_LAB", "target/debug/graphground-lab");

/// The target of the tests of a browser.
const PAGE: &str = "page";

/// The tests of every crate. Builds those of a browser too, and gives them.
fn native(
    left_out: &LeftOut,
    networkx: Option<&Path>,
    cases: Option<(&str, &str)>,
) -> Result<Vec<Executable>> {
    setup::component("clippy", "clippy")?;
    let mut built = executables::build("building and linting the tests", &TESTED)?;
    built.extend(executables::build(
        "building and linting the tests of pack",
        &["--package", "pack"],
    )?);
    let (browser, crates): (Vec<_>, Vec<_>) =
        built.into_iter().partition(|one| one.name.ends_with(&format!(" {PAGE}")));
    let prepare = |command: &mut Command| {
        left_out.prepare(command);
        command.env(LAB.0, root().join(LAB.1));
        if let Some(networkx) = networkx {
            // Tests that run Python import networkx from here.
            command.env("PYTHONPATH", networkx);
        }
        if let Some((name, n)) = cases.filter(|(name, _)| std::env::var_os(name).is_none()) {
            command.env(name, n);
        }
    };
    executables::run("tests of every crate", &crates, &prepare)?;
    step(
        "examples in the documentation",
        linted(&mut cargo()).args(["test", "--quiet", "--doc"]).args(TESTED),
    )?;
    Ok(browser)
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

    /// Has the tests of a command write to the file. Where the shared data lies beside the clone, a test
    /// whose data is missing fails.
    fn prepare(&self, tests: &mut Command) {
        tests.env("GRAPHGROUND_SKIPPED", &self.0);
        if root().join("../shared/data").is_dir() {
            tests.env("GRAPHGROUND_REQUIRE_DATA", "1");
        }
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
    let (site, single_file) = site::build_for_tests(&toolchain)?;
    let url = server::Server::bind(0)?.spawn(site);
    step(
        "a run in Firefox",
        cargo()
            .args(["test", "--package", "browser-tests"])
            .args(["--", "--ignored", "firefox::"])
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
    results::check()?;
    count::check()?;
    figures::check()
}

/// Clippy for this machine and for the browser; a warning is an error.
pub fn lints(toolchain: &Toolchain) -> Result<()> {
    setup::component("clippy", "clippy")?;
    let deny = ["--", "-D", "warnings"];
    let native = ["clippy", "--workspace", "--all-targets"];
    step("lints", cargo().args(native).args(deny))?;
    match toolchain {
        // What only a browser compiles: the page, its workers, and their messages.
        Toolchain::Rustup => step(
            "lints of the page",
            cargo()
                .args(["clippy", "--package", "messages", "--target", TARGET])
                .args(site::PACKAGES)
                .args(deny),
        ),
        Toolchain::Debian { .. } => {
            say("lints of the page: left out, for clippy needs the target's standard library as \
             rustup has it");
            Ok(())
        }
    }
}

/// The documentation of the crates; a warning is an error.
pub fn documentation() -> Result<()> {
    step(
        "documentation",
        cargo()
            .args(["doc", "--workspace", "--no-deps"])
            .args(["--exclude", "browser-tests", "--exclude", "fuzz", "--exclude", "bench-page"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}
