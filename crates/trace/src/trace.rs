//! A run, step by step, and what can be folded out of it.

use std::collections::BTreeMap;

use graph::composed::Proposal;
use graph::{Graph, GraphError};
use llm::{
    ChatRequest, Endpoint, FinishReason, Message, ReplyShape, ToolChoice, ToolSpec, TurnEnd, Usage,
};
use serde::{Deserialize, Serialize};

use crate::{MistakeKind, Step, StepBody, Stop, ToolResult};

/// The version of the format that this crate writes.
pub const VERSION: u32 = 2;

/// The role of whoever says how good an answer is: its turns stand in the trace and are no part of
/// what answered.
pub const JUDGE_ROLE: &str = "judge";

/// Who was asked from a step on, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The first step of theirs, counted from 0.
    pub from: usize,
    /// The model's name at its endpoint.
    pub model: String,
    /// Its protocol and options, without its address; absent for a model that is sent no bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<Endpoint>,
    /// The sampling seed, where one was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The role that it plays in its system; empty where the system has one role.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// The sampling temperature, where it was another than the endpoint's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Whether it had to call a tool.
    #[serde(default, skip_serializing_if = "ToolChoice::is_auto")]
    pub tool_choice: ToolChoice,
    /// What its replies were held to, where they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_shape: Option<ReplyShape>,
}

/// What a model was asked, put together again from the trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Rebuilt {
    /// The request in the form that all providers share.
    pub request: ChatRequest,
    /// The bytes that were sent, where any were.
    pub body: Option<String>,
    /// Whether it has the hash that was kept; `None` where none was.
    pub is_same: Option<bool>,
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
    /// What the model may call, once for all its turns; empty in a trace that did not keep it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    /// The graph that was there before the first call, where one was handed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attached: Option<Graph>,
    /// The composed functions that were there before the first call, beside the library's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub composed: Vec<Proposal>,
    /// Who was asked from which step on, and how: what is needed to rebuild the bytes that were sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Asked>,
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
        Self {
            version: VERSION,
            system: system.to_owned(),
            model,
            tools: Vec::new(),
            attached: None,
            composed: Vec::new(),
            asked: Vec::new(),
            prompt,
            steps: Vec::new(),
            stop: None,
        }
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

    /// How the run ended. Where it is kept as answered, the last turn has to bear that out: one that was
    /// cut off, refused or empty is no answer, whoever wrote the trace.
    pub fn ended(&self) -> Option<Stop> {
        match (&self.stop, self.last_turn()) {
            (Some(Stop::Answered), Some((message, finish))) => {
                Some(TurnEnd::of(message, finish).into())
            }
            (stop, _) => stop.clone(),
        }
    }

    /// The model's last words without a call: its answer, once it stopped by itself. A text that was cut
    /// off or failed is none, nor are a judge's words. Where those words are a program, the answer is what
    /// that printed.
    pub fn answer(&self) -> Option<&str> {
        if self.ended() != Some(Stop::Answered) {
            return None;
        }
        self.printed().or_else(|| self.last_said())
    }

    /// What the program that the model wrote last printed, where that has no fault.
    pub fn printed(&self) -> Option<&str> {
        let last = self.steps.iter().enumerate().rev().find(|(i, step)| match &step.body {
            StepBody::Program { .. } => true,
            StepBody::Model { .. } => !self.is_judged_at(*i),
            _ => false,
        });
        match last.map(|(_, step)| &step.body) {
            Some(StepBody::Program { output, fault: None, .. }) => Some(output),
            _ => None,
        }
    }

    /// What the model said last without a call, also where that is no answer.
    pub fn last_said(&self) -> Option<&str> {
        self.last_turn().map(|(message, _)| message.content.as_str())
    }

    /// The last turn without a call that is not a judge's.
    fn last_turn(&self) -> Option<(&Message, &FinishReason)> {
        self.steps.iter().enumerate().rev().find_map(|(i, s)| match &s.body {
            StepBody::Model { message, finish, .. }
                if message.tool_calls.is_empty() && !self.is_judged_at(i) =>
            {
                Some((message, finish))
            }
            _ => None,
        })
    }

    /// Whether the step of that number is a judge's.
    pub fn is_judged_at(&self, step: usize) -> bool {
        self.role_at(step) == JUDGE_ROLE
    }

    /// The graph after the first `n_steps` steps.
    ///
    /// # Errors
    /// A delta does not fit: the trace was edited or is not ours.
    pub fn graph_after(&self, n_steps: usize) -> Result<Graph, GraphError> {
        let mut graph = self.attached.clone().unwrap_or_else(Graph::undirected);
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
        let mut counts = BTreeMap::new();
        for step in &self.steps {
            if let StepBody::Call { result: ToolResult::Error(error), .. } = &step.body {
                *counts.entry(error.kind).or_insert(0) += 1;
            }
        }
        counts.into_iter().collect()
    }

    /// How often the model corrected itself: a call that went wrong, and later one of the same
    /// function that did not; for a function that does not exist, any later call that did not.
    ///
    /// Paper: Graph-Grounded LLMs §II, "Error-Guided Self-Correction".
    pub fn n_corrections(&self) -> usize {
        let calls: Vec<(&str, Option<MistakeKind>)> = self
            .steps
            .iter()
            .filter_map(|s| match &s.body {
                StepBody::Call { call, result: ToolResult::Error(e), .. } => {
                    Some((call.name.as_str(), Some(e.kind)))
                }
                StepBody::Call { call, .. } => Some((call.name.as_str(), None)),
                _ => None,
            })
            .collect();
        let is_corrected = |&(i, &(name, kind)): &(usize, &(&str, Option<MistakeKind>))| {
            let any = kind == Some(MistakeKind::UnknownTool);
            kind.is_some() && calls[i + 1..].iter().any(|(n, k)| k.is_none() && (any || *n == name))
        };
        calls.iter().enumerate().filter(is_corrected).count()
    }

    /// The conversation before the step of that number, as the model reads it: what was said, and
    /// what every call was answered. What an endpoint wants back with a turn goes to the model that
    /// made the turn and to no other.
    pub fn messages_before(&self, step: usize) -> Vec<Message> {
        let asked_at = |step: usize| {
            let asked = self.asked.iter().rev().find(|a| a.from <= step)?;
            Some((&asked.model, asked.endpoint.as_ref().map(|e| &e.provider)))
        };
        let reader = asked_at(step);
        let mut messages = self.prompt.clone();
        for (at, step) in self.steps.iter().enumerate().take(step) {
            match &step.body {
                StepBody::Model { message, .. } => {
                    let mut message = message.clone();
                    message.echo = message.echo.filter(|_| asked_at(at) == reader);
                    messages.push(message);
                }
                StepBody::Call { call, result, told, .. } => {
                    let text = told.clone().unwrap_or_else(|| result.to_model_text());
                    messages.push(Message::tool(&call.id, text));
                }
                StepBody::Prompt { messages: said, fresh } => {
                    if *fresh {
                        messages.clear();
                    }
                    messages.extend(said.iter().cloned());
                }
                StepBody::Choice { .. }
                | StepBody::Note { .. }
                | StepBody::Findings { .. }
                | StepBody::Program { .. }
                | StepBody::Vote { .. } => {}
            }
        }
        messages
    }

    /// The role whose step is the one of that number: that of whoever was asked last before it. Empty
    /// where the system has one role.
    pub fn role_at(&self, step: usize) -> &str {
        self.asked.iter().rev().find(|a| a.from <= step).map_or("", |a| &a.role)
    }

    /// The tokens of each role's turns, as far as endpoints report them.
    pub fn usage_by_role(&self) -> BTreeMap<String, Usage> {
        let mut roles: BTreeMap<String, Usage> = BTreeMap::new();
        for (i, step) in self.steps.iter().enumerate() {
            if let StepBody::Model { usage, .. } = &step.body {
                roles.entry(self.role_at(i).to_owned()).or_default().add(*usage);
            }
        }
        roles
    }

    /// The tools that the model had before the step of that number.
    pub fn tools_before(&self, step: usize) -> Vec<ToolSpec> {
        let chosen = self.steps.iter().take(step).rev().find_map(|s| match &s.body {
            StepBody::Choice { tools, .. } => Some(tools),
            _ => None,
        });
        let Some(chosen) = chosen else { return self.tools.clone() };
        let by_name: BTreeMap<&str, &ToolSpec> =
            self.tools.iter().map(|t| (t.name.as_str(), t)).collect();
        chosen.iter().filter_map(|name| by_name.get(name.as_str()).map(|t| (*t).clone())).collect()
    }

    /// What the model was asked in the step of that number, rebuilt and held against the hash that
    /// was kept; `None` if the step is no turn of a model.
    pub fn request_of(&self, step: usize) -> Option<Rebuilt> {
        let StepBody::Model { request_hash, .. } = &self.steps.get(step)?.body else {
            return None;
        };
        let asked = self.asked.iter().rfind(|a| a.from <= step);
        let request = ChatRequest {
            model: asked.map_or(&self.model, |a| &a.model).clone(),
            messages: self.messages_before(step),
            tools: self.tools_before(step),
            seed: asked.and_then(|a| a.seed),
            temperature: asked.and_then(|a| a.temperature),
            tool_choice: asked.map(|a| a.tool_choice).unwrap_or_default(),
            reply_shape: asked.and_then(|a| a.reply_shape.clone()),
            ..ChatRequest::default()
        };
        let body = asked.and_then(|a| a.endpoint.as_ref()).and_then(|endpoint| {
            let provider = llm::providers::find(&endpoint.provider)?;
            let stream = !endpoint.options.no_stream;
            Some(provider.ask(endpoint, &request, stream).body)
        });
        let hash = match &body {
            Some(body) => crate::bytes_hash(body.as_bytes()),
            None => crate::request_hash(&request.messages, &request.tools),
        };
        let is_same = (!request_hash.is_empty()).then(|| hash == *request_hash);
        Some(Rebuilt { request, body, is_same })
    }

    /// The first `n_steps` steps, not ended: where a run is taken over. A turn of the model whose
    /// calls are not all answered yet stays; whoever goes on answers them first.
    pub fn fork(&self, n_steps: usize) -> Self {
        let mut fork = self.clone();
        fork.steps.truncate(n_steps);
        fork.stop = None;
        fork
    }

    /// The calls of the model's last turn that have no result yet.
    pub fn open_calls(&self) -> Vec<llm::ToolCall> {
        let last = self.steps.iter().rposition(|s| matches!(s.body, StepBody::Model { .. }));
        let Some(last) = last else { return Vec::new() };
        let StepBody::Model { message, .. } = &self.steps[last].body else { return Vec::new() };
        let n_done =
            self.steps[last..].iter().filter(|s| matches!(s.body, StepBody::Call { .. })).count();
        message.tool_calls.iter().skip(n_done).cloned().collect()
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
pub(crate) mod tests {
    use graph::Delta;
    use llm::ToolCall;
    use serde_json::Value;

    use super::*;
    use crate::Effects;

    fn call(deltas: Vec<Delta>) -> Step {
        let effects = Effects { deltas, ..Effects::default() };
        let call = ToolCall { id: "1".into(), name: "f".into(), arguments: "{}".into() };
        let result = ToolResult::Value { value: Value::Null, notes: Vec::new() };
        Step {
            at_ms: 0.0,
            took_ms: 0.0,
            by_person: false,
            body: StepBody::Call { call, result, effects, told: None },
        }
    }

    #[test]
    fn what_an_endpoint_wants_back_goes_to_the_model_that_said_it() {
        let asked = |from: usize, model: &str| {
            let endpoint = Some(Endpoint::new("openai", ""));
            let tool_choice = ToolChoice::Auto;
            let (model, role) = (model.to_owned(), String::new());
            let (seed, temperature, reply_shape) = (None, None, None);
            Asked { from, model, endpoint, seed, role, temperature, tool_choice, reply_shape }
        };
        let said = |text: &str| {
            let mut message = Message::assistant(text);
            let items = vec![Value::from("S")];
            message.echo = Some(llm::Echo { provider: "openai".into(), items });
            let (finish, usage) = (FinishReason::Stop, Usage::default());
            let body = StepBody::Model { message, finish, usage, request_hash: String::new() };
            Step { body, ..call(Vec::new()) }
        };
        let mut trace =
            Trace { steps: vec![said("0"), said("1")], ..Trace::new("x", "b".into(), Vec::new()) };
        trace.asked = vec![asked(0, "a"), asked(1, "b")];
        let kept = |trace: &Trace, step: usize| {
            let messages = trace.messages_before(step);
            messages.iter().map(|m| m.echo.is_some()).collect::<Vec<_>>()
        };
        assert_eq!(kept(&trace, 1), [false], "`b` reads what `a` said");
        assert_eq!(kept(&trace, 2), [false, true]);
        // The same model, asked once more.
        trace.asked.push(asked(2, "a"));
        assert_eq!(kept(&trace, 2), [true, false]);
    }

    /// A call of a tool with its result.
    pub(crate) fn call_step(name: &str, arguments: &str, value: Value) -> Step {
        let mut step = call(Vec::new());
        if let StepBody::Call { call, result, .. } = &mut step.body {
            call.name = name.into();
            call.arguments = arguments.into();
            *result = ToolResult::Value { value, notes: Vec::new() };
        }
        step
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
        trace.stop = Some(Stop::ModelFailed { message: "no".into(), is_overflow: false });
        let json = serde_json::to_string(&trace).unwrap();
        assert_eq!(serde_json::from_str::<Trace>(&json).unwrap(), trace);
    }

    #[test]
    fn an_unfinished_run_has_no_answer() {
        let trace = Trace::new("grounded", "script".into(), Vec::new());
        assert_eq!(trace.answer(), None);
    }
}
