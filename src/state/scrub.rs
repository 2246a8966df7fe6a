//! Takes a key out of what an endpoint says: some quote it in their errors, which are kept.

/// What stands in the key's place.
const MARK: &str = "***";
/// Keys shorter than this are words that a text may have anyway.
const SHORTEST: usize = 6;

/// Takes a key out of a text that comes in pieces.
#[derive(Clone, Debug, Default)]
pub struct Scrub {
    key: String,
    held: String,
}

impl Scrub {
    /// For this key, if there is one.
    pub fn new(key: Option<&str>) -> Self {
        let key = key.filter(|k| k.len() >= SHORTEST).unwrap_or_default().to_owned();
        Self { key, held: String::new() }
    }

    /// A piece without the key. What may be the key's beginning is held back until the next piece.
    pub fn feed(&mut self, piece: &str) -> String {
        if self.key.is_empty() {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        let clean = self.held.replace(&self.key, MARK);
        let tail = (1..self.key.len().min(clean.len() + 1))
            .rev()
            .find(|n| self.key.is_char_boundary(*n) && clean.ends_with(&self.key[..*n]))
            .unwrap_or(0);
        let (out, held) = clean.split_at(clean.len() - tail);
        let out = out.to_owned();
        self.held = held.to_owned();
        out
    }

    /// What was held back, at the end.
    pub fn end(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wherever_the_text_is_cut_the_key_is_gone_and_the_rest_is_there() {
        let key = "sk-sk-kä-1";
        let text = format!("wrong key sk-{key}, again {key}{key} and sk-sk");
        let expected = text.replace(key, MARK);
        let cuts: Vec<usize> = (0..=text.len()).filter(|n| text.is_char_boundary(*n)).collect();
        for (i, &a) in cuts.iter().enumerate() {
            for &b in &cuts[i..] {
                let mut scrub = Scrub::new(Some(key));
                let mut clean = scrub.feed(&text[..a]);
                clean += &scrub.feed(&text[a..b]);
                clean += &scrub.feed(&text[b..]);
                clean += &scrub.end();
                assert_eq!(clean, expected, "cut at {a} and {b}");
            }
        }
    }

    #[test]
    fn without_a_key_nothing_is_held_back() {
        let mut scrub = Scrub::new(None);
        assert_eq!(scrub.feed("sk-"), "sk-");
        assert_eq!(Scrub::new(Some("ab")).feed("cab"), "cab");
    }
}
