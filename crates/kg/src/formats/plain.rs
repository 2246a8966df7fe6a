//! Graphs of all other programs whose files `graph::formats` reads. Those in JSON say what a link is;
//! of others nodes and edges have no types.

use graph::formats::{self, NoteKind};
use serde_json::Map;

use super::objects::{self, EDGE, NODE};
use super::{Faults, Format, jsonl};
use crate::KgBuilder;

/// What [`super::sniff`] takes for a graph without types. It is not in the list: what such a graph becomes
/// is saved in a format with types.
pub(super) static FORMAT: Format = Format {
    id: "graph",
    title: "A graph without types, in any format that Solve reads",
    endings: &["gml", "gexf", "dot", "gv", "net", "mmd", "cyjs"],
    example: "graph { Bob -- Alice }",
    keeps: "nodes and edges",
    read,
    write: jsonl::FORMAT.write,
};

/// What readers of knowledge graphs take with more of it, or what has no sign of its own.
const OTHERS: [&str; 6] =
    ["graphml", "edge_table", "edge_list", "adjacency_csv", "adjacency_list", "apoc"];

/// Whether a text is such a graph. In time that grows with the text.
pub(super) fn is_it(text: &str) -> bool {
    formats::sniff(text).is_ok_and(|format| !OTHERS.contains(&format.id))
}

fn read(text: &str, into: &mut KgBuilder) -> Faults {
    if formats::sniff(text).is_ok_and(|format| objects::READ.contains(&format.id))
        && let Ok(whole) = serde_json::from_str(text.trim_start_matches('\u{feff}'))
    {
        return objects::read(&whole, into);
    }
    let mut faults = Faults::default();
    let (_, read) = match formats::open(text) {
        Ok(read) => read,
        Err(error) => {
            faults.add(error.line.unwrap_or(0), 1, error.to_string());
            return faults;
        }
    };
    for fault in read.notes.faults() {
        faults.add(fault.line.unwrap_or(0), 1, fault.message.clone());
    }
    faults.n = read.notes.n_faults();
    faults.notes.extend(read.notes.iter().map(ToString::to_string));
    if read.graph.is_weighted() {
        faults.note(format!("{}: weights of edges", NoteKind::Dropped.lead()));
    }
    let mut count = |done: Result<(), crate::KgError>| match done {
        Ok(()) => faults.n_read += 1,
        Err(error) => faults.add(0, 0, error.to_string()),
    };
    for name in read.graph.names() {
        count(into.node(&name.to_string(), NODE, "", Map::new()));
    }
    for edge in read.graph.edges() {
        count(into.edge(&edge.source.to_string(), EDGE, &edge.target.to_string()));
    }
    faults
}
