//! ATIF, the agent trajectory format of Harbor: written as version 1.4, read as any 1.x.

use llm::{Message, Role, Usage};
use serde_json::{Map, Value, json};

use super::messages::{self, Said, Turn};
use super::report::Report;
use super::{Format, FormatError, moment, parts, readable};
use crate::{Record, StepBody};

pub(super) const FORMAT: Format = Format {
    id: "atif",
    title: "ATIF trajectory",
    extensions: &["atif.json"],
    reads: "trajectories of versions 1.x: messages, calls, observations, thoughts, tokens",
    loses: "images",
    keeps: "as version 1.4: messages, calls, results, tokens; not the graph",
    take: read,
    write: Some(write),
    is_it,
};

const WRITES: &str = "ATIF-v1.4";

fn is_it(value: &Value) -> bool {
    let first = value.get(0).unwrap_or(value);
    parts::text(first, "schema_version").starts_with("ATIF-")
}

fn write(records: &[Record]) -> String {
    // A file of the format is one trajectory; several are a list of them.
    match records {
        [one] => trajectory(one).to_string(),
        many => many.iter().map(trajectory).collect::<Value>().to_string(),
    }
}

fn metrics(usage: &Usage) -> Option<Value> {
    usage.total()?;
    let mut out = Map::new();
    for (name, n) in [
        ("prompt_tokens", usage.input_tokens),
        ("completion_tokens", usage.output_tokens),
        ("cached_tokens", usage.cached_tokens),
    ] {
        if let Some(n) = n {
            out.insert(name.into(), n.into());
        }
    }
    Some(out.into())
}

fn trajectory(record: &Record) -> Value {
    let trace = &record.trace;
    let start = record.started_at.as_deref().and_then(moment::parse);
    let mut steps: Vec<Map<String, Value>> = Vec::new();
    let push =
        |steps: &mut Vec<Map<String, Value>>, source: &str, message: &str, at: Option<f64>| {
            let mut step = Map::new();
            step.insert("step_id".into(), (steps.len() + 1).into());
            if let Some(at) = at {
                step.insert("timestamp".into(), moment::write(at).into());
            }
            step.insert("source".into(), source.into());
            step.insert("message".into(), message.into());
            steps.push(step);
        };
    for message in &trace.prompt {
        let source = if message.role == Role::System { "system" } else { "user" };
        push(&mut steps, source, &message.content, start);
    }
    for step in &trace.steps {
        let at = start.map(|s| s + step.at_ms);
        match &step.body {
            StepBody::Model { message, usage, .. } => {
                push(&mut steps, "agent", &message.content, at);
                let Some(out) = steps.last_mut() else { continue };
                out.insert("model_name".into(), trace.model.clone().into());
                if let Some(thought) = &message.reasoning {
                    out.insert("reasoning_content".into(), thought.clone().into());
                }
                if !message.tool_calls.is_empty() {
                    let calls = message.tool_calls.iter().map(|c| {
                        json!({ "tool_call_id": c.id, "function_name": c.name,
                                "arguments": parts::arguments_object(c) })
                    });
                    out.insert("tool_calls".into(), calls.collect());
                }
                if let Some(metrics) = metrics(usage) {
                    out.insert("metrics".into(), metrics);
                }
                out.insert("extra".into(), json!({ "took_ms": step.took_ms }));
            }
            StepBody::Call { call, result, told, .. } => {
                let text = told.clone().unwrap_or_else(|| result.to_model_text());
                let found = json!({ "source_call_id": call.id, "content": text });
                let owner = steps.iter_mut().rev().find(|s| s.contains_key("tool_calls"));
                let Some(owner) = owner else { continue };
                let observation =
                    owner.entry("observation").or_insert_with(|| json!({ "results": [] }));
                if let Some(results) = observation["results"].as_array_mut() {
                    results.push(found);
                }
            }
            StepBody::Note { text } => push(&mut steps, "system", text, at),
            StepBody::Program { .. } => {
                push(&mut steps, "system", &step.body.program_text(), at);
            }
            StepBody::Prompt { messages, .. } => {
                for message in messages {
                    push(&mut steps, "user", &message.content, at);
                }
            }
            StepBody::Findings { stage, findings } => {
                let words: Vec<String> =
                    findings.iter().map(|f| format!("{}: {}", f.rule, f.message)).collect();
                push(&mut steps, "system", &format!("{stage}: {}", words.join("; ")), at);
            }
            StepBody::Choice { reason, tools, .. } => {
                push(&mut steps, "system", &format!("{reason}: {}", tools.join(", ")), at);
            }
            StepBody::Vote { tallies, .. } => {
                let words: Vec<String> =
                    tallies.iter().map(|t| format!("{} × {}", t.runs.len(), t.answer)).collect();
                push(&mut steps, "system", &words.join("; "), at);
            }
        }
    }
    let mut agent = json!({
        "name": "graphground", "version": env!("CARGO_PKG_VERSION"), "model_name": trace.model,
        "extra": { "system": trace.system },
    });
    if !trace.tools.is_empty() {
        agent["tool_definitions"] = parts::tools_out(&trace.tools);
    }
    let mut extra = record.metadata.clone();
    extra.insert("task".into(), record.task.clone().into());
    if let Some(score) = &record.score {
        extra.insert("score".into(), json!(score));
    }
    if let Some(stop) = &trace.stop {
        extra.insert("stop".into(), json!(stop));
    }
    let mut last = Map::new();
    let usage = trace.usage();
    for (name, n) in [
        ("total_prompt_tokens", usage.input_tokens),
        ("total_completion_tokens", usage.output_tokens),
        ("total_cached_tokens", usage.cached_tokens),
    ] {
        if let Some(n) = n {
            last.insert(name.into(), n.into());
        }
    }
    last.insert("total_steps".into(), steps.len().into());
    json!({
        "schema_version": WRITES, "session_id": record.id, "agent": agent,
        "steps": steps, "final_metrics": last, "extra": extra,
    })
}

fn read(values: Vec<Value>, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let all =
        values.iter().flat_map(|v| v.as_array().map_or(std::slice::from_ref(v), Vec::as_slice));
    let all = all.enumerate().map(|(i, value)| record(value, i, report)).collect();
    readable(all, report)
}

fn record(value: &Value, index: usize, report: &mut Report) -> Result<Record, FormatError> {
    let place = format!("trajectory {}", index + 1);
    let steps = value
        .get("steps")
        .and_then(Value::as_array)
        .ok_or_else(|| parts::missing(&place, "list `steps`", "ATIF"))?;
    let moments: Vec<Option<f64>> =
        steps.iter().map(|s| moment::parse(parts::text(s, "timestamp"))).collect();
    let start = moments.iter().flatten().copied().reduce(f64::min);
    let mut said_all: Vec<Said> = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let source = parts::text(step, "source");
        let role = parts::role(source).ok_or_else(|| {
            parts::missing(
                &format!("step {} of {place}", i + 1),
                "`source` of system, user or agent",
                "ATIF",
            )
        })?;
        let at_ms = moments[i].zip(start).map_or(0.0, |(at, start)| at - start);
        let took = step.get("extra").and_then(|e| e.get("took_ms")).and_then(Value::as_f64);
        let turn = Turn {
            at_ms,
            took_ms: took.unwrap_or(0.0),
            usage: messages::usage(step.get("metrics")),
            ..Turn::default()
        };
        let note = |text: String| {
            let body = Some(StepBody::Note { text });
            (Message::system(""), Turn { body, at_ms, ..Turn::default() })
        };
        let said = messages::result_text(step.get("message"), report);
        let calls = parts::list(step, "tool_calls");
        // A system step behind the model's first turn is what the agent did by itself.
        if role == Role::System && said_all.iter().any(|(m, _)| m.role == Role::Assistant) {
            said_all.push(note(said));
        } else {
            let tool_calls = calls.iter().map(messages::call).collect();
            let thought = step.get("reasoning_content").and_then(Value::as_str).map(str::to_owned);
            let message =
                Message { role, tool_calls, reasoning: thought, ..Message::assistant(said) };
            said_all.push((message, turn));
        }
        let found = step.get("observation").map_or(&[][..], |o| parts::list(o, "results"));
        for result in found {
            let content = messages::result_text(result.get("content"), report);
            let id = parts::text(result, "source_call_id");
            // What answers no call is no result of one.
            said_all.push(if id.is_empty() && calls.is_empty() {
                note(content)
            } else {
                (Message::tool(id, content), Turn { at_ms, ..Turn::default() })
            });
        }
    }
    let agent = value.get("agent").unwrap_or(&Value::Null);
    let system = agent.get("extra").map_or("", |e| parts::text(e, "system"));
    let mut metadata = value.get("extra").and_then(Value::as_object).cloned().unwrap_or_default();
    let task = metadata.shift_remove("task").and_then(|t| t.as_str().map(str::to_owned));
    let score = metadata.shift_remove("score").and_then(|s| serde_json::from_value(s).ok());
    let stop = metadata.shift_remove("stop").and_then(|s| serde_json::from_value(s).ok());
    let model = parts::text(agent, "model_name");
    let mut trace = parts::assemble(system, model, said_all, stop, report)?;
    trace.tools = parts::tools_in(parts::list(agent, "tool_definitions"));
    let id = match parts::text(value, "session_id") {
        "" => (index + 1).to_string(),
        id => id.to_owned(),
    };
    let started_at = start.map(moment::write);
    let task = task.unwrap_or_default();
    Ok(Record { id, task, started_at, score, metadata, ..Record::of(trace) })
}
