//! ROUGE: how much of a reference comes again in a prediction.
//!
//! Tokens and scores are those of the Python package `rouge-score` without stemming.

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rouge {
    /// Of the prediction, so much is in the reference.
    pub precision: f64,
    /// Of the reference, so much is in the prediction.
    pub recall: f64,
    /// The harmonic mean of both; 0 where both are.
    pub f1: f64,
}

impl Rouge {
    fn new(shared: usize, n_prediction: usize, n_reference: usize) -> Self {
        if n_prediction == 0 || n_reference == 0 {
            return Self::default();
        }
        let precision = shared as f64 / n_prediction as f64;
        let recall = shared as f64 / n_reference as f64;
        let sum = precision + recall;
        let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
        Self { precision, recall, f1 }
    }
}

/// Lower case, cut at everything that is no ASCII letter or digit.
fn tokens(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|t| !t.is_empty())
        .map(str::to_owned)
        .collect()
}

/// ROUGE-L: the longest common subsequence of tokens. O(n·m) time, O(m) memory.
///
/// ```
/// assert_eq!(text::rouge_l("the cat sat", "the cat").recall, 2.0 / 3.0);
/// ```
pub fn rouge_l(reference: &str, prediction: &str) -> Rouge {
    let (reference, prediction) = (tokens(reference), tokens(prediction));
    let mut row = vec![0usize; prediction.len() + 1];
    for token in &reference {
        let mut diagonal = 0;
        for (j, other) in prediction.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if token == other { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    Rouge::new(row[prediction.len()], prediction.len(), reference.len())
}

/// ROUGE-N: runs of `n` tokens in common, each as often as both have it.
pub fn rouge_n(n: usize, reference: &str, prediction: &str) -> Rouge {
    let (reference, prediction) = (tokens(reference), tokens(prediction));
    let n = n.max(1);
    let mut left: std::collections::BTreeMap<&[String], usize> = std::collections::BTreeMap::new();
    for gram in reference.windows(n) {
        *left.entry(gram).or_default() += 1;
    }
    let mut shared = 0;
    for gram in prediction.windows(n) {
        if let Some(count) = left.get_mut(gram).filter(|c| **c > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    let count = |tokens: &[String]| (tokens.len() + 1).saturating_sub(n);
    Rouge::new(shared, count(&prediction), count(&reference))
}

/// Which tokens of the reference are in its longest common subsequence with the prediction. Where
/// there are several such, the one of the Python package, whose way back prefers to leave out
/// tokens of the reference.
fn marked(reference: &[String], prediction: &[String]) -> Vec<bool> {
    let width = prediction.len() + 1;
    let mut table = vec![0u32; (reference.len() + 1) * width];
    for (i, token) in reference.iter().enumerate() {
        for (j, other) in prediction.iter().enumerate() {
            table[(i + 1) * width + j + 1] = if token == other {
                table[i * width + j] + 1
            } else {
                table[i * width + j + 1].max(table[(i + 1) * width + j])
            };
        }
    }
    let mut is_in = vec![false; reference.len()];
    let (mut i, mut j) = (reference.len(), prediction.len());
    while i > 0 && j > 0 {
        if reference[i - 1] == prediction[j - 1] {
            is_in[i - 1] = true;
            (i, j) = (i - 1, j - 1);
        } else if table[i * width + j - 1] > table[(i - 1) * width + j] {
            j -= 1;
        } else {
            i -= 1;
        }
    }
    is_in
}

/// ROUGE-LSum: line by line of the reference, the tokens that are in a longest common subsequence
/// with any line of the prediction. On texts of one line it is ROUGE-L. O(n·m) time.
pub fn rouge_lsum(reference: &str, prediction: &str) -> Rouge {
    let lines = |text: &str| -> Vec<Vec<String>> {
        text.split('\n').filter(|l| !l.is_empty()).map(tokens).collect()
    };
    let (reference, prediction) = (lines(reference), lines(prediction));
    let counted = |lines: &[Vec<String>]| {
        let mut counts: std::collections::BTreeMap<String, usize> =
            std::collections::BTreeMap::new();
        for token in lines.iter().flatten() {
            *counts.entry(token.clone()).or_default() += 1;
        }
        counts
    };
    let (mut left, mut right) = (counted(&reference), counted(&prediction));
    let mut shared = 0;
    for line in &reference {
        let mut is_in = vec![false; line.len()];
        for other in &prediction {
            for (all, one) in is_in.iter_mut().zip(marked(line, other)) {
                *all |= one;
            }
        }
        for (token, _) in line.iter().zip(is_in).filter(|(_, is_in)| *is_in) {
            // A token counts no more often than either text has it.
            if let (Some(a), Some(b)) = (left.get_mut(token), right.get_mut(token))
                && *a > 0
                && *b > 0
            {
                (*a, *b) = (*a - 1, *b - 1);
                shared += 1;
            }
        }
    }
    let count = |lines: &[Vec<String>]| lines.iter().map(Vec::len).sum();
    Rouge::new(shared, count(&prediction), count(&reference))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The longest common subsequence by trying every subset.
    fn slow(a: &[String], b: &[String]) -> usize {
        (0..1usize << a.len())
            .filter_map(|mask| {
                let list: Vec<&String> = a
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| mask >> i & 1 == 1)
                    .map(|(_, t)| t)
                    .collect();
                let mut rest = b.iter();
                list.iter().all(|t| rest.any(|o| o == *t)).then_some(list.len())
            })
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn values_of_the_python_package() {
        // rouge_score.rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"]), 0.1.2.
        let (reference, prediction) = ("The quick brown fox, jumps!", "A quick fox jumps over");
        assert!((rouge_l(reference, prediction).f1 - 0.6).abs() < 1e-12);
        assert!((rouge_n(1, reference, prediction).f1 - 0.6).abs() < 1e-12);
        assert!((rouge_n(2, reference, prediction).f1 - 0.25).abs() < 1e-12);
        let (three, two) = ("a b c\nd e a\nf", "b a c\nf e d a a");
        assert!(
            (rouge_lsum(three, two).f1 - 2.0 / 3.0).abs() < 1e-12,
            "{:?}",
            rouge_lsum(three, two)
        );
        assert_eq!(rouge_l("", "a").f1, 0.0);
        assert_eq!(rouge_l("ä", "ä").f1, 0.0, "no ASCII, no token");
    }

    proptest! {
        #[test]
        fn the_table_agrees_with_all_subsets(a in "([abc] ){0,8}", b in "([abc] ){0,8}") {
            let (x, y) = (tokens(&a), tokens(&b));
            let expected = Rouge::new(slow(&x, &y), y.len(), x.len());
            prop_assert_eq!(rouge_l(&a, &b), expected);
            prop_assert_eq!(rouge_lsum(&a, &b), expected);
        }
    }
}
