//! A report as tables: the same in the page, in the terminal and in files.

use serde::{Deserialize, Serialize};
use tasks::Verdict;

use systems::experiment::{JUDGE, Published, Setup};

use crate::compare::{Comparison, Pairs, compare};
use crate::report::{Report, Row, RowGroup};
use crate::stats::{Interval, wilson};

/// A table of texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What the table shows.
    pub title: String,
    /// What a reader needs to know beside it; may be empty.
    pub note: String,
    /// The names of the columns; those whose texts are numbers begin with `#`, which is not shown.
    pub head: Vec<String>,
    /// The rows, each with as many cells as the head.
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
    /// Which cases it is about, where it is about some.
    pub group: Option<RowGroup>,
}

impl Line {
    pub(crate) fn new(cells: Vec<String>) -> Self {
        Self { cells, is_reference: false, is_total: false, setup: None, group: None }
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

/// Input and output tokens of a run on average, reported or counted.
fn tokens_of(row: &Row) -> [String; 2] {
    let about = |n: u64| {
        let sign = if row.is_counted { "≈ " } else { "" };
        format!("{sign}{:.0}", n as f64 / row.n_runs.max(1) as f64)
    };
    match row.tokens {
        Some((input, output)) => [about(input), about(output)],
        None => [
            tokens(row.usage.input_tokens, row.n_runs),
            tokens(row.usage.output_tokens, row.n_runs),
        ],
    }
}

impl Report {
    /// All tables: correct answers, those of the papers, cost, errors, pairs, setups.
    pub fn tables<T>(&self, runs: &crate::Runs<T>) -> Vec<Table> {
        let mut tables = vec![self.main_table()];
        tables.extend(self.paper_tables(runs));
        tables.extend(self.label_tables(runs));
        tables.extend(self.ratio_tables(runs));
        tables.extend([self.cost_table(), self.error_table()]);
        tables.extend(self.pairs_table(runs));
        tables.push(self.setup_table());
        tables.retain(|t| !t.rows.is_empty());
        tables
    }

    /// Every two setups on the cases that both answered; nothing where there are fewer than two
    /// setups, or so many that a person would compare the wrong ones.
    fn pairs_table<T>(&self, runs: &crate::Runs<T>) -> Option<Table> {
        let labels = self.labels();
        if !(2..=8).contains(&labels.len()) {
            return None;
        }
        let mut rows = Vec::new();
        for (i, (left, _)) in self.setups.iter().enumerate() {
            for (k, (right, _)) in self.setups.iter().enumerate().skip(i + 1) {
                let found = compare((runs, left), (runs, right)).ok()?;
                let Some(all) = found.rows.into_iter().find(|r| r.group.is_none()) else {
                    continue;
                };
                let mut cells = vec![labels[i].clone(), labels[k].clone()];
                let are_scripts = self.is_scripted(left) || self.is_scripted(right);
                cells.extend(pair_cells(&all, are_scripts));
                rows.push(Line::new(cells));
            }
        }
        let head =
            ["A", "B", "#n", "#Both", "#Only A", "#Only B", "#Neither", "#A − B", "#95 %", "#p"];
        Some(Table {
            title: "Pair by pair".into(),
            note: "On the cases that both answered. p: McNemar's exact test, two-sided. Interval: \
                   Bonett and Price."
                .into(),
            head: head.map(String::from).to_vec(),
            rows,
        })
    }

    /// Rows of each setup beside each other, group by group, sums at the end.
    fn grouped(&self) -> Vec<(RowGroup, Vec<(usize, &Row)>)> {
        let mut groups = self.groups();
        groups.push(RowGroup::ALL);
        let of = |group: &RowGroup| {
            let rows = self.setups.iter().enumerate();
            rows.filter_map(|(i, (hash, _))| Some((i, self.row(hash, group)?))).collect()
        };
        groups.into_iter().map(|g| (g.clone(), of(&g))).collect()
    }

    /// What papers report for a group.
    fn published(&self, group: &RowGroup) -> Option<Published> {
        let setups: Vec<&Setup> = self.setups.iter().map(|(_, s)| s).collect();
        let (name, level) = (group.group.as_deref()?, group.level.as_deref()?);
        self.experiments().into_iter().find_map(|e| e.published(name, level, &setups))
    }

    /// Correct answers group by group, with intervals, and the rows of papers for reference.
    pub fn main_table(&self) -> Table {
        let labels = self.labels();
        let head = [
            "Cases",
            "Model and system",
            "#n",
            "#Correct",
            "#%",
            "#95 %",
            "#Average time in s",
            "#Left out",
        ];
        let mut rows = Vec::new();
        let mut source = None;
        let shows_papers = self.scripts_note().is_none();
        for (group, of) in self.grouped() {
            for (i, row) in of {
                rows.push(Line {
                    setup: Some(i),
                    group: Some(group.clone()),
                    is_total: group.is_total,
                    ..Line::new(vec![
                        self.title(&group),
                        labels[i].clone(),
                        row.n_runs.to_string(),
                        row.n_correct().to_string(),
                        row.accuracy.map_or_else(String::new, |a| percent(a.value)),
                        bounds(row.accuracy.filter(|_| !self.is_scripted(&row.setup))),
                        seconds(row.seconds),
                        row.n_outliers.to_string(),
                    ])
                });
            }
            if let Some(published) = self.published(&group).filter(|_| shows_papers) {
                source = Some(published.source);
                rows.extend(reference(&group, &published));
            }
        }
        let rule = self.options.outliers.words();
        Table {
            title: "Correct answers and average time".into(),
            note: format!(
                "%: over cases, each by its share of correct samples; 95 %: its Wilson interval. Time: {rule}.{}",
                source.map_or_else(String::new, |s| format!(" Rows in italics: {s}.")),
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
            "#Input tokens",
            "#Output tokens",
            "#$ in all",
            "#$ per correct",
            "#Rounds",
            "#Calls",
            "#Calls that failed",
            "#Corrected",
            "#Failed at the endpoint",
        ];
        let has_judge = self.setups.iter().any(|(_, s)| s.roles.contains_key(JUDGE.id));
        let rows = self.setups.iter().enumerate().filter_map(|(i, (hash, _))| {
            let row = self.row(hash, &RowGroup::ALL)?;
            let is_scripted = self.is_scripted(hash);
            let [input, output] = tokens_of(row)
                .map(|text| if is_scripted && text == "unknown" { "–".into() } else { text });
            // What a script takes says nothing.
            let cost = |sum| if is_scripted { "–".into() } else { dollars(sum) };
            Some(Line {
                setup: Some(i),
                ..Line::new(vec![
                    labels[i].clone(),
                    row.n_runs.to_string(),
                    input,
                    output,
                    cost(row.dollars),
                    cost(row.dollars_per_correct),
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
            note: format!(
                "Tokens, rounds and calls are averages of a run. ≈: counted here, since no endpoint \
                 reported them. What is not known is unknown, never nothing.{}{}",
                if has_judge {
                    " Tokens and dollars are with a judge's, all else without."
                } else {
                    ""
                },
                self.totals_note()
            ),
            head: head.map(String::from).to_vec(),
            rows: rows.collect(),
        }
    }

    /// Verdicts and kinds of errors of each setup.
    pub fn error_table(&self) -> Table {
        let labels = self.labels();
        let mut head = vec!["Model and system".to_owned(), "#n".to_owned()];
        head.extend(Verdict::ALL.iter().map(|v| format!("#{}", verdict_title(*v))));
        let kinds = self.error_kinds();
        head.extend(kinds.iter().map(|k| format!("#{}", capital(k.title))));
        let has_claims = self.rows.iter().any(|r| r.counts.contains_key("claims"));
        if has_claims {
            head.push("#False of all claims".into());
        }
        let rows = self.setups.iter().enumerate().filter_map(|(i, (hash, _))| {
            let row = self.row(hash, &RowGroup::ALL)?;
            let mut cells = vec![labels[i].clone(), row.n_runs.to_string()];
            cells.extend(row.verdicts.iter().map(ToString::to_string));
            cells.extend(kinds.iter().map(|k| row.n_errors(k.id).to_string()));
            let count = |name: &str| row.counts.get(name).copied().unwrap_or(0);
            if has_claims {
                cells.push(format!("{} of {}", count("false_claims"), count("claims")));
            }
            Some(Line { setup: Some(i), ..Line::new(cells) })
        });
        Table {
            title: "Verdicts and kinds of errors".into(),
            note: format!(
                "Runs with each kind; one run may have several. Refusals and answers that could not be \
                 read are apart, and both count as no answer.{}",
                self.totals_note()
            ),
            rows: rows.collect(),
            head,
        }
    }

    /// What each setup is, so that somebody else can make the same runs.
    pub fn setup_table(&self) -> Table {
        let labels = self.labels();
        let head = [
            "Model and system",
            "Experiment",
            "Models by role",
            "Endpoint",
            "Temperature",
            "Options",
            "#Votes",
            "#Rounds at most",
            "Prompt hash",
            "Setup hash",
            "#Scorer",
        ];
        let rows = self.setups.iter().enumerate().map(|(i, (hash, s))| {
            let roles: Vec<String> =
                s.roles.iter().map(|(role, model)| format!("{role}: {}", model.model)).collect();
            let unusual = s.unusual();
            Line {
                setup: Some(i),
                ..Line::new(vec![
                    labels[i].clone(),
                    s.experiment.clone(),
                    roles.join(", "),
                    s.kind(),
                    s.temperature().map_or_else(|| "not set".into(), |t| t.to_string()),
                    if unusual.is_empty() { "as usual".into() } else { unusual.join(", ") },
                    s.votes.to_string(),
                    s.limits.max_rounds.to_string(),
                    s.prompt_hash(),
                    hash.clone(),
                    s.scorer.to_string(),
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

/// A paper's figures for a group.
fn reference(group: &RowGroup, published: &Published) -> Vec<Line> {
    let line = |(label, n, correct, time): &(&str, u32, u32, Option<f64>)| {
        let (all, right) = (f64::from(*n), f64::from(*correct));
        Line {
            is_reference: true,
            group: Some(group.clone()),
            ..Line::new(vec![
                group.title(),
                format!("paper: {label}"),
                n.to_string(),
                correct.to_string(),
                percent(right / all),
                bounds(wilson(right, all)),
                time.map_or_else(String::new, |t| format!("{t:.2}")),
                String::new(),
            ])
        }
    };
    published.rows.iter().map(line).collect()
}

/// The figures of pairs, from their number on. Of scripts there is no interval and no test.
fn pair_cells(r: &Pairs, are_scripts: bool) -> [String; 8] {
    [
        r.n.to_string(),
        r.both.to_string(),
        r.only_left.to_string(),
        r.only_right.to_string(),
        r.neither.to_string(),
        r.difference.map_or_else(String::new, |d| format!("{:+.2}%", d.value * 100.0)),
        r.difference.filter(|_| !are_scripts).map_or_else(String::new, |d| {
            format!("{:+.1} to {:+.1}", d.low * 100.0, d.high * 100.0)
        }),
        match r.p {
            _ if are_scripts => String::new(),
            p if p < 0.0001 => "< 0.0001".into(),
            p => format!("{p:.4}"),
        },
    ]
}

impl Comparison {
    /// A table of the comparison, group by group.
    /// `are_scripts` says that one of them is a script, of which there is no interval.
    pub fn table(&self, left: &str, right: &str, are_scripts: bool) -> Table {
        let head =
            ["Problems", "#n", "#Both", "#Only A", "#Only B", "#Neither", "#A − B", "#95 %", "#p"];
        let rows = self.rows.iter().map(|r| {
            let mut cells = vec![match r.group.as_deref() {
                None | Some("") => "all".into(),
                Some(group) => group.to_owned(),
            }];
            cells.extend(pair_cells(r, are_scripts));
            Line { is_total: r.group.is_none(), ..Line::new(cells) }
        });
        let alone = match self.n_alone {
            0 => String::new(),
            n => format!(" {n} runs have no partner and are not counted."),
        };
        Table {
            title: "Two setups, group by group".into(),
            note: format!(
                "A: {left}. B: {right}. A pair is a case; with several samples it is correct if more than half of them are. p: McNemar's exact test, two-sided, on the pairs of which \
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
