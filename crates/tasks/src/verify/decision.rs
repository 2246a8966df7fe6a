//! Which of two decisions a text comes to.

/// What the sentences of a text say for or against, in order.
///
/// A strong statement is about the question itself, a weak one only hints at an answer. The last
/// strong one is the conclusion: models think aloud first and conclude then. Hints count only
/// where the text ends with them.
#[derive(Default)]
pub(crate) struct Decision {
    strong: Option<bool>,
    weak: Option<(bool, usize)>,
}

impl Decision {
    pub(crate) fn say(&mut self, yes: bool) {
        self.strong = Some(yes);
    }

    pub(crate) fn hint(&mut self, yes: bool, sentence: usize) {
        self.weak = Some((yes, sentence));
    }

    /// The decision; `last` is the last sentence, `None` for a text that is cut off.
    pub(crate) fn conclude(&self, last: Option<usize>) -> Option<bool> {
        self.strong.or_else(|| {
            let (yes, sentence) = self.weak?;
            (Some(sentence) == last).then_some(yes)
        })
    }
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
pub(crate) fn muses(sentence: &super::reading::Sentence) -> bool {
    MUSINGS.iter().any(|m| sentence.begins(m)) || sentence.has_any(&WONDERING)
}

/// "the answer is yes", wherever it stands in a sentence.
pub(crate) fn answer_is(sentence: &super::reading::Sentence) -> Option<bool> {
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
    ];
    match (sentence.has_any(&yes), sentence.has_any(&no)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
