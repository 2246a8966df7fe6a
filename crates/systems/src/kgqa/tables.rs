//! The tables of the paper, and its figures.

use tasks::Difficulty;
use tasks::kgqa::{GrbenchDomain, KgQuestion};

use super::{FailureClass, PAPER_PRICES};
use crate::experiment::{
    Aggregate, Case, Column, Label, PartSpec, PublishedRow, RatioSpec, Setup, TableRows, TableSpec,
};

/// What stands before the domain in the name of a world that is one of GRBench's graphs.
const DOMAIN: &str = ", GRBench's graph on ";

/// The name of a world with the domain of GRBench that it is, where it is one.
pub(super) fn with_domain(name: String, domain: Option<GrbenchDomain>) -> String {
    match domain {
        Some(domain) => format!("{name}{DOMAIN}{}", domain.name()),
        None => name,
    }
}

/// The domain of GRBench that cases are about, by the names of their worlds; none where a case is
/// about another graph, or where they are about several.
pub fn domain_of(cases: &[&Case]) -> Option<GrbenchDomain> {
    let of = |case: &&Case| {
        let (_, domain) = case.world.rsplit_once(DOMAIN)?;
        GrbenchDomain::by_name(domain)
    };
    let first = of(cases.first()?)?;
    cases.iter().all(|case| of(case) == Some(first)).then_some(first)
}

/// How hard a question is: as it says itself, or else by its hops: one is easy, two are medium, more
/// are hard. None where neither is known.
pub fn difficulty(question: &KgQuestion) -> Option<Difficulty> {
    question.level.or(match question.hops {
        0 => None,
        1 => Some(Difficulty::Easy),
        2 => Some(Difficulty::Medium),
        _ => Some(Difficulty::Hard),
    })
}

const DIFFICULTY: PartSpec = PartSpec {
    title: "Difficulty",
    of: |case| {
        let question: Option<KgQuestion> = case.body.read().ok();
        question.as_ref().and_then(difficulty).map_or_else(String::new, |level| level.to_string())
    },
    order: &["easy", "medium", "hard"],
};

/// What is not as usual about a setup, in brackets.
fn way(setup: &Setup) -> String {
    let words = setup.unusual();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

const SYSTEM_AND_MODEL: &[Label] =
    &[("System and model", |s| format!("{}{}, {}", s.system_title(), way(s), s.models()))];

const GPT4SCORE: Column =
    Column { title: "GPT4Score", value: Aggregate::Share("gpt4score"), has_interval: true };
const UNREADABLE: Column = Column::share("Judge not readable", "judge_unreadable");
const RIGHT: Column = Column { title: "Right", value: Aggregate::Correct, has_interval: true };

const fn class(title: &'static str, class: FailureClass) -> Column {
    Column::share(title, class.id()).with_interval()
}

pub(super) static TABLES: [TableSpec; 3] = [
    TableSpec {
        title: "Measures of answers",
        note: "ROUGE-L: F1; its interval is that of the mean. GPT4Score: the share of answers that a \
               judging model calls right, of those of which it says so or the contrary; the others \
               are not readable.",
        keep: |_| true,
        labels: SYSTEM_AND_MODEL,
        rows: TableRows::Setups,
        columns: &[
            RIGHT,
            Column { title: "Exact", value: Aggregate::Share("exact"), has_interval: false },
            Column { title: "Multiset", value: Aggregate::Share("multiset"), has_interval: false },
            Column { title: "ROUGE-L", value: Aggregate::Mean("rouge_l"), has_interval: true },
            GPT4SCORE,
            UNREADABLE,
        ],
        published: table_1,
        source: "GraphRunner, Table 1: GPT-4 on GRBench's questions about this graph",
        variant: "",
    },
    TableSpec {
        title: "By difficulty (Figure 2)",
        note: "As a question says itself; where it does not, by its hops: one is easy, two are \
               medium, more are hard. The paper's figure has no numbers that could stand here.",
        keep: |_| true,
        labels: SYSTEM_AND_MODEL,
        rows: TableRows::Parts(DIFFICULTY),
        columns: &[RIGHT, Column::mean("ROUGE-L", "rouge_l").with_interval(), GPT4SCORE],
        published: |_| Vec::new(),
        source: "",
        variant: "",
    },
    TableSpec {
        title: "Why answers are not right (Table 2)",
        note: "Shares of all runs. Rules sort each run that is not right into one class \
               (docs/graphrunner.md); the paper's were sorted by hand. Other: nothing could be read, \
               or a limit of tokens or time ended the run.",
        keep: |s| matches!(s.system.as_str(), "graphrunner" | "graph_cot"),
        labels: SYSTEM_AND_MODEL,
        rows: TableRows::Setups,
        columns: &[
            class("Hallucination", FailureClass::Hallucination),
            class("Reasoning", FailureClass::Reasoning),
            class("Context exceeded", FailureClass::Context),
            class("Other", FailureClass::Other),
        ],
        published: table_2,
        source: "GraphRunner, Table 2: GPT-4 on all 1,740 questions of GRBench, of which these are a \
                 part",
        variant: "",
    },
];

pub(super) static RATIOS: [RatioSpec; 1] = [RatioSpec {
    title: "Graph-CoT by GraphRunner: cost and time (Figure 3)",
    note: "How many times as much as GraphRunner Graph-CoT takes: geometric means over the cases that \
           both answered, right or wrong. Cost: a judge's is left out; 30 and 60 dollars for a million \
           input and output tokens, as the paper counts.",
    of: "graph_cot",
    by: "graphrunner",
    prices: PAPER_PRICES,
    parts: DIFFICULTY,
    published: |cases| domain_of(cases).map(|_| ["paper: GPT-4", "3.0–12.9", "2.5–7.1"]),
    source: "GraphRunner, Figure 3: the range over domains and levels of GRBench",
}];

/// GPT4Score and ROUGE-L of a system, in percent, domain by domain in the order of
/// [`GrbenchDomain::ALL`].
type Table1 = (&'static str, [(f64, f64); 5]);

/// Paper: GraphRunner, Table 1.
const TABLE_1: [Table1; 4] = [
    ("text_rag", [(12.41, 9.65), (28.92, 21.56), (10.47, 7.28), (30.71, 26.34), (32.17, 29.65)]),
    ("graph_rag", [(32.15, 29.72), (40.72, 35.41), (16.17, 12.57), (26.32, 24.87), (33.19, 28.63)]),
    ("graph_cot", [(40.7, 35.7), (52.476, 49.23), (35.97, 30.91), (34.68, 32.24), (55.51, 52.2)]),
    (
        "graphrunner",
        [(61.25, 59.05), (58.00, 55.36), (52.66, 53.46), (44.95, 44.38), (61.52, 60.21)],
    ),
];

/// The shares of hallucination, reasoning and context, in percent. Paper: GraphRunner, Table 2.
const TABLE_2: [(&str, [f64; 3]); 2] =
    [("graph_cot", [14.12, 33.97, 5.21]), ("graphrunner", [7.75, 29.85, 1.16])];

fn title(system: &str) -> &str {
    super::find(system).map_or(system, |s| s.title)
}

fn table_1(cases: &[&Case]) -> Vec<PublishedRow> {
    let Some(domain) = domain_of(cases) else { return Vec::new() };
    let place = GrbenchDomain::ALL.iter().position(|d| *d == domain).unwrap_or_default();
    let row = |(system, figures): &Table1| {
        let (judged, rouge) = figures[place];
        PublishedRow {
            labels: vec![format!("paper: {}, GPT-4, {}", title(system), domain.name())],
            group: String::new(),
            n: None,
            values: vec![None, None, None, Some(rouge / 100.0), Some(judged / 100.0), None],
        }
    };
    TABLE_1.iter().map(row).collect()
}

fn table_2(cases: &[&Case]) -> Vec<PublishedRow> {
    if domain_of(cases).is_none() {
        return Vec::new();
    }
    let row = |(system, shares): &(&str, [f64; 3])| PublishedRow {
        labels: vec![format!("paper: {}, GPT-4, all domains", title(system))],
        group: String::new(),
        n: None,
        values: shares.iter().map(|share| Some(share / 100.0)).chain([None]).collect(),
    };
    TABLE_2.iter().map(row).collect()
}
