//! Reading files: bounded, plain or gzipped, with errors that say what would be right.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail};
use flate2::read::MultiGzDecoder;

/// Opens a file; one that begins with gzip's magic number is unpacked on the way.
pub(crate) fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path.is_dir() {
        bail!("{}: is a folder; give the files in it", path.display());
    }
    let file = File::open(path).with_context(|| format!("{}: cannot open", path.display()))?;
    let mut reader = BufReader::new(file);
    let head = reader.fill_buf().with_context(|| format!("{}: cannot read", path.display()))?;
    if head.starts_with(&[0x1f, 0x8b]) {
        return Ok(Box::new(BufReader::new(MultiGzDecoder::new(reader))));
    }
    Ok(Box::new(reader))
}

/// Reads a whole text of at most `limit` bytes.
pub(crate) fn text(path: &Path, limit: usize) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    open(path)?.take(limit as u64 + 1).read_to_end(&mut bytes).with_context(|| {
        format!("{}: cannot read (after {} bytes)", path.display(), bytes.len())
    })?;
    if bytes.len() > limit {
        bail!("{}: more than {limit} bytes; split the file", path.display());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        anyhow::anyhow!("{}: not UTF-8 text at byte {at}; expected JSON", path.display())
    })
}
