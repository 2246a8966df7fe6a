//! Maps from codes to characters that fonts carry (`ToUnicode`).

use std::collections::HashMap;

/// How many codes one map has at most; further ones are not looked at.
const CODES: usize = 100_000;

/// A map from codes to characters.
#[derive(Debug, Default)]
pub(super) struct ToUnicode {
    codes: HashMap<u32, String>,
    /// First and last code, and the text of the first, whose last character counts up.
    ranges: Vec<(u32, u32, String)>,
    /// How many bytes codes have, with the first and the last of them.
    spaces: Vec<(usize, u32, u32)>,
}

/// A piece of a map's text.
#[derive(Debug, PartialEq)]
enum Token<'a> {
    /// A text in angle brackets.
    Hex(Vec<u8>),
    /// The start of a list.
    Open,
    /// The end of a list.
    Close,
    /// Anything else, up to white space.
    Word(&'a [u8]),
}

impl ToUnicode {
    /// Reads a map. In time that grows with its text.
    pub(super) fn read(text: &[u8]) -> Self {
        let mut map = Self::default();
        let mut rest = text;
        while let Some(token) = next(&mut rest) {
            match token {
                Token::Word(b"begincodespacerange") => map.read_spaces(&mut rest),
                Token::Word(b"beginbfchar") => map.read_codes(&mut rest),
                Token::Word(b"beginbfrange") => map.read_ranges(&mut rest),
                _ => {}
            }
        }
        // The later of two that overlap wins, as the search goes backwards.
        map
    }

    /// The text of a code.
    pub(super) fn get(&self, code: u32) -> Option<String> {
        if let Some(text) = self.codes.get(&code) {
            return Some(text.clone());
        }
        let (first, _, text) =
            self.ranges.iter().rev().find(|(first, last, _)| (*first..=*last).contains(&code))?;
        let mut chars: Vec<char> = text.chars().collect();
        let last = chars.pop()?;
        chars.push(char::from_u32(u32::from(last).checked_add(code - first)?)?);
        Some(chars.into_iter().collect())
    }

    /// How many bytes the code has that begins here, if the map says it.
    pub(super) fn code_length(&self, bytes: &[u8]) -> Option<usize> {
        let is_here = |length: usize, first: u32, last: u32| {
            bytes.len() >= length && (first..=last).contains(&number(&bytes[..length]))
        };
        let mut spaces = self.spaces.iter();
        spaces.find(|(length, first, last)| is_here(*length, *first, *last)).map(|space| space.0)
    }

    fn read_spaces(&mut self, rest: &mut &[u8]) {
        while let Some(Token::Hex(first)) = next(rest) {
            let Some(Token::Hex(last)) = next(rest) else { return };
            if (1..=4).contains(&first.len()) && self.spaces.len() < 100 {
                self.spaces.push((first.len(), number(&first), number(&last)));
            }
        }
        self.spaces.sort_unstable();
    }

    fn read_codes(&mut self, rest: &mut &[u8]) {
        while let Some(Token::Hex(code)) = next(rest) {
            let Some(Token::Hex(text)) = next(rest) else { return };
            self.insert(number(&code), &text);
        }
    }

    fn read_ranges(&mut self, rest: &mut &[u8]) {
        while let Some(Token::Hex(first)) = next(rest) {
            let Some(Token::Hex(last)) = next(rest) else { return };
            let (first, last) = (number(&first), number(&last));
            match next(rest) {
                Some(Token::Hex(text)) => {
                    if self.ranges.len() < CODES / 100 {
                        self.ranges.push((first, last, utf16(&text)));
                    }
                }
                Some(Token::Open) => {
                    let mut code = first;
                    while let Some(Token::Hex(text)) = next(rest) {
                        if code <= last {
                            self.insert(code, &text);
                        }
                        code = code.saturating_add(1);
                    }
                }
                _ => return,
            }
        }
    }

    fn insert(&mut self, code: u32, text: &[u8]) {
        if self.codes.len() < CODES {
            self.codes.insert(code, utf16(text));
        }
    }
}

/// Up to four bytes as a number.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn utf16(bytes: &[u8]) -> String {
    if let [byte] = bytes {
        return char::from(*byte).to_string();
    }
    // Ligatures have some letters; a longer text is no character.
    let units = bytes.chunks_exact(2).take(16).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).flatten().filter(|char| *char != '\0').collect()
}

/// The next piece, without comments.
fn next<'a>(rest: &mut &'a [u8]) -> Option<Token<'a>> {
    loop {
        *rest = rest.trim_ascii_start();
        match rest.first()? {
            b'%' => {
                let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
                *rest = &rest[end..];
            }
            b'[' => {
                *rest = &rest[1..];
                return Some(Token::Open);
            }
            b']' => {
                *rest = &rest[1..];
                return Some(Token::Close);
            }
            b'<' if rest.get(1) != Some(&b'<') => {
                let end = rest.iter().position(|byte| *byte == b'>').unwrap_or(rest.len());
                let digits: Vec<u8> = rest[1..end]
                    .iter()
                    .filter_map(|byte| Some(char::from(*byte).to_digit(16)? as u8))
                    .collect();
                *rest = &rest[(end + 1).min(rest.len())..];
                return Some(Token::Hex(
                    digits
                        .chunks(2)
                        .map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0))
                        .collect(),
                ));
            }
            _ => {
                let end = rest
                    .iter()
                    .skip(1)
                    .position(|byte| byte.is_ascii_whitespace() || b"[]<>%/".contains(byte))
                    .map_or(rest.len(), |end| end + 1);
                let word = &rest[..end];
                *rest = &rest[end..];
                return Some(Token::Word(word));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_gives_characters_and_lengths() {
        let map = ToUnicode::read(
            b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
              2 beginbfchar <0003> <0020> <0010> <00660069> endbfchar % fi\n\
              2 beginbfrange <0041> <0043> <0061> <0050> <0051> [<0391> <D83DDE00>] endbfrange",
        );
        assert_eq!(map.code_length(b"\0A"), Some(2));
        for (code, text) in
            [(3, Some(" ")), (16, Some("fi")), (0x43, Some("c")), (0x51, Some("😀")), (0x60, None)]
        {
            assert_eq!(map.get(code).as_deref(), text, "{code:x}");
        }
    }
}
