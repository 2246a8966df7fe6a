//! Text out of tokens, one at a time.

use super::ModelTokenizer;

/// Puts the bytes of tokens together, and gives out whole characters alone.
#[derive(Clone, Debug, Default)]
pub struct Detokenizer {
    held: Vec<u8>,
}

impl Detokenizer {
    /// Adds a token; gives the text that is whole now. Control tokens give none.
    pub fn push(&mut self, tokenizer: &ModelTokenizer, token: u32) -> String {
        if !tokenizer.is_control(token) {
            self.held.extend_from_slice(tokenizer.bytes(token));
        }
        self.whole()
    }

    /// What is whole of the bytes that are held. Bytes that can become no character are marked.
    fn whole(&mut self) -> String {
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.held) {
                Ok(all) => {
                    text.push_str(all);
                    self.held.clear();
                    return text;
                }
                Err(error) => {
                    let good = error.valid_up_to();
                    text.push_str(&String::from_utf8_lossy(&self.held[..good]));
                    match error.error_len() {
                        // The character may still come.
                        None => {
                            self.held.drain(..good);
                            return text;
                        }
                        Some(bad) => {
                            text.push('\u{fffd}');
                            self.held.drain(..good + bad);
                        }
                    }
                }
            }
        }
    }

    /// What is left at the end: a mark in the place of a character that did not come whole.
    pub fn finish(self) -> String {
        String::from_utf8_lossy(&self.held).into_owned()
    }
}
