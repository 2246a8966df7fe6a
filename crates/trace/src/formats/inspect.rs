//! The log of Inspect (`inspect-ai`), as its version 0.3 reads and writes it: one JSON object with
//! `eval`, `results` and `samples`, or an archive with a file for each of these.

use std::collections::HashMap;

use llm::{FinishReason, Message, Role, Usage};
use serde_json::{Map, Value, json};

use super::archive::Archive;
use super::messages::{self, Said, Turn};
use super::report::Report;
use super::{Format, FormatError, MAX_BYTES, json, moment, parts, readable, spans};
use crate::{Record, RecordScore, Step, StepBody, Stop, ToolResult};

pub(super) const FORMAT: Format = Format {
    id: "inspect",
    title: "Inspect log",
    extensions: &["inspect.json", "eval"],
    reads: "logs as JSON and as `.eval` archives, finished or not: messages, turns of agents within \
            agents, calls, errors, attachments, times, tokens, limits, scores",
    loses: "images, sounds and files, events that are neither turns nor calls",
    keeps: "as JSON: messages, calls, results, times, tokens, scores; not tools' schemas and the \
            graph",
    take: read,
    write: Some(write),
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
    let target = metadata.shift_remove("target").unwrap_or_else(|| "".into());
    let further = metadata.shift_remove("scores");
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
        "id": record.id, "epoch": epoch, "input": record.input, "target": target,
        "messages": messages, "output": output, "metadata": metadata, "store": {},
        "events": events, "model_usage": model_usage, "role_usage": {}, "attachments": {},
        "total_time": took / 1e3, "working_time": took / 1e3,
        "started_at": moment::write(start), "completed_at": moment::write(start + took),
    });
    let mut scores = Map::new();
    if let Some(score) = &record.score {
        scores.insert(
            score.name.clone(),
            json!({ "value": score.value, "answer": trace.answer(),
                    "explanation": score.explanation, "metadata": { "label": score.label } }),
        );
    }
    if let Some(Value::Object(further)) = further {
        scores.extend(further);
    }
    if !scores.is_empty() {
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
    for mut log in values {
        let samples = match log.get_mut("samples").map(Value::take) {
            Some(Value::Array(samples)) => samples,
            _ => return Err(parts::missing("the log", "list `samples`", "an Inspect log")),
        };
        let eval = log.get("eval").unwrap_or(&Value::Null);
        let names = (parts::text(eval, "task"), parts::text(eval, "model"));
        for (i, sample) in samples.into_iter().enumerate() {
            records.push(record(sample, i, names, report));
        }
    }
    readable(records, report)
}

/// Reads an `.eval` archive; nothing where it is none. A sample that cannot be read does not lose the
/// others. While an evaluation runs there is no header yet, only its journal.
pub(super) fn read_archive(
    archive: &Archive<'_>,
    report: &mut Report,
) -> Result<Option<Vec<Record>>, FormatError> {
    let head = ["header.json", "_journal/start.json"].into_iter().find(|path| archive.has(path));
    let Some(head) = head else { return Ok(None) };
    let log = json::value(&archive.text(head)?, head)?;
    let eval = log.get("eval").unwrap_or(&Value::Null);
    let names = (parts::text(eval, "task"), parts::text(eval, "model"));
    if parts::text(&log, "status") != "success" {
        report.changed("log of a run that was not finished", parts::text(&log, "status"));
    }
    let mut records = Vec::new();
    let paths: Vec<&str> = archive
        .paths()
        .filter(|path| path.starts_with("samples/") && path.ends_with(".json"))
        .collect();
    for path in paths {
        let sample = archive.text(path).and_then(|text| json::value(&text, path));
        let record = sample.and_then(|sample| record(sample, records.len(), names, report));
        match record {
            Ok(record) => records.push(record),
            Err(error) => report.fault(format!("{path}: {error}")),
        }
    }
    Ok(Some(records))
}

/// What attachments may add to a sample.
const MAX_ATTACHED: usize = MAX_BYTES / 4;

/// Long texts stand once in a sample, and where they were is a reference.
fn put_attachments_back(sample: &mut Value, report: &mut Report) {
    let Some(Value::Object(attachments)) = sample.get_mut("attachments").map(Value::take) else {
        return;
    };
    let mut left = MAX_ATTACHED;
    for name in ["input", "messages", "output", "events", "events_data", "scores", "error"] {
        if let Some(inner) = sample.get_mut(name) {
            put_back(inner, &attachments, &mut left, report);
        }
    }
}

fn put_back(value: &mut Value, all: &Map<String, Value>, left: &mut usize, report: &mut Report) {
    match value {
        Value::String(text) => {
            let Some(hash) = text.strip_prefix("attachment://") else { return };
            match all.get(hash).and_then(Value::as_str) {
                Some(found) if found.len() <= *left => {
                    *left -= found.len();
                    found.clone_into(text);
                }
                _ => report.left_out("attachment|", hash),
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|v| put_back(v, all, left, report)),
        Value::Object(map) => map.values_mut().for_each(|v| put_back(v, all, left, report)),
        _ => {}
    }
}

/// A turn of a model, as an event has it.
struct Made {
    said: Vec<Said>,
    asked: Vec<Said>,
    turn: Turn,
    failure: Option<String>,
}

fn made(event: &Value, pool: &[Value], start: Option<f64>, report: &mut Report) -> Made {
    let choices = event.get("output").map_or(&[][..], |o| parts::list(o, "choices"));
    let read = |values: &mut dyn Iterator<Item = &Value>, report: &mut Report| {
        let mut said = Vec::new();
        values.for_each(|v| _ = messages::read(v, &mut said, report));
        said
    };
    let mut asked = read(&mut parts::list(event, "input").iter(), report);
    for range in parts::list(event, "input_refs") {
        let at =
            |i: usize| range.get(i).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let range = at(0).zip(at(1)).and_then(|(from, to)| pool.get(from..to.min(pool.len())));
        asked.extend(read(&mut range.unwrap_or_default().iter(), report));
    }
    asked.retain(|(m, _)| m.role != Role::Assistant);
    Made {
        said: read(&mut choices.iter().filter_map(|c| c.get("message")).take(1), report),
        asked,
        turn: turn(event, start),
        failure: Some(parts::text(event, "error")).filter(|e| !e.is_empty()).map(str::to_owned),
    }
}

fn key_of(message: &Message) -> String {
    match &message.tool_call_id {
        Some(id) if message.role == Role::Tool => format!("result {id}"),
        _ => spans::said_key(message),
    }
}

/// What the events have and the messages do not: turns of agents within agents, turns that were
/// taken out to make room, and models that failed. Each comes before the message that came next.
fn with_events(said_all: Vec<Said>, made: Vec<Made>) -> Vec<Said> {
    let mut places: HashMap<String, std::collections::VecDeque<usize>> = HashMap::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (i, (message, _)) in said_all.iter().enumerate() {
        match message.role {
            Role::Assistant => {
                let key = spans::turn_keys(message).swap_remove(0);
                places.entry(key).or_default().push_back(i);
            }
            _ => *known.entry(key_of(message)).or_default() += 1,
        }
    }
    let mut turns: HashMap<usize, Turn> = HashMap::new();
    let mut before: HashMap<usize, Vec<Said>> = HashMap::new();
    let mut waiting: Vec<Said> = Vec::new();
    // Behind a turn and the results of its calls.
    let mut next = None;
    for Made { said, asked, turn, failure } in made {
        let place = said.first().and_then(|(message, _)| {
            places.get_mut(&spans::turn_keys(message).swap_remove(0))?.pop_front()
        });
        match place {
            Some(place) => {
                before.entry(next.unwrap_or(place)).or_default().append(&mut waiting);
                turns.insert(place, turn);
                let results =
                    said_all[place + 1..].iter().take_while(|(m, _)| m.role == Role::Tool);
                next = Some(place + 1 + results.count());
            }
            None => {
                let is_new = |(m, _): &Said| known.insert(key_of(m), 1).is_none();
                waiting.extend(asked.into_iter().filter(is_new));
                let finish = turn.finish.clone();
                let of = |(m, _)| (m, Turn { finish: finish.clone(), ..turn.clone() });
                waiting.extend(said.into_iter().map(of));
            }
        }
        if let Some(message) = failure {
            let body = Some(StepBody::Note { text: format!("the model failed: {message}") });
            waiting.push((Message::system(""), Turn { body, ..Turn::default() }));
        }
    }
    let mut all = Vec::with_capacity(said_all.len());
    for (i, (message, mut turn)) in said_all.into_iter().enumerate() {
        all.extend(before.remove(&i).unwrap_or_default());
        if let Some(found) = turns.remove(&i) {
            (turn.at_ms, turn.took_ms, turn.usage) = (found.at_ms, found.took_ms, found.usage);
            turn.finish = found.finish.or(turn.finish.take());
        }
        all.push((message, turn));
    }
    all.extend(waiting);
    all
}

fn record(
    mut sample: Value,
    index: usize,
    (task, model): (&str, &str),
    report: &mut Report,
) -> Result<Record, FormatError> {
    put_attachments_back(&mut sample, report);
    let sample = &sample;
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
    // Times, tokens and endings stand in the events, those of calls in the order of their messages.
    let started = parts::text(sample, "started_at");
    let start = moment::parse(started);
    let events = parts::list(sample, "events");
    let of = |kind: &'static str| events.iter().filter(move |e| parts::text(e, "event") == kind);
    let mut calls = of("tool").map(|e| turn(e, start));
    for (_, turn) in said.iter_mut().filter(|(m, _)| m.role == Role::Tool) {
        let Some(found) = calls.next() else { break };
        (turn.at_ms, turn.took_ms) = (found.at_ms, found.took_ms);
    }
    let pool = sample.get("events_data").map_or(&[][..], |d| parts::list(d, "messages"));
    // Where the messages have all, what the events repeat is not read again.
    let made = of("model").map(|e| made(e, pool, start, &mut Report::default())).collect();
    let mut said = with_events(said, made);
    // A log without its events still has how the last turn ended.
    if let Some((_, turn)) = said.iter_mut().rfind(|(m, _)| m.role == Role::Assistant) {
        turn.finish = turn.finish.take().or(ending(sample));
    }
    for retry in parts::list(sample, "error_retries") {
        let text = format!("an earlier attempt failed: {}", parts::text(retry, "message"));
        let body = Some(StepBody::Note { text });
        said.push((Message::system(""), Turn { body, ..Turn::default() }));
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
    let mut scores = sample.get("scores").and_then(Value::as_object).cloned().unwrap_or_default();
    let first = scores.iter().find(|(_, s)| number_of(s).is_some()).map(|(name, _)| name.clone());
    let score = first.and_then(|name| {
        let score = scores.shift_remove(&name)?;
        let label = match score.get("metadata").map_or("", |m| parts::text(m, "label")) {
            "" => match GRADES.iter().find(|(grade, ..)| score.get("value") == Some(&json!(grade)))
            {
                Some((_, word, _)) => (*word).to_owned(),
                None => parts::arguments(score.get("value")),
            },
            label => label.to_owned(),
        };
        let explanation = parts::text(&score, "explanation").to_owned();
        Some(RecordScore { name, label, value: number_of(&score)?, explanation })
    });
    // A record has one score; the others are kept beside it.
    scores.retain(|_, score| score.get("value").is_some_and(|v| !v.is_null()));
    if !scores.is_empty() {
        metadata.insert("scores".into(), scores.into());
    }
    match sample.get("target") {
        Some(Value::String(target)) if target.is_empty() => {}
        Some(target) if !target.is_null() => _ = metadata.insert("target".into(), target.clone()),
        _ => {}
    }
    if let Some(epoch) = sample.get("epoch").filter(|e| e.as_u64().is_some_and(|n| n > 1)) {
        metadata.insert("epoch".into(), epoch.clone());
    }
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

/// Inspect's grades, the word for each, and what it counts.
const GRADES: [(&str, &str, f64); 4] = [
    ("C", "correct", 1.0),
    ("P", "partial", 0.5),
    ("I", "incorrect", 0.0),
    ("N", "no_answer", 0.0),
];

/// A score as a number.
fn number_of(score: &Value) -> Option<f64> {
    let value = score.get("value")?;
    value.as_f64().or_else(|| value.as_bool().map(f64::from)).or_else(|| {
        let word = value.as_str()?;
        let grade = GRADES.iter().find(|(grade, ..)| *grade == word).map(|(.., n)| *n);
        grade.or_else(|| word.parse().ok()).or(Some(0.0))
    })
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
