//! A file of lines that grows: locked by one program at a time, a line written whole or not at all,
//! forced onto the disk every now and then.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::keys;

/// So often the file is forced onto the disk, so that a machine that fails loses little.
const SYNC: Duration = Duration::from_secs(2);

/// Such a file.
pub struct Appended {
    file: File,
    path: PathBuf,
    /// What its lines are, for people.
    what: &'static str,
    /// Bytes that are whole.
    n_bytes: u64,
    synced: Instant,
}

impl Appended {
    /// Opens a file to go on with it. Whoever does so looks at [`Appended::end_of_lines`] first: what
    /// was being written when an earlier start died is to be cut off.
    pub fn open(path: &Path, what: &'static str) -> Result<Self> {
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
                "{}: another `graphground` is writing to it; give each its own file with --out, and \
                 put runs files together with `graphground merge`",
                place()
            ),
            // Some network file systems cannot lock; then the person has to see to it.
            Err(TryLockError::Error(_)) => {}
        }
        let n_bytes = file.metadata().with_context(place)?.len();
        #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
        let synced = Instant::now();
        let mut appended = Self { file, path: path.to_owned(), what, n_bytes, synced };
        if appended.begins_with(&[0x1f, 0x8b])? {
            bail!("{}: is packed with gzip; unpack it to go on with it", place());
        }
        Ok(appended)
    }

    /// The bytes in it.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    fn begins_with(&mut self, what: &[u8]) -> Result<bool> {
        let mut head = Vec::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| {
            let most = what.len() as u64;
            (&mut self.file).take(most).read_to_end(&mut head)
        });
        read.with_context(|| self.path.display().to_string())?;
        Ok(head == what)
    }

    /// Where the last whole line ends.
    pub fn end_of_lines(&mut self) -> Result<u64> {
        let mut end = self.n_bytes;
        let mut piece = vec![0; 65_536];
        while end > 0 {
            let start = end.saturating_sub(piece.len() as u64);
            let piece = &mut piece[..(end - start) as usize];
            let read = self.file.seek(SeekFrom::Start(start));
            read.and_then(|_| self.file.read_exact(piece))
                .with_context(|| self.path.display().to_string())?;
            if let Some(at) = piece.iter().rposition(|b| *b == b'\n') {
                return Ok(start + at as u64 + 1);
            }
            end = start;
        }
        Ok(0)
    }

    /// Takes away what stands behind so many bytes.
    pub fn cut(&mut self, to: u64) -> Result<()> {
        self.file.set_len(to).with_context(|| self.path.display().to_string())?;
        self.n_bytes = to;
        Ok(())
    }

    /// Appends a line with its end, whole or not at all.
    pub fn line(&mut self, line: &str) -> Result<()> {
        // Whatever put a key together, it is in no file.
        let line = keys::scrub().clean(line);
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // A disk that is full may have taken a part.
            let _ = self.file.set_len(self.n_bytes);
            let (path, what) = (self.path.display(), self.what);
            return Err(error).with_context(|| {
                format!(
                    "{path}: cannot be written to; the {what} before are whole, and the same command \
                     goes on after them"
                )
            });
        }
        self.n_bytes += line.len() as u64;
        if self.synced.elapsed() > SYNC {
            self.sync();
        }
        Ok(())
    }

    /// Forces what was written onto the disk.
    pub fn sync(&mut self) {
        // A file system that cannot do that has nothing better to offer.
        let _ = self.file.sync_data();
        #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
        let now = Instant::now();
        self.synced = now;
    }
}
