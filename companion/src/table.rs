//! Plain tables for the terminal.

use std::io::{self, Write};

/// The widest column: what is longer is written as it is, and nothing is padded to it.
const MAX_WIDTH: usize = 200;

/// Writes rows under a heading; the first column to the left, the others to the right.
pub fn write(out: &mut impl Write, heading: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let mut widths: Vec<usize> = heading.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count()).min(MAX_WIDTH);
        }
    }
    let heading: Vec<String> = heading.iter().map(ToString::to_string).collect();
    for row in std::iter::once(&heading).chain(rows) {
        for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if i == 0 {
                write!(out, "{cell:<width$}")?;
            } else {
                write!(out, "  {cell:>width$}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
