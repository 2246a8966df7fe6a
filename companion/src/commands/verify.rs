//! `graphground verify FILE…`: question files of NLGraph and four other benchmarks against our parser,
//! solver and verifier, and logged answers by both rules.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::json;
use tasks::dataset::{
    CheckFailure, CheckedRow, Checker, DatasetEntry, DatasetReport, LevelReport, MAX_DATASET_BYTES,
    RuleCounts, joined_rows,
};
use tasks::official::files::{self, FileRow};

use crate::{input, output, table};

/// Options of `verify`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of NLGraph problems: {"key": {"question", "answer", "difficulty"}}, plain or gzipped. Or
    /// files of GraphArena (problems as pickles, answers as JSON), GraphWiz (JSON lines), GraphInstruct
    /// (CSV) and GraCoRe (JSON): their labels are checked, and their answers judged by the benchmark's
    /// own script and by our rule. Answers find their questions in the other files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object with `tasks` and `totals`.
    #[arg(long)]
    json: bool,
    /// With --json: add a row for each problem.
    #[arg(long, requires = "json")]
    rows: bool,
    /// Threads that share the work; the result is the same for any number.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

/// The companion is where the clock is.
#[allow(clippy::disallowed_methods)]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.threads > 1 {
        let n_threads = usize::from(args.threads);
        rayon::ThreadPoolBuilder::new().num_threads(n_threads).build_global()?;
        graph::threads::open(n_threads);
    }
    let mut report = DatasetReport::default();
    let mut rows = Vec::new();
    for file in &args.files {
        match questions(file)? {
            Questions::Own(entries) => report.absorb(checked(Checker::new(entries))),
            Questions::Others(found) => rows.extend(found),
        }
    }
    if !rows.is_empty() {
        report.absorb(checked(Checker::of_rows(joined_rows(rows))));
    }
    let clean = report.totals.is_clean();
    let mut out = output::stdout();
    if args.json {
        let mut value = json!({ "tasks": report.tasks, "totals": report.totals });
        if !report.rules.is_empty() {
            value["rules"] = serde_json::to_value(&report.rules)?;
        }
        if args.rows {
            value["rows"] = serde_json::to_value(&report.rows)?;
        }
        serde_json::to_writer_pretty(&mut out, &value)?;
        writeln!(out)?;
    } else {
        print(&mut out, &report)?;
    }
    out.flush()?;
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

fn checked(mut checker: Checker) -> DatasetReport {
    let started = now();
    while checker.advance(1000) > 0 {}
    let mut report = checker.report();
    report.spread_seconds(started.elapsed().as_secs_f64());
    report
}

/// What a file holds.
pub(super) enum Questions {
    /// Problems of NLGraph.
    Own(Vec<DatasetEntry>),
    /// Rows of another benchmark.
    Others(Vec<FileRow>),
}

/// Reads a file of any of the benchmarks.
pub(super) fn questions(file: &Path) -> anyhow::Result<Questions> {
    let place = || file.display().to_string();
    let is_pickle = file.extension().is_some_and(|e| e == "pkl" || e == "pickle");
    let bytes = match is_pickle {
        true => input::bytes(file, MAX_DATASET_BYTES)?,
        false => input::text(file, MAX_DATASET_BYTES)?.into_bytes(),
    };
    let name = file.to_string_lossy();
    // A file of NLGraph and a log of GraphArena begin alike.
    let own = std::str::from_utf8(&bytes).map(tasks::dataset::parse);
    match own {
        Ok(Ok(entries)) => Ok(Questions::Own(entries)),
        _ if files::sniff(&name, &bytes).is_some() => {
            Ok(Questions::Others(files::read(&name, &bytes).with_context(place)?))
        }
        Ok(Err(error)) => Err(error).with_context(place),
        Err(error) => Err(error).with_context(place),
    }
}

fn print(out: &mut impl std::io::Write, report: &DatasetReport) -> anyhow::Result<()> {
    let heading = [
        "task",
        "questions",
        "parse failures",
        "disagreements",
        "reference rejected",
        "solution rejected",
        "seconds",
    ];
    let line = |name: String, counts: &LevelReport| {
        vec![
            name,
            counts.questions.to_string(),
            counts.parse_failures.to_string(),
            counts.disagreements.to_string(),
            counts.reference_rejected.to_string(),
            counts.solution_rejected.to_string(),
            format!("{:.3}", counts.seconds),
        ]
    };
    let mut rows = Vec::new();
    for (name, task) in &report.tasks {
        rows.push(line(name.clone(), &task.total));
        for level in ["easy", "medium", "hard", "unknown"] {
            if let Some(counts) = task.difficulties.get(level) {
                rows.push(line(format!("  {level}"), counts));
            }
        }
    }
    rows.push(line("all".into(), &report.totals));
    table::write(out, &heading, &rows)?;
    const SHOWN: usize = 20;
    let failed: Vec<&CheckedRow> =
        report.rows.iter().filter(|row| !row.failures.is_empty()).collect();
    for row in failed.iter().take(SHOWN) {
        let task = row.task.map_or("unknown", |task| task.as_str());
        for failure in &row.failures {
            let (what, message) = match failure {
                CheckFailure::Parse { message } => ("cannot be read", message),
                CheckFailure::Disagreement { message } => ("another solution", message),
                CheckFailure::ReferenceRejected { message } => ("reference rejected", message),
                CheckFailure::SolutionRejected { message } => ("our solution rejected", message),
            };
            writeln!(out, "{task} problem {:?}: {what}: {message}", row.key)?;
        }
    }
    if failed.len() > SHOWN {
        writeln!(out, "… and {} more; --json --rows lists all", failed.len() - SHOWN)?;
    }
    if report.rules.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nLogged answers, by the benchmark's own script and by our rule:")?;
    let heading =
        ["task", "answers", "right by the script", "right here", "only by the script", "only here"];
    let line = |(name, counts): (&String, &RuleCounts)| {
        let numbers = [
            counts.answers,
            counts.official_right,
            counts.fair_right,
            counts.only_official,
            counts.only_fair,
        ];
        std::iter::once(name.clone()).chain(numbers.map(|n| n.to_string())).collect()
    };
    table::write(out, &heading, &report.rules.iter().map(line).collect::<Vec<Vec<String>>>())?;
    for (name, counts) in &report.rules {
        for (cause, n) in &counts.causes {
            writeln!(out, "{name}: {n} × {cause}")?;
        }
    }
    Ok(())
}
