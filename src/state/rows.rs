//! Rows of an answer as files.

use eval::tables::csv_line;
use kg::{AnswerTable, Cell};

/// What a cell is in a file: what a person reads of it.
fn text(cell: &Option<Cell>) -> &str {
    cell.as_ref().map_or("", Cell::text)
}

/// The rows below the names of their columns as comma-separated values (RFC 4180). A text that a
/// spreadsheet would compute is kept from it by an apostrophe.
pub fn csv(table: &AnswerTable) -> String {
    let mut out = csv_line(table.columns.iter().map(String::as_str));
    for row in &table.rows {
        out.push_str(&csv_line(row.iter().map(text)));
    }
    out
}

/// The same between tabs, unchanged but for tabs, ends of lines and backslashes in a cell, which are
/// `\t`, `\n`, `\r` and `\\`.
pub fn tsv(table: &AnswerTable) -> String {
    let mut out = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        for (i, text) in cells.enumerate() {
            if i > 0 {
                out.push('\t');
            }
            for letter in text.chars() {
                match letter {
                    '\\' => out.push_str("\\\\"),
                    '\t' => out.push_str("\\t"),
                    '\n' => out.push_str("\\n"),
                    '\r' => out.push_str("\\r"),
                    other => out.push(other),
                }
            }
        }
        out.push('\n');
    };
    line(&mut table.columns.iter().map(String::as_str));
    for row in &table.rows {
        line(&mut row.iter().map(text));
    }
    out
}

/// Where a line and a column, both from 1, are in a text, in the units that a browser counts in.
pub fn offset(text: &str, (line, column): (usize, usize)) -> u32 {
    let before = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let in_line = rest.split('\n').next().unwrap_or_default();
    let units = |t: &str| t.encode_utf16().count() as u32;
    let here: String = in_line.chars().take(column.saturating_sub(1)).collect();
    units(text.get(..start).unwrap_or_default()) + units(&here)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a file of tabs says, read letter by letter.
    fn read(text: &str) -> Vec<Vec<String>> {
        let cell = |text: &str| {
            let mut out = String::new();
            let mut letters = text.chars();
            while let Some(letter) = letters.next() {
                let escaped = (letter == '\\').then(|| letters.next().unwrap());
                out.push(match escaped {
                    Some('t') => '\t',
                    Some('n') => '\n',
                    Some('r') => '\r',
                    Some(other) => other,
                    None => letter,
                });
            }
            out
        };
        text.split_terminator('\n').map(|l| l.split('\t').map(cell).collect()).collect()
    }

    proptest! {
        #[test]
        fn what_is_written_between_tabs_is_read_again(
            rows in prop::collection::vec(
                prop::collection::vec(prop::option::of("[a\",\\\\\t\r\n é=]{0,6}"), 2), 0..5)
        ) {
            let columns = ["x".to_owned(), "a\tb".to_owned()].to_vec();
            let mut expected = vec![columns.clone()];
            let words = |row: &Vec<Option<String>>| {
                row.iter().map(|c| c.clone().unwrap_or_default()).collect::<Vec<_>>()
            };
            expected.extend(rows.iter().map(words));
            let cells = |row: Vec<Option<String>>| {
                row.into_iter().map(|c| c.map(Cell::Value)).collect()
            };
            let rows = rows.into_iter().map(cells).collect();
            let table = AnswerTable { columns, rows, is_cut: false };
            prop_assert_eq!(read(&tsv(&table)), expected);
            prop_assert_eq!(csv(&table).matches("\r\n").count() > table.rows.len(), true);
        }
    }

    #[test]
    fn commas_quotes_and_formulas_are_kept_apart() {
        let cell = |text: &str| Some(Cell::Value(text.into()));
        let table = AnswerTable {
            columns: vec!["a".into(), "b".into()],
            rows: vec![vec![cell("x,\"y\""), None], vec![cell("=1+1"), cell("-2")]],
            is_cut: false,
        };
        assert_eq!(csv(&table), "a,b\r\n\"x,\"\"y\"\"\",\r\n'=1+1,-2\r\n");
    }

    #[test]
    fn a_place_is_found_in_the_browsers_units() {
        let text = "SELECT ?x\n𝄞é{ ?x }";
        assert_eq!(offset(text, (1, 8)), 7);
        assert_eq!(offset(text, (2, 1)), 10);
        // A letter beyond the first plane counts two.
        assert_eq!(offset(text, (2, 3)), 13);
        assert_eq!(offset(text, (9, 9)), 19);
    }
}
