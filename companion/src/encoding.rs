//! Texts in other encodings than UTF-8: by their mark of the byte order, by what their XML says, and
//! else by what their letters look like.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// How many bytes decide which encoding a text is in.
const LOOKED_AT: usize = 1 << 20;

/// A text, and the encoding that was guessed where nothing says which it is.
#[derive(Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// The encoding's name, where it was guessed.
    pub guessed: Option<&'static str>,
}

/// Reads a text, or nothing where the bytes are none.
pub fn decode(bytes: &[u8]) -> Option<Decoded> {
    let whole = |encoding: &'static Encoding, guessed| {
        let (text, _, has_errors) = encoding.decode(bytes);
        // A text has no character of 0; what has is packed, or numbers.
        let is_text = !has_errors && !text.contains('\0');
        is_text.then(|| Decoded { text: text.into_owned(), guessed })
    };
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return whole(encoding, None);
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains('\0')
    {
        return Some(Decoded { text: text.to_owned(), guessed: None });
    }
    // Without a mark, UTF-16 has a zero beside each letter of a markup or a table.
    match bytes.get(..4)? {
        [a, 0, b, 0] if *a > 0 && *b > 0 => return whole(UTF_16LE, Some("UTF-16LE")),
        [0, a, 0, b] if *a > 0 && *b > 0 => return whole(UTF_16BE, Some("UTF-16BE")),
        _ => {}
    }
    if let Some(encoding) = declared(bytes) {
        return whole(encoding, None);
    }
    let mut detector = chardetng::EncodingDetector::new();
    detector.feed(&bytes[..bytes.len().min(LOOKED_AT)], bytes.len() <= LOOKED_AT);
    let encoding = detector.guess(None, false);
    if encoding == UTF_8 {
        return None;
    }
    whole(encoding, Some(encoding.name()))
}

/// The encoding that XML declares in its first line.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
    let (_, behind) = head.strip_prefix("<?xml")?.split_once("encoding=")?;
    let mark = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let name = behind[1..].split(mark).next()?;
    Encoding::for_label(name.as_bytes())
}
