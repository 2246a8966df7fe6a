//! Markdown tables, row by row as plain lines.

use super::origin::Writer;

/// Headings of columns that only count the rows.
const PLACES: [&str; 10] =
    ["step", "#", "no", "no.", "number", "position", "index", "rank", "order", "visit order"];

/// Headings of columns that tell why.
const REMARKS: [&str; 8] =
    ["reason", "explanation", "why", "comment", "comments", "note", "notes", "justification"];

/// Headings that say what the numbers below are.
const NAMES: [&str; 9] =
    ["applicant", "job", "node", "city", "vertex", "person", "candidate", "from", "to"];

/// The tables of a text as lines.
pub(crate) fn write_tables(writer: &mut Writer<'_>) {
    let lines: Vec<&str> = writer.source.split_inclusive('\n').collect();
    let mut at = 0;
    while at < lines.len() {
        let end = writer.at + lines[at].len();
        let heads = lines[at].contains('|') && lines.get(at + 1).is_some_and(|l| is_rule(l));
        if !heads {
            writer.copy_to(end);
            at += 1;
            continue;
        }
        let head: Vec<String> = cells(lines[at])
            .iter()
            .map(|cell| cell.replace(['*', '`', '_'], "").trim().to_lowercase())
            .collect();
        writer.put(end + lines[at + 1].len(), "");
        at += 2;
        while let Some(line) = lines.get(at).filter(|line| line.contains('|')) {
            let mut row = String::new();
            write_row(&head, &cells(line), &mut row);
            writer.put(writer.at + line.len(), &row);
            at += 1;
        }
    }
}

/// Whether a line is the rule below the headings.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains('|')
        && line.contains('-')
        && line.bytes().all(|b| matches!(b, b'|' | b'-' | b':' | b' ' | b'\t'))
}

fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    line.strip_suffix('|').unwrap_or(line).split('|').map(str::trim).collect()
}

fn write_row(head: &[String], cells: &[&str], out: &mut String) {
    let named = |name: &str| {
        let singular = name.strip_suffix('s').unwrap_or(name);
        NAMES.iter().find(|known| **known == name || **known == singular).copied()
    };
    let column = |name: &str| head.iter().position(|h| h == name).and_then(|i| cells.get(i));
    if let (Some(from), Some(to)) = (column("from"), column("to"))
        && is_number(from)
        && is_number(to)
    {
        let flow = column("flow").or_else(|| column("amount")).filter(|flow| is_number(flow));
        if let Some(flow) = flow {
            out.push_str(&format!("send {flow} units of flow from node {from} to node {to}.\n"));
            return;
        }
        out.push_str(&format!("from node {from} to node {to}"));
        for (head, cell) in head.iter().zip(cells) {
            if !matches!(head.as_str(), "from" | "to") && !PLACES.contains(&head.as_str()) {
                out.push_str(&format!(", {head} {cell}"));
            }
        }
        out.push('\n');
        return;
    }
    // A column that counts the rows tells nothing, unless the table has no other.
    let counts = |head: &str| PLACES.contains(&head) || head.is_empty();
    let only_counts = head.iter().all(|head| counts(head) || REMARKS.contains(&head.as_str()));
    let kept: Vec<(&str, &str)> = head
        .iter()
        .map(String::as_str)
        .zip(cells.iter().copied())
        .filter(|(head, cell)| !cell.is_empty() && !REMARKS.contains(head))
        .filter(|(head, cell)| only_counts || !counts(head) || head.is_empty() && !is_number(cell))
        .collect();
    let said = |(head, cell): &(&str, &str)| match named(head) {
        Some(name) if !cell.bytes().any(|b| b.is_ascii_alphabetic()) => format!("{name} {cell}"),
        Some(_) => (*cell).to_owned(),
        None => format!("{head} {cell}"),
    };
    let line = match kept[..] {
        [] => return,
        [one] => match named(one.0) {
            Some(_) => said(&one),
            None => one.1.to_owned(),
        },
        [first, second] => {
            let value = if named(second.0).is_some() { said(&second) } else { second.1.to_owned() };
            let name = if named(first.0).is_some() { said(&first) } else { first.1.to_owned() };
            format!("{name}: {value}")
        }
        [first, ref rest @ ..] => {
            let row = named(first.0) == Some("node")
                && rest.iter().all(|(head, cell)| is_number(cell) && is_place_of_row(head));
            if row {
                let values: Vec<&str> = rest.iter().map(|(_, cell)| *cell).collect();
                format!("{}: [{}]", said(&first), values.join(", "))
            } else {
                kept.iter().map(said).collect::<Vec<_>>().join(", ")
            }
        }
    };
    out.push_str(&line);
    out.push('\n');
}

fn is_number(cell: &str) -> bool {
    !cell.is_empty() && cell.trim_matches('*').parse::<f64>().is_ok()
}

/// Whether a column has one number of a row of embeddings: `x`, `x1`, `dim 2`, `value 1`.
fn is_place_of_row(head: &str) -> bool {
    let name = head.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    matches!(
        name,
        "x" | "y" | "z" | "" | "dim" | "dimension" | "feature" | "value" | "component" | "e" | "h"
    )
}

#[cfg(test)]
mod tests {
    use super::super::origin::Draft;
    use super::*;

    fn lines(text: &str) -> String {
        let mut draft = Draft::of(text);
        draft.rewrite(write_tables);
        draft.text.trim().replace('\n', " / ")
    }

    #[test]
    fn rows_become_lines() {
        let table = |rows: &str| lines(&rows.replace('/', "\n"));
        assert_eq!(table("| Step | Node |/|---|---|/| 1 | 4 |/| 2 | 0 |"), "node 4 / node 0");
        assert_eq!(
            table("| Applicant | Job |/|:-:|:-:|/| 0 | 3 |/| Applicant 1 | Job 2 |"),
            "applicant 0: job 3 / Applicant 1: Job 2"
        );
        assert_eq!(table("| Node | x | y |/|--|--|--|/| 0 | 3 | 2 |"), "node 0: [3, 2]");
        assert_eq!(
            table("Question | Answer/--|--/Is there a path? | **Yes**"),
            "Is there a path?: **Yes**"
        );
        assert_eq!(
            table("| From | To | Flow |/|---|---|---|/| 0 | 2 | 5 |"),
            "send 5 units of flow from node 0 to node 2."
        );
        assert_eq!(table("| Path | Weight | Note |/|--|--|--|/| 0-1-3 | 4 | best |"), "0-1-3: 4");
        assert_eq!(lines("0 | 3"), "0 | 3");
    }
}
