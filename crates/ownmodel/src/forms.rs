//! Forms of lists: how a text or a call writes pairs and rows of numbers.
//!
//! A list begins with the token of its form; what follows are numbers alone. All that stands between
//! them is part of the form, so that an edge is two tokens however it is worded.

use std::sync::OnceLock;

/// A form of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// An item: `{h}` is the first node of a pair, `{t}` the second, `{n}` any other number.
    pub pattern: &'static str,
    /// What stands between two items.
    pub separator: &'static str,
    /// Items without which it is no list.
    pub least: usize,
}

const fn many(pattern: &'static str, separator: &'static str) -> Form {
    Form { pattern, separator, least: 1 }
}

const fn two(pattern: &'static str, separator: &'static str) -> Form {
    Form { pattern, separator, least: 2 }
}

/// Forms that no text has, only calls and results.
pub(crate) const JSON_LIST: usize = 0;
pub(crate) const JSON_PAIRS: usize = 1;
pub(crate) const JSON_WEIGHTS: usize = 2;
pub(crate) const JSON_CAPACITIES: usize = 3;
pub(crate) const JSON_NAMED: usize = 4;
pub(crate) const JSON_FLOWS: usize = 5;
pub(crate) const JSON_ROWS: usize = 6;
/// The numbers of a range that a text names by its ends. They are not written: whoever adds all nodes
/// of "numbered from 0 to 7" has a list to copy, and nothing to count.
pub(crate) const JSON_SPAN: usize = 7;
/// How many they are.
pub(crate) const N_JSON: usize = 8;

/// Every form. A line's place is its token, so new ones go behind the last.
pub(crate) static FORMS: &[Form] = &[
    many("json list {n}", " "),
    many("json pairs {h} {t}", " "),
    many("json weights {h} {t} {n}", " "),
    many("json capacities {h} {t} {n}", " "),
    many("json named {h} {t}", " "),
    many("json flows {h} {t} {n}", " "),
    many("json rows {h} {n} {n}", " "),
    many("json span {n}", " "),
    // NLGraph's own.
    many("({h},{t})", " "),
    many("an edge between node {h} and node {t} with weight {n}", ",\n"),
    many("an edge from node {h} to node {t} with capacity {n}", ",\n"),
    many("node {h} should be visited before node {t}", "\n"),
    many("Applicant {h} is interested in job {t}", ".\n"),
    many("node {h}: [{n},{n}]", "\n"),
    many("applicant {h}: job {t}", "\n"),
    two("{n}", ","),
    two("{n}", "->"),
    two("{n}", ", "),
    many("a road between city {h} and city {t} with length {n}", ",\n"),
    // The two nodes that a question names.
    many("from node {h} to node {t}", ""),
    many("between node {h} and node {t}", ""),
    many("from {h} to {t}", ""),
    many("between {h} and {t}", ""),
    many("from city {h} to city {t}", ""),
    many("nodes {h} and {t}", ""),
    many("node {h} and node {t}", ""),
    many("node {t} from node {h}", ""),
    many("vertex {h} and vertex {t}", ""),
    many("from vertex {h} to vertex {t}", ""),
    // Other ways to write edges.
    many("({h}, {t})", ", "),
    many("({h},{t})", ", "),
    many("({h},{t})", ","),
    many("{h}-{t}", ", "),
    two("{h}-{t}", " "),
    two("{h} - {t}", ", "),
    many("{h} -- {t}", "\n"),
    many("{h} -- {t}", ", "),
    many("[{h}, {t}]", ", "),
    many("[{h},{t}]", ","),
    two("{h} to {t}", ", "),
    two("{h} and {t}", "; "),
    two("{h} {t}", "\n"),
    many("{h}->{t}", ", "),
    many("{h} -> {t}", ", "),
    many("{h} -> {t}", "\n"),
    many("{h} before {t}", ", "),
    many("{h} before {t}", "\n"),
    many("{h}-{t} ({n})", ", "),
    many("{h}-{t}: {n}", ", "),
    many("({h}, {t}, {n})", ", "),
    many("({h},{t},{n})", " "),
    many("{h} -- {t} : {n}", "\n"),
    many("{h}->{t} ({n})", ", "),
    many("{h} -> {t}: {n}", ", "),
    many("{h} -> {t} : {n}", "\n"),
    many("node {h} is connected to node {t}", "\n"),
    many("node {h} and node {t} are connected", ".\n"),
    many("a link between {h} and {t}", ",\n"),
    many("task {h} must be done before task {t}", "\n"),
    many("applicant {h} wants job {t}", "\n"),
    many("{h}: [{n}, {n}]", "\n"),
    many("person {h} can do task {t}", "\n"),
    many("a pipe from {h} to {t} that carries {n}", ",\n"),
    many("node {h} has [{n},{n}]", "\n"),
    many("({h}, {t})", "\n"),
    many("{h} {t} {n}", "\n"),
    many(RANGES[0], ""),
    many(RANGES[1], ""),
    many(RANGES[2], ""),
];

/// Forms of ranges that begin at 0.
pub(crate) const RANGES: [&str; 3] =
    ["numbered from 0 to {n}", "nodes 0 to {n}", "nodes, 0 to {n}"];

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Head,
    Tail,
    Number,
}

/// A pattern, cut up: each number with what stands before it, and what stands behind the last.
#[derive(Debug)]
pub(crate) struct Cut {
    pub slots: Vec<(&'static str, Slot)>,
    pub end: &'static str,
}

pub(crate) fn cuts() -> &'static [Cut] {
    static CUTS: OnceLock<Vec<Cut>> = OnceLock::new();
    CUTS.get_or_init(|| FORMS.iter().map(|form| cut(form.pattern)).collect())
}

fn cut(pattern: &'static str) -> Cut {
    let mut slots = Vec::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('{') {
        let slot = match rest.as_bytes().get(at + 1) {
            Some(b'h') => Slot::Head,
            Some(b't') => Slot::Tail,
            _ => Slot::Number,
        };
        slots.push((&rest[..at], slot));
        rest = rest.get(at + 3..).unwrap_or_default();
    }
    Cut { slots, end: rest }
}
