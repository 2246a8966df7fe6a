//! Files as `std::io` reads them.

use std::io::{Error, Read, Result, Seek, SeekFrom};

use js_sys::Uint8Array;
use web_sys::{Blob, FileReaderSync};

use crate::store::Opened;

/// Bytes that are read at once: weights are read row by row, and each reading costs a call.
const WINDOW: usize = 1 << 20;

/// Where bytes come from.
pub(crate) enum Source {
    /// A file that the browser keeps.
    Kept(Opened),
    /// A file of the person's own.
    Own(Blob),
}

/// A reader with a window into its source.
pub(crate) struct Reader {
    source: Source,
    len: u64,
    at: u64,
    /// Where the window begins.
    from: u64,
    window: Vec<u8>,
}

impl Reader {
    pub(crate) fn new(source: Source) -> Self {
        let len = match &source {
            Source::Kept(file) => file.size(),
            Source::Own(blob) => blob.size() as u64,
        };
        Self { source, len, at: 0, from: 0, window: Vec::new() }
    }

    fn fill(&mut self) -> Result<()> {
        let n = (self.len - self.at).min(WINDOW as u64) as usize;
        self.from = self.at;
        self.window.resize(n, 0);
        match &self.source {
            Source::Kept(file) => {
                // A place of JavaScript's own: memory that threads share is not what all browsers
                // write to.
                let place = Uint8Array::new_with_length(n as u32);
                let read = file.read(&place, self.at).map_err(Error::other)?;
                place.copy_to(&mut self.window);
                self.window.truncate(read);
            }
            Source::Own(blob) => {
                let (from, to) = (self.at as f64, (self.at + n as u64) as f64);
                let failed =
                    |_| Error::other("the file could not be read; was it moved or changed?");
                let piece = blob.slice_with_f64_and_f64(from, to).map_err(failed)?;
                let reader = FileReaderSync::new().map_err(failed)?;
                let buffer = reader.read_as_array_buffer(&piece).map_err(failed)?;
                let bytes = Uint8Array::new(&buffer);
                if bytes.length() as usize != n {
                    return Err(failed(wasm_bindgen::JsValue::NULL));
                }
                bytes.copy_to(&mut self.window);
            }
        }
        Ok(())
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        if self.at >= self.len || into.is_empty() {
            return Ok(0);
        }
        let is_inside = self.at >= self.from && self.at < self.from + self.window.len() as u64;
        if !is_inside {
            self.fill()?;
        }
        let rest = self.window.get((self.at - self.from) as usize..).unwrap_or_default();
        let n = rest.len().min(into.len());
        into[..n].copy_from_slice(&rest[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let to = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.len.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = to.ok_or_else(|| Error::other("a place before the file's start"))?;
        Ok(self.at)
    }
}
