//! What a run did, step by step. Everything the page shows of a run is a fold over its [`Trace`].
#![warn(missing_docs)]

use graph::functions::Touched;
use graph::{Delta, Graph, GraphError};
use llm::{FinishReason, Message, ToolCall, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format that this crate writes.
pub const VERSION: u32 = 1;

/// What a tool did to the graph, handed through the agent unopened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effects {
    /// What it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deltas: Vec<Delta>,
    /// What it read or points to.
    #[serde(default)]
    pub touched: Touched,
}

/// The kinds of mistakes that a model makes with tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MistakeKind {
    /// There is no tool of that name.
    UnknownTool,
    /// The arguments are not JSON.
    BadJson,
    /// The arguments do not fit the tool's schema.
    Schema,
    /// The tool refused: an unknown node, a graph that is not bipartite.
    Library,
}

impl MistakeKind {
    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown function",
            Self::BadJson => "malformed JSON",
            Self::Schema => "schema violation",
            Self::Library => "refused by the library",
        }
    }
}

/// Why a call failed: data in the trace, and the model's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolError {
    /// Which kind of mistake.
    pub kind: MistakeKind,
    /// A stable word, such as `unknown_node`.
    pub code: String,
    /// What was wrong and what would be right.
    pub message: String,
    /// Evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolResult {
    /// A value.
    Value {
        /// The value.
        value: Value,
        /// Remarks, such as "the graph is directed; it was treated as undirected".
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// A mistake of the model.
    Error(ToolError),
}

/// One entry of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Milliseconds since the run began.
    pub at_ms: f64,
    /// Milliseconds that it took.
    pub took_ms: f64,
    /// What happened.
    pub body: StepBody,
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum StepBody {
    /// A turn of the model.
    Model {
        /// What it said and called.
        message: Message,
        /// Why it stopped.
        finish: FinishReason,
        /// What it took.
        usage: Usage,
        /// Hash of the request's messages and tools.
        request_hash: String,
    },
    /// A tool call with its result.
    Call {
        /// The call as the model made it.
        call: ToolCall,
        /// What came of it.
        result: ToolResult,
        /// What it did.
        effects: Effects,
    },
    /// Something worth saying that is neither.
    Note {
        /// The text.
        text: String,
    },
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Stop {
    /// The model gave its final answer.
    Answered,
    /// As many rounds as allowed.
    Rounds,
    /// As many calls as allowed.
    Calls,
    /// As many tokens as allowed.
    Tokens,
    /// As much time as allowed.
    Deadline,
    /// A person stopped it.
    Cancelled,
    /// No answer came from the model.
    ModelFailed {
        /// What was wrong.
        message: String,
    },
}

impl Stop {
    /// In a few words for people.
    pub fn title(&self) -> String {
        match self {
            Self::Answered => "answered".into(),
            Self::Rounds => "stopped: the limit on rounds was reached".into(),
            Self::Calls => "stopped: the limit on calls was reached".into(),
            Self::Tokens => "stopped: the limit on tokens was reached".into(),
            Self::Deadline => "stopped: the time was up".into(),
            Self::Cancelled => "stopped by you".into(),
            Self::ModelFailed { message } => message.clone(),
        }
    }
}

/// A run, step by step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The version of this format.
    pub version: u32,
    /// The system that ran.
    pub system: String,
    /// The model's label; a script says that it is one.
    pub model: String,
    /// What was said before the model's first turn.
    pub prompt: Vec<Message>,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// Why it ended; absent while it runs.
    pub stop: Option<Stop>,
}

impl Trace {
    /// A run that has not taken a step.
    pub fn new(system: &str, model: String, prompt: Vec<Message>) -> Self {
        let (system, steps) = (system.to_owned(), Vec::new());
        Self { version: VERSION, system, model, prompt, steps, stop: None }
    }

    /// The tokens of all turns.
    pub fn usage(&self) -> Usage {
        let mut sum = Usage::default();
        for step in &self.steps {
            if let StepBody::Model { usage, .. } = &step.body {
                sum.add(*usage);
            }
        }
        sum
    }

    /// The model's last words without a call: its answer, once it stopped by itself.
    pub fn answer(&self) -> Option<&str> {
        if self.stop != Some(Stop::Answered) {
            return None;
        }
        self.steps.iter().rev().find_map(|s| match &s.body {
            StepBody::Model { message, .. } if message.tool_calls.is_empty() => {
                Some(message.content.as_str())
            }
            _ => None,
        })
    }

    /// The graph after the first `n_steps` steps.
    ///
    /// # Errors
    /// A delta does not fit: the trace was edited or is not ours.
    pub fn graph_after(&self, n_steps: usize) -> Result<Graph, GraphError> {
        let mut graph = Graph::undirected();
        for step in self.steps.iter().take(n_steps) {
            if let StepBody::Call { effects, .. } = &step.body {
                for delta in &effects.deltas {
                    graph.apply(delta)?;
                }
            }
        }
        Ok(graph)
    }

    /// How often the model erred, by kind.
    pub fn mistakes(&self) -> Vec<(MistakeKind, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        for step in &self.steps {
            if let StepBody::Call { result: ToolResult::Error(error), .. } = &step.body {
                *counts.entry(error.kind).or_insert(0) += 1;
            }
        }
        counts.into_iter().collect()
    }

    /// The number of tool calls.
    pub fn n_calls(&self) -> usize {
        self.steps.iter().filter(|s| matches!(s.body, StepBody::Call { .. })).count()
    }

    /// The number of turns of the model.
    pub fn n_rounds(&self) -> usize {
        self.steps.iter().filter(|s| matches!(s.body, StepBody::Model { .. })).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(deltas: Vec<Delta>) -> Step {
        let effects = Effects { deltas, ..Effects::default() };
        let call = ToolCall { id: "1".into(), name: "f".into(), arguments: "{}".into() };
        let result = ToolResult::Value { value: Value::Null, notes: Vec::new() };
        Step { at_ms: 0.0, took_ms: 0.0, body: StepBody::Call { call, result, effects } }
    }

    #[test]
    fn the_graph_at_a_step_is_the_fold_of_the_deltas_up_to_it() {
        let mut trace = Trace::new("grounded", "script".into(), Vec::new());
        trace.steps.push(call(vec![Delta::AddNode { node: "Tom".into() }]));
        trace.steps.push(call(vec![Delta::AddNode { node: "Katy".into() }]));
        trace.steps.push(call(vec![Delta::Clear]));
        let sizes: Vec<usize> = (0..=3).map(|k| trace.graph_after(k).unwrap().n_nodes()).collect();
        assert_eq!(sizes, [0, 1, 2, 0]);
    }

    #[test]
    fn a_trace_survives_json() {
        let mut trace = Trace::new("grounded", "script".into(), vec![Message::system("rules")]);
        trace.steps.push(call(vec![Delta::Create { directed: true, weighted: false }]));
        trace.stop = Some(Stop::ModelFailed { message: "no".into() });
        let json = serde_json::to_string(&trace).unwrap();
        assert_eq!(serde_json::from_str::<Trace>(&json).unwrap(), trace);
    }

    #[test]
    fn an_unfinished_run_has_no_answer() {
        let trace = Trace::new("grounded", "script".into(), Vec::new());
        assert_eq!(trace.answer(), None);
    }
}
