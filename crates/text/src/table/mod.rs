//! Texts as vectors by a table of words: each word has a vector, a text is their weighted sum.
//!
//! Such a table is small enough for a page to fetch it, and knows that a physician is a doctor,
//! which trigrams cannot. `assets/models/README.md` says how ours is made.

mod error;
mod file;

use crate::similarity::Embed;

pub use error::TableError;
pub use file::{WordRow, write};

/// Dimensions beside those of the table, in which words are alike that are spelt alike.
const SPELT: usize = 128;
/// How much spelling counts for a word that the table has. For one that it has not, it is all.
const SPELT_SHARE: f32 = 0.2;

/// A table of words with their vectors.
///
/// A word that the table does not have is told by its runs of three and four letters instead, in
/// dimensions of their own; so an invented name is like itself and like its misspellings, and like
/// nothing else.
pub struct WordTable {
    /// In alphabetical order, each ended by a line feed.
    words: String,
    /// Where each begins.
    starts: Vec<u32>,
    n_dims: usize,
    /// What a word's numbers are multiplied with: its weight in a sum and the table's rounding.
    scales: Vec<f32>,
    /// Two numbers from -7 to 7 a byte, each raised by 8.
    nibbles: Vec<u8>,
    /// The length of a usual word's vector, for those that are not in the table.
    usual: f32,
}

impl WordTable {
    /// Reads a table from the bytes of its file, in time and memory in proportion to them.
    ///
    /// # Errors
    /// If the bytes are not such a file; the error says what is wrong with them.
    pub fn read(bytes: &[u8]) -> Result<Self, TableError> {
        file::read(bytes)
    }

    /// The number of its words.
    pub fn n_words(&self) -> usize {
        self.starts.len()
    }

    /// The dimensions of its words' vectors.
    pub fn n_dims(&self) -> usize {
        self.n_dims
    }

    /// Whether it has a word, which is given in lower case. O(log words).
    pub fn has(&self, word: &str) -> bool {
        self.find(word).is_some()
    }

    fn word(&self, i: usize) -> &str {
        let end = self.starts.get(i + 1).map_or(self.words.len(), |e| *e as usize);
        &self.words[self.starts[i] as usize..end - 1]
    }

    fn find(&self, word: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.n_words());
        while low < high {
            let middle = (low + high) / 2;
            match self.word(middle).cmp(word) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Adds a word's vector, and says how long it is.
    fn add(&self, i: usize, to: &mut [f32]) -> f32 {
        let scale = self.scales[i];
        let row = &self.nibbles[i * self.n_dims / 2..(i + 1) * self.n_dims / 2];
        let mut square = 0.0;
        for (pair, byte) in to.chunks_exact_mut(2).zip(row) {
            let low = f32::from(byte & 15) - 8.0;
            let high = f32::from(byte >> 4) - 8.0;
            square += low * low + high * high;
            pair[0] += scale * low;
            pair[1] += scale * high;
        }
        scale * square.sqrt()
    }
}

impl Embed for WordTable {
    fn label(&self) -> String {
        format!("table of {} words", self.n_words())
    }

    fn threshold(&self) -> f32 {
        0.7
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; self.n_dims + SPELT];
        let (known, spelt) = vector.split_at_mut(self.n_dims);
        each_word(text, |word| match self.find(word) {
            Some(i) => {
                let length = self.add(i, known);
                add_spelling(word, length * SPELT_SHARE, spelt);
            }
            None => add_spelling(word, self.usual, spelt),
        });
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|x| *x /= length);
        }
        vector
    }
}

/// The words of a text in lower case, names in `snake_case` and `camelCase` cut apart, without
/// anything cut off: the table has `married` and `marries` as two words.
fn each_word(text: &str, mut tell: impl FnMut(&str)) {
    let mut word = String::new();
    let mut before_is_lower = false;
    for c in text.chars().chain([' ']) {
        let is_hump = c.is_uppercase() && before_is_lower;
        if (!c.is_alphanumeric() || is_hump) && !word.is_empty() {
            tell(&word);
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before_is_lower = c.is_lowercase();
    }
}

/// Adds a vector of that length, made of the word's runs of three and four letters: each counts
/// for or against one dimension, which its hash chooses.
fn add_spelling(word: &str, length: f32, to: &mut [f32]) {
    let letters: Vec<char> = ['<'].into_iter().chain(word.chars()).chain(['>']).collect();
    let mut own = [0.0_f32; SPELT];
    for n in [3, 4] {
        for run in letters.windows(n) {
            let hash = hash(run);
            let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
            own[(hash >> 32) as usize % SPELT] += sign;
        }
    }
    // Runs may cancel each other out; then the word says nothing.
    let square: f32 = own.iter().map(|x| x * x).sum();
    if square > 0.0 {
        let factor = length / square.sqrt();
        to.iter_mut().zip(own).for_each(|(to, x)| *to += factor * x);
    }
}

/// FNV-1a over the letters, mixed once more: part of what the vectors are, so it must never change.
fn hash(letters: &[char]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for letter in letters {
        hash = (hash ^ u64::from(u32::from(*letter))).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests;
