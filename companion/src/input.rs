//! Reading files: bounded, plain or gzipped, with errors that say what would be right.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use flate2::read::MultiGzDecoder;

use crate::encoding::{self, Decoded};
use crate::limits::{PATIENCE_MS, RATIO, RATIO_FREE};
use crate::output;

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    /// A pipe, which ends when whoever writes to it is done.
    Pipe,
}

/// What can be read at a path. Devices never end, or end nowhere.
fn kind(path: &Path) -> Result<Kind> {
    let place = path.display();
    let about = path.metadata().with_context(|| format!("{place}: cannot open"))?;
    if about.is_dir() {
        bail!("{place}: is a folder; give the files in it");
    }
    if about.is_file() {
        return Ok(Kind::File);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if about.file_type().is_fifo() {
            return Ok(Kind::Pipe);
        }
        let is_terminal = about.file_type().is_char_device()
            && File::open(path).is_ok_and(|file| file.is_terminal());
        if is_terminal {
            bail!(
                "{place}: is a terminal; give a file, or pipe one in, as in `zcat FILE.gz | \
                 graphground … /dev/stdin`"
            );
        }
    }
    bail!("{place}: is a device, not a file; give a file or a pipe");
}

/// Tells who waits at a pipe that nothing comes out of it, unless something does in time.
struct Waiting(Arc<AtomicBool>);

impl Waiting {
    fn at(path: &Path) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (watched, path) = (Arc::clone(&is_over), path.to_owned());
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(PATIENCE_MS));
            if !watched.load(Ordering::Relaxed) {
                let path = path.display();
                output::complain(&format!(
                    "{path}: is a pipe; waiting for somebody to write to it"
                ));
            }
        });
        Self(is_over)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Counts what is read of a packed file.
struct Counted<R> {
    inner: R,
    n: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(to)?;
        self.n.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// What comes out of a packed file, as long as it stays in proportion to it.
struct Unpacked<R: Read> {
    inner: MultiGzDecoder<Counted<R>>,
    n_packed: Arc<AtomicU64>,
    n: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(to)?;
        self.n += n as u64;
        // What was read ahead counts as read: a little more is let pass, never less.
        let most = self.n_packed.load(Ordering::Relaxed).saturating_mul(RATIO);
        if self.n > most.saturating_add(RATIO_FREE) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "it becomes more than {RATIO} times as large when it is unpacked, as no text \
                     does that says something; if this one does, unpack it first"
                ),
            ));
        }
        Ok(n)
    }
}

/// Opens a file or a pipe; what begins with gzip's magic number is unpacked on the way.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    // A pipe waits when it is opened and when it is first read.
    let waiting = (kind(path)? == Kind::Pipe).then(|| Waiting::at(path));
    let file = File::open(path).with_context(|| format!("{}: cannot open", path.display()))?;
    let mut reader = BufReader::new(file);
    let head = reader.fill_buf().with_context(|| format!("{}: cannot read", path.display()))?;
    drop(waiting);
    if head.starts_with(&[0x1f, 0x8b]) {
        let n_packed = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: reader, n: Arc::clone(&n_packed) };
        let unpacked = Unpacked { inner: MultiGzDecoder::new(counted), n_packed, n: 0 };
        return Ok(Box::new(BufReader::new(unpacked)));
    }
    Ok(Box::new(reader))
}

fn take(reader: impl Read, path: &Path, limit: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit as u64 + 1).read_to_end(&mut bytes).with_context(|| {
        format!("{}: cannot read (after {} bytes)", path.display(), bytes.len())
    })?;
    if bytes.len() > limit {
        bail!(
            "{}: more than {limit} bytes, which is all that is read of such a file; split it",
            path.display()
        );
    }
    Ok(bytes)
}

/// Reads a whole text of at most `limit` bytes.
pub fn text(path: &Path, limit: usize) -> Result<String> {
    utf8(take(open(path)?, path, limit)?, path)
}

fn utf8(bytes: Vec<u8>, path: &Path) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..at];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        anyhow::anyhow!(
            "{}, line {line}, column {column}: not UTF-8 text; expected text, plain or gzipped",
            path.display()
        )
    })
}

/// Reads a whole file or pipe of at most `limit` bytes, unpacked where it is in gzip.
pub(crate) fn unpacked(path: &Path, limit: usize) -> Result<Vec<u8>> {
    take(open(path)?, path, limit)
}

/// Reads a text in whatever encoding it is.
pub(crate) fn decoded(path: &Path, limit: usize) -> Result<Decoded> {
    let bytes = take(open(path)?, path, limit)?;
    match encoding::decode(&bytes) {
        Some(decoded) => Ok(decoded),
        None => utf8(bytes, path).map(|text| Decoded { text, guessed: None }),
    }
}

/// The same, and says which encoding was guessed.
pub fn any_text(path: &Path, limit: usize) -> Result<String> {
    let Decoded { text, guessed } = decoded(path, limit)?;
    if let Some(encoding) = guessed {
        output::complain(&format!("{}: read as {encoding}, which it looks like", path.display()));
    }
    Ok(text)
}

/// Reads a text that is to be written on: its bytes have to be those of the file.
pub fn plain_text(path: &Path, limit: usize) -> Result<String> {
    let bytes = bytes(path, limit)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        bail!("{}: is packed with gzip; unpack it to go on with it", path.display());
    }
    utf8(bytes, path)
}

/// Reads a whole file of at most `limit` bytes as it is. A file alone: what is to be a part of a
/// data set or a model is no pipe.
pub fn bytes(path: &Path, limit: usize) -> Result<Vec<u8>> {
    if kind(path)? != Kind::File {
        bail!("{}: is a pipe, not a file", path.display());
    }
    let file = File::open(path).with_context(|| format!("{}: cannot open", path.display()))?;
    take(file, path, limit)
}

/// Opens a file whose parts are read where they are needed: it may be larger than memory.
pub fn file(path: &Path) -> Result<BufReader<File>> {
    if kind(path)? != Kind::File {
        bail!("{}: is a pipe, not a file", path.display());
    }
    let file = File::open(path).with_context(|| format!("{}: cannot open", path.display()))?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

/// The lines of a file, one at a time, so that a file may be larger than memory.
pub(crate) struct Lines {
    reader: Box<dyn BufRead>,
    path: PathBuf,
    limit: usize,
    line: Vec<u8>,
    /// The number of the line that was read last, from 1.
    number: usize,
}

impl Lines {
    /// Lines of at most `limit` bytes.
    pub(crate) fn open(path: &Path, limit: usize) -> Result<Self> {
        let reader = open(path)?;
        Ok(Self { reader, path: path.to_owned(), limit, line: Vec::new(), number: 0 })
    }

    /// Where in the file it is, for messages.
    fn place(&self) -> String {
        format!("{}: line {}", self.path.display(), self.number)
    }

    /// The next line with its number, without its end; nothing after the last.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, &str)>> {
        self.line.clear();
        self.number += 1;
        // One byte more than is allowed tells that there are more; the end of a line may take two.
        let most = self.limit as u64 + 2;
        let read = (&mut self.reader).take(most).read_until(b'\n', &mut self.line);
        let n = read.with_context(|| format!("{}: cannot read on", self.place()))?;
        if n == 0 {
            return Ok(None);
        }
        while self.line.last().is_some_and(|b| matches!(b, b'\n' | b'\r')) {
            self.line.pop();
        }
        if self.line.len() > self.limit {
            bail!(
                "{}: longer than {} bytes; expected one JSON object a line",
                self.place(),
                self.limit
            );
        }
        let text = str::from_utf8(&self.line);
        let text = text.map_err(|e| {
            let column = String::from_utf8_lossy(&self.line[..e.valid_up_to()]).chars().count() + 1;
            anyhow::anyhow!("{}, column {column}: not UTF-8 text", self.place())
        })?;
        Ok(Some((self.number, text)))
    }
}
