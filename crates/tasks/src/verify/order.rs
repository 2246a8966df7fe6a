//! The list of nodes that a text gives as its answer, for tasks that ask for one.

use super::reading::{Reading, Run, contains};

/// How a task's answer is announced.
pub(crate) struct Announced<'a> {
    /// Words that stand before it, such as `solution` or `path`.
    pub(crate) by: &'a [&'a str],
    /// The number of nodes that a full list has.
    pub(crate) full: usize,
}

/// The list that answers: the last full one that is announced, else the last announced, else one
/// told step by step, else the last full one at all.
///
/// Also whether it was given as a list, and not one step at a time.
pub(crate) fn list(reading: &Reading, announced: &Announced<'_>) -> (Vec<i64>, bool) {
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
    let found = runs
        .iter()
        .rev()
        .filter(full)
        .find(is_announced)
        .or_else(|| runs.iter().rev().find(is_announced))
        // A list cut up by line ends: more of it may stand in steps.
        .filter(|run| full(run) || steps.len() < announced.full)
        .or_else(|| runs.iter().rev().filter(full).find(drawn));
    if let Some(run) = found {
        return (run.numbers.clone(), true);
    }
    // Nothing but a list: `3, 1, 0, 2`.
    let bare = |run: &&Run| {
        let sentence = &reading.sentences[run.sentence];
        run.start <= sentence.start + 2 && run.end + 3 >= sentence.end
    };
    if let Some(run) = runs.iter().rev().filter(full).find(bare) {
        return (run.numbers.clone(), true);
    }
    if steps.len() >= 2 {
        return (steps, false);
    }
    let last = runs.iter().rev().find(drawn);
    (last.map(|run| run.numbers.clone()).unwrap_or_default(), true)
}

impl Run {
    /// `from node 0 to node 4` is no list.
    fn loose_pair(&self) -> bool {
        self.loose && self.numbers.len() == 2
    }
}

const STEP_WORDS: [&str; 28] = [
    "visit", "visiting", "node", "nodes", "then", "next", "finally", "and", "start", "with", "at",
    "from", "by", "go", "to", "first", "last", "move", "city", "begin", "starting", "lastly", "we",
    "can", "end", "step", "continue", "vertex",
];

/// Nodes told one line at a time: `visit node 3`, `go to node 5`, `node 2`.
fn steps(reading: &Reading) -> Vec<i64> {
    let mut best: Vec<i64> = Vec::new();
    let mut now: Vec<i64> = Vec::new();
    for sentence in &reading.sentences {
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
        let before =
            if matches!(reading.word(at.wrapping_sub(1)), "node" | "ndoe") { 2 } else { 1 };
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
