//! What a script says without tools: the right answer, or one that errs as logged answers do.

use graph::NodeName;
use tasks::{
    Answer, Problem, Slip, SlipKind, TaskId, Verdict, answers, reference_text, solve, verify,
};

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
    let made_up = mistakes.into_iter().map(|mistake| mistaken(problem, mistake));
    // Who names a path that is none is right in part: there is one. Who denies it is not.
    let denied = (problem.task() == TaskId::Hamilton).then(|| {
        let none = answers::Hamilton { exists: Some(false), path: Vec::new() };
        reference_text(problem, &Answer::Hamilton(none))
    });
    let is_wrong = |text: &String| verify(problem, text).verdict == Verdict::Incorrect;
    made_up.chain(denied).find(is_wrong).unwrap_or_else(|| mistaken(problem, mistakes[0]))
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
