//! A report as plots.

use std::collections::BTreeMap;

use draw::plot::{Plot, PlotValue, dots, points};

use systems::experiment::{COMMON_KINDS, ErrorKind};

use crate::report::{Report, RowGroup};
use crate::stats::{Interval, wilson};
use crate::tables::percent;

/// A share as a mark; that of a script has no interval.
fn value(interval: Interval, about: &str, n: usize, is_scripted: bool) -> PlotValue {
    let (low, high) = (interval.low * 100.0, interval.high * 100.0);
    let range = if is_scripted { String::new() } else { format!(" ({low:.1} to {high:.1})") };
    PlotValue {
        value: interval.value * 100.0,
        bounds: (!is_scripted).then_some((low, high)),
        words: format!("{about}: {} of {n}{range}", percent(interval.value)),
    }
}

impl Report {
    /// The kinds of errors of the experiments and those that all have, each id once.
    pub(crate) fn error_kinds(&self) -> Vec<ErrorKind> {
        let mut kinds: Vec<ErrorKind> = Vec::new();
        let experiments = self.experiments();
        let own = experiments.iter().flat_map(|e| e.error_kinds());
        for kind in own.chain(&COMMON_KINDS) {
            if kinds.iter().all(|k| k.id != kind.id) {
                kinds.push(*kind);
            }
        }
        kinds
    }

    /// Every plot that the runs have something for.
    pub fn plots(&self) -> Vec<Plot> {
        [
            Some(self.plot_groups()),
            self.plot_sizes(),
            self.plot_cost(),
            Some(self.plot_calls()),
            self.plot_errors(),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Accuracy by group and level.
    pub fn plot_groups(&self) -> Plot {
        let labels = self.labels();
        let mut groups = self.groups();
        groups.push(RowGroup::ALL);
        let rows: Vec<(String, Vec<Option<PlotValue>>)> = groups
            .iter()
            .map(|group| {
                let of = self.setups.iter().zip(&labels).map(|((hash, _), label)| {
                    let row = self.row(hash, group)?;
                    Some(value(row.accuracy?, label, row.n_cases, self.is_scripted(hash)))
                });
                (self.title(group), of.collect())
            })
            .collect();
        let summary = self.setups.iter().zip(&labels).filter_map(|((hash, _), label)| {
            let row = self.row(hash, &RowGroup::ALL)?;
            Some(format!("{label}: {}", percent(row.accuracy?.value)))
        });
        let summary: Vec<String> = summary.collect();
        let description =
            format!("Share of correct answers, all problems: {}.", summary.join("; "));
        dots(
            "Correct answers by group and level",
            &description,
            &labels,
            &rows,
            (100.0, "%"),
            self.options.width(),
        )
    }

    /// Accuracy against the number of nodes, in at most eight groups of about as many runs each.
    pub fn plot_sizes(&self) -> Option<Plot> {
        let labels = self.labels();
        let sized = |n: &usize| *n > 0;
        let mut sizes: Vec<usize> = self.dots.iter().map(|d| d.n_nodes).filter(sized).collect();
        sizes.sort_unstable();
        let n_groups = 8;
        let mut ends: Vec<usize> = (1..=n_groups)
            .filter_map(|g| sizes.get((sizes.len() * g / n_groups).checked_sub(1)?).copied())
            .collect();
        ends.dedup();
        if ends.len() < 2 {
            return None;
        }
        let group = |n: usize| ends.partition_point(|end| *end < n);
        let mut counts: BTreeMap<(usize, usize), (usize, usize, usize)> = BTreeMap::new();
        for dot in self.dots.iter().filter(|d| d.n_nodes > 0) {
            let of = counts.entry((dot.setup, group(dot.n_nodes))).or_default();
            *of = (of.0 + usize::from(dot.is_correct), of.1 + 1, of.2 + dot.n_nodes);
        }
        let series: Vec<Vec<(f64, PlotValue)>> = (0..self.setups.len())
            .map(|setup| {
                let of = counts.range((setup, 0)..(setup + 1, 0));
                of.filter_map(|((_, _), (right, n, nodes))| {
                    let mean = *nodes as f64 / *n as f64;
                    let about = format!("{}, about {mean:.0} nodes", labels[setup]);
                    let share = wilson(*right as f64, *n as f64)?;
                    let is_scripted = self.setups[setup].1.is_scripted();
                    Some((mean, value(share, &about, *n, is_scripted)))
                })
                .collect()
            })
            .collect();
        Some(points(
            "Correct answers and the size of the graph",
            "Share of correct answers in groups of runs by their number of nodes.",
            &labels,
            &series,
            ("nodes", "correct"),
            true,
            self.options.width(),
        ))
    }

    /// Accuracy against cost; against tokens where a price is not known. `None` if nobody told
    /// tokens either.
    pub fn plot_cost(&self) -> Option<Plot> {
        let labels = self.labels();
        let rows: Vec<_> =
            self.setups.iter().map(|(hash, _)| self.row(hash, &RowGroup::ALL)).collect();
        let is_priced = rows.iter().flatten().all(|r| r.dollars.is_some());
        let series: Vec<Vec<(f64, PlotValue)>> = rows
            .iter()
            .zip(&labels)
            .map(|(row, label)| {
                let point = row.and_then(|row| {
                    let n = row.n_runs as f64;
                    let x =
                        if is_priced { row.dollars? / n } else { row.usage.total()? as f64 / n };
                    let is_scripted = self.is_scripted(&row.setup);
                    Some((x, value(row.accuracy?, label, row.n_cases, is_scripted)))
                });
                point.into_iter().collect()
            })
            .collect();
        if series.iter().all(Vec::is_empty) {
            return None;
        }
        let (title, unit) = if is_priced {
            ("Correct answers and cost", "dollars per run")
        } else {
            ("Correct answers and tokens", "tokens per run")
        };
        let about =
            "Share of correct answers against what a run takes, one mark a model and system.";
        Some(points(title, about, &labels, &series, (unit, "correct"), false, self.options.width()))
    }

    /// How many runs made how many calls.
    pub fn plot_calls(&self) -> Plot {
        let labels = self.labels();
        let most = self.dots.iter().map(|d| d.n_calls).max().unwrap_or(0);
        // Groups of equal width, one call each where they are few.
        let width = (most / 12 + 1).max(1);
        let rows: Vec<(String, Vec<Option<PlotValue>>)> = (0..=most / width)
            .map(|g| {
                let (low, high) = (g * width, (g + 1) * width - 1);
                let name = match (width, low) {
                    (1, 1) => "1 call".to_owned(),
                    (1, _) => format!("{low} calls"),
                    _ => format!("{low}–{high} calls"),
                };
                let of = (0..self.setups.len()).map(|setup| {
                    let mine = || self.dots.iter().filter(|d| d.setup == setup);
                    let n = mine().filter(|d| (low..=high).contains(&d.n_calls)).count();
                    let all = mine().count();
                    (all > 0 && n > 0).then(|| PlotValue {
                        value: 100.0 * n as f64 / all as f64,
                        bounds: None,
                        words: format!("{}: {n} of {all} runs made {name}", labels[setup]),
                    })
                });
                let of = of.collect();
                (name, of)
            })
            .collect();
        let about = "Share of runs by their number of tool calls.";
        dots("Tool calls of a run", about, &labels, &rows, (100.0, "%"), self.options.width())
    }

    /// How many runs had which kind of error; `None` if none had any.
    pub fn plot_errors(&self) -> Option<Plot> {
        let labels = self.labels();
        let row = |kind: &ErrorKind| -> Option<(String, Vec<Option<PlotValue>>)> {
            let of: Vec<Option<PlotValue>> = self
                .setups
                .iter()
                .zip(&labels)
                .map(|((hash, _), label)| {
                    let row = self.row(hash, &RowGroup::ALL)?;
                    let n = row.n_errors(kind.id);
                    (n > 0).then(|| PlotValue {
                        value: 100.0 * n as f64 / row.n_runs as f64,
                        bounds: wilson(n as f64, row.n_runs as f64)
                            .filter(|_| !self.is_scripted(hash))
                            .map(|i| (i.low * 100.0, i.high * 100.0)),
                        words: format!("{label}: {n} of {} runs, {}", row.n_runs, kind.title),
                    })
                })
                .collect();
            of.iter().any(Option::is_some).then(|| (kind.title.to_owned(), of))
        };
        let rows: Vec<_> = self.error_kinds().iter().filter_map(row).collect();
        let about = "Share of runs with each kind of error.";
        let width = self.options.width();
        (!rows.is_empty())
            .then(|| dots("Kinds of errors", about, &labels, &rows, (100.0, "%"), width))
    }
}
