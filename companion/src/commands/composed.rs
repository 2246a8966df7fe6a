//! Composed functions in files: proposals, and those that were accepted.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use graph::composed::{ComposedFunction, MAX_COMPOSED, Proposal, ProposalReport};
use serde_json::Value;
use systems::grounded::{Composing, accepted};
use trace::Trace;

use crate::{input, limits, output};

/// The composed functions of a run.
#[derive(clap::Args)]
pub(super) struct ComposedArgs {
    /// Offers the composed functions of this file beside the library's.
    #[arg(long, value_name = "FILE")]
    functions: Option<PathBuf>,
    /// Lets the model propose functions and call those that are accepted; with --functions, these
    /// are added to the file, which is made if it is not there.
    #[arg(long)]
    propose: bool,
}

impl ComposedArgs {
    /// Reads the file.
    pub(super) fn open(&self) -> Result<Composing> {
        let functions = match &self.functions {
            Some(path) if self.propose && !path.exists() => Vec::new(),
            Some(path) => accepted_in(path)?,
            None => Vec::new(),
        };
        Ok(Composing { functions, may_propose: self.propose })
    }

    /// Adds what was accepted in a run to the file, as the file is now: another run may have added to it
    /// since this one began. What is in it already stays as it is.
    pub(super) fn keep(&self, trace: &Trace) -> Result<()> {
        let Some(path) = &self.functions else { return Ok(()) };
        let mut known = if path.exists() { accepted_in(path)? } else { Vec::new() };
        let mut new = accepted(trace);
        new.retain(|p| known.iter().all(|k| k.name != p.name));
        if new.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = new.iter().map(|p| p.name.clone()).collect();
        known.extend(new);
        write(path, &known)?;
        output::complain(&format!("added to {}: {}", path.display(), names.join(", ")));
        Ok(())
    }
}

/// The proposals of a file: one, or a list of them.
pub(super) fn read(path: &Path) -> Result<Vec<Proposal>> {
    let text = input::text(path, limits::PROPOSALS)?;
    let value: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))?;
    let list = match value {
        Value::Array(list) => list,
        one => vec![one],
    };
    let read = |(i, value): (usize, &Value)| {
        Proposal::from_json(value)
            .map_err(|fault| anyhow::anyhow!("{}: function {}: {fault}", path.display(), i + 1))
    };
    list.iter().enumerate().map(read).collect()
}

/// The functions of a file of accepted ones; each is compiled again.
fn accepted_in(path: &Path) -> Result<Vec<Proposal>> {
    let proposals = read(path)?;
    if proposals.len() > MAX_COMPOSED {
        bail!("{} has {} functions; {MAX_COMPOSED} at most", path.display(), proposals.len());
    }
    for proposal in &proposals {
        if let Err(faults) = ComposedFunction::compile(proposal.clone()) {
            let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
            bail!("{}: {}: {}", path.display(), proposal.name, told.join("; "));
        }
    }
    Ok(proposals)
}

/// The functions of a file, to be listed.
pub(super) fn functions_of(path: &Path) -> Result<Vec<ComposedFunction>> {
    Ok(accepted_in(path)?
        .into_iter()
        .filter_map(|proposal| ComposedFunction::compile(proposal).ok())
        .collect())
}

fn write(path: &Path, proposals: &[Proposal]) -> Result<()> {
    output::write(path, serde_json::to_string_pretty(proposals)? + "\n")
}

/// Checks the proposals of a file and tells what came of each; those that are accepted are added to
/// another file, if one is named. Whether all were.
pub(super) fn check(out: &mut impl Write, path: &Path, kept: Option<&Path>) -> Result<bool> {
    let mut known = match kept {
        Some(path) if path.exists() => accepted_in(path)?,
        _ => Vec::new(),
    };
    let n_before = known.len();
    let mut all = true;
    for proposal in read(path)? {
        let names: Vec<String> = known.iter().map(|p| p.name.clone()).collect();
        let taken: Vec<&str> = names.iter().map(String::as_str).collect();
        let name = proposal.name.clone();
        match proposal.clone().check(&taken) {
            Ok((_, report)) => {
                writeln!(out, "{name}: accepted")?;
                tell(out, &report)?;
                known.push(proposal);
            }
            Err(report) => {
                all = false;
                writeln!(out, "{name}: refused")?;
                for fault in &report.faults {
                    writeln!(out, "  {}: {fault}", fault.code)?;
                }
                tell(out, &report)?;
            }
        }
    }
    if let Some(path) = kept.filter(|_| known.len() > n_before) {
        write(path, &known)?;
    }
    Ok(all)
}

fn tell(out: &mut impl Write, report: &ProposalReport) -> Result<()> {
    if report.returns.is_empty() {
        return Ok(());
    }
    writeln!(out, "  gives {}; calls {}", report.returns, report.calls.join(", "))?;
    let n_passed = report.examples.iter().filter(|e| e.passed).count();
    let random = &report.random;
    let refused: usize = random.refused.values().sum();
    writeln!(
        out,
        "  {n_passed} of {} examples pass; {} results on {} random graphs, {refused} refused",
        report.examples.len(),
        random.n_results,
        random.n_graphs,
    )?;
    Ok(())
}
