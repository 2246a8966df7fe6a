//! Character trigrams: texts are alike that have runs of three letters in common.

use std::collections::BTreeMap;

use crate::similarity::{Index, SimilarityMeasure};

/// Similarity by character trigrams: the cosine of their counts.
///
/// A text is taken in lower case, its words parted by one space, with a space on either side.
#[derive(Clone, Copy, Debug, Default)]
pub struct NGrams;

impl SimilarityMeasure for NGrams {
    fn label(&self) -> String {
        "character trigrams".into()
    }

    /// O(total length · log).
    fn index(&self, texts: &[&str]) -> Box<dyn Index> {
        let mut index = Grams { postings: BTreeMap::new(), lengths: Vec::new() };
        for (i, text) in texts.iter().enumerate() {
            let grams = grams(text);
            index.lengths.push(length(&grams));
            for (gram, n) in grams {
                index.postings.entry(gram).or_default().push((i as u32, n));
            }
        }
        Box::new(index)
    }
}

struct Grams {
    postings: BTreeMap<[char; 3], Vec<(u32, f32)>>,
    lengths: Vec<f32>,
}

impl Index for Grams {
    /// O(postings of the query's trigrams).
    fn scores(&self, query: &str) -> Vec<f32> {
        let mut scores = vec![0.0; self.lengths.len()];
        let grams = grams(query);
        let own = length(&grams);
        for (gram, n) in grams {
            for (i, m) in self.postings.get(&gram).map(Vec::as_slice).unwrap_or_default() {
                scores[*i as usize] += n * m;
            }
        }
        for (score, length) in scores.iter_mut().zip(&self.lengths) {
            *score = (*score / (own * length).max(f32::MIN_POSITIVE)).min(1.0);
        }
        scores
    }
}

fn grams(text: &str) -> BTreeMap<[char; 3], f32> {
    let mut letters = vec![' '];
    for c in text.chars() {
        let c = if c.is_alphanumeric() { c } else { ' ' };
        if c != ' ' || letters.last() != Some(&' ') {
            letters.extend(c.to_lowercase());
        }
    }
    if letters.last() != Some(&' ') {
        letters.push(' ');
    }
    let mut counts = BTreeMap::new();
    for gram in letters.windows(3) {
        *counts.entry([gram[0], gram[1], gram[2]]).or_insert(0.0) += 1.0;
    }
    counts
}

fn length(grams: &BTreeMap<[char; 3], f32>) -> f32 {
    grams.values().map(|n| n * n).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_forgiven() {
        let index = NGrams.index(&["prefer_doctor", "prefer_dinner", "mother"]);
        let scores = index.scores("prefers doktor");
        assert!(scores[0] > scores[1] && scores[1] > scores[2]);
        assert!(NGrams.index(&["", "a"]).scores("").iter().all(|s| *s == 0.0));
    }

    proptest! {
        #[test]
        fn a_text_is_like_itself_and_similarity_is_mutual(a in "[a-c ]{1,12}", b in "[a-c ]{1,12}") {
            let ab = NGrams.index(&[&a]).scores(&b)[0];
            let ba = NGrams.index(&[&b]).scores(&a)[0];
            prop_assert!((ab - ba).abs() < 1e-5);
            prop_assert!((0.0..=1.0).contains(&ab));
            if a.trim().len() > 1 {
                prop_assert!((NGrams.index(&[&a]).scores(&a)[0] - 1.0).abs() < 1e-5);
            }
        }
    }
}
