//! The files of a task, as text.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::ToolFailure;
use llm::{ImageKind, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tasks::kgot::FileBytes;

use super::documents::{FileContents, FileReader, PlainFiles};
use super::images::{self, LOOK};
use super::pages::{PagedText, wanted};
use super::{failure, read_arguments, spec};

/// The most lines that a search gives.
const MAX_FOUND: usize = 200;
/// The most names that an error lists.
const MAX_NAMES: usize = 50;
/// The most files of one zip that a search looks at.
const MAX_ENTRIES: usize = 200;

/// A file of a task: text, or bytes that are read as what they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KgotFile {
    /// How tools name it; its ending says what it is.
    pub name: String,
    /// What it says, where it is text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// All that is in it, where it may be something else than text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<FileBytes>,
}

impl KgotFile {
    /// A file that is text.
    pub fn of_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), bytes: None }
    }

    /// A file of any kind.
    pub fn of_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), text: String::new(), bytes: Some(FileBytes(bytes)) }
    }

    /// What tools will read of it, as far as a person looks at it.
    ///
    /// # Errors
    /// It cannot be read; the words say why.
    pub fn preview(&self, reader: Option<&dyn FileReader>) -> Result<String, String> {
        if let Some(kind) = ImageKind::of(self.content()) {
            return Ok(format!("This is {}.", images::told(kind, self.n_bytes())));
        }
        let reader = reader.unwrap_or(&PlainFiles);
        let read = reader.read(&self.name, self.content());
        read.map(|contents| contents.text).map_err(|failure| failure.message)
    }

    /// How many bytes it has.
    pub fn n_bytes(&self) -> usize {
        self.content().len()
    }

    fn content(&self) -> &[u8] {
        self.bytes.as_ref().map_or(self.text.as_bytes(), |bytes| &bytes.0)
    }
}

/// The name of a file and all that is in it.
pub(super) type NamedBytes<'t> = (String, Cow<'t, [u8]>);

/// A file that was read.
#[derive(Debug)]
struct FileText {
    name: String,
    text: PagedText,
    notes: Vec<String>,
}

/// The files of a task; each is read once.
pub(super) struct TaskFiles<'t> {
    files: &'t [KgotFile],
    reader: &'t dyn FileReader,
    read: RefCell<BTreeMap<String, Result<Rc<FileText>, ToolFailure>>>,
    hash: OnceCell<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArgs {
    file: String,
    #[serde(default)]
    page: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FindArgs {
    file: String,
    words: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArgs {
    words: String,
}

pub(super) const READ: &str = "read_file";
pub(super) const FIND: &str = "find_in_file";
pub(super) const SEARCH: &str = "search_files";

/// What models are told of the tools that read files.
pub(super) fn specs() -> Vec<ToolSpec> {
    let text = |words: &str| json!({ "type": "string", "description": words });
    let file = || text("The name of the file; archive.zip/inner.txt for a file in a zip.");
    vec![
        spec(
            READ,
            "Reads a file of the task as text, a page at a time: 200 lines or 20000 letters. \
             Documents and tables come as Markdown. A zip gives the list of its files.",
            json!({
                "file": file(),
                "page": {
                    "type": "integer", "minimum": 1,
                    "description": "The page, counted from 1; the next one is one more.",
                },
            }),
            &["file"],
        ),
        spec(
            FIND,
            "Finds the lines of one file that have all of the words, in any order, with their \
             pages.",
            json!({ "file": file(), "words": text("One or a few words.") }),
            &["file", "words"],
        ),
        spec(
            SEARCH,
            "Finds the lines of all files that have all of the words, in any order.",
            json!({ "words": text("One or a few words.") }),
            &["words"],
        ),
    ]
}

impl<'t> TaskFiles<'t> {
    pub fn new(files: &'t [KgotFile], reader: &'t dyn FileReader) -> Self {
        Self { files, reader, read: RefCell::default(), hash: OnceCell::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What tells these files from others: their names and all that is in them.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| {
            let each = self.files.iter().map(|file| {
                let content = file.content();
                format!("{:?} {} {}", file.name, content.len(), trace::bytes_hash(content))
            });
            each.collect::<Vec<_>>().join(" ")
        })
    }

    pub fn call(&self, name: &str, arguments: Value) -> Result<(Value, Vec<String>), ToolFailure> {
        match name {
            READ => {
                let ReadArgs { file, page } = read_arguments(arguments)?;
                let file = self.text(&file)?;
                let mut told = json!({ "file": file.name });
                file.text.tell(page, &mut told)?;
                Ok((told, file.notes.clone()))
            }
            FIND => {
                let FindArgs { file, words } = read_arguments(arguments)?;
                let words = wanted(&words)?;
                let file = self.text(&file)?;
                let mut found = Vec::new();
                let n = add_found(&mut found, &file, &words, false);
                let mut told = json!({ "file": file.name, "found": found });
                if n > 0 {
                    told["more"] = json!(n);
                }
                Ok((told, Vec::new()))
            }
            _ => {
                let SearchArgs { words } = read_arguments(arguments)?;
                Ok((self.search(&wanted(&words)?), Vec::new()))
            }
        }
    }

    /// The texts of all files, for a program that reads them: those that are no text as Markdown,
    /// with `.md` behind their names. What cannot be read is left out.
    pub fn texts(&self, max_bytes: usize) -> Vec<(String, String)> {
        let mut left = max_bytes;
        let mut texts = Vec::new();
        for file in self.files {
            let Ok(read) = self.text(&file.name) else { continue };
            let text = read.text.text();
            if text.len() > left {
                continue;
            }
            left -= text.len();
            let is_text = std::str::from_utf8(file.content())
                .is_ok_and(|own| own == text.trim_end_matches('\n') || own == text);
            let name = if is_text { file.name.clone() } else { format!("{}.md", file.name) };
            texts.push((name, text.to_owned()));
        }
        texts
    }

    fn search(&self, words: &[String]) -> Value {
        let (mut found, mut n_more, mut unread) = (Vec::new(), 0, Vec::new());
        for file in self.files {
            let mut names = vec![file.name.clone()];
            match self.reader.list(&file.name, file.content()) {
                Some(Ok(entries)) => {
                    names = entries.into_iter().take(MAX_ENTRIES).map(|(name, _)| name).collect();
                }
                Some(Err(_)) => unread.push(file.name.clone()),
                None => {}
            }
            for name in names {
                match self.text(&name) {
                    Ok(text) => n_more += add_found(&mut found, &text, words, true),
                    Err(_) => unread.push(name),
                }
            }
        }
        let mut told = json!({ "found": found });
        if n_more > 0 {
            told["more"] = json!(n_more);
        }
        if !unread.is_empty() {
            unread.dedup();
            unread.truncate(MAX_NAMES);
            told["not_read"] = json!(unread);
        }
        told
    }

    /// A file by its name, read.
    fn text(&self, name: &str) -> Result<Rc<FileText>, ToolFailure> {
        let wanted = name.trim().trim_start_matches("./");
        if let Some(known) = self.read.borrow().get(wanted) {
            return known.clone();
        }
        let read = self.read(wanted).map(Rc::new);
        self.read.borrow_mut().insert(wanted.to_owned(), read.clone());
        read
    }

    fn read(&self, wanted: &str) -> Result<FileText, ToolFailure> {
        let (name, bytes) = self.bytes(wanted)?;
        if let Some(kind) = ImageKind::of(&bytes) {
            let told = images::told(kind, bytes.len());
            let message = format!(
                "{name} is {told}, and has no text; {LOOK}, where it is offered, shows it to a \
                 model that sees"
            );
            return Err(failure("image", message));
        }
        let FileContents { name, text, notes } = self.reader.read(&name, &bytes)?;
        Ok(FileText { name, text: PagedText::new(text), notes })
    }

    /// The images of the task by their names, those in zips too.
    pub fn images(&self) -> Vec<String> {
        let of = |file: &KgotFile| match self.reader.list(&file.name, file.content()) {
            Some(Ok(entries)) => {
                let names = entries.into_iter().take(MAX_ENTRIES).map(|(name, _)| name);
                names.filter(|name| images::is_named_image(name)).collect()
            }
            Some(Err(_)) => Vec::new(),
            None => {
                let is_image = ImageKind::of(file.content()).is_some();
                is_image.then(|| file.name.clone()).into_iter().collect::<Vec<_>>()
            }
        };
        self.files.iter().flat_map(of).take(MAX_NAMES).collect()
    }

    /// All that is in a file, with its name; it may be a file of a zip.
    pub fn bytes(&self, wanted: &str) -> Result<NamedBytes<'t>, ToolFailure> {
        let wanted = wanted.trim().trim_start_matches("./");
        let same = |file: &&KgotFile| file.name == wanted;
        let alike = |file: &&KgotFile| file.name.eq_ignore_ascii_case(wanted);
        let all = || self.files.iter();
        if let Some(file) = all().find(same).or_else(|| all().find(alike)) {
            return Ok((file.name.clone(), Cow::Borrowed(file.content())));
        }
        self.inner(wanted)?.ok_or_else(|| self.unknown(wanted))
    }

    /// A file of a zip.
    fn inner(&self, wanted: &str) -> Result<Option<NamedBytes<'t>>, ToolFailure> {
        for file in self.files {
            let n = file.name.len();
            let is_in = wanted.as_bytes().get(n) == Some(&b'/')
                && wanted.get(..n).is_some_and(|start| start.eq_ignore_ascii_case(&file.name));
            if is_in && let Some(inner) = wanted.get(n + 1..) {
                let bytes = self.reader.unpack(&file.name, file.content(), inner)?;
                return Ok(Some((format!("{}/{inner}", file.name), Cow::Owned(bytes))));
            }
        }
        Ok(None)
    }

    fn unknown(&self, name: &str) -> ToolFailure {
        let mut names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
        let n_more = names.len().saturating_sub(MAX_NAMES);
        names.truncate(MAX_NAMES);
        let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
        let list = names.join(", ");
        failure("unknown_file", format!("there is no file {name:?}; there are {list}{more}"))
    }
}

/// Adds the lines that have all words, and gives how many found no room.
fn add_found(found: &mut Vec<Value>, file: &FileText, words: &[String], named: bool) -> usize {
    let mut n_more = 0;
    for line in file.text.find(words) {
        if found.len() == MAX_FOUND {
            n_more += 1;
            continue;
        }
        let mut told = json!({});
        if named {
            told["file"] = json!(file.name);
        }
        told["line"] = json!(line.line);
        if file.text.n_pages() > 1 {
            told["page"] = json!(line.page);
        }
        told["text"] = json!(line.text);
        found.push(told);
    }
    n_more
}
