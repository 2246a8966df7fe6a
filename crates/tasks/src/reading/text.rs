//! A text as tokens and sentences, and the lists of numbers in it.

use std::cell::RefCell;

use graph::NodeName;

use super::language::{self, Language, Parted};
use super::normal::{marked, normal};
use super::rules::ReadingRule;

use super::tokens::{Kind, Token, tokens};

/// How a sentence ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Period,
    Question,
    Line,
    End,
}

/// A sentence or line, without list numbering such as `1.` or `step 1:`.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    /// Its tokens.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) stop: Stop,
    /// Its words and numbers, one blank before and after each, marks left out.
    pub(crate) plain: String,
    /// The beginnings of its words, one bit for each; see [`beginning`].
    begun: u64,
}

impl Sentence {
    /// Whether the words stand somewhere in it, in this order and together.
    pub(crate) fn has(&self, words: &str) -> bool {
        self.may_have(words) && contains(&self.plain, words)
    }

    /// False if no word of it begins as these words do; then it need not be searched for them.
    pub(crate) fn may_have(&self, words: &str) -> bool {
        match *words.as_bytes() {
            [first, second, ..] => self.begun & beginning(first, second) != 0,
            [first] => self.begun & beginning(first, b' ') != 0,
            [] => false,
        }
    }

    pub(crate) fn has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|w| self.has(w))
    }

    /// The first of some phrases that it has.
    pub(crate) fn find(&self, words: &[&'static str]) -> Option<&'static str> {
        words.iter().copied().find(|w| self.has(w))
    }

    pub(crate) fn begins(&self, words: &str) -> bool {
        self.plain.strip_prefix(' ').is_some_and(|p| {
            p.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    }

    pub(crate) fn is_question(&self) -> bool {
        self.stop == Stop::Question
    }
}

/// The bit for words that begin with these two bytes. Other words may share it: a sentence of ten
/// words is spared most searches all the same.
fn beginning(first: u8, second: u8) -> u64 {
    1 << (u32::from(first).wrapping_mul(31).wrapping_add(u32::from(second)) & 63)
}

/// Whether `words` stand in `plain` as whole words; every word of `plain` has a blank before it.
///
/// Written out, because a sentence is searched for a hundred phrases and the general search of the
/// standard library spends more time on getting ready than on looking.
pub(crate) fn contains(plain: &str, words: &str) -> bool {
    let (plain, words) = (plain.as_bytes(), words.as_bytes());
    let Some(first) = words.first() else { return false };
    let mut at = 0;
    while at + words.len() < plain.len() {
        let start = at + 1;
        if plain[at] == b' '
            && plain[start] == *first
            && plain[start..].starts_with(words)
            && plain.get(start + words.len()).is_none_or(|b| *b == b' ')
        {
            return true;
        }
        at += 1;
    }
    false
}

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
}

impl Run {
    pub(crate) fn names(&self) -> Vec<NodeName> {
        self.numbers.iter().map(|n| NodeName::Int(*n)).collect()
    }
}

/// A text, read.
pub(crate) struct Reading {
    /// What stands behind each `###` on its line, the last first; GraphWiz marks answers so.
    pub(crate) marked: Vec<String>,
    pub(crate) text: String,
    /// The same with the parts in other languages, for who looks for names.
    pub(crate) whole: String,
    /// The text as it was given: what is read has one case and no markup.
    given: String,
    pub(crate) tokens: Vec<Token>,
    pub(crate) sentences: Vec<Sentence>,
    /// The text is thoughts that break off.
    pub(crate) only_thinks: bool,
    /// What the sentences look like that are not English; they are left aside.
    pub(crate) language: Option<Language>,
    /// Numbers and arrows of those sentences.
    elsewhere: String,
    /// There are no words, only numbers and arrows: none but a whole answer counts.
    pub(crate) lists_alone: bool,
    fired: RefCell<Vec<ReadingRule>>,
}

/// How many answers behind `###` are looked at.
const MAX_MARKED: usize = 16;

/// How many tokens before a list may announce it.
const MAX_LEAD: usize = 60;

/// Numbers as words, from zero.
const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

const LINKS: [&str; 24] = [
    "and", "then", "to", "node", "nodes", "city", "cities", "vertex", "vertices", "finally",
    "lastly", "next", "visit", "visiting", "go", "followed", "by", "goes", "move", "n", "v",
    "ndoe", "after", "that",
];

impl Reading {
    pub(crate) fn new(text: &str) -> Self {
        let marked = marked(text, MAX_MARKED);
        let given = text.to_owned();
        let (text, only_thinks) = normal(text);
        let whole = text.clone();
        let Parted { read, elsewhere, language } = language::part(text);
        Self { marked, whole, given, only_thinks, language, elsewhere, ..Self::plainly(read) }
    }

    /// A reading of a text that is in plain spelling.
    fn plainly(text: String) -> Self {
        let tokens = tokens(&text);
        let mut reading = Self {
            marked: Vec::new(),
            text,
            whole: String::new(),
            given: String::new(),
            tokens,
            sentences: Vec::new(),
            only_thinks: false,
            language: None,
            elsewhere: String::new(),
            lists_alone: false,
            fired: RefCell::default(),
        };
        reading.sentences = reading.split();
        reading
    }

    /// The lists in what is in another language, without its words.
    pub(crate) fn elsewhere(&self) -> Option<Self> {
        let lists = Self::plainly(self.elsewhere.clone());
        self.language.map(|_| Self { language: self.language, lists_alone: true, ..lists })
    }

    /// Words that were read, in the case in which the text has them where it has them last.
    ///
    /// None where they stand in it in another spelling. As long as the text for each letter of the words.
    pub(crate) fn as_written(&self, words: &str) -> Option<&str> {
        let n = words.len();
        let is_it = |part: &[u8]| part.eq_ignore_ascii_case(words.as_bytes());
        let at = self.given.as_bytes().windows(n.max(1)).rposition(is_it)?;
        self.given.get(at..at + n)
    }

    /// The rules that decided, in the order in which they did.
    pub(crate) fn fired(&self) -> Vec<ReadingRule> {
        self.fired.borrow().clone()
    }

    /// Notes which rule decided a part of the answer.
    pub(crate) fn fire(&self, fired: ReadingRule) {
        self.fired.borrow_mut().push(fired);
    }

    pub(crate) fn word(&self, token: usize) -> &str {
        match self.tokens.get(token) {
            Some(t) => &self.text[t.start as usize..t.end as usize],
            None => "",
        }
    }

    pub(crate) fn kind(&self, token: usize) -> Option<Kind> {
        self.tokens.get(token).map(|t| t.kind)
    }

    pub(crate) fn is_mark(&self, token: usize, mark: u8) -> bool {
        self.kind(token) == Some(Kind::Mark(mark))
    }

    pub(crate) fn is_number(&self, token: usize) -> bool {
        self.kind(token) == Some(Kind::Number)
    }

    pub(crate) fn number(&self, token: usize) -> Option<f64> {
        // A run of a thousand digits is no number that anybody means, and infinity is none in JSON.
        let number = if self.is_number(token) { self.word(token).parse().ok() } else { None };
        number.filter(|n: &f64| n.is_finite())
    }

    pub(crate) fn integer(&self, token: usize) -> Option<i64> {
        if self.is_number(token) { self.word(token).parse().ok() } else { None }
    }

    /// A number of things, in digits or as a word up to twelve.
    pub(crate) fn count(&self, token: usize) -> Option<u64> {
        let number = self.integer(token).and_then(|n| u64::try_from(n).ok());
        let word = || NUMBERS.iter().position(|word| *word == self.word(token));
        number.or_else(|| word().map(|n| n as u64))
    }

    /// Whether the text stops in the middle of a sentence.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.sentences.last().is_some_and(|s| s.stop == Stop::End && s.end - s.start > 3)
    }

    fn split(&self) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        let mut start = 0;
        for i in 0..=self.tokens.len() {
            let stop = match self.kind(i) {
                None => Stop::End,
                Some(Kind::Newline) => Stop::Line,
                Some(Kind::Mark(b'?')) => Stop::Question,
                Some(Kind::Mark(b'.' | b'!')) => Stop::Period,
                _ => continue,
            };
            let from = self.past_numbering(start, i);
            if from < i {
                sentences.push(self.sentence(from, i, stop));
            } else if matches!(stop, Stop::Question | Stop::Period)
                && let Some(last) = sentences.last_mut()
                && last.stop == Stop::Line
                && last.end + 1 == i
            {
                last.stop = stop;
            }
            start = i + 1;
        }
        sentences
    }

    /// Past a numbering such as `step 1:`; `tokens` has dropped those that are a number alone.
    fn past_numbering(&self, start: usize, end: usize) -> usize {
        let mut at = start;
        while at < end && matches!(self.kind(at), Some(Kind::Mark(b'-' | b'+' | b'>' | b'"'))) {
            at += 1;
        }
        if self.word(at) == "step" && self.is_number(at + 1) && at + 2 <= end {
            at += 2;
            if at < end && matches!(self.kind(at), Some(Kind::Mark(b':' | b'-' | b')' | b','))) {
                at += 1;
            }
            return at;
        }
        at
    }

    fn sentence(&self, start: usize, end: usize, stop: Stop) -> Sentence {
        let plain = self.plain(start, end);
        let begun = plain
            .as_bytes()
            .windows(3)
            .filter(|w| w[0] == b' ')
            .fold(0, |begun, w| begun | beginning(w[1], w[2]));
        Sentence { start, end, stop, plain, begun }
    }

    /// Words and numbers of some tokens, a blank before and after each.
    pub(crate) fn plain(&self, start: usize, end: usize) -> String {
        // About the length of the text it comes from; growing letter by letter takes many steps.
        let length = match (self.tokens.get(start), self.tokens.get(end.wrapping_sub(1))) {
            (Some(first), Some(last)) => last.end.saturating_sub(first.start) as usize,
            _ => 0,
        };
        let mut plain = String::with_capacity(length + 2);
        plain.push(' ');
        for i in start..end.min(self.tokens.len()) {
            if matches!(self.kind(i), Some(Kind::Word | Kind::Number)) {
                plain.push_str(self.word(i));
                plain.push(' ');
            }
        }
        plain
    }

    /// The sentence that begins with "yes" or "no" said on its own: the word is the whole sentence,
    /// or a mark follows it.
    pub(crate) fn leading(&self, sentence: &Sentence) -> Option<bool> {
        let mut at = sentence.start;
        // `A: yes`, `answer: yes`, `"answer": "yes"`, `final answer - no`, `so yes, …`.
        while at < sentence.end
            && (matches!(self.kind(at), Some(Kind::Mark(_)))
                || matches!(
                    self.word(at),
                    "a" | "answer"
                        | "final"
                        | "the"
                        | "is"
                        | "so"
                        | "therefore"
                        | "thus"
                        | "hence"
                        | "result"
                        | "conclusion"
                        | "verdict"
                        | "ans"
                        | "well"
                ))
        {
            at += 1;
        }
        // `Yes/No: no`: a form that was filled in.
        let choice = matches!(self.word(at), "yes" | "no" | "true" | "false")
            && matches!(self.word(at + 1), "/" | "or")
            && matches!(self.word(at + 2), "yes" | "no" | "true" | "false");
        if choice {
            at += 3;
            while at < sentence.end && matches!(self.kind(at), Some(Kind::Mark(_))) {
                at += 1;
            }
        }
        let yes = match self.word(at) {
            "yes" | "yeah" | "yep" | "true" => true,
            "no" | "nope" | "false" => false,
            _ => return None,
        };
        let alone = at + 1 >= sentence.end || matches!(self.kind(at + 1), Some(Kind::Mark(_)));
        let stated = alone
            || matches!(
                self.word(at + 1),
                "there"
                    | "it"
                    | "this"
                    | "the"
                    | "because"
                    | "since"
                    | "we"
                    | "node"
                    | "not"
                    | "all"
                    | "they"
                    | "you"
            );
        // "no the" and "no it" are odd, but "no there is" is common; "no node" is a quantity.
        let quantity = !alone && !yes && matches!(self.word(at + 1), "node" | "not" | "all");
        (stated && !quantity).then_some(yes)
    }

    /// The lists of numbers, in order.
    pub(crate) fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
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
                };
                while let Some((next, drawn, loose)) = self.link(run.end + 1, sentence.end) {
                    let Some(number) = self.integer(next) else { break };
                    run.numbers.push(number);
                    run.drawn |= drawn;
                    run.loose &= loose;
                    run.end = next;
                }
                run.bracketed &= self.is_mark(run.end + 1, b')');
                at = run.end + 1;
                runs.push(run);
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

    /// The value of a sum that begins at a token: `3 + 1 + 4 = 8` is 8, `3 + 1` is 4, `7 units` is
    /// 7; and the token after it.
    pub(crate) fn value(&self, mut at: usize) -> Option<(f64, usize)> {
        let mut sum = self.number(at)?;
        at += 1;
        loop {
            let sign = self.kind(at);
            // `9 units + 6 units` is a sum, too.
            let over = usize::from(matches!(self.word(at), "units" | "unit"));
            if over == 1 && matches!(self.kind(at + 1), Some(Kind::Mark(b'+' | b'='))) {
                at += 1;
                continue;
            }
            match (sign, self.number(at + 1)) {
                (Some(Kind::Mark(b'+')), Some(next)) => sum += next,
                (Some(Kind::Mark(b'=')), Some(next)) => sum = next,
                _ => return Some((sum, at)),
            }
            at += 2;
        }
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

    #[test]
    fn sums_have_values() {
        let reading = Reading::new("3 + 1 + 4 = 8");
        assert_eq!(reading.value(0).unwrap().0, 8.0);
        assert_eq!(Reading::new("3 + 1").value(0).unwrap().0, 4.0);
        assert_eq!(Reading::new("7 units").value(0).unwrap().0, 7.0);
    }

    #[test]
    fn words_are_found_whole() {
        assert!(contains(" there is no path ", "no path"));
        assert!(!contains(" there is no pathway ", "no path"));
    }
}
