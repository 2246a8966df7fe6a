//! Problems of every task: solved, and the solution judged.

use std::hint::black_box;

use tasks::{Difficulty, Problem, TASKS, Verdict, solve, verify_answer};

/// Problems of one task at one level.
pub struct TaskCase {
    /// The task's name.
    pub task: &'static str,
    /// Its level.
    pub level: Difficulty,
    problems: Vec<Problem>,
}

impl TaskCase {
    /// How many cases there are: every task at every level that it has.
    pub fn n() -> usize {
        TASKS.iter().map(|task| task.difficulties.len()).sum()
    }

    /// Makes so many problems of the case at a place of that list, from seeds that begin at 0.
    pub fn new(place: usize, n: u64) -> Option<Self> {
        let mut all =
            TASKS.iter().flat_map(|task| task.difficulties.iter().map(move |l| (task, *l)));
        let (task, level) = all.nth(place)?;
        let problems = (0..n).map(|seed| task.generate(level, seed)).collect();
        Some(Self { task: task.id.as_str(), level, problems })
    }

    /// The most nodes that a problem has.
    pub fn most_nodes(&self) -> usize {
        self.problems.iter().map(|p| p.graph.n_nodes()).max().unwrap_or(0)
    }

    /// Solves the problem at a place.
    pub fn solve(&self, at: usize) {
        if let Some(problem) = self.problems.get(at) {
            black_box(solve(black_box(problem)));
        }
    }

    /// Solves it and judges the solution; whether it is right.
    pub fn solve_and_judge(&self, at: usize) -> bool {
        let Some(problem) = self.problems.get(at) else { return false };
        verify_answer(problem, &solve(black_box(problem))).verdict == Verdict::Correct
    }
}
