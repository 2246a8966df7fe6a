//! A runs file on the disk: read line by line, written a whole line at a time, by one program.

use std::io::{BufRead as _, Read as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use eval::{Entry, MAX_LINE, Runs, RunsError};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use crate::appended::Appended;
use crate::input;

/// Reads a runs file, plain or gzipped.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Runs<T>> {
    let mut runs = Runs::default();
    read_into(&mut runs, path)?;
    Ok(runs)
}

/// Reads a runs file beside others.
pub(crate) fn read_into<T: DeserializeOwned>(runs: &mut Runs<T>, path: &Path) -> Result<()> {
    let one = read_each(path, |_| Ok(()))?;
    let n_torn = one.n_torn;
    runs.absorb(one).with_context(|| path.display().to_string())?;
    runs.n_torn += n_torn;
    Ok(())
}

/// Reads a runs file, and hands over what was read after each line.
pub(crate) fn read_each<T: DeserializeOwned>(
    path: &Path,
    mut each: impl FnMut(&mut Runs<T>) -> Result<()>,
) -> Result<Runs<T>> {
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
                Err(RunsError::Line { line: number, reason, n_runs: one.n_runs() })
            }
        };
        match added {
            Ok(()) => each(&mut one)?,
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
    Ok(one)
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
pub(crate) struct Writer(Appended);

impl Writer {
    /// Opens a file to go on with it, and reads what is finished. What was being written when an
    /// earlier start died is cut off.
    pub(crate) fn open(path: &Path) -> Result<(Self, Runs<IgnoredAny>)> {
        let place = || path.display().to_string();
        let mut file = Appended::open(path, "runs")?;
        let size = file.n_bytes();
        let head = Entry::<trace::Trace>::head().line();
        let end = file.end_of_lines()?;
        if end == 0 {
            // A head that was cut off is a file with nothing in it; anything else is not ours.
            let text = if size == 0 { Vec::new() } else { input::bytes(path, MAX_LINE)? };
            if !head.as_bytes().starts_with(&text) {
                bail!("{}: is no runs file, and is left as it is", place());
            }
            file.cut(0)?;
            file.line(&head)?;
            return Ok((Self(file), Runs::default()));
        }
        let runs: Runs<IgnoredAny> = read(path)?;
        if runs.n_torn > 0 {
            file.cut(size.saturating_sub(runs.n_torn as u64))?;
        } else if end < size {
            // The last line is whole and lacks its end alone.
            file.line("\n")?;
        }
        Ok((Self(file), runs))
    }

    /// Appends a line, whole or not at all.
    pub(crate) fn line(&mut self, entry: &Entry) -> Result<()> {
        self.0.line(&entry.line())
    }

    /// Forces what was written onto the disk.
    pub(crate) fn sync(&mut self) {
        self.0.sync();
    }
}
