//! Adjacency matrix: names in the first row and column, weights inside, 0 or nothing where there is no
//! edge; or numbers alone. The corner says `directed` or `undirected`; where it does not, a symmetric
//! matrix is undirected.

use rustc_hash::FxHashMap;

use super::{Direction, Draft, Format, FormatError, GraphRead, NoteKind, Peek, short};
use crate::Graph;
use crate::tables::{TableCell, TableRow, TableText, decimal};

pub(super) const FORMAT: Format = Format {
    id: "adjacency_csv",
    title: "Adjacency matrix",
    extensions: &["csv", "mat"],
    reads: "a matrix with names in the first row and column, or of numbers alone (nodes are 0 to n - 1), \
            between commas, semicolons, tabs or blanks; a symmetric one is undirected",
    loses: "nothing",
    keeps: "nodes, edges, weights (a matrix of 0 and 1 has no weights)",
    is_it,
    parse,
    nth: None,
    write: Some(write),
};

fn is_it(peek: &Peek<'_>) -> bool {
    let table = peek.table();
    let lines = peek.text.lines().filter(|l| !l.trim().is_empty()).count();
    let mut rows = table.rows();
    let (Some(first), Some(second)) = (rows.next(), rows.next()) else { return false };
    let is_cell = |c: &TableCell<'_>| c.is_empty() || number(c, table.separator()).is_some();
    if is_named(&first, &second, table.separator()) {
        let corner = first.cells[0].to_ascii_lowercase();
        return lines == first.cells.len() || matches!(corner.as_str(), "directed" | "undirected");
    }
    let n = first.cells.len();
    n >= 3 && lines == n && {
        let rows: Vec<TableRow<'_>> = table.rows().collect();
        let is_square = rows.len() == n
            && rows.iter().all(|r| r.cells.len() == n && r.cells.iter().all(is_cell));
        // Three edges with weights look the same, but then ends are on the diagonal.
        let is_hollow = rows
            .iter()
            .enumerate()
            .all(|(i, r)| r.cells.get(i).and_then(|c| number(c, table.separator())) == Some(0.0));
        is_square && (n > 3 || is_hollow)
    }
}

/// Whether a first row has names that the first column has too.
fn is_named(first: &TableRow<'_>, second: &TableRow<'_>, separator: char) -> bool {
    let is_cell = |c: &TableCell<'_>| c.is_empty() || number(c, separator).is_some();
    let n = first.cells.len();
    // Columns end in a comma where the last has no name.
    n >= 2
        && separator != ' '
        && second.cells.len() == n
        && first.cells[1..].iter().any(|c| c.text == second.cells[0].text)
        && second.cells[1..].iter().all(is_cell)
        && (first.cells[0].is_empty()
            || !first.cells[1..].iter().any(|c| c.text == first.cells[0].text))
}

fn number(text: &str, separator: char) -> Option<f64> {
    decimal(text, separator).map(|(value, _)| value)
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let table = TableText::new(text);
    let mut rows = table.rows();
    let Some(first) = rows.next() else {
        return Err(FormatError::new("the matrix is empty"));
    };
    let corner = first.cells[0].to_ascii_lowercase();
    let are_numbers =
        first.cells.iter().all(|c| c.is_empty() || number(c, table.separator()).is_some());
    let is_bare = are_numbers && !first.cells[0].is_empty();
    let names: Vec<String> = if is_bare {
        (0..first.cells.len()).map(|i| i.to_string()).collect()
    } else {
        first.cells[1..].iter().map(|c| c.to_string()).collect()
    };
    let mut places = FxHashMap::default();
    for (i, name) in names.iter().enumerate() {
        if places.insert(name.as_str(), i).is_some() {
            let message = format!("two columns are called {}", short(name));
            return Err(FormatError::at(first.line, message));
        }
    }
    let mut draft = Draft::new();
    let mut cells = Vec::new();
    let mut n_rows = 0;
    let rows: Box<dyn Iterator<Item = TableRow<'_>>> =
        if is_bare { Box::new(table.rows()) } else { Box::new(rows) };
    for row in rows {
        let values = if is_bare { &row.cells[..] } else { &row.cells[1..] };
        let place = if is_bare { Some(n_rows) } else { places.get(&*row.cells[0]).copied() };
        n_rows += 1;
        let Some(i) = place.filter(|i| *i < names.len()) else {
            let label = if is_bare { n_rows.to_string() } else { short(&row.cells[0]) };
            draft.fault(row.line, format!("there is no column for the row {label}"));
            continue;
        };
        if values.len() != names.len() {
            let message = format!("{} cells, the first row has {}", values.len(), names.len());
            draft.fault(row.line, message);
            continue;
        }
        for (j, cell) in values.iter().enumerate().filter(|(_, c)| !c.is_empty()) {
            match number(cell, table.separator()) {
                Some(value) => cells.push((i, j, value)),
                None => {
                    let message =
                        format!("`{}` is no weight: give a finite number such as 2.5", short(cell));
                    draft.fault(row.line, message);
                }
            }
        }
    }
    if n_rows < names.len() {
        draft.fault(
            first.line,
            format!(
                "{n_rows} rows for {} columns: a matrix has one row for each node",
                names.len()
            ),
        );
    }
    let said = match corner.as_str() {
        "directed" => Some(true),
        "undirected" => Some(false),
        _ => None,
    };
    fill(draft, &names, &cells, said)
}

/// The graph of a matrix whose cells are known.
pub(super) fn of_matrix(
    names: &[String],
    cells: &[(usize, usize, f64)],
    directed: Option<bool>,
) -> Result<GraphRead, FormatError> {
    fill(Draft::new(), names, cells, directed)
}

fn fill(
    mut draft: Draft,
    names: &[String],
    cells: &[(usize, usize, f64)],
    said: Option<bool>,
) -> Result<GraphRead, FormatError> {
    let cells: Vec<(usize, usize, f64)> = cells.iter().copied().filter(|c| c.2 != 0.0).collect();
    let set: FxHashMap<(usize, usize), f64> = cells.iter().map(|&(i, j, w)| ((i, j), w)).collect();
    let is_symmetric = cells.iter().all(|&(i, j, w)| set.get(&(j, i)) == Some(&w));
    if said == Some(false) && !is_symmetric {
        let message = "an undirected graph has a symmetric matrix, and this one is not: it is read as directed";
        draft.notes.say(NoteKind::Turned, message);
    }
    let directed = !is_symmetric || said == Some(true);
    if said.is_none() {
        let what = if directed {
            "directed, as the matrix is not symmetric"
        } else {
            "undirected, as the matrix is symmetric"
        };
        draft.notes.say(NoteKind::Defaulted, what);
    }
    let is_weighted = cells.iter().any(|c| c.2 != 1.0);
    let mut nodes = Vec::with_capacity(names.len());
    for name in names {
        nodes.push(draft.node(name)?);
    }
    for (i, j, w) in cells {
        if directed || i <= j {
            draft.edge((nodes[i], nodes[j]), [is_weighted.then_some(w), None], None, i + 1)?;
        }
    }
    draft.finish(Direction::Is(directed))
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    const MAX_NODES: usize = 5000;
    if graph.n_nodes() > MAX_NODES {
        return Err(FormatError::new(format!(
            "{} nodes: a matrix is written for at most {MAX_NODES}; use an edge list",
            graph.n_nodes()
        )));
    }
    let cell = |text: String| {
        let plain = !text.contains([',', ';', '\t', '|', '"']) && text.trim() == text;
        if plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) }
    };
    let g = graph.adjacency();
    let mut text = String::from(if graph.is_directed() { "directed" } else { "undirected" });
    let names: Vec<String> = graph.names().map(|n| cell(n.to_string())).collect();
    if let Some(odd) = graph.names().find(|n| n.to_string().contains(['\n', '\r'])) {
        return Err(FormatError::new(format!(
            "the name {odd:?} has a line break: rename the node"
        )));
    }
    for n in &names {
        text += &format!(",{n}");
    }
    text.push('\n');
    for (u, n) in names.iter().enumerate() {
        let mut row = vec![0.0; names.len()];
        for &(v, e) in &g.out[u] {
            let weight = g.edges[e as usize].2;
            if weight == 0.0 {
                return Err(FormatError::new(format!(
                    "the edge ({n}, {}) has weight 0, which a matrix cannot tell from no edge",
                    names[v as usize]
                )));
            }
            row[v as usize] = weight;
        }
        text += n;
        for w in row {
            text += &format!(",{w}");
        }
        text.push('\n');
    }
    Ok(text)
}
