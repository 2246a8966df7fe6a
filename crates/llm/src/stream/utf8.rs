//! Text out of bytes that are cut anywhere.

/// Holds back the letters that a cut has split, until their rest comes.
#[derive(Clone, Debug, Default)]
pub struct Utf8Carry(Vec<u8>);

impl Utf8Carry {
    /// The text of these bytes and of what was held back; what is no UTF-8 becomes `\u{fffd}`.
    pub fn feed(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        let whole = self.0.len() - split_letter(&self.0);
        let text = String::from_utf8_lossy(&self.0[..whole]).into_owned();
        self.0.drain(..whole);
        text
    }

    /// What is left at the end: nothing, unless the text was cut off inside a letter.
    pub fn end(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.0)).into_owned()
    }
}

/// How many bytes at the end begin a letter whose rest is not there.
fn split_letter(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let byte = bytes[bytes.len() - back];
        let length = match byte {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            // The inside of a letter: look further back.
            0x80..=0xbf => continue,
            _ => return 0,
        };
        // What is there must be able to become a letter, or it is broken already.
        let tail = &bytes[bytes.len() - back..];
        let can = std::str::from_utf8(tail).err().is_some_and(|e| e.error_len().is_none());
        return if length > back && can { back } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_cut_of_any_bytes_gives_the_text_of_the_whole(
            bytes in prop_oneof![
                any::<String>().prop_map(String::into_bytes),
                proptest::collection::vec(any::<u8>(), 0..40),
            ],
            cuts in proptest::collection::vec(1usize..5, 0..40),
        ) {
            let mut carry = Utf8Carry::default();
            let (mut text, mut rest) = (String::new(), bytes.as_slice());
            for cut in cuts {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                text += &carry.feed(piece);
                rest = after;
            }
            text += &carry.feed(rest);
            text += &carry.end();
            prop_assert_eq!(text, String::from_utf8_lossy(&bytes).into_owned());
        }
    }

    #[test]
    fn a_letter_is_held_back_until_it_is_whole() {
        let mut carry = Utf8Carry::default();
        assert_eq!(carry.feed("aü".as_bytes().split_at(2).0), "a");
        assert_eq!(carry.feed(&"ü".as_bytes()[1..]), "ü");
        assert_eq!(carry.end(), "");
    }
}
