//! The tables over runs on knowledge graphs.

use std::collections::BTreeMap;

use systems::kgqa::{Effort, KgErrorKind, PAPER_PRICES};
use tasks::Verdict;

use super::{KgLine, Setup};
use crate::prices::Prices;
use crate::stats::{Interval, Outliers, mcnemar, mean, paired_difference, wilson};
use crate::tables::{Line, Table, bounds, capital, dollars, percent, verdict_title};

/// Where the reference rows are from.
pub const SOURCE: &str = "GraphRunner, Table 1: GPT-4 on GRBench's questions on healthcare";

/// The paper's figures: GPT4Score and ROUGE-L, in percent.
const PAPER: [(&str, f64, f64); 4] = [
    ("text_rag", 10.47, 7.28),
    ("graph_rag", 16.17, 12.57),
    ("graph_cot", 35.97, 30.91),
    ("graphrunner", 52.66, 53.46),
];

/// Lines of a setup; each question counts by the share of its runs.
struct Group<'a> {
    setup: Setup,
    lines: Vec<&'a KgLine>,
}

/// The tables over lines: answers, what they took, errors, by hops, and pairs of setups on the
/// questions that both answered. O(lines · length) where the effort has to be counted.
pub fn tables(lines: &[KgLine], prices: &Prices) -> Vec<Table> {
    let mut order: Vec<Group<'_>> = Vec::new();
    let mut place: BTreeMap<Setup, usize> = BTreeMap::new();
    for line in lines {
        let setup = line.setup();
        let at = *place.entry(setup.clone()).or_insert_with(|| {
            order.push(Group { setup, lines: Vec::new() });
            order.len() - 1
        });
        order[at].lines.push(line);
    }
    let mut tables = vec![answers(&order), costs(&order, prices), errors(&order), by_hops(&order)];
    if order.len() > 1 {
        tables.push(pairs(&order));
    }
    tables
}

fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

/// The interval of a share: each question counts once, by the share of its runs.
fn share(lines: &[&KgLine], is: impl Fn(&KgLine) -> bool) -> Option<Interval> {
    let mut questions: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    for line in lines {
        let question = &line.run.question;
        let of = questions.entry((&question.id, &question.question)).or_default();
        of.0 += f64::from(u8::from(is(line)));
        of.1 += 1.0;
    }
    wilson(questions.values().map(|(right, n)| right / n).sum(), questions.len() as f64)
}

fn is_right(line: &KgLine) -> bool {
    line.run.judgement.verdict == Verdict::Correct
}

fn told(interval: Option<Interval>) -> String {
    interval.map_or_else(|| "–".into(), |i| percent(i.value))
}

fn answers(groups: &[Group<'_>]) -> Table {
    let mut rows: Vec<Line> = groups
        .iter()
        .map(|group| {
            let lines = &group.lines;
            let right = share(lines, is_right);
            let rouge: Vec<f64> = lines.iter().map(|l| l.run.judgement.rouge_l).collect();
            // A score is never beyond 0 and 1, whatever the normal distribution says.
            let rouge =
                mean(&rouge).map(|i| Interval { low: i.low.max(0.0), high: i.high.min(1.0), ..i });
            let judged: Vec<&KgLine> =
                lines.iter().copied().filter(|l| l.judged.is_some()).collect();
            let judged = share(&judged, |l| l.judged == Some(true));
            Line::new(vec![
                group.setup.title(),
                lines.len().to_string(),
                told(right),
                bounds(right),
                told(share(lines, |l| l.run.judgement.exact_match)),
                told(share(lines, |l| l.run.judgement.multiset_match)),
                told(rouge),
                bounds(rouge),
                told(judged),
                bounds(judged),
            ])
        })
        .collect();
    let none = || "–".to_owned();
    rows.extend(PAPER.iter().map(|(system, judged, rouge)| {
        let title = systems::kgqa::find(system).map_or(*system, |s| s.title);
        let judged = format!("{judged:.2}%");
        let rouge = format!("{rouge:.2}%");
        let title = format!("paper: {title}, GPT-4");
        let cells =
            vec![title, none(), none(), none(), none(), none(), rouge, none(), judged, none()];
        Line { is_reference: true, ..Line::new(cells) }
    }));
    let names = [
        "System and model",
        "#n",
        "#Right",
        "#95 %",
        "#Exact",
        "#Multiset",
        "#ROUGE-L",
        "#95 %",
        "#GPT4Score",
        "#95 %",
    ];
    Table {
        title: "Answers".into(),
        note: format!(
            "Right: exactly the right names, in any order. 95 %: Wilson's interval over questions; of ROUGE-L that of the mean. Rows in italics: {SOURCE}."
        ),
        head: head(&names),
        rows,
    }
}

fn costs(groups: &[Group<'_>], prices: &Prices) -> Table {
    let rows = groups.iter().map(|group| {
        let efforts: Vec<Effort> = group.lines.iter().map(|l| l.effort()).collect();
        let n = efforts.len().max(1) as f64;
        let average = |value: &dyn Fn(&Effort) -> f64| efforts.iter().map(value).sum::<f64>() / n;
        let own: Option<f64> = group
            .lines
            .iter()
            .map(|l| prices.cost(&group.setup.model, &l.run.trace.usage()))
            .sum::<Option<f64>>()
            .map(|sum| sum / n);
        let times: Vec<f64> = efforts.iter().map(|e| e.took_ms / 1e3).collect();
        let time = Outliers::default().mean(&times).map_or(0.0, |(mean, _)| mean);
        let about = if efforts.iter().any(|e| e.is_counted) { "≈ " } else { "" };
        Line::new(vec![
            group.setup.title(),
            efforts.len().to_string(),
            format!("{:.2}", average(&|e| e.n_turns as f64)),
            format!("{:.2}", average(&|e| e.n_calls as f64)),
            format!("{about}{:.0}", average(&|e| e.n_input as f64)),
            format!("{about}{:.0}", average(&|e| e.n_output as f64)),
            format!("{:.5}", average(&|e| e.cost(PAPER_PRICES))),
            dollars(own),
            format!("{time:.3}"),
        ])
    });
    let names = [
        "System and model",
        "#n",
        "#Turns",
        "#Steps on the graph",
        "#Tokens read",
        "#Tokens written",
        "#$ at the paper's prices",
        "#$ at known prices",
        "#Seconds",
    ];
    Table {
        title: "What a question took".into(),
        note: format!(
            "Averages. ≈: counted here, since no endpoint told it. The paper's prices: {} and {} dollars for a million tokens read and written. Seconds: outliers left out.",
            PAPER_PRICES.0, PAPER_PRICES.1
        ),
        head: head(&names),
        rows: rows.collect(),
    }
}

fn errors(groups: &[Group<'_>]) -> Table {
    let mut names = vec!["System and model".to_owned(), "#n".to_owned()];
    names.extend(Verdict::ALL.iter().map(|v| format!("#{}", verdict_title(*v))));
    names.extend(KgErrorKind::ALL.iter().map(|k| format!("#{}", capital(k.title()))));
    names.push("#Plans mended".into());
    let rows = groups.iter().map(|group| {
        let count =
            |is: &dyn Fn(&KgLine) -> bool| group.lines.iter().filter(|l| is(l)).count().to_string();
        let mut cells = vec![group.setup.title(), group.lines.len().to_string()];
        cells.extend(Verdict::ALL.iter().map(|v| count(&|l| l.run.judgement.verdict == *v)));
        cells.extend(KgErrorKind::ALL.iter().map(|k| count(&|l| l.run.errors.contains(k))));
        cells.push(count(&|l| l.run.n_repairs > 0));
        Line::new(cells)
    });
    Table {
        title: "Verdicts and kinds of errors".into(),
        note: "Runs with each kind, also where it was caught and mended; one run may have several."
            .into(),
        rows: rows.collect(),
        head: names,
    }
}

fn by_hops(groups: &[Group<'_>]) -> Table {
    let mut rows = Vec::new();
    for group in groups {
        let mut hops: BTreeMap<u32, Vec<&KgLine>> = BTreeMap::new();
        for line in &group.lines {
            hops.entry(line.run.question.hops).or_default().push(line);
        }
        for (n, lines) in hops {
            let right = share(&lines, is_right);
            let words = match n {
                0 => "not known".to_owned(),
                n => n.to_string(),
            };
            rows.push(Line::new(vec![
                group.setup.title(),
                words,
                lines.len().to_string(),
                told(right),
                bounds(right),
            ]));
        }
    }
    Table {
        title: "By hops to the answer".into(),
        note: String::new(),
        head: head(&["System and model", "#Hops", "#n", "#Right", "#95 %"]),
        rows,
    }
}

/// The share of a setup's right answers to each question.
fn by_question<'a>(group: &Group<'a>) -> BTreeMap<(&'a str, &'a str), bool> {
    let mut shares: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for line in &group.lines {
        let question = &line.run.question;
        let of = shares.entry((&question.id, &question.question)).or_default();
        of.0 += usize::from(is_right(line));
        of.1 += 1;
    }
    shares.into_iter().map(|(q, (right, n))| (q, 2 * right > n)).collect()
}

fn pairs(groups: &[Group<'_>]) -> Table {
    let mut rows = Vec::new();
    for (i, left) in groups.iter().enumerate() {
        let of_left = by_question(left);
        for right in &groups[i + 1..] {
            let of_right = by_question(right);
            let mut counts = [0_usize; 4];
            for (question, l) in &of_left {
                if let Some(r) = of_right.get(question) {
                    counts[usize::from(*l) * 2 + usize::from(*r)] += 1;
                }
            }
            let [neither, only_right, only_left, both] = counts;
            let n = counts.iter().sum();
            let Some(difference) = paired_difference(only_left, only_right, n) else { continue };
            let p = mcnemar(only_left, only_right);
            rows.push(Line::new(vec![
                left.setup.title(),
                right.setup.title(),
                n.to_string(),
                both.to_string(),
                only_left.to_string(),
                only_right.to_string(),
                neither.to_string(),
                format!("{:+.2}%", difference.value * 100.0),
                format!("{:+.1} to {:+.1}", difference.low * 100.0, difference.high * 100.0),
                if p < 0.0001 { "< 0.0001".into() } else { format!("{p:.4}") },
            ]));
        }
    }
    let names =
        ["A", "B", "#n", "#Both", "#Only A", "#Only B", "#Neither", "#A − B", "#95 %", "#p"];
    Table {
        title: "Pair by pair".into(),
        note: "On the questions that both answered. p: McNemar's exact test, two-sided. Interval: Bonett and Price.".into(),
        head: head(&names),
        rows,
    }
}
