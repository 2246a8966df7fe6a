//! A text as tokens and sentences, and the lists of numbers in it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use super::language::{self, Language, Parted};
use super::lexicon::{Listed, Phrases, beginning, phrases};
use super::normal::{marked, normal, spell_all};
use super::origin::Draft;
use super::rules::ReadingRule;
use super::tokens::{Kind, Token, tokens};
use super::wrappings::{keep_programs, leave_thoughts};

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
    /// It stands in a check behind the answer.
    pub(crate) is_check: bool,
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
        self.begun & beginning(words) != 0
    }

    pub(crate) fn has_any<L: Listed + ?Sized>(&self, phrases: &L) -> bool {
        self.find(phrases).is_some()
    }

    /// The first of some phrases that it has.
    pub(crate) fn find<L: Listed + ?Sized>(&self, phrases: &L) -> Option<&'static str> {
        if self.begun & phrases.begun() == 0 {
            return None;
        }
        phrases.list().iter().copied().find(|words| self.has(words))
    }

    pub(crate) fn begins(&self, words: &str) -> bool {
        self.plain.strip_prefix(' ').is_some_and(|p| {
            p.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    }

    pub(crate) fn is_question(&self) -> bool {
        self.stop == Stop::Question
    }

    /// Whether it begins as what a text comes to does.
    pub(crate) fn concludes(&self) -> bool {
        CONCLUDES.iter().any(|words| self.begins(words))
    }
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

/// One word for a node, however it is called or misspelt, so that no reader knows but one.
fn one_word(word: &str) -> &str {
    match word {
        "vertex" | "ndoe" => "node",
        "vertices" | "ndoes" => "nodes",
        _ => word,
    }
}

/// A word as phrases know it: short forms written out, and one word for a thing that has several.
fn push_plain(word: &str, out: &mut String) {
    let known = match word {
        "loop" | "circle" => "cycle",
        "loops" | "circles" => "cycles",
        "route" => "path",
        "routes" => "paths",
        "it's" => "it is",
        "there's" => "there is",
        "that's" => "that is",
        "can't" => "cannot",
        "won't" => "will not",
        _ => match word.strip_suffix("n't") {
            Some(stem) if !stem.is_empty() => {
                out.push_str(stem);
                " not"
            }
            _ => word,
        },
    };
    out.push_str(known);
}

/// A text, read.
pub(crate) struct Reading {
    /// What stands behind each `###` on its line, the last first; GraphWiz marks answers so.
    pub(crate) marked: Vec<String>,
    /// What is read, which leads back to the text as it was given.
    draft: Draft<'static>,
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
    elsewhere: Draft<'static>,
    /// There are no words, only numbers and arrows: none but a whole answer counts.
    pub(crate) lists_alone: bool,
    fired: RefCell<Vec<ReadingRule>>,
}

/// Headings of a check behind an answer.
static CHECKS: Phrases =
    Phrases::of("verification, verify, verifying, check, checking, validation");

/// Beginnings of what a text comes to, also behind such a check.
static CONCLUDES: Phrases = Phrases::of(
    "so, therefore, thus, hence, total, the total, final, final answer, answer, conclusion, \
     the answer, correction",
);

/// How many answers behind `###` are looked at.
const MAX_MARKED: usize = 16;

/// The most tokens of a remark in brackets within a sum.
const MOST_ASIDE: usize = 32;

/// The most words of a heading that a sentence has before its colon.
const MOST_HEADING: usize = 8;

/// Numbers as words, from zero.
static NUMBERS: Phrases =
    Phrases::of("zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve");

impl Reading {
    pub(crate) fn new(text: &str) -> Self {
        Self::of(text, Draft::of(text))
    }

    /// A reading of a text of which a draft was made.
    pub(crate) fn of(text: &str, draft: Draft<'_>) -> Self {
        let marked = marked(&draft.text, MAX_MARKED);
        let (draft, only_thinks) = normal(draft);
        let whole = draft.text.clone().into_owned();
        let Parted { read, elsewhere } = language::part(draft);
        let mut reading = Self { marked, whole, only_thinks, ..Self::plainly(read) };
        reading.given = text.to_owned();
        if let Some((draft, language)) = elsewhere {
            (reading.elsewhere, reading.language) = (draft, Some(language));
        }
        reading
    }

    /// A reading of a text that is in plain spelling.
    fn plainly(draft: Draft<'static>) -> Self {
        let tokens = tokens(&draft.text);
        let mut reading = Self {
            marked: Vec::new(),
            draft,
            whole: String::new(),
            given: String::new(),
            tokens,
            sentences: Vec::new(),
            only_thinks: false,
            language: None,
            elsewhere: Draft::of(""),
            lists_alone: false,
            fired: RefCell::default(),
        };
        reading.sentences = reading.split();
        reading
    }

    /// The lists in what is in another language, without its words.
    pub(crate) fn elsewhere(&self) -> Option<Self> {
        self.language?;
        let lists = Self::plainly(self.elsewhere.clone());
        let given = self.given.clone();
        Some(Self { language: self.language, lists_alone: true, given, ..lists })
    }

    /// The programs of a text; none if it has none. `draft` is of the whole text.
    pub(crate) fn of_programs(text: &str, mut draft: Draft<'_>) -> Option<Self> {
        leave_thoughts(&mut draft);
        draft.rewrite(keep_programs);
        draft.rewrite(spell_all);
        let reading = Self::plain_draft(text, draft.owned());
        (!reading.tokens.is_empty()).then_some(reading)
    }

    /// A reading of a text whose draft is in plain spelling.
    pub(super) fn plain_draft(text: &str, draft: Draft<'static>) -> Self {
        Self { given: text.to_owned(), ..Self::plainly(draft) }
    }

    /// Whether the text has nothing but blanks.
    pub(crate) fn is_empty(&self) -> bool {
        self.given.trim().is_empty()
    }

    /// What is read, in plain spelling.
    pub(crate) fn text(&self) -> &str {
        &self.draft.text
    }

    /// Where some tokens stand in the text as it was given. What was written in another way, as the object
    /// of a path in JSON was, is where its numbers stand last.
    pub(crate) fn place(&self, tokens: Range<usize>) -> Option<Range<usize>> {
        let said = self.tokens.get(tokens.clone())?;
        let part = said.first()?.start as usize..said.last()?.end as usize;
        let (origin, is_rewritten) = self.draft.origin(part);
        if !is_rewritten {
            return Some(origin);
        }
        let written: Vec<&str> =
            tokens.filter(|at| self.is_number(*at)).map(|at| self.word(at)).collect();
        let given = &self.given[origin.clone()];
        let numbers: Vec<(usize, &str)> = given
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .map(|number| number.trim_end_matches('.'))
            .filter(|number| !number.is_empty())
            .map(|number| (number.as_ptr().addr() - given.as_ptr().addr(), number))
            .collect();
        let is_it = |window: &[(usize, &str)]| window.iter().map(|(_, n)| n).eq(&written);
        let found = numbers.windows(written.len().max(1)).rfind(|window| is_it(window));
        let narrow = |window: &[(usize, &str)]| {
            let (last, number) = window.last()?;
            Some(window.first()?.0..last + number.len())
        };
        let part = found.and_then(narrow).unwrap_or_else(|| {
            let start = given.len() - given.trim_start().len();
            start..start + given.trim().len()
        });
        Some(origin.start + part.start..origin.start + part.end)
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
            Some(t) => one_word(&self.draft.text[t.start as usize..t.end as usize]),
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
        self.mark_checks(&mut sentences);
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
        let begun = plain.split(' ').fold(0, |begun, word| begun | beginning(word));
        Sentence { start, end, stop, plain, is_check: false, begun }
    }

    /// Notes which sentences check what was answered before: those behind a heading such as
    /// `Verification:`, up to one that concludes.
    fn mark_checks(&self, sentences: &mut [Sentence]) {
        let mut is_check = false;
        for (i, sentence) in sentences.iter_mut().enumerate() {
            let heads = CHECKS.contains(&self.word(sentence.start))
                && (self.is_mark(sentence.start + 1, b':') || sentence.start + 1 == sentence.end);
            is_check = i > 0 && heads || is_check && !sentence.concludes();
            sentence.is_check = is_check;
        }
    }

    /// The sentence without the reason that its end gives, `…, since node 0 is joined to node 3`: what
    /// it is about is said before that.
    pub(crate) fn main_clause<'s>(&self, sentence: &'s Sentence) -> Cow<'s, Sentence> {
        let reason = (sentence.start + 1..sentence.end).find(|at| match self.word(*at) {
            "since" | "because" => true,
            "as" => ["there", "node", "nodes", "we", "neither", "both", "none"]
                .contains(&self.word(*at + 1)),
            _ => false,
        });
        match reason {
            Some(end) => Cow::Owned(self.sentence(sentence.start, end, sentence.stop)),
            None => Cow::Borrowed(sentence),
        }
    }

    /// The sentence without what it does not vouch for, `…, but it does not guarantee that there is a path`.
    pub(crate) fn vouched<'s>(&self, sentence: &'s Sentence) -> Cow<'s, Sentence> {
        let open = (sentence.start + 1..sentence.end).find(|at| self.disclaims(*at));
        // What is said behind "so" it does vouch for again.
        let turns = |from: usize| {
            let turn = phrases!("so, therefore, thus, hence, but, however");
            (from..sentence.end).any(|at| turn.contains(&self.word(at)))
        };
        match open.filter(|open| !turns(*open)) {
            Some(end) => Cow::Owned(self.sentence(sentence.start, end, sentence.stop)),
            None => Cow::Borrowed(sentence),
        }
    }

    /// Whether a word says, behind "not", that nothing follows from what is said.
    pub(crate) fn disclaims(&self, at: usize) -> bool {
        let verbs = phrases!(
            "guarantee, guaranteed, guarantees, imply, implied, mean, ensure, ensured, necessarily"
        );
        let denied = |at: usize| self.word(at) == "not" || self.word(at).ends_with("n't");
        verbs.contains(&self.word(at)) && (1..=2).any(|back| at >= back && denied(at - back))
    }

    /// What a sentence says behind a few words and a colon that begin it.
    pub(crate) fn behind_heading(&self, sentence: &Sentence) -> Option<Sentence> {
        let first = sentence.start..sentence.end.min(sentence.start + MOST_HEADING);
        let mut ends = first.filter(|at| !matches!(self.kind(*at), Some(Kind::Word)));
        let colon = ends.next().filter(|at| self.is_mark(*at, b':') && at + 1 < sentence.end)?;
        Some(self.sentence(colon + 1, sentence.end, sentence.stop))
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
            let is_said = matches!(self.kind(i), Some(Kind::Word | Kind::Number));
            // Words that only stress.
            if is_said && !matches!(self.word(i), "definitely" | "clearly" | "certainly") {
                push_plain(self.word(i), &mut plain);
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
                || phrases!(
                    "a, answer, final, the, is, so, therefore, thus, hence, result, \
                        conclusion, verdict, ans, well"
                )
                .contains(&self.word(at)))
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
            "absolutely" | "certainly" | "definitely" | "indeed" | "unfortunately" => {
                return self.stressed(at);
            }
            _ => return None,
        };
        let alone = at + 1 >= sentence.end || matches!(self.kind(at + 1), Some(Kind::Mark(_)));
        let stated = alone
            || phrases!("there, it, this, the, because, since, we, node, not, all, they, you")
                .contains(&self.word(at + 1));
        // "no the" and "no it" are odd, but "no there is" is common; "no node" is a quantity.
        let quantity = !alone && !yes && matches!(self.word(at + 1), "node" | "not" | "all");
        (stated && !quantity).then_some(yes)
    }

    /// `Absolutely.`, `Certainly not`, `Unfortunately not`; "Certainly! Let me …" answers nothing.
    fn stressed(&self, at: usize) -> Option<bool> {
        let is_sad = self.word(at) == "unfortunately";
        let denied = matches!(self.word(at + 1), "not" | "no")
            && !self.is_number(at + 2)
            && !matches!(self.kind(at + 2), Some(Kind::Word));
        let ends = matches!(self.kind(at + 1), Some(Kind::Mark(b'.' | b',' | b':' | b'-')) | None);
        let offers = matches!(self.word(at + 2), "let" | "let's" | "here" | "i" | "we" | "i'll");
        match (denied, ends && !offers && !is_sad) {
            (true, _) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    }

    /// The number at a token with its groups of three digits, `1,200` or `1 200`, and the token behind it.
    pub(crate) fn grouped(&self, at: usize) -> Option<(f64, usize)> {
        let mut value = self.number(at)?;
        let mut next = at + 1;
        let is_short = self.word(at).len() <= 3 && value >= 1.0 && value.fract() == 0.0;
        let bytes = self.draft.text.as_bytes();
        while is_short && let Some(last) = self.tokens.get(next - 1) {
            let end = last.end as usize;
            let group = next + usize::from(self.is_mark(next, b',') || self.is_mark(next, b'\''));
            let is_next = self.tokens.get(group).is_some_and(|t| t.start as usize == end + 1)
                && matches!(bytes.get(end), Some(b',' | b'\'' | b' '))
                && self.is_number(group);
            let word = self.word(group);
            let (whole, rest) = word.split_once('.').unwrap_or((word, ""));
            let Some(part) = self.number(group).filter(|_| is_next && whole.len() == 3) else {
                break;
            };
            value = value * 1000.0 + part;
            next = group + 1;
            if !rest.is_empty() {
                break;
            }
        }
        Some((value, next))
    }

    /// The value of a sum that begins at a token: `3 + 1 + 4 = 8` is 8, `3 + 1` is 4, `7 units` is
    /// 7; and the token after it.
    pub(crate) fn value(&self, mut at: usize) -> Option<(f64, usize)> {
        let mut sum;
        (sum, at) = self.grouped(at)?;
        loop {
            let sign = self.kind(at);
            // `9 units + 6 units` is a sum, too.
            // `2 (via 0 -> 1) + 4 (via 0 -> 2) = 6`.
            if self.is_mark(at, b'(')
                && let Some(close) = (at..at + MOST_ASIDE).find(|at| self.is_mark(*at, b')'))
                && matches!(self.kind(close + 1), Some(Kind::Mark(b'+' | b'=')))
            {
                at = close + 1;
                continue;
            }
            let over = usize::from(matches!(self.word(at), "units" | "unit"));
            if over == 1 && matches!(self.kind(at + 1), Some(Kind::Mark(b'+' | b'='))) {
                at += 1;
                continue;
            }
            match (sign, self.grouped(at + 1)) {
                (Some(Kind::Mark(b'+')), Some((term, next))) => (sum, at) = (sum + term, next),
                (Some(Kind::Mark(b'=')), Some((term, next))) => (sum, at) = (term, next),
                _ => return Some((sum, at)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
