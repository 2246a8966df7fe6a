//! Files of all kinds as text.

use agent::ToolFailure;
use documents::{DocumentError, DocumentKind, DocumentLimits};
use systems::kgot::{FileContents, FileReader};

/// Reads documents of all kinds that the crate `documents` knows, as Markdown.
pub struct DocumentFiles;

/// The most bytes that come out of one file.
const MAX_TEXT: usize = 4_000_000;

fn limits() -> DocumentLimits {
    DocumentLimits { text_bytes: MAX_TEXT, ..DocumentLimits::default() }
}

fn refused(name: &str) -> impl Fn(DocumentError) -> ToolFailure {
    move |error| {
        let words = error.to_string();
        let words = if words.contains(name) { words } else { format!("{name}: {words}") };
        failure("not_readable", words)
    }
}

fn listed(name: &str, bytes: &[u8]) -> Result<Vec<(String, usize)>, DocumentError> {
    let files = documents::list_zip(bytes, &limits())?;
    Ok(files.into_iter().map(|file| (format!("{name}/{}", file.path), file.size)).collect())
}

impl FileReader for DocumentFiles {
    /// Reads a file: plain text, tables and data as they are, anything else as Markdown, a zip as
    /// the list of what is in it.
    fn read(&self, name: &str, bytes: &[u8]) -> Result<FileContents, ToolFailure> {
        let kind = documents::kind(name, bytes).map_err(refused(name))?;
        if kind == DocumentKind::Zip {
            let files = listed(name, bytes).map_err(refused(name))?;
            let mut text = format!("A zip with {} files:\n", files.len());
            for (path, n) in files {
                text.push_str(&format!("- {path} ({n} bytes)\n"));
            }
            return Ok(FileContents { name: name.to_owned(), text, notes: Vec::new() });
        }
        let is_plain = matches!(
            kind,
            DocumentKind::Text | DocumentKind::Markdown | DocumentKind::Csv | DocumentKind::Json
        );
        // By that name it is decoded and nothing else.
        let of = if is_plain { "plain.txt" } else { name };
        let document = documents::read(of, bytes, &limits()).map_err(refused(name))?;
        Ok(FileContents { name: name.to_owned(), text: document.markdown, notes: document.notes })
    }

    /// What is in a zip, with the sizes in bytes; nothing for what is no zip.
    fn list(&self, name: &str, bytes: &[u8]) -> Option<Result<Vec<(String, usize)>, ToolFailure>> {
        let is_zip = documents::kind(name, bytes).is_ok_and(|kind| kind == DocumentKind::Zip);
        is_zip.then(|| listed(name, bytes).map_err(refused(name)))
    }

    /// The bytes of a file of a zip.
    fn unpack(&self, name: &str, bytes: &[u8], inner: &str) -> Result<Vec<u8>, ToolFailure> {
        if !documents::kind(name, bytes).is_ok_and(|kind| kind == DocumentKind::Zip) {
            return Err(failure("no_zip", format!("{name} is no zip, so it has no files in it")));
        }
        let found = documents::unzip_one(bytes, inner, &limits()).map_err(refused(name))?;
        if let Some(unpacked) = found {
            return Ok(unpacked);
        }
        let files = listed(name, bytes).map_err(refused(name))?;
        let names: Vec<String> = files.into_iter().take(30).map(|(path, _)| path).collect();
        let list = names.join(", ");
        let message = format!("there is no file \"{name}/{inner}\"; the zip has {list}");
        Err(failure("unknown_file", message))
    }

    /// A page of the web as Markdown.
    fn page(
        &self,
        content_type: Option<&str>,
        body: &str,
    ) -> Result<(String, Vec<String>), String> {
        let content_type = content_type.unwrap_or_default().to_ascii_lowercase();
        let name = match content_type.split(';').next().unwrap_or_default().trim() {
            "text/html" | "application/xhtml+xml" => "page.html",
            "application/json" | "text/plain" | "text/markdown" | "text/csv" => "page.txt",
            "" => "page",
            of if of.ends_with("xml") => "page.xml",
            of if of.starts_with("text/") => "page",
            of => return Err(format!("it is {of}; a reader that gives text is needed")),
        };
        let document =
            documents::read(name, body.as_bytes(), &limits()).map_err(|e| e.to_string())?;
        Ok((document.markdown, document.notes))
    }
}

fn failure(code: &str, message: String) -> ToolFailure {
    ToolFailure { is_schema: false, code: code.into(), message, witness: None }
}
