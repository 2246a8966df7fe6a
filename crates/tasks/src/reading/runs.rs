//! The lists of numbers in a text: paths, orders, edges.

use graph::NodeName;

use super::lexicon::Phrases;
use super::text::{Reading, Stop};
use super::tokens::Kind;

/// Numbers in a row with nothing between them but commas, arrows, "and", "then", "node".
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) numbers: Vec<i64>,
    /// The first and last of its tokens.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Its sentence.
    pub(crate) sentence: usize,
    /// Arrows or dashes stand between.
    pub(crate) drawn: bool,
    /// Nothing but `to` or `and` stands between.
    pub(crate) loose: bool,
    /// It stands in round brackets.
    pub(crate) bracketed: bool,
    /// Its numbers come in twos: `0-1, 1-2, 2-0` is a list of edges.
    pub(crate) paired: bool,
}

impl Run {
    /// Its numbers in twos, if that is how they stand.
    pub(crate) fn edges(&self) -> Option<Vec<(i64, i64)>> {
        let twos = self.numbers.chunks_exact(2).map(|two| (two[0], two[1]));
        self.paired.then(|| twos.collect())
    }

    pub(crate) fn names(&self) -> Vec<NodeName> {
        self.numbers.iter().map(|n| NodeName::Int(*n)).collect()
    }
}

/// How many tokens before a list may announce it.
const MAX_LEAD: usize = 60;

static LINKS: Phrases = Phrases::of(
    "and, then, to, node, nodes, city, cities, finally, lastly, next, visit, \
     visiting, go, followed, by, goes, move, n, v, after, that, do",
);

impl Reading {
    /// The lists of numbers, in order.
    pub(crate) fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut is_listed = false;
        for (index, sentence) in self.sentences.iter().enumerate() {
            let mut at = sentence.start;
            while at < sentence.end {
                let Some(first) = self.integer(at) else {
                    at += 1;
                    continue;
                };
                let mut run = Run {
                    numbers: vec![first],
                    start: at,
                    end: at,
                    sentence: index,
                    drawn: false,
                    loose: true,
                    bracketed: at > 0 && self.is_mark(at - 1, b'('),
                    paired: true,
                };
                let mut is_back = false;
                while let Some((next, drawn, loose)) = self.link(run.end + 1, sentence.end) {
                    let Some(number) = self.integer(next) else { break };
                    // A line within each two and none between them.
                    run.paired &= drawn == (run.numbers.len() % 2 == 1);
                    is_back |= drawn
                        && (run.end + 1..next).any(|at| {
                            self.kind(at) == Some(Kind::Arrow)
                                && self.word(at).starts_with('<')
                                && !self.word(at).ends_with('>')
                        });
                    run.numbers.push(number);
                    run.drawn |= drawn;
                    run.loose &= loose;
                    run.end = next;
                }
                run.bracketed &= self.is_mark(run.end + 1, b')');
                run.paired &= run.numbers.len() >= 4 && run.numbers.len().is_multiple_of(2);
                if is_back {
                    run.numbers.reverse();
                }
                at = run.end + 1;
                // "not 0 -> 1 -> 2, but …" gives no list.
                let open =
                    run.start - usize::from(run.start > 0 && self.is_mark(run.start - 1, b'['));
                let is_denied = run.numbers.len() > 2 && open > 0 && self.word(open - 1) == "not";
                let is_repeated = sentence.is_check && is_listed;
                if !is_denied && !is_repeated {
                    is_listed |= !sentence.is_check && run.numbers.len() > 1;
                    runs.push(run);
                }
            }
        }
        runs
    }

    /// From just after a number over what may stand between two numbers of a list: the next
    /// number, whether an arrow or dash was met, whether only "to" or "and" was.
    fn link(&self, mut at: usize, end: usize) -> Option<(usize, bool, bool)> {
        // Blanks alone may stand between, too: `4 2 3 1 0`.
        let (mut drawn, mut loose) = (false, !self.is_number(at));
        while at < end {
            match self.kind(at)? {
                Kind::Number => return Some((at, drawn, loose)),
                Kind::Arrow | Kind::Mark(b'-' | b'>') => {
                    drawn = true;
                    loose = false;
                }
                // `0 < 2 < 1` is an order, and `3 < 5` is none.
                Kind::Mark(b'<')
                    if self.is_mark(at + 2, b'<') || self.is_mark(at.wrapping_sub(2), b'<') =>
                {
                    drawn = true;
                    loose = false;
                }
                Kind::Mark(b',' | b';') => loose = false,
                Kind::Mark(b'"' | b'\'') => {}
                Kind::Word if LINKS.contains(&self.word(at)) => {
                    loose &= !matches!(self.word(at), "then" | "finally" | "followed" | "next");
                }
                _ => return None,
            }
            at += 1;
        }
        None
    }

    /// What leads up to a token: the words before it in its sentence, and, where it comes early in
    /// that, the sentence before (`the solution is:` on a line of its own).
    pub(crate) fn lead(&self, sentence: usize, token: usize) -> String {
        let own = &self.sentences[sentence];
        let mut lead = String::new();
        if token <= own.start + 4 && sentence > 0 && self.sentences[sentence - 1].stop == Stop::Line
        {
            lead.push_str(&self.sentences[sentence - 1].plain);
        }
        // Not all of a sentence of ten thousand words: once for each list in it that would be much.
        lead.push_str(&self.plain(own.start.max(token.saturating_sub(MAX_LEAD)), token));
        lead
    }

    /// `(a,b)` pairs of a range of tokens, in order.
    pub(crate) fn pairs(&self, start: usize, end: usize) -> Vec<(i64, i64)> {
        let mut pairs = Vec::new();
        for at in start..end.min(self.tokens.len()) {
            if self.is_mark(at, b'(')
                && let Some(a) = self.integer(at + 1)
                && self.is_mark(at + 2, b',')
                && let Some(b) = self.integer(at + 3)
                && self.is_mark(at + 4, b')')
            {
                pairs.push((a, b));
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(text: &str) -> Vec<Vec<i64>> {
        Reading::new(text).runs().into_iter().map(|r| r.numbers).collect()
    }

    #[test]
    fn lists_are_found_however_they_are_written() {
        assert_eq!(runs("0, 1, and 2."), [[0, 1, 2]]);
        assert_eq!(runs("0→1 → 2"), [[0, 1, 2]]);
        assert_eq!(runs("node 0, then node 1, and finally node 2"), [[0, 1, 2]]);
        assert_eq!(runs("[0, 1, 2] and more"), [[0, 1, 2]]);
        assert_eq!(runs("0-1-2"), [[0, 1, 2]]);
        assert_eq!(runs("1. visit node 4\n2. visit node 3"), [[4], [3]]);
    }
}
