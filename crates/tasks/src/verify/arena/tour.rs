//! Shortest tours.

use graph::exact::tour::{Tour, find_shortest_tour};

use super::{BUDGET, Grade, invented, wrong};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::verify::listing;
use crate::verify::named::NodeList;
use crate::{Judgement, Whole};

/// A tour through all nodes and back; the way back to the start may be left unsaid.
pub(crate) fn judge(
    problem: Asked<'_, Whole>,
    answer: &NodeList,
    mut evidence: Evidence,
) -> Judgement {
    let graph = problem.graph;
    let mut tour = answer.nodes.clone();
    if tour.len() > 1 && tour.first() == tour.last() {
        tour.pop();
    } else if !tour.is_empty() {
        evidence.note("the way back to the start is understood");
    }
    if tour.is_empty() {
        evidence.check(false, "the list is empty");
        return wrong(evidence, "the list is empty");
    }
    if let Some(fault) = invented(graph, &tour, &mut evidence) {
        return wrong(evidence, fault);
    }
    let missing: Vec<_> = graph.names().filter(|name| !tour.contains(name)).collect();
    if !missing.is_empty() {
        let names = listing(&missing);
        evidence.check(false, format_args!("it leaves out {names}"));
        missing.iter().for_each(|node| evidence.node(node, MarkKind::False));
        return wrong(evidence, format_args!("it leaves out {names}"));
    }
    let mut length = 0.0;
    for (i, a) in tour.iter().enumerate() {
        let b = &tour[(i + 1) % tour.len()];
        let Some(edge) = graph.edge(a, b) else {
            evidence.check(false, format_args!("{a} and {b} are joined"));
            evidence.edge(a, b, MarkKind::False, None);
            return wrong(evidence, format_args!("{a} and {b} are not joined"));
        };
        length += edge.weight_or_one();
        evidence.check(true, format_args!("{a} to {b}: {}", edge.weight_or_one()));
        evidence.edge(a, b, MarkKind::True, Some(edge.weight_or_one()));
    }
    let words = |n: f64| format!("length {n}");
    match find_shortest_tour(graph, BUDGET) {
        Tour::Found { nodes, length: best, bound, is_proven } => {
            let bound = if is_proven { best } else { bound.ceil() };
            let grade = Grade::least(length, best, bound);
            if grade.is_beaten() {
                let shorter = graph.names_of(&nodes);
                evidence.note(format_args!("shorter: {}", crate::names::join(&shorter, " - ")));
                for step in shorter.windows(2) {
                    evidence.edge(&step[0], &step[1], MarkKind::Path, None);
                }
            }
            grade.judge(words, evidence)
        }
        // The answer itself is one.
        Tour::None | Tour::Undecided => Grade::least(length, length, 0.0).judge(words, evidence),
    }
}
