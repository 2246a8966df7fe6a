//! What files are, and what they say. Who reads more than text is handed to a run: documents of all
//! kinds would make everything larger that can run a task.

use agent::ToolFailure;

use super::failure;

/// What was read of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContents {
    /// Its name, with that of its zip where it is in one.
    pub name: String,
    /// What it says.
    pub text: String,
    /// How it was read, where a reader should know.
    pub notes: Vec<String>,
}

/// Whoever makes text of files.
pub trait FileReader {
    /// Reads a file.
    ///
    /// # Errors
    /// It is of a kind that is not read here, or broken; the words say which.
    fn read(&self, name: &str, bytes: &[u8]) -> Result<FileContents, ToolFailure>;

    /// What is in a zip, with the sizes in bytes; nothing for what is no zip.
    fn list(&self, name: &str, bytes: &[u8]) -> Option<Result<Vec<(String, usize)>, ToolFailure>>;

    /// The bytes of a file of a zip.
    ///
    /// # Errors
    /// The file is no zip, is broken, or has no such file; the words say which.
    fn unpack(&self, name: &str, bytes: &[u8], inner: &str) -> Result<Vec<u8>, ToolFailure>;

    /// A page of the web as text, with notes on how it was read.
    ///
    /// # Errors
    /// It is of a kind that is not read here.
    fn page(&self, content_type: Option<&str>, body: &str)
    -> Result<(String, Vec<String>), String>;
}

/// Reads text alone.
pub(super) struct PlainFiles;

impl FileReader for PlainFiles {
    fn read(&self, name: &str, bytes: &[u8]) -> Result<FileContents, ToolFailure> {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                Ok(FileContents { name: name.to_owned(), text: text.to_owned(), notes: Vec::new() })
            }
            Err(_) => {
                let message = format!("{name:?} is no text, and text alone is read here");
                Err(failure("not_readable", message))
            }
        }
    }

    fn list(&self, _: &str, _: &[u8]) -> Option<Result<Vec<(String, usize)>, ToolFailure>> {
        None
    }

    fn unpack(&self, name: &str, _: &[u8], _: &str) -> Result<Vec<u8>, ToolFailure> {
        Err(failure("not_readable", format!("{name}: zips are not read here")))
    }

    fn page(&self, _: Option<&str>, body: &str) -> Result<(String, Vec<String>), String> {
        Ok((body.to_owned(), Vec::new()))
    }
}
