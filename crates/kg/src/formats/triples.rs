//! Triples as rows of cells, parted by tabs or commas.
//!
//! A first row of names says which column is which; without one the columns are source, relation,
//! target, and of five the last two are the types of the ends. Two columns are edges without a
//! type. An id such as `Gene::9021` brings its type along.

use std::borrow::Cow;

use serde_json::Map;

use super::{Faults, Format, line_faults};
use crate::{Kg, KgBuilder, KgError};

/// Tab-separated.
pub(super) const TSV: Format = Format {
    id: "tsv",
    title: "Triples, tab-separated",
    endings: &["tsv", "tab", "sif"],
    keeps: "nodes, types, names, edges; no attributes, and a line break in a name becomes a space",
    read: |text, into| read(text, '\t', into),
    write: |kg| write(kg, '\t'),
};

/// Comma-separated.
pub(super) const CSV: Format = Format {
    id: "csv",
    title: "Triples, comma-separated",
    endings: &["csv"],
    keeps: "nodes, types, names, edges; no attributes, and a line break in a name becomes a space",
    read: |text, into| read(text, ',', into),
    write: |kg| write(kg, ','),
};

/// The type of an edge where a file has none.
const UNTYPED_EDGE: &str = "related_to";

/// What a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Source,
    Relation,
    Target,
    SourceType,
    TargetType,
    SourceName,
    TargetName,
    Other,
}

/// What columns are called, in lower case and without anything but letters.
const NAMES: &[(Column, &[&str])] = &[
    (
        Column::Source,
        &[
            "source", "src", "head", "subject", "from", "start", "s", "h", "x", "startid",
            "sourceid", "headid",
        ],
    ),
    (
        Column::Relation,
        &[
            "relation",
            "rel",
            "type",
            "predicate",
            "edge",
            "edgetype",
            "metaedge",
            "label",
            "p",
            "r",
            "relationship",
            "interaction",
            "property",
        ],
    ),
    (
        Column::Target,
        &[
            "target", "dst", "tail", "object", "to", "end", "o", "t", "y", "endid", "targetid",
            "tailid",
        ],
    ),
    (
        Column::SourceType,
        &["sourcetype", "headtype", "fromtype", "subjecttype", "srctype", "xtype"],
    ),
    (Column::TargetType, &["targettype", "tailtype", "totype", "objecttype", "dsttype", "ytype"]),
    (Column::SourceName, &["sourcename", "headname", "subjectname", "fromname", "xname"]),
    (Column::TargetName, &["targetname", "tailname", "objectname", "toname", "yname"]),
];

fn column(name: &str) -> Column {
    let plain: String =
        name.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    let is_it = |(_, names): &&(Column, &[&str])| names.contains(&plain.as_str());
    NAMES.iter().find(is_it).map_or(Column::Other, |(column, _)| *column)
}

/// Where each column is.
struct Layout {
    columns: Vec<Column>,
}

impl Layout {
    /// What a first row says, if it names a source and a target, each once.
    fn named(cells: &[Cell<'_>]) -> Option<Self> {
        let columns: Vec<Column> = cells.iter().map(|c| column(&c.text)).collect();
        let n = |wanted: Column| columns.iter().filter(|c| **c == wanted).count();
        (n(Column::Source) == 1 && n(Column::Target) == 1 && n(Column::Relation) <= 1)
            .then_some(Self { columns })
    }

    /// What so many columns without names are.
    fn plain(n: usize) -> Self {
        use Column::{Relation, Source, SourceType, Target, TargetType};
        let columns = match n {
            0..=2 => vec![Source, Target],
            3 | 4 => vec![Source, Relation, Target],
            _ => vec![Source, Relation, Target, SourceType, TargetType],
        };
        Self { columns }
    }
}

/// A cell and the column of characters at which it begins.
struct Cell<'a> {
    text: Cow<'a, str>,
    column: usize,
}

fn read(text: &str, between: char, into: &mut KgBuilder) -> Faults {
    let mut layout: Option<Layout> = None;
    let mut cells = Vec::new();
    line_faults(text, |line| {
        if line.starts_with('#') && layout.is_none() {
            return Ok(());
        }
        cells.clear();
        split(line, between, &mut cells)?;
        let layout = match &mut layout {
            Some(layout) => layout,
            none => {
                if let Some(named) = Layout::named(&cells) {
                    *none = Some(named);
                    return Ok(());
                }
                none.insert(Layout::plain(cells.len()))
            }
        };
        row(layout, &cells, into)
    })
}

fn row(layout: &Layout, cells: &[Cell<'_>], into: &mut KgBuilder) -> Result<(), (usize, String)> {
    let cell = |wanted: Column| {
        let at = layout.columns.iter().position(|c| *c == wanted)?;
        cells.get(at).filter(|c| !c.text.is_empty())
    };
    let text = |wanted: Column| cell(wanted).map_or("", |c| &*c.text);
    let n_named = layout.columns.iter().filter(|c| **c != Column::Other).count();
    let fault =
        |wanted: Column, error: KgError| (cell(wanted).map_or(1, |c| c.column), error.to_string());
    let Some(source) = cell(Column::Source) else {
        return Err((1, "there is no source; expected source, relation, target".into()));
    };
    let end = |into: &mut KgBuilder, id: Column, of: Column, name: Column| {
        let (id_text, type_text, name_text) = (text(id), text(of), text(name));
        let (prefix, rest) = split_id(id_text);
        // Where there is a column for types, ids are only ids.
        let node_type = if layout.columns.contains(&of) {
            Some(type_text).filter(|t| !t.is_empty())
        } else {
            prefix
        };
        let name = if name_text.is_empty() && type_text.is_empty() { rest } else { name_text };
        match node_type {
            Some(node_type) => into.node(id_text, node_type, name, Map::new()),
            None if !name_text.is_empty() => into.name(id_text, name_text),
            None => Ok(()),
        }
        .map_err(|e| fault(id, e))
    };
    let Some(target) = cell(Column::Target) else {
        // A row of a node alone: a source with a type.
        if cell(Column::SourceType).is_some() && cell(Column::Relation).is_none() {
            return end(into, Column::Source, Column::SourceType, Column::SourceName);
        }
        let at = cells.last().map_or(1, |c| c.column);
        return Err((
            at,
            format!("there is no target among {} cells; expected {n_named}", cells.len()),
        ));
    };
    let has_relation = layout.columns.contains(&Column::Relation);
    let relation = match cell(Column::Relation) {
        Some(cell) => &*cell.text,
        None if !has_relation => UNTYPED_EDGE,
        None => {
            return Err((target.column, "there is no relation before the target".into()));
        }
    };
    into.edge(&source.text, relation, &target.text).map_err(|error| {
        let at = match &error {
            KgError::TooLong { what, .. } | KgError::Empty { what } if what.contains("type") => {
                Column::Relation
            }
            KgError::TooLong { length, .. } if target.text.len() == *length => Column::Target,
            _ => Column::Source,
        };
        fault(at, error)
    })?;
    end(into, Column::Source, Column::SourceType, Column::SourceName)?;
    end(into, Column::Target, Column::TargetType, Column::TargetName)
}

/// The type and the rest of an id such as `Gene::9021`.
fn split_id(id: &str) -> (Option<&str>, &str) {
    match id.split_once("::") {
        Some((of, rest)) if !of.trim().is_empty() && !rest.trim().is_empty() => (Some(of), rest),
        _ => (None, ""),
    }
}

/// Cuts a line into cells. A cell in quotation marks may have what parts cells in it, and a
/// quotation mark as two.
fn split<'a>(
    line: &'a str,
    between: char,
    cells: &mut Vec<Cell<'a>>,
) -> Result<(), (usize, String)> {
    let mut rest = line;
    // Columns are counted in characters, and only where one is told, so counted from the bytes.
    loop {
        let at = line.len() - rest.len();
        let column = if line.is_ascii() { at + 1 } else { line[..at].chars().count() + 1 };
        let (text, end) = match quoted(rest, between) {
            Some(Ok(found)) => found,
            Some(Err(())) if between == ',' => {
                return Err((column, "a quotation mark begins here and does not end".into()));
            }
            _ => {
                let end = rest.find(between).unwrap_or(rest.len());
                (Cow::Borrowed(rest[..end].trim()), end)
            }
        };
        cells.push(Cell { text, column });
        match rest.get(end + 1..) {
            Some(after) if end < rest.len() => rest = after,
            _ => return Ok(()),
        }
    }
}

/// The cell in quotation marks at the start and where it ends; `None` if there is none.
#[allow(clippy::type_complexity)]
fn quoted(rest: &str, between: char) -> Option<Result<(Cow<'_, str>, usize), ()>> {
    let inner = rest.strip_prefix('"')?;
    let mut from = 0;
    let mut is_doubled = false;
    loop {
        let Some(mark) = inner[from..].find('"').map(|i| from + i) else { return Some(Err(())) };
        let after = &inner[mark + 1..];
        if after.starts_with('"') {
            is_doubled = true;
            from = mark + 2;
            continue;
        }
        if !after.is_empty() && !after.starts_with(between) {
            return Some(Err(()));
        }
        let text = &inner[..mark];
        let text =
            if is_doubled { Cow::Owned(text.replace("\"\"", "\"")) } else { Cow::Borrowed(text) };
        return Some(Ok((text, mark + 2)));
    }
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
