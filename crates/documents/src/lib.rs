#![doc = include_str!("../README.md")]

mod blocks;
mod csv;
mod error;
mod formula;
mod html;
mod inline;
mod json;
mod kinds;
mod office;
mod out;
mod pdf;
mod shape;
mod table;
mod text;
mod xml;
mod zip;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub use error::{DocumentError, EntryProblem};
pub use kinds::kind;
pub use zip::{ZipEntry, ZipListed, list_zip, unzip, unzip_one};

use out::Out;

/// What a file may be, and how much may come out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentLimits {
    /// Bytes that the file may have; a larger one is refused.
    pub file_bytes: usize,
    /// Bytes of text that come out; what is longer is cut at the end of a line.
    pub text_bytes: usize,
    /// Bytes that may be unpacked in all from a zip, an Office file or a PDF; what unpacks to
    /// more is refused.
    pub unpacked_bytes: usize,
    /// How deep lists, elements, JSON values and drawings may be nested; what is deeper is left
    /// out, or, in JSON, refused.
    pub depth: usize,
    /// Entries that a zip may have; one with more is refused.
    pub entries: usize,
    /// Cells of tables that are read in all; further ones are left out.
    pub cells: usize,
    /// Pages of a PDF, or slides, that are read; further ones are left out.
    pub pages: usize,
}

impl Default for DocumentLimits {
    fn default() -> Self {
        Self {
            file_bytes: 50_000_000,
            text_bytes: 400_000,
            unpacked_bytes: 200_000_000,
            depth: 100,
            entries: 10_000,
            cells: 1_000_000,
            pages: 2_000,
        }
    }
}

/// What kind of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// Plain text, and source code.
    Text,
    /// Markdown.
    Markdown,
    /// A table as text, with commas, semicolons, tabs or bars between cells.
    Csv,
    /// JSON, or several JSON values after each other.
    Json,
    /// XML of any kind.
    Xml,
    /// A page of the web.
    Html,
    /// Portable Document Format.
    Pdf,
    /// A text of Word.
    Docx,
    /// A workbook of Excel.
    Xlsx,
    /// Slides of PowerPoint.
    Pptx,
    /// A zip with files in it.
    Zip,
}

impl DocumentKind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Text,
        Self::Markdown,
        Self::Csv,
        Self::Json,
        Self::Xml,
        Self::Html,
        Self::Pdf,
        Self::Docx,
        Self::Xlsx,
        Self::Pptx,
        Self::Zip,
    ];

    /// The kind as people write it, such as `PDF`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "Markdown",
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Xml => "XML",
            Self::Html => "HTML",
            Self::Pdf => "PDF",
            Self::Docx => "Word",
            Self::Xlsx => "Excel",
            Self::Pptx => "PowerPoint",
            Self::Zip => "zip",
        }
    }
}

impl std::fmt::Display for DocumentKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Written in place of a sign that its font does not name.
pub(crate) const UNREADABLE: &str = "[unreadable sign]";

/// A file as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What kind of file it was.
    pub kind: DocumentKind,
    /// What stands in it, at most [`DocumentLimits::text_bytes`] long: Markdown, or the text itself where
    /// the file was plain text.
    pub markdown: String,
    /// Whether something of the file is left out because a limit was reached; `notes` say what.
    pub is_cut: bool,
    /// What a reader should know about how it was read, in sentences.
    pub notes: Vec<String>,
}

/// Reads a file.
///
/// `name` is the file's name or path, of which the ending counts; `bytes` are all its bytes.
///
/// # Errors
///
/// If the file is too large, of a kind that is not read, protected or damaged, or if more comes
/// out of it than may.
///
/// # Complexity
///
/// Time in proportion to the bytes and to what is unpacked from them; memory in proportion to the
/// largest part that is unpacked, and to the text. No part of a file makes the stack grow.
///
/// ```
/// let limits = documents::DocumentLimits::default();
/// let document = documents::read("towns.csv", b"town,people\nOslo,700000\n", &limits)?;
/// assert_eq!(document.markdown, "| town | people |\n| --- | --- |\n| Oslo | 700000 |\n");
/// # Ok::<(), documents::DocumentError>(())
/// ```
pub fn read(name: &str, bytes: &[u8], limits: &DocumentLimits) -> Result<Document, DocumentError> {
    if bytes.len() > limits.file_bytes {
        return Err(DocumentError::TooLarge { bytes: bytes.len(), limit: limits.file_bytes });
    }
    let kind = kind(name, bytes)?;
    let mut out = Out::new(limits);
    read_into(&mut out, kind, name, bytes, limits)?;
    Ok(out.finish(kind))
}

/// Reads a file of a known kind into a text that may hold others already.
fn read_into(
    out: &mut Out,
    kind: DocumentKind,
    name: &str,
    bytes: &[u8],
    limits: &DocumentLimits,
) -> Result<(), DocumentError> {
    match kind {
        DocumentKind::Pdf => return pdf::read(out, bytes, limits),
        DocumentKind::Docx => return office::docx::read(out, bytes, limits),
        DocumentKind::Xlsx => return office::xlsx::read(out, bytes, limits),
        DocumentKind::Pptx => return office::pptx::read(out, bytes, limits),
        DocumentKind::Zip => return zip::read(out, bytes, limits),
        _ => {}
    }
    let decoded = text::decode(bytes);
    if let Some(note) = decoded.note {
        out.note(note);
    }
    let text: Cow<'_, str> = decoded.text;
    match kind {
        DocumentKind::Csv => csv::read(out, name, &text, limits),
        DocumentKind::Json => json::read(out, &text, limits)?,
        DocumentKind::Xml => xml::read(out, &text, limits)?,
        DocumentKind::Html => html::read(out, &text, limits),
        _ => out.push(&text),
    }
    Ok(())
}
