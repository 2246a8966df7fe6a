//! What the verdict takes as the answer, as a claim: where it stands in the text, and whether it holds.

use std::ops::Range;

use super::scan::{Kind, tokens};
use super::{Claim, ClaimKind};
use crate::names::join;
use crate::reading::{Names, ReadingPart, ReadingRule};
use crate::verify::{read, verify_answer};
use crate::{Answer, EvidenceMarks, Judgement, Problem, Verdict};

/// The answer of a text, judged, with the sentences that its parts were read from.
struct Judged {
    answer: Answer,
    judgement: Judgement,
    /// The words of the sentence that each part was read from.
    said: Vec<(ReadingPart, Vec<String>)>,
}

/// Reads and judges a text; none if it answers nothing.
fn judged(problem: &Problem, text: &str) -> Option<Judged> {
    let names = Names::of(problem);
    let (asked, written) = match &names {
        Some(names) => (&names.problem, names.write(text)),
        None => (problem, text.to_owned()),
    };
    let (reading, answer) = read(asked, &written)?;
    let answer = match &names {
        Some(names) => names.named(&answer)?,
        None => answer,
    };
    let words = |rule: &ReadingRule| {
        let words = reading.words(reading.sentences.get(rule.sentence?)?);
        Some((rule.part, names.as_ref().map_or(words.clone(), |names| names.read(&words))))
    };
    let said = reading.fired().iter().filter_map(words).collect();
    let judgement = verify_answer(problem, &answer);
    Some(Judged { answer, judgement, said })
}

/// The answer of a text as a claim; none if the text answers nothing.
///
/// It is true where the verdict is `Correct`. Where that is `Partial`, what is shown for a right decision
/// or number does not hold, and the claim stands where that is shown.
pub(super) fn claim(problem: &Problem, text: &str) -> Option<Claim> {
    let Judged { answer, judgement, said } = judged(problem, text)?;
    // Of a half right answer the witness or the number is what fails.
    let first = match judgement.verdict {
        Verdict::Partial => [ReadingPart::Witness, ReadingPart::Number, ReadingPart::Decision],
        _ => [ReadingPart::Decision, ReadingPart::Witness, ReadingPart::Number],
    };
    let said = first.iter().find_map(|part| said.iter().find(|(of, _)| of == part));
    let (start, end) = place(text, said.map_or(&[], |(_, words)| words))?;
    Some(Claim {
        kind: ClaimKind::Answer,
        start,
        end,
        says: says(&answer),
        is_true: judgement.verdict == Verdict::Correct,
        why: judgement.explanation,
        marks: EvidenceMarks::default(),
    })
}

/// Where a text gives reasons for its answer: the sentence with the witness, and what follows "because" or
/// "since" in that with the decision.
pub(super) fn reasons(problem: &Problem, text: &str) -> Vec<Range<usize>> {
    let Some(Judged { said, .. }) = judged(problem, text) else { return Vec::new() };
    let reason = |(part, words): &(ReadingPart, Vec<String>)| match part {
        ReadingPart::Witness => place(text, words),
        ReadingPart::Decision => {
            let because =
                words.iter().position(|word| matches!(word.as_str(), "because" | "since"))?;
            place(text, &words[because..])
        }
        ReadingPart::Number | ReadingPart::Nothing => None,
    };
    said.iter().filter_map(reason).map(|(start, end)| start..end).collect()
}

/// The most words of a sentence that are looked for in the text.
const MOST_WORDS: usize = 256;

/// Where some words stand last in a text, or their numbers alone; else all of the text.
fn place(text: &str, said: &[String]) -> Option<(usize, usize)> {
    let tokens: Vec<_> = tokens(text)
        .into_iter()
        .filter(|token| matches!(token.kind, Kind::Word | Kind::Number))
        .map(|token| (text[token.start..token.end].to_lowercase().replace('’', "'"), token))
        .collect();
    let last = |said: Vec<&str>, numbers_alone: bool| {
        let of: Vec<_> =
            tokens.iter().filter(|(_, t)| !numbers_alone || t.kind == Kind::Number).collect();
        if said.is_empty() {
            return None;
        }
        let fits = |window: &[&(String, super::scan::Token)]| {
            window.iter().zip(&said).all(|((word, _), said)| word == said)
        };
        let at = of.windows(said.len()).rposition(fits)?;
        Some((of[at].1.start, of[at + said.len() - 1].1.end))
    };
    // The beginning of a long sentence tells its place.
    let words: Vec<&str> = said.iter().take(MOST_WORDS).map(String::as_str).collect();
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let numbers: Vec<&str> = words.iter().copied().filter(is_number).collect();
    let whole = || Some((tokens.first()?.1.start, tokens.last()?.1.end));
    last(words, false).or_else(|| last(numbers, true)).or_else(whole)
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
        Answer::Cycle(answer) | Answer::DirectedCycle(answer) => yes(answer.has_cycle).into(),
        Answer::Topology(answer) if !answer.order.is_empty() => {
            format!("order {}", join(&answer.order, "-"))
        }
        Answer::ShortestPath(answer) if !answer.path.is_empty() => {
            format!("shortest path {}", join(&answer.path, "-"))
        }
        Answer::Hamilton(answer) | Answer::Hamiltonian(answer) if !answer.path.is_empty() => {
            format!("path {}", join(&answer.path, "-"))
        }
        Answer::Flow(answer) => match answer.value {
            Some(value) => format!("maximum flow is {value}"),
            None => "a flow".into(),
        },
        Answer::Matching(answer) => format!("an assignment of {} jobs", answer.pairs.len()),
        Answer::Gnn(answer) => format!("{} rows", answer.rows.len()),
        _ => "the answer".into(),
    }
}
