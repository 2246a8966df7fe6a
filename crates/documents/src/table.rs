//! Tables in Markdown.

use crate::out::Out;

/// Rows that become a table: what is collected is bounded by what can still be written.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    bytes: usize,
    room: usize,
    cells: usize,
    is_cut: bool,
}

impl Table {
    /// An empty table for the room that is left in `out`, and at most `cells` cells.
    pub(crate) fn new(out: &Out, cells: usize) -> Self {
        Self { rows: Vec::new(), bytes: 0, room: out.room(), cells, is_cut: false }
    }

    /// Whether rows would be dropped.
    pub(crate) fn is_full(&self) -> bool {
        self.is_cut
    }

    /// Appends a row; empty cells at its end do not count.
    pub(crate) fn push(&mut self, mut row: Vec<String>) {
        while row.last().is_some_and(|cell| cell.trim().is_empty()) {
            row.pop();
        }
        if self.is_cut {
            return;
        }
        if row.len() > self.cells {
            self.is_cut = true;
            return;
        }
        self.cells -= row.len();
        self.bytes += 4 + row.iter().map(|cell| cell.len() + 3).sum::<usize>();
        self.rows.push(row);
        // The last row goes in whole, so that `out` sees that it is full.
        if self.bytes > self.room {
            self.is_cut = true;
        }
    }

    /// Writes the table, its first row as its head. Rows that are empty are left out.
    ///
    /// What does not fit is said in a note that begins with `place`. In time that grows with what
    /// was collected.
    pub(crate) fn write(mut self, out: &mut Out, place: &str) {
        self.rows.retain(|row| !row.is_empty());
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        if width == 0 {
            return;
        }
        out.gap();
        for (index, row) in self.rows.iter().enumerate() {
            if out.is_full() {
                break;
            }
            let mut line = String::from("|");
            for place in 0..width {
                line.push(' ');
                push_cell(&mut line, row.get(place).map_or("", String::as_str));
                line.push_str(" |");
                if line.len() > out.room() {
                    break;
                }
            }
            out.line(&line);
            if index == 0 {
                let mut rule = String::from("|");
                for _ in 0..width {
                    rule.push_str(" --- |");
                    if rule.len() > out.room() {
                        break;
                    }
                }
                out.line(&rule);
            }
        }
        out.gap();
        if self.is_cut {
            let rows = crate::out::thousands(self.rows.len());
            out.leave_out(format!("{place} was cut after {rows} rows."));
        }
    }
}

/// One cell: no line breaks, and `|` as `\|`.
fn push_cell(line: &mut String, cell: &str) {
    let mut is_break = false;
    for char in cell.trim().chars() {
        match char {
            '\n' | '\r' => {
                if !is_break {
                    line.push_str("<br>");
                }
                is_break = true;
                continue;
            }
            '|' => line.push_str("\\|"),
            '\t' => line.push(' '),
            _ => line.push(char),
        }
        is_break = false;
    }
}
