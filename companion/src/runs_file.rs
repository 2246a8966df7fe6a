//! A runs file on the disk: read line by line, written a whole line at a time, by one program.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead as _, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use eval::{Entry, MAX_LINE, Runs, RunsError};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use crate::input;

/// Reads a runs file, plain or gzipped.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Runs<T>> {
    let mut runs = Runs::default();
    read_into(&mut runs, path)?;
    Ok(runs)
}

/// Reads a runs file beside others.
pub(crate) fn read_into<T: DeserializeOwned>(runs: &mut Runs<T>, path: &Path) -> Result<()> {
    let mut reader = input::open(path)?;
    let mut one: Runs<T> = Runs::default();
    let mut line = Vec::new();
    let mut number = 0;
    let mut tail: Option<Tail> = None;
    loop {
        line.clear();
        number += 1;
        // One byte more than is allowed tells that there are more.
        let limit = MAX_LINE as u64 + 2;
        let n = (&mut reader).take(limit).read_until(b'\n', &mut line);
        let n = n.with_context(|| format!("{}, line {number}: cannot read on", path.display()))?;
        if n == 0 {
            break;
        }
        if let Some(tail) = &mut tail {
            tail.add(&line);
            continue;
        }
        let is_whole = line.last() == Some(&b'\n');
        let added = match str::from_utf8(&line) {
            Ok(text) => one.add_line(text.trim_end_matches(['\n', '\r'])),
            Err(error) => {
                let before = String::from_utf8_lossy(&line[..error.valid_up_to()]);
                let reason = format!("not UTF-8 text from letter {}", before.chars().count() + 1);
                Err(RunsError::Line { line: number, reason, n_runs: one.runs.len() })
            }
        };
        match added {
            Ok(()) => {}
            Err(_) if !is_whole && one.has_head() && n <= MAX_LINE => one.n_torn = n,
            // What a machine that failed leaves behind a whole file is looked at to its end.
            Err(error) if one.has_head() => {
                let begun = Tail { error, n_bytes: 0, has_entries: false, is_scrap: false };
                tail.insert(begun).add(&line);
            }
            Err(error) => bail!("{}: {error}", path.display()),
        }
    }
    if let Some(tail) = tail {
        if tail.has_entries || !tail.is_scrap {
            bail!("{}: {}", path.display(), tail.error);
        }
        one.n_torn = tail.n_bytes;
    }
    if !one.has_head() {
        let found = String::from_utf8_lossy(&line).chars().take(60).collect();
        let error = if line.is_empty() { RunsError::Empty } else { RunsError::Other { found } };
        bail!("{}: {error}", path.display());
    }
    let n_torn = one.n_torn;
    runs.absorb(one).with_context(|| path.display().to_string())?;
    runs.n_torn += n_torn;
    Ok(())
}

/// What stands behind the last line that could be read, when a line is met that nobody wrote.
///
/// A disk that was cut off in the middle of its work may leave anything there: zeros, or what was
/// in those blocks before. It is a torn line like any other as long as no whole line stands in it.
struct Tail {
    /// What is wrong with its first line.
    error: RunsError,
    n_bytes: usize,
    /// Whether a line of it is one that somebody wrote, even if it is not one of ours.
    has_entries: bool,
    /// Whether a line of it is one that nobody wrote: no text, or letters that no JSON has.
    is_scrap: bool,
}

impl Tail {
    fn add(&mut self, line: &[u8]) {
        self.n_bytes += line.len();
        self.has_entries |= serde_json::from_slice::<Map<String, Value>>(line).is_ok();
        let is_odd = |b: &u8| b.is_ascii_control() && !matches!(b, b'\n' | b'\r' | b'\t');
        self.is_scrap |= line.iter().any(is_odd) || str::from_utf8(line).is_err();
    }
}

/// Appends to a runs file. One program at a time: the file is locked.
pub(crate) struct Writer {
    file: File,
    path: PathBuf,
    /// Bytes that are whole.
    n_bytes: u64,
    synced: Instant,
}

/// So often the file is forced onto the disk, so that a machine that fails loses little.
const SYNC: Duration = Duration::from_secs(2);

impl Writer {
    /// Opens a file to go on with it, and reads what is finished. What was being written when an
    /// earlier start died is cut off.
    pub(crate) fn open(path: &Path) -> Result<(Self, Runs<IgnoredAny>)> {
        let place = || path.display().to_string();
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("{}: cannot be opened for writing", place()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "{}: another `graphground bench` is writing to it; give each its own file with \
                 --out, and put them together with `graphground merge`",
                place()
            ),
            // Some network file systems cannot lock; then the person has to see to it.
            Err(TryLockError::Error(_)) => {}
        }
        let size = file.metadata().with_context(place)?.len();
        #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
        let synced = Instant::now();
        let mut writer = Self { file, path: path.to_owned(), n_bytes: size, synced };
        if size == 0 {
            writer.line(&Entry::<trace::Trace>::head())?;
            return Ok((writer, Runs::default()));
        }
        let mut head = [0; 2];
        writer.file.seek(SeekFrom::Start(0)).with_context(place)?;
        if writer.file.read(&mut head).with_context(place)? == 2 && head == [0x1f, 0x8b] {
            bail!("{}: is packed with gzip; unpack it to go on with it", place());
        }
        let end = writer.end_of_lines(size).with_context(place)?;
        if end == 0 {
            // A head that was cut off is a file with nothing in it; anything else is not ours.
            let head = Entry::<trace::Trace>::head().line();
            let text = input::bytes(path, MAX_LINE)?;
            if !head.as_bytes().starts_with(&text) {
                bail!("{}: is no runs file, and is left as it is", place());
            }
            writer.cut(0)?;
            writer.line(&Entry::<trace::Trace>::head())?;
            return Ok((writer, Runs::default()));
        }
        let runs: Runs<IgnoredAny> = read(path)?;
        if runs.is_results() {
            bail!(
                "{}: is of an earlier version, to which nothing can be added; `graphground merge` makes \
                 a runs file of it that can be gone on with",
                place()
            );
        }
        if runs.n_torn > 0 {
            writer.cut(size.saturating_sub(runs.n_torn as u64))?;
        } else if end < size {
            // The last line is whole and lacks its end alone.
            writer.append(b"\n")?;
        }
        Ok((writer, runs))
    }

    /// Where the last whole line ends.
    fn end_of_lines(&mut self, size: u64) -> std::io::Result<u64> {
        let mut end = size;
        let mut piece = vec![0; 65_536];
        while end > 0 {
            let start = end.saturating_sub(piece.len() as u64);
            let n = (end - start) as usize;
            self.file.seek(SeekFrom::Start(start))?;
            self.file.read_exact(&mut piece[..n])?;
            if let Some(at) = piece[..n].iter().rposition(|b| *b == b'\n') {
                return Ok(start + at as u64 + 1);
            }
            end = start;
        }
        Ok(0)
    }

    fn cut(&mut self, to: u64) -> Result<()> {
        self.file.set_len(to).with_context(|| self.path.display().to_string())?;
        self.n_bytes = to;
        Ok(())
    }

    /// Appends a line, whole or not at all.
    pub(crate) fn line(&mut self, entry: &Entry) -> Result<()> {
        self.append(entry.line().as_bytes())?;
        if self.synced.elapsed() > SYNC {
            self.sync();
        }
        Ok(())
    }

    fn append(&mut self, line: &[u8]) -> Result<()> {
        if let Err(error) = self.file.write_all(line) {
            // A disk that is full may have taken a part.
            let _ = self.file.set_len(self.n_bytes);
            let path = self.path.display();
            return Err(error).with_context(|| {
                format!(
                    "{path}: cannot be written to; the runs before are whole, and the same command \
                     goes on after them"
                )
            });
        }
        self.n_bytes += line.len() as u64;
        Ok(())
    }

    /// Forces what was written onto the disk.
    pub(crate) fn sync(&mut self) {
        // A file system that cannot do that has nothing better to offer.
        let _ = self.file.sync_data();
        #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
        let now = Instant::now();
        self.synced = now;
    }
}
