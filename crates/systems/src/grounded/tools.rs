//! The graph functions as tools over one graph.

use std::sync::OnceLock;

use agent::{ToolFailure, ToolOutput, ToolSet, answer_call};
use graph::Graph;
use graph::composed::Proposal;
use graph::functions::{EMPTY_GRAPH, FUNCTIONS, GraphFunction, find};
use llm::{Message, ToolCall, ToolSpec};
use serde_json::{Value, json};
use trace::replay::ReplayTools;
use trace::{Effects, StepBody, ToolResult, Trace};

use super::composed::{self, ComposedTools};
use super::guide::{self, CREATE};
use super::results::{MAX_ITEMS, READ_RESULT, Results, failure};
use super::retrieval::{self, FIND_FUNCTIONS, PINNED};
use super::tokens::{GUIDED_CREATE, TOKENS};

/// The function that may say of a graph that it is empty.
const DESCRIBE: &str = "describe_graph";

/// Every graph function, over one graph that starts empty or was handed over.
#[derive(Clone, Debug, Default)]
pub struct GraphTools {
    graph: Graph,
    results: Results,
    max_result_chars: Option<usize>,
    composed: ComposedTools,
    is_guided: bool,
    /// Functions can be looked up, as not all are sent.
    may_look_up: bool,
    /// What was looked up and not sent yet.
    wanted: Vec<String>,
    /// The model has to call until a function has answered.
    is_held: bool,
    has_answer: bool,
    /// The function that found an answer of the model's own to be wrong.
    refuted: Option<String>,
    /// It was asked to answer.
    is_asked: bool,
    /// The last call, and whether it was refused.
    last: Option<(String, bool)>,
}

impl GraphTools {
    /// Tools over a graph that is there before the first call.
    pub fn over(graph: Graph) -> Self {
        Self { graph, ..Self::default() }
    }

    /// Results longer than so many characters are summarised for the model, with a handle.
    #[must_use]
    pub fn with_compact_results(mut self, max_chars: usize) -> Self {
        self.max_result_chars = Some(max_chars);
        self
    }

    /// Results say in words what they mean, and so do calls that are made twice.
    #[must_use]
    pub fn with_guide(mut self) -> Self {
        self.is_guided = true;
        self
    }

    /// A tool finds further functions, for a run that does not send all.
    #[must_use]
    pub fn with_look_up(mut self) -> Self {
        self.may_look_up = true;
        self
    }

    /// The model is led through a question: it has to build the graph, then to call until a function
    /// that asks the graph has answered, then to answer. It is sent what fits the stage.
    #[must_use]
    pub fn held_to_calling(mut self) -> Self {
        self.is_held = true;
        self
    }

    /// The tools as they were before the first step of a trace: over the graph that was handed over,
    /// with the composed functions that there were.
    pub fn before(trace: &Trace) -> Self {
        let mut tools = trace.attached.clone().map_or_else(Self::default, Self::over);
        tools.composed.take_over(&trace.composed);
        let has = |name: &str| trace.tools.iter().any(|tool| tool.name == name);
        tools.composed.may_propose = has(composed::PROPOSE);
        tools.may_look_up = has(FIND_FUNCTIONS);
        tools.is_guided = guide::was_read(trace);
        tools
    }

    /// The functions are offered beside the library's: those whose types fit, under names that are
    /// free, up to [`graph::composed::MAX_COMPOSED`].
    #[must_use]
    pub fn with_composed(mut self, proposals: &[Proposal]) -> Self {
        self.composed.take_over(proposals);
        self
    }

    /// The model may propose functions; those that are accepted it may call.
    #[must_use]
    pub fn with_proposals(mut self) -> Self {
        self.composed.may_propose = true;
        self
    }

    /// The tools as they stand after the steps of a trace, for a run that is taken over: its graph,
    /// and its results under their handles.
    #[must_use]
    pub fn resumed(mut self, trace: &Trace) -> Self {
        if let Ok(graph) = trace.graph_after(trace.steps.len()) {
            self.graph = graph;
        }
        self.composed.take_over(&composed::accepted(trace));
        for step in &trace.steps {
            let (call, result, told) = match &step.body {
                StepBody::Call { call, result, told, .. } => (call, result, told),
                // A further question is to be answered by further calls.
                StepBody::Prompt { fresh, .. } => {
                    (self.has_answer, self.is_asked) = (*fresh, *fresh);
                    continue;
                }
                _ => continue,
            };
            self.last = Some((call.name.clone(), matches!(result, ToolResult::Error(_))));
            if let ToolResult::Value { value, .. } = result {
                self.has_answer |= self.answers(&call.name);
                // What the model read may be no more than words about the whole.
                if told.as_ref().is_some_and(|told| told.contains("\"$r")) {
                    let _ = self.results.keep(value.clone());
                }
            }
        }
        self
    }

    /// The graph as the calls so far have made it.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    fn faces(&self) -> Vec<ToolSpec> {
        let all = faces();
        let n = all.len() - usize::from(self.max_result_chars.is_none());
        let look_up = self.may_look_up.then(retrieval::look_up_face);
        let faces = all[..n].iter().cloned().chain(look_up).chain(self.composed.faces());
        if self.is_guided { faces.map(guide::face).collect() } else { faces.collect() }
    }

    /// Whether a call of that name asks the graph something.
    fn answers(&self, name: &str) -> bool {
        let is_question = |f: &GraphFunction| !f.writes && f.name != DESCRIBE;
        find(name).map_or_else(|| self.composed.find(name).is_some(), is_question)
    }

    /// Whether a call asks a graph without nodes. It has no cycle and no path: that would read as an
    /// answer to the question.
    fn is_refused(&self, name: &str) -> bool {
        self.graph.n_nodes() == 0 && find(name).is_some_and(|f| !f.writes && f.name != DESCRIBE)
    }

    /// Finds further functions, which are sent from then on.
    fn look_up(&mut self, arguments: &Value) -> Result<ToolOutput, ToolFailure> {
        let text = arguments.get("purpose").and_then(Value::as_str).unwrap_or_default();
        if text.trim().is_empty() {
            let message = "write in `purpose` what the function should find, such as \"the cheapest \
                           way between two nodes\"";
            return Err(failure("bad_arguments", message.into()));
        }
        let found = retrieval::look_up(faces(), text);
        self.wanted.extend(found.iter().map(|spec| spec.name.clone()));
        let value = found.iter().map(|s| json!({ "name": s.name, "description": s.description }));
        let value = json!({ "functions": value.collect::<Vec<_>>() });
        let notes = vec!["these functions can be called now".to_owned()];
        Ok(ToolOutput { value, notes, effects: Effects::default(), told: None })
    }

    /// A text with every handle of a result replaced by the result, or nothing if it has none.
    pub fn expand(&self, text: &str) -> Option<String> {
        if self.results.is_empty() {
            return None;
        }
        Some(self.results.expand(text)).filter(|expanded| expanded != text)
    }

    fn read_result(&self, arguments: &Value) -> Result<ToolOutput, ToolFailure> {
        let handle = arguments.get("handle").and_then(Value::as_str).unwrap_or_default();
        let number = |name: &str, otherwise: usize| match arguments.get(name) {
            None | Some(Value::Null) => Ok(otherwise),
            Some(value) => value.as_u64().map(|n| n as usize).ok_or_else(|| {
                failure("bad_arguments", format!("{name} is {value}: it must be a whole number"))
            }),
        };
        let (from, count) = (number("from", 0)?, number("count", 50)?.min(MAX_ITEMS));
        let value = self.results.find(handle).ok_or_else(|| {
            failure(
                "unknown_handle",
                format!("there is no result {handle:?}; a handle looks like \"$r1.path\""),
            )
        })?;
        let value = match value {
            Value::Array(list) => {
                json!({ "n_items": list.len(), "from": from,
                        "items": list.iter().skip(from).take(count).collect::<Vec<_>>() })
            }
            other => other.clone(),
        };
        Ok(ToolOutput { value, notes: Vec::new(), effects: Effects::default(), told: None })
    }

    /// What the model reads of a result, if that is not the whole.
    fn shorten(&mut self, value: &Value, notes: &[String]) -> Option<String> {
        let max = self.max_result_chars?;
        if value.to_string().len() <= max {
            return None;
        }
        let mut notes = notes.to_vec();
        notes.push(
            "the result is long: use a handle such as \"$r1.path\" as an argument of further \
             calls, write it in the final answer to have it filled in, or look at parts of it \
             with read_result"
                .into(),
        );
        Some(json!({ "result": self.results.keep(value.clone()), "notes": notes }).to_string())
    }
}

/// Every function's face, and that of [`READ_RESULT`] last; made once, since each takes a schema.
fn faces() -> &'static [ToolSpec] {
    static FACES: OnceLock<Vec<ToolSpec>> = OnceLock::new();
    FACES.get_or_init(|| {
        let mut faces: Vec<ToolSpec> = FUNCTIONS
            .iter()
            .map(|f| ToolSpec {
                name: f.name.to_owned(),
                description: f.description(),
                parameters: f.parameters(),
            })
            .collect();
        faces.push(ToolSpec {
            name: READ_RESULT.into(),
            description: "Reads part of a long result by its handle.".into(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "handle": { "type": "string", "description": "Such as \"$r1.path\"." },
                    "from": { "type": "integer", "description": "The first item, from 0." },
                    "count": { "type": "integer", "description": "How many, 200 at most." },
                },
                "required": ["handle", "from", "count"],
                "additionalProperties": false,
            }),
        });
        faces
    })
}

impl ToolSet for GraphTools {
    fn specs(&self) -> Vec<ToolSpec> {
        self.faces()
    }

    fn added(&mut self) -> Vec<ToolSpec> {
        std::mem::take(&mut self.composed.added)
    }

    fn can_grow(&self) -> bool {
        self.composed.may_propose
    }

    fn must_call(&self) -> bool {
        self.is_held && !self.has_answer
    }

    fn is_open(&self, name: &str) -> bool {
        if !self.is_held || name == READ_RESULT {
            return true;
        }
        if self.has_answer {
            return false;
        }
        if self.graph.n_nodes() == 0 {
            return name == CREATE;
        }
        let last = self.last.as_ref().map(|(name, is_refused)| (name.as_str(), *is_refused));
        match find(name) {
            // Small models build the same graph again for as long as they can. One that asked about a
            // node that is missing has to complete its graph.
            Some(_) if PINNED.contains(&name) => last.is_some_and(|(_, is_refused)| is_refused),
            // A small model makes an order up and has it checked; the next one would be made up, too.
            Some(_) => self.refuted.as_deref() != Some(name),
            None => name != FIND_FUNCTIONS || last.is_none_or(|(name, _)| name != FIND_FUNCTIONS),
        }
    }

    fn wanted(&mut self) -> Vec<String> {
        std::mem::take(&mut self.wanted)
    }

    fn last_words(&mut self, trace: &Trace) -> Option<Vec<Message>> {
        let is_due = self.is_held && self.has_answer && !self.is_asked;
        self.is_asked |= is_due;
        is_due.then(|| guide::last_words(trace))
    }

    fn says_repeats(&self) -> bool {
        self.is_guided
    }

    fn n_tokens(&self, name: &str) -> Option<u64> {
        if self.is_guided && name == CREATE {
            return Some(GUIDED_CREATE);
        }
        TOKENS.iter().find(|(known, _)| *known == name).map(|(_, n)| *n)
    }

    fn call(&mut self, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        let answer = self.answer_to(name, arguments);
        self.last = Some((name.to_owned(), answer.is_err()));
        answer
    }
}

impl GraphTools {
    fn answer_to(&mut self, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        if name == READ_RESULT {
            return self.read_result(&arguments);
        }
        if name == FIND_FUNCTIONS && self.may_look_up {
            return self.look_up(&arguments);
        }
        if name == composed::PROPOSE && self.composed.may_propose {
            return self.composed.propose(&arguments);
        }
        let arguments = if self.is_guided { guide::as_called(name, arguments) } else { arguments };
        let arguments = self.results.fill(arguments).map_err(|handle| {
            failure("unknown_handle", format!("there is no result {handle:?} to fill in"))
        })?;
        if self.is_refused(name) {
            return Err(failure("empty_graph", EMPTY_GRAPH.to_owned()));
        }
        let outcome = match (find(name), self.composed.find(name)) {
            (Some(function), _) => function.call(&self.graph, arguments),
            (None, Some(function)) => function.call(&self.graph, &arguments),
            (None, None) => {
                return Err(failure("unknown_function", format!("there is no function {name:?}")));
            }
        };
        let outcome = outcome.map_err(|e| {
            let message = if self.is_guided { guide::refusal(name, e.message) } else { e.message };
            ToolFailure { witness: e.witness, ..failure(&e.code, message) }
        })?;
        if !outcome.deltas.is_empty() {
            let mut next = self.graph.clone();
            for delta in &outcome.deltas {
                next.apply(delta).map_err(|e| failure("internal", e.to_string()))?;
            }
            self.graph = next;
        }
        if guide::refutes(&outcome.value) {
            self.refuted = Some(name.to_owned());
        } else {
            self.has_answer |= self.answers(name);
        }
        let told = self.shorten(&outcome.value, &outcome.notes).or_else(|| {
            let function = find(name).filter(|_| self.is_guided)?;
            Some(guide::words(function, &outcome.value, &outcome.notes))
        });
        Ok(ToolOutput {
            value: outcome.value,
            notes: outcome.notes,
            effects: Effects { deltas: outcome.deltas, touched: outcome.touched },
            told,
        })
    }
}

/// Answers the calls of a trace again.
impl ReplayTools for GraphTools {
    fn answer(&mut self, call: &ToolCall) -> (ToolResult, Effects) {
        let specs = self.faces();
        let (result, effects, _) = answer_call(self, &specs, call);
        (result, effects)
    }

    fn adopt(&mut self, effects: &Effects) {
        for delta in &effects.deltas {
            // What a person changed may not fit; then the graph stays, and drift shows it.
            let _ = self.graph.apply(delta);
        }
    }
}
