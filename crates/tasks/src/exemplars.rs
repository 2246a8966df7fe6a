//! Solved problems to put before a question, made by our own generator and solver.

use crate::{Difficulty, Style, TaskId, Wording, task};

/// How many solved problems stand before a question of this task in this style.
pub fn n_exemplars(id: TaskId, style: Style) -> u64 {
    if style.has_exemplars() { id.n_exemplars() } else { 0 }
}

/// What stands before the question in this style; empty for a style without exemplars.
pub(crate) fn before(id: TaskId, wording: Wording, style: Style) -> String {
    let mut text = String::new();
    if style == Style::Algorithm {
        text.push_str(id.algorithm());
        text.push_str("\n\n");
    }
    for i in 0..n_exemplars(id, style) {
        // Far from the seeds that anybody would type, so no exemplar is a question too.
        let problem = task(id).generate(Difficulty::Easy, 0xE8E3_0000 + i);
        let answer = problem.solve();
        problem.ask(wording, style, &mut text);
        text.push(' ');
        text.push_str(&problem.reference(&answer, style != Style::FewShot));
        text.truncate(text.trim_end().len());
        text.push_str("\n\n");
    }
    text
}
