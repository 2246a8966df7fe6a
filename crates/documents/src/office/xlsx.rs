//! Workbooks of Excel.
//!
//! Only cells that have something in them cost anything: what a sheet says of its size is not
//! read.

mod sheet;

use quick_xml::events::Event;

use super::numbers::{Format, built_in, of_code};
use super::{each, needed, part, relations};
use crate::out::Out;
use crate::xml::{attribute, text_of};
use crate::zip::Archive;
use crate::{DocumentError, DocumentKind, DocumentLimits};

const BOOK: &str = "xl/workbook.xml";
/// How many sheets are read.
const SHEETS: usize = 1_000;

/// What all sheets of a workbook share.
#[derive(Debug, Default)]
struct Book {
    /// All shared texts after each other, and where each ends.
    texts: String,
    ends: Vec<usize>,
    /// How the numbers of each style are shown.
    formats: Vec<Format>,
    is_1904: bool,
}

/// A sheet's name, its relation, whether it is hidden.
struct Sheet {
    name: String,
    id: String,
    is_hidden: bool,
}

/// Reads a workbook, a table a sheet. Time grows with its parts, memory with shared texts and the
/// cells that are kept.
pub(crate) fn read(
    out: &mut Out,
    bytes: &[u8],
    limits: &DocumentLimits,
) -> Result<(), DocumentError> {
    let archive = Archive::open(bytes, limits)?;
    let relations = relations(&archive, DocumentKind::Xlsx, BOOK)?;
    let mut book = Book::default();
    let sheets = book.read_sheets(&needed(&archive, DocumentKind::Xlsx, BOOK)?)?;
    let path_of = |kind: &str, usual: &str| {
        let mut found = relations.values().filter(|relation| relation.kind == kind);
        found.next().map_or(usual.to_owned(), |relation| relation.target.clone())
    };
    let path = path_of("styles", "xl/styles.xml");
    if let Some(text) = part(&archive, &path)? {
        book.read_styles(&path, &text)?;
    }
    let path = path_of("sharedStrings", "xl/sharedStrings.xml");
    if let Some(text) = part(&archive, &path)? {
        book.read_texts(&path, &text)?;
    }
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    if names.len() > 1 {
        out.paragraph(&format!("Sheets: {}", names.join(", ")));
    }
    let mut cells = limits.cells;
    for sheet in &sheets {
        if out.is_full() {
            break;
        }
        let hidden = if sheet.is_hidden { " (hidden)" } else { "" };
        out.heading(2, &format!("{}{hidden}", sheet.name));
        let Some(relation) = relations.get(&sheet.id) else {
            out.note(format!("Sheet {}: its part is missing.", sheet.name));
            continue;
        };
        if relation.kind != "worksheet" {
            out.note(format!("Sheet {}: a {} is left out.", sheet.name, relation.kind));
            continue;
        }
        let text = needed(&archive, DocumentKind::Xlsx, &relation.target)?;
        let found = sheet::read(&book, &relation.target, &text, cells, out.room())?;
        drop(text);
        cells = cells.saturating_sub(found.count());
        found.write(out, &sheet.name);
    }
    Ok(())
}

impl Book {
    /// The text that sheets call by its place.
    fn text(&self, place: usize) -> &str {
        let end = self.ends.get(place).copied().unwrap_or(0);
        let start = place.checked_sub(1).and_then(|place| self.ends.get(place)).copied();
        self.texts.get(start.unwrap_or(0)..end).unwrap_or_default()
    }

    fn read_sheets(&mut self, text: &str) -> Result<Vec<Sheet>, DocumentError> {
        let mut sheets = Vec::new();
        each(DocumentKind::Xlsx, BOOK, text, |event| {
            if let Event::Start(element) = event {
                let value = |name| attribute(element, name);
                match element.local_name().as_ref() {
                    b"sheet" if sheets.len() < SHEETS => sheets.push(Sheet {
                        name: crate::out::one_line(&value("name").unwrap_or_default()),
                        id: value("id").unwrap_or_default(),
                        is_hidden: value("state").is_some_and(|state| state != "visible"),
                    }),
                    b"workbookPr" => {
                        self.is_1904 =
                            value("date1904").is_some_and(|on| on == "1" || on == "true");
                    }
                    _ => {}
                }
            }
            true
        })?;
        Ok(sheets)
    }

    fn read_styles(&mut self, path: &str, text: &str) -> Result<(), DocumentError> {
        let mut codes = std::collections::HashMap::new();
        let mut is_cells = false;
        each(DocumentKind::Xlsx, path, text, |event| {
            match event {
                Event::Start(element) => {
                    let id = || {
                        let id = attribute(element, "numFmtId");
                        id.and_then(|id| id.parse::<usize>().ok()).unwrap_or(0)
                    };
                    match element.local_name().as_ref() {
                        b"numFmt" => {
                            let code = attribute(element, "formatCode").unwrap_or_default();
                            codes.insert(id(), of_code(&code));
                        }
                        b"cellXfs" => is_cells = true,
                        b"xf" if is_cells => {
                            let id = id();
                            let format = codes.get(&id).copied();
                            self.formats.push(format.unwrap_or_else(|| built_in(id)));
                        }
                        _ => {}
                    }
                }
                Event::End(element) if element.local_name().as_ref() == b"cellXfs" => {
                    is_cells = false;
                }
                _ => {}
            }
            true
        })
    }

    fn read_texts(&mut self, path: &str, text: &str) -> Result<(), DocumentError> {
        let (mut is_text, mut is_reading) = (false, false);
        each(DocumentKind::Xlsx, path, text, |event| {
            match event {
                Event::Start(element) => match element.local_name().as_ref() {
                    b"t" => is_text = !is_reading,
                    // How a text is read aloud, in Japanese.
                    b"rPh" => is_reading = true,
                    _ => {}
                },
                Event::End(element) => match element.local_name().as_ref() {
                    b"t" => is_text = false,
                    b"rPh" => is_reading = false,
                    b"si" => self.ends.push(self.texts.len()),
                    _ => {}
                },
                Event::Text(raw) if is_text => self.texts.push_str(&text_of(raw)),
                _ => {}
            }
            true
        })
    }
}
