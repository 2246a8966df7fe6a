//! `graphground kgetool score`: calls against the right ones.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use tasks::family::FamilyCall;
use tasks::family::score::{CallScore, CallSummary, Ruleset, score_call};

use super::{Data, by_id};
use crate::output;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    data: Data,
    /// The calls that were made: JSON lines with `id` and `calls`, each with `name` and
    /// `parameters`.
    #[arg(long)]
    calls: PathBuf,
    /// Writes the sums alone, as one JSON object.
    #[arg(long)]
    summary: bool,
}

#[derive(Deserialize)]
struct Made {
    id: String,
    #[serde(default)]
    calls: Vec<FamilyCall>,
}

#[derive(Serialize)]
struct Scored<'a> {
    id: &'a str,
    scores: BTreeMap<&'static str, CallScore>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let benchmark = args.data.read()?;
    let made = by_id::<Made>(&args.calls, "an id with calls", |m| &m.id)?;
    let mut all: BTreeMap<&'static str, Vec<CallScore>> = BTreeMap::new();
    let mut out = output::stdout();
    for sample in &benchmark.samples {
        let gold: Vec<FamilyCall> = sample.call.iter().cloned().collect();
        let calls = made.get(&sample.id).map_or(&[][..], |m| m.calls.as_slice());
        let of = |mode: Ruleset| (mode.name(), score_call(&gold, calls, mode));
        let scores: BTreeMap<&'static str, CallScore> = Ruleset::ALL.into_iter().map(of).collect();
        for (name, score) in &scores {
            all.entry(name).or_default().push(*score);
        }
        if !args.summary {
            serde_json::to_writer(&mut out, &Scored { id: &sample.id, scores })?;
            writeln!(out)?;
        }
    }
    if args.summary {
        let sums: BTreeMap<&'static str, CallSummary> =
            all.iter().map(|(name, scores)| (*name, CallSummary::of(scores))).collect();
        serde_json::to_writer(&mut out, &sums)?;
        writeln!(out)?;
    }
    Ok(ExitCode::SUCCESS)
}
