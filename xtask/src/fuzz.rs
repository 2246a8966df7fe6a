//! Fuzzes every parser of the crate `fuzz` under libFuzzer, and tells what came of it.
//!
//! Seeds, corpus, logs and failures lie under `target/fuzz`, apart from everything else, so that
//! tests keep what they built.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::steps::{output, root, run, say};

/// What stable rustc needs to tell libFuzzer which edges an input takes and what it compares.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing \
                     -Ccodegen-units=1";
/// An input that takes longer than this, in seconds, is a failure.
const TIMEOUT: u32 = 5;
/// An input that takes more memory than this, in MB, is a failure.
const MEMORY: u32 = 1024;
/// After so many failures a target is left alone: the rest would be the same.
const MAX_FAILURES: usize = 8;
/// The least seconds of a target: below, its seeds alone take all of them.
const MIN_SECONDS: f64 = 2.0;

/// A target: its name, and the longest input that it takes.
struct Target {
    name: String,
    max_len: usize,
}

/// What came of fuzzing a target.
#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    name: String,
    seconds: f64,
    n_runs: u64,
    /// Edges of the program that were taken.
    n_edges: u64,
    n_inputs: u64,
    /// In whole seconds, as libFuzzer tells it.
    slowest: u64,
    peak_mb: u64,
    n_crashes: usize,
    n_timeouts: usize,
    n_memory: usize,
    failures: Vec<Failure>,
}

/// An input that failed.
#[derive(Clone, Debug, PartialEq)]
struct Failure {
    file: PathBuf,
    why: String,
}

/// Where things lie.
struct Places {
    home: PathBuf,
    program: PathBuf,
}

/// Builds, fuzzes, reports. `minutes` are shared out evenly among the targets.
pub fn run_all(minutes: f64, only: Option<&str>, jobs: usize) -> Result<()> {
    let host = host()?;
    let home = root().join("target/fuzz");
    build(&host, &home)?;
    let places = Places { program: home.join(&host).join("fuzz/fuzzer"), home };
    let mut targets = list(&places)?;
    if let Some(only) = only {
        let known: Vec<String> = targets.iter().map(|t| t.name.clone()).collect();
        targets.retain(|t| t.name == only);
        if targets.is_empty() {
            bail!("there is no target {only:?}; there are {}", known.join(", "));
        }
    }
    let jobs = jobs.clamp(1, targets.len());
    let seconds = (minutes * 60.0 * jobs as f64 / targets.len() as f64).max(MIN_SECONDS);
    say(&format!("{} targets, {seconds:.0} s each, {jobs} at once", targets.len()));
    let n = targets.len();
    let queue = Mutex::new(targets.into_iter());
    let rows: Mutex<Vec<Row>> = Mutex::new(Vec::new());
    let faults: Mutex<Vec<String>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().ok().and_then(|mut queue| queue.next());
                    let Some(target) = next else { break };
                    match fuzz(&places, &target, seconds) {
                        Ok(row) => take_row(&places, &rows, row, n),
                        Err(error) => {
                            if let Ok(mut faults) = faults.lock() {
                                faults.push(format!("{}: {error:#}", target.name));
                            }
                        }
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    let text = report(&rows);
    println!("\n{text}");
    say(&format!("the table is in {}", places.home.join("report.md").display()));
    let faults = faults.into_inner().unwrap_or_default();
    if !faults.is_empty() {
        bail!("some targets could not be fuzzed:\n  {}", faults.join("\n  "));
    }
    let n_failures: usize = rows.iter().map(|r| r.failures.len()).sum();
    if n_failures > 0 {
        bail!("{n_failures} inputs failed; the table says which, and how to repeat each");
    }
    Ok(())
}

/// The triple of this machine: with a target named, the flags are for the targets alone and not
/// for build scripts and macros, which have no libFuzzer in them.
fn host() -> Result<String> {
    let text = output(Command::new("rustc").arg("-vV")).context("`rustc -vV` failed")?;
    let line = text.lines().find_map(|l| l.strip_prefix("host: "));
    Ok(line.context("`rustc -vV` names no host")?.to_owned())
}

fn build(host: &str, home: &Path) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    run(
        "building the fuzzer (some minutes the first time; it needs a C++ compiler)",
        Command::new(cargo)
            .args(["build", "--package", "fuzz", "--bin", "fuzzer"])
            .args(["--profile", "fuzz", "--target", host, "--target-dir"])
            .arg(home)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env("RUSTFLAGS", FLAGS)
            .current_dir(root()),
    )?;
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    run(
        "building the companion, which runs programs in SPARQL in processes of their own",
        Command::new(cargo).args(["build", "--package", "graphground"]).current_dir(root()),
    )
}

fn list(places: &Places) -> Result<Vec<Target>> {
    let text = output(Command::new(&places.program).env("FUZZ_LIST", "1"));
    let text = text.with_context(|| format!("{} does not start", places.program.display()))?;
    let target = |line: &str| {
        let (name, max_len) = line.split_once(' ')?;
        Some(Target { name: name.to_owned(), max_len: max_len.parse().ok()? })
    };
    let targets: Vec<Target> = text.lines().filter_map(target).collect();
    if targets.is_empty() {
        bail!("{} lists no targets", places.program.display());
    }
    Ok(targets)
}

/// Fuzzes a target for so long, again after every failure.
fn fuzz(places: &Places, target: &Target, seconds: f64) -> Result<Row> {
    let name = &target.name;
    let folder = |kind: &str| places.home.join(kind).join(name);
    let (seeds, corpus, failures) = (folder("seeds"), folder("corpus"), folder("failures"));
    for folder in [&corpus, &failures, &places.home.join("logs")] {
        fs::create_dir_all(folder).with_context(|| format!("{}: cannot make", folder.display()))?;
    }
    let _ = fs::remove_dir_all(&seeds);
    let seeded = Command::new(&places.program)
        .env("FUZZ_TARGET", name)
        .env("FUZZ_SEEDS", &seeds)
        .status()
        .with_context(|| format!("cannot start {}", places.program.display()))?;
    if !seeded.success() {
        bail!("its seeds could not be made ({seeded})");
    }
    let regressions = root().join("fuzz/regressions").join(name);
    let log = places.home.join("logs").join(format!("{name}.log"));
    let begun = Instant::now();
    let mut row = Row { name: name.clone(), ..Row::default() };
    while row.failures.len() < MAX_FAILURES {
        let left = seconds - begun.elapsed().as_secs_f64();
        if left < 1.0 && row.n_runs > 0 {
            break;
        }
        let before = files(&failures);
        let to = File::create(&log).with_context(|| format!("{}: cannot write", log.display()))?;
        let status = Command::new(&places.program)
            .env("FUZZ_TARGET", name)
            .env("GRAPHGROUND_COMPANION", root().join("target/debug/graphground"))
            .arg(&corpus)
            .arg(&seeds)
            .args(regressions.is_dir().then_some(&regressions))
            .arg(format!("-timeout={TIMEOUT}"))
            .arg(format!("-rss_limit_mb={MEMORY}"))
            .arg(format!("-max_len={}", target.max_len))
            .arg(format!("-max_total_time={}", left.max(1.0).round()))
            .arg(format!("-artifact_prefix={}/", failures.display()))
            .args(["-print_final_stats=1", "-report_slow_units=1000"])
            .stdout(to.try_clone()?)
            .stderr(to)
            .status()
            .with_context(|| format!("cannot start {}", places.program.display()))?;
        let said = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        take_in(&mut row, &said);
        let new: Vec<PathBuf> =
            files(&failures).into_iter().filter(|f| !before.contains(f)).collect();
        if status.success() {
            continue;
        }
        if new.is_empty() {
            bail!("the fuzzer ended with {status}; {} says why", log.display());
        }
        for file in new {
            let kind = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match kind.split('-').next() {
                Some("timeout") => row.n_timeouts += 1,
                Some("oom") => row.n_memory += 1,
                Some("slow") => continue,
                _ => row.n_crashes += 1,
            }
            row.failures.push(Failure { file, why: reason(&said) });
        }
    }
    row.seconds = begun.elapsed().as_secs_f64();
    Ok(row)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|e| e.path()).filter(|p| p.is_file()).collect()
}

/// Adds what one start of libFuzzer told.
fn take_in(row: &mut Row, said: &str) {
    let stat = |name: &str| {
        let line = said.lines().rev().find_map(|l| l.strip_prefix("stat::")?.strip_prefix(name));
        line.and_then(|l| l.trim_start_matches(':').trim().parse::<u64>().ok()).unwrap_or(0)
    };
    // "#1234  NEW    cov: 56 ft: 78 corp: 9/10b …"
    let word = |name: &str| {
        let after =
            said.lines().rev().find_map(|l| l.split_once(name).map(|(_, rest)| rest.trim()));
        let number: String =
            after.unwrap_or_default().chars().take_while(char::is_ascii_digit).collect();
        number.parse::<u64>().unwrap_or(0)
    };
    row.n_runs += stat("number_of_executed_units");
    row.n_edges = row.n_edges.max(word(" cov:"));
    row.n_inputs = row.n_inputs.max(word(" corp:"));
    row.slowest = row.slowest.max(stat("slowest_unit_time_sec"));
    row.peak_mb = row.peak_mb.max(stat("peak_rss_mb"));
}

/// The line that says what went wrong.
fn reason(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    let at = lines.iter().position(|l| l.contains("panicked at"));
    let panicked = at.map(|at| {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        let place = lines[at].split_once("panicked at ").map_or(lines[at], |(_, place)| place);
        format!("{place} {next}")
    });
    let other = || lines.iter().find(|l| l.contains("ERROR: libFuzzer")).map(|l| (*l).to_owned());
    let why = panicked.or_else(other).unwrap_or_default();
    why.chars().take(200).collect()
}

/// Takes a row in, and writes the report as it is so far: who stops in the middle keeps it.
fn take_row(places: &Places, rows: &Mutex<Vec<Row>>, row: Row, n: usize) {
    let Ok(mut rows) = rows.lock() else { return };
    rows.push(row);
    let mut sorted = rows.clone();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let (text, data) = (report(&sorted), json(&sorted).to_string());
    let write = |name: &str, text: &str| fs::write(places.home.join(name), text);
    if let Err(error) = write("report.md", &text).and_then(|()| write("report.json", &data)) {
        say(&format!("{}: the report cannot be written: {error}", places.home.display()));
    }
    if let Some(row) = rows.last() {
        say(&format!(
            "{}/{n} {}: {} inputs tried, {} edges, {} failed",
            rows.len(),
            row.name,
            row.n_runs,
            row.n_edges,
            row.failures.len()
        ));
    }
}

fn json(rows: &[Row]) -> Value {
    let row = |r: &Row| {
        let failures: Vec<Value> =
            r.failures.iter().map(|f| json!({ "file": f.file, "why": f.why })).collect();
        json!({
            "target": r.name, "seconds": r.seconds.round(), "executions": r.n_runs,
            "edges": r.n_edges, "corpus": r.n_inputs, "slowest_s": r.slowest,
            "peak_mb": r.peak_mb, "crashes": r.n_crashes, "timeouts": r.n_timeouts,
            "out_of_memory": r.n_memory, "failures": failures,
        })
    };
    Value::Array(rows.iter().map(row).collect())
}

/// The table, and how to repeat what failed.
fn report(rows: &[Row]) -> String {
    let mut text = String::from(
        "| target | executions | a second | edges | corpus | slowest | peak memory | crashes | \
         timeouts | out of memory |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let per_second = |n: u64, seconds: f64| n as f64 / seconds.max(1e-9);
    for r in rows {
        // libFuzzer tells the slowest in whole seconds.
        let slowest = if r.slowest == 0 { "< 1 s".to_owned() } else { format!("{} s", r.slowest) };
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} | {} | {} | {slowest} | {} MB | {} | {} | {} |",
            r.name,
            r.n_runs,
            per_second(r.n_runs, r.seconds),
            r.n_edges,
            r.n_inputs,
            r.peak_mb,
            r.n_crashes,
            r.n_timeouts,
            r.n_memory
        );
    }
    let total: u64 = rows.iter().map(|r| r.n_runs).sum();
    let time: Duration = rows.iter().map(|r| Duration::from_secs_f64(r.seconds.max(0.0))).sum();
    let n_failures: usize = rows.iter().map(|r| r.failures.len()).sum();
    let _ = writeln!(
        text,
        "\n{} targets, {total} executions in {:.0} minutes of a core, {n_failures} inputs failed. \
         An input may take {TIMEOUT} s and {MEMORY} MB.",
        rows.len(),
        time.as_secs_f64() / 60.0
    );
    for (row, failure) in rows.iter().flat_map(|r| r.failures.iter().map(move |f| (r, f))) {
        let file = failure.file.strip_prefix(root()).unwrap_or(&failure.file).display();
        let _ = writeln!(
            text,
            "\n- {}: {}\n  `FUZZ_TARGET={} target/fuzz/*/fuzz/fuzzer {file}`",
            row.name, failure.why, row.name
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "INFO: Seed: 1\n#2\tINITED cov: 10 ft: 11 corp: 1/1b exec/s: 0 rss: 30Mb\n\
        #99\tNEW    cov: 57 ft: 80 corp: 12/40b lim: 4 exec/s: 0 rss: 31Mb L: 3/3\n\
        thread '<unnamed>' panicked at crates/kg/src/x.rs:1:2:\nindex out of bounds\n\
        ==1== ERROR: libFuzzer: deadly signal\n\
        stat::number_of_executed_units: 1234\nstat::average_exec_per_sec:     600\n\
        stat::slowest_unit_time_sec:    2\nstat::peak_rss_mb:              77\n";

    #[test]
    fn what_the_fuzzer_tells_is_added_up() {
        let mut row = Row { name: "x".into(), seconds: 2.0, ..Row::default() };
        take_in(&mut row, SAID);
        take_in(&mut row, SAID);
        assert_eq!((row.n_runs, row.n_edges, row.n_inputs), (2468, 57, 12));
        assert_eq!((row.slowest, row.peak_mb), (2, 77));
        assert_eq!(reason(SAID), "crates/kg/src/x.rs:1:2: index out of bounds");
        let timeout = "ALARM\n==2== ERROR: libFuzzer: timeout after 5 seconds\n";
        assert!(reason(timeout).ends_with("timeout after 5 seconds"));
    }

    #[test]
    fn the_report_names_what_failed_and_how_to_repeat_it() {
        let failure =
            Failure { file: root().join("target/fuzz/failures/x/crash-1"), why: "w".into() };
        let row = Row {
            name: "x".into(),
            n_runs: 10,
            seconds: 2.0,
            n_crashes: 1,
            failures: vec![failure],
            ..Row::default()
        };
        let text = report(&[row]);
        assert!(text.contains("| x | 10 | 5 | 0 | 0 | < 1 s | 0 MB | 1 | 0 | 0 |"), "{text}");
        assert!(
            text.contains("FUZZ_TARGET=x target/fuzz/*/fuzz/fuzzer target/fuzz/failures/x/crash-1")
        );
        assert!(text.contains("1 targets, 10 executions"), "{text}");
    }
}
