//! What is measured of statements, and the tables of it.

use super::classes::StatementFault;
use super::hubs::datasets;
use super::published::{SOURCE, TABLE_4};
use crate::experiment::{Case, Column, Measure, PublishedRow, Setup, Sums, TableRows, TableSpec};
use text::BleuCounts;

pub(super) static MEASURES: &[Measure] = &[
    Measure::new("rouge_1", "ROUGE-1", "F1 of tokens in common."),
    Measure::new("rouge_2", "ROUGE-2", "F1 of pairs of tokens in common."),
    Measure::new("rouge_l", "ROUGE-L", "F1 of the longest common subsequence."),
    Measure::new("rouge_lsum", "ROUGE-LSum", "The same, line by line."),
    Measure::new("exact", "Exact", "The statement is the right one letter for letter."),
    Measure::new("api", "API accuracy", "The first call is right, as the public code counts it."),
    Measure::new(
        "same_calls",
        "Same calls",
        "The calls are the right ones in any order and spelling.",
    ),
    Measure::new("same_answers", "Same answers", "The calls give the right answers."),
    Measure::new(
        "kind_right",
        "Right",
        "The statement is the right one, spaces at its ends aside.",
    ),
    Measure::new(
        "kind_messy",
        "Repeats itself",
        "The same words or calls stand in it again and again.",
    ),
    Measure::new("kind_prepended", "Words put before", "The right calls behind words of no text."),
    Measure::new("kind_wording", "Other words", "The right calls in other words."),
    Measure::new("kind_arguments", "Other arguments", "The right functions with other arguments."),
    Measure::new("kind_no_call", "No call", "Nothing is called."),
    Measure::new("kind_incomplete", "Incomplete", "A part of the right statement."),
    Measure::new("kind_empty", "Nothing written", "Nothing was written."),
    Measure::new("kind_other_calls", "Other calls", "Other functions, data or numbers of calls."),
    Measure::new("kind_unreadable", "Unreadable call", "A call cannot be read."),
];

/// The paper's rows, each under the name that our cases of its data set have.
fn table_4(_: &[&Case]) -> Vec<PublishedRow> {
    let row = |(dataset, figures): &(&str, [f64; 7])| PublishedRow {
        labels: vec!["the paper's".to_owned()],
        group: id_of(dataset),
        n: Some(160),
        values: figures.iter().map(|f| Some(f / 100.0)).chain([None; 3]).collect(),
    };
    TABLE_4.iter().map(row).collect()
}

const fn kind(kind: StatementFault) -> Column {
    Column::share(kind.title(), kind.id())
}

pub(super) static TABLES: [TableSpec; 2] = [
    TableSpec {
        title: "Statements with inline calls (Table 4)",
        note: "BLEU and its brevity penalty are of all statements together. The same answers are a \
               share of the statements whose right calls can be run.",
        keep: |_| true,
        labels: &[("Model", Setup::models)],
        rows: TableRows::Groups,
        columns: &[
            Column::mean("ROUGE-1", "rouge_1"),
            Column::mean("ROUGE-2", "rouge_2"),
            Column::mean("ROUGE-L", "rouge_l"),
            Column::mean("ROUGE-LSum", "rouge_lsum"),
            Column::of_sums("BLEU", |sums| Some(bleu_of(sums).scores().score)),
            Column::of_sums("BP", |sums| Some(bleu_of(sums).scores().brevity)),
            Column::share("API accuracy", "api"),
            Column::share("Exact", "exact"),
            Column::share("Same calls", "same_calls"),
            Column::share("Same answers", "same_answers"),
        ],
        published: table_4,
        source: SOURCE,
        variant: "",
    },
    TableSpec {
        title: "Statements that are not the right one, by kind (Table 6)",
        note: "Shares of all statements whose right one is known. Rules sort each that is not the \
               right one letter for letter into one kind (docs/toolformer.md). The paper tells each \
               by examples and counts none. Other words with the same calls are no mistake.",
        keep: |_| true,
        labels: &[("Model", Setup::models)],
        rows: TableRows::Groups,
        columns: &[
            Column::share("The right one", "kind_right"),
            kind(StatementFault::Wording),
            kind(StatementFault::Prepended),
            kind(StatementFault::Messy),
            kind(StatementFault::Arguments),
            kind(StatementFault::NoCall),
            kind(StatementFault::Incomplete),
            kind(StatementFault::Empty),
            kind(StatementFault::OtherCalls),
            kind(StatementFault::Unreadable),
        ],
        published: |_| Vec::new(),
        source: "",
        variant: "",
    },
];

/// The name under which statements about a data set stand in groups and tables: that of the hub,
/// else the one that they have. `graph_properties` of the public files is `gpr`.
pub fn id_of(dataset: &str) -> String {
    datasets::find(dataset).map_or_else(|| dataset.to_owned(), |d| d.id.to_owned())
}

pub(super) const SHARED: [&str; 4] =
    ["bleu_shared_1", "bleu_shared_2", "bleu_shared_3", "bleu_shared_4"];
pub(super) const RUNS: [&str; 4] = ["bleu_runs_1", "bleu_runs_2", "bleu_runs_3", "bleu_runs_4"];

/// What BLEU counts, over the statements whose counts were added up.
pub fn bleu_of(sums: &Sums) -> BleuCounts {
    let count = |name: &str| sums.get(name).copied().unwrap_or(0);
    BleuCounts {
        shared: SHARED.map(count),
        runs: RUNS.map(count),
        n_prediction: count("bleu_prediction"),
        n_reference: count("bleu_reference"),
    }
}
