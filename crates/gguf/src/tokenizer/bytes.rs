//! The alphabet of GPT-2, which has a visible character for each byte.

/// The character that stands for a byte.
pub(crate) fn shown(byte: u8) -> char {
    // Visible ones stand for themselves; the others follow from 256 on, in their order.
    match byte {
        b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => char::from(byte),
        0..=b' ' => char::from_u32(256 + u32::from(byte)).unwrap_or(' '),
        0x7f..=0xa0 => char::from_u32(256 + 33 + u32::from(byte) - 0x7f).unwrap_or(' '),
        0xad => '\u{143}',
    }
}

fn byte_of(c: char) -> Option<u8> {
    match u32::from(c) {
        n @ (0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff) => u8::try_from(n).ok(),
        n @ 256..=288 => u8::try_from(n - 256).ok(),
        n @ 289..=322 => u8::try_from(n - 289 + 0x7f).ok(),
        0x143 => Some(0xad),
        _ => None,
    }
}

pub(super) fn encode(text: &str) -> String {
    text.bytes().map(shown).collect()
}

/// The bytes of a token; characters that stand for no byte are themselves.
pub(super) fn decode(token: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(token.len());
    for c in token.chars() {
        match byte_of(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_own_character() {
        for byte in 0..=255 {
            assert_eq!(byte_of(shown(byte)), Some(byte));
        }
        assert_eq!(encode(" a\n"), "ĠaĊ");
    }
}
