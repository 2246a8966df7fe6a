//! The log of Inspect (`inspect-ai`), as its version 0.3 reads and writes it: one JSON object with
//! `eval`, `results` and `samples`.

use llm::{FinishReason, Message, Role, Usage};
use serde_json::{Map, Value, json};

use super::messages::{self, Turn};
use super::report::Report;
use super::{Format, FormatError, moment, parts};
use crate::{Record, RecordScore, Step, StepBody, Stop, ToolResult};

pub(super) const FORMAT: Format = Format {
    id: "inspect",
    title: "Inspect log",
    extension: "inspect.json",
    lede: "For Inspect's viewer and its Python functions, with messages, tool calls, times, tokens \
           and scores; without the graph.",
    take: read,
    write,
    is_it,
};

fn is_it(value: &Value) -> bool {
    value.get("eval").is_some_and(Value::is_object)
        && (value.get("samples").is_some() || value.get("plan").is_some())
}

fn write(records: &[Record]) -> String {
    let first = records.first();
    let started = first.and_then(|r| r.started_at.as_deref()).and_then(moment::parse);
    let created = moment::write(started.unwrap_or(0.0));
    let label = |f: fn(&Record) -> &str, none: &str| {
        let text = first.map(f).unwrap_or_default();
        if text.is_empty() { none.to_owned() } else { text.to_owned() }
    };
    let (task, model) = (label(|r| &r.task, "graphground"), label(|r| &r.trace.model, "unknown"));
    let n = records.len();
    let scores: Vec<&RecordScore> = records.iter().filter_map(|r| r.score.as_ref()).collect();
    let results = (!scores.is_empty()).then(|| {
        let mean = scores.iter().map(|s| s.value).sum::<f64>() / scores.len() as f64;
        json!({
            "total_samples": n, "completed_samples": scores.len(),
            "scores": [{
                "name": scores[0].name, "scorer": scores[0].name, "params": {},
                "metrics": { "mean": { "name": "mean", "value": mean, "params": {} } },
            }],
        })
    });
    let id = format!("{:016x}", parts::id_hash(&format!("{created}{task}{model}{n}")));
    let mut log = json!({
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": id, "run_id": id, "task_id": id, "created": created, "task": task,
            "task_version": 0, "task_attribs": {}, "task_args": {}, "task_args_passed": {},
            "dataset": { "name": task, "samples": n, "sample_ids": records.iter().map(|r| r.id.clone()).collect::<Vec<_>>() },
            "model": model, "model_generate_config": {}, "model_args": {}, "config": {},
            "packages": { "graphground": env!("CARGO_PKG_VERSION") },
        },
        "plan": { "name": "plan", "steps": [], "config": {} },
        "stats": { "started_at": created, "completed_at": created, "model_usage": {}, "role_usage": {} },
        "invalidated": false, "tags": [], "metadata": {},
        "samples": records.iter().map(sample).collect::<Vec<_>>(),
    });
    if let Some(results) = results {
        log["results"] = results;
    }
    log.to_string()
}

fn usage_out(usage: &Usage) -> Value {
    let (input, output) = (usage.input_tokens.unwrap_or(0), usage.output_tokens.unwrap_or(0));
    let mut out = json!({
        "input_tokens": input, "output_tokens": output, "total_tokens": input.saturating_add(output),
    });
    if let Some(n) = usage.cached_tokens {
        out["input_tokens_cache_read"] = n.into();
    }
    if let Some(n) = usage.reasoning_tokens {
        out["reasoning_tokens"] = n.into();
    }
    out
}

fn finish_out(finish: &FinishReason) -> &'static str {
    match finish {
        FinishReason::ToolCalls => "tool_calls",
        FinishReason::Length => "max_tokens",
        FinishReason::ContentFilter => "content_filter",
        FinishReason::Stop => "stop",
        _ => "unknown",
    }
}

fn message_out(message: &Message, step: Option<&Step>, key: &str) -> Value {
    let mut out = Map::new();
    out.insert("id".into(), key.into());
    let content = match &message.reasoning {
        Some(thought) => json!([
            { "type": "reasoning", "reasoning": thought },
            { "type": "text", "text": message.content },
        ]),
        None => message.content.clone().into(),
    };
    out.insert("role".into(), json!(message.role));
    out.insert("content".into(), content);
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().map(|c| {
            json!({ "id": c.id, "function": c.name, "type": "function",
                    "arguments": parts::arguments_object(c) })
        });
        out.insert("tool_calls".into(), calls.collect());
    }
    if let Some(id) = &message.tool_call_id {
        out.insert("tool_call_id".into(), id.clone().into());
    }
    if let Some(StepBody::Call { call, result, .. }) = step.map(|s| &s.body) {
        out.insert("function".into(), call.name.clone().into());
        if let ToolResult::Error(error) = result {
            let error = json!({ "type": "unknown", "message": error.message });
            out.insert("error".into(), error);
        }
    }
    Value::Object(out)
}

fn sample(record: &Record) -> Value {
    let trace = &record.trace;
    let start = record.started_at.as_deref().and_then(moment::parse).unwrap_or(0.0);
    let messages: Vec<Value> = parts::messages_of(trace)
        .iter()
        .enumerate()
        .map(|(i, (message, step))| message_out(message, *step, &format!("{}-{i}", record.id)))
        .collect();
    let mut events = Vec::new();
    for (i, step) in trace.steps.iter().enumerate() {
        let common = |kind: &str| {
            json!({
                "uuid": format!("{}-e{i}", record.id), "event": kind,
                "timestamp": moment::write(start + step.at_ms), "working_start": step.at_ms / 1e3,
            })
        };
        match &step.body {
            StepBody::Model { message, finish, usage, .. } => {
                let mut event = common("model");
                event["model"] = trace.model.clone().into();
                event["input"] = json!([]);
                event["tools"] = json!([]);
                event["tool_choice"] = "auto".into();
                event["config"] = json!({});
                event["output"] = output(&trace.model, message, finish, usage, step);
                event["working_time"] = (step.took_ms / 1e3).into();
                events.push(event);
            }
            StepBody::Call { call, result, .. } => {
                let mut event = common("tool");
                event["type"] = "function".into();
                event["id"] = call.id.clone().into();
                event["function"] = call.name.clone().into();
                event["arguments"] = parts::arguments_object(call);
                event["result"] = result.to_model_text().into();
                event["events"] = json!([]);
                event["working_time"] = (step.took_ms / 1e3).into();
                events.push(event);
            }
            other => {
                let mut event = common("info");
                event["source"] = "graphground".into();
                event["data"] = json!(other);
                events.push(event);
            }
        }
    }
    let last = trace.steps.iter().rev().find_map(|s| match &s.body {
        StepBody::Model { message, finish, usage, .. } => Some((message, finish, usage, s)),
        _ => None,
    });
    let output = last.map_or_else(
        || json!({ "model": trace.model, "choices": [] }),
        |(message, finish, usage, step)| output(&trace.model, message, finish, usage, step),
    );
    let took = trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
    let mut metadata = record.metadata.clone();
    metadata.insert("graphground_system".into(), trace.system.clone().into());
    metadata.insert("graphground_task".into(), record.task.clone().into());
    if let Some(stop) = &trace.stop {
        metadata.insert("graphground_stop".into(), json!(stop));
    }
    let mut model_usage = Map::new();
    if trace.usage().total().is_some() {
        model_usage.insert(trace.model.clone(), usage_out(&trace.usage()));
    }
    // A benchmark says which sample of a problem this is.
    let epoch = record.metadata.get("epoch").and_then(Value::as_u64).unwrap_or(1);
    let mut sample = json!({
        "id": record.id, "epoch": epoch, "input": record.input, "target": "",
        "messages": messages, "output": output, "metadata": metadata, "store": {},
        "events": events, "model_usage": model_usage, "role_usage": {}, "attachments": {},
        "total_time": took / 1e3, "working_time": took / 1e3,
        "started_at": moment::write(start), "completed_at": moment::write(start + took),
    });
    if let Some(score) = &record.score {
        let mut scores = Map::new();
        scores.insert(
            score.name.clone(),
            json!({ "value": score.value, "answer": trace.answer(),
                    "explanation": score.explanation, "metadata": { "label": score.label } }),
        );
        sample["scores"] = scores.into();
    }
    sample
}

fn output(
    model: &str,
    message: &Message,
    finish: &FinishReason,
    usage: &Usage,
    step: &Step,
) -> Value {
    let mut out = json!({
        "model": model,
        "choices": [{ "message": message_out(message, None, "m"), "stop_reason": finish_out(finish) }],
        "completion": message.content,
        "time": step.took_ms / 1e3,
    });
    if usage.total().is_some() {
        out["usage"] = usage_out(usage);
    }
    out
}

fn read(values: Vec<Value>, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let mut records = Vec::new();
    for log in &values {
        records.extend(records_of(log, report)?);
    }
    Ok(records)
}

fn records_of(log: &Value, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let eval = log.get("eval").unwrap_or(&Value::Null);
    let samples = log
        .get("samples")
        .and_then(Value::as_array)
        .ok_or_else(|| parts::missing("the log", "list `samples`", "an Inspect log"))?;
    let (task, model) = (parts::text(eval, "task"), parts::text(eval, "model"));
    samples.iter().enumerate().map(|(i, s)| record(s, i, (task, model), report)).collect()
}

fn record(
    sample: &Value,
    index: usize,
    (task, model): (&str, &str),
    report: &mut Report,
) -> Result<Record, FormatError> {
    let place = format!("sample {}", index + 1);
    let messages = sample
        .get("messages")
        .and_then(Value::as_array)
        .ok_or_else(|| parts::missing(&place, "list `messages`", "an Inspect log"))?;
    let mut said = Vec::with_capacity(messages.len());
    for (k, value) in messages.iter().enumerate() {
        if !messages::read(value, &mut said, report) {
            return Err(parts::missing(
                &format!("message {} of {place}", k + 1),
                "known `role`",
                "an Inspect log",
            ));
        }
    }
    // Times, tokens and endings stand in the events, in the order of the messages that they made.
    let started = parts::text(sample, "started_at");
    let start = moment::parse(started);
    let timed = |kind: &str| -> Vec<Turn> {
        let events = parts::list(sample, "events").iter();
        let made = |e: &&Value| {
            let choices = e.get("output").map_or(&[][..], |o| parts::list(o, "choices"));
            parts::text(e, "event") == kind && (kind != "model" || !choices.is_empty())
        };
        events.filter(made).map(|e| turn(e, start)).collect()
    };
    let (mut turns, mut calls) = (timed("model").into_iter(), timed("tool").into_iter());
    for (message, turn) in &mut said {
        let found = match message.role {
            Role::Assistant => turns.next(),
            Role::Tool => calls.next(),
            _ => None,
        };
        let Some(found) = found else { continue };
        (turn.at_ms, turn.took_ms, turn.usage) = (found.at_ms, found.took_ms, found.usage);
        turn.finish = found.finish.or(turn.finish.take());
    }
    // A log without its events still has how the last turn ended.
    if let Some((_, turn)) = said.iter_mut().rfind(|(m, _)| m.role == Role::Assistant) {
        turn.finish = turn.finish.take().or(ending(sample));
    }
    let mut metadata =
        sample.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut take = |name: &str| metadata.shift_remove(name);
    let as_text = |v: Option<Value>| v.and_then(|v| v.as_str().map(str::to_owned));
    let system = as_text(take("graphground_system")).unwrap_or_default();
    let own_task = as_text(take("graphground_task"));
    let stop = take("graphground_stop").and_then(|s| serde_json::from_value(s).ok());
    let stop = stop.or_else(|| stopped(sample));
    let trace = parts::assemble(&system, model, said, stop, report)?;
    for (name, _) in sample.get("scores").and_then(Value::as_object).into_iter().flatten().skip(1) {
        report.left_out("further scores named", name);
    }
    let score = sample.get("scores").and_then(Value::as_object).and_then(|scores| {
        let (name, score) = scores.iter().next()?;
        let value = score.get("value")?;
        let number = value.as_f64().or_else(|| value.as_bool().map(f64::from)).or_else(|| {
            // Inspect writes C, P, I and N for correct, partial, incorrect and no answer.
            Some(match value.as_str()? {
                "C" => 1.0,
                "P" => 0.5,
                _ => 0.0,
            })
        })?;
        let label = score.get("metadata").map_or("", |m| parts::text(m, "label"));
        let label = if label.is_empty() { value.to_string() } else { label.to_owned() };
        let explanation = parts::text(score, "explanation").to_owned();
        Some(RecordScore { name: name.clone(), label, value: number, explanation })
    });
    let base = Record::of(trace);
    let input = match parts::text(sample, "input") {
        "" => base.input.clone(),
        input => input.to_owned(),
    };
    let id = match sample.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(id) => id.to_string(),
        None => (index + 1).to_string(),
    };
    let started_at = start.map(|_| started.to_owned());
    let task = own_task.unwrap_or_else(|| task.to_owned());
    Ok(Record { id, task, input, started_at, score, metadata, ..base })
}

fn turn(event: &Value, start: Option<f64>) -> Turn {
    let at = moment::parse(parts::text(event, "timestamp"));
    let number = |name: &str| event.get(name).and_then(Value::as_f64);
    Turn {
        at_ms: at.zip(start).map_or(0.0, |(at, start)| (at - start).max(0.0)),
        took_ms: number("working_time").unwrap_or(0.0) * 1e3,
        usage: messages::usage(event.get("output").and_then(|o| o.get("usage"))),
        finish: ending(event),
        ..Turn::default()
    }
}

/// Why the turn ended whose output stands in an event or a sample.
fn ending(value: &Value) -> Option<FinishReason> {
    let choice = parts::list(value.get("output")?, "choices").first()?;
    match parts::text(choice, "stop_reason") {
        "" | "unknown" => None,
        word => Some(messages::finish(word)),
    }
}

/// What ended a sample, where it was not the model.
fn stopped(sample: &Value) -> Option<Stop> {
    if let Some(error) = sample.get("error").filter(|e| e.is_object()) {
        let message = parts::text(error, "message").to_owned();
        return Some(Stop::ModelFailed { message, is_overflow: false });
    }
    match parts::text(sample.get("limit")?, "type") {
        "token" => Some(Stop::Tokens),
        "message" | "turn" => Some(Stop::Rounds),
        "time" | "working" => Some(Stop::Deadline),
        "operator" => Some(Stop::Cancelled),
        "context" => {
            let message = "the conversation is longer than the model's context".to_owned();
            Some(Stop::ModelFailed { message, is_overflow: true })
        }
        _ => None,
    }
}
