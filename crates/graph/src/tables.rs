//! Tables as text: one reader for all that is separated by commas, semicolons, tabs, bars or blanks.
//!
//! A row is a record, not a line: a cell between quotation marks may have line breaks. A quotation mark
//! that nothing closes spoils its own line alone.

use std::borrow::Cow;
use std::ops::Deref;

/// How much of a text the separator is found by.
const SAMPLE: usize = 1 << 16;
/// How many rows of it.
const SAMPLE_ROWS: usize = 50;
/// How many known names make a first row a heading, even where a node is called like one of them.
const SURE: usize = 4;
/// How many lines with a quotation mark too many are read without marks; then none is heeded.
const MAX_STRAY: usize = 20;
/// How many bytes between quotation marks are many, where they are no cell.
const FAR: usize = 1000;
/// What separates cells, the likelier first.
const SEPARATORS: [u8; 4] = [b'\t', b';', b',', b'|'];

/// One cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableCell<'a> {
    /// What it says, without blanks around it.
    pub text: Cow<'a, str>,
    /// The byte of the table at which it begins.
    start: usize,
}

impl Deref for TableCell<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for TableCell<'_> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// One row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow<'a> {
    /// The line in which it begins, from 1.
    pub line: usize,
    /// Its cells.
    pub cells: Vec<TableCell<'a>>,
    /// The first cell with a quotation mark that is not closed.
    pub stray: Option<usize>,
    /// The byte of the table at which its line begins.
    start: usize,
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
    /// cells, and of those the one that gives more. Where lists are in cells, what separates their
    /// parts gives more, but the first row has none.
    pub fn new(text: &'a str) -> Self {
        let (text, first_line) = without_comments(text);
        let mut sample = &text[..text.floor_char_boundary(SAMPLE)];
        if sample.len() < text.len() {
            // The last row may be cut.
            sample = sample.rfind('\n').map_or(sample, |end| &sample[..end]);
        }
        let mut best = Self { text, first_line, separator: b' ', n_columns: 0, share: 0.0 };
        let mut best_rank = (false, 0.0, false, 0);
        for separator in SEPARATORS {
            let (n_columns, share) = usual(sample, separator);
            let mut rows = RecordRows::new(sample, 1, separator, 0);
            let is_whole = |row: TableRow<'_>| row.stray.is_none() && row.cells.len() == n_columns;
            let is_first = rows.next().is_some_and(is_whole);
            let has_marks = rows.by_ref().take(SAMPLE_ROWS).any(|row| row.stray.is_some());
            let has_odd_marks = has_marks || rows.n_odd > 0;
            let rank = (is_first, (share * 10.0).round(), !has_odd_marks, n_columns);
            if n_columns > 1 && rank > best_rank {
                best = Self { separator, n_columns, share, ..best };
                best_rank = rank;
            }
        }
        if best.n_columns == 0 {
            (best.n_columns, best.share) = usual(sample, b' ');
        }
        best
    }

    /// The same with a separator that is known, where no sign but blanks separates cells and no
    /// heading says that blanks do.
    #[must_use]
    pub fn or_separated_by(self, separator: u8) -> Self {
        if self.separator != b' ' || self.heading().is_some() {
            return self;
        }
        let sample = &self.text[..self.text.floor_char_boundary(SAMPLE)];
        let (n_columns, share) = usual(sample, separator);
        Self { separator, n_columns, share, ..self }
    }

    /// The line and the column of a row's cell, both from 1.
    pub fn place(&self, row: &TableRow<'_>, cell: usize) -> (usize, usize) {
        let start = row.cells.get(cell).map_or(row.start, |cell| cell.start);
        let before = &self.text[row.start..start];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before[line_start..].chars().count() + 1;
        (row.line + before.matches('\n').count(), column)
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
        let names = |row: &TableRow<'a>| {
            ends.map(|at| at.and_then(|at| row.cells.get(at)).map(|cell| cell.text.clone()))
        };
        let called = names(&first);
        let is_letter = |name: &Cow<'_, str>| name.chars().count() == 1;
        let are_letters = called.iter().flatten().any(is_letter);
        // Under `u` and `v`, names of a letter are other nodes beside them.
        let is_again = |row: TableRow<'a>| {
            names(&row).iter().flatten().any(|n| {
                called.iter().flatten().any(|c| c == n)
                    || are_letters && is_letter(n) && !is_digit(n)
            })
        };
        let is_sure = (0..first.cells.len()).filter(|at| heading.is_known(*at)).count() >= SURE;
        let mut rows = rows.take(SAMPLE_ROWS).peekable();
        if are_letters && rows.peek().is_none() {
            return None;
        }
        (is_sure || !rows.any(is_again)).then_some(heading)
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
    /// Where the next row begins, in bytes and lines.
    at: usize,
    line: usize,
    separator: u8,
    n_columns: usize,
    n_stray: usize,
    /// How many cells begin with a quotation mark that does not end them.
    n_odd: usize,
}

/// How a cell in quotation marks ends.
enum Quoted<'a> {
    /// At its second mark, and this is the byte behind it.
    Closed(Cow<'a, str>, usize),
    /// Behind the second mark there is more: the marks belong to the text.
    Literal,
    /// Never.
    Open,
}

impl<'a> RecordRows<'a> {
    fn new(text: &'a str, first_line: usize, separator: u8, n_columns: usize) -> Self {
        Self { text, at: 0, line: first_line, separator, n_columns, n_stray: 0, n_odd: 0 }
    }

    /// Whether quotation marks are no more than letters where a cell has them inside.
    fn has_loose_marks(&self) -> bool {
        matches!(self.separator, b'\t' | b'|')
    }

    /// The end of the line that a byte is in.
    fn line_end(&self, from: usize) -> usize {
        let rest = &self.text.as_bytes()[from..];
        rest.iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(self.text.len(), |i| from + i)
    }

    /// The row that begins at `self.at`, and where it ends.
    fn record(&mut self, has_quotes: bool) -> (TableRow<'a>, usize) {
        let mut row = TableRow { line: self.line, cells: Vec::new(), stray: None, start: self.at };
        let mut at = self.at;
        let mut line_end = self.line_end(at);
        if self.separator == b' ' {
            row.cells = self.text[at..line_end]
                .split_whitespace()
                .map(|word| TableCell {
                    text: word.into(),
                    start: word.as_ptr() as usize - self.text.as_ptr() as usize,
                })
                .collect();
            return (row, line_end);
        }
        loop {
            let rest = &self.text[at..line_end];
            let blanks = rest.len() - rest.trim_start_matches([' ', '\u{a0}']).len();
            let start = at + blanks;
            let quoted = match self.text.as_bytes().get(start) {
                Some(b'"') if start < line_end && has_quotes => self.quoted(start),
                _ => Quoted::Literal,
            };
            let end = if let Quoted::Closed(text, end) = quoted {
                row.cells.push(TableCell { text: trimmed(text), start });
                if end > line_end {
                    line_end = self.line_end(end);
                }
                // Only blanks are between the mark and what separates cells.
                let rest = &self.text[end..line_end];
                rest.find(char::from(self.separator)).map(|i| end + i)
            } else {
                let rest = &self.text[at..line_end];
                let end = rest.find(char::from(self.separator)).map(|i| at + i);
                let text = self.text[at..end.unwrap_or(line_end)].trim();
                self.n_odd += usize::from(text.starts_with('"') && !self.has_loose_marks());
                if matches!(quoted, Quoted::Open) && !self.has_loose_marks() {
                    row.stray.get_or_insert(row.cells.len());
                }
                row.cells.push(TableCell { text: text.into(), start });
                end
            };
            match end {
                Some(end) => at = end + 1,
                None => return (row, line_end),
            }
        }
    }

    /// The cell in quotation marks that begins at a byte.
    fn quoted(&mut self, start: usize) -> Quoted<'a> {
        let inner = &self.text[start + 1..];
        let bytes = inner.as_bytes();
        let (mut from, mut is_doubled) = (0, false);
        let end = loop {
            let Some(mark) = inner[from..].find('"').map(|i| from + i) else {
                self.n_stray += 1;
                return Quoted::Open;
            };
            if bytes.get(mark + 1) != Some(&b'"') {
                break mark;
            }
            is_doubled = true;
            from = mark + 2;
        };
        let text = &inner[..end];
        let after = inner[end + 1..].trim_start_matches(' ').as_bytes().first();
        let is_closed = after.is_none_or(|b| matches!(b, b'\n' | b'\r') || *b == self.separator);
        // Where marks are letters, those of two lines may look like a cell over both.
        let is_of_lines = self.has_loose_marks()
            && text.contains('\n')
            && text.contains(char::from(self.separator));
        if !is_closed || is_of_lines {
            // A search that went far is not made again and again.
            self.n_stray += usize::from(end > FAR);
            return if text.contains('\n') { Quoted::Open } else { Quoted::Literal };
        }
        let text = if is_doubled { text.replace("\"\"", "\"").into() } else { text.into() };
        Quoted::Closed(text, start + 1 + end + 1)
    }
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => text.trim().into(),
        Cow::Owned(text) => text.trim().to_owned().into(),
    }
}

impl<'a> Iterator for RecordRows<'a> {
    type Item = TableRow<'a>;

    fn next(&mut self) -> Option<TableRow<'a>> {
        loop {
            if self.at >= self.text.len() {
                return None;
            }
            let (mut row, mut end) = self.record(self.n_stray < MAX_STRAY);
            let is_odd = self.n_columns > 0 && row.cells.len() != self.n_columns;
            let broken = row.cells.iter().position(|cell| cell.contains(['\n', '\r']));
            if let Some(broken) = broken.filter(|_| is_odd) {
                self.n_stray += 1;
                (row, end) = self.record(false);
                row.stray = Some(broken.min(row.cells.len() - 1));
            }
            if row.stray.is_some() {
                for cell in &mut row.cells {
                    if let Cow::Borrowed(text) = &mut cell.text {
                        *text = text.trim_matches('"');
                    }
                }
            }
            let passed = &self.text[self.at..end];
            self.line += passed.lines().count().saturating_sub(1);
            let rest = &self.text.as_bytes()[end..];
            let is_of_two = rest.starts_with(b"\r\n");
            self.at = end + if is_of_two { 2 } else { usize::from(!rest.is_empty()) };
            self.line += 1;
            if row.cells.iter().any(|cell| !cell.is_empty()) {
                return Some(row);
            }
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
    /// The id of an edge's source, where its name is in another column.
    SourceId,
    /// The id of its target.
    TargetId,
    /// The type of its source.
    SourceType,
    /// The type of its target.
    TargetType,
    /// The name of its source, beside the id.
    SourceName,
    /// The name of its target.
    TargetName,
    /// The types of a node.
    Labels,
}

/// How columns are called, in small letters without anything but letters and digits; the better first.
const NAMES: &[(TableColumn, &str)] = &[
    (
        TableColumn::Source,
        "source startid xname src from head subject sourcenode sourceid sourcename \
         fromnode fromnodeid fromid start startnode headid node1 nodea nodefrom vertex1 \
         protein1 gene1 interactora user1 person1 id1 xid xindex von quelle origen \
         origine de follower sender caller parent row u s h x",
    ),
    (
        TableColumn::Target,
        "target endid yname dst dest destination to tail object targetnode targetid \
         targetname tonode tonodeid toid end endnode tailid node2 nodeb nodeto vertex2 \
         protein2 gene2 interactorb user2 person2 id2 yid yindex nach ziel cible \
         destino destinazione vers followee followed receiver recipient callee child \
         col column v t o y",
    ),
    (
        TableColumn::Relation,
        "relation rel predicate displayrelation edgetype metaedge relationship reltype \
         interaction property p r edge beziehung relationtype relationname edgelabel \
         linktype verb",
    ),
    (
        TableColumn::Weight,
        "weight weights edgeweight value cost distance dist length strength score \
         combinedscore count gewicht poids peso km w",
    ),
    (TableColumn::Capacity, "capacity cap"),
    (TableColumn::Type, "type directed edgedirection"),
    (TableColumn::Id, "id nodeid identifier suid"),
    (TableColumn::Label, "label name title"),
    (TableColumn::Triple, "sharedname"),
    (TableColumn::SourceId, "xindex xid"),
    (TableColumn::TargetId, "yindex yid"),
    (TableColumn::SourceType, "sourcetype headtype fromtype subjecttype srctype startlabel xtype"),
    (TableColumn::TargetType, "targettype tailtype totype objecttype dsttype endlabel ytype"),
    (TableColumn::SourceName, "sourcename headname subjectname fromname srcname startname xname"),
    (TableColumn::TargetName, "targetname tailname objectname toname dstname endname yname"),
    (TableColumn::Labels, "labels"),
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
                        "LABEL" => "labels".to_owned(),
                        _ if is_neo4j => plain(kind),
                        _ => plain(name),
                    }
                }
                None => plain(cell),
            };
            for (slot, (_, names)) in NAMES.iter().enumerate() {
                if let Some(rank) = names.split(' ').position(|n| n == name)
                    && rank < ranks[slot]
                {
                    ranks[slot] = rank;
                    heading.at[slot] = Some(i);
                }
            }
        }
        // `x` and `y` alone are the axes of a plot.
        let is_axis =
            |column| heading.column(column).is_some_and(|at| plain(cells[at].as_ref()).len() == 1);
        let has_axes = cells.iter().any(|cell| cell.as_ref().trim().eq_ignore_ascii_case("x"));
        if has_axes
            && is_axis(TableColumn::Source)
            && heading.column(TableColumn::Relation).is_none()
        {
            return None;
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
        let has_id = match self.column(TableColumn::Id) {
            Some(at) => at == 0 || self.is_neo4j,
            None => false,
        };
        !is_edge && has_id && is_labelled
    }

    /// Whether what a column has is known.
    pub fn is_known(&self, at: usize) -> bool {
        self.at.contains(&Some(at))
    }
}

fn slot(column: TableColumn) -> usize {
    NAMES.iter().position(|(c, _)| *c == column).unwrap_or_default()
}

/// Source, relation and target of an edge as Cytoscape calls it, `a (pp) b`.
pub fn triple(text: &str) -> Option<[&str; 3]> {
    let (source, rest) = text.split_once(" (")?;
    let (relation, target) = rest.rsplit_once(") ")?;
    Some([source, relation, target])
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
