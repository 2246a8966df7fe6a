//! Matching: the assignment, and how many it is said to serve.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use graph::NodeName;
use serde::{Deserialize, Serialize};

use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::names::number_of;
use crate::oracle;
use crate::reading::ReadingRule;
use crate::reading::{Kind, Reading, Sentence, Stop, muses, takes_back};
use crate::reading::{Phrases, phrases};
use crate::{Judgement, SideSizes, Verdict};

/// An assignment of jobs to applicants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// `(applicant, job)`, as the names `a0` and `j0`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<(NodeName, NodeName)>,
    /// How many applicants are said to find a job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

/// Words that announce the assignment that counts.
static ANNOUNCE: Phrases = Phrases::of(
    "following assignments, following assignment, final assignment, final assignments, \
     the assignment is, the assignments are, assignment is as follows, optimal assignment, \
     possible assignment, maximum matching, final matching, final answer, the answer is, \
     an assignment, assignments, assignment, assigned as follows",
);

/// How many announcements are tried, from the last.
const MAX_ANNOUNCED: usize = 12;

#[derive(Clone, Copy, PartialEq)]
enum Party {
    Applicant(i64),
    Job(i64),
}

pub(crate) fn read(problem: Asked<'_, SideSizes>, reading: &Reading) -> Option<Answer> {
    if reading.lists_alone {
        return None;
    }
    let n_applicants = problem.query.n_applicants as u64;
    let mut pairs = Vec::new();
    let mut rule = ReadingRule::witness("announced assignment", None);
    // The last announcement with an assignment behind it; else the whole text.
    let announced: Vec<usize> = (0..reading.sentences.len())
        .rev()
        .filter(|i| {
            let sentence = &reading.sentences[*i];
            sentence.has_any(&ANNOUNCE) && !sentence.is_question()
        })
        .take(MAX_ANNOUNCED)
        .collect();
    let last = announced.first().copied();
    for start in announced.into_iter().chain([0]) {
        pairs = assignment(reading, start)?;
        rule.sentence = Some(start);
        if pairs.len() >= 2 || (start == 0 && !pairs.is_empty()) {
            break;
        }
    }
    // `Final assignment:` and lines of two numbers, behind a first try in words.
    if let Some(last) = last
        && let found = bare(reading, last)
        && found.len() >= 2
        && rule.sentence.is_none_or(|start| start < last)
    {
        pairs = found;
        rule = ReadingRule::witness("announced lines of two numbers", Some(last));
    }
    if pairs.is_empty() {
        pairs = bare(reading, 0);
        rule = ReadingRule::witness("lines of two numbers", None);
    }
    if pairs.is_empty() {
        // `(0,3), (1,2)`
        pairs = reading.pairs(0, reading.tokens.len());
        rule = ReadingRule::witness("pairs in brackets", None);
    }
    let stated = stated_count(reading, n_applicants);
    if pairs.is_empty() {
        // A number without an assignment, where it is the last word.
        let n = reading.sentences.len();
        let is_last = |(_, at): &(u64, usize)| at + 2 >= n && !reading.is_cut_off();
        let counted = stated.or_else(|| number_alone(reading)).filter(is_last);
        let (count, at) = counted.or_else(|| Some((0, none_exists(reading)?)))?;
        reading.fire(ReadingRule::number("count alone", Some(at)));
        return Some(Answer { pairs: Vec::new(), count: Some(count) });
    }
    reading.fire(rule);
    let count = stated.map(|(count, sentence)| {
        reading.fire(ReadingRule::number("stated count", Some(sentence)));
        count
    });
    let name = |letter: char, number: i64| NodeName::Text(format!("{letter}{number}").into());
    let pairs = pairs.into_iter().map(|(a, j)| (name('a', a), name('j', j))).collect();
    Some(Answer { pairs, count })
}

/// The last sentence that says that there is no assignment, so that nobody finds a job.
fn none_exists(reading: &Reading) -> Option<usize> {
    let denials = phrases!(
        "no such assignment, no assignment exists, no valid assignment, no possible assignment, \
         there is no assignment, assignment does not exist, assignment is not possible, \
         assignment is impossible"
    );
    reading.sentences.iter().rposition(|sentence| {
        !sentence.is_question() && !muses(sentence) && sentence.has_any(denials)
    })
}

/// All pairs from a sentence on, each once. None where only wishes are listed.
fn assignment(reading: &Reading, start: usize) -> Option<Vec<(i64, i64)>> {
    let mut pairs: Vec<(i64, i64)> = Vec::new();
    let mut seen = BTreeSet::new();
    // The lines below "who wants what" are wishes.
    let (mut lists_wishes, mut wished) = (false, false);
    for sentence in &reading.sentences[start..] {
        if sentence.is_question() || sentence.has_any(&LEFT) {
            continue;
        }
        if takes_back(sentence) && pairs.len() < 2 {
            (pairs, seen) = Default::default();
        }
        let wishes = sentence.has_any(&WISHES);
        let named = parties(reading, sentence).len();
        lists_wishes = wishes && named == 0 || lists_wishes && named > 0;
        if lists_wishes {
            wished |= named > 0;
            continue;
        }
        // What applicants want is no assignment, what they are given for it is: "applicant 1 is only
        // interested in job 1, so we give them job 1".
        if wishes && !sentence.has_any(&["assigned", "assign"]) {
            pairs.extend(given(reading, sentence).filter(|pair| seen.insert(*pair)));
            continue;
        }
        if named < 2 && sentence.has_any(&DENIED) {
            continue;
        }
        for pair in in_sentence(reading, sentence) {
            if seen.insert(pair) {
                pairs.push(pair);
            }
        }
    }
    (!wished || !pairs.is_empty()).then_some(pairs)
}

/// Words for what applicants want.
static WISHES: Phrases = Phrases::of(
    "interested in job, interested in jobs, is interested in, wants, prefers, is interested",
);

/// Words for applicants who get nothing, beside one of them.
static DENIED: Phrases = Phrases::of(
    "cannot be assigned, is not assigned, no job, not be assigned, unassigned, no suitable job, \
     not get a job",
);

/// Words for applicants who get nothing, whatever else is named.
static LEFT: Phrases =
    Phrases::of("left without, without a job, already taken, unmatched, go without, is stuck");

/// The pair of a sentence that says who wants what, and then gives it: `so we give them job 1`.
fn given(reading: &Reading, sentence: &Sentence) -> Option<(i64, i64)> {
    let gives =
        |at: &usize| matches!(reading.word(*at), "give" | "gets" | "get" | "takes" | "take");
    let at = (sentence.start..sentence.end).find(gives)?;
    let named = parties(reading, sentence);
    let applicant = named.iter().find_map(|(_, party)| match party {
        Party::Applicant(a) => Some(*a),
        Party::Job(_) => None,
    })?;
    named.iter().find_map(|(place, party)| match party {
        Party::Job(j) if *place > at => Some((applicant, *j)),
        _ => None,
    })
}

/// The party at a token, and the token behind it.
fn party(reading: &Reading, at: usize) -> Option<(Party, usize)> {
    let make = party_named(reading.word(at))?;
    Some((make(reading.integer(at + 1)?), at + 2))
}

/// What a word before a number makes of it.
fn party_named(word: &str) -> Option<fn(i64) -> Party> {
    match word {
        "applicant" | "applicants" | "a" | "person" | "candidate" => Some(Party::Applicant),
        "job" | "jobs" | "j" | "position" => Some(Party::Job),
        _ => None,
    }
}

/// The pairs of a sentence that have brackets of their own, `["a0", "j3"]`, `(job 3, applicant 0)`:
/// whichever comes first in each. So the library gives a matching.
fn in_brackets(reading: &Reading, sentence: &Sentence) -> Vec<(i64, i64)> {
    let quotes = |mut at: usize| {
        while matches!(reading.kind(at), Some(Kind::Mark(b'"' | b'\''))) {
            at += 1;
        }
        at
    };
    let pair = |open: usize| {
        let close = match reading.kind(open)? {
            Kind::Mark(b'[') => b']',
            Kind::Mark(b'(') => b')',
            _ => return None,
        };
        let (first, next) = party(reading, quotes(open + 1))?;
        let comma = quotes(next);
        let (second, next) = party(reading, quotes(comma + 1))?;
        let is_pair = reading.is_mark(comma, b',') && reading.is_mark(quotes(next), close);
        match (first, second) {
            (Party::Applicant(a), Party::Job(j)) | (Party::Job(j), Party::Applicant(a)) => {
                is_pair.then_some((a, j))
            }
            _ => None,
        }
    };
    (sentence.start..sentence.end).filter_map(pair).collect()
}

/// The tokens of `(job 3 would also work)`.
fn alternative(reading: &Reading, sentence: &Sentence) -> Range<usize> {
    let open = (sentence.start..sentence.end).find(|at| reading.is_mark(*at, b'('));
    let Some(open) = open else { return 0..0 };
    let close = (open..sentence.end).find(|at| reading.is_mark(*at, b')')).unwrap_or(sentence.end);
    let other =
        |at: usize| matches!(reading.word(at), "would" | "could" | "or" | "also" | "instead");
    if (open..close).any(other) { open..close } else { 0..0 }
}

fn parties(reading: &Reading, sentence: &Sentence) -> Vec<(usize, Party)> {
    let mut found = Vec::new();
    let mut last: Option<fn(i64) -> Party> = None;
    let aside = alternative(reading, sentence);
    for at in (sentence.start..sentence.end).filter(|at| !aside.contains(at)) {
        let Some(number) = reading.integer(at) else { continue };
        let make = match reading.word(at.wrapping_sub(1)) {
            "and" | "," => last,
            before => party_named(before),
        };
        last = make;
        if let Some(make) = make {
            found.push((at, make(number)));
        }
    }
    found
}

/// Pairs of one sentence. Which comes first in it, applicant or job, comes first in each pair, unless
/// each has its brackets.
fn in_sentence(reading: &Reading, sentence: &Sentence) -> Vec<(i64, i64)> {
    let bracketed = in_brackets(reading, sentence);
    if !bracketed.is_empty() {
        return bracketed;
    }
    let parties = parties(reading, sentence);
    let mut pairs = Vec::new();
    let Some((_, first)) = parties.first() else { return pairs };
    let applicant_first = matches!(first, Party::Applicant(_));
    let mut head = None;
    for (_, party) in parties {
        match (party, applicant_first) {
            (Party::Applicant(a), true) => head = Some(a),
            (Party::Job(j), false) => head = Some(j),
            (Party::Job(j), true) => pairs.extend(head.map(|a| (a, j))),
            (Party::Applicant(a), false) => pairs.extend(head.map(|j| (a, j))),
        }
    }
    pairs
}

/// Lines of two numbers, `0: 3`, `0 -> 3`, `| 0 | 3 |`, `{"0": 3}`; applicant first unless a heading
/// has the job first.
fn bare(reading: &Reading, from: usize) -> Vec<(i64, i64)> {
    let applicant = reading.text().find("applicant");
    let job = reading.text().find("job");
    let job_first = matches!((applicant, job), (Some(a), Some(j)) if j < a);
    let mut pairs = Vec::new();
    let mut seen = BTreeSet::new();
    let start = reading
        .sentences
        .get(from)
        .map_or(0, |sentence| if from == 0 { 0 } else { sentence.start });
    for at in start..reading.tokens.len() {
        let Some(a) = reading.integer(at) else { continue };
        // `12 + 13 - 1 = 26` is a sum.
        let is_term = at >= 2
            && reading.is_number(at - 2)
            && matches!(reading.kind(at - 1), Some(Kind::Mark(b'+' | b'-' | b'*' | b'/' | b'=')));
        if is_term {
            continue;
        }
        let mut next = at + 1;
        while matches!(reading.kind(next), Some(Kind::Mark(b'"' | b'\'')))
            || matches!(reading.word(next), "job" | "applicant" | "gets" | "j" | "a")
        {
            next += 1;
        }
        if !matches!(reading.kind(next), Some(Kind::Arrow | Kind::Mark(b':' | b'|' | b'-' | b'=')))
        {
            continue;
        }
        next += 1;
        while matches!(reading.kind(next), Some(Kind::Mark(b'"' | b'\'')))
            || matches!(reading.word(next), "job" | "applicant" | "j" | "a")
        {
            next += 1;
        }
        let Some(b) = reading.integer(next) else { continue };
        let pair = if job_first { (b, a) } else { (a, b) };
        if seen.insert(pair) {
            pairs.push(pair);
        }
    }
    pairs
}

/// The number of the last sentence, if that is `answer: 14`.
fn number_alone(reading: &Reading) -> Option<(u64, usize)> {
    let at = reading.sentences.len().checked_sub(1)?;
    let words = reading.sentences[at].plain.trim();
    let leads = ["the answer is ", "the final answer is ", "final answer ", "answer "];
    let number = leads.iter().find_map(|lead| words.strip_prefix(lead))?;
    Some((number.parse().ok()?, at))
}

/// How many applicants are said to find a job, and in which sentence.
fn stated_count(reading: &Reading, n_applicants: u64) -> Option<(u64, usize)> {
    (0..reading.sentences.len())
        .rev()
        .find_map(|i| Some((count_in(reading, &reading.sentences[i], n_applicants)?, i)))
}

/// `4 applicants can find`, `seven out of 8 applicants`, `all applicants find`.
fn count_in(reading: &Reading, sentence: &Sentence, n_applicants: u64) -> Option<u64> {
    if sentence.is_question()
        || sentence.has_any(&["job applicants numbered", "there are"]) && !sentence.has("assigned")
    {
        return None;
    }
    let count = |at: usize| reading.count(at);
    let serves = sentence.has_any(phrases!(
        "find, finds, get, gets, assigned, matched, have a job, satisfied, \
         job they are interested in, jobs they are interested in, receive, placed, given, served, \
         happy, employed"
    ));
    let at = (sentence.start..sentence.end).rev().find(|at| reading.word(*at) == "applicants")?;
    if !serves {
        let number = (at + 1..sentence.end).find_map(count);
        return number.filter(|_| {
            sentence.has_any(&[
                "maximum number of applicants",
                "total number",
                "number of applicants",
            ]) && sentence.stop != Stop::Question
        });
    }
    let mut back = at;
    if reading.word(back - 1) == "job" || reading.word(back - 1) == "the" {
        back -= 1;
    }
    if reading.word(back.wrapping_sub(1)) == "the" {
        back -= 1;
    }
    let before = back.wrapping_sub(1);
    if let Some(number) = count(before) {
        // "7 out of 8 applicants": the first number counts.
        let mut first = before.wrapping_sub(1);
        if reading.word(first) == "the" {
            first = first.wrapping_sub(1);
        }
        if reading.word(first) == "of" {
            let mut out = first.wrapping_sub(1);
            if reading.word(out) == "out" {
                out = out.wrapping_sub(1);
            }
            if let Some(served) = count(out) {
                return Some(served);
            }
        }
        return Some(number);
    }
    match reading.word(before) {
        "all" | "every" => {
            if reading.word(before.wrapping_sub(1)) == "not" {
                None
            } else {
                Some(n_applicants)
            }
        }
        "of" => {
            let number = (at + 1..sentence.end).rev().find_map(count);
            let stated = (at + 1..sentence.end)
                .rev()
                .find(|i| count(*i).is_some())
                .is_some_and(|i| matches!(reading.word(i - 1), "is" | ":" | "=" | "to" | "be"));
            number.filter(|_| stated)
        }
        _ => None,
    }
}

pub(crate) fn judge(
    problem: Asked<'_, SideSizes>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Answer { pairs, count } = answer;
    if pairs.is_empty() && count.is_none() {
        return Judgement::no_answer("No assignment is given.");
    }
    let Some(best) = oracle::matching_number(problem.graph) else {
        let text = "The graph has no two sides, so nothing can be assigned.";
        return Judgement::new(Verdict::Incorrect, evidence, text);
    };
    let mut fault: Option<String> = None;
    let mut leftover: Vec<(&NodeName, &NodeName)> = Vec::new();
    let mut job_of: BTreeMap<&NodeName, &NodeName> = BTreeMap::new();
    let mut holder: BTreeMap<&NodeName, &NodeName> = BTreeMap::new();
    let graph = problem.graph;
    for (a, j) in pairs {
        let (an, jn) = (number_of(a), number_of(j));
        let text = if !graph.has_node(a) {
            Some(format!("there is no applicant {an}"))
        } else if !graph.has_node(j) {
            Some(format!("there is no job {jn}"))
        } else if let Some(other) = holder.get(j).filter(|other| **other != a) {
            Some(format!("job {jn} is given to applicants {} and {an}", number_of(other)))
        } else if let Some(other) = job_of.get(a).filter(|other| **other != j) {
            Some(format!("applicant {an} is given jobs {} and {jn}", number_of(other)))
        } else {
            if graph.edge(a, j).is_none() {
                leftover.push((a, j));
            }
            None
        };
        job_of.entry(a).or_insert(j);
        holder.entry(j).or_insert(a);
        let holds = text.is_none() && graph.edge(a, j).is_some();
        evidence.edge(a, j, MarkKind::of(holds), None);
        match text {
            None if holds => {
                evidence.check(true, format_args!("applicant {an}: job {jn}"));
            }
            None => {}
            Some(text) => {
                evidence.check(false, text.as_str());
                fault.get_or_insert(text);
            }
        }
    }
    // Who is given a job that nobody else wants finds none that they are interested in, but takes
    // nothing from those who do.
    let serves = pairs.len() - leftover.len();
    let serves_most = fault.is_none() && serves == best;
    let says_so = *count == Some(best as u64);
    for (a, j) in &leftover {
        let (an, jn) = (number_of(a), number_of(j));
        let text = format!("applicant {an} is not interested in job {jn}");
        if serves_most && says_so {
            evidence.note(format_args!("{text}: a leftover job, which the count leaves out"));
        } else {
            evidence.check(false, text.as_str());
        }
    }
    if let Some((a, j)) = leftover.first()
        && !(serves_most && *count != Some(pairs.len() as u64))
    {
        fault.get_or_insert_with(|| {
            format!("applicant {} is not interested in job {}", number_of(a), number_of(j))
        });
    }
    evidence.check(
        fault.is_some() || serves == best,
        format_args!("{serves} pairs; at most {best} applicants can find a job"),
    );
    let optimal = fault.is_none() && serves == best;
    let count_right = count.map(|count| {
        evidence.check(
            count == best as u64,
            format_args!("stated: {count} applicants; the most is {best}"),
        )
    });
    let (verdict, text) = match (optimal, count_right) {
        (true, None) if !leftover.is_empty() => (
            Verdict::Partial,
            format!(
                "The assignment serves {best} applicants, the most possible, but also gives jobs to \
                 applicants who are not interested in them, and does not say so."
            ),
        ),
        (true, Some(false)) if !leftover.is_empty() => (
            Verdict::Incorrect,
            format!(
                "The assignment serves {best} applicants, not {}; the other jobs go to applicants who \
                 are not interested in them.",
                count.unwrap_or_default()
            ),
        ),
        (true, None | Some(true)) => (
            Verdict::Correct,
            format!(
                "Right: the assignment is valid and serves {best} applicants, the most possible."
            ),
        ),
        (true, Some(false)) => (
            Verdict::Partial,
            format!(
                "The assignment is valid and best, but it serves {best} applicants, not {}.",
                count.unwrap_or_default()
            ),
        ),
        (false, Some(true)) => {
            let why = fault.unwrap_or_else(|| format!("it serves only {}", pairs.len()));
            (
                Verdict::Partial,
                format!(
                    "The most applicants are {best}, as it says, but the assignment does not show it: {why}."
                ),
            )
        }
        (false, _) => {
            let why = match fault {
                Some(fault) => format!("The assignment is not valid: {fault}."),
                None => format!(
                    "The assignment serves {} applicants, but {best} can be served.",
                    pairs.len()
                ),
            };
            (Verdict::Incorrect, why)
        }
    };
    Judgement::new(verdict, evidence, text)
}
