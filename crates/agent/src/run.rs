//! A conversation in which a model calls tools until it answers.

use std::pin::pin;

use futures_util::future::{Either, join_all, select};
use llm::{Model, ToolCall, ToolSpec};
use serde_json::Value;
use trace::{
    Effects, Finding, MistakeKind, Step, StepBody, Stop, TOOLS_UNUSED, ToolError, ToolResult, Trace,
};

use crate::retrieval::Choice;
use crate::{
    AsyncToolSet, Choosing, Conversation, RunContext, ToolFailure, ToolOutput, ToolSet, arguments,
};

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
    let mut specs = tools.specs();
    let mut open = start.open_calls();
    let mut talk =
        Conversation::new(Trace { tools: specs.clone(), ..start }, model, context, on_step);
    let mut choice = Choice::new(choosing, &specs, &talk.trace().prompt);
    if choice.is_none() && tools.can_grow() {
        choice = Some(Choice::all(&specs));
    }
    if let Some(choice) = &choice {
        talk.add(talk.now_ms(), chosen(choice, &specs, tools));
    }
    let mut n_cut = 0;
    let stop = 'turns: loop {
        for call in std::mem::take(&mut open) {
            if cancel.is_cancelled() {
                break 'turns Stop::Cancelled;
            }
            if talk.trace().n_calls() >= limits.max_calls as usize {
                break 'turns Stop::Calls;
            }
            let began = talk.now_ms();
            let (result, effects, told) = match cut_off(&mut talk, &call, &mut n_cut) {
                Some(Ok(answer)) => answer,
                Some(Err(stop)) => break 'turns stop,
                None => answer_call(tools, &specs, &call),
            };
            let name = call.name.clone();
            let told = match repeats(talk.trace(), &call, &result).filter(|_| tools.says_repeats())
            {
                Some(words) => {
                    Some(format!("{}\n{words}", told.unwrap_or_else(|| result.to_model_text())))
                }
                None => told,
            };
            let took = talk.now_ms() - began;
            talk.add_clean(began, took, StepBody::Call { call, result, effects, told }).await;
            let (added, wanted) = (tools.added(), tools.wanted());
            if let Some(choice) = &mut choice {
                let is_wider = choice.widen(&specs, &name) | choice.bring_in(&specs, &wanted);
                if is_wider || !added.is_empty() {
                    for spec in added {
                        choice.take_in(specs.len(), &spec.name);
                        specs.push(spec);
                    }
                    talk.add(talk.now_ms(), chosen(choice, &specs, tools));
                }
            }
        }
        let mut sent = choice.as_ref().map_or_else(|| specs.clone(), |c| c.sent(&specs));
        sent.retain(|spec| tools.is_open(&spec.name));
        talk.must_call(tools.must_call());
        if let Some(messages) = tools.last_words(talk.trace()) {
            talk.say(messages, true);
        }
        match talk.ask(&sent).await {
            Ok(message) if message.tool_calls.is_empty() => break Stop::Answered,
            Ok(message) => open = message.tool_calls,
            Err(stop) => break stop,
        }
    };
    if stop == Stop::Answered && !specs.is_empty() && talk.trace().n_calls() == 0 {
        talk.add(talk.now_ms(), unused(specs.len()));
    }
    talk.end(stop)
}

/// What is said of a call that was made before, word for word, and came to the same.
fn repeats(trace: &Trace, call: &ToolCall, result: &ToolResult) -> Option<&'static str> {
    let meant = |call: &ToolCall| serde_json::from_str::<Value>(&call.arguments).ok();
    let is_same = |step: &Step| match &step.body {
        StepBody::Call { call: before, result: then, .. } => {
            before.name == call.name && then == result && meant(before) == meant(call)
        }
        _ => false,
    };
    trace.steps.iter().any(is_same).then_some(match result {
        ToolResult::Value { .. } => {
            "You made this call before, and the result is the same. Do not make it again: make another \
             call that the question needs, or write the answer."
        }
        ToolResult::Error(_) => {
            "You made this call before, and it was refused for the same reason. Send other arguments, as \
             the message says, or call another function."
        }
    })
}

/// Says that tools were offered and none was used.
fn unused(n_tools: usize) -> StepBody {
    let message = format!(
        "{n_tools} functions were offered and none was called: this answer is as ungrounded as one \
         without tools. Check in “Model” whether this model calls functions, choose another tool \
         style, or offer fewer functions"
    );
    let finding = Finding {
        rule: TOOLS_UNUSED.to_owned(),
        at: None,
        is_error: false,
        message,
        options: Vec::new(),
    };
    StepBody::Findings { stage: "use of tools".to_owned(), findings: vec![finding] }
}

fn chosen(choice: &Choice, specs: &[ToolSpec], set: &dyn ToolSet) -> StepBody {
    let tools: Vec<String> = choice.sent(specs).into_iter().map(|t| t.name).collect();
    // A sum with a gap in it would be no count.
    let n_tokens = tools.iter().map(|name| set.n_tokens(name)).sum();
    let reason = choice.reason().to_owned();
    StepBody::Choice { tools, n_tools: specs.len(), reason, n_tokens }
}

/// As [`run`], with tools that take time: the calls of one reply are carried out at the same time,
/// and stand in the trace in the order of the reply, each with the time that it took. All tools are
/// offered in every turn.
pub async fn run_async(
    start: Trace,
    model: &dyn Model,
    tools: &dyn AsyncToolSet,
    context: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> Trace {
    let RunContext { limits, cancel, .. } = context;
    let specs = tools.specs();
    let mut open = start.open_calls();
    let mut talk =
        Conversation::new(Trace { tools: specs.clone(), ..start }, model, context, on_step);
    let mut n_cut = 0;
    let stop = loop {
        let left = (limits.max_calls as usize).saturating_sub(talk.trace().n_calls());
        let has_too_many = open.len() > left;
        open.truncate(left);
        let calls = std::mem::take(&mut open);
        let mut cut = Vec::new();
        for call in &calls {
            cut.push(cut_off(&mut talk, call, &mut n_cut).transpose());
        }
        if let Some(stop) = cut.iter().find_map(|cut| cut.as_ref().err()) {
            break stop.clone();
        }
        let answers = {
            let talk = &talk;
            let answers = calls.iter().zip(cut).map(|(call, cut)| {
                let specs = &specs;
                async move {
                    let began = talk.now_ms();
                    let answer = match cut {
                        Ok(Some(answer)) => answer,
                        _ => answer_call_async(tools, specs, call).await,
                    };
                    (began, talk.now_ms() - began, answer)
                }
            });
            match select(pin!(cancel.cancelled()), pin!(join_all(answers))).await {
                Either::Left(_) => None,
                Either::Right((answers, _)) => Some(answers),
            }
        };
        let Some(answers) = answers else { break Stop::Cancelled };
        for (call, (began, took, (result, effects, told))) in calls.into_iter().zip(answers) {
            talk.add_clean(began, took, StepBody::Call { call, result, effects, told }).await;
        }
        if has_too_many {
            break Stop::Calls;
        }
        match talk.ask(&specs).await {
            Ok(message) if message.tool_calls.is_empty() => break Stop::Answered,
            Ok(message) => open = message.tool_calls,
            Err(stop) => break stop,
        }
    };
    talk.end(stop)
}

/// What is told of a call: its result, what it did, and what the model reads in its place.
type Answered = (ToolResult, Effects, Option<String>);

/// As [`answer_call`], for a tool that takes time.
pub async fn answer_call_async(
    tools: &dyn AsyncToolSet,
    specs: &[ToolSpec],
    call: &ToolCall,
) -> (ToolResult, Effects, Option<String>) {
    match readable(specs, call) {
        Ok(arguments) => told(tools.call(&call.name, arguments).await),
        Err(mistake) => mistake,
    }
}

/// Answers a call as a run does: a call that is wrong is answered too.
pub fn answer_call(
    tools: &mut dyn ToolSet,
    specs: &[ToolSpec],
    call: &ToolCall,
) -> (ToolResult, Effects, Option<String>) {
    match readable(specs, call) {
        Ok(arguments) => told(tools.call(&call.name, arguments)),
        Err(mistake) => mistake,
    }
}

/// The arguments of a call to one of the tools, or the answer to a call that none could take.
fn readable(specs: &[ToolSpec], call: &ToolCall) -> Result<Value, Answered> {
    if !specs.iter().any(|s| s.name == call.name) {
        let message = unknown(specs, call);
        return Err(mistake(MistakeKind::UnknownTool, "unknown_function", message, None));
    }
    if let Some(message) = arguments::refused(call) {
        return Err(mistake(MistakeKind::Library, "too_long", message, None));
    }
    let text = call.arguments.trim();
    serde_json::from_str(if text.is_empty() { "{}" } else { text }).map_err(|error| {
        let message =
            format!("the arguments of {} are not JSON: {error}; send one JSON object", call.name);
        mistake(MistakeKind::BadJson, "bad_json", message, None)
    })
}

/// The most calls of a run that may be cut off at the limit on tokens. The next reply has more room.
const MAX_CUT: u32 = 1;

/// The answer to a call that the limit on tokens cut off, or the end of the run, where that happened
/// before; nothing for a call that is whole.
fn cut_off(
    talk: &mut Conversation<'_>,
    call: &ToolCall,
    n_cut: &mut u32,
) -> Option<Result<Answered, Stop>> {
    let is_whole = call.arguments.trim().is_empty()
        || serde_json::from_str::<serde::de::IgnoredAny>(&call.arguments).is_ok();
    if is_whole || !talk.was_call_cut() {
        return None;
    }
    *n_cut += 1;
    if *n_cut > MAX_CUT {
        return Some(Err(Stop::CutOff));
    }
    let text = "a call was cut off at the limit on tokens; the next reply has more room".to_owned();
    talk.add(talk.now_ms(), StepBody::Note { text });
    let message = format!(
        "this call of {} was cut off at the limit on tokens; there is more room now: send it again \
         whole",
        call.name
    );
    Some(Ok(mistake(MistakeKind::CutOff, "cut_off", message, None)))
}

fn mistake(kind: MistakeKind, code: &str, message: String, witness: Option<Value>) -> Answered {
    let error = ToolError { kind, code: code.into(), message, witness };
    (ToolResult::Error(error), Effects::default(), None)
}

fn told(outcome: Result<ToolOutput, ToolFailure>) -> Answered {
    match outcome {
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
