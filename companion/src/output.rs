//! Writing: to the terminal or a pipe, and files that are there whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use indicatif::{ProgressBar, ProgressStyle};
use tempfile::TempPath;

use crate::limits::{MESSAGE, MESSAGE_LEFT};

/// A buffered standard output, for people and pipes: see [`Escaped`].
pub fn stdout() -> BufWriter<Escaped<io::StdoutLock<'static>>> {
    BufWriter::new(Escaped::new(io::stdout().lock()))
}

/// Writes a line to standard error; if that is closed, there is nobody to tell.
pub fn complain(line: &str) {
    let _ = writeln!(Escaped::new(io::stderr()), "{line}");
}

/// Writes control characters as `\u{1b}`, but for line ends and tabs: what models, endpoints and
/// files say must not move a terminal's cursor, set its title or fill its clipboard.
pub struct Escaped<W> {
    to: W,
    /// The first byte of a character whose second decides; it may come with the next piece.
    held: Option<u8>,
}

/// The first byte of the control characters U+0080 to U+009F, and of others.
const FIRST_OF_TWO: u8 = 0xc2;

impl<W: Write> Escaped<W> {
    /// Around a writer of text.
    pub fn new(to: W) -> Self {
        Self { to, held: None }
    }
}

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut shown = Vec::with_capacity(bytes.len());
        for byte in bytes {
            match (self.held.take(), byte) {
                (Some(_), 0x80..=0x9f) => {
                    shown.extend_from_slice(format!("\\u{{{byte:x}}}").as_bytes());
                    continue;
                }
                (held, _) => shown.extend(held),
            }
            match byte {
                b'\n' | b'\t' => shown.push(*byte),
                0..0x20 | 0x7f => shown.extend_from_slice(format!("\\u{{{byte:x}}}").as_bytes()),
                &FIRST_OF_TWO => self.held = Some(*byte),
                _ => shown.push(*byte),
            }
        }
        self.to.write_all(&shown)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A text of others as a line of the terminal may have it.
pub(crate) fn shown(text: &str) -> String {
    let mut to = Escaped::new(Vec::new());
    let _ = to.write_all(text.as_bytes());
    String::from_utf8_lossy(&to.to).into_owned()
}

/// Reads the command line. What is wrong with it is printed; clap repeats whole arguments.
///
/// # Errors
/// How the program ends in place of a command.
pub fn parse<C: clap::Parser>() -> Result<C, ExitCode> {
    C::try_parse().map_err(|error| {
        if error.use_stderr() {
            complain(shortened(error.render().to_string(), MESSAGE).trim_end());
        } else {
            let _ = error.print();
        }
        ExitCode::from(error.exit_code() as u8)
    })
}

/// An error with its causes on one line. Some quote what they found, which may be the whole file:
/// of those the beginning is left, and the end, which says what was expected and where.
pub(crate) fn describe_error(error: &anyhow::Error) -> String {
    let causes = error.chain().map(|cause| {
        // What reads JSON quotes; our own messages may list what there is.
        let quotes = cause.is::<serde_json::Error>();
        shortened(cause.to_string(), if quotes { MESSAGE_LEFT } else { MESSAGE })
    });
    causes.collect::<Vec<_>>().join(": ")
}

fn shortened(message: String, most: usize) -> String {
    let n = message.chars().count();
    if n <= most {
        return message;
    }
    let begin: String = message.chars().take(MESSAGE_LEFT / 2).collect();
    let end: String = message.chars().skip(n - MESSAGE_LEFT / 2).collect();
    format!("{begin} … {end}")
}

/// Whether the reader of our output went away.
pub(crate) fn is_closed(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|e| e.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}

/// A bar on the terminal for so many pieces of work; nothing where there is no terminal.
pub fn bar(n: usize) -> ProgressBar {
    let bar = ProgressBar::new(n as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} {per_sec} left {eta} {msg}")
    {
        bar.set_style(style);
    }
    bar
}

/// A file that is written.
///
/// It has another name beside its own until [`NewFile::finish`], so that what a full disk or a kill
/// leaves behind never passes for the whole, and an older file stays whole until then.
pub struct NewFile {
    /// The name that it is to have.
    path: PathBuf,
    /// The name that it has, which is removed with this; none where it is written to at once, as a
    /// device or a pipe is.
    unfinished: Option<TempPath>,
    to: Sink,
}

/// The file as it is, or packed. The same content gives the same bytes: no time and no name go into it.
enum Sink {
    Plain(BufWriter<File>),
    Packed(Box<GzEncoder<BufWriter<File>>>),
}

impl Sink {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(file) => file,
            Self::Packed(file) => file,
        }
    }

    /// The file, with everything that was written in it.
    fn finish(self) -> io::Result<File> {
        let file = match self {
            Self::Plain(file) => file,
            Self::Packed(file) => file.finish()?,
        };
        Ok(file.into_inner()?)
    }
}

impl NewFile {
    /// As [`NewFile::create`], and packs what is written where the name ends in `.gz`.
    pub fn create_packed(path: &Path) -> Result<Self> {
        let mut new = Self::create(path)?;
        if path.extension().is_some_and(|e| e == "gz")
            && let Sink::Plain(file) = new.to
        {
            let packed = GzBuilder::new().mtime(0).write(file, Compression::best());
            new.to = Sink::Packed(Box::new(packed));
        }
        Ok(new)
    }

    /// Begins a file; whatever is there under its name stays until the end.
    pub fn create(path: &Path) -> Result<Self> {
        let place = || format!("{}: cannot be written", path.display());
        if path.is_dir() {
            bail!("{}: is a folder; give the name of a file", path.display());
        }
        // A link is written through, as any program would.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let before = target.metadata().ok();
        let (file, unfinished) = match &before {
            Some(about) if !about.is_file() => {
                (File::options().write(true).open(&target).with_context(place)?, None)
            }
            Some(about) if about.permissions().readonly() => {
                bail!("{}: is read-only, and is left as it is", path.display())
            }
            _ => {
                let (file, name) = begin_beside(&target).with_context(place)?;
                (file, Some(name))
            }
        };
        if let (Some(about), Some(_)) = (before, &unfinished) {
            // Who could read the older one can read this one.
            file.set_permissions(about.permissions()).with_context(place)?;
        }
        Ok(Self { path: path.to_owned(), unfinished, to: Sink::Plain(BufWriter::new(file)) })
    }

    /// Puts the file under its own name, once it is on the disk.
    pub fn finish(self) -> Result<()> {
        let Self { path, unfinished, to } = self;
        let done = to.finish().and_then(|file| {
            let Some(unfinished) = unfinished else { return Ok(()) };
            file.sync_all()?;
            let target = path.canonicalize().unwrap_or_else(|_| path.clone());
            Ok(unfinished.persist(target)?)
        });
        done.with_context(|| format!("{}: cannot be written", path.display()))
    }
}

/// An error of the disk with the name of the file, which the system leaves out.
fn named<T>(path: &Path, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|e| {
        io::Error::new(e.kind(), format!("{}: cannot be written: {e}", path.display()))
    })
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        named(&self.path, self.to.writer().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        named(&self.path, self.to.writer().flush())
    }
}

/// Begins a file under a free name beside another.
fn begin_beside(target: &Path) -> io::Result<(File, TempPath)> {
    let mut prefix = target.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".unfinished");
    // Like any new file, and not like a secret of this process: the umask takes its part away.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    Ok(builder.tempfile_in(target.parent().unwrap_or(target))?.into_parts())
}

/// Writes a file whole or not at all.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// Writes a text whole or not at all, packed where the name ends in `.gz`, and gives the bytes that
/// it takes.
pub fn write_packed(path: &Path, text: &str) -> Result<u64> {
    let mut file = NewFile::create_packed(path)?;
    file.write_all(text.as_bytes())?;
    file.finish()?;
    Ok(path.metadata().map_or(text.len() as u64, |about| about.len()))
}

/// How a program ends with what its command gave; an error is printed.
pub fn exit(done: Result<ExitCode>) -> ExitCode {
    match done {
        Ok(code) => code,
        // `graphground … | head` closes our output; that is no fault.
        Err(error) if is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("error: {}", describe_error(&error)));
            ExitCode::from(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use test_support::Folder;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_whole_or_as_it_was() {
        let folder = Folder::new();
        let path = folder.join("a.txt");
        write(&path, "old").unwrap();
        let mut new = NewFile::create(&path).unwrap();
        new.write_all(b"ne").unwrap();
        assert_eq!(names(&folder).len(), 2);
        drop(new);
        assert_eq!(
            (std::fs::read_to_string(&path).unwrap().as_str(), names(&folder).len()),
            ("old", 1)
        );
        write(&path, "new").unwrap();
        assert_eq!(
            (std::fs::read_to_string(&path).unwrap().as_str(), names(&folder).len()),
            ("new", 1)
        );
        let error = describe_error(&write(&folder, "x").unwrap_err());
        assert!(error.contains("is a folder; give the name of a file"), "{error}");
        let error = describe_error(&write(&folder.join("no/a.txt"), "x").unwrap_err());
        assert!(error.contains("no/a.txt: cannot be written: "), "{error}");
    }

    /// A new file has the mode that any program gives it, not that of a temporary one.
    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_usual_mode() {
        let folder = Folder::new();
        let (ours, usual) = (folder.join("ours"), folder.join("usual"));
        write(&ours, "x").unwrap();
        std::fs::write(&usual, "x").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions();
        assert_eq!(mode(&ours), mode(&usual));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_mode_stays() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new();
        let (file, link) = (folder.join("file"), folder.join("link"));
        write(&file, "old").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_named_when_it_is_full() {
        let error = describe_error(&write(Path::new("/dev/full"), "x").unwrap_err());
        assert!(error.starts_with("/dev/full: cannot be written: No space left"), "{error}");
        write(Path::new("/dev/null"), "x").unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }

    #[test]
    fn no_control_character_reaches_a_terminal() {
        let text = "a\tb\n\u{1b}]0;x\u{7}\u{9b}2J\u{7f}\r é\u{a0}ü";
        let expected = "a\tb\n\\u{1b}]0;x\\u{7}\\u{9b}2J\\u{7f}\\u{d} é\u{a0}ü";
        assert_eq!(shown(text), expected);
        // In whatever pieces it comes.
        let mut to = Escaped::new(Vec::new());
        for byte in text.as_bytes() {
            to.write_all(&[*byte]).unwrap();
        }
        assert_eq!(String::from_utf8(to.to).unwrap(), expected);
    }

    #[test]
    fn a_message_that_quotes_a_file_keeps_its_ends() {
        let quoted =
            format!("invalid type: string \"{}\", expected a map at line 3", "x".repeat(10_000));
        let error = anyhow::Error::msg(quoted).context("a.json");
        let told = describe_error(&error);
        assert!(told.starts_with("a.json: invalid type: string \"xxx"), "{told}");
        assert!(told.ends_with("xxx\", expected a map at line 3") && told.len() < 250, "{told}");
    }
}
