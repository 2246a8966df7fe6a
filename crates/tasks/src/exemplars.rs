//! Solved problems to put before a question, made by our own generator and solver.

use crate::{Style, TaskId, Wording, task};

/// How many solved problems stand before a question of this task in this style.
pub fn n_exemplars(id: TaskId, style: Style) -> u64 {
    if style.has_exemplars() { style.n_shots().unwrap_or(id.n_exemplars()) } else { 0 }
}

/// What stands before the question in this style; empty for a style without exemplars.
pub(crate) fn before(id: TaskId, wording: Wording, style: Style) -> String {
    let mut text = String::new();
    if style.describes_algorithm() {
        text.push_str(id.algorithm());
        text.push_str("\n\n");
    }
    for i in 0..n_exemplars(id, style) {
        // Far from the seeds that anybody would type, so no exemplar is a question too.
        let problem = task(id).generate(style.level(id), 0xE8E3_0000 + i);
        let answer = problem.solve();
        text.push_str(&problem.asked(wording, style));
        text.push(' ');
        text.push_str(&problem.reference(&answer, style.is_reasoned()));
        text.truncate(text.trim_end().len());
        text.push_str("\n\n");
    }
    text
}
