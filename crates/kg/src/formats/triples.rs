//! Triples as rows of cells, parted by tabs, commas or bars.
//!
//! A first row of names says which column is which; without one the columns are source, relation,
//! target, and of five the last two are the types of the ends. Two columns are edges without a
//! type. An id such as `Gene::9021` brings its type along.
//!
//! Headings of neo4j-admin are read too: a table of nodes, with `:ID` and `:LABEL`, and one of edges,
//! with `:START_ID`, `:END_ID` and `:TYPE`.

use std::borrow::Cow;

use serde_json::Map;

use super::{Faults, Format, line_faults};
use crate::{Kg, KgBuilder, KgError, NodeIx};

/// Tab-separated.
pub(super) const TSV: Format = Format {
    id: "tsv",
    title: "Triples, tab-separated",
    endings: &["tsv", "tab", "sif"],
    example: "Bob\tknows\tAlice",
    keeps: "nodes, types, names, edges; no attributes, and a line break in a name becomes a space",
    read: |text, into| read(text, '\t', into),
    write: |kg| write(kg, '\t'),
};

/// Comma-separated.
pub(super) const CSV: Format = Format {
    id: "csv",
    title: "Triples, comma-separated",
    endings: &["csv"],
    example: "Bob,knows,Alice",
    keeps: "nodes, types, names, edges; no attributes, and a line break in a name becomes a space",
    read: |text, into| read(text, ',', into),
    write: |kg| write(kg, ','),
};

/// With bars between, as MetaQA has its graph.
pub(super) const BARS: Format = Format {
    id: "bars",
    title: "Triples, with bars between",
    endings: &["psv"],
    example: "Bob|knows|Alice",
    keeps: "nodes, types, names, edges; no attributes, and a line break in a name becomes a space",
    read: |text, into| read(text, '|', into),
    write: |kg| write(kg, '|'),
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
    // neo4j-admin: `personId:ID(Person)`, `:START_ID(Person)`, `since:int`.
    let name = match neo4j(name) {
        Some("START_ID" | "ID") => return Column::Source,
        Some("END_ID") => return Column::Target,
        Some("TYPE") => return Column::Relation,
        Some("LABEL") => return Column::SourceType,
        _ => name,
    };
    let plain: String =
        name.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    let is_it = |(_, names): &&(Column, &[&str])| names.contains(&plain.as_str());
    NAMES.iter().find(is_it).map_or(Column::Other, |(column, _)| *column)
}

/// What neo4j-admin says of a column behind its name, without the space of ids in brackets.
fn neo4j(cell: &str) -> Option<&str> {
    let kind = cell.trim().split_once(':')?.1.split('(').next()?;
    ["ID", "START_ID", "END_ID", "TYPE", "LABEL"].contains(&kind).then_some(kind)
}

/// Where each column is.
struct Layout {
    /// By [`Column`]; one that the file does not have is past every row's end.
    at: [usize; 7],
    /// How many columns mean something.
    n_named: usize,
    /// Whether each row is a node.
    is_of_nodes: bool,
    /// Whether edges may have no label, as Gephi's.
    is_gephi: bool,
}

/// The place of a column that a file does not have.
const NOWHERE: usize = usize::MAX;

impl Layout {
    /// What a first row says, if it names a source and a target, each once; or if it is the heading of
    /// neo4j-admin's nodes.
    fn named(cells: &[Cell<'_>]) -> Option<Self> {
        let mut columns: Vec<Column> = cells.iter().map(|c| column(&c.text)).collect();
        if cells.iter().any(|c| neo4j(&c.text) == Some("ID")) {
            let name = cells.iter().position(|c| c.text.trim().split(':').next() == Some("name"));
            if let Some(name) = name.filter(|at| columns[*at] == Column::Other) {
                columns[name] = Column::SourceName;
            }
            return Some(Self { is_of_nodes: true, ..Self::of(&columns) });
        }
        // Gephi's `Type` says whether an edge has a direction; its `Label` what the edge is.
        let names: Vec<String> = cells.iter().map(|c| c.text.trim().to_lowercase()).collect();
        let of_type = names.iter().position(|name| name == "type");
        let of_type = of_type.filter(|_| names.iter().any(|name| name == "label"));
        if let Some(of_type) = of_type {
            columns[of_type] = Column::Other;
        }
        let n = |wanted: Column| columns.iter().filter(|c| **c == wanted).count();
        (n(Column::Source) == 1 && n(Column::Target) == 1 && n(Column::Relation) <= 1)
            .then(|| Self { is_gephi: of_type.is_some(), ..Self::of(&columns) })
    }

    fn of(columns: &[Column]) -> Self {
        let mut at = [NOWHERE; 7];
        for (i, column) in columns.iter().enumerate() {
            if let Some(at) = at.get_mut(*column as usize).filter(|at| **at == NOWHERE) {
                *at = i;
            }
        }
        let n_named = at.iter().filter(|at| **at != NOWHERE).count();
        Self { at, n_named, is_of_nodes: false, is_gephi: false }
    }

    fn has(&self, column: Column) -> bool {
        self.at[column as usize] != NOWHERE
    }

    /// The two ends of an edge, and nothing else.
    fn ends() -> Self {
        Self::of(&[Column::Source, Column::Target])
    }

    /// What so many columns without names are.
    fn plain(n: usize) -> Self {
        use Column::{Relation, Source, SourceType, Target, TargetType};
        Self::of(match n {
            0..=2 => &[Source, Target],
            3 | 4 => &[Source, Relation, Target],
            _ => &[Source, Relation, Target, SourceType, TargetType],
        })
    }
}

/// A cell and the byte of its line at which it begins.
struct Cell<'a> {
    text: Cow<'a, str>,
    start: usize,
}

fn read(text: &str, between: char, into: &mut KgBuilder) -> Faults {
    let mut layout: Option<Layout> = None;
    let mut cells = Vec::new();
    let what = match between {
        ',' => "comma-separated table",
        '|' => "table with bars",
        _ => "tab-separated table",
    };
    let has_weights = has_weights(text, between);
    let mut faults = line_faults(text, what, |line| {
        if line.starts_with('#') && layout.is_none() {
            return Ok(false);
        }
        cells.clear();
        // Characters are counted only where a place is told.
        let placed = |(at, message): (usize, String)| (line[..at].chars().count() + 1, message);
        split(line, between, &mut cells).map_err(placed)?;
        let layout = match &mut layout {
            Some(layout) => layout,
            none => {
                if let Some(named) = Layout::named(&cells) {
                    *none = Some(named);
                    return Ok(false);
                }
                none.insert(if has_weights { Layout::ends() } else { Layout::plain(cells.len()) })
            }
        };
        row(layout, &cells, into).map(|()| true).map_err(placed)
    });
    if has_weights {
        faults.note("left out: the numbers of the third column".into());
    }
    faults
}

/// How many lines decide what the third column of a table without a heading has.
const LOOKED_AT: usize = 50;

/// Whether the rows are two names and a number with a decimal point, which is no name.
fn has_weights(text: &str, between: char) -> bool {
    let mut has_point = false;
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut n = 0;
    for line in lines.take(LOOKED_AT) {
        let mut cells = line.split(between).map(str::trim);
        let (_, second, third, fourth) = (cells.next(), cells.next(), cells.next(), cells.next());
        let is_number = |cell: Option<&str>| cell.is_some_and(|c| c.parse::<f64>().is_ok());
        if !is_number(third) || is_number(second) || fourth.is_some() {
            return false;
        }
        has_point |= third.is_some_and(|cell| cell.contains('.'));
        n += 1;
    }
    n > 0 && has_point
}

/// Reads a row; a fault has the byte at which it is.
fn row(layout: &Layout, cells: &[Cell<'_>], into: &mut KgBuilder) -> Result<(), (usize, String)> {
    let cell =
        |column: Column| cells.get(layout.at[column as usize]).filter(|c| !c.text.is_empty());
    let fault =
        |column: Column, error: KgError| (cell(column).map_or(0, |c| c.start), error.to_string());
    let Some(source) = cell(Column::Source) else {
        return Err((0, "there is no source; expected source, relation, target".into()));
    };
    let Some(target) = cell(Column::Target) else {
        // A row of a node alone: a source with a type.
        if layout.is_of_nodes
            || cell(Column::SourceType).is_some() && cell(Column::Relation).is_none()
        {
            return end(layout, cells, SOURCE, None, into);
        }
        let at = cells.last().map_or(0, |c| c.start);
        let n = layout.n_named;
        return Err((at, format!("there is no target among {} cells; expected {n}", cells.len())));
    };
    let relation = match cell(Column::Relation) {
        Some(cell) => &*cell.text,
        None if !layout.has(Column::Relation) || layout.is_gephi => UNTYPED_EDGE,
        None => return Err((target.start, "there is no relation before the target".into())),
    };
    let ends = into.link(&source.text, relation, &target.text).map_err(|error| {
        let at = match &error {
            KgError::TooLong { what, .. } | KgError::Empty { what } if what.contains("type") => {
                Column::Relation
            }
            KgError::TooLong { length, .. } if target.text.len() == *length => Column::Target,
            _ => Column::Source,
        };
        fault(at, error)
    })?;
    end(layout, cells, SOURCE, Some(ends[0]), into)?;
    end(layout, cells, TARGET, Some(ends[1]), into)
}

/// The columns of an end: id, type, name.
const SOURCE: [Column; 3] = [Column::Source, Column::SourceType, Column::SourceName];
const TARGET: [Column; 3] = [Column::Target, Column::TargetType, Column::TargetName];

/// Types and names a node, as far as the row says how.
fn end(
    layout: &Layout,
    cells: &[Cell<'_>],
    columns: [Column; 3],
    known: Option<NodeIx>,
    into: &mut KgBuilder,
) -> Result<(), (usize, String)> {
    let text = |column: Column| cells.get(layout.at[column as usize]).map_or("", |c| &*c.text);
    let (id, of, name) = (text(columns[0]), text(columns[1]), text(columns[2]));
    // A node of neo4j-admin may have several labels; one is its type.
    let of = if layout.is_of_nodes { of.split(';').next().unwrap_or_default() } else { of };
    let done = if layout.has(columns[1]) {
        // Where there is a column for types, ids are only ids.
        match of {
            "" if name.is_empty() => Ok(()),
            "" => into.name(id, name),
            of => into.node(id, of, name, Map::new()),
        }
    } else if known.is_some_and(|known| into.type_of(known).is_some()) && name.is_empty() {
        Ok(())
    } else if let Some((of, rest)) = split_id(id) {
        into.node(id, of, if name.is_empty() { rest } else { name }, Map::new())
    } else if name.is_empty() {
        Ok(())
    } else {
        into.name(id, name)
    };
    let at = cells.get(layout.at[columns[0] as usize]).map_or(0, |c| c.start);
    done.map_err(|error| (at, error.to_string()))
}

/// The type and the rest of an id such as `Gene::9021`.
fn split_id(id: &str) -> Option<(&str, &str)> {
    id.split_once("::").filter(|(of, rest)| !of.trim().is_empty() && !rest.trim().is_empty())
}

/// Cuts a line into cells. A cell in quotation marks may have what parts cells in it, and a
/// quotation mark as two.
fn split<'a>(
    line: &'a str,
    between: char,
    cells: &mut Vec<Cell<'a>>,
) -> Result<(), (usize, String)> {
    let mut rest = line;
    loop {
        let start = line.len() - rest.len();
        let (text, end) = match quoted(rest, between) {
            Some(Ok(found)) => found,
            Some(Err(())) if between == ',' => {
                return Err((start, "a quotation mark begins here and does not end".into()));
            }
            _ => {
                let end = rest.find(between).unwrap_or(rest.len());
                (Cow::Borrowed(rest[..end].trim()), end)
            }
        };
        cells.push(Cell { text, start });
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
