//! Zips with files of traces in them: Inspect's `.eval`, and what chats export.
//!
//! Paths are names to look for and never lead to a file system, so any is taken.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Read as _;

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use rawzip::{CompressionMethod, ZipArchive};
use ruzstd::decoding::StreamingDecoder;

use super::{FormatError, MAX_BYTES};

/// The most entries of an archive.
const MAX_ENTRIES: u64 = 200_000;

/// An archive whose directory was read.
pub(super) struct Archive<'a> {
    /// Where two entries have one path the later one counts, as for Python.
    entries: BTreeMap<String, Entry<'a>>,
    left: Cell<usize>,
}

struct Entry<'a> {
    data: &'a [u8],
    size: usize,
    method: CompressionMethod,
}

/// Whether bytes are a zip.
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

impl<'a> Archive<'a> {
    /// Reads the directory.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let broken = |e: rawzip::Error| FormatError::Archive { reason: e.to_string() };
        let archive = ZipArchive::from_slice(bytes).map_err(broken)?;
        if archive.entries_hint() > MAX_ENTRIES {
            let found = usize::try_from(archive.entries_hint()).unwrap_or(usize::MAX);
            let limit = MAX_ENTRIES as usize;
            return Err(FormatError::TooLarge { found, unit: "files", limit });
        }
        let mut entries = BTreeMap::new();
        for entry in archive.entries().take(MAX_ENTRIES as usize) {
            let entry = entry.map_err(broken)?;
            let path = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
            let range =
                archive.get_entry(entry.wayfinder()).map_err(broken)?.compressed_data_range();
            let range = usize::try_from(range.0).ok().zip(usize::try_from(range.1).ok());
            let data = range.and_then(|(start, end)| bytes.get(start..end)).unwrap_or_default();
            let size = usize::try_from(entry.uncompressed_size_hint()).unwrap_or(usize::MAX);
            entries.insert(path, Entry { data, size, method: entry.compression_method() });
        }
        Ok(Self { entries, left: Cell::new(MAX_BYTES) })
    }

    /// The paths of all files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str).filter(|path| !path.ends_with('/'))
    }

    /// Whether there is such a file.
    pub(super) fn has(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    /// The text of a file. All that is unpacked counts against [`MAX_BYTES`].
    pub(super) fn text(&self, path: &str) -> Result<String, FormatError> {
        let broken = |reason: &str| FormatError::Archive { reason: format!("{path}: {reason}") };
        let entry = self.entries.get(path).ok_or_else(|| broken("there is no such file"))?;
        let limit = self.left.get();
        if entry.size > limit {
            return Err(FormatError::TooLarge { found: entry.size, unit: "bytes", limit });
        }
        self.left.set(limit - entry.size);
        let bytes = match entry.method {
            CompressionMethod::STORE => Some(entry.data.to_vec()),
            CompressionMethod::DEFLATE => decompress_to_vec_with_limit(entry.data, entry.size).ok(),
            CompressionMethod::ZSTD => zstd(entry.data, entry.size),
            other => return Err(broken(&format!("it is packed by {other:?}: pack it by deflate"))),
        };
        let bytes = bytes.ok_or_else(|| broken("its bytes cannot be unpacked"))?;
        if bytes.len() != entry.size {
            return Err(broken("it does not unpack to the size that the archive says"));
        }
        Ok(super::text_of(&bytes).0.into_owned())
    }
}

/// Unpacks frames of Zstandard one behind the other, to at most `size` bytes.
fn zstd(mut data: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    while !data.is_empty() && out.len() <= size {
        let mut frame = StreamingDecoder::new(&mut data).ok()?;
        let left = (size - out.len()) as u64 + 1;
        frame.by_ref().take(left).read_to_end(&mut out).ok()?;
    }
    (out.len() <= size).then_some(out)
}
