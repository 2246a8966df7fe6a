//! What is looked at before a PDF is read.
//!
//! The library unpacks tables and streams of objects whole, and makes a page of each dictionary
//! in a list of pages. So a file is scanned once for what would make that take too much.

use super::inflate::{End, inflate};
use crate::{DocumentError, DocumentKind, DocumentLimits};

/// How many dictionaries there may be: each may be a page, which takes about 700 bytes and 15
/// microseconds in a browser.
const DICTIONARIES: usize = 500_000;
/// How deep they may be nested, added up over all: each is skipped once for each around it.
const NESTING: usize = 20_000_000;
/// How many bytes the tables of objects may have in all.
const TABLES: usize = 8_000_000;
/// How many times its size deflate can make of a stream.
const RATIO: usize = 1_040;

/// Refuses a file that would take too much; how many bytes its tables and streams of objects
/// unpack to. In time that grows with the file and with that.
pub(super) fn check(bytes: &[u8], limits: &DocumentLimits) -> Result<usize, DocumentError> {
    let grows = |place: String, problem: &str| DocumentError::Grows {
        kind: DocumentKind::Pdf,
        place,
        problem: problem.to_owned(),
    };
    let too_many = || {
        grows(
            "its objects".into(),
            "there are more than 500,000 dictionaries, or they are nested too deep",
        )
    };
    let mut dictionaries = Pairs::default();
    dictionaries.count(bytes);
    if dictionaries.is_too_much() {
        return Err(too_many());
    }
    let is_encrypted = find(bytes, b"/Encrypt").is_some();
    let (mut spent, mut tables, mut consumed) = (0, 0, 0);
    let (mut distance, mut unclear) = (0_usize, 0_usize);
    let (mut from, mut before, mut next_end) = (0, 0, 0);
    while let Some(found) = bytes.get(from..).and_then(|rest| find(rest, b"stream")) {
        let at = from + found;
        from = at + 6;
        if bytes[..at].ends_with(b"end") {
            before = from;
            continue;
        }
        let head = &bytes[before..at];
        before = from;
        if !ends_dictionary(head) {
            continue;
        }
        // Where `/Length` is wrong, the end is looked for, each time.
        if next_end < from {
            let rest = &bytes[from..];
            next_end = from + find(rest, b"endstream").unwrap_or(rest.len());
        }
        distance = distance.saturating_add(next_end - from);
        if distance / 16 > bytes.len() {
            return Err(grows(
                format!("byte {at}"),
                "its streams have no ends, and looking for them would take too long",
            ));
        }
        let Some(packing) = Packing::of(head) else { continue };
        let place = || format!("the objects at byte {at}");
        let data = bytes[from..].strip_prefix(b"\r\n").unwrap_or_else(|| {
            bytes[from..]
                .strip_prefix(b"\n")
                .or(bytes[from..].strip_prefix(b"\r"))
                .unwrap_or(&bytes[from..])
        });
        let written = match packing {
            Packing::Other => {
                return Err(DocumentError::broken(
                    DocumentKind::Pdf,
                    place(),
                    "they are packed in a way that is not read here",
                    "print it to a new PDF",
                ));
            }
            Packing::Plain => 0,
            // What these unpack to cannot be known before: bombs are a thousand times smaller.
            Packing::Unclear | Packing::Deflate { is_table: false }
                if is_encrypted || packing == Packing::Unclear =>
            {
                unclear = unclear.saturating_add((next_end - from).saturating_mul(RATIO / 4));
                if unclear > limits.unpacked_bytes {
                    return Err(DocumentError::broken(
                        DocumentKind::Pdf,
                        place(),
                        "what they unpack to cannot be told",
                        "print it to a new PDF, without protection",
                    ));
                }
                0
            }
            Packing::Unclear => 0,
            Packing::Deflate { .. } => {
                let limit = limits.unpacked_bytes.saturating_sub(spent);
                let found = inflate(data, limit, |part| dictionaries.count(part));
                consumed += found.consumed;
                if found.end == End::Corrupt {
                    return Err(DocumentError::broken(
                        DocumentKind::Pdf,
                        place(),
                        "they cannot be unpacked",
                        "it is damaged: fetch it or save it again",
                    ));
                }
                if found.end == End::TooMuch || consumed > 2 * bytes.len() + 1000 {
                    return Err(grows(place(), "they unpack to more than may come out of a file"));
                }
                found.written
            }
        };
        spent += written;
        if packing == (Packing::Deflate { is_table: true }) {
            tables += written;
        }
        if dictionaries.is_too_much() {
            return Err(too_many());
        }
        if tables > TABLES || spent > limits.unpacked_bytes {
            return Err(grows(place(), "the tables of objects unpack to more than may be"));
        }
    }
    Ok(spent)
}

/// How a stream that the library may unpack by itself is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    Plain,
    Deflate {
        is_table: bool,
    },
    /// In some way that cannot be counted, and most likely no objects.
    Unclear,
    Other,
}

impl Packing {
    /// Nothing if the stream holds no objects: others are unpacked by ours alone.
    ///
    /// `head` is all that stands between the stream before and this one, so it may speak of other
    /// objects too; what they say only makes us look at more streams than we must.
    fn of(head: &[u8]) -> Option<Self> {
        let has = |word: &[u8]| find(head, word).is_some();
        let has_key = |name: &[u8]| key(head, name).is_some();
        let is_table = has(b"/XRef") || has_key(b"/W") && has_key(b"/Size");
        let is_objects = is_table || has(b"/ObjStm") || has_key(b"/First") && has_key(b"/N");
        // A name may be written with numbers of characters, and then says nothing here.
        if !is_objects && !has(b"#") {
            return None;
        }
        let (mut is_sole, mut is_packed, mut is_image) = (true, false, false);
        for name in [&b"/Filter"[..], b"/F"] {
            let mut rest = head;
            while let Some(value) = key(rest, name) {
                rest = value;
                let names = filters(value);
                // The dictionary about encryption has a key of that name too.
                if matches!(names, b"/Standard" | b"/Adobe.PubSec") {
                    continue;
                }
                is_image |= [&b"DCT"[..], b"JPX", b"JBIG2", b"CCF", b"CCITT"]
                    .iter()
                    .any(|image| find(names, image).is_some());
                is_packed |= !names.is_empty();
                is_sole &= matches!(names, b"" | b"/FlateDecode" | b"/Fl");
            }
        }
        match (is_packed, is_sole) {
            (false, _) => Some(if has(b"#") { Self::Unclear } else { Self::Plain }),
            (true, true) => Some(Self::Deflate { is_table }),
            // The library unpacks no images where it wants objects.
            (true, false) if is_image && !is_objects => None,
            (true, false) => Some(if is_objects { Self::Other } else { Self::Unclear }),
        }
    }
}

/// The names of filters after their key: one, or what stands in a list.
fn filters(value: &[u8]) -> &[u8] {
    let value = value.trim_ascii_start();
    match value.strip_prefix(b"[") {
        Some(list) => {
            let end = list.iter().position(|byte| *byte == b']').unwrap_or(list.len());
            list[..end].trim_ascii()
        }
        None => {
            let end = value.iter().skip(1).position(|byte| {
                !byte.is_ascii_alphanumeric() && !matches!(byte, b'#' | b'.' | b'_' | b'-')
            });
            &value[..end.map_or(value.len(), |end| end + 1)]
        }
    }
}

/// What comes after a key, if it is there as a whole word.
fn key<'a>(head: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut rest = head;
    while let Some(at) = find(rest, name) {
        rest = &rest[at + name.len()..];
        if !rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'#') {
            return Some(rest);
        }
    }
    None
}

/// Whether a dictionary ends here, with nothing but white space and comments after it.
fn ends_dictionary(head: &[u8]) -> bool {
    let head = head.trim_ascii_end();
    head.ends_with(b">>")
        || head
            .rsplit(|byte| matches!(byte, b'\n' | b'\r'))
            .next()
            .is_some_and(|line| line.contains(&b'%'))
}

/// Counts `<<` and how deep they stand, over parts of a text.
#[derive(Default)]
struct Pairs {
    found: usize,
    depth: usize,
    depths: usize,
    last: u8,
}

impl Pairs {
    fn count(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let pair = (self.last, *byte);
            self.last = *byte;
            match pair {
                (b'<', b'<') => {
                    self.found += 1;
                    self.depth += 1;
                    self.depths = self.depths.saturating_add(self.depth);
                }
                (b'>', b'>') => self.depth = self.depth.saturating_sub(1),
                _ => continue,
            }
            self.last = 0;
        }
    }

    fn is_too_much(&self) -> bool {
        self.found > DICTIONARIES || self.depths > NESTING
    }
}

/// Where a word first stands. In time that grows with the bytes.
fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    let first = *word.first()?;
    let mut from = 0;
    while let Some(at) = bytes.get(from..)?.iter().position(|byte| *byte == first) {
        if bytes[from + at..].starts_with(word) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}
