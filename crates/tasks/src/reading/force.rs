//! Which of two decisions a text comes to.

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
    /// A statement about the question itself, by a rule that knows these words of the sentence.
    pub(crate) fn say(&mut self, said: Said, sentence: usize) {
        self.strong = Some((said.yes, ReadingRule::decision(said.rule, said.words, sentence)));
    }

    pub(crate) fn hint(&mut self, said: Said, sentence: usize) {
        self.weak = Some((said.yes, ReadingRule::decision(said.rule, said.words, sentence)));
    }

    /// The decision; `last` is the last sentence, `None` for a text that is cut off.
    pub(crate) fn conclude(&self, reading: &Reading, last: Option<usize>) -> Option<bool> {
        let hint =
            || self.weak.as_ref().filter(|(_, rule)| last.is_some() && rule.sentence == last);
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

/// A yes or no that leads its sentence.
pub(crate) fn leads(reading: &Reading, sentence: &Sentence) -> Option<Said> {
    let yes = reading.leading(sentence)?;
    Some(Said::new(yes, "yes or no at the start", if yes { "yes" } else { "no" }))
}

/// Words between two statements: what follows them may still only suppose.
const CONNECTIVES: [&str; 12] = [
    "however",
    "but",
    "and",
    "so",
    "otherwise",
    "then",
    "also",
    "or",
    "similarly",
    "likewise",
    "now",
    "next",
];

/// The words of a sentence behind those that only join it to the one before.
fn past_connectives(sentence: &Sentence) -> &str {
    let mut plain = sentence.plain.trim_start();
    while let Some((first, rest)) = plain.split_once(' ')
        && CONNECTIVES.contains(&first)
    {
        plain = rest;
    }
    plain
}

/// Whether a sentence supposes something: "however, if …, then …".
pub(crate) fn supposes(sentence: &Sentence) -> bool {
    let plain = past_connectives(sentence);
    ["if ", "suppose ", "assume ", "whether "].iter().any(|word| plain.starts_with(word))
}

/// Beginnings of sentences that only wonder, plan or suppose.
const MUSINGS: [&str; 24] = [
    "if",
    "whether",
    "to determine",
    "to find",
    "to check",
    "to see",
    "to solve",
    "to answer",
    "we need to",
    "we must",
    "we want to",
    "we have to",
    "let's check",
    "let's see",
    "let us",
    "first we",
    "we can check",
    "we can determine",
    "we can find out",
    "suppose",
    "assume",
    "let me",
    "we should",
    "i need to",
];

/// Turns inside a sentence that make what follows a question and not a statement.
const WONDERING: [&str; 18] = [
    "if there is",
    "if there are",
    "whether there is",
    "whether there are",
    "if there exists",
    "whether there exists",
    "whether or not",
    "need to look for",
    "look for a",
    "looking for a",
    "check for a",
    "check if",
    "see if",
    "determine if",
    "check whether",
    "determine whether",
    "searching for a",
    "if the graph",
];

/// Whether a sentence wonders instead of stating.
pub(crate) fn muses(sentence: &Sentence) -> bool {
    let plain = past_connectives(sentence);
    let begins = |words: &&str| {
        plain.strip_prefix(*words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    MUSINGS.iter().any(begins) || sentence.has_any(&WONDERING)
}

/// "the answer is yes", wherever it stands in a sentence.
pub(crate) fn answer_is(sentence: &Sentence) -> Option<Said> {
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
