//! `graphground cypher-tck`: reads the feature files of openCypher's Technology Compatibility Kit,
//! runs their scenarios, and says which the engine passes.
//!
//! The kit says what a query gives and changes, and how it fails; how it compares values and counts
//! side effects is kept to here. Nothing of the kit itself is in this project.

mod compare;
mod engine;
mod expected;
mod feature;
mod notation;
mod run;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;

use engine::Cypher;
use run::{Outcome, Verdict};

use companion::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Feature files, or folders of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A JSON object a scenario instead of a table: file, name, result, and what came in place of
    /// what was expected.
    #[arg(long)]
    json: bool,
    /// Also runs the scenarios that are usually skipped, and counts which of them pass.
    #[arg(long)]
    left_out: bool,
}

/// How many scenarios went how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Of all files.
    pub total: Counts,
    /// Of each folder, by its name.
    pub folders: BTreeMap<String, Counts>,
}

/// How many scenarios went how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// As expected.
    pub passed: usize,
    /// Not as expected.
    pub failed: usize,
    /// Of these, the ones skipped without `--left-out`, by cause.
    pub failed_left_out: BTreeMap<&'static str, usize>,
    /// Not run, by the cause.
    pub skipped: BTreeMap<String, usize>,
}

impl Counts {
    /// How many were not run.
    pub(crate) fn n_skipped(&self) -> usize {
        self.skipped.values().sum()
    }

    fn add(&mut self, result: &Verdict, left_out: Option<&'static str>) {
        match result {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed { .. } => {
                self.failed += 1;
                if let Some(cause) = left_out {
                    *self.failed_left_out.entry(cause).or_default() += 1;
                }
            }
            Verdict::Skipped { cause } => *self.skipped.entry(cause.clone()).or_default() += 1,
        }
    }
}

impl Summary {
    fn add(&mut self, outcome: &Outcome, left_out: Option<&'static str>) {
        let folder = outcome.file.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.folders.entry(folder.to_owned()).or_default().add(&outcome.result, left_out);
        self.total.add(&outcome.result, left_out);
    }
}

/// Runs every scenario of the files. A table a folder, and what did not come out right in full.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut files = Vec::new();
    for path in &args.files {
        add_features(path, &mut files)?;
    }
    let mut out = output::stdout();
    let mut summary = Summary::default();
    for file in &files {
        for mut scenario in feature::read_file(file)? {
            let left_out = if args.left_out { scenario.skip.take() } else { None };
            let outcome = run::run(&scenario, &Cypher);
            summary.add(&outcome, left_out);
            if args.json {
                writeln!(out, "{}", serde_json::to_string(&outcome)?)?;
            } else if let Verdict::Failed { expected, got } = &outcome.result {
                let Outcome { file, name, .. } = &outcome;
                writeln!(out, "{file}: {name}\n  expected {expected}\n  got {got}")?;
            }
        }
    }
    if !args.json {
        write_table(&mut out, &summary)?;
    }
    out.flush()?;
    Ok(if summary.total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

fn write_table(out: &mut impl std::io::Write, summary: &Summary) -> std::io::Result<()> {
    let row = |counts: &Counts| {
        let share = 100.0 * counts.passed as f64 / (counts.passed + counts.failed).max(1) as f64;
        let (passed, failed, skipped) = (counts.passed, counts.failed, counts.n_skipped());
        format!("{passed:>7} {failed:>7} {skipped:>7} {share:>7.1} %")
    };
    writeln!(
        out,
        "{:<40} {:>7} {:>7} {:>7} {:>9}",
        "folder", "passed", "failed", "skipped", "of run"
    )?;
    for (folder, counts) in &summary.folders {
        writeln!(out, "{folder:<40} {}", row(counts))?;
    }
    let total = &summary.total;
    writeln!(out, "{:<40} {}", "all", row(total))?;
    let n = total.passed + total.failed + total.n_skipped();
    let share = 100.0 * total.passed as f64 / n.max(1) as f64;
    writeln!(out, "passed: {} of all {n} scenarios, {share:.1} %", total.passed)?;
    for (cause, count) in &total.failed_left_out {
        writeln!(out, "failed: {count}, because {cause}")?;
    }
    for (cause, count) in &total.skipped {
        writeln!(out, "skipped: {count}, because {cause}")?;
    }
    Ok(())
}

/// Adds a file, or all feature files of a folder and of those in it, by name.
fn add_features(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = path.read_dir().with_context(|| format!("{}: cannot open", path.display()))?;
    let mut entries: Vec<PathBuf> =
        entries.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|kind| kind == "feature") {
            add_features(&entry, files)?;
        }
    }
    Ok(())
}
