//! Shortest path: the path, and its total weight where one is stated.

use graph::NodeName;
use serde::{Deserialize, Serialize};

use super::choice::chosen;
use super::order::{is_beginning, is_broken_off};
use super::{same, walk};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::names::join;
use crate::oracle;
use crate::reading::Phrases;
use crate::reading::ReadingRule;
use crate::reading::{Reading, Run, Sentence, contains};
use crate::{Ends, Judgement, Verdict};

/// A shortest path, as a text gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Its nodes from source to target; empty if none is given, or if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<NodeName>,
    /// Other paths that are offered as just as good.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Vec<NodeName>>,
    /// The total weight, where the text says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// The total stands alone behind the mark of a benchmark that asks for nothing else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_marked: bool,
}

/// Words after which a total stands.
static TOTAL: Phrases =
    Phrases::of("weight, length, distance, cost, total, weighs, weighing, costs, sum");

static NO_PATH: Phrases = Phrases::of(
    "no path between, no path from, is no path, no shortest path, not reachable, \
     path does not exist",
);

pub(crate) fn read(problem: Asked<'_, Ends>, reading: &Reading) -> Option<Answer> {
    let Ends { source, target } = problem.query;
    let (s, t) = (source.as_int()?, target.as_int()?);
    let all = reading.runs();
    let runs: Vec<Run> = all
        .iter()
        .filter(|run| run.numbers.len() >= 2 && (run.drawn || !run.loose) && !weights(reading, run))
        .cloned()
        .collect();
    if reading.lists_alone {
        let mut found = runs.iter().filter(|run| joins(run, s, t));
        let run = found.next().filter(|run| found.all(|other| other.numbers == run.numbers))?;
        reading.fire(ReadingRule::witness("list alone", Some(run.sentence)));
        return Some(Answer {
            path: run.names(),
            others: Vec::new(),
            total: None,
            is_marked: false,
        });
    }
    let found = announced(reading, &runs, s, t);
    if let Some((first, others, rule)) = found {
        let mut run = &runs[first];
        let mut rule = ReadingRule::witness(rule, Some(run.sentence));
        // A path at the very end that stops before it arrives was cut off.
        if !joins(run, s, t) && others.is_empty() {
            let told = runs[..first].iter().rev().find(|told| {
                joins(told, s, t) && is_beginning(reading, &rule, &run.numbers, &told.numbers)
            });
            if let Some(told) = told {
                run = told;
                rule =
                    ReadingRule::witness("told before a list that is cut off", Some(run.sentence));
            } else if is_broken_off(reading, &rule) {
                return None;
            }
        }
        reading.fire(rule);
        let total = total_after(reading, run).or_else(|| total_anywhere(reading));
        if total.is_some() {
            reading.fire(ReadingRule::number("total of the path", None));
        }
        let others = others.into_iter().map(|i| runs[i].names()).collect();
        return Some(Answer { path: run.names(), others, total, is_marked: false });
    }
    // GraphWiz asks for the weight alone, and wants it behind its mark.
    let marked = || reading.marked.first().and_then(|line| bare(&Reading::new(line)));
    if let Some(total) = marked() {
        reading.fire(ReadingRule::number("mark", None));
        return Some(Answer {
            path: Vec::new(),
            others: Vec::new(),
            total: Some(total),
            is_marked: true,
        });
    }
    let stated = stated_total(reading, s, t).or_else(|| boxed_total(reading));
    let total = stated.or_else(|| total_anywhere(reading)).or_else(|| bare(reading));
    let mut rule = "told steps";
    let mut path = if is_choice(&runs, s, t) { Vec::new() } else { chain(reading, s, t, |_| true) };
    if path.is_empty() {
        path = via(reading, &all, s, t);
        rule = "via";
    }
    let path: Vec<NodeName> = path.into_iter().map(NodeName::Int).collect();
    if path.is_empty() && total.is_none() {
        let denies = |i: &usize| !reading.sentences[*i].is_question();
        let (i, words) = (0..reading.sentences.len())
            .filter(denies)
            .find_map(|i| Some((i, reading.sentences[i].find(&NO_PATH)?)))?;
        reading.fire(ReadingRule::decision("no path", words, i));
        return Some(Answer { path, others: Vec::new(), total: None, is_marked: false });
    }
    // Weights of paths that were looked at on the way are no answer.
    let thinks =
        reading.sentences.len() > 3 || reading.sentences.iter().any(|x| x.has("all the paths"));
    let thinks = thinks || is_choice(&runs, s, t);
    if path.is_empty() && stated.is_none() && thinks {
        return None;
    }
    if !path.is_empty() {
        reading.fire(ReadingRule::witness(rule, None));
    }
    if total.is_some() {
        reading.fire(ReadingRule::number("stated total", None));
    }
    Some(Answer { path, others: Vec::new(), total, is_marked: false })
}

/// Whether a list leads from the one end to the other; an undirected path may be told from either.
fn joins(run: &Run, s: i64, t: i64) -> bool {
    matches!(run.numbers[..], [a, .., b] if (a, b) == (s, t) || (a, b) == (t, s))
}

/// Whether several paths are told that join the two nodes: candidates, of which none was chosen.
fn is_choice(runs: &[Run], s: i64, t: i64) -> bool {
    let mut found = runs.iter().filter(|run| run.drawn && joins(run, s, t));
    found.next().is_some_and(|first| found.any(|run| run.numbers != first.numbers))
}

/// A text that is a number and nothing else.
fn bare(reading: &Reading) -> Option<f64> {
    let start = (0..reading.tokens.len().min(4)).find(|i| reading.is_number(*i))?;
    let (value, next) = reading.value(start)?;
    (next + 2 >= reading.tokens.len()).then_some(value)
}

/// `weights 3, 1, 4` lists weights and no nodes.
fn weights(reading: &Reading, run: &Run) -> bool {
    run.start > 0
        && matches!(reading.word(run.start - 1), "weight" | "weights" | "lengths" | "length")
        || reading.is_mark(run.end + 1, b'+')
        || run.start > 0 && reading.is_mark(run.start - 1, b'+')
}

/// The run that the text gives as its answer, those that it calls just as good, and the rule that
/// found it.
fn announced(
    reading: &Reading,
    runs: &[Run],
    s: i64,
    t: i64,
) -> Option<(usize, Vec<usize>, &'static str)> {
    let candidates: Vec<&Run> = runs.iter().filter(|run| joins(run, s, t)).collect();
    let choice = chosen(reading, &candidates).and_then(|(nth, sentence)| {
        Some((runs.iter().position(|run| run.start == candidates[nth].start)?, sentence))
    });
    let is_later = |run: &Run| choice.is_some_and(|(_, sentence)| run.sentence < sentence);
    // From the end: the last sentence that speaks of the shortest path and shows one after it.
    for (i, run) in runs.iter().enumerate().rev() {
        let lead = reading.lead(run.sentence, run.start);
        // The words count only if they stand after the run before, else they were about that.
        let clause = clause(reading, runs, i, &lead);
        if !["shortest", "answer", "optimal", "final", "best", "minimum"]
            .iter()
            .any(|w| contains(&clause, w))
        {
            continue;
        }
        if is_later(run) {
            break;
        }
        let mut first = i;
        let mut others = Vec::new();
        // `either A or B`: earlier runs of the sentence that "or" joins to this one.
        while first > 0
            && runs[first - 1].sentence == run.sentence
            && contains(&reading.plain(runs[first - 1].end + 1, runs[first].start), "or")
        {
            others.push(first);
            first -= 1;
        }
        // And later ones.
        let mut next = i;
        while next + 1 < runs.len()
            && runs[next + 1].sentence == run.sentence
            && contains(&reading.plain(runs[next].end + 1, runs[next + 1].start), "or")
        {
            next += 1;
            others.push(next);
        }
        return Some((first, others, "announced path"));
    }
    // `A is the shortest path`: the words come after.
    for (i, run) in runs.iter().enumerate().rev() {
        let sentence = &reading.sentences[run.sentence];
        let after = reading.plain(run.end + 1, sentence.end.min(run.end + 40));
        let calls = [
            "shortest path",
            "shortest route",
            "shortest distance",
            "shortest way",
            "the shortest",
            "is the smallest",
        ];
        let conclusive = calls.iter().any(|words| contains(&after, words));
        if conclusive && joins(run, s, t) {
            return Some((i, Vec::new(), "path called shortest"));
        }
    }
    if let Some((chosen, _)) = choice {
        return Some((chosen, Vec::new(), "path called the best of several"));
    }
    // "All the paths weigh the same, so any of them".
    let joining: Vec<usize> = (0..runs.len()).filter(|i| joins(&runs[*i], s, t)).collect();
    for sentence in reading.sentences.iter().rev() {
        if sentence.is_question() || !sentence.has_any(&BEST) {
            continue;
        }
        let all = sentence.has_any(&["any of the", "any of these", "any of them", "all of them"]);
        if let [first, rest @ ..] = &joining[..]
            && all
            && !rest.is_empty()
        {
            return Some((*first, rest.to_vec(), "all candidates"));
        }
    }
    // A single candidate that joins the two, or several of which the last comes with a plain
    // announcement. A list of candidates that was cut off answers nothing.
    let distinct: std::collections::BTreeSet<&[i64]> =
        joining.iter().map(|i| runs[*i].numbers.as_slice()).collect();
    let last = *joining.last()?;
    let lead = reading.lead(runs[last].sentence, runs[last].start);
    let listing = contains(
        &reading.sentences.first().map(|x| x.plain.clone()).unwrap_or_default(),
        "all the paths",
    );
    if listing {
        return None;
    }
    if distinct.len() == 1
        || ["so", "therefore", "thus", "hence", "path is", "path"]
            .iter()
            .any(|w| contains(&lead, w))
    {
        return Some((last, Vec::new(), "only candidate"));
    }
    None
}

/// Words for the best of several paths.
static BEST: Phrases = Phrases::of("shortest, smallest, least, lightest, minimum, best, cheapest");

/// What stands between the run before and this one, with the line before where this one begins its
/// sentence.
fn clause(reading: &Reading, runs: &[Run], i: usize, lead: &str) -> String {
    match i.checked_sub(1).map(|before| &runs[before]) {
        Some(before) if before.sentence == runs[i].sentence => {
            reading.plain(before.end + 1, runs[i].start)
        }
        _ => lead.to_owned(),
    }
}

/// The total that follows a path in its sentence or right after it.
fn total_after(reading: &Reading, run: &Run) -> Option<f64> {
    let sentence = &reading.sentences[run.sentence];
    if let Some(total) = total_in(reading, run.end + 1, sentence.end) {
        return Some(total);
    }
    // `is 7 + 4 = 11` or `= 11` right behind it.
    let at = run.end + 1;
    if matches!(reading.word(at), "=" | "(")
        && let Some((value, _)) = reading.value(at + 1)
    {
        return Some(value);
    }
    reading.sentences[run.sentence + 1..]
        .iter()
        .filter(|sentence| !sentence.is_check)
        .take(6)
        .find_map(|s| total_in(reading, s.start, s.end))
}

/// `total weight of 7`, `weight: 3 + 4 = 7`, `distance is 7`.
fn total_in(reading: &Reading, start: usize, end: usize) -> Option<f64> {
    let mut at = start;
    let mut found = None;
    while at < end {
        if TOTAL.contains(&reading.word(at)) {
            // Over a few joining words or marks to the number; other numbers are not jumped.
            let value = (at + 1..end.min(at + 14))
                .take_while(|i| !reading.is_number(*i - 1) || *i == at + 1)
                .find(|i| reading.is_number(*i))
                .filter(|i| !matches!(reading.word(i - 1), "node" | "city" | "path" | "edge"))
                .filter(|i| !reading.plain(at + 1, *i).contains(" path "))
                .and_then(|i| reading.value(i));
            if let Some((value, next)) = value
                && !reading.is_mark(next, b',')
            {
                let total =
                    contains(&reading.plain(start.max(at.saturating_sub(3)), at + 1), "total");
                if total || found.is_none() {
                    found = Some(value);
                }
                if total {
                    return found;
                }
                at = next;
                continue;
            }
            if let Some((value, _)) = value {
                return Some(value);
            }
            // "a total weight of seven".
            if matches!(reading.word(at + 1), "of" | "is" | ":")
                && let Some(value) = reading.count(at + 2)
            {
                return Some(value as f64);
            }
        }
        at += 1;
    }
    found
}

/// `the shortest path from node 5 to node 1 is 3 + 1 + 4 = 8`: a number in the place of the path.
fn stated_total(reading: &Reading, s: i64, t: i64) -> Option<f64> {
    reading.sentences.iter().rev().find_map(|sentence| {
        if !sentence.has("shortest") || sentence.is_question() {
            return None;
        }
        let is = (sentence.start..sentence.end).rev().find(|i| {
            matches!(reading.word(*i), "is" | "of" | "be" | ":" | "=") && reading.is_number(i + 1)
        })?;
        let (value, _) = reading.value(is + 1)?;
        let numbers: Vec<i64> = (sentence.start..is).filter_map(|i| reading.integer(i)).collect();
        (numbers.is_empty() || numbers.contains(&s) && numbers.contains(&t)).then_some(value)
    })
}

/// A number as the final answer, in a box or behind a heading.
fn boxed_total(reading: &Reading) -> Option<f64> {
    reading.sentences.iter().rev().find_map(|sentence| {
        let first = (sentence.start..sentence.end).find(|at| reading.is_number(*at))?;
        let (value, next) = reading.value(first)?;
        let alone = (next..sentence.end).all(|at| !reading.is_number(at));
        (alone && sentence.begins("final answer") && first <= sentence.start + 4).then_some(value)
    })
}

/// `total: 5`, wherever it stands, if only one total is stated.
fn total_anywhere(reading: &Reading) -> Option<f64> {
    let totals: Vec<f64> = reading
        .sentences
        .iter()
        .filter(|s| s.has("total") && !s.is_question())
        .filter_map(|s| total_in(reading, s.start, s.end))
        .collect();
    match totals[..] {
        [] => None,
        [one] => Some(one),
        [.., last] => totals.iter().all(|t| same(*t, last)).then_some(last),
    }
}

/// `from node 5 to node 0: 1`, `node 0 to node 3 …`: steps that lead from s to t one after another.
pub(super) fn chain(
    reading: &Reading,
    s: i64,
    t: i64,
    tells: impl Fn(&Sentence) -> bool,
) -> Vec<i64> {
    let mut path = vec![s];
    for sentence in reading.sentences.iter().filter(|sentence| tells(sentence)) {
        if sentence.has_any(&["shortest path from", "shortest path between"]) {
            continue;
        }
        let mut at = sentence.start;
        while at < sentence.end {
            let step = (|| {
                let a = reading.integer(at)?;
                let mut next = at + 1;
                if !matches!(reading.word(next), "to" | "and")
                    && !matches!(reading.word(next), "->" | "-->")
                {
                    return None;
                }
                next += 1;
                if matches!(reading.word(next), "node" | "city") {
                    next += 1;
                }
                Some((a, reading.integer(next)?, next))
            })();
            match step {
                Some((a, b, _)) if path.last() == Some(&t) && (a, b) != (s, t) => return path,
                Some((a, b, next)) => {
                    if path.last() == Some(&a) && (a, b) != (s, t) {
                        path.push(b);
                    } else if a == s && (a, b) != (s, t) {
                        path = vec![a, b];
                    }
                    at = next;
                }
                None => at += 1,
            }
        }
    }
    if path.last() == Some(&t) && path.len() > 1 { path } else { Vec::new() }
}

/// `the shortest path from city 7 to city 8 is via city 6`.
fn via(reading: &Reading, runs: &[Run], s: i64, t: i64) -> Vec<i64> {
    for sentence in reading.sentences.iter().rev().filter(|x| x.has("shortest") && !x.is_question())
    {
        let via = (sentence.start..sentence.end)
            .rev()
            .find(|at| matches!(reading.word(*at), "via" | "through"));
        if let Some(via) = via
            && let Some(run) = runs.iter().find(|run| run.start > via && run.start <= via + 3)
        {
            let mut path = vec![s];
            path.extend(run.numbers.iter().filter(|n| **n != s && **n != t));
            path.push(t);
            return path;
        }
    }
    Vec::new()
}

pub(crate) fn judge(
    problem: Asked<'_, Ends>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Ends { source: s, target: t } = problem.query;
    let Answer { path, others, total, .. } = answer;
    let graph = problem.graph;
    let best = oracle::lightest_path(graph, s, t).map(|(weight, _)| weight);
    evidence.node(s, MarkKind::Path);
    evidence.node(t, MarkKind::Path);
    let Some(best) = best else {
        let right = path.is_empty() && total.is_none();
        evidence.check(right, format_args!("no path joins {s} and {t}"));
        let verdict = if right { Verdict::Correct } else { Verdict::Incorrect };
        let text = format_args!("There is no path from {s} to {t}.");
        return Judgement::new(verdict, evidence, text);
    };
    let weight = if path.is_empty() { None } else { fits(problem, path, &mut evidence) };
    let shortest = weight.is_some_and(|w| same(w, best));
    if let Some(weight) = weight {
        evidence.check(
            shortest,
            format_args!("{} weighs {weight}; the least is {best}", join(path, ",")),
        );
    }
    let mut others_hold = true;
    for other in others {
        let weight = fits(problem, other, &mut evidence);
        let holds = weight.is_some_and(|w| same(w, best));
        others_hold &= holds;
        let what = weight.map_or("is no path".to_owned(), |w| format!("weighs {w}"));
        evidence.check(holds, format_args!("{} {what}; the least is {best}", join(other, ",")));
    }
    let total_right = total.map(|total| {
        evidence.check(same(total, best), format_args!("stated total {total}; the least is {best}"))
    });
    if !shortest {
        show_best(problem, &mut evidence);
    }
    let (verdict, text) = match (path.is_empty(), shortest && others_hold, total_right) {
        (false, true, None | Some(true)) => {
            (Verdict::Correct, format!("Right: the path has the least total weight, {best}."))
        }
        (false, true, Some(false)) => (
            Verdict::Partial,
            format!(
                "The path is a shortest one, but its total weight is {best}, not {}.",
                total.unwrap_or_default()
            ),
        ),
        (false, false, _) if shortest => (
            Verdict::Partial,
            format!("The first path weighs the least, {best}, but not each one that is offered."),
        ),
        (false, false, Some(true)) => (
            Verdict::Partial,
            format!("The least total weight is {best}, as it says, but the path does not have it."),
        ),
        (true, _, Some(true)) if answer.is_marked => {
            (Verdict::Correct, format!("Right: the least total weight is {best}."))
        }
        (true, _, Some(true)) => (
            Verdict::Partial,
            format!(
                "The least total weight is {best}, as it says, but the path that was asked for is missing."
            ),
        ),
        (true, _, None) => (
            Verdict::Incorrect,
            format!("It finds no path, but there is one of total weight {best}."),
        ),
        _ => {
            let what = match weight {
                Some(weight) => format!("The path weighs {weight}"),
                None if path.is_empty() => "The stated total is wrong".to_owned(),
                None => format!("That is not a path from {s} to {t} in this graph"),
            };
            (Verdict::Incorrect, format!("{what}; the least is {best}."))
        }
    };
    Judgement::new(verdict, evidence, text)
}

/// The weight of a path, if it is one and joins the two nodes.
fn fits(problem: Asked<'_, Ends>, path: &[NodeName], evidence: &mut Evidence) -> Option<f64> {
    let Ends { source: s, target: t } = problem.query;
    let joins = |a, b| path.first() == Some(a) && path.last() == Some(b);
    // The graph is undirected, so a path told from its end is the same path.
    if !joins(s, t) && !joins(t, s) {
        evidence.check(false, format_args!("{} does not lead from {s} to {t}", join(path, ",")));
        walk(problem.graph, path, true, evidence);
        return None;
    }
    walk(problem.graph, path, true, evidence)
}

fn show_best(problem: Asked<'_, Ends>, evidence: &mut Evidence) {
    if !evidence.is_wanted() {
        return;
    }
    let Ends { source, target } = problem.query;
    let Some((total, path)) = oracle::lightest_path(problem.graph, source, target) else { return };
    evidence
        .note(format_args!("a shortest path: {} with a total weight of {total}", join(&path, ",")));
    for step in path.windows(2) {
        evidence.edge(&step[0], &step[1], MarkKind::Path, None);
    }
}
