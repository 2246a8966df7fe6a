//! Two answers of a text of which each may be its last word.

use super::force::muses;
use super::lexicon::Phrases;
use super::rules::ReadingPart;
use super::text::{Reading, Sentence};

/// What a line may begin with that gives nothing but an answer.
static LABELS: Phrases = Phrases::of(
    "final, answer, the, result, conclusion, decision, verdict, output, solution, is, so, and, or",
);
/// Words between "or" and the second answer.
static BETWEEN: Phrases =
    Phrases::of("or, either, maybe, possibly, perhaps, even, units, unit, also");

/// The most tokens of a line that says nothing but an answer.
const MOST_ALONE: usize = 9;

/// One of two answers.
#[derive(Clone, Copy, PartialEq)]
enum Word {
    Decision(bool),
    Number(f64),
}

impl Word {
    fn said(self) -> String {
        match self {
            Self::Decision(true) => "yes".into(),
            Self::Decision(false) => "no".into(),
            Self::Number(n) => n.to_string(),
        }
    }
}

/// What a sentence has that concludes, or turns away from what was said before.
static TURNS: Phrases = Phrases::of(
    "therefore, so, thus, hence, however, but, although, though, actually, wait, conclude, conclusion, answer, \
     finally, instead, correction, mistake, indeed, because, since, yes, no",
);

/// Words of a sentence about single steps.
static OF_STEPS: Phrases = Phrases::of(
    "direct path, direct edge, direct connection, directly, an edge, no edge, edge between, edges between",
);

/// Whether a text says the one decision and then the other, as if it were the same: "no, there is no cycle. the
/// graph is a cycle". What a text turns to or concludes counts, and what it says of single steps does not.
fn contradicts(reading: &Reading, yes: bool) -> bool {
    let fired = reading.fired();
    let decided = fired.iter().find(|rule| rule.part == ReadingPart::Decision);
    let Some(decided) = decided.and_then(|rule| rule.sentence) else { return false };
    let sentences = &reading.sentences[..=decided.min(reading.sentences.len() - 1)];
    let is_plain = |sentence: &Sentence| {
        !sentence.is_question() && !sentence.is_check && !sentence.has_any(&TURNS)
    };
    let n = sentences.iter().rev().take_while(|sentence| is_plain(sentence)).count();
    let Some(before) = (sentences.len() - n).checked_sub(1).filter(|_| n > 0) else { return false };
    let sentence = &sentences[before];
    let replies = before > 0 && sentences[before - 1].is_question();
    reading.leading(sentence) == Some(!yes)
        && !replies
        && sentence.end - sentence.start > 2
        && !sentence.is_question()
        && !sentence.has_any(&OF_STEPS)
}

/// Two answers that a text gives in one breath, "7 or 9" or on two lines that say nothing else, where what
/// was read is one of them, or decisions of which the one contradicts the other; `values` are the numbers of
/// what was read, and `yes` is what it decides. Why nothing is read then.
pub(crate) fn two_answers(
    reading: &Reading,
    values: impl FnOnce() -> Vec<f64>,
    yes: Option<bool>,
) -> Option<String> {
    let both = |a: Word, b: Word| {
        let (a, b) = (a.said(), b.said());
        format!("The text gives two answers, {a} and {b}, and does not say which of them counts.")
    };
    if let Some(yes) = yes.filter(|yes| contradicts(reading, *yes)) {
        return Some(both(Word::Decision(!yes), Word::Decision(yes)));
    }
    let sentences = &reading.sentences;
    let are_short = |two: &[Sentence]| two.iter().all(|s| s.end - s.start <= MOST_ALONE);
    if !sentences.iter().any(|s| s.has("or")) && !sentences.windows(2).any(are_short) {
        return None;
    }
    let values = values();
    let fired = reading.fired();
    let decides = fired.iter().any(|rule| rule.part == ReadingPart::Decision);
    let placed = || fired.iter().any(|rule| rule.sentence.is_some());
    let has_value = |sentence: &Sentence| {
        (sentence.start..sentence.end)
            .any(|at| reading.number(at).is_some_and(|n| values.contains(&n)))
    };
    // The sentence that decides; where a rule about the whole text did, the last that has the number.
    let decided = |i: usize| match placed() {
        true => fired.iter().any(|rule| rule.sentence == Some(i)),
        false => sentences.iter().rposition(has_value) == Some(i),
    };
    let says = |i: usize| sentences.get(i).and_then(|sentence| alone(reading, sentence));
    let differ = |i: usize| {
        let sentence = &sentences[i];
        if sentence.is_question() || sentence.is_check || muses(sentence) || !decided(i) {
            return None;
        }
        let in_one =
            (sentence.start..sentence.end).find_map(|at| alternatives(reading, sentence, at));
        // A line with one answer right behind a line with another, but for an "or".
        let in_two = || {
            let is_or = |i: &usize| sentences[*i].plain.trim() == "or";
            let before = (0..i).rev().find(|i| !is_or(i))?;
            Some((says(before)?, says(i)?))
        };
        let (a, b) = in_one.or_else(in_two)?;
        let counts = match (a, b) {
            (Word::Decision(a), Word::Decision(b)) => decides && a != b,
            (Word::Number(a), Word::Number(b)) => {
                a != b && (values.contains(&a) || values.contains(&b))
            }
            _ => false,
        };
        counts.then_some((a, b))
    };
    let (a, b) = (0..sentences.len()).rev().find_map(differ)?;
    Some(both(a, b))
}

/// The answer of a sentence that says nothing else: `answer: yes`.
fn alone(reading: &Reading, sentence: &Sentence) -> Option<Word> {
    if sentence.end - sentence.start > MOST_ALONE {
        return None;
    }
    let mut words = (sentence.start..sentence.end)
        .filter(|at| !reading.word(*at).bytes().all(|byte| byte.is_ascii_punctuation()));
    let is_label = |at: &usize| LABELS.contains(&reading.word(*at));
    let mut labels = 0;
    let at = words.by_ref().find(|at| {
        let label = is_label(at);
        labels += usize::from(label);
        !label
    })?;
    (labels > 0 && words.next().is_none()).then(|| word(reading, at))?
}

/// The two answers around an "or".
fn alternatives(reading: &Reading, sentence: &Sentence, at: usize) -> Option<(Word, Word)> {
    if reading.word(at) != "or" || at == sentence.start {
        return None;
    }
    let is_between = |at: &usize| BETWEEN.contains(&reading.word(*at));
    let before = (sentence.start..at).rev().find(|at| !is_between(at))?;
    let behind = (at + 1..sentence.end).find(|at| !is_between(at))?;
    let (first, second) = (word(reading, before)?, word(reading, behind)?);
    // `nodes 3 or 4` names nodes, `(yes or no)` a form, and in `3 or 4 + 5` the numbers are parts of more.
    let names =
        matches!(reading.word(before.wrapping_sub(1)), "node" | "nodes" | "job" | "city" | "(");
    let ends = behind + 1 >= sentence.end
        || matches!(reading.word(behind + 1), "units" | "unit" | "." | "," | ")" | "colors");
    (!names && ends).then_some((first, second))
}

fn word(reading: &Reading, at: usize) -> Option<Word> {
    match reading.word(at) {
        "yes" | "true" => Some(Word::Decision(true)),
        "no" | "false" => Some(Word::Decision(false)),
        _ => reading.number(at).map(Word::Number),
    }
}
