//! What a text claims about a graph, and whether it is true.
//!
//! A model's answer in free text says many things beside its result: that two nodes are joined, that
//! an edge weighs so much, that numbers add up. Each such **claim** is found with its place in the
//! text, checked against the graph, and can be marked in the text and on the drawing. Questions,
//! suppositions ("if node 1 were …") and problems that a model invents behind its answer claim
//! nothing.
//!
//! Paper: Graph-Grounded LLMs §I and §II-B call such false statements hallucinations ("fact
//! alteration") and mathematical inaccuracies; finding them is ours.

mod answer;
mod check;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use self::check::check;
use crate::read_text::ReadText;
use crate::reading::{Draft, Names, Reading};
use crate::statements::{self, Property, Said, Statement, Subject};
use crate::{EvidenceMarks, Problem, Query};

/// What a text asserts about the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// Two nodes are joined, or are not.
    Edge,
    /// An edge has a weight or a capacity, or a node a weight.
    Weight,
    /// Nodes in a row are joined, each with the next.
    Path,
    /// A path's total weight, or its number of edges.
    Total,
    /// Numbers, or vectors, add up.
    Sum,
    /// A node has so many neighbours, or nothing points to it.
    Degree,
    /// There is a path between two nodes, or there is none.
    Reach,
    /// There is a cycle, or there is none.
    Cycle,
    /// Every edge points forward in an order.
    Order,
    /// So much flows along an edge, or in all.
    Flow,
    /// A property of the whole graph: directed, connected, or its number of nodes.
    Whole,
    /// What the verdict takes as the answer.
    Answer,
}

impl ClaimKind {
    /// Whether a claim of the kind may be the whole answer to a question.
    fn may_answer(self, query: &Query) -> bool {
        match self {
            Self::Edge | Self::Path => true,
            Self::Reach => matches!(query, Query::Connectivity(_)),
            Self::Cycle => matches!(query, Query::Cycle(_) | Query::DirectedCycle(_)),
            Self::Order => matches!(query, Query::Topology(_)),
            Self::Flow => matches!(query, Query::Flow(_)),
            _ => false,
        }
    }
}

/// One assertion about a graph that a text makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The assertion.
    pub kind: ClaimKind,
    /// Where it begins in the text, in bytes of UTF-8.
    pub start: usize,
    /// The byte behind the last one of its words.
    pub end: usize,
    /// The claim in the fewest words, the same for the same claim: `edge 0-4`, `no edge 0-4`.
    pub says: String,
    /// Whether it is true.
    pub is_true: bool,
    /// Why not, or what the graph has; in words for people.
    pub why: String,
    /// What of it to draw.
    pub marks: EvidenceMarks,
    /// It is in a program that the text contains.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_program: bool,
}

/// The largest text that is searched, in bytes; what is beyond is left alone.
pub const MAX_TEXT: usize = 200_000;

/// Everything that a text claims about a problem's graph, in the order of the text.
///
/// # Complexity
/// O(length of the text), and for each claim what its check takes: a lookup for an edge, a search
/// for a path or a cycle, a maximum flow for a flow.
pub fn find(problem: &Problem, text: &str) -> Vec<Claim> {
    find_in(problem, text, &ReadText::new(problem, text))
}

/// What is claimed in a text that was read.
fn find_in(problem: &Problem, text: &str, read: &ReadText<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    let mut claim = |reading: &Reading, statements: Vec<Statement>, in_program| {
        for statement in statements {
            // The question says whether the graph is directed; to say it again is no claim.
            let is_given = matches!(statement.said, Said::Whole { is: Property::Directed, holds }
                if holds == problem.graph.is_directed());
            if is_given {
                continue;
            }
            let place = reading.place(statement.tokens).filter(|place| place.start < MAX_TEXT);
            claims.extend(
                place.map(|place| check(&problem.graph, statement.said, place, in_program)),
            );
        }
    };
    // Readers of answers that are names look for these in the text; here they are numbers.
    let is_lettered = matches!(problem.query, Query::Matching(_));
    let own = if is_lettered || read.names().is_some() { None } else { Names::of(&problem.graph) };
    let names = own.as_ref().or(read.names());
    let subject = Subject::of(problem, names);
    match &own {
        Some(names) => {
            let reading = names.read(text);
            claim(&reading, statements::read(subject, &reading), false);
        }
        None => read
            .readings()
            .for_each(|reading| claim(reading, statements::read(subject, reading), false)),
    }
    if text.contains("```")
        && let Some(programs) = match names {
            Some(names) => names.read_programs(text),
            None => Reading::of_programs(text, Draft::of(text)),
        }
    {
        claim(&programs, statements::read_programs(subject, &programs), true);
    }
    claims.sort_by_key(|claim| (claim.start, claim.end));
    claims
}

/// What [`find`] finds, and the answer itself, which is true where the verdict is `Correct`. It is left out
/// where a claim in its words says the same, such as that there is no cycle, and is true or false as it is.
///
/// # Complexity
/// That of [`find`] and of [`verify`](crate::verify).
pub fn find_with_answer(problem: &Problem, text: &str) -> Vec<Claim> {
    let read = ReadText::new(problem, text);
    let mut claims = find_in(problem, text, &read);
    if text.len() <= MAX_TEXT
        && let Some(mut answer) = answer::claim(problem, &read)
    {
        let is_said = claims.iter().any(|claim| {
            claim.is_true == answer.is_true
                && claim.kind.may_answer(&problem.query)
                && answer.start <= claim.start
                && claim.end <= answer.end
        });
        if is_said {
            // That there is such a path is said beside a wrong one.
            let Some(decision) = answer::decision(problem, &read) else { return claims };
            answer = decision;
        }
        let at = claims.partition_point(|c| (c.start, c.end) <= (answer.start, answer.end));
        claims.insert(at, answer);
    }
    claims
}

/// The false claims in what a right answer gives as its reason: the witness, and what follows "because".
pub(crate) fn against_the_reason(
    problem: &Problem,
    text: &str,
    read: &ReadText<'_>,
    answering: &Reading,
) -> Vec<Claim> {
    let reasons = answer::reasons(answering);
    if reasons.is_empty() {
        return Vec::new();
    }
    let mut claims = find_in(problem, text, read);
    let is_in = |claim: &Claim| {
        let shows = matches!(claim.kind, ClaimKind::Edge | ClaimKind::Path)
            && !claim.says.starts_with("no ");
        let is_there = |place: &Range<usize>| place.start <= claim.start && claim.end <= place.end;
        reasons.iter().any(|reason| is_there(&reason.place) && (shows || !reason.shows))
    };
    claims.retain(|claim| !claim.is_true && is_in(claim));
    claims
}

/// One spelling for one claim, to hold those of a reader against [`Claim::says`]: an undirected edge has
/// no first end, and a sum no blanks.
pub fn spelling(says: &str, is_directed: bool) -> String {
    if says.starts_with("sum ") {
        return says.replace(' ', "");
    }
    let mut words: Vec<String> = says.split(' ').map(str::to_owned).collect();
    let at = |word: &str| words.iter().position(|w| w == word).map(|i| i + 1);
    if is_directed {
        return says.to_owned();
    }
    if let Some(i) = at("edge").filter(|i| *i < words.len()) {
        let mut ends: Vec<&str> = words[i].split('-').collect();
        ends.sort_unstable();
        words[i] = ends.join("-");
    } else if let Some(i) = at("between")
        && i + 2 < words.len()
        && words[i] > words[i + 2]
    {
        words.swap(i, i + 2);
    }
    words.join(" ")
}
