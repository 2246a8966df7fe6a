//! Matrix Market, as SuiteSparse, the Network Repository and scipy write it.

use super::{Direction, Draft, Format, FormatError, GraphRead, NoteKind, lines, number, short};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "matrix_market",
    title: "Matrix Market",
    extensions: &["mtx"],
    reads: "`coordinate` and `array`, `real`, `integer`, `pattern` and the real parts of `complex`; \
            `symmetric` as undirected, `general` as directed; nodes are 1 to n",
    loses: "imaginary parts; rows and columns of a matrix that is not square become r1, …, c1, …",
    keeps: "edges and weights; nodes become 1 to n",
    is_it: |peek| starts(peek.text),
    parse,
    nth: None,
    write: Some(write),
};

const SIGN: &str = "matrixmarket";

/// The Network Repository's files have one percent sign in place of two.
fn starts(text: &str) -> bool {
    let word = text.strip_prefix('%').map(|rest| rest.strip_prefix('%').unwrap_or(rest));
    word.and_then(|w| w.get(..SIGN.len())).is_some_and(|w| w.eq_ignore_ascii_case(SIGN))
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let mut all = lines(text);
    let (_, header) = all.next().filter(|(_, line)| starts(line)).ok_or_else(|| {
        FormatError::at(
            1,
            "Matrix Market begins with `%%MatrixMarket matrix coordinate real general`",
        )
    })?;
    let header = header.to_ascii_lowercase();
    let words: Vec<&str> = header.split_whitespace().skip(1).collect();
    let has = |word: &str| words.contains(&word);
    let is_array = has("array");
    let is_general = !["symmetric", "skew-symmetric", "hermitian"].iter().any(|w| has(w));
    let mut all = all.filter(|(_, line)| !line.starts_with('%'));
    let Some((at, sizes)) = all.next() else {
        return Err(FormatError::new("the sizes are missing: give `rows columns entries`"));
    };
    let sizes: Vec<usize> = sizes.split_whitespace().map_while(|w| w.parse().ok()).collect();
    let (&n_rows, &n_columns) = match &sizes[..] {
        [rows, columns, ..] => (rows, columns),
        _ => return Err(FormatError::at(at, "the sizes are `rows columns entries`")),
    };
    let mut draft = Draft::new();
    let is_square = n_rows == n_columns;
    if is_square {
        draft
            .numbered(1..n_rows.saturating_add(1), text.len())
            .map_err(|e| FormatError { line: Some(at), ..e })?;
    } else {
        let what = "a matrix that is not square has an edge from each row r1, … to columns c1, …";
        draft.notes.say(NoteKind::Turned, what);
    }
    let (mut i, mut j) = (1, 1);
    for (at, line) in all {
        let words: Vec<&str> = line.split_whitespace().collect();
        let entry = if is_array {
            let entry = (i, j, words.first().copied());
            i += 1;
            if i > n_rows {
                // Below the diagonal alone, where the rest follows from it.
                j += 1;
                i = if is_general { 1 } else { j };
            }
            Ok(entry)
        } else {
            match (words.first().map(|w| w.parse()), words.get(1).map(|w| w.parse())) {
                (Some(Ok(i)), Some(Ok(j))) => Ok((i, j, words.get(2).copied())),
                _ => Err(FormatError::new(format!(
                    "`{}` is no entry: give `row column value`",
                    short(line)
                ))),
            }
        };
        let added = entry.and_then(|(i, j, value): (usize, usize, Option<&str>)| {
            if i == 0 || j == 0 || i > n_rows || j > n_columns {
                return Err(FormatError::new(format!(
                    "{i}, {j} is outside {n_rows} × {n_columns}"
                )));
            }
            let weight = value.filter(|_| !has("pattern")).map(|v| number(v, "value", None));
            let weight = weight.transpose()?;
            if is_array && weight == Some(0.0) {
                return Ok(());
            }
            let ends = if is_square {
                (draft.named(i.into()), draft.named(j.into()))
            } else {
                (draft.node(&format!("r{i}"))?, draft.node(&format!("c{j}"))?)
            };
            draft.edge(ends, [weight, None], None, at)
        });
        if let Err(error) = added {
            draft.fault_of(at, error);
        }
        if has("complex") {
            draft.note(NoteKind::Dropped, "imaginary part|", "", at);
        }
    }
    let directed = is_general && is_square;
    draft.finish(Direction::Is(directed))
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let is_weighted = graph.edges().any(|e| e.weight.is_some());
    let kind = if is_weighted { "real" } else { "pattern" };
    let shape = if graph.is_directed() { "general" } else { "symmetric" };
    let places: rustc_hash::FxHashMap<_, usize> =
        graph.indices().enumerate().map(|(i, node)| (node, i + 1)).collect();
    let n = graph.n_nodes();
    let mut text =
        format!("%%MatrixMarket matrix coordinate {kind} {shape}\n{n} {n} {}\n", graph.n_edges());
    for e in graph.edges() {
        let (mut i, mut j) = (places[&e.source_idx], places[&e.target_idx]);
        if !graph.is_directed() && i < j {
            // What is symmetric is written below the diagonal.
            (i, j) = (j, i);
        }
        text += &format!("{i} {j}");
        if is_weighted {
            text += &format!(" {}", e.weight_or_one());
        }
        text.push('\n');
    }
    Ok(text)
}
