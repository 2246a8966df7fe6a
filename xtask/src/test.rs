//! Every test in one command.

use std::process::Command;

use anyhow::Result;

use crate::steps::{root, run as step, say};
use crate::{deny, figures, layers, server, setup, single_file, site, words};

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
    }
    layers::run()?;
    words::run()?;
    figures::check()?;
    deny::run()?;
    step("tests of every crate", cargo().args(["test", "--workspace"]))?;
    let site = site::build(&toolchain)?;
    if no_browser {
        say("browser tests left out, as asked");
        return Ok(());
    }
    let single_file = single_file::for_tests()?;
    let url = server::Server::bind(0)?.spawn(site);
    step(
        "browser tests",
        cargo()
            // Of the whole workspace, so that what it stands on is built as it was above.
            .args(["test", "--workspace", "--features", "browser-tests/browser"])
            .args(["--test", "page"])
            .env("GRAPHGROUND_URL", url)
            // Its own tests have built it; by itself it would be built again, with fewer features.
            .env("GRAPHGROUND_COMPANION", root().join("target/debug/graphground"))
            .env("GRAPHGROUND_SINGLE_FILE", single_file),
    )?;
    say("all tests passed");
    Ok(())
}

/// One scripted run in Firefox ESR: the page is made for every current browser.
pub fn firefox(yes: bool) -> Result<()> {
    let toolchain = setup::page(yes)?;
    let driver = setup::firefox(yes)?;
    let site = site::build(&toolchain)?;
    let single_file = single_file::for_tests()?;
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

/// What a change must pass before it is merged.
pub fn ci() -> Result<()> {
    step("format", cargo().args(["fmt", "--all", "--check"]))?;
    step(
        "lints",
        cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    )?;
    run(false, false)
}
