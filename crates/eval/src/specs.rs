//! The tables of papers, drawn from their [`TableSpec`]s over runs.

use std::collections::{BTreeMap, BTreeSet};

use systems::experiment::{Aggregate, COMPAT, Column, PublishedRow, Sums, TableRows, TableSpec};
use tasks::Verdict;

use crate::report::{Report, bounded_mean};
use crate::stats::{Interval, wilson};
use crate::tables::{Line, Table, bounds, percent};
use crate::{Case, RunEntry, Runs, Setup};

/// What a row is about: the texts of its labels, and the group or level where rows have one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RowKey {
    place: usize,
    labels: Vec<String>,
    part: String,
}

type Bucket<'a, T> = Vec<(&'a Case, &'a RunEntry<T>)>;

impl Report {
    /// The tables of the papers whose experiments the runs are of. A table that no run belongs to is
    /// left out.
    pub(crate) fn paper_tables<T>(&self, runs: &Runs<T>) -> Vec<Table> {
        let mut tables = Vec::new();
        for experiment in self.experiments() {
            let groups = experiment.groups();
            let variant = if self.options.is_compat { COMPAT } else { "" };
            for spec in experiment.tables().iter().filter(|t| t.variant == variant) {
                let id = experiment.id();
                let setups: BTreeMap<&str, (usize, &Setup)> = self
                    .setups
                    .iter()
                    .enumerate()
                    .filter(|(_, (_, s))| s.experiment == id && (spec.keep)(s))
                    .map(|(i, (hash, s))| (hash.as_str(), (i, s)))
                    .collect();
                let mut rows: BTreeMap<RowKey, Bucket<'_, T>> = BTreeMap::new();
                for run in &runs.runs {
                    let (Some((place, setup)), Some(case)) =
                        (setups.get(run.key.setup.as_str()), runs.case(&run.key.case))
                    else {
                        continue;
                    };
                    let labels: Vec<String> =
                        spec.labels.iter().map(|(_, text)| text(setup)).collect();
                    // Setups with the same labels are one row.
                    let first = setups
                        .values()
                        .filter(|(_, s)| spec.labels.iter().map(|(_, t)| t(s)).eq(labels.clone()))
                        .map(|(i, _)| *i)
                        .min();
                    let part = spec.rows.part(case);
                    let place = first.unwrap_or(*place);
                    rows.entry(RowKey { place, labels, part }).or_default().push((case, run));
                }
                if spec.rows.title().is_some() {
                    // A part of which nothing is measured has no row.
                    rows.retain(|_, bucket| is_measured(spec, bucket));
                }
                if !rows.is_empty() {
                    tables.push(draw(spec, rows, &groups, self));
                }
            }
        }
        tables
    }
}

/// Whether a run has a measure of the table, or the table shows none.
fn is_measured<T>(spec: &TableSpec, bucket: &Bucket<'_, T>) -> bool {
    let mut shown = spec.columns.iter().filter_map(|column| match column.value {
        Aggregate::Share(measure) | Aggregate::Mean(measure) => Some(measure),
        Aggregate::Correct | Aggregate::Of(_) => None,
    });
    let has_measure = |m| bucket.iter().any(|(_, run)| run.score.measures.contains_key(m));
    let is_none_shown = shown.clone().next().is_none();
    is_none_shown || shown.any(has_measure)
}

fn draw<T>(
    spec: &TableSpec,
    rows: BTreeMap<RowKey, Bucket<'_, T>>,
    groups: &[String],
    report: &Report,
) -> Table {
    let mut head: Vec<String> = Vec::new();
    head.extend(spec.rows.title().map(str::to_owned));
    head.extend(spec.labels.iter().map(|(title, _)| (*title).to_owned()));
    head.push("#n".into());
    for column in spec.columns {
        head.push(format!("#{}", column.title));
        if column.has_interval {
            head.push("#95 %".into());
        }
    }
    let has_part = spec.rows.title().is_some();
    let place = |part: &str| match spec.rows {
        TableRows::Parts(parts) => {
            parts.order.iter().position(|p| *p == part).unwrap_or(parts.order.len())
        }
        _ => groups.iter().position(|g| g == part).unwrap_or(groups.len()),
    };
    let cases: BTreeMap<&str, &Case> =
        rows.values().flatten().map(|(case, _)| (case.id.as_str(), *case)).collect();
    let cases: Vec<&Case> = cases.into_values().collect();
    // Nothing of a paper stands beside programs that know the answers.
    let is_scripted = report.scripts_note().is_some();
    let mut published = if is_scripted { Vec::new() } else { (spec.published)(&cases) };
    let mut lines: Vec<((usize, String, bool), Line)> = Vec::new();
    for (key, bucket) in &rows {
        let mut cells = Vec::new();
        if has_part {
            cells.push(if key.part.is_empty() { "not known".into() } else { key.part.clone() });
        }
        cells.extend(key.labels.iter().cloned());
        cells.push(bucket.len().to_string());
        let is_scripted = bucket.iter().all(|(_, run)| report.is_scripted(&run.key.setup));
        cells.extend(spec.columns.iter().flat_map(|c| ours(c, bucket, is_scripted)));
        lines.push(((place(&key.part), key.part.clone(), false), Line::new(cells)));
    }
    let has_published = !published.is_empty();
    // The rows of a paper stand behind ours of their group, or at the end.
    for row in published.drain(..) {
        let mut cells = if has_part { vec![row.group.clone()] } else { Vec::new() };
        cells.extend(theirs(spec.columns, &row));
        let line = Line { is_reference: true, ..Line::new(cells) };
        lines.push(((place(&row.group), row.group.clone(), true), line));
    }
    if has_part {
        lines.sort_by(|a, b| a.0.cmp(&b.0));
    }
    let source = if spec.source.is_empty() || !has_published {
        String::new()
    } else {
        format!(" Rows in italics: {}.", spec.source)
    };
    let interval = match spec.columns.iter().any(|column| column.has_interval) {
        true => "95 %: Wilson's interval of a share, else that of the mean. ",
        false => "",
    };
    let note = format!("{interval}{}{source}", spec.note);
    Table {
        title: spec.title.to_owned(),
        note: note.trim().to_owned(),
        head,
        rows: lines.into_iter().map(|(_, line)| line).collect(),
    }
}

/// The figures of a row of ours: each case counts once, by the mean of its runs.
fn ours<T>(column: &Column, bucket: &Bucket<'_, T>, is_scripted: bool) -> Vec<String> {
    let mut cases: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut sums = Sums::new();
    for (case, run) in bucket {
        let value = match column.value {
            Aggregate::Correct => Some(f64::from(u8::from(run.score.verdict == Verdict::Correct))),
            Aggregate::Share(measure) | Aggregate::Mean(measure) => {
                run.score.measures.get(measure).copied()
            }
            Aggregate::Of(_) => {
                for (name, n) in &run.score.counts {
                    *sums.entry(name.clone()).or_default() += n;
                }
                None
            }
        };
        if let Some(value) = value {
            cases.entry(&case.id).or_default().push(value);
        }
    }
    let of_case: Vec<f64> =
        cases.values().map(|v| v.iter().sum::<f64>() / v.len() as f64).collect();
    let interval: Option<Interval> = match column.value {
        Aggregate::Of(of) => of(&sums).map(|value| Interval { value, low: value, high: value }),
        Aggregate::Mean(_) => bounded_mean(&of_case),
        Aggregate::Correct | Aggregate::Share(_) => {
            wilson(of_case.iter().sum(), of_case.len() as f64)
        }
    };
    let mut cell = interval.map_or_else(|| "–".into(), |i| percent(i.value));
    // A share of only some of the cases says of how many.
    let n_cases = bucket.iter().map(|(case, _)| &case.id).collect::<BTreeSet<_>>().len();
    if matches!(column.value, Aggregate::Share(_)) && (1..n_cases).contains(&of_case.len()) {
        cell.push_str(&format!(" of {}", of_case.len()));
    }
    let mut cells = vec![cell];
    if column.has_interval {
        cells.push(bounds(interval.filter(|_| !is_scripted)));
    }
    cells
}

fn theirs(columns: &[Column], row: &PublishedRow) -> Vec<String> {
    let mut cells = row.labels.clone();
    cells.push(row.n.map_or_else(|| "–".into(), |n| n.to_string()));
    for (column, value) in columns.iter().zip(&row.values) {
        cells.push(value.map_or_else(|| "–".into(), percent));
        if column.has_interval {
            let interval =
                value.zip(row.n).and_then(|(v, n)| wilson(v * f64::from(n), f64::from(n)));
            cells.push(bounds(interval));
        }
    }
    cells
}
