//! Triples as rows of cells. The rows are those of [`graph::tables`], which finds what separates cells and
//! knows how columns are called.
//!
//! A first row of names says which column is which; without one the columns are source, relation,
//! target, and of five the last two are the types of the ends. Two columns are edges without a
//! type. An id such as `Gene::9021` brings its type along.

use std::collections::HashSet;

use graph::formats::{FormatError, NoteKind, TableColumns};
use graph::tables::{TableCell, TableColumn, TableHeading, TableRow, TableText, decimal, triple};
use serde_json::Map;

use super::{Faults, Format};
use crate::{Kg, KgBuilder, KgError, NodeIx};

/// Tab-separated.
pub(super) const TSV: Format = Format {
    id: "tsv",
    title: "Triples, tab-separated",
    endings: &["tsv", "tab", "sif"],
    example: "Bob\tknows\tAlice",
    keeps: "nodes, types, names, edges; no attributes, and a line break in a name becomes a space",
    read: |text, into| read(text, b'\t', into),
    write: |kg| write(kg, '\t'),
};

/// Comma-separated.
pub(super) const CSV: Format = Format {
    id: "csv",
    title: "Triples, comma-separated",
    endings: &["csv"],
    example: "Bob,knows,Alice",
    keeps: "nodes, types, names, edges; no attributes, and a line break in a name becomes a space",
    read: |text, into| read(text, b',', into),
    write: |kg| write(kg, ','),
};

/// With bars between, as MetaQA has its graph.
pub(super) const BARS: Format = Format {
    id: "bars",
    title: "Triples, with bars between",
    endings: &["psv"],
    example: "Bob|knows|Alice",
    keeps: "nodes, types, names, edges; no attributes, and a line break in a name becomes a space",
    read: |text, into| read(text, b'|', into),
    write: |kg| write(kg, '|'),
};

/// The type of an edge where a file has none.
const UNTYPED_EDGE: &str = "related_to";
/// How many rows decide what the columns of a table without a heading have.
const LOOKED_AT: usize = 50;

/// Where an end of an edge, or a node, has what.
#[derive(Clone, Copy)]
struct End {
    id: usize,
    of: Option<usize>,
    name: Option<usize>,
}

/// What a row is.
#[derive(Clone, Copy)]
enum Rows {
    /// An edge.
    Edge { ends: [End; 2], relation: Option<usize>, may_be_untyped: bool },
    /// An edge in one cell, as Cytoscape has it.
    Triple(usize),
    /// A node.
    Node(End),
}

impl Rows {
    /// What a heading says.
    fn of(heading: &TableHeading, table: &TableText<'_>) -> Self {
        use TableColumn as C;
        let at = |column| heading.column(column);
        if let (false, Some(triple)) = (heading.has_edges(), at(C::Triple)) {
            return Self::Triple(triple);
        }
        let (Some(source), Some(target)) = (at(C::Source), at(C::Target)) else {
            return Self::Node(End {
                id: at(C::Id).unwrap_or_default(),
                of: at(C::Labels).or_else(|| at(C::Type)),
                name: at(C::Label),
            });
        };
        let end = |column: usize, id, of, name| End {
            // The name is what a drawing shows, and not what tells nodes apart.
            id: at(id).filter(|_| at(name) == Some(column)).unwrap_or(column),
            of: at(of),
            name: at(name),
        };
        let ends = [
            end(source, C::SourceId, C::SourceType, C::SourceName),
            end(target, C::TargetId, C::TargetType, C::TargetName),
        ];
        // The `Type` of Gephi says whether an edge has a direction, its `Label` what the edge is.
        let is_direction = |at: &usize| {
            let mut cells = table.rows().skip(1).take(LOOKED_AT);
            cells.all(|row| {
                let cell = row.cells.get(*at).map_or("", |cell| &*cell.text);
                ["", "directed", "undirected", "mutual", "true", "false"]
                    .contains(&cell.to_ascii_lowercase().as_str())
            })
        };
        let typed = at(C::Type).filter(|at| !is_direction(at));
        let relation = at(C::Relation).or(typed).or_else(|| at(C::Label));
        let may_be_untyped = relation == at(C::Label);
        Self::Edge { ends, relation, may_be_untyped }
    }

    /// What rows without a heading are.
    fn plain(n: usize, has_weights: bool) -> Self {
        let end = |id| End { id, of: None, name: None };
        match n {
            _ if has_weights => Self::edge([end(0), end(1)], None),
            0..=2 => Self::edge([end(0), end(1)], None),
            3 | 4 => Self::edge([end(0), end(2)], Some(1)),
            _ => {
                let typed = |id, of| End { of: Some(of), ..end(id) };
                Self::edge([typed(0, 3), typed(2, 4)], Some(1))
            }
        }
    }

    fn edge(ends: [End; 2], relation: Option<usize>) -> Self {
        Self::Edge { ends, relation, may_be_untyped: false }
    }

    /// Whether a column says something that is read.
    fn reads(&self, at: usize) -> bool {
        let has = |end: &End| end.id == at || end.of == Some(at) || end.name == Some(at);
        match self {
            Self::Edge { ends, relation, .. } => ends.iter().any(has) || *relation == Some(at),
            Self::Triple(triple) => *triple == at,
            Self::Node(node) => has(node),
        }
    }

    /// How many columns an edge needs.
    fn n_needed(&self) -> usize {
        match self {
            Self::Edge { ends, relation, .. } => {
                let of =
                    |end: &End| 1 + usize::from(end.of.is_some()) + usize::from(end.name.is_some());
                ends.iter().map(of).sum::<usize>() + usize::from(relation.is_some())
            }
            _ => 1,
        }
    }
}

/// The beginning of a table of which neither a heading nor the rows say what its columns are. The text may
/// be the beginning of a file that is cut between two rows.
pub(super) fn unknown(text: &str, format: &Format) -> Option<FormatError> {
    if !["tsv", "csv", "bars"].contains(&format.id) {
        return None;
    }
    let error = graph::formats::sniff(text).err().filter(|error| error.table.is_some())?;
    let table = TableText::new(text);
    let rows: Vec<TableRow<'_>> = table.rows().take(LOOKED_AT).collect();
    let are_few = |at: usize| {
        let cells: Option<HashSet<&str>> =
            rows.iter().map(|row| Some(&*row.cells.get(at)?.text)).collect();
        cells.is_some_and(|cells| cells.len() * 2 <= rows.len())
    };
    let is_number = |row: &TableRow<'_>, at: usize| {
        row.cells.get(at).is_some_and(|cell| decimal(cell, table.separator()).is_some())
    };
    let first = rows.first()?;
    let is_known = match first.cells.len() {
        // Triples, unless numbers under a word show that the first row is a heading.
        3 => (0..3).all(|at| is_number(first, at) || !rows[1..].iter().all(|r| is_number(r, at))),
        // The last two may be the types of the ends: few types, and few relations.
        5 => [1, 3, 4].into_iter().all(are_few),
        _ => false,
    };
    (!is_known).then_some(error)
}

/// Reads a table with the columns that a person named.
pub(super) fn read_chosen(
    text: &str,
    chosen: &TableColumns,
    into: &mut KgBuilder,
) -> Result<Faults, FormatError> {
    let table = TableText::new(text);
    let (heading, is_headed) = chosen.find(&table)?;
    Ok(read_table(&table, Some(&heading), is_headed, into))
}

fn read(text: &str, separator: u8, into: &mut KgBuilder) -> Faults {
    let table = TableText::new(text).or_separated_by(separator);
    let heading = table.heading();
    read_table(&table, heading.as_ref(), heading.is_some(), into)
}

fn read_table(
    table: &TableText<'_>,
    heading: Option<&TableHeading>,
    is_headed: bool,
    into: &mut KgBuilder,
) -> Faults {
    let what = match table.separator() {
        '\t' => "tab-separated table",
        '|' => "table with bars",
        ';' => "table with semicolons",
        _ => "comma-separated table",
    };
    let mut faults = Faults::default();
    let mut rows = table.rows().peekable();
    let is = match (heading, rows.peek()) {
        (_, None) => return faults,
        (Some(heading), Some(first)) => {
            let is = Rows::of(heading, table);
            let others = first.cells.iter().enumerate().filter(|(i, _)| !is.reads(*i));
            for (i, cell) in others.filter(|(_, cell)| !cell.is_empty()) {
                let place = (i + 1).to_string();
                let name = if is_headed { &*cell.text } else { &place };
                faults.note(format!("{}: the column `{name}`", NoteKind::Dropped.lead()));
            }
            if is_headed {
                rows.next();
            }
            is
        }
        (None, Some(first)) => {
            let has_weights = has_weights(table);
            if has_weights {
                faults.note("left out: the numbers of the third column".into());
            }
            Rows::plain(first.cells.len(), has_weights)
        }
    };
    let mut n_breaks = 0;
    for mut row in rows {
        for cell in row.cells.iter_mut().filter(|cell| cell.contains(['\n', '\r'])) {
            n_breaks += 1;
            cell.text = cell.split_whitespace().collect::<Vec<_>>().join(" ").into();
        }
        let done = match row.stray {
            Some(cell) => Err((cell, "a quotation mark begins here and does not end".into())),
            None => read_row(&is, &row, into),
        };
        match done {
            Ok(()) => faults.n_read += 1,
            Err((cell, message)) => {
                let (line, column) = table.place(&row, cell);
                faults.add(line, column, message);
                if faults.are_too_many(what, line) {
                    break;
                }
            }
        }
    }
    if n_breaks > 0 {
        let cells = if n_breaks == 1 { "cell" } else { "cells" };
        faults.note(format!(
            "{}: line breaks in {n_breaks} {cells} into blanks",
            NoteKind::Turned.lead()
        ));
    }
    faults
}

/// Whether the rows are two names and a number with a fraction, which is no name.
fn has_weights(table: &TableText<'_>) -> bool {
    let mut has_fraction = false;
    let mut n = 0;
    for row in table.rows().take(LOOKED_AT) {
        let number = |cell: Option<&TableCell<'_>>| decimal(cell?, table.separator());
        let Some((_, has_comma)) = number(row.cells.get(2)) else { return false };
        if number(row.cells.get(1)).is_some() || row.cells.len() > 3 {
            return false;
        }
        has_fraction |= has_comma || row.cells[2].contains('.');
        n += 1;
    }
    n > 0 && has_fraction
}

/// Reads a row; a fault has the cell at which it is.
fn read_row(is: &Rows, row: &TableRow<'_>, into: &mut KgBuilder) -> Result<(), (usize, String)> {
    let cell =
        |at: usize| row.cells.get(at).map(|cell| &*cell.text).filter(|text| !text.is_empty());
    let (ends, relation, may_be_untyped) = match *is {
        Rows::Node(node) => {
            if cell(node.id).is_none() {
                return Err((node.id, "the id is empty".into()));
            }
            return end(&node, true, row, None, into);
        }
        Rows::Triple(at) => {
            let text = cell(at).unwrap_or_default();
            let [source, relation, target] = triple(text)
                .ok_or_else(|| (at, format!("{text:?} is no edge such as \"a (pp) b\"")))?;
            return into.edge(source, relation, target).map_err(|error| (at, error.to_string()));
        }
        Rows::Edge { ends, relation, may_be_untyped } => (ends, relation, may_be_untyped),
    };
    let [source_at, target_at] = [ends[0].id, ends[1].id];
    let Some(source) = cell(source_at) else {
        return Err((source_at, "there is no source; expected source, relation, target".into()));
    };
    let named = relation.and_then(cell);
    let Some(target) = cell(target_at) else {
        // A row of a node alone: a source with a type.
        if ends[0].of.and_then(cell).is_some() && named.is_none() {
            return end(&ends[0], false, row, None, into);
        }
        let (n, needed) = (row.cells.len(), is.n_needed());
        let message = format!("this line has {n} of {needed} columns; is the separator right?");
        return Err((n.saturating_sub(1), message));
    };
    let relation_name = match named {
        Some(name) => name,
        None if relation.is_none() || may_be_untyped => UNTYPED_EDGE,
        None => return Err((target_at, "there is no relation before the target".into())),
    };
    let nodes = into.link(source, relation_name, target).map_err(|error| {
        let at = match &error {
            KgError::TooLong { what, .. } | KgError::Empty { what } if what.contains("type") => {
                relation.unwrap_or(source_at)
            }
            KgError::TooLong { length, .. } if target.len() == *length => target_at,
            _ => source_at,
        };
        (at, error.to_string())
    })?;
    end(&ends[0], false, row, Some(nodes[0]), into)?;
    end(&ends[1], false, row, Some(nodes[1]), into)
}

/// Types and names a node, as far as the row says how. A row of a node is about it alone.
fn end(
    end: &End,
    is_node: bool,
    row: &TableRow<'_>,
    known: Option<NodeIx>,
    into: &mut KgBuilder,
) -> Result<(), (usize, String)> {
    let text = |at: Option<usize>| at.and_then(|at| row.cells.get(at)).map_or("", |c| &*c.text);
    let (id, of, name) = (text(Some(end.id)), text(end.of), text(end.name));
    // A node of neo4j-admin may have several labels; one is its type.
    let of = if is_node { of.split(';').next().unwrap_or_default() } else { of };
    let done = if end.of.is_some() {
        // Where there is a column for types, ids are only ids.
        match of {
            "" if name.is_empty() && !is_node => Ok(()),
            "" => into.name(id, name),
            of => into.node(id, of, name, Map::new()),
        }
    } else if known.is_some_and(|known| into.type_of(known).is_some()) && name.is_empty() {
        Ok(())
    } else if let Some((of, rest)) = split_id(id) {
        into.node(id, of, if name.is_empty() { rest } else { name }, Map::new())
    } else if name.is_empty() && !is_node {
        Ok(())
    } else {
        into.name(id, name)
    };
    done.map_err(|error| (end.id, error.to_string()))
}

/// The type and the rest of an id such as `Gene::9021`.
fn split_id(id: &str) -> Option<(&str, &str)> {
    id.split_once("::").filter(|(of, rest)| !of.trim().is_empty() && !rest.trim().is_empty())
}

fn write(kg: &Kg, between: char) -> String {
    let mut text = String::new();
    let mut put = |cells: [&str; 7]| {
        for (i, cell) in cells.iter().enumerate() {
            if i > 0 {
                text.push(between);
            }
            put_cell(cell, between, &mut text);
        }
        text.push('\n');
    };
    put([
        "source",
        "relation",
        "target",
        "source_type",
        "target_type",
        "source_name",
        "target_name",
    ]);
    // Every node once on a line of its own: so they keep their order, and those without edges.
    for node in kg.nodes() {
        let of = kg.schema().node_type(kg.node_type(node)).name.as_str();
        put([kg.id(node), "", "", of, "", kg.name(node), ""]);
    }
    for (source, edge_type, target) in kg.edges() {
        let relation = kg.schema().edge_type(edge_type).name.as_str();
        put([kg.id(source), relation, kg.id(target), "", "", "", ""]);
    }
    text
}

fn put_cell(cell: &str, between: char, text: &mut String) {
    let is_plain = !cell.starts_with(['"', '#'])
        && !cell.contains([between, '\n', '\r'])
        && cell.trim().len() == cell.len();
    if is_plain {
        text.push_str(cell);
        return;
    }
    text.push('"');
    for c in cell.chars() {
        match c {
            '"' => text.push_str("\"\""),
            '\n' | '\r' => text.push(' '),
            c => text.push(c),
        }
    }
    text.push('"');
}
