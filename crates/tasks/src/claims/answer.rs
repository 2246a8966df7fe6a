//! What the verdict takes as the answer, as a claim: where it stands in the text, and whether it holds.

use std::ops::Range;

use super::{Claim, ClaimKind};
use crate::names::join;
use crate::read_text::ReadText;
use crate::reading::{Kind, Reading, ReadingPart};
use crate::verify::verify_answer;
use crate::{Answer, EvidenceMarks, Problem, Verdict};

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
    let tokens = first.iter().find_map(sentence).and_then(|sentence| said(reading, sentence));
    let place = reading.place(tokens.or_else(|| words(reading, 0..reading.tokens.len()))?)?;
    Some(Claim {
        kind: ClaimKind::Answer,
        start: place.start,
        end: place.end,
        says: says(&answer),
        is_true: judgement.verdict == Verdict::Correct,
        why: judgement.explanation,
        marks: EvidenceMarks::default(),
    })
}

/// Where a text gives reasons for its answer: the sentence with the witness, and what follows "because" or
/// "since" in that with the decision.
pub(super) fn reasons(reading: &Reading) -> Vec<Range<usize>> {
    let mut reasons = Vec::new();
    for rule in reading.fired() {
        let Some(mut tokens) = rule.sentence.and_then(|i| said(reading, i)) else { continue };
        match rule.part {
            ReadingPart::Witness => {}
            ReadingPart::Decision => {
                let because = |at: &usize| matches!(reading.word(*at), "because" | "since");
                let Some(at) = tokens.clone().find(because) else { continue };
                tokens.start = at;
            }
            ReadingPart::Number | ReadingPart::Nothing => continue,
        }
        reasons.extend(reading.place(tokens));
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
