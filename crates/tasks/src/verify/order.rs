//! The list of nodes that a text gives as its answer, for tasks that ask for one.

use crate::reading::Phrases;
use crate::reading::ReadingRule;
use std::collections::BTreeSet;

use crate::reading::{Kind, Reading, Run, Stop, contains};

/// How a task's answer is announced.
pub(crate) struct Announced<'a> {
    /// Words that stand before it, such as `solution` or `path`.
    pub(crate) by: &'a [&'a str],
    /// The number of nodes that a full list has.
    pub(crate) full: usize,
}

/// The rule for nodes told one line at a time.
pub(crate) const STEPS: &str = "steps";

/// The list that answers: the last full one that is announced, else the last announced, else one
/// told step by step, else the last full one at all. And the rule that found it.
pub(crate) fn list(reading: &Reading, announced: &Announced<'_>) -> (Vec<i64>, ReadingRule) {
    let runs: Vec<Run> = reading
        .runs()
        .into_iter()
        .filter(|run| run.numbers.len() >= 2 && !(run.bracketed && run.numbers.len() == 2))
        .collect();
    let is_announced = |run: &&Run| {
        let lead = reading.lead(run.sentence, run.start);
        announced.by.iter().any(|word| contains(&lead, word)) && !run.loose_pair()
    };
    let full = |run: &&Run| run.numbers.len() >= announced.full;
    let drawn = |run: &&Run| run.drawn && run.numbers.len() > 2;
    let steps = steps(reading);
    let last_full = || runs.iter().rev().filter(full).find(is_announced);
    let last = || runs.iter().rev().find(is_announced);
    let found = last_full()
        .map(|run| (run, "announced list"))
        .or_else(|| Some((last()?, "announced list")))
        // A list cut up by line ends: more of it may stand in steps.
        .filter(|(run, _)| full(run) || steps.len() < announced.full)
        .or_else(|| Some((runs.iter().rev().filter(full).find(drawn)?, "drawn list")))
        .or_else(|| {
            Some((runs.iter().rev().filter(full).find(|run| opened(reading, run))?, "opened list"))
        });
    let taken =
        |run: &Run, rule| (run.numbers.clone(), ReadingRule::witness(rule, Some(run.sentence)));
    if let Some((run, rule)) = found {
        return taken(run, rule);
    }
    // Nothing but a list: `3, 1, 0, 2`.
    let bare = |run: &&Run| {
        let sentence = &reading.sentences[run.sentence];
        run.start <= sentence.start + 2 && run.end + 3 >= sentence.end
    };
    if let Some(run) = runs.iter().rev().filter(full).find(bare) {
        return taken(run, "bare list");
    }
    if steps.len() >= 2 {
        return (steps, ReadingRule::witness(STEPS, None));
    }
    match runs.iter().rev().find(drawn) {
        Some(run) => taken(run, "drawn list"),
        None => (Vec::new(), ReadingRule::witness("no list", None)),
    }
}

/// Whether a list stands behind a colon, `all nodes can be visited: [0, 1]`, or is told from its start.
fn opened(reading: &Reading, run: &Run) -> bool {
    let mut at = run.start;
    while at > 0
        && matches!(reading.kind(at - 1), Some(Kind::Mark(b'[' | b'(' | b'{' | b'"' | b'$')))
    {
        at -= 1;
    }
    let starts = matches!(reading.word(at.wrapping_sub(2)), "start" | "begin" | "starting")
        && reading.word(at - 1) == "with";
    starts || at > 0 && reading.is_mark(at - 1, b':')
}

/// The one full list of a text whose words are not read.
///
/// It shows by itself whether it is right; of two, words would have to say which is meant.
pub(crate) fn list_alone(reading: &Reading, full: usize) -> Option<Vec<i64>> {
    let mut runs: Vec<Run> =
        reading.runs().into_iter().filter(|run| run.numbers.len() >= full.max(2)).collect();
    let run = runs.pop()?;
    if runs.iter().any(|other| other.numbers != run.numbers) {
        return None;
    }
    reading.fire(ReadingRule::witness("list alone", Some(run.sentence)));
    Some(run.numbers)
}

/// Whether the text ends within the list that a rule found: behind a comma or an arrow.
pub(crate) fn is_broken_off(reading: &Reading, rule: &ReadingRule) -> bool {
    let last = reading.sentences.len().checked_sub(1);
    let at_end = last.is_some() && rule.sentence == last;
    let goes_on = || {
        let end = reading.tokens.len().wrapping_sub(1);
        matches!(reading.kind(end), Some(Kind::Arrow | Kind::Mark(b',' | b'-')))
            || matches!(reading.word(end), "and" | "then" | "node" | "to")
    };
    at_end && goes_on()
}

/// Whether a list at the very end of a text says again how a longer one began: the text was cut off
/// before it had said all of it. The last number may have lost digits.
pub(crate) fn is_beginning(
    reading: &Reading,
    rule: &ReadingRule,
    list: &[i64],
    told: &[i64],
) -> bool {
    let last = reading.sentences.len().checked_sub(1);
    let unended = reading.sentences.last().is_some_and(|sentence| sentence.stop == Stop::End);
    let Some((end, before)) = list.split_last() else { return false };
    last.is_some()
        && rule.sentence == last
        && unended
        && list.len() < told.len()
        && told.starts_with(before)
        && told[before.len()].to_string().starts_with(&end.to_string())
}

impl Run {
    /// `from node 0 to node 4` is no list.
    fn loose_pair(&self) -> bool {
        self.loose && self.numbers.len() == 2
    }
}

/// The sentences that say constraints or edges again: two nodes with an arrow, one such line after the
/// other, where the next does not begin with the node that this one ends with.
fn constraints(reading: &Reading) -> BTreeSet<usize> {
    let twos: Vec<(usize, i64, i64)> = reading
        .runs()
        .iter()
        .filter(|run| run.drawn)
        .filter_map(|run| match run.numbers[..] {
            [a, b] => Some((run.sentence, a, b)),
            _ => None,
        })
        .collect();
    let goes_on = |two: &[(usize, i64, i64)]| two[0].2 == two[1].1;
    match twos.windows(2).all(goes_on) {
        true => BTreeSet::new(),
        false => twos.iter().map(|two| two.0).collect(),
    }
}

static STEP_WORDS: Phrases = Phrases::of(
    "visit, visiting, node, nodes, then, next, finally, and, start, with, at, from, by, go, to, \
     first, last, move, city, begin, starting, lastly, we, can, end, step, continue",
);

/// Nodes told one line at a time: `visit node 3`, `go to node 5`, `node 2`.
fn steps(reading: &Reading) -> Vec<i64> {
    let mut best: Vec<i64> = Vec::new();
    let mut now: Vec<i64> = Vec::new();
    let drawn = constraints(reading);
    for (i, sentence) in reading.sentences.iter().enumerate() {
        if drawn.contains(&i) {
            continue;
        }
        let mut numbers = Vec::new();
        let mut plain = true;
        for at in sentence.start..sentence.end {
            match reading.integer(at) {
                Some(number) => numbers.push(number),
                None => {
                    let word = reading.word(at);
                    plain &= !word.starts_with(|c: char| c.is_ascii_lowercase())
                        || STEP_WORDS.contains(&word);
                }
            }
        }
        if plain && !numbers.is_empty() && !sentence.is_question() {
            // `start from node 3:`, `visit node 3`, `go from node 3 to node 5` name one visit.
            let again = now.last() == numbers.first();
            now.extend(&numbers[usize::from(again)..]);
        } else if numbers.is_empty() && sentence.plain.len() < 2 {
            continue;
        } else {
            if now.len() > best.len() {
                best = std::mem::take(&mut now);
            }
            now.clear();
        }
    }
    if now.len() > best.len() { now } else { best }
}

/// Nodes told in sentences: `start at node 0`, then `visit node 6` for each next one.
pub(crate) fn read_visits(reading: &Reading) -> Vec<i64> {
    let mut path: Vec<i64> = Vec::new();
    for at in 0..reading.tokens.len() {
        let Some(number) = reading.integer(at) else { continue };
        let before = if reading.word(at.wrapping_sub(1)) == "node" { 2 } else { 1 };
        let verb = reading.word(at.wrapping_sub(before));
        let visits = matches!(verb, "visit" | "visiting");
        let starts = matches!(verb, "at" | "from" | "with")
            && matches!(reading.word(at.wrapping_sub(before + 1)), "start" | "starting" | "begin");
        if starts {
            path = vec![number];
        } else if visits && !path.is_empty() && path.last() != Some(&number) {
            path.push(number);
        }
    }
    path
}
