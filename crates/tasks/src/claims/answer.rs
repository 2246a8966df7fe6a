//! What the verdict takes as the answer, as a claim: where it stands in the text, and whether it holds.

use std::ops::Range;

use serde_json::Value;

use super::{Claim, ClaimKind};
use crate::names::join;
use crate::read_text::ReadText;
use crate::reading::{Kind, Reading, ReadingPart, Sentence};
use crate::verify::verify_answer;
use crate::{Answer, EvidenceMarks, Problem, Verdict};

/// The most numbers of an answer that is looked for in the sentences of its text.
const MOST_NUMBERS: usize = 200;

/// The answer of a text as a claim; none if the text answers nothing.
///
/// It is true where the verdict is `Correct`. Where that is `Partial`, what is shown for a right decision
/// or number does not hold, and the claim stands where that is shown.
pub(super) fn claim(problem: &Problem, read: &ReadText<'_>) -> Option<Claim> {
    let (answer, reading) = read.answer().ok()?;
    let judgement = verify_answer(problem, &answer);
    // Of a half right answer the witness or the number is what fails.
    let first = match judgement.verdict {
        Verdict::Partial => [ReadingPart::Witness, ReadingPart::Number, ReadingPart::Decision],
        _ => [ReadingPart::Decision, ReadingPart::Witness, ReadingPart::Number],
    };
    let fired = reading.fired();
    let sentence = |part: &ReadingPart| {
        fired.iter().filter(|rule| rule.part == *part).find_map(|rule| rule.sentence)
    };
    let sentence = first.iter().find_map(sentence).or_else(|| last_with(reading, &answer));
    let tokens = sentence.and_then(|sentence| said(reading, sentence));
    let place = reading.place(tokens.or_else(|| words(reading, 0..reading.tokens.len()))?)?;
    Some(Claim {
        kind: ClaimKind::Answer,
        start: place.start,
        end: place.end,
        says: says(&answer),
        is_true: judgement.verdict == Verdict::Correct,
        why: judgement.explanation,
        marks: EvidenceMarks::default(),
        in_program: false,
    })
}

/// The yes or no beside a path through all nodes that is none: no claim in the text's words says the same.
pub(super) fn decision(problem: &Problem, read: &ReadText<'_>) -> Option<Claim> {
    let (answer, reading) = read.answer().ok()?;
    let (Answer::Hamilton(shown) | Answer::Hamiltonian(shown)) = &answer else { return None };
    let exists = shown.exists.filter(|_| !shown.path.is_empty())?;
    let fired = reading.fired();
    let of = |part| fired.iter().find(|rule| rule.part == part)?.sentence;
    let sentence = of(ReadingPart::Decision).filter(|i| of(ReadingPart::Witness) != Some(*i))?;
    let place = reading.place(said(reading, sentence)?)?;
    let judgement = verify_answer(problem, &answer);
    let is_true = match judgement.verdict {
        Verdict::Partial => true,
        Verdict::Incorrect => false,
        _ => return None,
    };
    Some(Claim {
        kind: ClaimKind::Answer,
        start: place.start,
        end: place.end,
        says: if exists { "yes" } else { "no" }.into(),
        is_true,
        why: judgement.explanation,
        marks: EvidenceMarks::default(),
        in_program: false,
    })
}

/// A place where reasons stand.
pub(super) struct Reason {
    pub(super) place: Range<usize>,
    /// Only edges and paths are reasons there.
    pub(super) shows: bool,
}

/// Up to this number of sentences, what follows a decision is its reason.
const SHORT: usize = 12;

/// Where a text gives reasons for its answer: the sentence with the witness, and what follows "because" or
/// "since" in that with the decision; in a short text also the edges and paths that follow.
pub(super) fn reasons(reading: &Reading) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for rule in reading.fired() {
        let Some(mut tokens) = rule.sentence.and_then(|i| said(reading, i)) else { continue };
        match rule.part {
            ReadingPart::Witness => {}
            ReadingPart::Decision => {
                let because = |at: &usize| matches!(reading.word(*at), "because" | "since");
                let next = tokens.end..reading.tokens.len();
                if reading.sentences.len() <= SHORT {
                    let place = words(reading, next).and_then(|shown| reading.place(shown));
                    reasons.extend(place.map(|place| Reason { place, shows: true }));
                }
                let Some(at) = tokens.clone().find(because) else { continue };
                tokens.start = at;
            }
            ReadingPart::Number | ReadingPart::Nothing => continue,
        }
        reasons.extend(reading.place(tokens).map(|place| Reason { place, shows: false }));
    }
    reasons
}

/// The tokens of a sentence from its first word or number to its last.
fn said(reading: &Reading, sentence: usize) -> Option<Range<usize>> {
    let sentence = reading.sentences.get(sentence)?;
    words(reading, sentence.start..sentence.end)
}

fn words(reading: &Reading, mut tokens: Range<usize>) -> Option<Range<usize>> {
    let is_said = |at: &usize| matches!(reading.kind(*at), Some(Kind::Word | Kind::Number));
    let first = tokens.find(is_said)?;
    let last = tokens.rfind(is_said).unwrap_or(first);
    Some(first..last + 1)
}

/// The last sentence that has every number of an answer, where a rule about the whole text found it.
fn last_with(reading: &Reading, answer: &Answer) -> Option<usize> {
    let mut numbers = Vec::new();
    flatten(&serde_json::to_value(answer).ok()?, &mut numbers);
    let has_all = |sentence: &Sentence| {
        let has = |n: &f64| (sentence.start..sentence.end).any(|at| reading.number(at) == Some(*n));
        numbers.iter().all(has)
    };
    if numbers.is_empty() || numbers.len() > MOST_NUMBERS {
        return None;
    }
    reading.sentences.iter().rposition(has_all)
}

/// The numbers in a value.
fn flatten(value: &Value, numbers: &mut Vec<f64>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, numbers)),
        Value::Object(items) => items.values().for_each(|item| flatten(item, numbers)),
        value => numbers.extend(value.as_f64()),
    }
}

/// The answer in a few words.
fn says(answer: &Answer) -> String {
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    match answer {
        Answer::Connectivity(answer) if answer.path.is_empty() => yes(answer.connected).into(),
        Answer::Connectivity(answer) => format!("yes: {}", join(&answer.path, "-")),
        Answer::Cycle(answer) | Answer::DirectedCycle(answer) if !answer.cycle.is_empty() => {
            format!("cycle {}", join(&answer.cycle, "-"))
        }
        Answer::ShortestPath(answer) if !answer.path.is_empty() => {
            format!("shortest path {}", join(&answer.path, "-"))
        }
        Answer::Flow(answer) => match answer.value {
            Some(value) => format!("maximum flow is {value}"),
            None => "a flow".into(),
        },
        Answer::Matching(answer) => match (answer.count, answer.pairs.len()) {
            (Some(count), 0) => format!("{count} applicants find a job"),
            (_, n) => format!("an assignment of {n} jobs"),
        },
        Answer::Gnn(answer) => format!("{} rows", answer.rows.len()),
        other => fields(other),
    }
}

/// The fields of an answer that say something: `yes`, `total 8`, `order 0-2-1`.
fn fields(answer: &Answer) -> String {
    let Ok(Value::Object(fields)) = serde_json::to_value(answer) else {
        return "the answer".into();
    };
    let shown = |(name, value): (&String, &Value)| match value {
        _ if name == "kind" => None,
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        Value::Number(n) => Some(format!("{} {}", name.trim_start_matches("n_"), n.as_f64()?)),
        Value::Array(items) if !items.is_empty() => {
            let link = if items.iter().all(Value::is_array) { ", " } else { "-" };
            let items: Vec<String> = items.iter().map(item).collect();
            Some(format!("{name} {}", items.join(link)))
        }
        _ => None,
    };
    let said: Vec<String> = fields.iter().filter_map(shown).collect();
    if said.is_empty() { "the answer".into() } else { said.join(", ") }
}

fn item(value: &Value) -> String {
    match value {
        Value::String(name) => name.clone(),
        Value::Array(items) => items.iter().map(item).collect::<Vec<_>>().join("-"),
        other => other.to_string(),
    }
}
