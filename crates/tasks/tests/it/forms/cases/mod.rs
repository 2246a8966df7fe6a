//! A problem of each task with answers in bare forms, and the verdict that each must get.

mod graph_arena;
mod graphwiz;
mod nlgraph;
mod others;

use tasks::Verdict;

/// A task with an answer in the forms that hold no prose.
pub struct Case {
    /// What is asked.
    pub question: &'static str,
    /// What stands in a box or behind a heading, and its verdict.
    pub bare: &'static [(&'static str, Verdict)],
    /// What stands in `\boxed{…}`.
    pub boxed: &'static [(&'static str, Verdict)],
    /// JSON objects.
    pub json: &'static [(&'static str, Verdict)],
    /// Markdown tables, `/` for a line end.
    pub table: &'static [(&'static str, Verdict)],
}

/// All cases, benchmark by benchmark.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    let of: [&'static [Case]; 4] =
        [&nlgraph::CASES, &graphwiz::CASES, &graph_arena::CASES, &others::CASES];
    of.into_iter().flatten()
}
