//! The calls of a bracket as steps of a trace.

use llm::ToolCall;
use serde_json::{Value as Json, json};
use trace::{Effects, MistakeKind, StepBody, ToolError, ToolResult};

use super::part::Drawn;
use crate::toolformer::error::CallError;
use crate::toolformer::execute::{CallRun, ExecutedCall};
use crate::toolformer::memory::MemoryValue;
use crate::toolformer::tree::{Api, Call, Value};

/// A step for each call that was carried out, and one for a bracket that could not be.
pub(super) fn of(run: &CallRun, drawn: &mut Drawn) -> Vec<StepBody> {
    let mut steps: Vec<StepBody> = Vec::new();
    for (i, done) in run.done.iter().enumerate() {
        // Remarks are kept by outermost call: they stand with the last that was carried out for it.
        let notes = run.steps.iter().filter(|s| s.call == done.call.to_string());
        let notes = notes.flat_map(|s| s.notes.iter().cloned().chain(weighed(&s.scores))).collect();
        steps.push(step(done, format!("{}-{i}", run.at), notes, drawn));
    }
    // A bracket that cannot be read, or that fails before anything is carried out.
    let told = run.done.iter().any(|d| d.value.is_err());
    if let Some(error) = run.error.as_ref().filter(|_| !told) {
        let call = ToolCall {
            id: run.at.to_string(),
            name: run.bracket.as_ref().map_or("GR", |b| b.calls[0].api.name()).to_owned(),
            arguments: json!({ "written": run.source }).to_string(),
        };
        let result = ToolResult::Error(mistake(error));
        steps.push(StepBody::Call { call, result, effects: Effects::default(), told: None });
    }
    steps
}

/// What a model weighed, the weightiest first, for whoever reads the trace without the model.
pub(super) fn weighed(scores: &[(String, f64)]) -> Option<String> {
    const MOST: usize = 5;
    let first = scores.iter().take(MOST).map(|(name, score)| format!("{name} {score:.4}"));
    let words = first.collect::<Vec<_>>().join(", ");
    let more = match scores.len() {
        n if n > MOST => format!(" and {} more", n - MOST),
        _ => String::new(),
    };
    (!words.is_empty()).then(|| format!("weighed: {words}{more}"))
}

fn step(done: &ExecutedCall, id: String, mut notes: Vec<String>, drawn: &mut Drawn) -> StepBody {
    if done.is_hit {
        notes.insert(0, "from the working memory".to_owned());
    }
    let mut effects = Effects::default();
    let result = match &done.value {
        Ok(MemoryValue::Graph(graph)) => {
            effects.deltas = drawn.loaded(graph);
            ToolResult::Value { value: json!(graph.words()), notes }
        }
        Ok(MemoryValue::Result(found)) => {
            if let Some(graph) = &done.on {
                effects.deltas = drawn.used(graph, member(&done.call), &found.looked_at);
            }
            effects.touched = drawn.shown(&found.looked_at);
            ToolResult::Value { value: json!(found.text), notes }
        }
        Err(error) => ToolResult::Error(mistake(error)),
    };
    let call = ToolCall {
        id,
        name: done.call.api.name().to_owned(),
        arguments: arguments(&done.call).to_string(),
    };
    StepBody::Call { call, result, effects, told: None }
}

/// The graph of a set that a call asks about: `instance#3`.
fn member(call: &Call) -> Option<&str> {
    call.arguments.iter().find_map(|value| match value {
        Value::Reference { id, .. } => Some(id.as_str()),
        _ => None,
    })
}

fn mistake(error: &CallError) -> ToolError {
    let kind = match error {
        CallError::Syntax { .. } => MistakeKind::BadJson,
        CallError::UnknownDomain { .. } | CallError::UnknownFunction { .. } => {
            MistakeKind::UnknownTool
        }
        CallError::Arguments { .. } => MistakeKind::Schema,
        _ => MistakeKind::Library,
    };
    let code = serde_json::to_value(error).ok().and_then(|v| v["kind"].as_str().map(str::to_owned));
    let code = code.unwrap_or_else(|| "call".to_owned());
    ToolError { kind, code, message: error.to_string(), witness: None }
}

/// Arguments by name, as a reader of traces expects them.
fn arguments(call: &Call) -> Json {
    let words = |value: &Value| match value {
        Value::Text(text) | Value::Name(text) => json!(text),
        Value::Number(n) => json!(n),
        other => json!(other.to_string()),
    };
    let mut values = call.arguments.iter().map(words);
    let mut out = serde_json::Map::new();
    let names: &[&str] = match call.api {
        Api::Load => &["graph", "nodes", "links"],
        Api::Reason => &["graph", "function"],
    };
    for name in names {
        if let Some(value) = values.next() {
            out.insert((*name).to_owned(), value);
        }
    }
    let rest: Vec<Json> = values.collect();
    if !rest.is_empty() {
        out.insert("arguments".to_owned(), Json::Array(rest));
    }
    Json::Object(out)
}
