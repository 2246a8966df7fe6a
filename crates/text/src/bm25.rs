//! Okapi BM25: ranks texts by how well they fit a question.

use std::collections::BTreeMap;

use crate::similarity::{Index, SimilarityMeasure};
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

    /// The score of each text, in their order. A word that the question has twice counts twice.
    fn scores_of(&self, question: &[String]) -> Vec<f64> {
        let mut scores = vec![0.0; self.lengths.len()];
        for word in question {
            let Some(postings) = self.postings.get(word) else { continue };
            let idf = self.idf(postings.len());
            for &(i, count) in postings {
                scores[i] += idf * self.saturated(count, self.lengths[i]);
            }
        }
        scores
    }

    /// How much a word says that so many texts have.
    fn idf(&self, n: usize) -> f64 {
        let (all, n) = (self.lengths.len() as f64, n as f64);
        ((all - n + 0.5) / (n + 0.5)).ln_1p()
    }

    /// How much a word counts that a text of that length has so often.
    fn saturated(&self, count: f64, length: f64) -> f64 {
        count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / self.mean))
    }

    /// What a text would score that is the question itself.
    fn score_of_itself(&self, question: &[String]) -> f64 {
        let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
        for word in question {
            *counts.entry(word).or_insert(0.0) += 1.0;
        }
        let length = question.len() as f64;
        let of = |(word, count): (&&str, &f64)| {
            let n = self.postings.get(*word).map_or(0, Vec::len);
            count * self.idf(n) * self.saturated(*count, length)
        };
        counts.iter().map(of).sum()
    }

    /// All texts, the best first; among equals the earlier first. A word that the question has
    /// twice counts twice.
    pub fn rank(&self, question: &str) -> Vec<Ranked> {
        let scores = self.scores_of(&words(question));
        let mut ranked: Vec<Ranked> =
            scores.into_iter().enumerate().map(|(index, score)| Ranked { index, score }).collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
        ranked
    }
}

/// Similarity by [`Bm25`]: the share that a text scores of what the query itself would score among
/// these texts, at most 1. Words that no text has count against all of them.
///
/// It is not mutual: a long text that has every word of a short query is much like it, the query is
/// little like the text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bm25Similarity;

impl SimilarityMeasure for Bm25Similarity {
    fn label(&self) -> String {
        "BM25 over words".into()
    }

    fn threshold(&self) -> f32 {
        0.55
    }

    /// O(total number of words · log).
    fn index(&self, texts: &[&str]) -> Box<dyn Index> {
        Box::new(Bm25::new(texts))
    }
}

impl Index for Bm25 {
    /// O(texts + postings of the query's words).
    fn scores(&self, query: &str) -> Vec<f32> {
        let query = words(query);
        let whole = self.score_of_itself(&query);
        let share = |score: f64| if whole > 0.0 { (score / whole).min(1.0) as f32 } else { 0.0 };
        self.scores_of(&query).into_iter().map(share).collect()
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

    #[test]
    fn a_share_of_the_words_is_a_share_of_the_score() {
        let index = Bm25Similarity.index(&["old mill bridge", "old mill", "harbour", ""]);
        let scores = index.scores("Old Mill");
        assert!((scores[1] - 1.0).abs() < 1e-6 && scores[0] < 1.0 && scores[0] > 0.5, "{scores:?}");
        assert_eq!(&scores[2..], [0.0, 0.0]);
        // A word that no text has: nothing is the same any more.
        assert!(index.scores("old mill zebra")[1] < 0.8);
        assert!(index.scores("").iter().all(|score| *score == 0.0));
    }

    proptest! {
        /// The query as a text among the others, by the formula alone.
        #[test]
        fn similarity_is_the_share_of_what_the_query_scores(
            texts in prop::collection::vec("([abc]{2,3} ){1,8}", 1..6),
            query in "([abc]{2,3} ){1,4}",
        ) {
            let lists: Vec<Vec<String>> = texts.iter().map(|t| words(t)).collect();
            let total: usize = lists.iter().map(Vec::len).sum();
            let mean = (total as f64 / texts.len() as f64).max(1.0);
            let asked = words(&query);
            let of = |list: &[String]| -> f64 {
                let each = asked.iter().map(|word| {
                    let n = lists.iter().filter(|l| l.contains(word)).count() as f64;
                    let f = list.iter().filter(|w| *w == word).count() as f64;
                    let idf = (1.0 + (texts.len() as f64 - n + 0.5) / (n + 0.5)).ln();
                    let norm = 1.2 * (0.25 + 0.75 * list.len() as f64 / mean);
                    if f == 0.0 { 0.0 } else { idf * f * 2.2 / (f + norm) }
                });
                each.sum()
            };
            let whole = of(&asked);
            let scores = Bm25Similarity.index(&texts.iter().map(String::as_str).collect::<Vec<_>>())
                .scores(&query);
            for (score, list) in scores.iter().zip(&lists) {
                let expected = if whole > 0.0 { (of(list) / whole).min(1.0) } else { 0.0 };
                prop_assert!((f64::from(*score) - expected).abs() < 1e-5);
            }
        }

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
