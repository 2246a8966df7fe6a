//! The cells of one sheet.

use std::collections::BTreeSet;

use quick_xml::events::{BytesStart, Event};

use super::Book;
use crate::office::each;
use crate::office::numbers::{Format, show};
use crate::out::Out;
use crate::table::Table;
use crate::xml::{attribute, text_of};
use crate::{DocumentError, DocumentKind};

/// The last column of a sheet, XFD.
const COLUMNS: usize = 16_384;

/// What was found in a sheet.
pub(super) struct Cells {
    /// Row and column, from 0, and text. In the order of the file.
    cells: Vec<(usize, usize, String)>,
    is_cut: bool,
}

/// Which part of a cell is being read.
#[derive(Clone, Copy)]
enum Inside {
    Value,
    Formula,
    Text,
    Else,
}

/// A cell that is being read.
#[derive(Default)]
struct Open {
    row: usize,
    column: usize,
    kind: Option<String>,
    style: usize,
    value: String,
    text: String,
    formula: String,
}

/// Reads cells until there are `limit` or their text is longer than `room`.
pub(super) fn read(
    book: &Book,
    path: &str,
    text: &str,
    limit: usize,
    room: usize,
) -> Result<Cells, DocumentError> {
    let mut found = Cells { cells: Vec::new(), is_cut: false };
    let (mut next_row, mut next_column, mut bytes) = (0, 0, 0);
    let (mut open, mut is_reading, mut inside) = (None::<Open>, false, Inside::Else);
    each(DocumentKind::Xlsx, path, text, |event| {
        match event {
            Event::Start(element) => match element.local_name().as_ref() {
                b"row" => {
                    let row = attribute(element, "r").and_then(|row| row.parse::<usize>().ok());
                    next_row = row.map_or(next_row, |row| row.saturating_sub(1)) + 1;
                    next_column = 0;
                }
                b"c" => {
                    let cell = start(element, next_row, next_column);
                    next_column = cell.column + 1;
                    open = Some(cell);
                }
                b"v" => inside = Inside::Value,
                b"f" => inside = Inside::Formula,
                b"t" if !is_reading => inside = Inside::Text,
                b"rPh" => is_reading = true,
                _ => {}
            },
            Event::End(element) => match element.local_name().as_ref() {
                b"v" | b"f" | b"t" => inside = Inside::Else,
                b"rPh" => is_reading = false,
                b"c" => {
                    if let Some(cell) = open.take() {
                        let text = shown(book, &cell);
                        if !text.trim().is_empty() {
                            if found.cells.len() >= limit || bytes > room {
                                found.is_cut = true;
                                return false;
                            }
                            bytes += text.len() + 3;
                            found.cells.push((cell.row, cell.column, text));
                        }
                    }
                }
                b"sheetData" => return false,
                _ => {}
            },
            Event::Text(raw) => {
                if let Some(cell) = &mut open {
                    match inside {
                        Inside::Value => cell.value.push_str(&text_of(raw)),
                        Inside::Formula => cell.formula.push_str(&text_of(raw)),
                        Inside::Text => cell.text.push_str(&text_of(raw)),
                        Inside::Else => {}
                    }
                }
            }
            _ => {}
        }
        true
    })?;
    Ok(found)
}

fn start(element: &BytesStart<'_>, next_row: usize, next_column: usize) -> Open {
    let mut cell = Open { row: next_row.saturating_sub(1), column: next_column, ..Open::default() };
    for attribute in element.attributes().with_checks(false).flatten() {
        let value = crate::xml::unescape(&attribute.value);
        match attribute.key.as_ref() {
            b"r" => {
                if let Some(column) = column(&value) {
                    cell.column = column;
                }
            }
            b"t" => cell.kind = Some(value),
            b"s" => cell.style = value.parse().unwrap_or(0),
            _ => {}
        }
    }
    cell
}

/// The column, from 0, of a reference such as `AB12`.
fn column(reference: &str) -> Option<usize> {
    let letters = reference.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number = letters.fold(0, |number, letter| {
        number * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    (1..=COLUMNS).contains(&number).then(|| number - 1)
}

/// What a cell shows.
fn shown(book: &Book, cell: &Open) -> String {
    let value = cell.value.trim();
    if value.is_empty() && !cell.formula.is_empty() {
        // The program that wrote it did not calculate.
        return format!("={}", cell.formula);
    }
    match cell.kind.as_deref() {
        Some("s") => value.parse().map_or(String::new(), |place| book.text(place).to_owned()),
        Some("inlineStr") => cell.text.clone(),
        Some("str") => cell.value.clone(),
        Some("b") => if value == "1" { "TRUE" } else { "FALSE" }.to_owned(),
        Some("d") => value.trim_end_matches("T00:00:00").to_owned(),
        Some("e") => value.to_owned(),
        _ => match value.parse::<f64>() {
            Ok(number) => {
                let format = book.formats.get(cell.style).copied().unwrap_or(Format::Plain);
                show(number, format, book.is_1904)
            }
            Err(_) => value.to_owned(),
        },
    }
}

impl Cells {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.cells.len()
    }

    /// Writes them as a table of the rows and columns that are not empty.
    ///
    /// In time that grows with the cells, and with the table as far as it has room.
    pub(super) fn write(mut self, out: &mut Out, name: &str) {
        self.cells.sort_by_key(|(row, column, _)| (*row, *column));
        let columns: Vec<usize> = {
            let columns: BTreeSet<usize> = self.cells.iter().map(|cell| cell.1).collect();
            columns.into_iter().collect()
        };
        let place = format!("Sheet {name}");
        if let Some(last) = columns.last()
            && columns.len() <= *last
        {
            out.note(format!("{place}: empty columns are left out."));
        }
        let mut table = Table::new(out, usize::MAX);
        let (mut row, mut number) = (Vec::new(), None);
        for (at, column, text) in self.cells {
            if number.is_some_and(|number| number != at) {
                table.push(std::mem::take(&mut row));
            }
            if table.is_full() {
                break;
            }
            number = Some(at);
            let place = columns.binary_search(&column).unwrap_or(0);
            row.resize(place, String::new());
            row.push(text);
        }
        table.push(row);
        let is_cut = self.is_cut && !table.is_full();
        table.write(out, &place);
        if is_cut && !out.is_full() {
            out.leave_out(format!("{place} was cut: it has more cells than are read."));
        }
    }
}
