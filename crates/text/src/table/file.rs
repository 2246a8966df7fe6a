//! The table as a file: a head, the words, a scale for each, and four bits a number.

use super::{TableError, WordTable};

/// How every file begins; the digit is the version.
const START: &[u8; 8] = b"GGWORDS1";
/// The head: start, number of words, dimensions, bytes of words, length of a usual vector.
const HEAD: usize = 8 + 4 + 4 + 4 + 4;
const MOST_WORDS: u32 = 1_000_000;
const MOST_DIMS: u32 = 1024;
/// The most bytes of a word.
const MOST_LETTERS: usize = 64;
/// The largest value of four bits with a sign.
const TOP: f32 = 7.0;

/// A word with its vector, whose length is its weight in a sum.
#[derive(Clone, Debug, PartialEq)]
pub struct WordRow {
    /// The word, in lower case.
    pub word: String,
    /// Its vector.
    pub vector: Vec<f32>,
}

pub(super) fn read(bytes: &[u8]) -> Result<WordTable, TableError> {
    if !bytes.starts_with(START) {
        let start = &bytes[..bytes.len().min(8)];
        return Err(TableError::Start { found: String::from_utf8_lossy(start).into_owned() });
    }
    let number = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|b| <[u8; 4]>::try_from(b).ok());
        four.map(u32::from_le_bytes)
            .ok_or(TableError::Length { found: bytes.len() as u64, expected: HEAD as u64 })
    };
    let (n_words, n_dims, n_letters) = (number(8)?, number(12)?, number(16)?);
    let usual = f32::from_bits(number(20)?);
    let bound = |field, value: u32, fits: bool, expected| {
        let value = u64::from(value);
        if fits { Ok(()) } else { Err(TableError::Head { field, value, expected }) }
    };
    bound("words", n_words, n_words <= MOST_WORDS, "at most 1000000")?;
    let even = (2..=MOST_DIMS).contains(&n_dims) && n_dims.is_multiple_of(2);
    bound("dimensions", n_dims, even, "an even number from 2 to 1024")?;
    let plain = usual.is_finite() && (0.0..=1000.0).contains(&usual);
    bound("bits of the usual length", usual.to_bits(), plain, "those of a number from 0 to 1000")?;
    let (n_words, n_dims, n_letters) = (n_words as usize, n_dims as usize, n_letters as usize);
    let expected = [HEAD as u64, n_letters as u64, 2 * n_words as u64]
        .into_iter()
        .sum::<u64>()
        .saturating_add(n_words as u64 * n_dims as u64 / 2);
    if bytes.len() as u64 != expected {
        return Err(TableError::Length { found: bytes.len() as u64, expected });
    }
    let (letters, rest) = bytes[HEAD..].split_at(n_letters);
    let (scales, nibbles) = rest.split_at(2 * n_words);
    let (words, starts) = read_words(letters, n_words)?;
    let scales = read_scales(scales)?;
    Ok(WordTable { words, starts, n_dims, scales, nibbles: nibbles.to_vec(), usual })
}

fn read_words(letters: &[u8], n_words: usize) -> Result<(String, Vec<u32>), TableError> {
    let fault = |number: usize, word: &str, expected| {
        let word = word.chars().take(40).collect();
        Err(TableError::Word { number, word, expected })
    };
    let words = match std::str::from_utf8(letters) {
        Ok(words) => words,
        Err(error) => {
            let before = &letters[..error.valid_up_to()];
            let number = before.iter().filter(|b| **b == b'\n').count() + 1;
            return fault(number, &String::from_utf8_lossy(letters), "UTF-8");
        }
    };
    let mut starts = Vec::with_capacity(n_words);
    let mut at = 0;
    let mut before = "";
    for (i, line) in words.split_inclusive('\n').enumerate() {
        let Some(word) = line.strip_suffix('\n') else {
            return fault(i + 1, line, "a line feed behind every word");
        };
        if word.is_empty() || word.len() > MOST_LETTERS {
            return fault(i + 1, word, "a word of 1 to 64 bytes");
        }
        if i > 0 && word <= before {
            return fault(i + 1, word, "words in alphabetical order, each once");
        }
        if i >= n_words {
            return fault(i + 1, word, "no more words than the head says");
        }
        starts.push(at);
        at += line.len() as u32;
        before = word;
    }
    if starts.len() < n_words {
        return fault(starts.len() + 1, "", "as many words as the head says");
    }
    Ok((words.to_owned(), starts))
}

fn read_scales(bytes: &[u8]) -> Result<Vec<f32>, TableError> {
    let numbers = bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    numbers
        .map(|half| f32::from_bits(u32::from(half) << 16))
        .enumerate()
        .map(|(i, scale)| {
            if scale.is_finite() && (0.0..=1000.0).contains(&scale) {
                Ok(scale)
            } else {
                Err(TableError::Weight { number: i + 1, value: scale.to_string() })
            }
        })
        .collect()
}

/// Writes a table of rows, which may come in any order. Each number keeps four bits: of the scales
/// that are tried for a row, the one that changes its vector least is taken.
///
/// # Errors
/// If two rows have the same word or vectors of different lengths, or something is out of bounds.
pub fn write(mut rows: Vec<WordRow>) -> Result<Vec<u8>, TableError> {
    rows.sort_by(|a, b| a.word.cmp(&b.word));
    let n_dims = rows.first().map_or(2, |r| r.vector.len());
    let mut letters = String::new();
    let (mut scales, mut nibbles) = (Vec::new(), Vec::new());
    let mut lengths = 0.0_f64;
    for (i, row) in rows.iter().enumerate() {
        if row.vector.len() != n_dims || row.vector.iter().any(|x| !x.is_finite()) {
            let expected = "a vector of finite numbers, as many for each word";
            return Err(TableError::Word { number: i + 1, word: row.word.clone(), expected });
        }
        letters.push_str(&row.word);
        letters.push('\n');
        let (scale, numbers) = round(&row.vector);
        scales.extend(((scale.to_bits() >> 16) as u16).to_le_bytes());
        nibbles.extend(numbers.chunks_exact(2).map(|two| two[0] | two[1] << 4));
        lengths += f64::from(row.vector.iter().map(|x| x * x).sum::<f32>().sqrt());
    }
    let usual = (lengths / rows.len().max(1) as f64) as f32;
    let mut bytes = START.to_vec();
    for number in [rows.len() as u32, n_dims as u32, letters.len() as u32, usual.to_bits()] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(letters.bytes());
    bytes.extend(scales);
    bytes.extend(nibbles);
    // Whatever is out of bounds, the reader says it.
    read(&bytes).map(|_| bytes)
}

/// The scale of a vector, as the file keeps it, and its numbers raised by 8.
fn round(vector: &[f32]) -> (f32, Vec<u8>) {
    let most = vector.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    let numbers = |scale: f32| {
        vector
            .iter()
            .map(move |x| if scale > 0.0 { (x / scale).round().clamp(-TOP, TOP) } else { 0.0 })
    };
    let mut best = (f32::INFINITY, 0.0_f32);
    for part in 5..=10 {
        // Half of a float's bits are kept, so the scale is what they say.
        let scale = most * part as f32 / 10.0 / TOP;
        let scale = f32::from_bits(scale.to_bits() & 0xffff_0000);
        let error = numbers(scale).zip(vector).map(|(n, x)| (n * scale - x).powi(2)).sum();
        if error < best.0 {
            best = (error, scale);
        }
    }
    (best.1, numbers(best.1).map(|n| (n + 8.0) as u8).collect())
}
