//! A report as tables: the same in the page, in the terminal and in files.

use serde::{Deserialize, Serialize};
use tasks::{Verdict, Wording};

use crate::ErrorKind;
use crate::compare::Comparison;
use crate::published::{self, Published};
use crate::report::{Family, Report, Row};
use crate::stats::Interval;

/// A table of texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it tells.
    pub title: String,
    /// What a reader needs to know beside it; may be empty.
    pub note: String,
    /// The names of the columns; those whose texts are numbers begin with `#`, which is not shown.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Line>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The texts, one for each column.
    pub cells: Vec<String>,
    /// Somebody else's figures, to stand beside ours.
    pub is_reference: bool,
    /// A sum over the rows above.
    pub is_total: bool,
    /// Which setup of the report it is about, where it is about one.
    pub setup: Option<usize>,
    /// Which problems it is about, where it is about some.
    pub family: Option<Family>,
}

impl Line {
    pub(crate) fn new(cells: Vec<String>) -> Self {
        Self { cells, is_reference: false, is_total: false, setup: None, family: None }
    }
}

impl Table {
    /// Whether a column's texts are numbers.
    pub fn is_number(&self, column: usize) -> bool {
        self.head.get(column).is_some_and(|h| h.starts_with('#'))
    }

    /// The name of a column.
    pub fn name(&self, column: usize) -> &str {
        self.head.get(column).map_or("", |h| h.trim_start_matches('#'))
    }

    /// As text with aligned columns.
    pub fn text(&self) -> String {
        let n = self.head.len();
        let cells = |c: usize| {
            std::iter::once(self.name(c)).chain(self.rows.iter().map(move |r| r.cells[c].as_str()))
        };
        let width: Vec<usize> =
            (0..n).map(|c| cells(c).map(|t| t.chars().count()).max().unwrap_or(0)).collect();
        let line = |texts: Vec<&str>| {
            let mut out = String::new();
            for (c, text) in texts.into_iter().enumerate() {
                let space = " ".repeat(width[c] - text.chars().count());
                let (before, after) =
                    if self.is_number(c) { (space.as_str(), "") } else { ("", space.as_str()) };
                out.push_str(if c == 0 { "" } else { "  " });
                out.push_str(&format!("{before}{text}{after}"));
            }
            format!("{}\n", out.trim_end())
        };
        let mut out = format!("{}\n", self.title);
        out.push_str(&line((0..n).map(|c| self.name(c)).collect()));
        for row in &self.rows {
            out.push_str(&line(row.cells.iter().map(String::as_str).collect()));
        }
        if !self.note.is_empty() {
            out.push_str(&format!("{}\n", self.note));
        }
        out
    }

    /// As comma-separated values with a head (RFC 4180). A text that a spreadsheet would compute
    /// is kept from it by an apostrophe.
    pub fn csv(&self) -> String {
        let mut out = csv_line((0..self.head.len()).map(|c| self.name(c)));
        for row in &self.rows {
            out.push_str(&csv_line(row.cells.iter().map(String::as_str)));
        }
        out
    }
}

/// One line of comma-separated values.
pub fn csv_line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cell = |text: &str| {
        let is_number = text.trim_end_matches('%').parse::<f64>().is_ok();
        let starts = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number;
        let text = if starts { format!("'{text}") } else { text.to_owned() };
        if text.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    };
    let mut line = cells.map(cell).collect::<Vec<_>>().join(",");
    line.push_str("\r\n");
    line
}

/// A share for people.
pub fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

/// The bounds of an interval for people, in percent.
pub(crate) fn bounds(interval: Option<Interval>) -> String {
    interval.map_or_else(String::new, |i| format!("{:.1}–{:.1}", i.low * 100.0, i.high * 100.0))
}

fn seconds(time: Option<f64>) -> String {
    match time {
        None => String::new(),
        Some(t) if t < 0.1 => format!("{t:.4}"),
        Some(t) => format!("{t:.2}"),
    }
}

pub(crate) fn dollars(sum: Option<f64>) -> String {
    sum.map_or_else(|| "unknown".into(), |sum| format!("{sum:.4}"))
}

fn tokens(n: Option<u64>, n_runs: usize) -> String {
    match n {
        Some(n) if n_runs > 0 => format!("{:.0}", n as f64 / n_runs as f64),
        _ => "unknown".into(),
    }
}

impl Report {
    fn is_improved(&self) -> bool {
        self.setups.iter().any(|(_, s)| s.wording == Wording::Improved)
    }

    /// Rows of each setup beside each other, family by family, sums at the end.
    fn grouped(&self) -> Vec<(Family, Vec<(usize, &Row)>)> {
        let mut families = self.families();
        families.push(Family::ALL);
        let of = |family: &Family| {
            let rows = self.setups.iter().enumerate();
            rows.filter_map(|(i, (hash, _))| Some((i, self.row(hash, *family)?))).collect()
        };
        families.iter().map(|f| (*f, of(f))).collect()
    }

    /// Table I of the paper, with intervals, and its own rows for reference.
    pub fn main_table(&self) -> Table {
        let labels = self.labels();
        let head = [
            "Problems",
            "Model and system",
            "#n",
            "#Correct",
            "#%",
            "#95 %",
            "#Average time in s",
            "#Left out",
        ];
        let mut rows = Vec::new();
        for (family, of) in self.grouped() {
            for (i, row) in of {
                rows.push(Line {
                    setup: Some(i),
                    family: Some(family),
                    is_total: family.is_total,
                    ..Line::new(vec![
                        family.title(),
                        labels[i].clone(),
                        row.n_runs.to_string(),
                        row.n_correct().to_string(),
                        row.accuracy.map_or_else(String::new, |a| percent(a.value)),
                        bounds(row.accuracy),
                        seconds(row.seconds),
                        row.n_outliers.to_string(),
                    ])
                });
            }
            let published = family
                .task
                .zip(family.difficulty)
                .and_then(|(t, d)| published::row_for(t, d, self.is_improved()));
            if let Some(p) = published {
                rows.extend(reference(p).map(|line| Line { family: Some(family), ..line }));
            }
        }
        let rule = self.options.outliers.words();
        Table {
            title: "Correct answers and average time".into(),
            note: format!(
                "%: over problems, each by its share of correct samples; 95 %: its Wilson interval. Time: {rule}. Rows in italics: {}.",
                published::SOURCE
            ),
            head: head.map(String::from).to_vec(),
            rows,
        }
    }

    /// What each setup took: tokens, cost, rounds, calls.
    pub fn cost_table(&self) -> Table {
        let labels = self.labels();
        let head = [
            "Model and system",
            "#n",
            "#Tokens read",
            "#Tokens written",
            "#$ in all",
            "#$ per correct",
            "#Rounds",
            "#Calls",
            "#Calls that failed",
            "#Mended",
            "#Failed at the endpoint",
        ];
        let rows = self.setups.iter().enumerate().filter_map(|(i, (hash, _))| {
            let row = self.row(hash, Family::ALL)?;
            Some(Line {
                setup: Some(i),
                ..Line::new(vec![
                    labels[i].clone(),
                    row.n_runs.to_string(),
                    tokens(row.usage.input_tokens, row.n_runs),
                    tokens(row.usage.output_tokens, row.n_runs),
                    dollars(row.dollars),
                    dollars(row.dollars_per_correct),
                    format!("{:.2}", row.rounds),
                    format!("{:.2}", row.calls),
                    row.mistakes.values().sum::<u32>().to_string(),
                    row.n_corrections.to_string(),
                    row.n_failed.to_string(),
                ])
            })
        });
        Table {
            title: "What it took".into(),
            note: "Tokens, rounds and calls are averages of a run. What nobody told is unknown, \
                   never nothing."
                .into(),
            head: head.map(String::from).to_vec(),
            rows: rows.collect(),
        }
    }

    /// Verdicts and kinds of errors of each setup.
    pub fn error_table(&self) -> Table {
        let labels = self.labels();
        let mut head = vec!["Model and system".to_owned(), "#n".to_owned()];
        head.extend(Verdict::ALL.iter().map(|v| format!("#{}", verdict_title(*v))));
        head.extend(ErrorKind::ALL.iter().map(|k| format!("#{}", capital(k.title()))));
        head.push("#False of all claims".into());
        let rows = self.setups.iter().enumerate().filter_map(|(i, (hash, _))| {
            let row = self.row(hash, Family::ALL)?;
            let mut cells = vec![labels[i].clone(), row.n_runs.to_string()];
            cells.extend(row.verdicts.iter().map(ToString::to_string));
            cells.extend(ErrorKind::ALL.iter().map(|k| row.n_errors(*k).to_string()));
            cells.push(format!("{} of {}", row.claims.1, row.claims.0));
            Some(Line { setup: Some(i), ..Line::new(cells) })
        });
        Table {
            title: "Verdicts and kinds of errors".into(),
            note: "Runs with each kind; one run may have several. Refusals and answers that could \
                   not be read are apart, and both count as no answer."
                .into(),
            rows: rows.collect(),
            head,
        }
    }

    /// What each setup is, so that somebody else can make the same runs.
    pub fn setup_table(&self) -> Table {
        let labels = self.labels();
        let head = [
            "Model and system",
            "Endpoint",
            "Temperature",
            "Wording",
            "Style",
            "Tools",
            "#Rounds at most",
            "Prompt hash",
            "Setup hash",
            "#Verifier",
        ];
        let rows = self.setups.iter().enumerate().map(|(i, (hash, s))| {
            let temperature = s.endpoint.as_ref().and_then(|e| e.options.temperature);
            let name = |v: serde_json::Result<serde_json::Value>| {
                v.ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
            };
            Line {
                setup: Some(i),
                ..Line::new(vec![
                    labels[i].clone(),
                    s.kind().to_owned(),
                    temperature.map_or_else(|| "not set".into(), |t| t.to_string()),
                    name(serde_json::to_value(s.wording)),
                    name(serde_json::to_value(s.style)),
                    match (&s.choosing, s.tools.is_empty()) {
                        (_, true) => "none".into(),
                        (agent::Choosing::All, _) => "all".into(),
                        (agent::Choosing::Named { names }, _) => format!("{} named", names.len()),
                        (agent::Choosing::Bm25 { n_tools, .. }, _) => format!("{n_tools} by BM25"),
                    },
                    s.limits.max_rounds.to_string(),
                    s.prompt_hash(),
                    hash.clone(),
                    s.verifier.to_string(),
                ])
            }
        });
        Table {
            title: "How it was run".into(),
            note: String::new(),
            head: head.map(String::from).to_vec(),
            rows: rows.collect(),
        }
    }
}

/// A verdict for people.
pub fn verdict_title(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Correct => "Correct",
        Verdict::Partial => "Partial",
        Verdict::Incorrect => "Incorrect",
        Verdict::NoAnswer => "No answer",
    }
}

pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}

/// The paper's two figures for a family.
fn reference(p: &Published) -> [Line; 2] {
    let line = |name: &str, correct: u32, time: f64| Line {
        is_reference: true,
        ..Line::new(vec![
            format!("{}, {}", p.task, p.difficulty),
            format!("paper: gpt-4-0613, {name}"),
            p.n.to_string(),
            correct.to_string(),
            percent(f64::from(correct) / f64::from(p.n)),
            bounds(crate::stats::wilson(f64::from(correct), f64::from(p.n))),
            format!("{time:.2}"),
            String::new(),
        ])
    };
    [
        line("alone", p.alone, p.alone_seconds),
        line("with graph functions", p.grounded, p.grounded_seconds),
    ]
}

impl Comparison {
    /// Task by task.
    pub fn table(&self, left: &str, right: &str) -> Table {
        let head =
            ["Problems", "#n", "#Both", "#Only A", "#Only B", "#Neither", "#A − B", "#95 %", "#p"];
        let rows = self.rows.iter().map(|r| Line {
            is_total: r.task.is_none(),
            ..Line::new(vec![
                r.task.map_or_else(|| "all".into(), |t| t.to_string()),
                r.n.to_string(),
                r.both.to_string(),
                r.only_left.to_string(),
                r.only_right.to_string(),
                r.neither.to_string(),
                r.difference.map_or_else(String::new, |d| format!("{:+.2}%", d.value * 100.0)),
                r.difference.map_or_else(String::new, |d| {
                    format!("{:+.1} to {:+.1}", d.low * 100.0, d.high * 100.0)
                }),
                if r.p < 0.0001 { "< 0.0001".into() } else { format!("{:.4}", r.p) },
            ])
        });
        let alone = match self.n_alone {
            0 => String::new(),
            n => format!(" {n} runs have no partner and are not counted."),
        };
        Table {
            title: "Pair by pair".into(),
            note: format!(
                "A: {left}. B: {right}. A pair is a problem; with several samples it is correct if more than half of them are. p: McNemar's exact test, two-sided, on the pairs of which \
                 one is correct. Interval: Bonett and Price.{alone}"
            ),
            head: head.map(String::from).to_vec(),
            rows: rows.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads one line of RFC 4180.
    fn read(line: &str) -> Vec<String> {
        let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
        let mut letters = line.trim_end_matches("\r\n").chars().peekable();
        while let Some(c) = letters.next() {
            match c {
                '"' if quoted && letters.peek() == Some(&'"') => {
                    letters.next();
                    cell.push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(std::mem::take(&mut cell)),
                c => cell.push(c),
            }
        }
        cells.push(cell);
        cells
    }

    proptest! {
        #[test]
        fn a_line_of_values_is_read_back(cells in prop::collection::vec("[a-z,\"=\n 0-9]{0,8}", 1..5)) {
            prop_assume!(cells.iter().all(|c| !c.ends_with('\n')));
            let line = csv_line(cells.iter().map(String::as_str));
            let back = read(&line);
            prop_assert_eq!(back.len(), cells.len());
            for (a, b) in cells.iter().zip(back) {
                let kept = format!("'{a}");
                prop_assert!(*a == b || (a.starts_with('=') && b == kept));
            }
        }
    }
}
