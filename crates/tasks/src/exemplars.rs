//! Solved problems to put before a question, made by our own generator and solver.

use crate::{Difficulty, Style, TaskId, Wording, task};

/// How many exemplars NLGraph shows for each task.
fn count(id: TaskId) -> u64 {
    match id {
        TaskId::Connectivity | TaskId::Cycle => 4,
        TaskId::Gnn => 1,
        _ => 5,
    }
}

/// How many solved problems stand before a question of this task in this style.
pub fn n_exemplars(id: TaskId, style: Style) -> u64 {
    if matches!(style, Style::FewShot | Style::Cot | Style::Algorithm) { count(id) } else { 0 }
}

/// What stands before the question in this style; empty for a style without exemplars.
pub(crate) fn before(id: TaskId, wording: Wording, style: Style) -> String {
    let task = task(id);
    let mut text = String::new();
    if style == Style::Algorithm {
        text.push_str(task.algorithm);
        text.push_str("\n\n");
    }
    for i in 0..n_exemplars(id, style) {
        // Far from the seeds that anybody would type, so no exemplar is a question too.
        let problem = task.generate(Difficulty::Easy, 0xE8E3_0000 + i);
        let answer = (task.solve)(&problem);
        (task.ask)(&problem, wording, style, &mut text);
        text.push(' ');
        text.push_str(&match style {
            Style::FewShot => (task.reference)(&problem, &answer),
            _ => (task.reasoned)(&problem, &answer),
        });
        text.truncate(text.trim_end().len());
        text.push_str("\n\n");
    }
    text
}
