//! Pairs of atoms of two molecules: common parts, and ways from one to the other.

use graph::exact::common_subgraph::max_common_subgraph;
use graph::exact::edit_distance::graph_edit_distance;
use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use super::{BUDGET, Grade, wrong};
use crate::definition::Asked;
use crate::graph_arena::part;
use crate::judgement::{Evidence, MarkKind};
use crate::reading::{Reading, ReadingRule};
use crate::verify::named::number_lists;
use crate::{Atoms, Judgement, TwoParts};

/// Which atom of the one molecule stands for which of the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtomPairs {
    /// Numbers of atoms: of the first molecule, then of the second.
    pub pairs: Vec<(usize, usize)>,
    /// Where two lists have not the same length: their lengths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uneven: Option<(usize, usize)>,
}

impl AtomPairs {
    /// What a vote counts.
    pub(crate) fn ballot(&self) -> String {
        let pairs: Vec<String> = self.pairs.iter().map(|(a, b)| format!("{a}-{b}")).collect();
        pairs.join(", ")
    }
}

/// The last two lists of numbers; a number alone behind them is their size.
pub(crate) fn read_two(_: Asked<'_, TwoParts>, reading: &Reading) -> Option<AtomPairs> {
    let mut lists = number_lists(reading, 2);
    while let [.., a, b, last] = &lists[..]
        && last.len() == 1
        && a.len() == b.len()
        && a.len() != 1
    {
        lists.pop();
    }
    let second = lists.pop()?;
    let first = lists.pop()?;
    reading.fire(ReadingRule::witness("two lists", None));
    let uneven = (first.len() != second.len()).then_some((first.len(), second.len()));
    Some(AtomPairs { pairs: first.into_iter().zip(second).collect(), uneven })
}

/// The last list of numbers as long as the molecule, else the last list: the place is the one atom, the
/// number the other.
pub(crate) fn read_one(problem: Asked<'_, Atoms>, reading: &Reading) -> Option<AtomPairs> {
    let lists = number_lists(reading, 1);
    let n = problem.query.first.len();
    let list = lists.iter().rev().find(|list| list.len() == n).or(lists.last())?;
    reading.fire(ReadingRule::witness("one list", None));
    Some(AtomPairs { pairs: list.iter().copied().enumerate().collect(), uneven: None })
}

/// What is wrong with pairs whatever was asked: atoms that are not there, or come twice.
fn fault(answer: &AtomPairs, sizes: TwoParts, evidence: &mut Evidence) -> Option<String> {
    let (n, m) = (sizes.n_first, sizes.n_second);
    let mut fault = None;
    if let Some((a, b)) = answer.uneven {
        fault = Some(format!("the lists have {a} and {b} atoms"));
    } else if answer.pairs.is_empty() {
        fault = Some("the lists are empty".to_owned());
    } else if let Some((a, b)) = answer.pairs.iter().find(|(a, b)| *a >= n || *b >= m) {
        let (letter, i) = if *a >= n { ('A', a) } else { ('B', b) };
        fault = Some(format!("molecule {letter} has no atom {i}"));
    }
    let twice = |of: fn(&(usize, usize)) -> usize| {
        let mut list: Vec<usize> = answer.pairs.iter().map(of).collect();
        list.sort_unstable();
        list.windows(2).find(|w| w[0] == w[1]).map(|w| w[0])
    };
    let fault = fault
        .or_else(|| twice(|p| p.0).map(|i| format!("atom {i} of molecule A comes twice")))
        .or_else(|| twice(|p| p.1).map(|i| format!("atom {i} of molecule B comes twice")));
    if let Some(fault) = &fault {
        evidence.check(false, fault.as_str());
    }
    fault
}

/// The atom of that number.
fn atom(letter: char, i: usize) -> NodeName {
    NodeName::from(format!("{letter}{i}").as_str())
}

/// Each atom of a pair bears the name of the other, and a line joins the two.
fn show(answer: &AtomPairs, evidence: &mut Evidence) {
    for (a, b) in &answer.pairs {
        let (a, b) = (atom('a', *a), atom('b', *b));
        evidence.labelled_node(&a, MarkKind::True, Some(b.to_string()));
        evidence.labelled_node(&b, MarkKind::True, Some(a.to_string()));
        evidence.edge(&a, &b, MarkKind::Pair, None);
    }
}

/// Bonds of each two pairs: whether they are there in the first molecule, and in the second.
fn bonds<'p>(
    graph: &'p Graph,
    pairs: &'p [(usize, usize)],
) -> impl Iterator<Item = (usize, usize, bool, bool)> + 'p {
    let is_bond =
        |letter: char, i: usize, j: usize| graph.edge(&atom(letter, i), &atom(letter, j)).is_some();
    (0..pairs.len()).flat_map(move |i| (i + 1..pairs.len()).map(move |j| (i, j))).map(
        move |(i, j)| {
            let ((a, b), (c, d)) = (pairs[i], pairs[j]);
            (i, j, is_bond('a', a, c), is_bond('b', b, d))
        },
    )
}

/// The most atoms of both molecules that are bound alike.
pub(crate) fn common(
    problem: Asked<'_, TwoParts>,
    answer: &AtomPairs,
    mut evidence: Evidence,
) -> Judgement {
    let (graph, sizes) = (problem.graph, *problem.query);
    if let Some(fault) = fault(answer, sizes, &mut evidence) {
        return wrong(evidence, fault);
    }
    show(answer, &mut evidence);
    let pairs = &answer.pairs;
    for (i, j, first, second) in bonds(graph, pairs) {
        if first != second {
            let ((a, b), (c, d)) = (pairs[i], pairs[j]);
            let reason = match first {
                true => format!(
                    "{a} and {c} of molecule A are bound, and {b} and {d} of molecule B are not"
                ),
                false => format!(
                    "{b} and {d} of molecule B are bound, and {a} and {c} of molecule A are not"
                ),
            };
            evidence.check(false, reason.as_str());
            let (letter, x, y) = if first { ('a', a, c) } else { ('b', b, d) };
            evidence.edge(&atom(letter, x), &atom(letter, y), MarkKind::False, None);
            return wrong(evidence, reason);
        }
        if first {
            let ((a, b), (c, d)) = (pairs[i], pairs[j]);
            evidence.edge(&atom('a', a), &atom('a', c), MarkKind::True, None);
            evidence.edge(&atom('b', b), &atom('b', d), MarkKind::True, None);
        }
    }
    evidence
        .check(true, "each two are bound in the one molecule exactly where they are in the other");
    let [first, second] = [part(graph, 'a', sizes.n_first), part(graph, 'b', sizes.n_second)];
    let best = max_common_subgraph(&first, &second, BUDGET);
    let bound = if best.is_proven { best.pairs.len() } else { best.bound };
    let grade = Grade::most(pairs.len(), best.pairs.len(), bound);
    if grade.is_beaten() {
        let better: Vec<String> = best
            .pairs
            .iter()
            .map(|(a, b)| format!("{}-{}", first.name(*a), second.name(*b)))
            .collect();
        evidence.note(format_args!("larger: {}", better.join(", ")));
    }
    let words = |n: f64| if n == 1.0 { "1 atom".to_owned() } else { format!("{n} atoms") };
    grade.judge(words, evidence)
}

/// The fewest changes that make the one molecule the other: atoms of another element, bonds that are on
/// one side only.
pub(crate) fn edit(
    problem: Asked<'_, Atoms>,
    answer: &AtomPairs,
    mut evidence: Evidence,
) -> Judgement {
    let (graph, query) = (problem.graph, problem.query);
    let sizes = query.sizes();
    if let Some(fault) = fault(answer, sizes, &mut evidence) {
        return wrong(evidence, fault);
    }
    let n = sizes.n_first;
    if answer.pairs.len() != n {
        let reason = format!("it maps {} of {n} atoms", answer.pairs.len());
        evidence.check(false, reason.as_str());
        return wrong(evidence, reason);
    }
    show(answer, &mut evidence);
    let pairs = &answer.pairs;
    let mut cost = 0;
    for (a, b) in pairs.iter().filter(|(a, b)| query.first[*a] != query.second[*b]) {
        cost += 1;
        let (from, to) = (&query.first[*a], &query.second[*b]);
        evidence.note(format_args!("atom {a}: {from} becomes {to}"));
    }
    for (i, j, first, second) in bonds(graph, pairs) {
        if first != second {
            cost += 1;
            let ((a, b), (c, d)) = (pairs[i], pairs[j]);
            let (word, letter, x, y) =
                if first { ("broken", 'a', a, c) } else { ("made", 'b', b, d) };
            evidence.note(format_args!(
                "the bond {x}-{y} of molecule {} is {word}",
                letter.to_uppercase()
            ));
            evidence.edge(&atom(letter, x), &atom(letter, y), MarkKind::False, None);
        }
    }
    let [first, second] = [part(graph, 'a', n), part(graph, 'b', sizes.n_second)];
    let best = graph_edit_distance(&first, &second, [&query.first, &query.second], BUDGET);
    let bound = if best.is_proven { best.n_changes } else { best.bound };
    let grade = Grade::least(cost as f64, best.n_changes as f64, bound as f64);
    if grade.is_beaten() {
        let better: Vec<String> = best
            .partners
            .iter()
            .filter_map(|(_, b)| {
                Some(second.name((*b)?).to_string().trim_start_matches('b').to_owned())
            })
            .collect();
        evidence.note(format_args!("cheaper: [{}]", better.join(", ")));
    }
    let words = |n: f64| if n == 1.0 { "1 change".to_owned() } else { format!("{n} changes") };
    grade.judge(words, evidence)
}
