//! Builds test executables with cargo, and runs them itself, so that the time of each test is known.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::steps::{cargo, hold, linted, say};
use crate::timings::{self, Took};

/// A test executable.
pub struct Executable {
    /// The package, and the target where that has another name.
    pub name: String,
    path: PathBuf,
    /// The folder of its package, in which cargo runs it.
    folder: PathBuf,
}

/// Builds tests, and lints what it builds: `args` follow `cargo test --no-run`.
///
/// # Errors
/// Something does not compile.
pub fn build(what: &str, args: &[&str]) -> Result<Vec<Executable>> {
    say(what);
    let mut cargo = cargo();
    linted(&mut cargo)
        .args(["test", "--no-run", "--message-format", "json-render-diagnostics"])
        .args(args);
    let start = Instant::now();
    let mut child = cargo.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let lines = BufReader::new(child.stdout.take().context("cargo has no output")?).lines();
    let mut built = Vec::new();
    for line in lines {
        built.extend(executable(&line?));
    }
    let (status, took) = timings::wait(start, child)?;
    timings::step(what, took);
    if !status.success() {
        bail!("{what}: cargo ended with {status}; its own messages are above");
    }
    say(&format!("{what}: done in {:.0} s", took.wall_s));
    Ok(built)
}

/// The test executable in one of cargo's messages.
fn executable(line: &str) -> Option<Executable> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let path = message["executable"].as_str()?.into();
    let folder = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = message["package_id"].as_str()?.rsplit(['/', '#']).next()?;
    let (package, target) = (package.split('@').next()?, message["target"]["name"].as_str()?);
    // A package is named after its folder where its id does not say more.
    let package = if package.starts_with(|c: char| c.is_ascii_digit()) {
        folder.file_name()?.to_str()?
    } else {
        package
    };
    let name = if package == target { target.into() } else { format!("{package} {target}") };
    Some(Executable { name, path, folder })
}

/// Runs tests, one executable after the other; prints what fails, and each executable's last line.
/// `ready` sets what the tests read of their environment.
///
/// # Errors
/// A test failed: all are run before that is said.
pub fn run(what: &str, executables: &[Executable], ready: &dyn Fn(&mut Command)) -> Result<()> {
    say(what);
    let (mut failed, mut cpu_s) = (Vec::new(), Some(0.0));
    let start = Instant::now();
    // A test of a program or a browser waits for much of its time: one more than there are cores keeps
    // them busy.
    let n_threads = std::thread::available_parallelism().map_or(3, |n| n.get() + 1).to_string();
    for Executable { name, path, folder } in executables {
        let mut command = Command::new(path);
        // Only nightly compilers, or this variable, allow the times of tests.
        command.current_dir(folder).env("RUSTC_BOOTSTRAP", "1").env("CARGO_MANIFEST_DIR", folder);
        command.args(["-Z", "unstable-options", "--report-time", "--test-threads", &n_threads]);
        ready(&mut command);
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", path.display()))?;
        println!("     running {name}");
        let output = BufReader::new(child.stdout.take().context("a test has no output")?);
        // Reading blocks, and the times of a process are looked at while it runs.
        let broken = Mutex::new(None);
        let (status, took) = std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                for line in output.split(b'\n') {
                    match line {
                        Ok(line) => show(name, &String::from_utf8_lossy(&line)),
                        Err(error) => *hold(&broken) = Some(error),
                    }
                }
            });
            let waited = timings::wait(Instant::now(), child);
            let _ = reader.join();
            waited
        })?;
        cpu_s = cpu_s.zip(took.cpu_s).map(|(sum, of)| sum + of);
        if let Some(error) = hold(&broken).take() {
            return Err(error).with_context(|| format!("cannot read what {name} prints"));
        }
        if !status.success() {
            failed.push(format!("{name} ({status})"));
        }
    }
    timings::step(what, Took { wall_s: start.elapsed().as_secs_f64(), cpu_s });
    if !failed.is_empty() {
        bail!("{what}: these failed; their own messages are above: {}", failed.join(", "));
    }
    Ok(())
}

/// Notes a test that passed, and prints every other line.
fn show(executable: &str, line: &str) {
    match passed(line) {
        Some((test, seconds)) => timings::test(format!("{executable} {test}"), seconds),
        None if line.trim().is_empty() || line.starts_with("running ") => {}
        None => println!("{line}"),
    }
}

/// The name and the seconds of a test that passed: `test a::b ... ok <1.234s>`.
fn passed(line: &str) -> Option<(&str, f64)> {
    let (name, seconds) = line.strip_prefix("test ")?.rsplit_once(" ... ok <")?;
    Some((name, seconds.strip_suffix("s>")?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_passed_has_a_name_and_a_time() {
        assert_eq!(passed("test it::flows ... ok <1.250s>"), Some(("it::flows", 1.25)));
        assert_eq!(
            passed("test it::flows - should panic ... ok <0.001s>").map(|t| t.1),
            Some(0.001)
        );
        assert_eq!(passed("test it::flows ... FAILED <0.1s>"), None);
        assert_eq!(passed("test result: ok. 2 passed; 0 failed"), None);
    }

    #[test]
    fn only_tests_that_cargo_built_are_run() {
        let message = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"path+file:///p/crates/graph#0.2.0",
                "manifest_path":"/p/crates/graph/Cargo.toml","target":{{"name":"it"}},
                "profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        let found = executable(&message(true, "\"/p/target/it-1\"")).unwrap();
        assert_eq!(found.name, "graph it");
        assert_eq!(found.folder, PathBuf::from("/p/crates/graph"));
        assert!(executable(&message(false, "\"/p/target/graphground\"")).is_none());
        assert!(executable(&message(true, "null")).is_none());
        assert!(executable("Compiling").is_none());
        let named = message(true, "\"/p/x\"").replace("graph#0.2.0", "graph#graphground@0.2.0");
        assert_eq!(executable(&named).unwrap().name, "graphground it");
    }
}
