//! Running commands with visible progress, and saying plainly what failed.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

/// The root of the clone.
pub fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map_or(manifest.clone(), PathBuf::from)
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
pub fn run(what: &str, command: &mut Command) -> Result<()> {
    say(what);
    let start = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`; is it installed?", show(command)))?;
    if !status.success() {
        bail!("{what}: `{}` ended with {status}; its own messages are above", show(command));
    }
    let took = start.elapsed().as_secs_f32();
    if took > 2.0 {
        say(&format!("{what}: done in {took:.0} s"));
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
