//! Adjacency matrix as CSV: names in the first row and column, weights inside, 0 or nothing where
//! there is no edge. The corner says `directed` or `undirected`; where it does not, a symmetric
//! matrix is undirected.

use super::{Format, FormatError, add_edge, name, number, short};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "adjacency_csv",
    title: "Adjacency matrix (CSV)",
    extensions: &["csv"],
    keeps: "nodes, edges, weights (a matrix of 0 and 1 has no weights)",
    parse,
    write: Some(write),
};

fn cells(line: &str, row: usize) -> Result<Vec<String>, FormatError> {
    let mut list = vec![String::new()];
    let mut chars = line.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        let Some(cell) = list.last_mut() else { break };
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
            ',' if !quoted => list.push(String::new()),
            _ => cell.push(c),
        }
    }
    if quoted {
        return Err(FormatError::at(row, "a quoted cell does not end: close it with \""));
    }
    Ok(list)
}

fn parse(text: &str) -> Result<Graph, FormatError> {
    let mut rows = text
        .trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(i, line)| (i + 1, line));
    let Some((first, header)) = rows.next() else { return Ok(Graph::undirected()) };
    let header = cells(header, first)?;
    let corner = header[0].trim().to_ascii_lowercase();
    let names = header[1..].iter().map(|c| name(c, Some(first))).collect::<Result<Vec<_>, _>>()?;
    let mut found: Vec<(usize, usize, f64)> = Vec::new();
    let mut count = 0;
    for (line, row) in rows {
        let row = cells(row, line)?;
        if row.len() != header.len() {
            return Err(FormatError::at(
                line,
                format!("{} cells, the first row has {}", row.len(), header.len()),
            ));
        }
        let label = name(&row[0], Some(line))?;
        if names.get(count) != Some(&label) {
            let expected = names.get(count).map_or("no more rows".into(), |n| format!("row {n}"));
            let label = short(&label.to_string());
            return Err(FormatError::at(line, format!("row {label}, expected {expected}")));
        }
        for (j, cell) in row[1..].iter().enumerate() {
            if !cell.trim().is_empty() {
                let w = number(cell, "weight", Some(line))?;
                if w != 0.0 {
                    found.push((count, j, w));
                }
            }
        }
        count += 1;
    }
    if count != names.len() {
        return Err(FormatError::new(format!(
            "{count} rows for {} columns: a matrix has one row for each node",
            names.len()
        )));
    }
    let set: rustc_hash::FxHashMap<(usize, usize), f64> =
        found.iter().map(|&(i, j, w)| ((i, j), w)).collect();
    let symmetric = found.iter().all(|&(i, j, w)| set.get(&(j, i)) == Some(&w));
    let directed = match corner.as_str() {
        "directed" => true,
        "undirected" if !symmetric => {
            return Err(FormatError::at(first, "an undirected graph has a symmetric matrix"));
        }
        "undirected" => false,
        _ => !symmetric,
    };
    let weighted = found.iter().any(|e| e.2 != 1.0);
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    for node in &names {
        if graph.has_node(node) {
            return Err(FormatError::at(first, format!("two columns are called {node}")));
        }
        graph.ensure_node(node.clone())?;
    }
    for (i, j, w) in found {
        if directed || i <= j {
            let ends = (names[i].clone(), names[j].clone());
            add_edge(&mut graph, ends, weighted.then_some(w), None)?;
        }
    }
    Ok(graph)
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
        let plain = !text.contains([',', '"']) && text.trim() == text;
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
