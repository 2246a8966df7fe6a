//! The place of each token: its number in a list, its number among the mentions of a question, or the
//! mention that it copies.

use std::sync::OnceLock;

use crate::forms::{FORMS, JSON_SPAN, RANGES, Slot, cuts};
use crate::vocabulary::{ASK, BREAK, Kind, Shape, function_of, kind, number_of, role_of, word};

/// The place of a token in a list, or the mention of a question that it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListPlace {
    /// 0 for the token that begins a list and for words, then 1 for the first number. The token right
    /// after a list has a place in it, too: a copy of the list ends there. Numbers and names of a question
    /// outside lists of pairs are numbered consecutively. In a call that adds edges, a number has the place
    /// of the mention that it copies.
    pub number: u16,
    /// The token that began the list; none outside lists, and for that token itself. A number is
    /// embedded together with it, so that the network sees the kind of list. For a mention outside lists
    /// it is the token that begins the question.
    pub list: Option<u32>,
}

/// A number or a name in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mention {
    value: u32,
    /// Its role in a list; none outside lists.
    role: Option<u8>,
    place: u16,
    sentence: u16,
    /// Its sentence asks something.
    is_asked: bool,
}

/// The numbers and names of a question, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentions(Vec<Mention>);

/// The roles of the first and the second node of a pair, as [`role_of`] gives them.
const HEAD: u8 = 0;
const TAIL: u8 = 1;

impl Mentions {
    /// Those of the last question among the tokens.
    pub(crate) fn of(tokens: &[u32]) -> Self {
        let mut placer = Placer::default();
        for token in tokens {
            placer.next(*token);
        }
        placer.mentions
    }

    /// The first mention after another one that a node in a role may copy; one outside questions is
    /// preferred.
    pub(crate) fn next(&self, value: u32, role: u8, behind: Option<usize>) -> Option<usize> {
        let first = behind.map_or(0, |at| at + 1);
        let find = |fits: &dyn Fn(&Mention) -> bool| {
            let mut all = self.0.iter().enumerate().skip(first);
            all.find(|(_, mention)| mention.value == value && fits(mention)).map(|(i, _)| i)
        };
        let fits = |is: Option<u8>| is.is_none_or(|is| is == role);
        find(&|mention| fits(mention.role) && !mention.is_asked)
            .or_else(|| find(&|mention| fits(mention.role)))
            .or_else(|| find(&|mention| matches!(mention.role, Some(HEAD | TAIL))))
    }

    /// Ends a sentence, and records whether it was a question.
    fn end_sentence(&mut self, sentence: u16, is_asked: bool) {
        let all = self.0.iter_mut().rev();
        all.take_while(|mention| mention.sentence == sentence)
            .for_each(|mention| mention.is_asked = is_asked);
    }

    /// Whether two mentions are in one sentence with none of these nodes between them.
    pub(crate) fn are_neighbours(&self, first: usize, second: usize, nodes: &[u32]) -> bool {
        let (Some(a), Some(b)) = (self.0.get(first), self.0.get(second)) else { return false };
        let between = self.0.get(first + 1..second).unwrap_or_default();
        let is_node = |mention: &Mention| {
            mention.role.is_none_or(|is| is <= TAIL) && nodes.contains(&mention.value)
        };
        a.sentence == b.sentence && first < second && !between.iter().any(is_node)
    }

    /// The mention nearest to another one that a weight may copy.
    fn nearest(&self, value: u32, to: Option<usize>) -> Option<usize> {
        let to = to.unwrap_or_default();
        let is_weight = |mention: &Mention| {
            mention.value == value && !matches!(mention.role, Some(HEAD | TAIL))
        };
        let all = self.0.iter().enumerate().filter(|(_, mention)| is_weight(mention));
        all.map(|(i, _)| i).min_by_key(|i| (i.abs_diff(to), *i < to))
    }

    /// The mention that the next number copies, after the one at `at`, which advances.
    pub(crate) fn copy(&self, value: u32, role: u8, at: &mut Option<usize>) -> Option<usize> {
        let found = match role {
            HEAD | TAIL => self.next(value, role, *at)?,
            _ => self.nearest(value, *at)?,
        };
        *at = (*at).max(Some(found));
        Some(found)
    }
}

/// What a list in a question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listing {
    /// The ends of a range, or the numbers between them.
    Range,
    /// Pairs or rows.
    Rows,
    /// Single nodes, or one pair, as in a sentence.
    Words,
}

fn listing(token: u32) -> Listing {
    let Kind::Form(form) = kind(token) else { return Listing::Words };
    let Some((form, cut)) = FORMS.get(form).zip(cuts().get(form)) else { return Listing::Words };
    let is_single = cut.slots.iter().all(|(_, slot)| *slot == Slot::Number);
    match () {
        () if form.pattern == FORMS[JSON_SPAN].pattern || RANGES.contains(&form.pattern) => {
            Listing::Range
        }
        () if is_single || form.separator.is_empty() => Listing::Words,
        () => Listing::Rows,
    }
}

/// Words that end a sentence or a row.
fn is_end_of_sentence(token: u32) -> bool {
    static ENDS: OnceLock<Vec<u32>> = OnceLock::new();
    let all = || [".", "?", "!", ";", "\n"].iter().filter_map(|text| word(text)).collect();
    ENDS.get_or_init(all).contains(&token)
}

fn question_mark() -> u32 {
    static MARK: OnceLock<Option<u32>> = OnceLock::new();
    MARK.get_or_init(|| word("?")).unwrap_or(u32::MAX)
}

/// The part of a conversation that a token belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    Question,
    /// A call that adds edges, with the mention that was copied last.
    Edges(Option<usize>),
    #[default]
    Other,
}

/// Finds the places of tokens, one by one.
#[derive(Clone, Debug)]
pub struct Placer {
    number: u16,
    list: Option<u32>,
    part: Part,
    mentions: Mentions,
    n_outside: u16,
    sentence: u16,
    counts_mentions: bool,
}

impl Default for Placer {
    fn default() -> Self {
        Self::new(true)
    }
}

impl Placer {
    /// A placer before the first token. Weights that learned no names use places in lists only.
    pub fn new(counts_mentions: bool) -> Self {
        Self {
            number: 0,
            list: None,
            part: Part::default(),
            mentions: Mentions::default(),
            n_outside: 0,
            sentence: 0,
            counts_mentions,
        }
    }

    /// The place of the next token.
    pub fn next(&mut self, token: u32) -> ListPlace {
        if !self.counts_mentions {
            return self.listed(token);
        }
        match kind(token) {
            Kind::Function => {
                let is_edges = function_of(token).is_some_and(|(_, shape)| *shape == Shape::Edges);
                self.part = if is_edges { Part::Edges(None) } else { Part::Other };
            }
            Kind::Mark if token == ASK => {
                self.part = Part::Question;
                self.mentions.0.clear();
                (self.n_outside, self.sentence) = (0, 0);
            }
            // Between two groups of edges.
            Kind::Mark if token == BREAK && matches!(self.part, Part::Edges(_)) => {
                return ListPlace { number: self.number, list: self.list };
            }
            Kind::Mark if token != BREAK && !crate::vocabulary::is_spacing(token) => {
                let place = self.listed(token);
                self.part = Part::Other;
                return place;
            }
            _ => {}
        }
        if self.part == Part::Question && is_end_of_sentence(token) {
            self.mentions.end_sentence(self.sentence, token == question_mark());
            self.sentence = self.sentence.saturating_add(1);
        }
        let mut place = self.listed(token);
        let (Some(value), Some(role)) = (number_of(token), role_of(token)) else { return place };
        match &mut self.part {
            Part::Question => {
                let list = place.list.map(listing);
                if list == Some(Listing::Range) {
                    return place;
                }
                let role = (list == Some(Listing::Rows)).then_some(role);
                if role.is_none() {
                    self.n_outside = self.n_outside.saturating_add(1);
                    self.number = self.n_outside;
                    place = ListPlace { number: self.number, list: place.list.or(Some(ASK)) };
                }
                self.mentions.0.push(Mention {
                    value,
                    role,
                    place: place.number,
                    sentence: self.sentence,
                    is_asked: false,
                });
            }
            Part::Edges(at) => {
                if let Some(found) = self.mentions.copy(value, role, at) {
                    self.number = self.mentions.0[found].place;
                    place.number = self.number;
                }
            }
            Part::Other => {}
        }
        place
    }

    /// The place of the next token in its list.
    fn listed(&mut self, token: u32) -> ListPlace {
        let list = self.list;
        match kind(token) {
            Kind::Form(_) | Kind::Function | Kind::Name(_) => {
                (self.number, self.list) = (0, Some(token));
                ListPlace::default()
            }
            Kind::Head(_) | Kind::Tail(_) | Kind::Number(_) | Kind::Digit(_) | Kind::Letter(_)
                if list.is_some() =>
            {
                self.number = self.number.saturating_add(1);
                ListPlace { number: self.number, list }
            }
            _ if list.is_some() => {
                let number = self.number.saturating_add(1);
                (self.number, self.list) = (0, None);
                ListPlace { number, list }
            }
            _ => ListPlace::default(),
        }
    }
}

/// The places of tokens.
pub fn places(tokens: &[u32]) -> Vec<ListPlace> {
    let mut placer = Placer::default();
    tokens.iter().map(|token| placer.next(*token)).collect()
}
