//! What a script says without tools: the right answer, or one that errs as logged answers do.

use graph::NodeName;
use tasks::{Answer, Problem, Slip, SlipKind, Verdict, reference_text, solve, verify};

use super::Mistake;

/// The right answer in the benchmark's words.
pub(super) fn careful(problem: &Problem) -> String {
    reference_text(problem, &solve(problem))
}

/// The node that a careless reader leaves out.
pub(super) fn dropped(problem: &Problem) -> Option<NodeName> {
    match problem.query.ends() {
        Some((_, target)) => Some(target.clone()),
        None => problem.graph.names().last().cloned(),
    }
}

/// Makes the number in an answer wrong; an answer without one loses its last entry.
pub(super) fn spoil_total(problem: &Problem, answer: &mut Answer) {
    problem.slip(answer, &Slip { kind: SlipKind::Total, invented: None });
}

/// An answer that is wrong, and not only in part: the first mistake that leads to one, with the edge
/// that is not there before all others, because that is what models without tools make up.
pub(super) fn wrong(problem: &Problem) -> String {
    let mistakes = [Mistake::InventedEdge, Mistake::DroppedNode, Mistake::WrongTotal];
    let mut made_up = mistakes.into_iter().map(|mistake| mistaken(problem, mistake));
    let is_wrong = |text: &String| verify(problem, text).verdict == Verdict::Incorrect;
    made_up.find(is_wrong).unwrap_or_else(|| mistaken(problem, mistakes[0]))
}

/// A wrong answer of the kind that a mistake leads to.
pub(super) fn mistaken(problem: &Problem, mistake: Mistake) -> String {
    let kind = match mistake {
        Mistake::WrongTotal => SlipKind::Total,
        Mistake::DroppedNode => SlipKind::DroppedNode,
        _ => SlipKind::Witness,
    };
    let slip = Slip { kind, invented: problem.missing_edge() };
    let mut answer = solve(problem);
    let lead = problem.slip(&mut answer, &slip);
    let text = reference_text(problem, &answer);
    match lead {
        Some(lead) => format!("{lead} {text}"),
        None => text,
    }
}
