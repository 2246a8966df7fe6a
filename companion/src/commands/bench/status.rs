//! `bench --status`: how far the processes of a folder are.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::{Result, bail};
use eval::{Key, Runs};
use serde::de::IgnoredAny;

use super::leases::{self, Beat};
use crate::{input, output, runs_file, table};

/// Prints what each process has made. Succeeds once no run is missing.
pub(super) fn tell(folder: &Path) -> Result<ExitCode> {
    let (parts, beats) = (leases::parts(folder)?, beats(folder));
    if parts.is_empty() {
        bail!("{}: has no part-*.jsonl; expected the folder of `bench --out`", folder.display());
    }
    let (mut finished, mut failed) = (HashSet::<Key>::new(), HashSet::<Key>::new());
    let mut rows = Vec::new();
    for path in &parts {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let runs: Runs<IgnoredAny> = runs_file::read(path)?;
        let tokens: u64 = runs.runs.iter().filter_map(|run| run.cost.usage.total()).sum();
        rows.push(vec![
            name.trim_start_matches("part-").replace("-of-", "/"),
            runs.runs.len().to_string(),
            runs.failures.len().to_string(),
            tokens.to_string(),
        ]);
        finished.extend(runs.runs.into_iter().map(|run| run.key));
        failed.extend(runs.failures.into_keys());
    }
    for row in &mut rows {
        let state = match beats.get(&row[0]) {
            None => "–".to_owned(),
            Some((beat, _)) if beat.is_over => "ended".to_owned(),
            Some((beat, age)) if *age <= beat.lease_s => "runs".to_owned(),
            Some((_, age)) => format!("silent for {age:.0} s"),
        };
        row.push(state);
    }
    let n_failed = failed.difference(&finished).count();
    let last = beats.values().min_by(|a, b| a.1.total_cmp(&b.1));
    let n_jobs = last.map(|(beat, _)| beat.n_jobs);
    let mut out = output::stdout();
    table::write(&mut out, &["shard", "finished", "failed", "tokens", "process"], &rows)?;
    let of = n_jobs.map_or_else(String::new, |n| format!(" of {n}"));
    writeln!(out, "{}{of} runs finished, {n_failed} failed", finished.len())?;
    out.flush()?;
    let is_whole = n_jobs.is_some_and(|n| finished.len() + n_failed >= n);
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

/// The last sign of life of each shard, and how many seconds ago it was.
fn beats(folder: &Path) -> BTreeMap<String, (Beat, f64)> {
    let mut beats: BTreeMap<String, (Beat, f64)> = BTreeMap::new();
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let now = SystemTime::now();
    for entry in fs::read_dir(leases::folder_of(folder)).into_iter().flatten().flatten() {
        let changed = entry.metadata().and_then(|about| about.modified());
        let (Ok(changed), Ok(text)) = (changed, input::bytes(&entry.path(), leases::MAX_FILE))
        else {
            continue;
        };
        let Ok(beat) = serde_json::from_slice::<Beat>(&text) else { continue };
        let age = now.duration_since(changed).map_or(0.0, |age| age.as_secs_f64());
        if beats.get(&beat.shard).is_none_or(|(_, known)| age < *known) {
            beats.insert(beat.shard.clone(), (beat, age));
        }
    }
    beats
}
