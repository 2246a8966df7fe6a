//! Judges of GraphArena's tasks: an answer is right if it is feasible and no other is better, in part if
//! only feasible, and wrong if it names what is not there, names something twice, or breaks what is asked.
//!
//! Paper: GraphArena §3.3, its four classes: correct, suboptimal, hallucinatory, missing.
//!
//! Feasibility is checked here, edge by edge. How good an answer can be is told by `graph::exact`, whose
//! results are proven by bounds.

pub(crate) mod mapping;
pub(crate) mod paths;
pub(crate) mod sets;
pub(crate) mod tour;

use std::fmt::Display;

use graph::{Graph, NodeName};

use super::named::{NodeList, last_list};
use super::{joined, listing, repeated};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::reading::Reading;
use crate::{Judgement, Verdict};

/// How many steps a search for the optimum may take. At the benchmark's sizes it ends long before.
const BUDGET: u64 = 20_000_000;

/// Reads a list of names.
pub(crate) fn read<Q>(problem: Asked<'_, Q>, reading: &Reading) -> Option<NodeList> {
    last_list(problem.graph, reading).map(|nodes| NodeList { nodes })
}

/// A list that names what is not there, or something twice, is wrong whatever was asked: the reason.
fn invented(graph: &Graph, nodes: &[NodeName], evidence: &mut Evidence) -> Option<String> {
    let unknown: Vec<&NodeName> = nodes.iter().filter(|name| !graph.has_node(name)).collect();
    if !unknown.is_empty() {
        let names = listing(&unknown);
        evidence.check(false, format_args!("the graph has no node {names}"));
        for name in unknown {
            evidence.node(name, MarkKind::False);
        }
        return Some(format!("the graph has no node {names}"));
    }
    let twice = repeated(nodes)?;
    evidence.check(false, format_args!("{twice} comes twice"));
    evidence.node(twice, MarkKind::False);
    Some(format!("{twice} comes twice"))
}

fn wrong(evidence: Evidence, reason: impl Display) -> Judgement {
    Judgement::new(
        Verdict::Incorrect,
        evidence,
        format_args!("The answer does not hold: {reason}."),
    )
}

/// How good a feasible answer is, and how good one can be.
struct Grade {
    /// The answer's own value.
    value: f64,
    /// The value of the best answer that is known.
    best: f64,
    /// No answer passes this.
    bound: f64,
    /// Whether a large value is good.
    is_large_good: bool,
}

impl Grade {
    /// Of a set: as many nodes as possible.
    fn most(value: usize, best: usize, bound: usize) -> Self {
        let [value, best, bound] = [value, best, bound].map(|n| n as f64);
        Self { value, best, bound, is_large_good: true }
    }

    /// As little as possible.
    fn least(value: f64, best: f64, bound: f64) -> Self {
        Self { value, best, bound, is_large_good: false }
    }

    fn is_better(&self, a: f64, b: f64) -> bool {
        if self.is_large_good { a > b + 1e-6 } else { a < b - 1e-6 }
    }

    /// Whether a better answer than the one given is known, which is then worth a look.
    fn is_beaten(&self) -> bool {
        self.is_better(self.best, self.value)
    }

    /// The verdict on a feasible answer; `what` is its value in words, as in "3 nodes".
    fn judge(&self, what: fn(f64) -> String, mut evidence: Evidence) -> Judgement {
        let (value, best) = (what(self.value), what(self.best));
        let word = if self.is_large_good { "more" } else { "less" };
        if self.is_beaten() {
            let gap = (self.best - self.value).abs();
            let percent = if self.best == 0.0 { 0.0 } else { 100.0 * gap / self.best };
            let gap = what(gap);
            evidence.check(
                false,
                format_args!("{value}; {best} can be had: a gap of {gap}, {percent:.0} %"),
            );
            let text = format_args!("It is a valid answer of {value}, but one of {best} exists.");
            return Judgement::new(Verdict::Partial, evidence, text);
        }
        if self.is_better(self.bound, self.value) {
            let bound = what(self.bound);
            evidence.note(format_args!(
                "optimum not proven: nothing better than {value} was found, and {bound} is not ruled out"
            ));
            let text = format_args!(
                "It is a valid answer of {value}. The search for a better one ended before it knew \
                 whether {bound} is possible: optimum not proven."
            );
            return Judgement::new(Verdict::Partial, evidence, text);
        }
        evidence.check(true, format_args!("{value}, and no answer has {word}"));
        let text = format_args!("Right: {value}, and no answer has {word}.");
        Judgement::new(Verdict::Correct, evidence, text)
    }
}

/// `1 node`, `3 nodes`.
fn n_nodes(n: f64) -> String {
    if n == 1.0 { "1 node".to_owned() } else { format!("{n} nodes") }
}

#[cfg(test)]
mod tests;
