//! A table of words out of an encoder of sentences: the encoder's vector of each word alone, in
//! fewer dimensions, weighted by how rare the word is.

use text::table::{TableError, WordRow, write};

use crate::principal::Principal;

/// The weight of a word that comes with probability p is a / (a + p): words that come everywhere
/// say little.
const RARITY: f64 = 3e-3;

/// A word with the place that it has among all words by how often they come, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedWord {
    /// The word, in lower case.
    pub word: String,
    /// Its place; places may be missing, where words were left out.
    pub rank: usize,
}

/// Makes the file of a [`text::WordTable`].
///
/// `vectors` has the encoder's vector of each word, `n_all` is the number of words of which `rank`
/// tells the place. Words are taken to come as Zipf's law says: with probability 1 / (place · ln
/// `n_all`).
///
/// # Errors
/// If there are not as many vectors as words, or a word comes twice.
pub fn distil(
    words: &[RankedWord],
    vectors: &[Vec<f32>],
    n_all: usize,
    n_dims: usize,
) -> Result<Vec<u8>, TableError> {
    let found = Principal::of(vectors, n_dims);
    let zipf = (n_all.max(2) as f64).ln();
    let rows = words.iter().zip(vectors).map(|(word, vector)| {
        let p = 1.0 / ((word.rank + 1) as f64 * zipf);
        let weight = (RARITY / (RARITY + p)) as f32;
        let vector = found.project(vector).iter().map(|x| weight * x).collect();
        WordRow { word: word.word.clone(), vector }
    });
    write(rows.collect())
}

#[cfg(test)]
mod tests {
    use text::{Embed as _, WordTable};

    use super::*;

    #[test]
    fn what_the_encoder_holds_alike_stays_alike_and_frequent_words_count_less() {
        let word = |word: &str, rank| RankedWord { word: word.into(), rank };
        let words =
            [word("the", 0), word("doctor", 900), word("physician", 3000), word("bus", 950)];
        let vectors = [
            vec![0.1, 0.1, 0.9, 0.1],
            vec![0.9, 0.1, 0.0, 0.1],
            vec![0.8, 0.2, 0.0, 0.1],
            vec![0.0, 0.9, 0.1, 0.2],
        ];
        let table = WordTable::read(&distil(&words, &vectors, 5000, 4).unwrap()).unwrap();
        let like = |a: &str, b: &str| -> f32 {
            table.embed(a).iter().zip(table.embed(b)).map(|(x, y)| x * y).sum()
        };
        assert!(like("doctor", "physician") > 0.8, "{}", like("doctor", "physician"));
        assert!(like("doctor", "bus") < 0.2);
        assert!(like("the doctor", "doctor") > 0.97, "{}", like("the doctor", "doctor"));
        assert!(like("bus doctor", "doctor") < 0.9);
    }
}
