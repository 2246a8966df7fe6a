//! Texts as tokens, and tokens as texts.
//!
//! What the table of words and forms has comes back as it was, in the byte.

use crate::forms::{Cut, FORMS, JSON_SPAN, N_JSON, RANGES, Slot, cuts};
use crate::names::{name_len, signed};
use crate::vocabulary::{
    BREAK, CAPITAL, FIRST_DIGIT, FIRST_FORM, FIRST_LETTER, FIRST_NUMBER, JOIN, Kind, LETTER_0,
    N_NODES, N_NUMBERS, SPACE, UNKNOWN, head, kind, tail, word, words,
};

pub use crate::names::TalkNames;

/// A text as tokens, with what is not the model's world in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The tokens.
    pub tokens: Vec<u32>,
    /// Words and marks of the text.
    pub n_words: usize,
    /// Of these, those that the table does not have.
    pub n_unknown: usize,
}

/// Whether a space is taken for granted between two characters.
fn is_spaced(before: Option<char>, after: char) -> bool {
    let opens = |c: char| c.is_whitespace() || "([{'\"".contains(c);
    !before.is_none_or(opens) && !".,?:;)]}!'%\n".contains(after)
}

struct Encoder<'t, 'n> {
    text: &'t str,
    names: &'n mut TalkNames,
    at: usize,
    /// The last character that came, spaces aside that are taken for granted.
    before: Option<char>,
    /// A list has just ended, so that a number would go on with it.
    after_list: bool,
    out: Encoded,
}

/// The tokens of a text.
///
/// O(length · number of forms).
pub fn encode(text: &str) -> Encoded {
    encode_with(text, &mut TalkNames::default())
}

/// The tokens of a text of a conversation in which these names came before, which are signs in it.
///
/// O(length · number of forms).
pub fn encode_with(text: &str, names: &mut TalkNames) -> Encoded {
    let mut encoder =
        Encoder { text, names, at: 0, before: None, after_list: false, out: Encoded::default() };
    while encoder.step() {}
    encoder.out
}

/// A number at the beginning of a text, and its length; none where it has a leading zero, a decimal
/// point or more digits than numbers of graphs have.
fn number(text: &str) -> Option<(u64, usize)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_plain = len == 1 || (len > 1 && len < 12 && !text.starts_with('0'));
    let rest = text.as_bytes().get(len..).unwrap_or_default();
    let is_decimal = rest.first() == Some(&b'.') && rest.get(1).is_some_and(u8::is_ascii_digit);
    if !is_plain || is_decimal {
        return None;
    }
    Some((text.get(..len)?.parse().ok()?, len))
}

impl Encoder<'_, '_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next token or list; none are left where it says no.
    fn step(&mut self) -> bool {
        let n_spaces = self.rest().bytes().take_while(|b| *b == b' ').count();
        self.at += n_spaces;
        let Some(next) = self.rest().chars().next() else {
            self.out.tokens.extend(std::iter::repeat_n(SPACE, n_spaces));
            return false;
        };
        let name = name_len(&self.text[..self.at], self.rest());
        if name > 0 {
            self.name(name);
            return true;
        }
        let is_granted = is_spaced(self.before, next);
        match (is_granted, n_spaces) {
            (true, 0) => self.mark(JOIN, 1),
            (true, 1) => {}
            (_, n) => self.mark(SPACE, n),
        }
        if let Some((tokens, len)) = self.list() {
            self.out.n_words += tokens.len();
            let span = span(&tokens);
            self.out.tokens.extend(tokens);
            self.out.tokens.extend(span);
            self.advance(len);
            self.after_list = true;
        } else if let Some(named) = signed(next) {
            self.out.n_words += 1;
            if self.after_list {
                self.push(BREAK);
            }
            self.push(head(named));
            self.advance(next.len_utf8());
        } else if next.is_ascii_digit() {
            self.digits();
        } else if next.is_ascii_alphabetic() {
            self.letters();
        } else {
            self.out.n_words += 1;
            let len = next.len_utf8();
            let token = word(&self.rest()[..len]).unwrap_or_else(|| {
                self.out.n_unknown += 1;
                UNKNOWN
            });
            self.push(token);
            self.advance(len);
        }
        true
    }

    fn mark(&mut self, token: u32, n: usize) {
        if n > 0 {
            self.after_list = false;
            self.out.tokens.extend(std::iter::repeat_n(token, n));
        }
    }

    fn push(&mut self, token: u32) {
        self.after_list = false;
        self.out.tokens.push(token);
    }

    fn advance(&mut self, len: usize) {
        self.before = self.rest().get(..len).and_then(|piece| piece.chars().next_back());
        self.at += len;
    }

    /// Spells a name of so many bytes. What stands before it says whether there is a space.
    fn name(&mut self, len: usize) {
        self.out.n_words += 1;
        // Not through `self`, which the names are part of.
        let text = self.text;
        let name = text.get(self.at..self.at + len).unwrap_or_default();
        let letters: Vec<u32> =
            name.bytes().map(|b| FIRST_LETTER + u32::from(b - LETTER_0)).collect();
        let token = self.names.spell(name);
        self.out.tokens.push(token);
        self.out.tokens.extend(letters);
        self.advance(len);
        self.after_list = true;
    }

    fn digits(&mut self) {
        self.out.n_words += 1;
        let len = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if self.after_list {
            self.push(BREAK);
        }
        let digits = &self.rest()[..len];
        let small =
            if len == 1 || !digits.starts_with('0') { digits.parse::<u32>().ok() } else { None };
        match small.filter(|n| *n < N_NUMBERS) {
            Some(n) => self.push(FIRST_NUMBER + n),
            None => {
                let last = self.out.tokens.last();
                if last.is_some_and(|token| matches!(kind(*token), Kind::Digit(_))) {
                    self.push(BREAK);
                }
                let digits = &self.rest()[..len];
                let tokens: Vec<u32> =
                    digits.bytes().map(|b| FIRST_DIGIT + u32::from(b - b'0')).collect();
                tokens.into_iter().for_each(|token| self.push(token));
            }
        }
        self.advance(len);
    }

    fn letters(&mut self) {
        self.out.n_words += 1;
        let len = self.rest().bytes().take_while(u8::is_ascii_alphabetic).count();
        let letters = &self.rest()[..len];
        let mut lower = letters.to_owned();
        if let Some(first) = lower.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        match (word(letters), word(&lower)) {
            (Some(token), _) => self.push(token),
            (None, Some(token)) => {
                self.push(CAPITAL);
                self.push(token);
            }
            (None, None) => {
                self.out.n_unknown += 1;
                self.push(UNKNOWN);
            }
        }
        self.advance(len);
    }

    /// The longest list that begins here.
    fn list(&self) -> Option<(Vec<u32>, usize)> {
        let mut best: Option<(Vec<u32>, usize)> = None;
        for (i, (form, cut)) in FORMS.iter().zip(cuts()).enumerate().skip(N_JSON) {
            let (mut tokens, mut len, mut n) = (vec![FIRST_FORM + i as u32], 0, 0);
            loop {
                let rest = &self.rest()[len..];
                let rest = match n {
                    0 => Some(rest),
                    _ if form.separator.is_empty() => None,
                    _ => rest.strip_prefix(form.separator),
                };
                let Some(item) = rest else { break };
                let before = tokens.len();
                let Some(item_len) = read_item(cut, item, &mut tokens) else {
                    tokens.truncate(before);
                    break;
                };
                len = self.rest().len() - item.len() + item_len;
                n += 1;
            }
            if n >= form.least && best.as_ref().is_none_or(|(_, most)| len > *most) {
                best = Some((tokens, len));
            }
        }
        best
    }
}

/// The numbers of a range, as a list behind it.
fn span(tokens: &[u32]) -> Vec<u32> {
    let [form, last] = *tokens else { return Vec::new() };
    let (Kind::Form(form), Kind::Number(last)) = (kind(form), kind(last)) else {
        return Vec::new();
    };
    let is_range = FORMS.get(form).is_some_and(|form| RANGES.contains(&form.pattern));
    if !is_range || last >= N_NODES {
        return Vec::new();
    }
    let numbers = (0..=last).map(|n| FIRST_NUMBER + n);
    std::iter::once(FIRST_FORM + JSON_SPAN as u32).chain(numbers).collect()
}

/// Reads an item of a list; gives its length.
fn read_item(cut: &Cut, text: &str, tokens: &mut Vec<u32>) -> Option<usize> {
    let mut rest = text;
    for (before, slot) in &cut.slots {
        rest = rest.strip_prefix(before)?;
        let first = rest.chars().next()?;
        let (n, len) = match signed(first) {
            Some(named) => (named.into(), first.len_utf8()),
            None => number(rest)?,
        };
        let n = u32::try_from(n).ok()?;
        tokens.push(match slot {
            Slot::Head if n < N_NODES => head(n),
            Slot::Tail if n < N_NODES => tail(n),
            Slot::Number if n < N_NUMBERS => FIRST_NUMBER + n,
            _ => return None,
        });
        rest = rest.get(len..)?;
    }
    rest = rest.strip_prefix(cut.end)?;
    Some(text.len() - rest.len())
}

/// A list that is being written.
#[derive(Clone, Copy, Debug)]
struct Open {
    form: usize,
    slot: usize,
    n_items: usize,
}

/// Turns tokens into text, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Detokenizer {
    names: TalkNames,
    before: Option<char>,
    joins: bool,
    capital: bool,
    after_digit: bool,
    /// A name has begun, and so many of its letters came.
    name: Option<usize>,
    open: Option<Open>,
}

impl Detokenizer {
    /// For a conversation with these names.
    pub fn with_names(names: TalkNames) -> Self {
        Self { names, ..Self::default() }
    }

    /// A node as it is written.
    fn node(&self, n: u32) -> String {
        self.names.text(n).map_or_else(|| n.to_string(), str::to_owned)
    }

    /// A number that is none of a node's, as it is written.
    fn weight(&self, n: u32) -> String {
        match self.names.large(n) {
            Some(_) => self.node(n),
            None => n.to_string(),
        }
    }

    /// The characters that a token adds.
    pub fn push(&mut self, token: u32) -> String {
        let mut out = String::new();
        let kind = kind(token);
        let was_digit = std::mem::take(&mut self.after_digit);
        if let Some(open) = self.open
            && self.item(open, kind, &mut out)
        {
            return out;
        }
        self.open = None;
        let name = self.name.take();
        match kind {
            Kind::Name(_) => self.name = Some(0),
            Kind::Letter(letter) => {
                let n = name.unwrap_or_default();
                // Directly behind the sign, and then letter by letter.
                self.joins |= n > 0 || name.is_some() && self.before == Some('#');
                self.write(letter.encode_utf8(&mut [0; 4]), &mut out);
                self.name = Some(n + 1);
            }
            Kind::Form(form) if form < FORMS.len() => {
                self.open = Some(Open { form, slot: 0, n_items: 0 });
            }
            Kind::Digit(n) => {
                self.joins |= was_digit;
                self.write(&n.to_string(), &mut out);
                self.after_digit = true;
            }
            Kind::Head(n) | Kind::Tail(n) => self.write(&self.node(n), &mut out),
            Kind::Number(n) => self.write(&self.weight(n), &mut out),
            Kind::Word(i) => {
                let text = words().get(i).copied().unwrap_or("…");
                if std::mem::take(&mut self.capital) {
                    let mut text = text.to_owned();
                    if let Some(first) = text.get_mut(..1) {
                        first.make_ascii_uppercase();
                    }
                    self.write(&text, &mut out);
                } else {
                    self.write(text, &mut out);
                }
            }
            _ if token == JOIN => self.joins = true,
            _ if token == SPACE => {
                out.push(' ');
                self.before = Some(' ');
            }
            _ if token == CAPITAL => self.capital = true,
            _ if token == UNKNOWN => self.write("…", &mut out),
            _ => {}
        }
        out
    }

    /// Writes a number of a list; says no where the list is over.
    fn item(&mut self, mut open: Open, kind: Kind, out: &mut String) -> bool {
        if open.form == JSON_SPAN {
            // It stands in the range before it.
            return matches!(kind, Kind::Number(_));
        }
        let (form, cut) = (&FORMS[open.form], &cuts()[open.form]);
        let Some((before, slot)) = cut.slots.get(open.slot) else { return false };
        let n = match (slot, kind) {
            (Slot::Head, Kind::Head(n))
            | (Slot::Tail, Kind::Tail(n))
            | (Slot::Number, Kind::Number(n)) => n,
            _ => return false,
        };
        if open.slot == 0 && open.n_items > 0 && form.separator.is_empty() {
            return false;
        }
        let mut text = String::new();
        if open.slot == 0 && open.n_items > 0 {
            text.push_str(form.separator);
        }
        text.push_str(before);
        // A list of single numbers is one of nodes.
        let is_node = *slot != Slot::Number || cut.slots.len() == 1;
        text.push_str(&if is_node { self.node(n) } else { self.weight(n) });
        open.slot += 1;
        if open.slot == cut.slots.len() {
            text.push_str(cut.end);
            open = Open { slot: 0, n_items: open.n_items + 1, ..open };
        }
        let is_first = open.n_items == 0 && open.slot == 1
            || open.n_items == 1 && open.slot == 0 && cut.slots.len() == 1;
        if is_first {
            self.write(&text, out);
        } else {
            out.push_str(&text);
            self.before = text.chars().next_back();
        }
        self.open = Some(open);
        true
    }

    fn write(&mut self, text: &str, out: &mut String) {
        let Some(first) = text.chars().next() else { return };
        if !std::mem::take(&mut self.joins) && is_spaced(self.before, first) {
            out.push(' ');
        }
        out.push_str(text);
        self.before = text.chars().next_back();
    }
}

/// The text of tokens.
pub fn decode(tokens: &[u32]) -> String {
    let mut text = Detokenizer::default();
    tokens.iter().map(|token| text.push(*token)).collect()
}
