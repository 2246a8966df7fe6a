//! Finds what the commands need, and installs what is missing after saying so.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::pyodide;
use crate::steps::{cargo, confirm, output, root, run, say, show};
use crate::toolchain::{TARGET, Toolchain};

/// A compiler for the page.
pub fn page(yes: bool) -> Result<Toolchain> {
    if let Some(found) = Toolchain::rustup().or_else(Toolchain::debian) {
        say(&found.describe());
        return Ok(found);
    }
    // A toolchain of the user's own is no system package, so rustup may add to it unasked.
    if output(Command::new("rustup").arg("--version")).is_some() {
        let mut add = Command::new("rustup");
        add.args(["target", "add", TARGET]);
        let _ = run(&format!("adding the WebAssembly target: {}", show(&add)), &mut add);
        if let Some(found) = Toolchain::rustup() {
            say(&found.describe());
            return Ok(found);
        }
        say("rustup could not fetch the target; trying Debian's packages");
    }
    packages(&["rustc-web", "cargo-web", "rust-web-src"], yes, "the WebAssembly compiler")?;
    if Toolchain::debian().is_none() {
        packages(&["lld"], yes, "a linker for WebAssembly")?;
    }
    match Toolchain::debian() {
        Some(found) => {
            say(&found.describe());
            Ok(found)
        }
        None => bail!(
            "no compiler for {TARGET}: install one with `rustup target add {TARGET}`, \
             or Debian's packages rustc-web, cargo-web and rust-web-src, then run this again"
        ),
    }
}

/// Debian's compiler with the standard library's source, for threads where rustup has no source.
/// Installed only where that needs no question: one thread does too.
pub fn debian_source() -> Option<Toolchain> {
    if let Some(found) = Toolchain::debian() {
        return Some(found);
    }
    if is_root() {
        let _ = packages(&["rustc-web", "cargo-web", "rust-web-src"], true, "the source");
    }
    Toolchain::debian()
}

/// Python for the page, and what fetches it.
pub fn python(yes: bool) -> Result<()> {
    if pyodide::is_off() {
        return Ok(());
    }
    let npm = output(Command::new("npm").arg("--version")).is_some();
    let pip = output(Command::new("python3").args(["-m", "pip", "--version"])).is_some();
    if !npm || !pip {
        packages(&["npm", "python3-pip"], yes, "what fetches Python for the page")?;
    }
    pyodide::fetch().map(drop)
}

/// A browser and its driver.
pub fn browser(yes: bool) -> Result<()> {
    let driver = output(Command::new("chromedriver").arg("--version"));
    let found = driver.is_some()
        && ["chromium", "google-chrome", "chromium-browser"]
            .iter()
            .any(|b| output(Command::new(b).arg("--version")).is_some());
    if !found {
        packages(&["chromium", "chromium-driver"], yes, "the browser that the tests drive")?;
    }
    match output(Command::new("chromedriver").arg("--version")) {
        Some(version) => {
            say(&format!("browser: {}", version.split('(').next().unwrap_or(&version).trim_end()));
            Ok(())
        }
        None => bail!(
            "no chromedriver on the PATH: install Chromium and ChromeDriver, \
             or leave the browser tests out with `cargo xtask test --no-browser`"
        ),
    }
}

/// Firefox ESR and its driver, for `cargo xtask firefox`; gives the driver's program.
pub fn firefox(yes: bool) -> Result<PathBuf> {
    let found = ["firefox-esr", "firefox"]
        .iter()
        .any(|b| output(Command::new(b).arg("--version")).is_some());
    if !found {
        packages(&["firefox-esr"], yes, "Firefox")?;
    }
    if output(Command::new("geckodriver").arg("--version")).is_some() {
        return Ok("geckodriver".into());
    }
    let tools = root().join("target/tools");
    let program = tools.join("bin/geckodriver");
    if !program.exists() {
        run(
            "building geckodriver (the first time takes some minutes)",
            cargo().args(["install", "geckodriver", "--locked", "--root"]).arg(&tools),
        )?;
    }
    Ok(program)
}

/// A part of the toolchain that a cargo command needs.
pub fn component(name: &str, command: &str) -> Result<()> {
    let is_there = || output(cargo().args([command, "--version"])).is_some();
    if is_there() {
        return Ok(());
    }
    if output(Command::new("rustup").arg("--version")).is_some() {
        let mut add = Command::new("rustup");
        add.args(["component", "add", name]);
        let _ = run(&format!("adding {name}: {}", show(&add)), &mut add);
    }
    if is_there() {
        return Ok(());
    }
    bail!(
        "`cargo {command}` is missing: `rustup component add {name}`, or your system's package of it"
    )
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).as_deref() == Some("0")
}

fn packages(names: &[&str], yes: bool, what: &str) -> Result<()> {
    if output(Command::new("apt-get").arg("--version")).is_none() {
        bail!(
            "{what} is missing, and this system has no apt-get: install the equivalent of {} \
             with your package manager, then run this again",
            names.join(", ")
        );
    }
    let sudo: &[&str] = if is_root() { &[] } else { &["sudo"] };
    let line = [sudo, &["apt-get", "install", "-y", "--no-install-recommends"], names].concat();
    if !is_root()
        && !yes
        && !confirm(&format!("{what} is missing. Install it with `{}`?", line.join(" ")))
    {
        bail!("{what} is missing: run `{}`, or give --yes", line.join(" "));
    }
    let update = [sudo, &["apt-get", "update", "-qq"]].concat();
    // An old list is no reason to stop: the install itself says what it misses.
    let _ = run("refreshing the package list", Command::new(update[0]).args(&update[1..]));
    run(
        &format!("installing {what}: {}", names.join(", ")),
        Command::new(line[0])
            .args(&line[1..])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(std::process::Stdio::null()),
    )
}
