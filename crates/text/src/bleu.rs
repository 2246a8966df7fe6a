//! BLEU over a corpus: how many runs of a prediction's tokens are in its reference.
//!
//! Four-grams, one reference, no smoothing, tokens as in mteval-v13a with case kept: the numbers of
//! the Python package `sacrebleu` with those settings.

use std::collections::BTreeMap;

/// The longest run of tokens.
const MAX_N: usize = 4;

/// What is counted of pairs, to be added up over a corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BleuCounts {
    /// Runs of 1 to 4 tokens of the predictions that are in their references.
    pub shared: [u64; MAX_N],
    /// Runs of 1 to 4 tokens of the predictions.
    pub runs: [u64; MAX_N],
    /// Tokens of the predictions.
    pub n_prediction: u64,
    /// Tokens of the references.
    pub n_reference: u64,
}

/// The scores of a corpus, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bleu {
    /// BLEU: the geometric mean of the precisions, times the brevity penalty.
    pub score: f64,
    /// How many of the runs of 1 to 4 tokens are in the references.
    pub precisions: [f64; MAX_N],
    /// The penalty for predictions shorter than their references; 1 where they are not.
    pub brevity: f64,
}

impl BleuCounts {
    /// The counts of a pair.
    ///
    /// # Complexity
    /// O(n log n) for n tokens.
    pub fn of(reference: &str, prediction: &str) -> Self {
        let (reference, prediction) = (bleu_tokens(reference), bleu_tokens(prediction));
        let mut counts = Self {
            n_prediction: prediction.len() as u64,
            n_reference: reference.len() as u64,
            ..Self::default()
        };
        for n in 1..=MAX_N {
            let mut left: BTreeMap<&[String], u64> = BTreeMap::new();
            for run in reference.windows(n) {
                *left.entry(run).or_default() += 1;
            }
            for run in prediction.windows(n) {
                counts.runs[n - 1] += 1;
                if let Some(count) = left.get_mut(run).filter(|c| **c > 0) {
                    *count -= 1;
                    counts.shared[n - 1] += 1;
                }
            }
        }
        counts
    }

    /// Adds another pair's counts.
    pub fn add(&mut self, other: &Self) {
        for n in 0..MAX_N {
            self.shared[n] += other.shared[n];
            self.runs[n] += other.runs[n];
        }
        self.n_prediction += other.n_prediction;
        self.n_reference += other.n_reference;
    }

    /// The scores of all pairs that were added.
    ///
    /// ```
    /// let counts = text::BleuCounts::of("the cat sat on the mat", "the cat sat on the mat");
    /// assert_eq!(counts.scores().score, 1.0);
    /// ```
    pub fn scores(&self) -> Bleu {
        let mut precisions = [0.0; MAX_N];
        for (n, precision) in precisions.iter_mut().enumerate() {
            if self.runs[n] > 0 {
                *precision = self.shared[n] as f64 / self.runs[n] as f64;
            }
        }
        let (ours, theirs) = (self.n_prediction as f64, self.n_reference as f64);
        let brevity = if ours >= theirs {
            1.0
        } else if ours > 0.0 {
            (1.0 - theirs / ours).exp()
        } else {
            0.0
        };
        let score = if precisions.iter().all(|p| *p > 0.0) {
            let mean = precisions.iter().map(|p| p.ln()).sum::<f64>() / MAX_N as f64;
            brevity * mean.exp()
        } else {
            0.0
        };
        Bleu { score, precisions, brevity }
    }
}

/// The tokens of mteval-v13a: signs stand alone, except points and commas between digits, hyphens
/// that do not follow a digit, and apostrophes.
///
/// # Complexity
/// O(length of the text).
pub fn bleu_tokens(text: &str) -> Vec<String> {
    let text = text
        .trim_end_matches(is_space)
        .replace("<skipped>", "")
        .replace("-\n", "")
        .replace('\n', " ")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    let mut spaced = String::with_capacity(text.len() + 2);
    spaced.push(' ');
    for c in text.chars() {
        if is_sign(c) {
            spaced.extend([' ', c, ' ']);
        } else {
            spaced.push(c);
        }
    }
    spaced.push(' ');
    let is_mark = |c: char| matches!(c, '.' | ',');
    let is_digit = |c: char| c.is_ascii_digit();
    let spaced = in_pairs(&spaced, |a, b| !is_digit(a) && is_mark(b), |a, b| [a, ' ', b, ' ']);
    let spaced = in_pairs(&spaced, |a, b| is_mark(a) && !is_digit(b), |a, b| [' ', a, ' ', b]);
    let spaced = in_pairs(&spaced, |a, b| is_digit(a) && b == '-', |a, b| [a, ' ', b, ' ']);
    spaced.split(is_space).filter(|t| !t.is_empty()).map(str::to_owned).collect()
}

/// What Python takes for a space.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn is_sign(c: char) -> bool {
    matches!(c, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/')
}

/// Rewrites pairs of neighbours from left to right; a character is in one pair at most.
fn in_pairs(
    text: &str,
    is_meant: impl Fn(char, char) -> bool,
    rewritten: impl Fn(char, char) -> [char; 4],
) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(a) = chars.next() {
        match chars.peek() {
            Some(&b) if is_meant(a, b) => {
                out.extend(rewritten(a, b));
                chars.next();
            }
            _ => out.push(a),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_are_those_of_mteval() {
        // What sacrebleu 2.6.0 gives for its tokenizer 13a.
        for (text, tokens) in [
            ("It's 1,234.5 or 2-3, well-known.", "It's 1,234.5 or 2 - 3 , well-known ."),
            ("a,,b ...x. 3.", "a , , b . . . x . 3 ."),
            (
                "[GR(GL(\"cora\"), paper#7)-->r].",
                "[ GR ( GL ( \" cora \" ) , paper # 7 ) -- > r ] .",
            ),
            ("&lt;a&gt; &amp;quot; x-\ny \u{1c}z\u{a0}w", "< a > & quot ; xy z w"),
        ] {
            assert_eq!(bleu_tokens(text).join(" "), tokens, "{text}");
        }
    }

    #[test]
    fn values_of_the_python_package() {
        // sacrebleu 2.6.0: corpus_bleu(…, smooth_method="none", tokenize="13a").
        let pairs = [
            ("The cat sat on the mat, didn't it?", "The cat sat on a mat, did it?"),
            ("There are 12 nodes in the graph.", "There are 12 nodes in the graph."),
        ];
        let mut counts = BleuCounts::default();
        for (reference, prediction) in pairs {
            counts.add(&BleuCounts::of(reference, prediction));
        }
        let scores = counts.scores();
        assert!((scores.score - SCORE).abs() < 1e-12, "{scores:?}");
        let short = BleuCounts::of("one two three four five six", "one two three four").scores();
        assert!((short.score - (1.0f64 - 1.5).exp()).abs() < 1e-12);
        assert_eq!((short.brevity, short.precisions), ((1.0f64 - 1.5).exp(), [1.0; 4]));
        assert_eq!(BleuCounts::of("a b", "").scores().score, 0.0);
        assert_eq!(BleuCounts::of("a b c", "a b c").scores().score, 0.0, "no four tokens");
    }

    const SCORE: f64 = 0.660_632_863_602_761_2;

    proptest! {
        #[test]
        fn shared_runs_are_those_that_can_be_paired_off(a in "([ab] ){0,8}", b in "([ab] ){0,8}") {
            let counts = BleuCounts::of(&a, &b);
            let (x, y) = (bleu_tokens(&a), bleu_tokens(&b));
            for n in 1..=4 {
                // The oracle crosses out one by one.
                let mut left: Vec<&[String]> = x.windows(n).collect();
                let mut shared = 0;
                for run in y.windows(n) {
                    if let Some(i) = left.iter().position(|other| *other == run) {
                        left.remove(i);
                        shared += 1;
                    }
                }
                prop_assert_eq!(counts.shared[n - 1], shared);
            }
        }

        #[test]
        fn no_text_is_too_odd(text in "\\PC{0,40}") {
            let tokens = bleu_tokens(&text);
            prop_assert!(tokens.iter().all(|t| !t.is_empty() && !t.contains(is_space)));
        }
    }
}
