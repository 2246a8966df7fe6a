//! A conversation in which a model calls tools until it answers.

use llm::{Model, ToolCall, ToolSpec};
use serde_json::Value;
use trace::{Effects, MistakeKind, Step, StepBody, Stop, ToolError, ToolResult, Trace};

use crate::retrieval::Choice;
use crate::{Choosing, Conversation, RunContext, ToolSet, arguments};

/// Leads a conversation to its end: asks the model, answers its calls, and again, until it gives an
/// answer without a call or a limit is reached. Every step is handed to `on_step` as it comes.
///
/// It goes on where `start` ends: that has the rules and the question and, where a run is taken
/// over, the steps before the fork. Its state, such as a graph, is the tools'. Calls of the start
/// that have no result yet are answered first.
///
/// A model's mistakes are answered to it and counted in the trace; they never end the run.
pub async fn run(
    start: Trace,
    model: &dyn Model,
    tools: &mut dyn ToolSet,
    choosing: &Choosing,
    context: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> Trace {
    let RunContext { limits, cancel, .. } = context;
    let specs = tools.specs();
    let mut open = start.open_calls();
    let mut talk =
        Conversation::new(Trace { tools: specs.clone(), ..start }, model, context, on_step);
    let mut choice = Choice::new(choosing, &specs, &talk.trace().prompt);
    if let Some(choice) = &choice {
        talk.add(talk.now_ms(), chosen(choice, &specs, tools));
    }
    let stop = 'turns: loop {
        for call in std::mem::take(&mut open) {
            if cancel.is_cancelled() {
                break 'turns Stop::Cancelled;
            }
            if talk.trace().n_calls() >= limits.max_calls as usize {
                break 'turns Stop::Calls;
            }
            let began = talk.now_ms();
            let (result, effects, told) = answer_call(tools, &specs, &call);
            let name = call.name.clone();
            talk.add(began, StepBody::Call { call, result, effects, told });
            if let Some(choice) = &mut choice
                && choice.widen(&specs, &name)
            {
                talk.add(talk.now_ms(), chosen(choice, &specs, tools));
            }
        }
        let sent = choice.as_ref().map_or_else(|| specs.clone(), |c| c.sent(&specs));
        match talk.ask(&sent).await {
            Ok(message) if message.tool_calls.is_empty() => break Stop::Answered,
            Ok(message) => open = message.tool_calls,
            Err(stop) => break stop,
        }
    };
    talk.end(stop)
}

fn chosen(choice: &Choice, specs: &[ToolSpec], set: &dyn ToolSet) -> StepBody {
    let tools: Vec<String> = choice.sent(specs).into_iter().map(|t| t.name).collect();
    // A sum with a gap in it would be no count.
    let n_tokens = tools.iter().map(|name| set.n_tokens(name)).sum();
    let reason = choice.reason().to_owned();
    StepBody::Choice { tools, n_tools: specs.len(), reason, n_tokens }
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
