//! Tables of edges, with a heading or without.

use super::{
    Direction, Draft, Format, FormatError, GraphRead, NoteKind, Peek, TableSample, Values, short,
};
use crate::tables::{TableCell, TableColumn, TableHeading, TableRow, TableText, decimal, triple};
use crate::{Graph, NodeName};

pub(super) const FORMAT: Format = Format {
    id: "edge_table",
    title: "Table of edges",
    extensions: &["csv", "tsv", "tab"],
    reads: "rows with source and target between commas, semicolons, tabs or bars, with quotation marks, \
            line breaks in cells and decimal commas; headings of Gephi, Cytoscape, neo4j-admin, PrimeKG \
            and `source`, `from`, `head`, `node1` and the like, or none; a table of nodes alone",
    loses: "relations, other columns",
    keeps: "edges, weights, capacities; nodes without edges are not written",
    is_it,
    parse: |text| open_table(text, &TableColumns::default()),
    nth: None,
    write: Some(write),
};

/// How many rows decide what columns without a heading have.
const LOOKED_AT: usize = 200;

/// The columns that make the graph.
const READ: [TableColumn; 9] = [
    TableColumn::Source,
    TableColumn::Target,
    TableColumn::Relation,
    TableColumn::Weight,
    TableColumn::Capacity,
    TableColumn::Type,
    TableColumn::Id,
    TableColumn::Label,
    TableColumn::Triple,
];

/// Columns of a table that a person named: by what the first row calls them, or by their place from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TableColumns {
    /// Where an edge starts.
    pub source: Option<String>,
    /// Where it ends.
    pub target: Option<String>,
    /// What it is called.
    pub relation: Option<String>,
    /// Its weight.
    pub weight: Option<String>,
}

impl TableColumns {
    /// Whether a person named none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Where these columns of a table are, and whether its first row is a heading. A column that nobody
    /// named is the one that the heading names so.
    ///
    /// # Errors
    /// There is no such column, or none for an end of an edge.
    pub fn find(&self, table: &TableText<'_>) -> Result<(TableHeading, bool), FormatError> {
        let first = table.rows().next().ok_or_else(|| FormatError::new("the table is empty"))?;
        let known = table.heading();
        let mut is_headed = known.is_some();
        let mut columns = Vec::new();
        let all = [
            (TableColumn::Source, "source", &self.source),
            (TableColumn::Target, "target", &self.target),
            (TableColumn::Relation, "relation", &self.relation),
            (TableColumn::Weight, "weight", &self.weight),
        ];
        for (column, what, name) in all {
            let at = match name {
                Some(name) => {
                    let (at, is_name) = column_of(&first, name)?;
                    is_headed |= is_name;
                    Some(at)
                }
                None => known.as_ref().and_then(|k| k.column(column)),
            };
            match at {
                Some(at) => columns.push((column, at)),
                None if matches!(column, TableColumn::Source | TableColumn::Target) => {
                    let message = format!("the column of the {what} is missing: say which it is");
                    return Err(FormatError { table: sample(table), ..FormatError::new(message) });
                }
                None => {}
            }
        }
        Ok((TableHeading::chosen(&columns), is_headed))
    }
}

/// The column of a first row that a person named, and whether by its name rather than by its place.
fn column_of(first: &TableRow<'_>, name: &str) -> Result<(usize, bool), FormatError> {
    let is_it = |c: &TableCell<'_>| c.trim().eq_ignore_ascii_case(name.trim());
    if let Some(at) = first.cells.iter().position(is_it) {
        return Ok((at, true));
    }
    if let Ok(place) = name.trim().parse::<usize>()
        && (1..=first.cells.len()).contains(&place)
    {
        return Ok((place - 1, false));
    }
    let shown: Vec<String> = first.cells.iter().take(20).map(|c| short(c)).collect();
    let message = format!("there is no column `{}`; there are {}", short(name), shown.join(", "));
    Err(FormatError::at(first.line, message))
}

fn is_it(peek: &Peek<'_>) -> bool {
    let table = peek.table();
    if !table.is_table() {
        return false;
    }
    let rows: Vec<TableRow<'_>> = table.rows().take(LOOKED_AT).collect();
    if table.heading().is_some() {
        return rows.len() > 1 || table.separator() != ' ';
    }
    // Without a heading, blanks and comments are for the edge list.
    table.separator() != ' ' && peek.comments.is_empty() && bare(&rows, table.separator()).is_some()
}

/// What columns without a heading have, where nothing else fits them.
fn bare(rows: &[TableRow<'_>], separator: char) -> Option<TableHeading> {
    let n = rows.first()?.cells.len();
    // Prose has no bars or tabs, so that titles of films and the like may stand between them.
    let is_of_names = matches!(separator, '|' | '\t');
    // Arrows and brackets are signs of other forms, full stops those of prose.
    let is_name = |c: &TableCell<'_>| {
        (is_of_names && c.len() <= NodeName::MAX_LEN && !c.starts_with(['{', '<']))
            || c.len() <= 80
                && c.split_whitespace().count() <= 5
                && !c.starts_with(['{', '[', '(', '<'])
                && !c.ends_with(['.', '?', '!', ':', '{', '['])
                && !["->", "--", "→", "{", "}", ": "].iter().any(|arrow| c.contains(arrow))
    };
    let is_number = |c: &TableCell<'_>| decimal(c, ';').is_some();
    let column = |i: usize| rows.iter().filter_map(move |r| r.cells.get(i));
    let are_names = (0..2).all(|i| column(i).all(is_name)) && n >= 2;
    let are_numbers = |i: usize| column(i).all(is_number);
    // Numbers under a word have a heading.
    let is_headed = rows.len() > 1
        && (0..n).any(|i| column(i).skip(1).all(is_number) && !is_number(&rows[0].cells[i]));
    if !are_names || is_headed {
        return None;
    }
    let ends = [(TableColumn::Source, 0), (TableColumn::Target, 1)];
    match n {
        2 => Some(TableHeading::chosen(&ends)),
        _ if (2..n).all(are_numbers) => {
            Some(TableHeading::chosen(&[ends[0], ends[1], (TableColumn::Weight, 2)]))
        }
        3 => {
            let relations: std::collections::BTreeSet<&str> = column(1).map(|c| &**c).collect();
            let is_few = relations.len() * 2 <= rows.len().max(2);
            let columns =
                [(TableColumn::Source, 0), (TableColumn::Relation, 1), (TableColumn::Target, 2)];
            is_few.then(|| TableHeading::chosen(&columns))
        }
        _ => None,
    }
}

/// What to say of a table whose columns are not known.
pub(super) fn unknown(table: &TableText<'_>) -> Option<FormatError> {
    let first = table.rows().next().filter(|_| table.is_table() && table.separator() != ' ')?;
    table.rows().nth(1)?;
    let shown: Vec<String> =
        first.cells.iter().take(8).map(|c| format!("`{}`", short(c))).collect();
    Some(FormatError {
        form: Some("a table"),
        table: sample(table),
        ..FormatError::at(
            first.line,
            format!(
                "none of the columns {} is called `source` and none `target`: call them so, or say which \
                 they are",
                shown.join(", ")
            ),
        )
    })
}

/// How many rows and cells show a person what a table has.
const SAMPLE: usize = 5;
const SAMPLE_CELLS: usize = 20;

fn sample(table: &TableText<'_>) -> Option<Box<TableSample>> {
    let cells = |row: TableRow<'_>| row.cells.iter().take(SAMPLE_CELLS).map(|c| short(c)).collect();
    let mut rows = table.rows().map(cells);
    Some(Box::new(TableSample { columns: rows.next()?, rows: rows.take(SAMPLE).collect() }))
}

/// Reads a table of edges, with the columns that a person named.
///
/// # Errors
/// There is no such column, or nothing can be read.
pub fn open_table(text: &str, chosen: &TableColumns) -> Result<GraphRead, FormatError> {
    let (draft, direction) = read(Draft::new(), text, chosen)?;
    draft.finish(direction)
}

/// Reads a graph of several tables: of nodes and of the edges between them, as neo4j-admin and Gephi
/// have them.
///
/// # Errors
/// As [`open_table`].
pub fn open_tables(texts: &[&str]) -> Result<GraphRead, FormatError> {
    let has_nodes = |text: &str| TableText::new(text).heading().is_some_and(|h| h.has_nodes());
    let (nodes, edges): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| has_nodes(text));
    let (mut draft, mut direction) = (Draft::new(), Direction::Assumed(false));
    for text in nodes.into_iter().chain(edges) {
        (draft, direction) = read(draft, text, &TableColumns::default())?;
    }
    draft.finish(direction)
}

/// Reads a table into what was read before it.
fn read(
    mut draft: Draft,
    text: &str,
    chosen: &TableColumns,
) -> Result<(Draft, Direction), FormatError> {
    let table = TableText::new(text);
    let first = table.rows().next();
    let Some(first) = first else { return Err(FormatError::new("the table is empty")) };
    let (heading, is_headed) = if chosen.is_empty() {
        match table.heading() {
            Some(heading) => (heading, true),
            None => {
                let rows: Vec<TableRow<'_>> = table.rows().take(LOOKED_AT).collect();
                let Some(heading) = bare(&rows, table.separator()) else {
                    return Err(unknown(&table).map_or_else(
                        || {
                            FormatError::at(
                                first.line,
                                "a row of a table of edges is `A,B` or `A,B,3`",
                            )
                        },
                        |e| FormatError { form: None, ..e },
                    ));
                };
                draft.notes.say(NoteKind::Defaulted, "the first row is an edge, not a heading");
                (heading, false)
            }
        }
    } else {
        chosen.find(&table)?
    };
    if is_headed {
        for (i, name) in first.cells.iter().enumerate() {
            let is_read = |c: &TableColumn| heading.column(*c) == Some(i);
            let names = [TableColumn::Relation, TableColumn::Label];
            if !READ.iter().any(is_read) || heading.has_edges() && names.iter().any(is_read) {
                draft.notes.count(NoteKind::Dropped, "column|".into(), name, 1, None);
            }
        }
    } else if let Some(i) = heading.column(TableColumn::Relation) {
        let place = (i + 1).to_string();
        draft.notes.count(NoteKind::Dropped, "column|".into(), &place, 1, None);
    }
    let mut reading = Reading { draft, heading, separator: table.separator() };
    for row in table.rows().skip(usize::from(is_headed)) {
        if let Err(error) = reading.row(&row) {
            reading.draft.fault_of(row.line, error);
        }
    }
    let comments = text
        .lines()
        .map(str::trim)
        .map_while(|line| if line.is_empty() { Some("") } else { super::sign::comment(line) });
    let is_directed = reading.heading.is_neo4j || reading.heading.has_triples();
    let direction = match super::edge_list::read_comments(comments).directed {
        Some(directed) => Direction::Is(directed),
        None if is_directed => Direction::Is(true),
        None => Direction::Assumed(false),
    };
    Ok((reading.draft, direction))
}

struct Reading {
    draft: Draft,
    heading: TableHeading,
    separator: char,
}

impl Reading {
    fn row(&mut self, row: &TableRow<'_>) -> Result<(), FormatError> {
        let at = row.line;
        let cell = |heading: &TableHeading, column: TableColumn| {
            let cell = heading.column(column).and_then(|i| row.cells.get(i)).map(|c| &*c.text);
            cell.filter(|c| !c.is_empty())
        };
        if row.stray.is_some() {
            self.draft.note(
                NoteKind::Turned,
                "line| with a quotation mark that is not closed, read without it",
                "",
                at,
            );
        }
        if self.heading.has_edges() {
            let needed = |column, what: &str| {
                cell(&self.heading, column)
                    .ok_or_else(|| FormatError::new(format!("the {what} is empty")))
            };
            let (a, b) =
                (needed(TableColumn::Source, "source")?, needed(TableColumn::Target, "target")?);
            let mut values: Values = [None; 2];
            for (slot, column) in
                values.iter_mut().zip([TableColumn::Weight, TableColumn::Capacity])
            {
                let Some(text) = cell(&self.heading, column) else { continue };
                let (value, has_comma) = decimal(text, self.separator).ok_or_else(|| {
                    FormatError::new(format!(
                        "`{}` is no number: give one such as 2.5",
                        short(text)
                    ))
                })?;
                *slot = Some(value);
                if has_comma {
                    self.draft.note(NoteKind::Turned, "decimal comma| into points", "", at);
                }
            }
            // Gephi says there whether an edge has a direction; others, what it is.
            let kind = cell(&self.heading, TableColumn::Type).map(str::to_ascii_lowercase);
            let is_directed = match kind.as_deref() {
                Some("directed" | "true") => Some(true),
                Some("undirected" | "mutual" | "false") => Some(false),
                Some(other) => {
                    self.draft.note(NoteKind::Dropped, "type| of edges, such as", other, at);
                    None
                }
                None => None,
            };
            self.draft.link([a, b], values, is_directed, at);
            return Ok(());
        }
        if self.heading.has_triples() {
            let text = cell(&self.heading, TableColumn::Triple).unwrap_or_default();
            let [a, _, b] = triple(text).ok_or_else(|| {
                FormatError::new(format!(
                    "`{}` is no edge of Cytoscape such as `a (pp) b`",
                    short(text)
                ))
            })?;
            self.draft.link([a, b], [None; 2], None, at);
            return Ok(());
        }
        let id = cell(&self.heading, TableColumn::Id)
            .ok_or_else(|| FormatError::new("the id is empty"))?;
        let node = self.draft.node(id)?;
        if let Some(label) = cell(&self.heading, TableColumn::Label) {
            self.draft.label(node, label);
        }
        Ok(())
    }
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let quoted = |text: String| {
        let is_plain = !text.contains([',', '"', '\n', '\r']) && text.trim() == text;
        if is_plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) }
    };
    let has_capacities = graph.edges().any(|e| e.capacity.is_some());
    let mut text = String::from("Source,Target,Type,Weight");
    text += if has_capacities { ",Capacity\n" } else { "\n" };
    let kind = if graph.is_directed() { "Directed" } else { "Undirected" };
    for e in graph.edges() {
        let value = |v: Option<f64>| v.map(|v| v.to_string()).unwrap_or_default();
        let (source, target) = (quoted(e.source.to_string()), quoted(e.target.to_string()));
        text += &format!("{source},{target},{kind},{}", value(e.weight));
        if has_capacities {
            text += &format!(",{}", value(e.capacity));
        }
        text.push('\n');
    }
    Ok(text)
}
