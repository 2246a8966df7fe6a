//! Which parts of what a person writes only ask: what they name together is not said to be joined.

use std::ops::Range;

use super::lexicon::Phrases;
use super::normal::spell_all;
use super::origin::Draft;
use super::text::{Reading, Sentence};
use super::tokens::Kind;

/// Words with which a clause asks, or has something found out.
static ASKING: Phrases = Phrases::of(
    "is, are, was, were, can, could, does, do, did, will, would, should, has, have, may, might, what, which, \
     who, whom, whose, how, why, find, give, tell, determine, decide, check, show, compute, calculate, output, \
     list, say, name, identify, please, whether",
);
/// Those of them that have something found out, and so need no question mark.
static REQUESTS: Phrases = Phrases::of(
    "find, give, tell, determine, decide, check, show, compute, calculate, output, list, say, name, identify, \
     please, i want to know, i would like to know",
);
/// Words with which a clause states something for a question, also in it: "can …, if Ann knows Ben?"
static STATING: Phrases = Phrases::of(
    "if, given, suppose, supposing, assume, assuming, since, because, where, when, knowing, provided, wenn, \
     falls, weil, si, cuando, sachant",
);
/// Words with which a clause says more of the one before it.
static CONTINUING: Phrases =
    Phrases::of("between, from, to, and, or, via, by, through, over, with, in, on, of, for");
/// What states something behind "with".
static LISTED: Phrases =
    Phrases::of("the, these, this, edges, roads, links, connections, weights, following");

/// The parts of a text that ask whether something is so, or want it found out, as bytes of the text. O(length).
///
/// ```
/// let text = "Ann knows Ben. Can Ben reach Cleo, if Cleo knows Dan?";
/// let asked: Vec<&str> = tasks::asked_parts(text).into_iter().map(|part| &text[part]).collect();
/// assert_eq!(asked, ["Can Ben reach Cleo"]);
/// ```
pub fn asked_parts(text: &str) -> Vec<Range<usize>> {
    let mut draft = Draft::of(text);
    draft.rewrite(spell_all);
    let reading = Reading::plain_draft(text, draft.owned());
    let mut parts = Vec::new();
    for sentence in &reading.sentences {
        let is_request = || REQUESTS.iter().any(|words| sentence.begins(words));
        if sentence.is_question() || is_request() {
            let asked = asked_tokens(&reading, sentence);
            parts.extend(asked.into_iter().filter_map(|tokens| reading.place(tokens)));
        }
    }
    parts
}

/// A clause of a sentence that asks somewhere.
struct Clause {
    tokens: Range<usize>,
    /// Whether its words ask, or state; none if they show neither.
    asks: Option<bool>,
    /// It goes with the clause before: "is there a way, if any, from 3 to 7?"
    continues: bool,
}

/// The tokens of a sentence that ask, clause by clause.
fn asked_tokens(reading: &Reading, sentence: &Sentence) -> Vec<Range<usize>> {
    let mut clauses = clauses(reading, sentence);
    // In other languages, and in "…, right?", the words do not tell: then the last clause asks.
    if clauses.iter().all(|clause| clause.asks != Some(true)) {
        let states_last = clauses.last().is_some_and(|clause| clause.asks == Some(false));
        let asking = if states_last { clauses.first_mut() } else { clauses.last_mut() };
        asking.into_iter().for_each(|clause| clause.asks = Some(true));
    }
    let mut last = false;
    let is_asked = |clause: Clause| {
        last = clause.asks.unwrap_or(last);
        (last && (clause.asks.is_some() || clause.continues)).then_some(clause.tokens)
    };
    clauses.into_iter().filter_map(is_asked).collect()
}

/// The clauses of a sentence: marks part them, and words that state something within one.
fn clauses(reading: &Reading, sentence: &Sentence) -> Vec<Clause> {
    let (mut clauses, mut start) = (Vec::new(), sentence.start);
    let mut asks = None;
    for at in sentence.start..=sentence.end {
        let word = if at < sentence.end { reading.word(at) } else { "" };
        let ends =
            at == sentence.end || matches!(reading.kind(at), Some(Kind::Mark(b',' | b';' | b':')));
        let states =
            STATING.contains(&word) || word == "with" && LISTED.contains(&reading.word(at + 1));
        let turns = word == "whether";
        if (ends || states || turns) && at > start {
            let continues = CONTINUING.contains(&reading.word(start));
            clauses.push(Clause { tokens: start..at, asks, continues });
            asks = None;
        }
        if ends {
            start = at + 1;
        } else if states || turns {
            (start, asks) = (at, Some(turns));
        } else if at == start {
            asks = ASKING.contains(&word).then_some(true);
        }
    }
    clauses
}
