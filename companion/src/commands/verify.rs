//! `graphground verify FILE…`: NLGraph's question files against our parser, solver and verifier.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::json;
use tasks::dataset::{
    CheckFailure, CheckedRow, Checker, DatasetReport, LevelReport, MAX_DATASET_BYTES,
};

use crate::{input, output, table};

/// Options of `verify`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of NLGraph problems: {"key": {"question", "answer", "difficulty"}}, plain or gzipped.
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
    for file in &args.files {
        let text = input::text(file, MAX_DATASET_BYTES)?;
        let started = now();
        let entries = tasks::dataset::parse(&text).with_context(|| file.display().to_string())?;
        let mut checker = Checker::new(entries);
        while checker.advance(1000) > 0 {}
        let mut found = checker.report();
        found.spread_seconds(started.elapsed().as_secs_f64());
        report.absorb(found);
    }
    let clean = report.totals.is_clean();
    let mut out = output::stdout();
    if args.json {
        let mut value = json!({ "tasks": report.tasks, "totals": report.totals });
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
    Ok(())
}
