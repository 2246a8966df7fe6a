//! What kind of file it is: by its content where that tells, else by the ending of its name.

use crate::csv::ends_with;
use crate::office::docx::is_main;
use crate::{DocumentError, DocumentKind, DocumentLimits, text, zip};

/// What bytes at the start say that a file is no text, and what to do about it.
const MAGIC: [(&[u8], &str, &str); 17] = [
    (b"\x89PNG\r\n\x1a\n", "an image", IMAGE),
    (b"\xff\xd8\xff", "an image", IMAGE),
    (b"GIF8", "an image", IMAGE),
    (b"RIFF", "an image or a sound", IMAGE),
    (b"BM", "an image", IMAGE),
    (b"II*\0", "an image", IMAGE),
    (b"MM\0*", "an image", IMAGE),
    (b"\xd0\xcf\x11\xe0", "an old Office file, or one with a password", OFFICE),
    (b"\x1f\x8b", "packed by gzip", UNPACK),
    (b"BZh", "packed by bzip2", UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (b"Rar!", "a RAR archive", UNPACK),
    (b"\xfd7zXZ\0", "packed by xz", UNPACK),
    (b"{\\rtf", "Rich Text", OFFICE),
    (b"\x7fELF", "a program", TEXT),
    (b"MZ\x90", "a program", TEXT),
    (b"SQLite format 3\0", "a database of SQLite", TEXT),
];
const IMAGE: &str = "give text, or a PDF with text in it";
const OFFICE: &str = "save it as .docx, .xlsx, .pptx or PDF, without a password";
const UNPACK: &str = "unpack it first, or pack it as .zip";
const TEXT: &str = "give text, Markdown, CSV, JSON, XML, HTML, PDF, .docx, .xlsx, .pptx or .zip";

/// What kind of file it is.
///
/// `name` is the file's name or path; `bytes` are all its bytes. PDF, Office files and zips are
/// told by their content, whatever their name. Text is told by the ending of its name; where that
/// says nothing, by how it begins.
///
/// # Errors
///
/// If it is of a kind that is not read.
///
/// # Complexity
///
/// Looks at the first bytes, and at the directory of a zip.
pub fn kind(name: &str, bytes: &[u8]) -> Result<DocumentKind, DocumentError> {
    let unknown = |what, advice| DocumentError::NotReadable {
        name: name.chars().take(200).collect(),
        what,
        advice,
    };
    let head = &bytes[..bytes.len().min(1024)];
    if head.windows(5).any(|window| window == b"%PDF-") && is_pdf(name, head) {
        return Ok(DocumentKind::Pdf);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Ok(match zip::part_names(bytes, DocumentLimits::default().entries)? {
            names if names.iter().any(|name| is_main(name)) => DocumentKind::Docx,
            names if has(&names, "xl/workbook.xml") => DocumentKind::Xlsx,
            names if has(&names, "ppt/presentation.xml") => DocumentKind::Pptx,
            names if has(&names, "xl/workbook.bin") => {
                return Err(unknown("a binary workbook (.xlsb)", OFFICE));
            }
            names if has(&names, "META-INF/manifest.xml") && has(&names, "mimetype") => {
                return Err(unknown("an OpenDocument file", OFFICE));
            }
            _ => DocumentKind::Zip,
        });
    }
    // "BM" may begin a text, and "RIFF" too.
    let magic = MAGIC.iter().find(|(magic, ..)| bytes.starts_with(magic));
    if let Some((magic, what, advice)) = magic
        && (magic.len() > 4 || !text::is_text(bytes) || matches!(*magic, b"\x1f\x8b"))
    {
        return Err(unknown(what, advice));
    }
    if !text::is_text(bytes) {
        return Err(unknown("no text and of no kind that is known here", TEXT));
    }
    Ok(by_ending(name).unwrap_or_else(|| by_beginning(head)))
}

/// A text that merely speaks of PDF is none.
fn is_pdf(name: &str, head: &[u8]) -> bool {
    head.starts_with(b"%PDF-") || by_ending(name).is_none()
}

fn has(names: &[String], wanted: &str) -> bool {
    names.iter().any(|name| name == wanted)
}

fn by_ending(name: &str) -> Option<DocumentKind> {
    let endings: [(&[&str], DocumentKind); 6] = [
        (&[".md", ".markdown", ".mdx", ".qmd", ".rmd"], DocumentKind::Markdown),
        (&[".csv", ".tsv", ".tab"], DocumentKind::Csv),
        (&[".json", ".jsonl", ".ndjson", ".geojson", ".ipynb", ".jsonld"], DocumentKind::Json),
        (
            &[
                ".xml", ".svg", ".rss", ".atom", ".xsd", ".xsl", ".rdf", ".owl", ".graphml",
                ".gexf", ".kml",
            ],
            DocumentKind::Xml,
        ),
        (&[".html", ".htm", ".xhtml"], DocumentKind::Html),
        (
            &[
                ".txt", ".text", ".log", ".rst", ".tex", ".bib", ".py", ".rs", ".js", ".ts", ".c",
                ".h", ".cpp", ".java", ".go", ".sh", ".sql", ".css", ".toml", ".yaml", ".yml",
                ".ini", ".r", ".jl", ".cypher", ".ttl", ".nt", ".srt", ".vtt", ".eml", ".ics",
            ],
            DocumentKind::Text,
        ),
    ];
    let found = endings.iter().find(|(endings, _)| endings.iter().any(|end| ends_with(name, end)));
    found.map(|(_, kind)| *kind)
}

/// Text without an ending that says what it is.
fn by_beginning(head: &[u8]) -> DocumentKind {
    let decoded = text::decode(head);
    let start: String = decoded.text.trim_start().chars().take(200).collect();
    let lower = start.to_ascii_lowercase();
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        DocumentKind::Html
    } else if lower.starts_with("<?xml") {
        if lower.contains("<html") { DocumentKind::Html } else { DocumentKind::Xml }
    } else if lower.starts_with("{\"") || lower.starts_with("[{") || lower.starts_with("{\n") {
        DocumentKind::Json
    } else {
        DocumentKind::Text
    }
}
