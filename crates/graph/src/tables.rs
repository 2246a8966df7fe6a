//! Tables as text: one reader for all that is separated by commas, semicolons, tabs, bars or blanks.
//!
//! A row is a record, not a line: a cell between quotation marks may have line breaks. A quotation mark
//! that nothing closes spoils its own line alone.

use std::borrow::Cow;

/// How much of a text the separator is found by.
const SAMPLE: usize = 1 << 16;
/// How many rows of it.
const SAMPLE_ROWS: usize = 50;
/// How many lines with a quotation mark too many are read without marks; then none is heeded.
const MAX_STRAY: usize = 20;
/// What separates cells, the likelier first.
const SEPARATORS: [u8; 4] = [b'\t', b';', b',', b'|'];

/// One row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The line in which it begins, from 1.
    pub line: usize,
    /// Its cells without blanks around them.
    pub cells: Vec<String>,
    /// Whether a quotation mark in it is not closed.
    pub is_stray: bool,
}

/// A text with the separator that its rows have.
#[derive(Clone, Debug)]
pub struct TableText<'a> {
    text: &'a str,
    first_line: usize,
    separator: u8,
    n_columns: usize,
    share: f64,
}

impl<'a> TableText<'a> {
    /// Finds the separator by the first rows: the one that gives most of them the same number of
    /// cells, and of those the one that gives more.
    pub fn new(text: &'a str) -> Self {
        let (text, first_line) = without_comments(text);
        let mut sample = &text[..text.floor_char_boundary(SAMPLE)];
        if sample.len() < text.len() {
            // The last row may be cut.
            sample = sample.rfind('\n').map_or(sample, |end| &sample[..end]);
        }
        let mut best = Self { text, first_line, separator: b' ', n_columns: 0, share: 0.0 };
        for separator in SEPARATORS {
            let (n_columns, share) = usual(sample, separator);
            let (rounded, best_rounded) = ((share * 10.0).round(), (best.share * 10.0).round());
            if n_columns > 1 && (rounded, n_columns) > (best_rounded, best.n_columns) {
                best = Self { separator, n_columns, share, ..best };
            }
        }
        if best.n_columns == 0 {
            (best.n_columns, best.share) = usual(sample, b' ');
        }
        best
    }

    /// What separates its cells; a blank stands for any number of blanks.
    pub fn separator(&self) -> char {
        char::from(self.separator)
    }

    /// How many cells most rows have.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Whether nearly all rows have the same number of cells, and more than one.
    pub fn is_table(&self) -> bool {
        self.n_columns > 1 && self.share >= 0.8
    }

    /// The heading that the first row is. What comes again below it is the name of a node.
    pub fn heading(&self) -> Option<TableHeading> {
        let mut rows = self.rows();
        let first = rows.next()?;
        let heading = TableHeading::of(&first.cells)?;
        let ends = [TableColumn::Source, TableColumn::Target].map(|c| heading.column(c));
        let names = |cells: &[String]| ends.map(|at| at.and_then(|at| cells.get(at).cloned()));
        let called = names(&first.cells);
        let is_letter = |name: &String| name.chars().count() == 1;
        let are_letters = called.iter().flatten().any(is_letter);
        // Under `u` and `v`, names of a letter are other nodes beside them.
        let is_again = |row: TableRow| {
            names(&row.cells).iter().flatten().any(|n| {
                called.iter().flatten().any(|c| c == n)
                    || are_letters && is_letter(n) && !is_digit(n)
            })
        };
        (!rows.take(SAMPLE_ROWS).any(is_again)).then_some(heading)
    }

    /// All rows, one after the other; empty lines are none.
    pub fn rows(&self) -> RecordRows<'a> {
        RecordRows::new(self.text, self.first_line, self.separator, self.n_columns)
    }
}

fn is_digit(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_digit())
}

/// A text behind the comments at its beginning, and the number of its first line. A comment that is a
/// heading is one.
fn without_comments(text: &str) -> (&str, usize) {
    let mut rest = text.trim_start_matches('\u{feff}');
    let mut line = 1;
    loop {
        let end = rest.find('\n').map_or(rest.len(), |i| i + 1);
        let first = rest[..end].trim();
        let Some(words) = first.strip_prefix('#').or_else(|| first.strip_prefix('%')) else {
            if !first.is_empty() || end == 0 {
                return (rest, line);
            }
            rest = &rest[end..];
            line += 1;
            continue;
        };
        let cells: Vec<String> =
            words.split(['\t', ',', ';', ' ']).map(|c| c.trim().to_owned()).collect();
        let cells: Vec<String> = cells.into_iter().filter(|c| !c.is_empty()).collect();
        if TableHeading::of(&cells).is_some_and(|h| h.has_edges()) {
            return (&rest[rest.find(words).unwrap_or(0)..], line);
        }
        rest = &rest[end..];
        line += 1;
    }
}

/// The number of cells that most rows have, and the share of rows that have it.
fn usual(sample: &str, separator: u8) -> (usize, f64) {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    let mut n = 0;
    for row in RecordRows::new(sample, 1, separator, 0).take(SAMPLE_ROWS) {
        n += 1;
        match counts.iter_mut().find(|c| c.0 == row.cells.len()) {
            Some(count) => count.1 += 1,
            None => counts.push((row.cells.len(), 1)),
        }
    }
    let best = counts.iter().copied().max_by_key(|&(cells, n)| (n, cells));
    best.map_or((0, 0.0), |(cells, times)| (cells, times as f64 / f64::from(n)))
}

/// Rows of a table.
pub struct RecordRows<'a> {
    text: &'a str,
    /// Where the reader began, in bytes and lines.
    start: usize,
    first_line: usize,
    separator: u8,
    n_columns: usize,
    reader: csv::Reader<&'a [u8]>,
    n_stray: usize,
}

impl<'a> RecordRows<'a> {
    fn new(text: &'a str, first_line: usize, separator: u8, n_columns: usize) -> Self {
        let reader = reader(text, separator, true);
        Self { text, start: 0, first_line, separator, n_columns, reader, n_stray: 0 }
    }

    fn begin_at(&mut self, start: usize, line: usize) {
        self.start = start.min(self.text.len());
        self.first_line = line;
        self.reader = reader(&self.text[self.start..], self.separator, self.n_stray < MAX_STRAY);
    }
}

fn reader(text: &str, separator: u8, has_quotes: bool) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        // Blanks are cells' own where lines are cut at them, and the mark of a line is a rare one.
        .delimiter(if separator == b' ' { 0x1f } else { separator })
        .has_headers(false)
        .flexible(true)
        .quoting(has_quotes && separator != b' ')
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes())
}

impl Iterator for RecordRows<'_> {
    type Item = TableRow;

    fn next(&mut self) -> Option<TableRow> {
        loop {
            let mut record = csv::StringRecord::new();
            if !self.reader.read_record(&mut record).ok()? {
                return None;
            }
            let position = record.position()?;
            let mut at = self.start + position.byte() as usize;
            let mut line = self.first_line + position.line() as usize - 1;
            // Empty lines before a row are counted to it.
            while let Some(c @ (b'\n' | b'\r')) = self.text.as_bytes().get(at) {
                line += usize::from(*c == b'\n');
                at += 1;
            }
            let has_break = record.iter().any(|cell| cell.contains('\n'));
            let is_odd = self.n_columns > 0 && record.len() != self.n_columns;
            let end = self.start + self.reader.position().byte() as usize;
            let is_open = end >= self.text.len() && {
                let marks = self.text[at..].bytes().filter(|b| *b == b'"').count();
                marks % 2 == 1
            };
            if has_break && (is_odd || is_open) {
                self.n_stray += 1;
                let rest = &self.text[at..];
                let end = rest.find('\n').map_or(rest.len(), |i| i + 1);
                let separator = char::from(self.separator);
                let cells =
                    rest[..end].split(separator).map(|c| c.trim().trim_matches('"').to_owned());
                let row = TableRow { line, cells: cells.collect(), is_stray: true };
                self.begin_at(at + end, line + 1);
                return Some(row);
            }
            let cells: Vec<String> = if self.separator == b' ' {
                record.iter().flat_map(str::split_whitespace).map(str::to_owned).collect()
            } else {
                record.iter().map(str::to_owned).collect()
            };
            if cells.iter().all(String::is_empty) {
                continue;
            }
            return Some(TableRow { line, cells, is_stray: false });
        }
    }
}

/// What a column of a table of edges or nodes has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableColumn {
    /// Where an edge starts.
    Source,
    /// Where it ends.
    Target,
    /// What it is called.
    Relation,
    /// Its weight.
    Weight,
    /// Its capacity.
    Capacity,
    /// Whether it has a direction, or its relation.
    Type,
    /// The id of a node, or of an edge where there are ends.
    Id,
    /// The label of a node, or of an edge.
    Label,
    /// Source, relation and target in one, as Cytoscape exports it: `a (pp) b`.
    Triple,
}

/// How columns are called, in small letters without anything but letters and digits; the better first.
const NAMES: &[(TableColumn, &[&str])] = &[
    (
        TableColumn::Source,
        &[
            "source",
            "startid",
            "xname",
            "src",
            "from",
            "head",
            "subject",
            "sourcenode",
            "sourceid",
            "sourcename",
            "fromnode",
            "fromnodeid",
            "fromid",
            "start",
            "startnode",
            "headid",
            "node1",
            "nodea",
            "nodefrom",
            "vertex1",
            "protein1",
            "gene1",
            "interactora",
            "user1",
            "person1",
            "id1",
            "xid",
            "xindex",
            "von",
            "quelle",
            "origen",
            "origine",
            "de",
            "follower",
            "sender",
            "caller",
            "parent",
            "row",
            "u",
            "s",
        ],
    ),
    (
        TableColumn::Target,
        &[
            "target",
            "endid",
            "yname",
            "dst",
            "dest",
            "destination",
            "to",
            "tail",
            "object",
            "targetnode",
            "targetid",
            "targetname",
            "tonode",
            "tonodeid",
            "toid",
            "end",
            "endnode",
            "tailid",
            "node2",
            "nodeb",
            "nodeto",
            "vertex2",
            "protein2",
            "gene2",
            "interactorb",
            "user2",
            "person2",
            "id2",
            "yid",
            "yindex",
            "nach",
            "ziel",
            "cible",
            "destino",
            "destinazione",
            "vers",
            "followee",
            "followed",
            "receiver",
            "recipient",
            "callee",
            "child",
            "col",
            "column",
            "v",
            "t",
        ],
    ),
    (
        TableColumn::Relation,
        &[
            "relation",
            "rel",
            "predicate",
            "displayrelation",
            "edgetype",
            "metaedge",
            "relationship",
            "reltype",
            "interaction",
            "property",
            "p",
            "r",
            "edge",
            "beziehung",
        ],
    ),
    (
        TableColumn::Weight,
        &[
            "weight",
            "weights",
            "edgeweight",
            "value",
            "cost",
            "distance",
            "dist",
            "length",
            "strength",
            "score",
            "combinedscore",
            "count",
            "gewicht",
            "poids",
            "peso",
            "km",
            "w",
        ],
    ),
    (TableColumn::Capacity, &["capacity", "cap"]),
    (TableColumn::Type, &["type", "directed", "edgedirection"]),
    (TableColumn::Id, &["id", "nodeid", "identifier", "suid"]),
    (TableColumn::Label, &["label", "name", "title"]),
    (TableColumn::Triple, &["sharedname"]),
];

/// Which column of a table has what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableHeading {
    at: [Option<usize>; NAMES.len()],
    /// Whether it is one of neo4j-admin's, whose edges have a direction.
    pub is_neo4j: bool,
}

/// A column's name for comparing.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl TableHeading {
    /// The heading that a first row is, where its cells are known: of neo4j-admin, Gephi, Cytoscape,
    /// PrimeKG, and with the names that others give to the ends of an edge.
    pub fn of(cells: &[impl AsRef<str>]) -> Option<Self> {
        // A number is no name of a column.
        if cells.iter().any(|c| c.as_ref().trim().parse::<f64>().is_ok()) {
            return None;
        }
        let mut heading = Self::default();
        let mut ranks = [usize::MAX; NAMES.len()];
        for (i, cell) in cells.iter().enumerate() {
            let cell = cell.as_ref().trim();
            // neo4j-admin: `personId:ID(Person)`, `:START_ID`, `since:int`.
            let name = match cell.split_once(':') {
                Some((name, kind)) => {
                    let kind = kind.split('(').next().unwrap_or_default();
                    let is_neo4j = ["ID", "START_ID", "END_ID", "TYPE", "LABEL"].contains(&kind);
                    heading.is_neo4j |= is_neo4j;
                    match kind {
                        "LABEL" => continue,
                        _ if is_neo4j => plain(kind),
                        _ => plain(name),
                    }
                }
                None => plain(cell),
            };
            for (slot, (_, names)) in NAMES.iter().enumerate() {
                if let Some(rank) = names.iter().position(|n| *n == name)
                    && rank < ranks[slot]
                {
                    ranks[slot] = rank;
                    heading.at[slot] = Some(i);
                }
            }
        }
        (heading.has_edges() || heading.has_nodes() || heading.has_triples()).then_some(heading)
    }

    /// A heading with columns that a person named.
    pub fn chosen(columns: &[(TableColumn, usize)]) -> Self {
        let mut heading = Self::default();
        for (column, at) in columns {
            heading.at[slot(*column)] = Some(*at);
        }
        heading
    }

    /// Where a column is.
    pub fn column(&self, column: TableColumn) -> Option<usize> {
        self.at[slot(column)]
    }

    /// Whether each row is an edge.
    pub fn has_edges(&self) -> bool {
        self.column(TableColumn::Source).is_some() && self.column(TableColumn::Target).is_some()
    }

    /// Whether each row is an edge in one cell.
    pub fn has_triples(&self) -> bool {
        self.column(TableColumn::Triple).is_some() && self.column(TableColumn::Id).is_some()
    }

    /// Whether each row is a node.
    pub fn has_nodes(&self) -> bool {
        let is_edge = self.column(TableColumn::Source).is_some()
            || self.column(TableColumn::Target).is_some();
        let is_labelled = self.column(TableColumn::Label).is_some() || self.is_neo4j;
        !is_edge && self.column(TableColumn::Id) == Some(0) && is_labelled
    }

    /// Whether a column says something that is read.
    pub fn is_read(&self, at: usize) -> bool {
        self.at.contains(&Some(at))
    }
}

fn slot(column: TableColumn) -> usize {
    NAMES.iter().position(|(c, _)| *c == column).unwrap_or_default()
}

/// A number with a point or, where commas separate no cells, with a comma; and whether it had one.
pub fn decimal(text: &str, separator: char) -> Option<(f64, bool)> {
    let text = text.trim();
    if let Ok(value) = text.parse::<f64>() {
        return value.is_finite().then_some((value, false));
    }
    let (whole, fraction) = text.split_once(',').filter(|_| separator != ',')?;
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    // `1.234,5`: points part thousands where a comma parts the fraction.
    let whole: Cow<'_, str> =
        if whole.contains('.') { whole.replace('.', "").into() } else { whole.into() };
    let value = is_fraction.then(|| format!("{whole}.{fraction}").parse::<f64>().ok()).flatten()?;
    value.is_finite().then_some((value, true))
}
