//! `docs/results.md`, the list of results, out of `docs/results.json`, which commands write.

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::figures;
use crate::steps::{root, say};

const DATA: &str = "docs/results.json";
const DOCUMENT: &str = "docs/results.md";

const HEAD: &str = "# Results\n\n\
<!-- `cargo xtask results` writes this file from results.json. -->\n\n\
Every figure with the command that prints it, and the commit and day of the run. They were measured on \
two cores of a shared virtual machine with Rust 1.95 and Chromium 156. An aim that a figure misses is \
named beside it. [measurements.md](measurements.md) has the whole tables, and [limits.md](limits.md) says \
what these figures do not show.\n\n\
<!-- measured: by row -->\n\n\
| what | figure | command | measured at |\n|---|---|---|---|\n";

/// A result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    /// What commands call it.
    id: String,
    /// What was measured.
    what: String,
    /// What it came to, with its aim where it has one.
    figure: String,
    /// The command that prints it.
    command: String,
    /// The commit that was measured.
    commit: String,
    /// The day.
    day: String,
}

fn rows() -> Result<Vec<Row>> {
    let text = std::fs::read_to_string(root().join(DATA)).context(DATA)?;
    let rows: Vec<Row> = serde_json::from_str(&text).context(DATA)?;
    for (i, row) in rows.iter().enumerate() {
        ensure!(rows[..i].iter().all(|r| r.id != row.id), "{DATA}: {:?} is there twice", row.id);
        let cells = [&row.what, &row.figure, &row.command];
        ensure!(
            cells.iter().all(|cell| !cell.contains(['|', '\n'])),
            "{DATA}: a cell of {:?} has a line break or a |, which would end the cell",
            row.id
        );
    }
    Ok(rows)
}

fn document(rows: &[Row]) -> String {
    let line = |Row { what, figure, command, commit, day, .. }: &Row| {
        format!("| {what} | {figure} | {command} | {commit}, {day} |\n")
    };
    let lines: String = rows.iter().map(line).collect();
    format!("{HEAD}{lines}\n<!-- /measured -->\n")
}

/// Writes the document, after setting a result where one is given: its id and what it came to.
///
/// # Errors
/// There is no such result; the data cannot be read; or there are changes that no commit has.
pub fn run(set: Option<(&str, &str)>) -> Result<()> {
    let mut all = rows()?;
    if let Some((id, figure)) = set {
        let known: Vec<String> = all.iter().map(|row| row.id.clone()).collect();
        let Some(row) = all.iter_mut().find(|row| row.id == id) else {
            bail!("there is no result {id:?}; there are {}", known.join(", "));
        };
        let commit = figures::commit()?;
        (row.figure, row.commit, row.day) = (figure.to_owned(), commit, figures::today());
        let text = serde_json::to_string_pretty(&all)? + "\n";
        std::fs::write(root().join(DATA), text)?;
    }
    std::fs::write(root().join(DOCUMENT), document(&all))?;
    say(&format!("{DOCUMENT} has {} results", all.len()));
    Ok(())
}

/// Holds the document against the data.
///
/// # Errors
/// They differ.
pub fn check() -> Result<()> {
    let text = std::fs::read_to_string(root().join(DOCUMENT)).context(DOCUMENT)?;
    ensure!(
        text == document(&rows()?),
        "{DOCUMENT} is not what {DATA} says; change {DATA}, and run `cargo xtask results`"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_what_the_data_say() {
        let row = Row {
            id: "one".into(),
            what: "a visit".into(),
            figure: "9 KB (the aim, 8 KB, is missed)".into(),
            command: "`cargo xtask dist`".into(),
            commit: "1234abc".into(),
            day: "2026-11-27".into(),
        };
        let text = document(&[row]);
        assert!(text.ends_with(
            "| a visit | 9 KB (the aim, 8 KB, is missed) | `cargo xtask dist` | 1234abc, 2026-11-27 |\n\n\
             <!-- /measured -->\n"
        ));
        assert!(text.starts_with("# Results\n"));
    }

    #[test]
    fn the_document_is_what_the_data_say() {
        check().unwrap();
    }
}
