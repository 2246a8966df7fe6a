//! Bytes as text.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// A text, and what is to be said about how it was read.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    /// The text, without a mark of its byte order.
    pub text: Cow<'a, str>,
    /// How it was read, where that is a guess.
    pub note: Option<&'static str>,
}

/// What the bytes from 0x80 to 0x9F are in Windows-1252; what is not used there stays a control.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// A byte as Windows-1252, which is Latin-1 with letters and signs where that has controls.
pub(crate) fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Reads bytes in the encoding that they declare, as UTF-8, as UTF-16 where they begin with its mark,
/// else as Latin-1.
///
/// In time that grows with the bytes.
pub(crate) fn decode(bytes: &[u8]) -> Decoded<'_> {
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return utf16(rest, u16::from_be_bytes);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // What is UTF-8 is no other encoding, whatever it declares.
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains('\u{1b}')
    {
        return Decoded { text: Cow::Borrowed(text), note: None };
    }
    if let Some(encoding) = declared(bytes) {
        let (text, _, is_damaged) = encoding.decode(bytes);
        let note =
            "Some characters are damaged, or the file declares another encoding than it has.";
        return Decoded { text: Cow::Owned(text.into_owned()), note: is_damaged.then_some(note) };
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: Cow::Borrowed(text), note: None },
        Err(_) => Decoded {
            text: Cow::Owned(bytes.iter().map(|byte| windows_1252(*byte)).collect()),
            note: Some(
                "The text is not in UTF-8 and was read as Latin-1 (Windows-1252): letters with accents may be wrong.",
            ),
        },
    }
}

/// The encoding that XML names in its first line, a page in its head, Python and Emacs in a comment.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(4096)];
    let head: String = head.iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    let behind = |mark: &str| {
        let (_, rest) = head.split_once(mark)?;
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "=:".contains(c));
        let rest = rest.trim_start_matches(['"', '\'']);
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        Encoding::for_label(name.as_bytes())
    };
    let is_xml = head.trim_start().starts_with("<?xml");
    let is_page = head.contains("<meta") || head.contains("<html");
    let is_commented = head.lines().take(2).any(|line| line.trim_start().starts_with('#'));
    let named = [(is_xml, "encoding"), (is_page, "charset"), (is_commented, "coding")];
    let found = named.into_iter().filter(|(is_it, _)| *is_it).find_map(|(_, mark)| behind(mark));
    // The bytes have no zeros, so they are not what these say.
    found.filter(|encoding| ![UTF_8, UTF_16BE, UTF_16LE].contains(encoding))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded<'static> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String =
        char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    let is_broken = bytes.len() % 2 == 1 || text.contains(char::REPLACEMENT_CHARACTER);
    let note = is_broken.then_some("Some characters of the UTF-16 text are damaged.");
    Decoded { text: Cow::Owned(text), note }
}

/// Whether bytes look like text: no zeros, unless it is UTF-16 with its mark, and few controls.
///
/// It looks at the first 8192 bytes.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return true;
    }
    let head = &bytes[..bytes.len().min(8192)];
    let controls =
        head.iter().filter(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31 | 127)).count();
    !head.contains(&0) && controls * 20 <= head.len()
}
