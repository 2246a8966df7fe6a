//! Zips: what is in them, and what of it must not be trusted.

use std::cell::Cell;
use std::collections::HashSet;

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use rawzip::{ZipArchive, ZipSliceArchive};

use crate::out::{Out, thousands};
use crate::{DocumentError, DocumentKind, DocumentLimits, EntryProblem};

/// What grows more than so many times is a bomb. Text in tables comes to about 50.
const RATIO: usize = 250;
/// Up to so many bytes nothing is a bomb.
const HARMLESS: usize = 4_000_000;
/// The longest path.
const PATH: usize = 1_000;

/// A file from a zip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZipEntry {
    /// Its path in the zip: relative, with `/` between names.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Unpacks all files of a zip; folders are left out.
///
/// # Errors
///
/// If the zip has more than [`DocumentLimits::entries`] entries, or more than [`DocumentLimits::unpacked_bytes`]
/// bytes come out of it; if it is no zip; or if one entry is wrong in a way of [`EntryProblem`].
/// All entries are looked at before the first is unpacked.
///
/// # Complexity
///
/// Time and memory in proportion to what comes out; none is taken before it is known to be
/// allowed.
pub fn unzip(bytes: &[u8], limits: &DocumentLimits) -> Result<Vec<ZipEntry>, DocumentError> {
    let archive = checked(bytes, limits)?;
    let files = archive.parts.iter().filter(|part| !part.path.ends_with('/'));
    files
        .map(|part| Ok(ZipEntry { path: part.path.clone(), bytes: archive.unpack(part)? }))
        .collect()
}

/// What a zip says of one of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZipListed {
    /// The path of the file in the zip: relative, with `/` between names.
    pub path: String,
    /// Bytes that come out of it, as the zip declares; what comes out is held against it.
    pub size: usize,
}

/// Lists the files of a zip without unpacking them; folders are left out.
///
/// # Errors
///
/// As for [`unzip`], as far as the directory of the zip tells.
///
/// # Complexity
///
/// Time and memory in proportion to the directory.
pub fn list_zip(bytes: &[u8], limits: &DocumentLimits) -> Result<Vec<ZipListed>, DocumentError> {
    let archive = checked(bytes, limits)?;
    let files = archive.parts.iter().filter(|part| !part.path.ends_with('/'));
    Ok(files.map(|part| ZipListed { path: part.path.clone(), size: part.size }).collect())
}

/// Unpacks the file of a path, capital letters aside; nothing if the zip has no such file.
///
/// # Errors
///
/// As for [`unzip`]; of the content, only that of this file is looked at.
pub fn unzip_one(
    bytes: &[u8],
    path: &str,
    limits: &DocumentLimits,
) -> Result<Option<Vec<u8>>, DocumentError> {
    let archive = checked(bytes, limits)?;
    let part = archive.find(path).filter(|part| !part.path.ends_with('/'));
    part.map(|part| archive.unpack(part)).transpose()
}

fn checked<'a>(bytes: &'a [u8], limits: &DocumentLimits) -> Result<Archive<'a>, DocumentError> {
    if bytes.len() > limits.file_bytes {
        return Err(DocumentError::TooLarge { bytes: bytes.len(), limit: limits.file_bytes });
    }
    Archive::open(bytes, limits)
}

/// An entry that is not unpacked yet.
pub(crate) struct Part<'a> {
    /// Its path, which ends in `/` where it is a folder.
    pub path: String,
    /// How many bytes it says it has.
    pub size: usize,
    data: &'a [u8],
    is_deflated: bool,
    checksum: u32,
}

/// A zip whose directory was found good.
pub(crate) struct Archive<'a> {
    /// All entries, in the order of the directory.
    pub parts: Vec<Part<'a>>,
    limit: usize,
    spent: Cell<usize>,
}

impl<'a> Archive<'a> {
    /// Reads the directory and checks all that can be known before unpacking.
    pub(crate) fn open(bytes: &'a [u8], limits: &DocumentLimits) -> Result<Self, DocumentError> {
        let archive = directory(bytes)?;
        let too_many = |entries| DocumentError::TooManyEntries { entries, limit: limits.entries };
        if archive.entries_hint() > limits.entries as u64 {
            return Err(too_many(archive.entries_hint()));
        }
        let (mut parts, mut spans, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        let mut total = 0_usize;
        for entry in archive.entries() {
            let entry = entry.map_err(|error| no_zip(&error))?;
            if parts.len() >= limits.entries {
                return Err(too_many(parts.len() as u64 + 1));
            }
            let raw = entry.file_path();
            let shown = || show(raw.as_ref());
            let wrong = |problem| DocumentError::Entry { entry: shown(), problem };
            let path =
                std::str::from_utf8(raw.as_ref()).map_err(|_| wrong(EntryProblem::NotText))?;
            check_path(path).map_err(wrong)?;
            let header = Header::read(bytes, entry.central_directory_offset());
            let header = header.ok_or_else(|| wrong(EntryProblem::Damaged))?;
            check_header(&header, path.ends_with('/')).map_err(wrong)?;
            if !seen.insert(path.trim_end_matches('/').to_lowercase()) {
                return Err(wrong(EntryProblem::Twice));
            }
            let file =
                archive.get_entry(entry.wayfinder()).map_err(|_| wrong(EntryProblem::Damaged))?;
            let data = slice(bytes, file.compressed_data_range())
                .ok_or_else(|| wrong(EntryProblem::Damaged))?;
            let size = usize::try_from(entry.uncompressed_size_hint())
                .map_err(|_| wrong(EntryProblem::Unpacked(limits.unpacked_bytes)))?;
            total = total.saturating_add(size);
            if total > limits.unpacked_bytes {
                return Err(wrong(EntryProblem::Unpacked(limits.unpacked_bytes)));
            }
            if size > HARMLESS && size / RATIO > data.len() {
                return Err(wrong(EntryProblem::Ratio(RATIO)));
            }
            let end = file.compressed_data_range().1;
            spans.push((entry.local_header_offset(), end, parts.len()));
            parts.push(Part {
                path: path.to_owned(),
                size,
                data,
                is_deflated: header.method == 8,
                checksum: entry.crc32(),
            });
        }
        spans.sort_unstable();
        if let Some(pair) = spans.windows(2).find(|pair| pair[1].0 < pair[0].1) {
            let entry = show(parts[pair[1].2].path.as_bytes());
            return Err(DocumentError::Entry { entry, problem: EntryProblem::Overlaps });
        }
        Ok(Self { parts, limit: limits.unpacked_bytes, spent: Cell::new(0) })
    }

    /// The entry of a path, capital letters aside.
    pub(crate) fn find(&self, path: &str) -> Option<&Part<'a>> {
        self.parts.iter().find(|part| part.path.eq_ignore_ascii_case(path))
    }

    /// How many bytes may still be unpacked.
    pub(crate) fn left(&self) -> usize {
        self.limit.saturating_sub(self.spent.get())
    }

    /// Unpacks an entry. Each time counts against what may be unpacked in all.
    pub(crate) fn unpack(&self, part: &Part<'_>) -> Result<Vec<u8>, DocumentError> {
        let wrong = |problem| DocumentError::Entry { entry: show(part.path.as_bytes()), problem };
        if part.size > self.left() {
            return Err(wrong(EntryProblem::Unpacked(self.limit)));
        }
        self.spent.set(self.spent.get() + part.size);
        let bytes = if part.is_deflated {
            // One byte more than there should be, so that a size that lies is seen.
            decompress_to_vec_with_limit(part.data, part.size + 1).map_err(|error| {
                wrong(if error.output.len() > part.size {
                    EntryProblem::Size
                } else {
                    EntryProblem::Damaged
                })
            })?
        } else {
            if part.data.len() != part.size {
                return Err(wrong(EntryProblem::Size));
            }
            part.data.to_vec()
        };
        if bytes.len() != part.size {
            return Err(wrong(EntryProblem::Size));
        }
        if rawzip::crc32(&bytes) != part.checksum {
            return Err(wrong(EntryProblem::Checksum));
        }
        Ok(bytes)
    }
}

/// What of a directory's header the library does not show.
struct Header {
    maker: u8,
    flags: u16,
    method: u16,
    attributes: u32,
}

impl Header {
    fn read(bytes: &[u8], at: u64) -> Option<Self> {
        let header = bytes.get(usize::try_from(at).ok()?..)?;
        let short = |at: usize| Some(u16::from_le_bytes([*header.get(at)?, *header.get(at + 1)?]));
        Some(Self {
            maker: *header.get(5)?,
            flags: short(8)?,
            method: short(10)?,
            attributes: u32::from(short(38)?) | u32::from(short(40)?) << 16,
        })
    }
}

fn check_header(header: &Header, is_folder: bool) -> Result<(), EntryProblem> {
    // Bits 0 and 6: encrypted; bit 13: its header too.
    if header.flags & 0x2041 != 0 {
        return Err(EntryProblem::Encrypted);
    }
    // Unix and macOS keep the type of a file in the upper half.
    if matches!(header.maker, 3 | 19) {
        let kind = header.attributes >> 28;
        let is_plain = if is_folder { kind == 4 } else { kind == 8 };
        if kind != 0 && !is_plain {
            return Err(EntryProblem::Link);
        }
    }
    // Bit 10 of Windows' attributes: a reparse point.
    if matches!(header.maker, 0 | 10 | 14) && header.attributes & 0x400 != 0 {
        return Err(EntryProblem::Link);
    }
    match header.method {
        0 | 8 => Ok(()),
        method => Err(EntryProblem::Method(method)),
    }
}

fn check_path(path: &str) -> Result<(), EntryProblem> {
    let names = path.strip_suffix('/').unwrap_or(path);
    let is_bad = path.len() > PATH
        || path.contains(['\\', ':'])
        || path.chars().any(char::is_control)
        || names.split('/').any(|name| matches!(name, "" | "." | ".."));
    if is_bad { Err(EntryProblem::Path) } else { Ok(()) }
}

fn slice(bytes: &[u8], (start, end): (u64, u64)) -> Option<&[u8]> {
    bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

fn no_zip(error: &rawzip::Error) -> DocumentError {
    DocumentError::broken(
        DocumentKind::Zip,
        "the directory",
        error.to_string(),
        "it may be cut off: fetch or save the file again",
    )
}

/// Finds the directory, and makes sure that it lies within the file.
///
/// The library checks that in 64 bits, and cuts places to 32 on wasm32.
fn directory(bytes: &[u8]) -> Result<ZipSliceArchive<&[u8]>, DocumentError> {
    let archive = ZipArchive::from_slice(bytes).map_err(|error| no_zip(&error))?;
    let (start, end) = (archive.directory_offset(), archive.eocd_offset());
    let mut is_within = start <= end && end <= bytes.len() as u64;
    let locator = usize::try_from(end).ok().and_then(|end| bytes.get(end.checked_sub(20)?..end));
    if let Some([b'P', b'K', 6, 7, _, _, _, _, place @ .., _, _, _, _]) = locator
        && let Ok(place) = <[u8; 8]>::try_from(place)
    {
        let place = u64::from_le_bytes(place);
        is_within &= start <= place && place <= end;
    }
    if is_within {
        return Ok(archive);
    }
    Err(DocumentError::broken(
        DocumentKind::Zip,
        "the directory",
        "it lies outside of the file",
        "it may be cut off: fetch or save the file again",
    ))
}

/// A path as it can be shown.
fn show(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path);
    path.chars().take(200).map(|char| if char.is_control() { '\u{fffd}' } else { char }).collect()
}

/// The paths of all entries, unchecked: they tell what kind of file it is.
pub(crate) fn part_names(bytes: &[u8], limit: usize) -> Result<Vec<String>, DocumentError> {
    let archive = directory(bytes)?;
    let mut names = Vec::new();
    for entry in archive.entries().take(limit) {
        let entry = entry.map_err(|error| no_zip(&error))?;
        names.push(String::from_utf8_lossy(entry.file_path().as_ref()).into_owned());
    }
    Ok(names)
}

/// Reads a zip: a list of what is in it, then each file that can be read. A zip within is listed
/// and not opened.
pub(crate) fn read(
    out: &mut Out,
    bytes: &[u8],
    limits: &DocumentLimits,
) -> Result<(), DocumentError> {
    let archive = Archive::open(bytes, limits)?;
    out.paragraph(&format!("A zip with {} entries:", thousands(archive.parts.len())));
    for part in &archive.parts {
        if part.path.ends_with('/') {
            out.line(&format!("- {}", part.path));
        } else {
            out.line(&format!("- {} ({} bytes)", part.path, thousands(part.size)));
        }
    }
    for part in archive.parts.iter().filter(|part| !part.path.ends_with('/')) {
        if out.is_full() {
            break;
        }
        let unpacked = archive.unpack(part)?;
        match crate::kind(&part.path, &unpacked) {
            Ok(DocumentKind::Zip) => {
                out.note(format!("{}: a zip within a zip is not opened.", part.path));
            }
            Ok(kind) => {
                out.heading(1, &part.path);
                let inner = DocumentLimits {
                    unpacked_bytes: archive.left(),
                    text_bytes: out.room(),
                    ..*limits
                };
                let mut text = Out::new(&inner);
                if let Err(error) = crate::read_into(&mut text, kind, &part.path, &unpacked, &inner)
                {
                    text.note(error.to_string());
                }
                out.append(text, &part.path);
            }
            Err(error) => out.note(format!("{} was not read: {error}.", part.path)),
        }
    }
    Ok(())
}
