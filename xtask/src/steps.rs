//! Running commands with visible progress, and saying plainly what failed.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::timings;

/// The root of the clone.
pub fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map_or(manifest.clone(), PathBuf::from)
}

/// Cargo, at the root of the clone.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(root());
    command
}

/// What clippy's driver expects after each argument.
const SEPARATOR: &str = "__CLIPPY_HACKERY__";

/// Has cargo lint our own crates while it compiles them; a warning is an error. Clippy's driver is the
/// compiler with more lints, and dependencies stay the compiler's: `cargo clippy` beside a build would
/// check every one of them once more. A build without this compiles our crates again, and only them.
pub fn linted(cargo: &mut Command) -> &mut Command {
    cargo
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        // `-D warnings`, in the form in which `cargo clippy` passes arguments to its driver: each ends with
        // a separator of its own.
        .env("CLIPPY_ARGS", ["-D", "warnings"].map(|arg| format!("{arg}{SEPARATOR}")).concat())
}

/// Takes a lock, also after a thread that held it broke: what it left undone is made again.
pub fn hold<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One line for the person at the terminal.
pub fn say(line: &str) {
    println!("\x1b[1m==>\x1b[0m {line}");
}

/// The last line of a run that went wrong.
pub fn fail(error: &anyhow::Error) {
    eprintln!("\n\x1b[1;31mfailed:\x1b[0m {error:#}");
}

/// Runs a command that prints for itself; says what it is for and how long it took.
///
/// # Errors
/// It cannot be started, or fails.
pub fn run(what: &str, command: &mut Command) -> Result<()> {
    say(what);
    let line = show(command);
    let start = Instant::now();
    let child =
        command.spawn().with_context(|| format!("cannot start `{line}`; is it installed?"))?;
    let (status, took) = timings::wait(start, child)?;
    timings::step(what, took);
    if !status.success() {
        bail!("{what}: `{line}` ended with {status}; its own messages are above");
    }
    if took.wall_s > 2.0 {
        say(&format!("{what}: done in {:.0} s", took.wall_s));
    }
    Ok(())
}

/// What a command prints, or nothing if it cannot be run or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let out = command.output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// The command as a person would type it.
pub fn show(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        let arg = arg.to_string_lossy();
        line.push(' ');
        if arg.contains(' ') {
            line.push_str(&format!("'{arg}'"));
        } else {
            line.push_str(&arg);
        }
    }
    line
}

/// Asks before something outside the clone is changed. Without a terminal the answer is no.
pub fn confirm(question: &str) -> bool {
    if !std::io::stdin().is_terminal() {
        return false;
    }
    println!("{question} [y/N] ");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).is_ok()
        && matches!(answer.trim(), "y" | "Y" | "yes" | "Yes")
}
