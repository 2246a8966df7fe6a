//! Texts as the oldest protocols write them, one on a line.

/// The bytes of a text in quotes with Python's escapes; `None` where it is no such text.
pub(super) fn quoted(line: &[u8]) -> Option<Vec<u8>> {
    let (first, rest) = line.split_first()?;
    let (last, inner) = rest.split_last()?;
    if first != last || !matches!(first, b'"' | b'\'') {
        return None;
    }
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((byte, more)) = rest.split_first() {
        rest = more;
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        let (escape, more) = rest.split_first()?;
        rest = more;
        match escape {
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'x' => {
                bytes.push(hex(rest, 2)? as u8);
                rest = &rest[2..];
            }
            other => bytes.push(*other),
        }
    }
    Some(bytes)
}

/// A text of Latin-1 characters in which `\u` and `\U` write others.
pub(super) fn raw_unicode(line: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((byte, more)) = rest.split_first() {
        rest = more;
        let length = match (byte, more.first()) {
            (b'\\', Some(b'u')) => 4,
            (b'\\', Some(b'U')) => 8,
            _ => {
                text.push(char::from(*byte));
                continue;
            }
        };
        let code = hex(&rest[1..], length)?;
        text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        rest = &rest[1 + length..];
    }
    Some(text)
}

fn hex(bytes: &[u8], digits: usize) -> Option<u32> {
    let digits = bytes.get(..digits).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn escapes_are_read() {
        assert_eq!(quoted(br"'a\'b\\n\n\x41'").unwrap(), b"a'b\\n\nA");
        assert_eq!(raw_unicode(b"caf\xe9 \\u20ac \\U0001f600").unwrap(), "café € 😀");
        for none in [&b"'a"[..], b"a", b"'", b"'\\x4'", b"'\\'"] {
            assert_eq!(quoted(none), None, "{none:?}");
        }
        assert_eq!(raw_unicode(b"\\u20"), None);
    }
}
