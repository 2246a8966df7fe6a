//! Okapi BM25: ranks texts by how well they fit a question.

use std::collections::BTreeMap;

use crate::words;

/// How fast more of the same word stops to count.
const K1: f64 = 1.2;
/// How much long texts are held back.
const B: f64 = 0.75;

/// A text with how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Which text, counted from 0.
    pub index: usize,
    /// The score; 0 if the text and the question share no word.
    pub score: f64,
}

/// An index over texts.
///
/// Robertson and Zaragoza 2009, with the inverse document frequency that is never negative:
/// `ln(1 + (N - n + 0.5) / (n + 0.5))`.
#[derive(Clone, Debug, Default)]
pub struct Bm25 {
    /// For each word, the texts that have it with how often.
    postings: BTreeMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
    mean: f64,
}

impl Bm25 {
    /// An index over texts, in their order. O(total number of words · log).
    pub fn new<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        let mut index = Self::default();
        for (i, text) in texts.into_iter().enumerate() {
            let list = words(text.as_ref());
            index.lengths.push(list.len() as f64);
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            for word in list {
                *counts.entry(word).or_insert(0.0) += 1.0;
            }
            for (word, n) in counts {
                index.postings.entry(word).or_default().push((i, n));
            }
        }
        let n = index.lengths.len().max(1) as f64;
        index.mean = (index.lengths.iter().sum::<f64>() / n).max(1.0);
        index
    }

    /// All texts, the best first; among equals the earlier first. A word that the question has
    /// twice counts twice.
    pub fn rank(&self, question: &str) -> Vec<Ranked> {
        let n_texts = self.lengths.len() as f64;
        let mut scores = vec![0.0; self.lengths.len()];
        for word in words(question) {
            let Some(postings) = self.postings.get(&word) else { continue };
            let n = postings.len() as f64;
            let idf = ((n_texts - n + 0.5) / (n + 0.5)).ln_1p();
            for &(i, count) in postings {
                let damped = K1 * (1.0 - B + B * self.lengths[i] / self.mean);
                scores[i] += idf * count * (K1 + 1.0) / (count + damped);
            }
        }
        let mut ranked: Vec<Ranked> =
            scores.into_iter().enumerate().map(|(index, score)| Ranked { index, score }).collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
        ranked
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The formula over each text by itself, without an index.
    fn oracle(texts: &[String], question: &str) -> Vec<f64> {
        let lists: Vec<Vec<String>> = texts.iter().map(|t| words(t)).collect();
        let total: usize = lists.iter().map(Vec::len).sum();
        let mean = (total as f64 / texts.len().max(1) as f64).max(1.0);
        lists
            .iter()
            .map(|list| {
                words(question)
                    .iter()
                    .map(|word| {
                        let f = list.iter().filter(|w| *w == word).count() as f64;
                        let n = lists.iter().filter(|l| l.contains(word)).count() as f64;
                        let idf = (1.0 + (texts.len() as f64 - n + 0.5) / (n + 0.5)).ln();
                        let norm = 1.2 * (0.25 + 0.75 * list.len() as f64 / mean);
                        if f == 0.0 { 0.0 } else { idf * f * 2.2 / (f + norm) }
                    })
                    .sum()
            })
            .collect()
    }

    #[test]
    fn the_text_about_the_question_comes_first() {
        let index = Bm25::new(["adds edges", "finds the shortest path", "colours a graph"]);
        assert_eq!(index.rank("which path is the shortest?")[0].index, 1);
        assert!(index.rank("zebra").iter().all(|r| r.score == 0.0));
        assert!(Bm25::new(Vec::<String>::new()).rank("a path").is_empty());
    }

    proptest! {
        #[test]
        fn the_index_agrees_with_the_formula(
            texts in prop::collection::vec("([abc]{2,3} ){0,8}", 0..6),
            question in "([abc]{2,3} ){0,4}",
        ) {
            let expected = oracle(&texts, &question);
            let ranked = Bm25::new(&texts).rank(&question);
            prop_assert_eq!(ranked.len(), texts.len());
            for r in &ranked {
                prop_assert!((r.score - expected[r.index]).abs() < 1e-9);
            }
            prop_assert!(ranked.windows(2).all(|w| w[0].score >= w[1].score));
        }
    }
}
