//! What is counted of a run.

use std::collections::{BTreeMap, BTreeSet};

use llm::{FinishReason, Usage};
use serde::{Deserialize, Serialize};
use tasks::{Problem, Verdict, claims};
use trace::{MistakeKind, StepBody, Stop, ToolResult, Trace};

/// Kinds of errors of a run; one run may have several.
///
/// Paper: Graph-Grounded LLMs §IV, the three conclusions from failure cases (function utilization
/// errors, misuse of similar functions, context length limitations); the others are ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// There were tools, none was called, and the answer is not correct.
    NoTool,
    /// The answer is not correct, and the graph was asked by functions of which none answers the
    /// task.
    SimilarFunction,
    /// A call of an unknown function, with arguments that are no JSON or do not fit.
    Schema,
    /// The conversation did not fit the model's context window.
    ContextExceeded,
    /// The answer asserts something about the graph that is false.
    FalseClaim,
    /// The model or its endpoint declined to answer.
    Refusal,
    /// It answered, and no answer could be read.
    Unread,
    /// A limit on rounds, calls, tokens or time ended the run.
    Limit,
    /// The answer was cut off by the endpoint's limit on tokens.
    CutOff,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::NoTool,
        Self::SimilarFunction,
        Self::Schema,
        Self::ContextExceeded,
        Self::FalseClaim,
        Self::Refusal,
        Self::Unread,
        Self::Limit,
        Self::CutOff,
    ];

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::NoTool => "no tool used",
            Self::SimilarFunction => "similar function misused",
            Self::Schema => "call that does not fit",
            Self::ContextExceeded => "context exceeded",
            Self::FalseClaim => "false claim",
            Self::Refusal => "refusal",
            Self::Unread => "answer not readable",
            Self::Limit => "limit reached",
            Self::CutOff => "answer cut off",
        }
    }

    /// Its name in files.
    pub fn id(self) -> &'static str {
        match self {
            Self::NoTool => "no_tool",
            Self::SimilarFunction => "similar_function",
            Self::Schema => "schema",
            Self::ContextExceeded => "context_exceeded",
            Self::FalseClaim => "false_claim",
            Self::Refusal => "refusal",
            Self::Unread => "unread",
            Self::Limit => "limit",
            Self::CutOff => "cut_off",
        }
    }
}

/// What is counted of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Turns of the model.
    pub n_rounds: u32,
    /// Tool calls.
    pub n_calls: u32,
    /// Calls that went wrong, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub mistakes: BTreeMap<MistakeKind, u32>,
    /// Calls that the model mended after an error came back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_corrections: u32,
    /// Tokens, as far as the endpoint told them.
    #[serde(default)]
    pub usage: Usage,
    /// Milliseconds from the start to the end.
    pub took_ms: f64,
    /// Claims of the answer about the graph.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_claims: u32,
    /// Of these, the false ones.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_false_claims: u32,
    /// Kinds of errors.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub errors: BTreeSet<ErrorKind>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Functions that build or look up and compute nothing: using them is no misuse.
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

impl Facts {
    /// Counts a run of a system that has tools or has none.
    pub fn of(problem: &Problem, trace: &Trace, verdict: Verdict, has_tools: bool) -> Self {
        let mut facts = Self { usage: trace.usage(), ..Self::default() };
        let mut called: BTreeSet<&str> = BTreeSet::new();
        let mut finish = None;
        for step in &trace.steps {
            facts.took_ms = facts.took_ms.max(step.at_ms + step.took_ms);
            match &step.body {
                StepBody::Model { finish: f, .. } => {
                    facts.n_rounds += 1;
                    finish = Some(f);
                }
                StepBody::Call { call, result, .. } => {
                    facts.n_calls += 1;
                    called.insert(&call.name);
                    if let ToolResult::Error(error) = result {
                        *facts.mistakes.entry(error.kind).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        facts.n_corrections = trace.n_corrections() as u32;
        let answer = trace.answer();
        if let Some(text) = answer {
            let claims = claims::find(problem, text);
            facts.n_claims = claims.len() as u32;
            facts.n_false_claims = claims.iter().filter(|c| !c.is_true).count() as u32;
        }
        let is_right = verdict == Verdict::Correct;
        let asked: Vec<&&str> = called.iter().filter(|n| !PREPARING.contains(n)).collect();
        let no_answer = verdict == Verdict::NoAnswer;
        let declined = finish == Some(&FinishReason::ContentFilter)
            || answer.is_some_and(|text| {
                let text = text.replace('’', "'").to_lowercase();
                DECLINES.iter().any(|d| text.contains(d))
            });
        let answered = trace.stop == Some(Stop::Answered);
        let found = [
            (
                ErrorKind::NoTool,
                has_tools
                    && facts.n_calls == 0
                    && !is_right
                    && answered
                    && !(no_answer && declined),
            ),
            (
                ErrorKind::SimilarFunction,
                !is_right
                    && !asked.is_empty()
                    && !asked.iter().any(|n| problem.task().answering().contains(n)),
            ),
            (ErrorKind::Schema, facts.mistakes.keys().any(|k| *k != MistakeKind::Library)),
            (
                ErrorKind::ContextExceeded,
                matches!(&trace.stop, Some(Stop::ModelFailed { is_overflow: true, .. })),
            ),
            (ErrorKind::FalseClaim, facts.n_false_claims > 0),
            (ErrorKind::Refusal, no_answer && declined),
            (ErrorKind::Unread, no_answer && answered && !declined),
            (
                ErrorKind::Limit,
                matches!(
                    trace.stop,
                    Some(Stop::Rounds | Stop::Calls | Stop::Tokens | Stop::Deadline)
                ),
            ),
            (ErrorKind::CutOff, finish == Some(&FinishReason::Length)),
        ];
        facts.errors = found.into_iter().filter(|(_, is)| *is).map(|(kind, _)| kind).collect();
        facts
    }

    /// Calls that went wrong.
    pub fn n_mistakes(&self) -> u32 {
        self.mistakes.values().sum()
    }
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
