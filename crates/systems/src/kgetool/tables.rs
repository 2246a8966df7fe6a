//! The tables of FamilyTool over runs of family requests, with the paper's own figures.
//!
//! Paper: FamilyTool, Tables 3 to 8.

use serde_json::Value;

use super::experiment::{CALLER, SEARCHER, way};
use super::published::{
    Calls, SOURCE, TABLE_3, TABLE_4, TABLE_5, TABLE_6, TABLE_7, TABLE_8, TABLE_8_CALLERS,
};
use super::{FactSource, Method};
use crate::experiment::{
    COMPAT, Case, Column, Label, PublishedRow, Setup, Sums, TableRows, TableSpec,
};

/// The samples of the paper's test sets. Paper: FamilyTool §6.
const N_PUBLISHED: u32 = 483;

fn is_extracting(setup: &Setup) -> bool {
    way(&setup.system).is_some_and(|(_, source)| source == FactSource::Extracted)
}

fn searcher(setup: &Setup) -> String {
    setup.model(SEARCHER.id).map_or_else(String::new, |m| m.model.clone())
}

fn caller(setup: &Setup) -> String {
    setup.model(CALLER.id).map_or_else(String::new, |m| m.model.clone())
}

/// The model that calls, and the one that searched before it, if that is another.
fn both(setup: &Setup) -> String {
    let (searcher, caller) = (searcher(setup), caller(setup));
    if searcher.is_empty() || searcher == caller || !is_extracting(setup) {
        caller
    } else {
        format!("{caller}, after {searcher}")
    }
}

fn search_title(setup: &Setup) -> String {
    let mode = setup.options.get("mode").and_then(Value::as_str).unwrap_or("paper").to_owned();
    format!("{} ({mode})", setup.system_title())
}

/// Samples without the mark of a bad extraction, among all samples: what the paper's own table counts.
/// A sample whose extraction cannot be read has no mark. `None` for runs that were scored before these
/// counts were kept; `merge --score-again` scores them anew.
fn no_hallucination(sums: &Sums) -> Option<f64> {
    let count = |name: &str| sums.get(name).copied().unwrap_or(0);
    (count("samples") > 0).then(|| count("unmarked_of_all") as f64 / count("samples") as f64)
}

/// Relation paths without a relation that the graph does not have: ours, which no published row has.
fn true_paths(sums: &Sums) -> Option<f64> {
    let count = |name: &str| sums.get(name).copied().unwrap_or(0);
    let (paths, fake) = (count("paths"), count("fake_paths"));
    Some(if paths == 0 { 1.0 } else { (paths - fake.min(paths)) as f64 / paths as f64 })
}

/// Samples without the mark of a bad extraction, among those that can be read.
fn no_hallucination_by_code(sums: &Sums) -> Option<f64> {
    let count = |name: &str| sums.get(name).copied().unwrap_or(0);
    (count("read") > 0).then(|| count("unmarked") as f64 / count("read") as f64)
}

const EXTRACTION: &[Column] = &[
    Column::share("EM", "links_em").with_interval(),
    Column::mean("F1", "links_f1"),
    Column::of_sums("No hallucination", no_hallucination),
    Column::mean("Coverage", "coverage"),
    Column::of_sums("Paths that exist", true_paths),
];

const EXTRACTION_BY_CODE: &[Column] = &[
    Column::share("EM", "links_em").with_interval(),
    Column::mean("F1", "code_links_f1"),
    Column::of_sums("No hallucination", no_hallucination_by_code),
    Column::mean("Coverage", "code_coverage"),
];

const CALLING: &[Column] = &[
    Column::share("EM", "em").with_interval(),
    Column::mean("Tool Acc.", "tool"),
    Column::mean("Value Acc.", "value"),
];

const CALLING_BY_CODE: &[Column] = &[
    Column::share("EM", "code_em").with_interval(),
    Column::mean("Tool Acc.", "code_tool"),
    Column::mean("Value Acc.", "code_value"),
];

const PARTS: &[Column] = &[
    Column::share("Extraction EM", "links_em"),
    Column::mean("F1", "links_f1"),
    Column::mean("Coverage", "coverage"),
    Column::share("Call EM", "em"),
    Column::mean("Tool Acc.", "tool"),
    Column::mean("Value Acc.", "value"),
];

const MODEL_AND_SEARCH: &[Label] = &[("Model", searcher), ("Search", search_title)];
const MODEL_ONLY: &[Label] = &[("Model", both)];
const MODEL_AND_SYSTEM: &[Label] = &[("Model", both), ("System", Setup::system_title)];

/// The paper's rows; `n_ours` columns behind its own have no figure of it.
fn extraction_rows(n_ours: usize) -> Vec<PublishedRow> {
    let row = |model: &str, search: Method, figures: &[f64; 4]| PublishedRow {
        labels: vec![model.to_owned(), search.title().to_owned()],
        group: String::new(),
        n: Some(N_PUBLISHED),
        values: figures
            .iter()
            .map(|f| Some(f / 100.0))
            .chain(std::iter::repeat_n(None, n_ours))
            .collect(),
    };
    TABLE_3
        .iter()
        .flat_map(|(model, greedy, retrieval)| {
            [row(model, Method::Gs, greedy), row(model, Method::Rr, retrieval)]
        })
        .collect()
}

fn call_rows(table: &Calls) -> Vec<PublishedRow> {
    let row = |(model, figures): &(&str, [f64; 3])| PublishedRow {
        labels: vec![(*model).to_owned()],
        group: String::new(),
        n: Some(N_PUBLISHED),
        values: figures.iter().map(|f| Some(f / 100.0)).collect(),
    };
    table.iter().map(row).collect()
}

fn cross_rows() -> Vec<PublishedRow> {
    let row = |searcher: &str, caller: &str, em: f64| PublishedRow {
        labels: vec![searcher.to_owned(), caller.to_owned()],
        group: String::new(),
        n: Some(N_PUBLISHED),
        values: vec![Some(em / 100.0)],
    };
    TABLE_8
        .iter()
        .flat_map(|(searcher, figures)| {
            TABLE_8_CALLERS.iter().zip(figures).map(move |(caller, em)| row(searcher, caller, *em))
        })
        .collect()
}

const NOTE: &str = "Counted by the paper's words.";
const NOTE_BY_CODE: &str = "Counted as the paper's public code does.";

const fn table(
    title: &'static str,
    keep: fn(&Setup) -> bool,
    labels: &'static [Label],
    columns: &'static [Column],
    published: fn(&[&Case]) -> Vec<PublishedRow>,
) -> TableSpec {
    TableSpec {
        title,
        note: NOTE,
        keep,
        labels,
        rows: TableRows::Setups,
        columns,
        published,
        source: SOURCE,
        variant: "",
    }
}

const fn by_code(spec: TableSpec, columns: &'static [Column]) -> TableSpec {
    TableSpec { columns, note: NOTE_BY_CODE, variant: COMPAT, ..spec }
}

const fn parts(title: &'static str, rows: TableRows) -> TableSpec {
    let all = table(title, |_| true, MODEL_AND_SYSTEM, PARTS, |_| Vec::new());
    TableSpec { rows, source: "", ..all }
}

const TABLE_3_SPEC: TableSpec =
    table("Extraction (Table 3)", is_extracting, MODEL_AND_SEARCH, EXTRACTION, |_| {
        extraction_rows(1)
    });
const TABLE_4_SPEC: TableSpec = table(
    "Calls with the golden sub-graph (Table 4)",
    |s| s.system == "golden",
    MODEL_ONLY,
    CALLING,
    |_| call_rows(&TABLE_4),
);
const TABLE_5_SPEC: TableSpec = table(
    "Calls with Greedy Search (Table 5)",
    |s| s.system == "gs",
    MODEL_ONLY,
    CALLING,
    |_| call_rows(&TABLE_5),
);
const TABLE_6_SPEC: TableSpec = table(
    "Calls with Relation Retrieval (Table 6)",
    |s| s.system == "rr",
    MODEL_ONLY,
    CALLING,
    |_| call_rows(&TABLE_6),
);
const TABLE_7_SPEC: TableSpec = table(
    "Calls with the whole graph (Table 7)",
    |s| s.system == "full",
    MODEL_ONLY,
    CALLING,
    |_| call_rows(&TABLE_7),
);

pub(super) static TABLES: [TableSpec; 13] = [
    TABLE_3_SPEC,
    TABLE_4_SPEC,
    TABLE_5_SPEC,
    TABLE_6_SPEC,
    TABLE_7_SPEC,
    table(
        "One model to search, another to call (Table 8)",
        |s| s.system == "gs",
        &[("Searches", searcher), ("Calls", caller)],
        &[Column::share("EM", "em")],
        |_| cross_rows(),
    ),
    parts("By what is new", TableRows::Groups),
    parts("By hops", TableRows::Levels),
    TableSpec { published: |_| extraction_rows(0), ..by_code(TABLE_3_SPEC, EXTRACTION_BY_CODE) },
    by_code(TABLE_4_SPEC, CALLING_BY_CODE),
    by_code(TABLE_5_SPEC, CALLING_BY_CODE),
    by_code(TABLE_6_SPEC, CALLING_BY_CODE),
    by_code(TABLE_7_SPEC, CALLING_BY_CODE),
];
