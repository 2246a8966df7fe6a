//! Which of several candidates a text chooses in words: the last one, the latter, option B.

use crate::reading::{Kind, Reading, Run, Sentence, Stop, contains, supposes};

/// Words for the better of several.
const BETTER: [&str; 15] = [
    "shortest", "smallest", "least", "lightest", "minimum", "best", "cheapest", "shorter",
    "smaller", "less", "lighter", "lower", "better", "cheaper", "lowest",
];

/// Words by which one is chosen.
const TAKES: [&str; 9] =
    ["take", "choose", "pick", "prefer", "select", "use", "chose", "picked", "go with"];

/// What candidates are called.
const KINDS: [&str; 8] =
    ["one", "path", "route", "option", "candidate", "choice", "alternative", "way"];

/// Words for the last of several, the first, the second and so on.
const ORDINALS: [&str; 7] = ["last", "first", "second", "third", "fourth", "fifth", "sixth"];

/// The candidate that the last sentence which chooses one chooses, and that sentence.
pub(crate) fn chosen(reading: &Reading, candidates: &[&Run]) -> Option<(usize, usize)> {
    reading.sentences.iter().enumerate().rev().find_map(|(i, sentence)| {
        if sentence.is_question() || supposes(sentence) {
            return None;
        }
        let nth = (sentence.start..sentence.end).find_map(|at| {
            nominee(reading, candidates, i, at).filter(|_| chooses(reading, sentence, at))
        })?;
        Some((nth, i))
    })
}

/// The candidate that the words at a token name: `the latter`, `the second one`, `option b`.
fn nominee(reading: &Reading, candidates: &[&Run], sentence: usize, at: usize) -> Option<usize> {
    let next = reading.word(at + 1);
    match reading.word(at) {
        word @ ("former" | "latter") => {
            let before =
                candidates.iter().filter(|run| run.sentence <= sentence && run.end < at).count();
            before.checked_sub(if word == "latter" { 1 } else { 2 }).filter(|_| before > 1)
        }
        word if KINDS[1..].contains(&word) => {
            let of = |run: &&Run| label(reading, run).is_some_and(|label| label == next);
            candidates.iter().position(of).filter(|_| is_label(reading, at + 1))
        }
        word if KINDS.contains(&next) => match ORDINALS.iter().position(|nth| *nth == word)? {
            0 => candidates.len().checked_sub(1),
            nth => Some(nth - 1).filter(|nth| *nth < candidates.len()),
        },
        _ => None,
    }
}

/// Whether a sentence chooses what it names at a token.
fn chooses(reading: &Reading, sentence: &Sentence, at: usize) -> bool {
    let than = (at..sentence.end).find(|at| reading.word(*at) == "than").unwrap_or(sentence.end);
    let (before, behind) = (reading.plain(sentence.start, at), reading.plain(at, than));
    let has = |plain: &str, words: &[&str]| words.iter().any(|word| contains(plain, word));
    !has(&before, &["not", "than", "unlike"])
        && (has(&before, &TAKES) || has(&before, &BETTER[..7]) || has(&behind, &BETTER))
}

/// The label of a candidate, the `b` of `option b: 0-1-3`.
fn label<'r>(reading: &'r Reading, run: &Run) -> Option<&'r str> {
    let sentence = &reading.sentences[run.sentence];
    let in_tokens = |start: usize, end: usize| {
        let mut tokens = (start..end.saturating_sub(1)).rev();
        let is_one =
            |at: &usize| KINDS[1..].contains(&reading.word(*at)) && is_label(reading, at + 1);
        tokens.find(is_one).map(|at| reading.word(at + 1))
    };
    in_tokens(sentence.start, run.start).or_else(|| {
        // A heading on a line of its own.
        let heading = reading.sentences.get(run.sentence.checked_sub(1)?)?;
        let is_below = heading.stop == Stop::Line && run.start <= sentence.start + 4;
        is_below.then(|| in_tokens(heading.start, heading.end)).flatten()
    })
}

fn is_label(reading: &Reading, at: usize) -> bool {
    match reading.kind(at) {
        Some(Kind::Word) => reading.word(at).len() == 1,
        kind => kind == Some(Kind::Number),
    }
}
