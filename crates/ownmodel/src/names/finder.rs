//! Which words of a text are names: all that the table does not have, and letters, numbers and words of
//! the table that are used as such.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{FIRST_NAMED, TalkNames, name_len, sign};
use crate::vocabulary::word;

/// Words behind which a single letter is no article.
const JOINS: &[&str] = &[
    "then", "and", "before", "after", "is", "has", "to", "comes", "must", "or", "goes", "leads",
    "with", "via", "knows", "needs", "takes", "from", "can", "on", "in", "at", "are",
];
/// The most words of a name.
const MAX_WORDS: usize = 4;

/// A run of letters and digits.
#[derive(Clone, Debug)]
struct Piece {
    range: Range<usize>,
    /// It begins a sentence, a line or a cell.
    begins: bool,
    is_name: bool,
}

/// One way to write dashes, arrows, quotes and spaces; the rest as it is.
pub(super) fn plain_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '–' | '—' | '−' | '‐' | '‑' => out.push('-'),
            '→' | '⟶' | '⇒' | '➔' | '➜' => out.push_str("->"),
            '↔' | '⟷' | '⇔' => out.push_str("<->"),
            '“' | '”' | '„' | '«' | '»' => out.push('"'),
            '‘' | '’' | '‚' => out.push('\''),
            '•' | '·' | '‣' => out.push('*'),
            '…' => out.push_str("..."),
            '\u{a0}' | '\u{202f}' | '\u{2009}' => out.push(' '),
            '\t' => out.push_str(" | "),
            '\r' => {}
            // These mean names here.
            c if ('\u{e000}'..'\u{f8ff}').contains(&c) => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let spelled = name_len(&text[..at], &text[at..]);
        if spelled > 0 {
            at += spelled;
            continue;
        }
        if !c.is_alphanumeric() {
            at += c.len_utf8();
            continue;
        }
        let mut len =
            text[at..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - at);
        // 2.5 is one number.
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        if digits(&text[at..]) == len && text[at + len..].starts_with('.') {
            let more = digits(&text[at + len + 1..]);
            len += if more > 0 { more + 1 } else { 0 };
        }
        let before = text[..at].trim_end_matches([' ', '"', '\'', '(', '*']);
        let begins =
            before.is_empty() || before.ends_with(['.', '!', '?', ':', '\n', '|', ';', '-']);
        all.push(Piece { range: at..at + len, begins, is_name: false });
        at += len;
    }
    all
}

fn is_known(text: &str) -> bool {
    let mut lower = text.to_owned();
    if let Some(first) = lower.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    word(text).is_some() || word(&lower).is_some()
}

fn is_capital(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase)
}

struct Finder<'t> {
    text: &'t str,
    pieces: Vec<Piece>,
}

impl Finder<'_> {
    fn piece(&self, i: usize) -> &str {
        self.pieces.get(i).map_or("", |piece| &self.text[piece.range.clone()])
    }

    /// The text between a piece and the next.
    fn gap(&self, i: usize) -> &str {
        let end = self.pieces[i].range.end;
        let next = self.pieces.get(i + 1).map_or(self.text.len(), |piece| piece.range.start);
        &self.text[end..next]
    }

    /// Marks words that the table does not have, and large numbers.
    fn mark_unknown(&mut self) {
        for i in 0..self.pieces.len() {
            let text = self.piece(i);
            let is_number = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            let is_name = match is_number {
                // What begins with a zero is no number of people's.
                true if text.len() > 1 && text.starts_with('0') && !text.contains('.') => false,
                true => {
                    text.parse().is_ok_and(|x: f64| x >= f64::from(FIRST_NAMED) || x.fract() != 0.0)
                }
                false => !is_known(text) && text.chars().count() > 1,
            };
            self.pieces[i].is_name = is_name;
        }
    }

    /// Words of the table that are written with a capital where no sentence begins.
    fn mark_capitals(&mut self) {
        let is_capital_within = |piece: &Piece, text: &str| {
            let lower = text.to_lowercase();
            !piece.begins
                && text.len() > 1
                && is_capital(text)
                && word(text).is_none()
                && word(&lower).is_some()
        };
        let named: BTreeSet<String> = (0..self.pieces.len())
            .filter(|i| is_capital_within(&self.pieces[*i], self.piece(*i)))
            .map(|i| self.piece(i).to_owned())
            .collect();
        for i in 0..self.pieces.len() {
            if named.contains(self.piece(i)) {
                self.pieces[i].is_name = true;
            }
        }
    }

    /// Single letters, where several are used.
    fn mark_letters(&mut self) {
        let is_letter = |i: usize| -> Option<char> {
            let mut chars = self.piece(i).chars();
            let letter = chars.next().filter(|c| c.is_alphabetic())?;
            if chars.next().is_some() {
                return None;
            }
            let start = self.pieces[i].range.start;
            let behind_mark = self.text[..start].ends_with(['\'', '#']);
            let before_colon =
                "QA".contains(letter) && self.gap(i).starts_with(':') && self.pieces[i].begins;
            let next = self.piece(i + 1);
            let is_article = "aA".contains(letter)
                && self.gap(i) == " "
                && next.chars().all(char::is_lowercase)
                && next.chars().count() > 1
                && !JOINS.contains(&next);
            let is_pronoun = letter == 'I' || letter == 'u' && self.gap(i).starts_with(' ');
            (!behind_mark && !before_colon && !is_article && !is_pronoun).then_some(letter)
        };
        let letters: Vec<Option<char>> = (0..self.pieces.len()).map(is_letter).collect();
        let upper: BTreeSet<char> =
            letters.iter().flatten().copied().filter(|c| c.is_uppercase()).collect();
        let lower: BTreeSet<char> =
            letters.iter().flatten().copied().filter(|c| !c.is_uppercase()).collect();
        for (piece, letter) in self.pieces.iter_mut().zip(letters) {
            let Some(letter) = letter else { continue };
            let unknown = word(letter.encode_utf8(&mut [0; 4])).is_none();
            piece.is_name |= unknown
                || letter.is_uppercase() && upper.len() > 1
                || !letter.is_uppercase() && lower.len() > 2;
        }
    }

    /// Joins names of several words: `Tower Bridge` twice, `Hall 1` beside `Hall 2`.
    fn join(&mut self) {
        for _ in 1..MAX_WORDS {
            let mut alone: BTreeMap<String, usize> = BTreeMap::new();
            let mut pairs: BTreeMap<(String, String), usize> = BTreeMap::new();
            let n = self.pieces.len();
            for i in 0..n {
                *alone.entry(self.piece(i).to_lowercase()).or_default() += 1;
                if self.gap(i) == " " && i + 1 < n {
                    let pair = (self.piece(i).to_lowercase(), self.piece(i + 1).to_lowercase());
                    *pairs.entry(pair).or_default() += 1;
                }
            }
            let mut seconds: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            for (first, second) in pairs.keys() {
                seconds.entry(first).or_default().insert(second);
            }
            let joins = |i: usize| {
                if i + 1 >= n || self.gap(i) != " " || !self.pieces[i].is_name {
                    return false;
                }
                let (a, b) = (self.piece(i), self.piece(i + 1));
                let pair = (a.to_lowercase(), b.to_lowercase());
                let count = pairs.get(&pair).copied().unwrap_or_default();
                let of = |word: &str| alone.get(word).copied().unwrap_or_default();
                let is_digits = b.bytes().all(|b| b.is_ascii_digit());
                if is_digits {
                    // Several with different numbers, and never without one.
                    let numbered = seconds.get(pair.0.as_str()).map_or(0, BTreeSet::len);
                    return is_capital(a) && numbered > 1 && b.len() < 4;
                }
                let is_second = self.pieces[i + 1].is_name || is_known(b) && is_capital(b);
                let never_apart = count == of(&pair.1) && (count > 1 || !self.pieces[i].begins);
                let is_titled = is_capital(a) && is_capital(b) && is_second && never_apart;
                let is_fixed = self.pieces[i + 1].is_name
                    && count > 1
                    && count == of(&pair.0)
                    && count == of(&pair.1);
                is_titled || is_fixed
            };
            let marks: Vec<bool> = (0..n).map(joins).collect();
            if !marks.contains(&true) {
                return;
            }
            let mut joined: Vec<Piece> = Vec::with_capacity(n);
            let mut was_joined = false;
            for (i, piece) in std::mem::take(&mut self.pieces).into_iter().enumerate() {
                let with_last = i > 0 && marks[i - 1] && !was_joined;
                was_joined = with_last;
                match joined.last_mut() {
                    Some(last) if with_last => last.range.end = piece.range.end,
                    _ => joined.push(piece),
                }
            }
            self.pieces = joined;
        }
    }
}

impl TalkNames {
    /// A question with its names as signs. Names that are one too many stay as they are.
    pub(crate) fn read(&mut self, text: &str) -> String {
        if self.first > FIRST_NAMED {
            return text.replace('\r', "");
        }
        let text = plain_marks(text);
        let mut finder = Finder { pieces: pieces(&text), text: &text };
        finder.mark_unknown();
        finder.mark_capitals();
        finder.mark_letters();
        finder.join();
        let named: Vec<Range<usize>> = finder
            .pieces
            .iter()
            .filter(|piece| piece.is_name)
            .map(|piece| piece.range.clone())
            .collect();
        // Where there are too many, words that occur once without a capital get none.
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for range in &named {
            *counts.entry(text[range.clone()].to_lowercase()).or_default() += 1;
        }
        let mut is_short = counts.len() > self.free.len();
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for range in named {
            let name = &text[range.clone()];
            let is_once = counts.get(&name.to_lowercase()) == Some(&1);
            let is_spare = is_short && is_once && name.chars().all(char::is_lowercase);
            if is_spare {
                counts.remove(&name.to_lowercase());
                is_short = counts.len() > self.free.len() + self.n_named();
                continue;
            }
            let Some(number) = self.give(name) else { continue };
            out.push_str(&text[at..range.start]);
            out.push(sign(number));
            at = range.end;
        }
        out.push_str(&text[at..]);
        out
    }

    /// A text with the names that came before as signs.
    pub(crate) fn read_known(&self, text: &str) -> String {
        if self.texts.is_empty() {
            return text.to_owned();
        }
        let text = plain_marks(text);
        let pieces = pieces(&text);
        let mut out = String::with_capacity(text.len());
        let (mut at, mut i) = (0, 0);
        while i < pieces.len() {
            let range =
                |n: usize| pieces[i].range.start..pieces[(i + n).min(pieces.len()) - 1].range.end;
            let found = (1..=MAX_WORDS.min(pieces.len() - i)).rev().find_map(|n| {
                let range = range(n);
                Some((n, self.number_of(&text[range.clone()])?, range))
            });
            match found {
                Some((n, number, range)) => {
                    out.push_str(&text[at..range.start]);
                    out.push(sign(number));
                    at = range.end;
                    i += n;
                }
                None => i += 1,
            }
        }
        out.push_str(&text[at..]);
        out
    }
}
