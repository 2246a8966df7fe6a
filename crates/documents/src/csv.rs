//! Tables as text.

use crate::DocumentLimits;
use crate::out::Out;
use crate::table::Table;

/// What may stand between cells, the most likely first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Reads a table: its first row is the head. Time grows with the text that is kept.
pub(crate) fn read(out: &mut Out, name: &str, text: &str, limits: &DocumentLimits) {
    let separator =
        if ends_with(name, ".tsv") || ends_with(name, ".tab") { b'\t' } else { separator(text) };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let mut table = Table::new(out, limits.cells);
    let mut record = csv::ByteRecord::new();
    let mut width = None;
    let mut is_ragged = false;
    // A byte reader of a text in memory has no errors but those of memory.
    while !table.is_full() && reader.read_byte_record(&mut record).unwrap_or(false) {
        is_ragged |= *width.get_or_insert(record.len()) != record.len();
        table.push(record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect());
    }
    if is_ragged {
        out.note("Not all rows of the table have the same number of cells.");
    }
    table.write(out, "The table");
}

/// The separator that the first rows agree on: the one that most often gives each row the same
/// number of cells.
fn separator(text: &str) -> u8 {
    let mut end = text.len().min(65_536);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut best = (0, b',');
    for separator in SEPARATORS {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(&text.as_bytes()[..end]);
        let widths: Vec<usize> =
            reader.byte_records().take(20).filter_map(|row| Some(row.ok()?.len())).collect();
        let Some(first) = widths.first().copied().filter(|width| *width > 1) else { continue };
        let agree = widths.iter().filter(|width| **width == first).count();
        let score = agree * 1000 / widths.len() * 1000 + first.min(999);
        if score > best.0 {
            best = (score, separator);
        }
    }
    best.1
}

/// Whether a name ends so, whatever its case.
pub(crate) fn ends_with(name: &str, ending: &str) -> bool {
    name.len() >= ending.len()
        && name.as_bytes()[name.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
}
