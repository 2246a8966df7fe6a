//! Traces against themselves and against each other.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use serde_json::json;
use trace::diff::RowKind;
use trace::replay::ReplayFinding;
use trace::{Record, StepBody, Trace};

use crate::{output, table};

#[derive(clap::Args)]
pub(super) struct Replay {
    /// Traces in any of the formats.
    file: PathBuf,
    /// Prints JSON; `docs/formats.md` lists its fields.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub(super) struct Diff {
    /// The left trace.
    left: PathBuf,
    /// The right trace.
    right: PathBuf,
    /// Which trace of the left file, by its id; without it, the first.
    #[arg(long)]
    left_id: Option<String>,
    /// Which trace of the right file.
    #[arg(long)]
    right_id: Option<String>,
    /// Prints JSON; `docs/formats.md` lists its fields.
    #[arg(long)]
    json: bool,
}

pub(super) fn replay(args: &Replay) -> anyhow::Result<ExitCode> {
    let (has_effects, records) = super::read(&args.file)?;
    let found: Vec<_> = records
        .iter()
        .map(|r| {
            // The graph of these is not in the trace, so nothing of them is computed again.
            let needs_kg = systems::kgqa::find(&r.trace.system).is_some();
            let ours = needs_kg.then(trace::replay::Replay::default);
            let ours = ours.or_else(|| systems::kgetool::replay(&r.trace));
            let found = ours.unwrap_or_else(|| {
                trace::replay::replay(&r.trace, &mut super::tools(&r.trace), has_effects)
            });
            (r, found)
        })
        .collect();
    let n_drift: usize = found.iter().map(|(_, f)| f.drift().count()).sum();
    let n_calls: usize = found.iter().map(|(_, f)| f.findings.len()).sum();
    let n_not_ours: usize = found.iter().map(|(_, f)| f.n_not_ours()).sum();
    let mut out = output::stdout();
    if args.json {
        let traces: Vec<_> = found
            .iter()
            .map(|(r, f)| {
                let steps: Vec<_> = f
                    .findings
                    .iter()
                    .map(|(step, finding)| {
                        let mut row = json!({ "step": step, "tool": tool(&r.trace, *step) });
                        if let (Some(row), Ok(serde_json::Value::Object(more))) =
                            (row.as_object_mut(), serde_json::to_value(finding))
                        {
                            row.extend(more);
                        }
                        row
                    })
                    .collect();
                json!({ "id": r.id, "calls": f.findings.len(), "drift": f.drift().count(),
                        "steps": steps })
            })
            .collect();
        let all = json!({ "calls": n_calls, "drift": n_drift, "not_ours": n_not_ours, "effects_compared": has_effects,
                          "traces": traces });
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
    } else {
        for (record, found) in &found {
            for (step, finding) in &found.findings {
                let ReplayFinding::Differs { now, effects_differ } = finding else { continue };
                let change = if *effects_differ { ", and the graph changes otherwise" } else { "" };
                let name = tool(&record.trace, *step);
                writeln!(
                    out,
                    "{}: step {step}: {name} now gives {}{change}",
                    record.id,
                    now.to_model_text()
                )?;
            }
        }
        let n = records.len();
        writeln!(out, "{n} traces, {n_calls} calls, {n_drift} come out otherwise")?;
        if n_not_ours > 0 {
            writeln!(
                out,
                "{n_not_ours} calls are of functions that are not ours; they were not run again"
            )?;
        }
    }
    out.flush()?;
    Ok(if n_drift == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

/// The tool that a step calls.
fn tool(trace: &Trace, step: usize) -> &str {
    match trace.steps.get(step).map(|s| &s.body) {
        Some(StepBody::Call { call, .. }) => &call.name,
        _ => "",
    }
}

pub(super) fn diff(args: &Diff) -> anyhow::Result<ExitCode> {
    let left = pick(&args.left, args.left_id.as_deref())?;
    let right = pick(&args.right, args.right_id.as_deref())?;
    let diff = trace::diff::diff(&left.trace, &right.trace);
    let mut out = output::stdout();
    if args.json {
        let all = json!({ "left": left.id, "right": right.id,
                          "first_divergence": diff.first_divergence, "rows": diff.rows });
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
    } else {
        let cell = |record: &Record, at: Option<usize>| {
            at.map_or_else(String::new, |i| format!("{i} {}", words(&record.trace, i)))
        };
        let rows: Vec<Vec<String>> = diff
            .rows
            .iter()
            .map(|row| vec![kind(row.kind).into(), cell(&left, row.left), cell(&right, row.right)])
            .collect();
        table::write(&mut out, &["", "left", "right"], &rows)?;
        let same = diff.rows.iter().filter(|r| r.kind.is_alike()).count();
        writeln!(out, "{same} of {} rows are the same", diff.rows.len())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn pick(path: &Path, id: Option<&str>) -> anyhow::Result<Record> {
    let (_, records) = super::read(path)?;
    let ids: Vec<String> = records.iter().take(20).map(|r| r.id.clone()).collect();
    match records.into_iter().find(|r| id.is_none_or(|id| r.id == id)) {
        Some(record) => Ok(record),
        None => bail!(
            "{}: no trace {:?} in it; its first are {}",
            path.display(),
            id.unwrap_or_default(),
            ids.join(", ")
        ),
    }
}

fn kind(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Same => "same",
        RowKind::OtherResult => "other result",
        RowKind::OtherArguments => "other arguments",
        RowKind::OtherWords => "other words",
        RowKind::SameCalls => "same calls, other words",
        RowKind::OnlyLeft => "only left",
        RowKind::OnlyRight => "only right",
    }
}

/// A step in a few words of one line.
fn words(trace: &Trace, step: usize) -> String {
    let text = match trace.steps.get(step).map(|s| &s.body) {
        Some(StepBody::Call { call, .. }) => format!("{} {}", call.name, call.arguments),
        Some(StepBody::Model { message, .. }) if message.content.is_empty() => {
            let names: Vec<_> = message.tool_calls.iter().map(|c| c.name.as_str()).collect();
            format!("calls {}", names.join(", "))
        }
        Some(StepBody::Model { message, .. }) => message.content.clone(),
        Some(_) => "note".into(),
        None => String::new(),
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 48 {
        return line;
    }
    line.chars().take(47).chain(['…']).collect()
}
