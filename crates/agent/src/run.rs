//! The loop itself.

use std::pin::pin;

use futures_util::future::{Either, select};
use llm::{
    ChatRequest, FinishReason, Message, Model, ModelError, ToolCall, ToolSpec, Usage, Watch,
};
use serde_json::{Value, json};
use trace::{Effects, MistakeKind, Step, StepBody, Stop, ToolError, ToolResult, Trace};

use crate::hearing::Remembering;
use crate::{Cancel, Clock, Limits, ToolSet};

/// What a run starts from.
pub struct Conversation<'a> {
    /// The system that runs, for the trace.
    pub system: &'a str,
    /// The rules and the question.
    pub prompt: Vec<Message>,
    /// How far it may go.
    pub limits: Limits,
    /// A sampling seed, for endpoints that take one.
    pub seed: Option<u64>,
    /// Sees each answer while it comes; `&()` looks away.
    pub watch: &'a dyn Watch,
}

/// Runs a conversation to its end: asks the model, answers its calls, and again, until it gives an
/// answer without a call or a limit is reached. Every step is handed to `on_step` as it comes.
///
/// A model's mistakes are answered to it and counted in the trace; they never end the run.
pub async fn run(
    model: &dyn Model,
    tools: &mut dyn ToolSet,
    conversation: Conversation<'_>,
    clock: &dyn Clock,
    cancel: &Cancel,
    on_step: &mut dyn FnMut(&Step),
) -> Trace {
    let Conversation { system, prompt, limits, seed, watch } = conversation;
    let start = clock.now_ms();
    let mut trace = Trace::new(system, model.label(), prompt.clone());
    let specs = tools.specs();
    let mut request =
        ChatRequest { messages: prompt, tools: specs.clone(), seed, ..ChatRequest::default() };
    let mut add = |trace: &mut Trace, began: f64, body: StepBody| {
        let step = Step { at_ms: began - start, took_ms: clock.now_ms() - began, body };
        on_step(&step);
        trace.steps.push(step);
    };
    let stop = loop {
        if let Some(stop) = limit(&trace, &limits, clock.now_ms() - start) {
            break stop;
        }
        let began = clock.now_ms();
        let heard = Remembering::new(watch);
        let answer = {
            let answer = pin!(model.complete(&request, &heard));
            let stopped = pin!(cancel.cancelled());
            match select(stopped, answer).await {
                Either::Left(_) => Err(ModelError::Cancelled),
                Either::Right((answer, _)) => answer,
            }
        };
        for text in heard.take_notes() {
            add(&mut trace, began, StepBody::Note { text });
        }
        let response = match answer {
            Ok(response) => response,
            Err(error) => {
                // What had come is kept: it may be all that there is to see.
                if let Some(mut message) = heard.message() {
                    name_calls(&trace, &mut message);
                    let (finish, usage) = (FinishReason::Stopped, Usage::default());
                    let request_hash = hash(&request);
                    let body = StepBody::Model { message, finish, usage, request_hash };
                    add(&mut trace, began, body);
                }
                break match error {
                    ModelError::Cancelled => Stop::Cancelled,
                    error => Stop::ModelFailed { message: error.to_string() },
                };
            }
        };
        let mut message = response.message;
        name_calls(&trace, &mut message);
        add(
            &mut trace,
            began,
            StepBody::Model {
                message: message.clone(),
                finish: response.finish.clone(),
                usage: response.usage,
                request_hash: hash(&request),
            },
        );
        request.messages.push(message.clone());
        if message.tool_calls.is_empty() {
            if response.finish == FinishReason::Length {
                let text = "the answer was cut off at the limit on tokens".into();
                add(&mut trace, clock.now_ms(), StepBody::Note { text });
            }
            break Stop::Answered;
        }
        let mut ended = None;
        for call in &message.tool_calls {
            if cancel.is_cancelled() {
                ended = Some(Stop::Cancelled);
                break;
            }
            if trace.n_calls() >= limits.max_calls as usize {
                ended = Some(Stop::Calls);
                break;
            }
            let began = clock.now_ms();
            let (result, effects) = answer_call(tools, &specs, call);
            request.messages.push(Message::tool(&call.id, told(&result)));
            add(&mut trace, began, StepBody::Call { call: call.clone(), result, effects });
        }
        if let Some(stop) = ended {
            break stop;
        }
    };
    trace.stop = Some(stop);
    trace
}

/// Gives an id to calls that have none or one that was there before: some servers send none, and a
/// result is joined to its call by nothing else.
fn name_calls(trace: &Trace, message: &mut Message) {
    let mut used: Vec<String> = trace
        .steps
        .iter()
        .filter_map(|s| match &s.body {
            StepBody::Call { call, .. } => Some(call.id.clone()),
            _ => None,
        })
        .collect();
    for call in &mut message.tool_calls {
        if call.id.is_empty() || used.contains(&call.id) {
            let mut n = used.len() + 1;
            while used.contains(&format!("call_{n}")) {
                n += 1;
            }
            call.id = format!("call_{n}");
        }
        used.push(call.id.clone());
    }
}

fn limit(trace: &Trace, limits: &Limits, elapsed_ms: f64) -> Option<Stop> {
    if trace.n_rounds() >= limits.max_rounds as usize {
        return Some(Stop::Rounds);
    }
    if limits.deadline_ms.is_some_and(|d| elapsed_ms > d) {
        return Some(Stop::Deadline);
    }
    let used = trace.usage().total().unwrap_or(0);
    limits.max_tokens.is_some_and(|max| used > max).then_some(Stop::Tokens)
}

fn answer_call(
    tools: &mut dyn ToolSet,
    specs: &[ToolSpec],
    call: &ToolCall,
) -> (ToolResult, Effects) {
    let mistake = |kind, code: &str, message: String, witness| {
        (
            ToolResult::Error(ToolError { kind, code: code.into(), message, witness }),
            Effects::default(),
        )
    };
    if !specs.iter().any(|s| s.name == call.name) {
        return mistake(MistakeKind::UnknownTool, "unknown_function", unknown(specs, call), None);
    }
    let text = call.arguments.trim();
    let arguments: Value = match serde_json::from_str(if text.is_empty() { "{}" } else { text }) {
        Ok(arguments) => arguments,
        Err(error) => {
            let message = format!(
                "the arguments of {} are not JSON: {error}; send one JSON object",
                call.name
            );
            return mistake(MistakeKind::BadJson, "bad_json", message, None);
        }
    };
    match tools.call(&call.name, arguments) {
        Ok(out) => (ToolResult::Value { value: out.value, notes: out.notes }, out.effects),
        Err(e) => {
            let kind = if e.is_schema { MistakeKind::Schema } else { MistakeKind::Library };
            mistake(kind, &e.code, e.message, e.witness)
        }
    }
}

fn unknown(specs: &[ToolSpec], call: &ToolCall) -> String {
    if specs.is_empty() {
        return format!("there is no function {:?}: there are no functions here", call.name);
    }
    let wanted: Vec<&str> = call.name.split('_').filter(|w| w.len() > 2).collect();
    let mut near: Vec<(usize, &str)> = specs
        .iter()
        .map(|s| (wanted.iter().filter(|w| s.name.contains(**w)).count(), s.name.as_str()))
        .filter(|(shared, _)| *shared > 0)
        .collect();
    near.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let names: Vec<&str> = if near.is_empty() {
        specs.iter().map(|s| s.name.as_str()).collect()
    } else {
        near.into_iter().take(5).map(|(_, name)| name).collect()
    };
    format!("there is no function {:?}; there are {}", call.name, names.join(", "))
}

/// What the model reads of a result.
fn told(result: &ToolResult) -> String {
    match result {
        ToolResult::Value { value, notes } if notes.is_empty() => json!({ "result": value }),
        ToolResult::Value { value, notes } => json!({ "result": value, "notes": notes }),
        ToolResult::Error(e) => {
            let mut error = json!({ "error": { "type": e.code, "message": e.message } });
            if let Some(witness) = &e.witness {
                error["error"]["witness"] = witness.clone();
            }
            error
        }
    }
    .to_string()
}

/// FNV-1a over what the model is asked: small, portable, and never a secret.
pub(crate) fn hash(request: &ChatRequest) -> String {
    let text = serde_json::to_string(&(&request.messages, &request.tools)).unwrap_or_default();
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
