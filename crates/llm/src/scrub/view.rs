//! A text as it reads when its escapes are resolved, with the place of every byte.

use std::ops::Range;

/// The bytes of a text, escapes resolved, and where each stands in the text.
pub(super) struct View<'a> {
    text: &'a str,
    /// Resolved bytes; empty where the text has no escapes.
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
    /// Where an escape begins that may go on after the end.
    cut: Option<usize>,
}

/// One escape: what it stands for and how long it is.
enum Escape {
    Whole(char, usize),
    /// A byte of a text in UTF-8.
    Byte(u8, usize),
    /// It may be one if more comes.
    Cut,
    None,
}

impl<'a> View<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut view = Self { text, bytes: Vec::new(), places: Vec::new(), cut: None };
        let raw = text.as_bytes();
        if !raw.iter().any(|b| matches!(b, b'\\' | b'%' | b'&')) {
            return view;
        }
        let mut at = 0;
        while at < raw.len() {
            let n = match escape(&raw[at..]) {
                Escape::Whole(letter, n) => {
                    let mut buffer = [0; 4];
                    for byte in letter.encode_utf8(&mut buffer).bytes() {
                        view.bytes.push(byte);
                        view.places.push(at..at + n);
                    }
                    n
                }
                Escape::Byte(byte, n) => {
                    view.bytes.push(byte);
                    view.places.push(at..at + n);
                    n
                }
                Escape::Cut => {
                    view.cut.get_or_insert(at);
                    view.bytes.push(raw[at]);
                    view.places.push(at..at + 1);
                    1
                }
                Escape::None => {
                    view.bytes.push(raw[at]);
                    view.places.push(at..at + 1);
                    1
                }
            };
            at += n;
        }
        view
    }

    /// Everywhere that the needle stands, as it is or escaped.
    pub(super) fn find(&self, needle: &[u8]) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> =
            places(self.text.as_bytes(), needle).map(|at| at..at + needle.len()).collect();
        for at in places(&self.bytes, needle) {
            let end = self.places[at + needle.len() - 1].end;
            found.push(self.places[at].start..end);
        }
        found.retain(|r| self.text.is_char_boundary(r.start) && self.text.is_char_boundary(r.end));
        found
    }

    /// From where on the text may go on to be the needle; beyond the end if it cannot.
    pub(super) fn unfinished(&self, needle: &[u8]) -> usize {
        let raw = tail(self.text.as_bytes(), needle);
        let mut from = self.text.len() - raw;
        if !self.bytes.is_empty() {
            // What stands before an escape that is cut off, and the escape itself.
            let n = match self.cut {
                Some(cut) => {
                    from = from.min(cut);
                    self.places.partition_point(|p| p.start < cut)
                }
                None => self.bytes.len(),
            };
            let resolved = tail(&self.bytes[..n], needle);
            if resolved > 0 {
                from = from.min(self.places[n - resolved].start);
            }
        }
        while !self.text.is_char_boundary(from) {
            from -= 1;
        }
        from
    }
}

/// Where the needle stands in the bytes.
fn places<'a>(bytes: &'a [u8], needle: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let first = needle.first().copied().unwrap_or_default();
    let starts = bytes.iter().enumerate().filter(move |(_, b)| **b == first).map(|(at, _)| at);
    starts.filter(move |at| bytes[*at..].starts_with(needle))
}

/// How many bytes at the end are the beginning of the needle, and not all of it.
fn tail(bytes: &[u8], needle: &[u8]) -> usize {
    let most = needle.len().saturating_sub(1).min(bytes.len());
    (1..=most).rev().find(|n| bytes.ends_with(&needle[..*n])).unwrap_or(0)
}

fn hex(bytes: &[u8], from: usize, n: usize) -> Result<u32, bool> {
    let digits = bytes.get(from..(from + n).min(bytes.len())).unwrap_or_default();
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return Err(false);
    }
    // Too few, and nothing but digits: more may come.
    let text = std::str::from_utf8(digits).ok().filter(|d| d.len() == n).ok_or(true)?;
    u32::from_str_radix(text, 16).map_err(|_| false)
}

/// The most backslashes before an escape: each JSON within JSON doubles them.
const MAX_SLASHES: usize = 8;

fn escape(bytes: &[u8]) -> Escape {
    let read = |from: usize, n: usize, whole: fn(u32, usize) -> Escape| match hex(bytes, from, n) {
        Ok(code) => whole(code, from + n),
        Err(true) => Escape::Cut,
        Err(false) => Escape::None,
    };
    let letter = |code, n| char::from_u32(code).map_or(Escape::None, |c| Escape::Whole(c, n));
    match bytes {
        [b'%', ..] => read(1, 2, |code, n| Escape::Byte(code as u8, n)),
        [b'\\', ..] => {
            let slashes = bytes.iter().take_while(|b| **b == b'\\').count();
            match bytes.get(slashes) {
                _ if slashes > MAX_SLASHES => Escape::None,
                None => Escape::Cut,
                Some(b'u') => read(slashes + 1, 4, letter),
                Some(b'x') => read(slashes + 1, 2, letter),
                Some(sign @ (b'/' | b'"' | b'\'')) => Escape::Whole(char::from(*sign), slashes + 1),
                Some(_) => Escape::None,
            }
        }
        [b'&', rest @ ..] => {
            let most = rest.len().min(9);
            let name = rest.split(|b| *b == b';').next().unwrap_or_default();
            let is_whole = name.len() < rest.len();
            if name.len() > 8 || !name.starts_with(b"#") && !name.is_empty() {
                return Escape::None;
            }
            if !is_whole {
                return if most < 9 { Escape::Cut } else { Escape::None };
            }
            let digits = std::str::from_utf8(name).unwrap_or_default().trim_start_matches('#');
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => digits.parse(),
            };
            code.map_or(Escape::None, |code| letter(code, name.len() + 2))
        }
        _ => Escape::None,
    }
}
