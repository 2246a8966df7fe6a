//! Which of two decisions a text comes to.

use super::lexicon::Phrases;
use super::rules::ReadingRule;
use super::text::{Reading, Sentence};

/// What the sentences of a text say for or against, in order.
///
/// A strong statement is about the question itself, a weak one only hints at an answer. The last
/// strong one is the conclusion: models think aloud first and conclude then. Hints count only
/// where the text ends with them.
#[derive(Default)]
pub(crate) struct Decision {
    strong: Option<(bool, ReadingRule)>,
    weak: Option<(bool, ReadingRule)>,
}

impl Decision {
    /// Hears what each sentence of a text says: for or against, and whether about the question itself. `asks`
    /// is whether a question in the text is the one that was put; a reply to another settles nothing.
    pub(crate) fn hear(
        reading: &Reading,
        asks: impl Fn(&Sentence) -> bool,
        says: impl Fn(usize, &Sentence, bool) -> Option<(Said, bool)>,
    ) -> Self {
        let mut decision = Self::default();
        let mut replies = true;
        for (i, sentence) in reading.sentences.iter().enumerate() {
            if sentence.is_question() {
                replies = asks(sentence);
                continue;
            }
            let replies = std::mem::replace(&mut replies, true);
            let answer = answer_is(sentence).map(|said| (said, true));
            if answer.is_none() && cannot_tell(sentence) {
                decision = Self::default();
            }
            let vouched = reading.vouched(sentence);
            let Some((said, is_strong)) = answer.or_else(|| says(i, &vouched, replies)) else {
                continue;
            };
            let rule = ReadingRule::decision(said.rule, said.words, i);
            let place = if is_strong { &mut decision.strong } else { &mut decision.weak };
            *place = Some((said.yes, rule));
        }
        decision
    }

    /// What the text comes to.
    pub(crate) fn conclude(&self, reading: &Reading) -> Option<bool> {
        let last = reading.sentences.len().checked_sub(1);
        let is_whole = !reading.is_cut_off() || reading.sentences.len() <= 2;
        let is_end = |rule: &ReadingRule| is_whole && rule.sentence == last;
        let hint = || self.weak.as_ref().filter(|(_, rule)| is_end(rule));
        let (yes, rule) = self.strong.as_ref().or_else(hint)?;
        reading.fire(rule.clone());
        Some(*yes)
    }
}

/// What a sentence says for or against, and the rule by which it is taken so.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    pub(crate) yes: bool,
    pub(crate) rule: &'static str,
    pub(crate) words: &'static str,
}

impl Said {
    pub(crate) fn new(yes: bool, rule: &'static str, words: &'static str) -> Self {
        Self { yes, rule, words }
    }
}

/// The decision of an answer behind `###`, the last first: the word itself, not letters of another.
/// `says` is what other words of the task mean.
pub(crate) fn marked(reading: &Reading, says: impl Fn(&Sentence) -> Option<bool>) -> Option<bool> {
    let of = |line: &String| {
        let reading = Reading::new(line);
        let sentence = reading.sentences.first()?;
        match reading.word(sentence.start) {
            "yes" | "true" => return Some(true),
            "no" | "false" => return Some(false),
            _ => {}
        }
        let said = answer_is(sentence).map(|said| said.yes);
        said.or_else(|| reading.leading(sentence)).or_else(|| says(sentence))
    };
    let yes = reading.marked.iter().find_map(of)?;
    reading.fire(ReadingRule { sentence: None, ..ReadingRule::decision("mark", "###", 0) });
    Some(yes)
}

/// Beginnings of a no without the word.
const DENIALS: [&str; 3] = ["i do not think so", "i do not believe so", "i doubt it"];

/// A yes or no that leads its sentence.
pub(crate) fn leads(reading: &Reading, sentence: &Sentence) -> Option<Said> {
    let thinks =
        |words: &&'static str| sentence.begins(words).then(|| Said::new(false, "a denial", words));
    let yes = match reading.leading(sentence) {
        Some(yes) => yes,
        None => return DENIALS.iter().find_map(thinks),
    };
    Some(Said::new(yes, "yes or no at the start", if yes { "yes" } else { "no" }))
}

/// Words between two statements: what follows them may still only suppose.
static CONNECTIVES: Phrases =
    Phrases::of("however, but, and, so, otherwise, then, also, or, similarly, likewise, now, next");

/// The words of a sentence behind those that only join it to the one before.
fn past_connectives(plain: &str) -> &str {
    let mut plain = plain.trim_start();
    while let Some((first, rest)) = plain.split_once(' ')
        && CONNECTIVES.contains(&first)
    {
        plain = rest;
    }
    plain
}

/// Whether a text begins with one of some phrases, as whole words.
fn begins_with(plain: &str, phrases: &[&str]) -> bool {
    let is_begun = |words: &&str| {
        plain.strip_prefix(*words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    phrases.iter().any(is_begun)
}

/// Whether a sentence supposes something: "however, if …, then …".
pub(crate) fn supposes(sentence: &Sentence) -> bool {
    let plain = past_connectives(&sentence.plain);
    ["if ", "suppose ", "assume ", "whether "].iter().any(|word| plain.starts_with(word))
}

/// Beginnings of sentences that only wonder, plan or suppose.
static MUSINGS: Phrases = Phrases::of(
    "if, unless, imagine, let, whether, to determine, to find, to check, to see, to solve, \
     to answer, we need to, we must, we want to, we have to, let's check, let's see, let us, \
     first we, we can check, we can determine, we can find out, suppose, assume, let me, \
     we should, i need to, to have, to form, to create, to contain, for there to be, in order to, \
     a cycle is, a path is a, a graph that, a graph with",
);

/// Turns inside a sentence that make what follows a question and not a statement.
static WONDERING: Phrases = Phrases::of(
    "if there were, if there was, would be an edge, if there is, if there are, whether there is, \
     whether there are, if there exists, whether there exists, whether or not, need to look for, \
     look for a, looking for a, check for a, check if, see if, determine if, check whether, \
     determine whether, searching for a, if the graph, whether such, whether a, \
     whether the graph, may or may not, might or might not, would need, would have to, \
     would create, would form",
);

/// Words of a sentence that says that nothing can be said.
static UNKNOWN: Phrases = Phrases::of(
    "cannot determine, can not determine, cannot tell, cannot say, cannot conclude, \
     cannot be determined, cannot decide, unable to determine, unable to tell, \
     not possible to determine, not possible to say, impossible to determine, impossible to say, \
     impossible to tell, not enough information, do not know",
);

/// Whether a sentence says that the question cannot be answered; it takes back what was said before.
fn cannot_tell(sentence: &Sentence) -> bool {
    sentence.has_any(&UNKNOWN)
}

/// Beginnings of what takes back the sentence before.
static SECOND_THOUGHTS: Phrases = Phrases::of(
    "wait, hold on, actually, correction, hmm, no wait, oops, scratch that, on second thought, \
     instead, so instead, let me redo, let me correct",
);

/// Whether a sentence takes back what was said before it.
pub(crate) fn takes_back(sentence: &Sentence) -> bool {
    begins_with(past_connectives(&sentence.plain), &SECOND_THOUGHTS) || sentence.has("so instead")
}

/// Which sentences say that something is so: they neither ask nor suppose, and the next does not take
/// them back.
pub(crate) fn asserted(reading: &Reading) -> Vec<bool> {
    let sentences = &reading.sentences;
    let is_kept = |i: usize| sentences.get(i + 1).is_none_or(|next| !takes_back(next));
    // "Determine the path: if nodes 3 and 7 are joined, there is one."
    let is_open = |sentence: &Sentence| {
        muses(sentence) || reading.behind_heading(sentence).is_some_and(|rest| muses(&rest))
    };
    let says = |(i, sentence): (usize, &Sentence)| {
        !sentence.is_question() && !is_open(sentence) && is_kept(i)
    };
    sentences.iter().enumerate().map(says).collect()
}

/// Whether a sentence states nothing: it wonders, plans, supposes, or says what would have to be.
pub(crate) fn muses(sentence: &Sentence) -> bool {
    let plain = past_connectives(&sentence.plain);
    // "Otherwise, it is bipartite" is the other branch of a supposition.
    let is_branch = sentence.begins("otherwise");
    is_branch || begins_with(plain, &MUSINGS) || sentence.has_any(&WONDERING)
}

/// "the answer is yes", wherever it stands in a sentence.
fn answer_is(sentence: &Sentence) -> Option<Said> {
    let yes = [
        "answer is yes",
        "answer yes",
        "answer is a yes",
        "answer is true",
        "so yes",
        "therefore yes",
        "answer would be yes",
        "answer to the question is yes",
        // JSON such as `"has_cycle": true`.
        "cycle true",
        "connected true",
        "exists true",
        "path true",
        "possible true",
        "result true",
        "reachable true",
        "visited true",
    ];
    let no = [
        "answer is no",
        "answer no",
        "answer is a no",
        "answer is false",
        "so no there",
        "therefore no there",
        "answer would be no",
        "answer to the question is no",
        "cycle false",
        "connected false",
        "exists false",
        "path false",
        "possible false",
        "result false",
        "reachable false",
        "visited false",
    ];
    // "There's none.", and "…, but as given the graph has none".
    let whole = sentence.plain.trim();
    let none = matches!(whole, "there is none" | "there are none" | "none exists" | "none exist");
    if none || whole.ends_with("the graph has none") {
        return Some(Said::new(false, "none", "none"));
    }
    match (sentence.find(&yes), sentence.find(&no)) {
        (Some(words), None) => Some(Said::new(true, "the answer is", words)),
        (None, Some(words)) => Some(Said::new(false, "the answer is", words)),
        _ => in_a_field(sentence),
    }
}

/// A field of a table or of JSON: `path exists: yes`.
fn in_a_field(sentence: &Sentence) -> Option<Said> {
    let fields = [
        "cycle",
        "connected",
        "exists",
        "path",
        "possible",
        "result",
        "reachable",
        "bipartite",
        "present",
        "subgraph",
        "substructure",
    ];
    let plain = sentence.plain.trim_end();
    let (name, yes) = match plain.strip_suffix(" yes") {
        Some(name) => (name, true),
        None => (plain.strip_suffix(" no")?, false),
    };
    let field = fields.iter().find(|field| name.ends_with(**field))?;
    let about_all = name.split(' ').count() <= 6 && !name.bytes().any(|b| b.is_ascii_digit());
    about_all.then(|| Said::new(yes, "a field", field))
}
