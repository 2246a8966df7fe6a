//! Every format gives back what it was given, as far as it has a place for it, and survives
//! hostile files.

use llm::{FinishReason, Message, ToolCall, ToolSpec, Usage};
use proptest::prelude::*;
use serde_json::{Value, json};
use trace::formats::{self, FORMATS, Format};
use trace::{
    Effects, MistakeKind, Record, RecordScore, Step, StepBody, Stop, ToolError, ToolResult, Trace,
};

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::collection::vec(any::<i16>(), 0..4).prop_map(Value::from),
        Just(json!({ "path": [0, 1], "weight": 2.5 })),
    ]
}

fn result() -> impl Strategy<Value = ToolResult> {
    prop_oneof![
        (value(), prop::collection::vec("[a-z ]{1,10}", 0..2))
            .prop_map(|(value, notes)| ToolResult::Value { value, notes }),
        "\\PC{0,20}".prop_map(|message| ToolResult::Error(ToolError {
            kind: MistakeKind::Library,
            code: "unknown_node".into(),
            message,
            witness: None,
        })),
    ]
}

fn arguments() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("{}".to_owned()),
        Just(r#"{"start":0,"end":[1,{"b":"<script>"}]}"#.to_owned()),
        Just(r#"{"cut": "#.to_owned()),
        Just("[1,2]".to_owned()),
    ]
}

type Drawn = (String, Option<String>, Vec<(String, String, ToolResult)>);

fn turn() -> impl Strategy<Value = Drawn> {
    (
        "\\PC{0,30}",
        prop::option::of("[a-z ]{1,20}"),
        prop::collection::vec(("[a-z_]{1,8}", arguments(), result()), 0..3),
    )
}

fn record() -> impl Strategy<Value = Record> {
    (prop::collection::vec(turn(), 1..5), "\\PC{1,40}", any::<bool>()).prop_map(
        |(turns, question, known)| {
            let prompt = vec![Message::system("rules"), Message::user(question)];
            let mut trace = Trace::new("grounded", "model-1".into(), prompt);
            trace.tools = vec![ToolSpec {
                name: "find_path".into(),
                description: "Finds.".into(),
                parameters: json!({ "type": "object", "properties": {} }),
            }];
            let (mut at, mut n) = (0.0, 0);
            let n_turns = turns.len();
            let mut push = |steps: &mut Vec<Step>, body| {
                steps.push(Step { at_ms: at, took_ms: 2.0, by_person: false, body });
                at += 5.0;
            };
            for (i, (content, reasoning, calls)) in turns.into_iter().enumerate() {
                let is_last = i + 1 == n_turns;
                // A turn without calls ends a run.
                let calls = match (is_last, calls) {
                    (true, _) => Vec::new(),
                    (false, calls) if calls.is_empty() => {
                        vec![(
                            "f".to_owned(),
                            "{}".to_owned(),
                            ToolResult::Value { value: json!(1), notes: Vec::new() },
                        )]
                    }
                    (false, calls) => calls,
                };
                let tool_calls: Vec<ToolCall> = calls
                    .iter()
                    .map(|(name, arguments, _)| {
                        n += 1;
                        ToolCall {
                            id: format!("call_{n}"),
                            name: name.clone(),
                            arguments: arguments.clone(),
                        }
                    })
                    .collect();
                let finish = if is_last { FinishReason::Stop } else { FinishReason::ToolCalls };
                let usage = if known {
                    Usage {
                        input_tokens: Some(7),
                        output_tokens: Some(3),
                        cached_tokens: Some(2),
                        reasoning_tokens: None,
                    }
                } else {
                    Usage::default()
                };
                let message = Message {
                    tool_calls: tool_calls.clone(),
                    reasoning,
                    ..Message::assistant(content)
                };
                push(
                    &mut trace.steps,
                    StepBody::Model { message, finish, usage, request_hash: String::new() },
                );
                for (call, (_, _, result)) in tool_calls.into_iter().zip(calls) {
                    push(
                        &mut trace.steps,
                        StepBody::Call { call, result, effects: Effects::default(), told: None },
                    );
                }
            }
            trace.stop = Some(Stop::Answered);
            let score = RecordScore {
                name: "verdict".into(),
                label: "partial".into(),
                value: 0.5,
                explanation: "a total is wrong".into(),
            };
            Record {
                id: "run-1".into(),
                task: "shortest_path".into(),
                started_at: Some("2026-05-01T10:00:00.000Z".into()),
                score: Some(score),
                ..Record::of(trace)
            }
        },
    )
}

/// A record as the poorest format keeps it: without what a format may leave out.
fn told(record: &Record) -> Vec<Value> {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_else(|_| text.into());
    record
        .trace
        .messages_before(usize::MAX)
        .iter()
        .map(|m| {
            let calls: Vec<Value> =
                m.tool_calls.iter().map(|c| json!([c.id, c.name, parsed(&c.arguments)])).collect();
            json!([m.role, m.content, m.reasoning, calls, m.tool_call_id])
        })
        .collect()
}

fn results(record: &Record) -> Vec<ToolResult> {
    let calls = record.trace.steps.iter().filter_map(|s| match &s.body {
        StepBody::Call { result, .. } => Some(result.clone()),
        _ => None,
    });
    calls.collect()
}

/// The formats that are written.
fn written() -> impl Iterator<Item = (&'static Format, fn(&[Record]) -> String)> {
    FORMATS.iter().filter_map(|format| Some((format, format.write?)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_format_gives_back_what_it_was_given(record in record()) {
        for (format, write) in written() {
            let text = write(std::slice::from_ref(&record));
            let (found, read) = formats::read(&text).unwrap();
            prop_assert_eq!(found.id, format.id, "a file is known by its shape");
            prop_assert_eq!(read.len(), 1);
            let back = &read[0];
            prop_assert_eq!(told(back), told(&record), "{}", format.id);
            prop_assert_eq!(results(back), results(&record), "{}", format.id);
            prop_assert_eq!(&back.trace.model, &record.trace.model, "{}", format.id);
            prop_assert_eq!(&back.trace.system, &record.trace.system, "{}", format.id);
            prop_assert_eq!(&back.score, &record.score, "{}", format.id);
            prop_assert_eq!((&back.id, &back.task, &back.input), (&record.id, &record.task, &record.input), "{}", format.id);
            if format.id != "inspect" {
                prop_assert_eq!(&back.trace.tools, &record.trace.tools, "{}", format.id);
            }
            if format.id != "openai" {
                prop_assert_eq!(back.trace.usage(), record.trace.usage(), "{}", format.id);
                let took = |r: &Record| r.trace.steps.iter().filter(|s| matches!(s.body, StepBody::Model { .. })).map(|s| (s.at_ms, s.took_ms)).collect::<Vec<_>>();
                prop_assert_eq!(took(back), took(&record), "{}", format.id);
            }
            if format.id == "graphground" {
                prop_assert_eq!(back, &record);
            }
            // Whoever reads a file and writes it again changes nothing.
            prop_assert_eq!(write(&read), text, "{}", format.id);
        }
    }

    #[test]
    fn several_records_stay_several(a in record(), b in record()) {
        let b = Record { id: "run-2".into(), ..b };
        for (format, write) in written() {
            let (_, read) = formats::read(&write(&[a.clone(), b.clone()])).unwrap();
            prop_assert_eq!(read.len(), 2, "{}", format.id);
            prop_assert_eq!(told(&read[1]), told(&b), "{}", format.id);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        let _ = formats::read(&text);
    }

    #[test]
    fn files_with_something_knocked_out_are_read_or_refused(record in record(), at in 0.0..1.0_f64, n in 1..40_usize) {
        for (_, write) in written() {
            let mut chars: Vec<char> = write(std::slice::from_ref(&record)).chars().collect();
            let from = (chars.len() as f64 * at) as usize;
            chars.drain(from..(from + n).min(chars.len()));
            let _ = formats::read(&chars.into_iter().collect::<String>());
        }
    }
}

#[test]
fn hostile_files_are_refused_with_a_reason_or_read_as_text() {
    let deep = format!("{{\"messages\":{}", "[".repeat(100_000));
    assert!(formats::read(&deep).unwrap_err().to_string().contains("recursion limit"));

    let long = "x".repeat(10_000_000);
    let line = json!({ "messages": [{ "role": "user", "content": long }] }).to_string();
    let (_, read) = formats::read(&line).unwrap();
    assert_eq!(read[0].input.len(), 10_000_000);

    let script = r#"{"messages":[{"role":"assistant","content":"<script>alert(1)</script>"}]}"#;
    let (_, read) = formats::read(script).unwrap();
    assert_eq!(read[0].trace.answer(), Some("<script>alert(1)</script>"));

    let lone = r#"{"messages":[{"role":"user","content":"a \ud800 b"}]}"#;
    assert_eq!(formats::read(lone).unwrap().1[0].input, "a \u{fffd} b");

    let twice = r#"{"messages":[
        {"role":"assistant","content":"","tool_calls":[
            {"id":"c","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}},
            {"id":"c","type":"function","function":{"name":"f","arguments":"{\"n\":2}"}}]},
        {"role":"tool","tool_call_id":"c","content":"1"},
        {"role":"tool","tool_call_id":"c","content":"2"},
        {"role":"tool","tool_call_id":"nobody","content":"3"}]}"#;
    let (_, read) = formats::read(twice).unwrap();
    let seen: Vec<(String, String)> = read[0]
        .trace
        .steps
        .iter()
        .filter_map(|s| match &s.body {
            StepBody::Call { call, result, .. } => {
                Some((call.arguments.clone(), result.to_model_text()))
            }
            _ => None,
        })
        .collect();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(
        seen,
        [
            pair("{\"n\":1}", "{\"result\":1}"),
            pair("{\"n\":2}", "{\"result\":2}"),
            pair("", "{\"result\":3}")
        ]
    );
}

#[test]
fn a_file_of_a_later_version_says_so() {
    let file = r#"{"format":"graphground.trace","version":99,"records":[]}"#;
    let error = formats::read(file).unwrap_err().to_string();
    assert!(error.contains("version 99") && error.contains("newer"), "{error}");
}

#[test]
fn a_bare_trace_of_version_1_is_read() {
    let file = r#"{"version":1,"system":"grounded","model":"m",
        "prompt":[{"role":"user","content":"hi"}],
        "steps":[{"at_ms":0,"took_ms":1,"body":{"type":"call",
            "call":{"id":"1","name":"clear_graph","arguments":"{}"},
            "result":{"value":{"value":null}},
            "effects":{"deltas":[{"op":"clear"}],"touched":{}}}}],
        "stop":{"why":"answered"}}"#;
    let read = formats::read(file);
    let (format, records) = read.unwrap();
    assert_eq!((format.id, records[0].trace.n_calls()), ("graphground", 1));
    assert_eq!(records[0].input, "hi");
}

#[test]
fn what_is_none_of_them_is_named() {
    let error = formats::read(r#"{"hello":1}"#).unwrap_err().to_string();
    assert!(error.contains("Inspect log") && error.contains("hello"), "{error}");
    let error = formats::read("0 1\n1 2").unwrap_err().to_string();
    assert!(error.contains("not JSON"), "{error}");
}

#[test]
fn other_programs_spans_are_read() {
    // A chat that repeats the conversation, with OpenInference's names.
    let attribute = |k: &str, v: &str| json!({ "key": k, "value": { "stringValue": v } });
    let span = json!({
        "traceId": "00", "spanId": "01", "name": "ChatCompletion",
        "startTimeUnixNano": "1000000", "endTimeUnixNano": "3000000",
        "attributes": [
            attribute("openinference.span.kind", "LLM"),
            attribute("llm.model_name", "m"),
            attribute("llm.input_messages.0.message.role", "user"),
            attribute("llm.input_messages.0.message.content", "which way?"),
            attribute("llm.output_messages.0.message.role", "assistant"),
            attribute("llm.output_messages.0.message.content", "left"),
            { "key": "llm.token_count.prompt", "value": { "intValue": 5 } },
        ],
    });
    let file = json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [span] }] }] }).to_string();
    let (_, read) = formats::read(&file).unwrap();
    assert_eq!(read[0].input, "which way?");
    assert_eq!(read[0].trace.answer(), Some("left"));
    assert_eq!(read[0].trace.usage().input_tokens, Some(5));
    assert!((read[0].trace.steps[0].took_ms - 2.0).abs() < 1e-9);
}

#[test]
fn the_titles_are_those_of_the_formats() {
    let all: Vec<(&str, &str)> = written().map(|(f, _)| (f.id, f.title)).collect();
    assert_eq!(all, formats::TITLES);
}

/// The table of `docs/formats.md`, from the list.
fn documented() -> String {
    let mut text = String::from(
        "| format | endings | what is read | what notes say was left out | what is written |\n\
         |---|---|---|---|---|\n",
    );
    for format in FORMATS {
        let endings: Vec<String> = format.extensions.iter().map(|e| format!("`.{e}`")).collect();
        let keeps = if format.write.is_some() { format.keeps } else { "–" };
        text += &format!(
            "| {} (`{}`) | {} | {} | {} | {keeps} |\n",
            format.title,
            format.id,
            endings.join(", "),
            format.reads,
            format.loses,
        );
    }
    text
}

#[test]
fn the_document_has_every_format() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let document = std::fs::read_to_string(path).unwrap();
    let table = documented();
    assert!(document.contains(&table), "put this table into docs/formats.md:\n{table}");
}
