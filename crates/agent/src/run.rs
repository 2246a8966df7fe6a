//! The loop itself.

use std::pin::pin;

use futures_util::future::{Either, select};
use llm::{
    ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, ToolCall, ToolSpec, Usage,
    Watch,
};
use serde_json::Value;
use trace::{
    Asked, Effects, MistakeKind, Step, StepBody, Stop, ToolError, ToolResult, Trace, bytes_hash,
    request_hash,
};

use crate::hearing::Remembering;
use crate::retrieval::Choice;
use crate::{Cancel, Choosing, Clock, Limits, ToolSet, arguments};

/// What a run starts from.
pub struct Conversation<'a> {
    /// The rules and the question, and the steps that were taken already: none for a new run, the
    /// steps before a fork for one that is taken over. Its state, such as a graph, is the tools'.
    pub start: Trace,
    /// How far it may go.
    pub limits: Limits,
    /// A sampling seed, for endpoints that take one.
    pub seed: Option<u64>,
    /// Which tools the model gets.
    pub choosing: Choosing,
    /// Sees each answer while it comes; `&()` looks away.
    pub watch: &'a dyn Watch,
}

/// Runs a conversation to its end: asks the model, answers its calls, and again, until it gives an
/// answer without a call or a limit is reached. Every step is handed to `on_step` as it comes.
///
/// A model's mistakes are answered to it and counted in the trace; they never end the run. Calls of
/// the start that have no result yet are answered first.
pub async fn run(
    model: &dyn Model,
    tools: &mut dyn ToolSet,
    conversation: Conversation<'_>,
    clock: &dyn Clock,
    cancel: &Cancel,
    on_step: &mut dyn FnMut(&Step),
) -> Trace {
    let Conversation { start, limits, seed, choosing, watch } = conversation;
    let mut trace = start;
    // A run that is taken over goes on where its last step ended.
    let before_ms = trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
    let began_ms = clock.now_ms();
    trace.model = model.label();
    trace.stop = None;
    let specs = tools.specs();
    trace.tools.clone_from(&specs);
    let probe = ChatRequest::default();
    trace.asked.push(Asked {
        from: trace.steps.len(),
        model: trace.model.clone(),
        endpoint: model.wire(&probe).map(|(endpoint, _)| endpoint),
        seed,
        role: String::new(),
    });
    let mut add = |trace: &mut Trace, began: f64, body: StepBody| {
        let by_person = matches!(body, StepBody::Model { .. }) && model.is_person();
        let (at_ms, took_ms) = (began - began_ms + before_ms, clock.now_ms() - began);
        let step = Step { at_ms, took_ms, by_person, body };
        on_step(&step);
        trace.steps.push(step);
    };
    let mut choice = Choice::new(&choosing, &specs, &trace.prompt);
    if let Some(choice) = &choice {
        add(&mut trace, clock.now_ms(), chosen(choice, &specs, tools));
    }
    let mut open = trace.open_calls();
    let stop = loop {
        let mut ended = None;
        for call in std::mem::take(&mut open) {
            if cancel.is_cancelled() {
                ended = Some(Stop::Cancelled);
                break;
            }
            if trace.n_calls() >= limits.max_calls as usize {
                ended = Some(Stop::Calls);
                break;
            }
            let began = clock.now_ms();
            let (result, effects, told) = answer_call(tools, &specs, &call);
            let name = call.name.clone();
            add(&mut trace, began, StepBody::Call { call, result, effects, told });
            if let Some(choice) = &mut choice
                && choice.widen(&specs, &name)
            {
                add(&mut trace, clock.now_ms(), chosen(choice, &specs, tools));
            }
        }
        if let Some(stop) = ended.or_else(|| limit(&trace, &limits, clock.now_ms() - began_ms)) {
            break stop;
        }
        let request = ChatRequest {
            messages: trace.messages_before(trace.steps.len()),
            tools: choice.as_ref().map_or_else(|| specs.clone(), |c| c.sent(&specs)),
            seed,
            ..ChatRequest::default()
        };
        let began = clock.now_ms();
        let heard = hear(model, &request, watch, cancel).await;
        for text in heard.notes {
            add(&mut trace, began, StepBody::Note { text });
        }
        let request_hash = heard.request_hash;
        let response = match heard.answer {
            Ok(response) => response,
            Err(stop) => {
                // What had come is kept: it may be all that there is to see.
                if let Some(mut message) = heard.partial {
                    arguments::bound(&mut message);
                    name_calls(&trace, &mut message);
                    let (finish, usage) = (FinishReason::Stopped, Usage::default());
                    let body = StepBody::Model { message, finish, usage, request_hash };
                    add(&mut trace, began, body);
                }
                break stop;
            }
        };
        let mut message = response.message;
        arguments::bound(&mut message);
        name_calls(&trace, &mut message);
        open.clone_from(&message.tool_calls);
        let finish = response.finish;
        let was_cut = finish == FinishReason::Length;
        let body = StepBody::Model { message, finish, usage: response.usage, request_hash };
        add(&mut trace, began, body);
        if open.is_empty() {
            if was_cut {
                let text = "the answer was cut off at the limit on tokens".into();
                add(&mut trace, clock.now_ms(), StepBody::Note { text });
            }
            break Stop::Answered;
        }
    };
    trace.stop = Some(stop);
    trace
}

/// What came of asking a model once.
pub(crate) struct Heard {
    pub(crate) request_hash: String,
    /// Attempts that failed and were made again.
    pub(crate) notes: Vec<String>,
    pub(crate) answer: Result<ChatResponse, Stop>,
    /// What had come of an answer that broke off.
    pub(crate) partial: Option<Message>,
}

/// Asks a model once, until it answers or somebody stops it.
pub(crate) async fn hear(
    model: &dyn Model,
    request: &ChatRequest,
    watch: &dyn Watch,
    cancel: &Cancel,
) -> Heard {
    let request_hash = match model.wire(request) {
        Some((_, body)) => bytes_hash(body.as_bytes()),
        None => request_hash(&request.messages, &request.tools),
    };
    let heard = Remembering::new(watch);
    let answer = {
        let answer = pin!(model.complete(request, &heard));
        let stopped = pin!(cancel.cancelled());
        match select(stopped, answer).await {
            Either::Left(_) => Err(ModelError::Cancelled),
            Either::Right((answer, _)) => answer,
        }
    };
    let notes = heard.take_notes();
    let partial = match heard.message().filter(|_| answer.is_err()) {
        Some(message) => Some(model.clean(message).await),
        None => None,
    };
    let answer = answer.map_err(|error| match error {
        ModelError::Cancelled => Stop::Cancelled,
        error => Stop::ModelFailed {
            message: error.to_string(),
            is_overflow: matches!(error, ModelError::ContextOverflow { .. }),
        },
    });
    Heard { request_hash, notes, answer, partial }
}

fn chosen(choice: &Choice, specs: &[ToolSpec], set: &dyn ToolSet) -> StepBody {
    let tools: Vec<String> = choice.sent(specs).into_iter().map(|t| t.name).collect();
    // A sum with a gap in it would be no count.
    let n_tokens = tools.iter().map(|name| set.n_tokens(name)).sum();
    let reason = choice.reason().to_owned();
    StepBody::Choice { tools, n_tools: specs.len(), reason, n_tokens }
}

/// Gives an id to calls that have none or one that was there before: some servers send none, and a
/// result is joined to its call by nothing else.
pub(crate) fn name_calls(trace: &Trace, message: &mut Message) {
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

pub(crate) fn limit(trace: &Trace, limits: &Limits, elapsed_ms: f64) -> Option<Stop> {
    if trace.n_rounds() >= limits.max_rounds as usize {
        return Some(Stop::Rounds);
    }
    if limits.deadline_ms.is_some_and(|d| elapsed_ms > d) {
        return Some(Stop::Deadline);
    }
    let used = trace.usage().total().unwrap_or(0);
    // Where nobody tells tokens, or too few, there are still no more letters than fit into them.
    let is_over = |max: u64| used > max || said(trace) > max.saturating_mul(MOST_BYTES_A_TOKEN);
    limits.max_tokens.is_some_and(is_over).then_some(Stop::Tokens)
}

/// More bytes than any text has for each of its tokens; prose has about four.
const MOST_BYTES_A_TOKEN: u64 = 40;

/// The bytes that the model has said in all, thoughts and arguments included.
fn said(trace: &Trace) -> u64 {
    let of = |message: &Message| {
        let thoughts = message.reasoning.as_ref().map_or(0, String::len);
        let calls: usize = message.tool_calls.iter().map(|c| c.arguments.len()).sum();
        (message.content.len() + thoughts + calls) as u64
    };
    let turns = trace.steps.iter().filter_map(|s| match &s.body {
        StepBody::Model { message, .. } => Some(of(message)),
        _ => None,
    });
    turns.sum()
}

/// Answers a call as a run does: a call that is wrong is answered too.
pub fn answer_call(
    tools: &mut dyn ToolSet,
    specs: &[ToolSpec],
    call: &ToolCall,
) -> (ToolResult, Effects, Option<String>) {
    let mistake = |kind, code: &str, message: String, witness| {
        let error = ToolError { kind, code: code.into(), message, witness };
        (ToolResult::Error(error), Effects::default(), None)
    };
    if !specs.iter().any(|s| s.name == call.name) {
        return mistake(MistakeKind::UnknownTool, "unknown_function", unknown(specs, call), None);
    }
    if let Some(message) = arguments::refused(call) {
        return mistake(MistakeKind::Library, "too_long", message, None);
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
        Ok(out) => {
            (ToolResult::Value { value: out.value, notes: out.notes }, out.effects, out.told)
        }
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
