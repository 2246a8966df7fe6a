//! The kinds of errors of a run on an NLGraph problem.

use std::collections::BTreeSet;

use tasks::{Problem, Verdict, claims};
use trace::{MistakeKind, StepBody, ToolResult, Trace};

use crate::experiment::ErrorKind;

const NO_TOOL: &str = "no_tool";
const SIMILAR_FUNCTION: &str = "similar_function";
const SCHEMA: &str = "schema";
const FALSE_CLAIM: &str = "false_claim";
const REFUSAL: &str = "refusal";
const UNREAD: &str = "unread";

/// Kinds of errors; one run may have several.
///
/// Paper: Graph-Grounded LLMs §IV, the three conclusions from failure cases (function utilization
/// errors, misuse of similar functions, context length limitations); the others are ours.
pub static ERROR_KINDS: &[ErrorKind] = &[
    // There were tools, none was called, and the answer is not correct.
    ErrorKind { id: NO_TOOL, title: "no tool used" },
    // The answer is not correct, and no function that answers the task was called.
    ErrorKind { id: SIMILAR_FUNCTION, title: "similar function misused" },
    // A call of an unknown function, with arguments that are no JSON or do not fit.
    ErrorKind { id: SCHEMA, title: "call that does not fit" },
    // The answer asserts something about the graph that is false.
    ErrorKind { id: FALSE_CLAIM, title: "false claim" },
    ErrorKind { id: REFUSAL, title: "refusal" },
    ErrorKind { id: UNREAD, title: "answer not readable" },
];

/// Functions that build, look up, or check what the model has found itself: using them is no misuse.
const PREPARING: &[&str] = &[
    "create_graph",
    "add_nodes",
    "add_edges",
    "delete_nodes",
    "delete_edges",
    "rename_node",
    "set_edge_weights",
    "set_node_embeddings",
    "clear_graph",
    "describe_graph",
    "get_neighbors",
    "get_degrees",
    "has_edge",
    "get_edge_weight",
    "read_result",
    "is_topological_order",
];

/// Words with which a model declines.
const DECLINES: &[&str] = &[
    "i'm sorry",
    "i am sorry",
    "i cannot",
    "i can't",
    "i can not",
    "i am unable",
    "i'm unable",
    "i won't",
    "cannot help",
    "can't help",
    "as an ai",
    "not able to answer",
];

/// The kinds of errors of a run of a system that has tools or has none, and how many claims its
/// answer makes about the graph, with the false ones of these.
pub fn errors(
    problem: &Problem,
    trace: &Trace,
    verdict: Verdict,
    has_tools: bool,
) -> (BTreeSet<&'static str>, (u32, u32)) {
    let mut called: BTreeSet<&str> = BTreeSet::new();
    let (mut n_calls, mut has_bad_call) = (0, false);
    for step in &trace.steps {
        if let StepBody::Call { call, result, .. } = &step.body {
            n_calls += 1;
            called.insert(&call.name);
            if let ToolResult::Error(error) = result {
                has_bad_call |= error.kind != MistakeKind::Library;
            }
        }
    }
    let answer = trace.answer();
    let (mut n_claims, mut n_false) = (0, 0);
    if let Some(text) = answer {
        let claims = claims::find(problem, text);
        n_claims = claims.len() as u32;
        n_false = claims.iter().filter(|c| !c.is_true).count() as u32;
    }
    let is_right = verdict == Verdict::Correct;
    let asked: Vec<&&str> = called.iter().filter(|n| !PREPARING.contains(n)).collect();
    let no_answer = verdict == Verdict::NoAnswer;
    let declined = answer.is_some_and(|text| {
        let text = text.replace('’', "'").to_lowercase();
        DECLINES.iter().any(|d| text.contains(d))
    });
    let answered = answer.is_some();
    let is_none_answering = !asked.iter().any(|n| problem.task().answering().contains(n));
    let found = [
        (NO_TOOL, has_tools && n_calls == 0 && !is_right && answered && !(no_answer && declined)),
        (SIMILAR_FUNCTION, !is_right && !asked.is_empty() && is_none_answering),
        (SCHEMA, has_bad_call),
        (FALSE_CLAIM, n_false > 0),
        (REFUSAL, no_answer && declined),
        (UNREAD, no_answer && answered && !declined),
    ];
    let found = found.into_iter().filter(|(_, is)| *is).map(|(kind, _)| kind).collect();
    (found, (n_claims, n_false))
}

#[cfg(test)]
mod tests {
    use tasks::TaskId;

    use super::*;

    /// A name that the library does not have would never match.
    #[test]
    fn every_function_named_here_exists() {
        let known: Vec<&str> = graph::functions::FUNCTIONS.iter().map(|f| f.name).collect();
        let all = TaskId::ALL.iter().flat_map(|t| t.answering()).chain(PREPARING);
        for name in all.filter(|n| **n != "read_result") {
            assert!(known.contains(name), "{name}");
        }
        assert!(TaskId::ALL.iter().flat_map(|t| t.answering()).all(|n| !PREPARING.contains(n)));
    }
}
