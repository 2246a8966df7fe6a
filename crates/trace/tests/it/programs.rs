//! Files of programs that trace models, and of chats: nothing that was said is missing, and what is
//! not read is counted.

use serde_json::{Value, json};
use trace::formats;
use trace::{StepBody, Stop};

use crate::others::{lines, notes, open, span};

const CALL: &str = r#"{"id":"a","type":"function","function":{"name":"look","arguments":"{}"}}"#;

/// A conversation of five messages, in the form of chat completions.
fn messages() -> Vec<Value> {
    let call: Value = serde_json::from_str(CALL).unwrap();
    vec![
        json!({ "role": "system", "content": "rules" }),
        json!({ "role": "user", "content": "which way?" }),
        json!({ "role": "assistant", "content": "", "tool_calls": [call] }),
        json!({ "role": "tool", "tool_call_id": "a", "content": "fog" }),
        json!({ "role": "assistant", "content": "left" }),
        json!({ "role": "user", "content": "and now?" }),
        json!({ "role": "assistant", "content": "right" }),
    ]
}

/// What comes of it, however often spans repeat it.
const SAID: [&str; 8] = [
    "> rules",
    "> which way?",
    "says ",
    "calls look {}",
    "look = \"fog\"",
    "says left",
    "> and now?",
    "says right",
];

fn observation(n: usize, kind: &str, more: Value) -> Value {
    let mut value = json!({
        "id": format!("o{n}"), "traceId": "t", "type": kind, "name": "look", "projectId": "p",
        "parentObservationId": "root", "level": "DEFAULT",
        "startTime": format!("2026-05-01T10:00:0{n}.000Z"),
        "endTime": format!("2026-05-01T10:00:0{n}.500Z"),
    });
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    value
}

fn observations() -> Vec<Value> {
    let m = messages();
    let turn = |n: usize, upto: usize| {
        observation(
            n,
            "GENERATION",
            json!({
                "input": { "messages": m[..upto] }, "output": m[upto], "model": "m",
                "usageDetails": { "input": 5, "output": 2 },
            }),
        )
    };
    vec![
        turn(1, 2),
        observation(2, "TOOL", json!({ "input": {}, "output": "fog" })),
        turn(3, 4),
        turn(4, 6),
        observation(5, "EMBEDDING", json!({})),
    ]
}

#[test]
fn langfuse_traces_and_observations_are_read() {
    let whole = json!([{
        "id": "t", "timestamp": "2026-05-01T10:00:00Z", "name": "harbour", "sessionId": "s",
        "input": { "question": "which way?" }, "output": "right", "observations": observations(),
        "scores": [{ "name": "good", "value": 0.5, "comment": "late" }, { "name": "fast", "value": 1 }],
    }]);
    let opened = open(&whole);
    assert_eq!(opened.format.id, "langfuse");
    let record = &opened.records[0];
    assert_eq!(lines(&record.trace), SAID);
    assert_eq!((record.id.as_str(), record.trace.usage().input_tokens), ("t", Some(15)));
    let score = record.score.as_ref().unwrap();
    assert_eq!(
        (score.name.as_str(), score.value, score.explanation.as_str()),
        ("good", 0.5, "late")
    );
    assert_eq!(
        notes(&opened),
        [
            "left out: 1 observation of the type `EMBEDDING`",
            "left out: 1 further score named `fast`",
            "assumed: 1 last turn to be the answer, as the file does not say why it ended",
        ]
    );
    // A line for each observation, with the names of the storage; and a failure that ends the run.
    let mut failed = observation(
        6,
        "GENERATION",
        json!({
            "input": { "messages": messages() }, "level": "ERROR", "statusMessage": "overloaded",
        }),
    );
    failed["output"] = Value::Null;
    let snake = |v: &Value| {
        let text = v.to_string();
        [("traceId", "trace_id"), ("startTime", "start_time"), ("endTime", "end_time")]
            .iter()
            .fold(text, |text, (a, b)| text.replace(a, b))
    };
    let mut all = observations();
    all.push(failed);
    let file = all.iter().map(snake).collect::<Vec<_>>().join("\n");
    let opened = formats::open(file.as_bytes()).unwrap();
    let trace = &opened.records[0].trace;
    assert_eq!(lines(trace)[..8], SAID);
    let gone = Stop::ModelFailed { message: "overloaded".into(), is_overflow: false };
    assert_eq!(trace.ended(), Some(gone));
    // A trace that its page exports without observations.
    let bare = json!([{ "id": "t", "timestamp": "2026-05-01T10:00:00Z", "sessionId": null,
                        "input": messages()[..2], "output": "left" }]);
    assert_eq!(lines(&open(&bare).records[0].trace), ["> rules", "> which way?", "says left"]);
}

#[test]
fn langsmith_runs_are_read_as_a_list_and_as_a_tree() {
    let class = |name: &str, kwargs: Value| json!({ "lc": 1, "type": "constructor", "id": ["langchain", "messages", name], "kwargs": kwargs });
    let m = [
        class("SystemMessage", json!({ "content": "rules", "type": "system" })),
        class("HumanMessage", json!({ "content": "which way?", "type": "human" })),
        class(
            "AIMessage",
            json!({ "content": "", "tool_calls": [{ "name": "look", "args": {}, "id": "a", "type": "tool_call" }] }),
        ),
        class("ToolMessage", json!({ "content": "fog", "tool_call_id": "a" })),
        class("AIMessage", json!({ "content": "left" })),
        class("HumanMessage", json!({ "content": "and now?" })),
        class(
            "AIMessage",
            json!({ "content": "right", "response_metadata": { "finish_reason": "stop" },
            "usage_metadata": { "input_tokens": 7, "output_tokens": 2, "input_token_details": { "cache_read": 3 } } }),
        ),
    ];
    let run = |id: &str, kind: &str, parent: Option<&str>, inputs: Value, outputs: Value| {
        json!({ "id": id, "name": "look", "run_type": kind, "trace_id": "r", "parent_run_id": parent,
                "start_time": format!("2026-05-01T10:00:0{}", id.len()), "inputs": inputs, "outputs": outputs })
    };
    let turn = |id: &str, upto: usize| {
        let outputs = json!({ "generations": [[{ "text": "", "message": m[upto] }]] });
        run(id, "llm", Some("r"), json!({ "messages": [m[..upto]] }), outputs)
    };
    let children = [
        turn("aa", 2),
        run("aaa", "tool", Some("r"), json!({ "input": "{}" }), json!({ "output": m[3] })),
        turn("aaaa", 4),
        turn("aaaaa", 6),
        run("aaaaaa", "retriever", Some("r"), json!({}), json!({})),
    ];
    let mut root =
        run("r", "chain", None, json!({ "input": "which way?" }), json!({ "output": "right" }));
    root["feedback_stats"] = json!({ "good": { "n": 1, "avg": 1.0 } });
    let list: Value = std::iter::once(&root).chain(&children).cloned().collect();
    root["child_runs"] = children.to_vec().into();
    for file in [list, root] {
        let opened = open(&file);
        assert_eq!(opened.format.id, "langsmith");
        let record = &opened.records[0];
        assert_eq!(lines(&record.trace), SAID);
        let usage = record.trace.usage();
        assert_eq!((usage.input_tokens, usage.cached_tokens), (Some(7), Some(3)));
        assert_eq!(record.score.as_ref().unwrap().name, "good");
        assert_eq!(notes(&opened), ["left out: 1 run of the type `retriever`"]);
    }
    // A run that failed before anything was said.
    let mut failed = run("r", "chain", None, json!({ "input": "which way?" }), Value::Null);
    failed["error"] = "no key".into();
    let trace = &open(&json!([failed])).records[0].trace;
    assert_eq!(trace.prompt[0].content, "which way?");
    assert!(matches!(&trace.stop, Some(Stop::ModelFailed { message, .. }) if message == "no key"));
}

#[test]
fn traces_of_the_agents_sdk_are_read() {
    let m = messages();
    let row = |n: usize, data: Value, error: Value| {
        json!({ "object": "trace.span", "id": format!("s{n}"), "trace_id": "t", "parent_id": null,
                "started_at": format!("2026-05-01T10:00:0{n}.000000+00:00"), "ended_at": null,
                "span_data": data, "error": error })
    };
    let turn = |n, upto: usize| {
        let data = json!({ "type": "generation", "input": m[..upto], "output": [m[upto]], "model": "m",
                           "usage": { "input_tokens": 5, "output_tokens": 2 } });
        row(n, data, Value::Null)
    };
    let rows = [
        json!({ "object": "trace", "id": "t", "workflow_name": "harbour", "group_id": null }),
        row(0, json!({ "type": "agent", "name": "pilot", "tools": ["look"] }), Value::Null),
        turn(1, 2),
        row(
            2,
            json!({ "type": "function", "name": "look", "input": "{}", "output": "fog" }),
            Value::Null,
        ),
        turn(3, 4),
        row(
            4,
            json!({ "type": "handoff", "from_agent": "pilot", "to_agent": "mate" }),
            Value::Null,
        ),
        turn(5, 6),
        row(
            6,
            json!({ "type": "function", "name": "moor", "input": "{}", "output": null }),
            json!({ "message": "rope is torn", "data": { "rope": 1 } }),
        ),
        row(7, json!({ "type": "response", "response_id": "resp_1" }), Value::Null),
    ];
    let file = rows.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let opened = formats::open(file.as_bytes()).unwrap();
    assert_eq!(opened.format.id, "agents");
    let said = lines(&opened.records[0].trace);
    let without_handoff: Vec<&String> = said.iter().filter(|l| !l.contains("hands over")).collect();
    assert_eq!(without_handoff[..8], SAID);
    assert_eq!(without_handoff[8], "moor fails: rope is torn {\"rope\":1}");
    assert!(said.iter().any(|l| l.contains("pilot hands over to mate")));
    assert!(notes(&opened)[0].contains("without the messages"), "{:?}", notes(&opened));
}

#[test]
fn spans_of_vercels_sdk_are_read() {
    let m = messages();
    let prompt = |upto: usize| Value::from(m[..upto].to_vec()).to_string();
    let call = r#"[{"toolCallType":"function","toolCallId":"a","toolName":"look","args":"{}"}]"#;
    let outer = span(
        1,
        &[
            ("ai.operationId", "ai.generateText"),
            ("ai.prompt", &json!({ "system": "rules", "messages": [m[1]] }).to_string()),
            ("ai.response.text", "right"),
        ],
    );
    let mut inner = vec![
        span(
            2,
            &[
                ("ai.operationId", "ai.generateText.doGenerate"),
                ("ai.model.id", "m"),
                ("ai.prompt.messages", &prompt(2)),
                ("ai.response.toolCalls", call),
                ("ai.response.finishReason", "tool-calls"),
            ],
        ),
        span(
            3,
            &[
                ("ai.operationId", "ai.toolCall"),
                ("ai.toolCall.name", "look"),
                ("ai.toolCall.id", "a"),
                ("ai.toolCall.args", "{}"),
                ("ai.toolCall.result", "fog"),
            ],
        ),
        span(
            4,
            &[
                ("ai.operationId", "ai.generateText.doGenerate"),
                ("ai.prompt.messages", &prompt(4)),
                ("ai.response.text", "left"),
                ("ai.response.finishReason", "stop"),
            ],
        ),
        span(
            5,
            &[
                ("operation.name", "ai.streamText.doStream harbour"),
                ("ai.prompt.messages", &prompt(6)),
                ("ai.response.text", "right"),
                ("ai.response.finishReason", "stop"),
            ],
        ),
        span(6, &[("ai.operationId", "ai.embed")]),
    ];
    for span in &mut inner {
        span["parentSpanId"] = "1".into();
    }
    inner.push(outer);
    let opened = open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": inner }] }] }));
    assert_eq!(lines(&opened.records[0].trace), SAID);
    assert_eq!(opened.records[0].trace.model, "m");
    assert_eq!(notes(&opened), ["left out: 1 span of the kind `ai.embed`"]);
}

#[test]
fn messages_in_events_and_records_of_a_log_are_read() {
    let m = messages();
    let kv = |v: &Value| -> Value {
        let all = v.as_object().unwrap().iter();
        all.map(|(k, v)| match v {
            Value::String(s) => json!({ "key": k, "value": { "stringValue": s } }),
            other => json!({ "key": k, "value": { "stringValue": other.to_string() } }),
        })
        .collect()
    };
    let events = |upto: usize| -> Vec<(String, Value)> {
        let mut all: Vec<(String, Value)> = m[..upto]
            .iter()
            .map(|v| (format!("gen_ai.{}.message", v["role"].as_str().unwrap()), v.clone()))
            .collect();
        let choice = json!({ "index": 0, "finish_reason": "stop", "message": m[upto].to_string() });
        all.push(("gen_ai.choice".into(), choice));
        all
    };
    let chat = [("gen_ai.operation.name", "chat")];
    let tool = span(
        3,
        &[
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.name", "look"),
            ("gen_ai.tool.call.arguments", "{}"),
            ("gen_ai.tool.call.result", "fog"),
        ],
    );
    // As events of the spans.
    let with_events = |n: u64, upto: usize| {
        let mut span = span(n, &chat);
        span["events"] = events(upto)
            .iter()
            .map(|(name, fields)| json!({ "name": name, "attributes": kv(fields) }))
            .collect();
        span
    };
    let spans = json!([with_events(2, 2), tool, with_events(4, 4), with_events(5, 6)]);
    let opened = open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] }));
    assert_eq!(lines(&opened.records[0].trace), SAID);
    // As records of a log beside the spans, in a line of their own; one has all in attributes.
    let records: Vec<Value> = [(2, 2), (4, 4)]
        .iter()
        .flat_map(|(n, upto)| {
            events(*upto).into_iter().map(move |(name, fields)| (n.to_string(), name, fields))
        })
        .map(|(id, name, fields)| {
            json!({ "traceId": "0a", "spanId": id, "eventName": name, "timeUnixNano": "1",
                    "body": { "kvlistValue": { "values": kv(&fields) } } })
        })
        .chain([json!({
            "traceId": "0a", "spanId": "5", "eventName": "gen_ai.client.inference.operation.details",
            "attributes": kv(&json!({ "gen_ai.input.messages": m[..6], "gen_ai.output.messages": [m[6]] })),
        }), json!({
            "traceId": "0a", "spanId": "5", "eventName": "gen_ai.evaluation.result",
            "attributes": [
                { "key": "gen_ai.evaluation.name", "value": { "stringValue": "good" } },
                { "key": "gen_ai.evaluation.score.value", "value": { "doubleValue": 0.5 } }],
        })])
        .collect();
    let spans = json!([span(2, &chat), tool, span(4, &chat), span(5, &chat)]);
    let file = [
        json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] }).to_string(),
        json!({ "resourceLogs": [{ "scopeLogs": [{ "logRecords": records }] }] }).to_string(),
    ]
    .join("\n");
    let opened = formats::open(file.as_bytes()).unwrap();
    assert_eq!(lines(&opened.records[0].trace), SAID);
    assert_eq!(opened.records[0].score.as_ref().unwrap().value, 0.5);
}

#[test]
fn spans_as_sdks_phoenix_and_jaeger_write_them_are_read() {
    let m = messages();
    let attributes = |upto: usize| {
        let mut all = json!({ "openinference.span.kind": "LLM", "llm.model_name": "m" });
        for (i, message) in m[..upto].iter().chain([&m[upto]]).enumerate() {
            let list = if i == upto { "output" } else { "input" };
            let at = format!("llm.{list}_messages.{}.message", if i == upto { 0 } else { i });
            for name in ["role", "content", "tool_call_id"] {
                if let Some(value) = message.get(name) {
                    all[format!("{at}.{name}")] = value.clone();
                }
            }
            if message.get("tool_calls").is_some() {
                all[format!("{at}.tool_calls.0.tool_call.id")] = "a".into();
                all[format!("{at}.tool_calls.0.tool_call.function.name")] = "look".into();
                all[format!("{at}.tool_calls.0.tool_call.function.arguments")] = "{}".into();
            }
        }
        all
    };
    let tool = json!({ "openinference.span.kind": "TOOL", "tool.name": "look", "input.value": "{}",
                       "output.value": "fog", "tool.parameters": "{\"type\":\"object\"}" });
    let all = [(1, attributes(2)), (2, tool), (3, attributes(4)), (4, attributes(6))];
    // One object behind the other over many lines, as a console shows them.
    let console = all.iter().map(|(n, attributes)| {
        let value = json!({
            "name": "turn", "context": { "trace_id": "0x1", "span_id": format!("0x{n}") },
            "parent_id": null, "start_time": format!("2026-05-01T10:00:0{n}.000000Z"),
            "end_time": format!("2026-05-01T10:00:0{n}.500000Z"),
            "status": { "status_code": "OK" }, "attributes": attributes, "events": [],
        });
        serde_json::to_string_pretty(&value).unwrap()
    });
    // A table, in which every attribute is a column; and with levels of names.
    let table: Value = all.iter().map(|(n, attributes)| {
        let mut row = json!({ "name": "turn", "context.trace_id": "1", "context.span_id": n.to_string(),
                              "start_time": format!("2026-05-01T10:00:0{n}Z"), "status_code": "OK" });
        for (name, value) in attributes.as_object().unwrap() {
            row[format!("attributes.{name}")] = value.clone();
        }
        row
    }).collect();
    let jaeger: Value = all.iter().map(|(n, attributes)| {
        let tags: Value = attributes.as_object().unwrap().iter()
            .map(|(k, v)| json!({ "key": k, "type": "string", "value": v })).collect();
        json!({ "traceID": "1", "spanID": n.to_string(), "operationName": "turn", "startTime": n * 1000,
                "duration": 500, "tags": tags, "logs": [], "references": [] })
    }).collect();
    let files = [
        console.collect::<Vec<_>>().join("\n"),
        table.to_string(),
        json!({ "data": [{ "traceID": "1", "spans": jaeger, "processes": {} }] }).to_string(),
    ];
    for file in files {
        let opened = formats::open(file.as_bytes()).unwrap();
        assert_eq!(
            (opened.format.id, lines(&opened.records[0].trace)),
            ("otel", SAID.map(str::to_owned).to_vec())
        );
    }
    // What has no place among the messages is in the whole value beside them.
    let whole = json!([{ "role": "user", "content": "which way?" },
                       { "type": "function_call", "call_id": "a", "name": "look", "arguments": "{}" },
                       { "type": "function_call_output", "call_id": "a", "output": "fog" }]);
    let opened = open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [span(1, &[
        ("openinference.span.kind", "LLM"), ("llm.input_messages.0.message.role", "user"),
        ("llm.input_messages.0.message.content", "which way?"), ("input.value", &whole.to_string()),
        ("llm.output_messages.0.message.role", "assistant"),
        ("output.value", r#"[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"left"}]}]"#),
    ])] }] }] }));
    let said = lines(&opened.records[0].trace);
    assert_eq!(said, ["> which way?", "says ", "calls look {}", "look = \"fog\"", "says left"]);
}

#[test]
fn conversations_of_their_own_are_told_apart_from_ones_that_go_on() {
    let chat = |n: u64, input: &Value, output: &str| {
        span(
            n,
            &[
                ("gen_ai.operation.name", "chat"),
                ("gen_ai.input.messages", &input.to_string()),
                (
                    "gen_ai.output.messages",
                    &json!([{ "role": "assistant", "content": output }]).to_string(),
                ),
            ],
        )
    };
    let said = |role: &str, text: &str| json!({ "role": role, "content": text });
    let (rules, first) = (said("system", "rules"), said("user", "go on"));
    let long = json!([rules, first, said("assistant", "one"), first]);
    let other = json!([
        said("system", "be short"),
        said("user", "x"),
        said("assistant", "of before"),
        said("user", "name it")
    ]);
    let spans = json!([
        chat(1, &json!([rules, first]), "one"),
        // The same words again are a second question, and a history that no span made is there.
        chat(2, &long, "two"),
        chat(3, &other, "a name"),
        // The first conversation once more, which knows nothing of the turns.
        chat(4, &json!([rules, first]), "another one"),
    ]);
    let opened = open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] }));
    let trace = &opened.records[0].trace;
    assert_eq!(
        lines(trace),
        [
            "> rules",
            "> go on",
            "says one",
            "> go on",
            "says two",
            "> be short",
            "> x",
            "says of before",
            "> name it",
            "says a name",
            "> rules",
            "> go on",
            "says another one"
        ]
    );
    let fresh =
        trace.steps.iter().filter(|s| matches!(s.body, StepBody::Prompt { fresh: true, .. }));
    assert_eq!(fresh.count(), 1);
}

#[test]
fn chat_exports_are_read_along_the_branch_that_is_shown() {
    let node = |id: &str, parent: &str, role: &str, content: Value, more: Value| {
        let mut message = json!({ "author": { "role": role }, "create_time": 1_760_000_000.5, "content": content });
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        (id.to_owned(), json!({ "id": id, "parent": parent, "message": message }))
    };
    let text = |text: &str| json!({ "content_type": "text", "parts": [text] });
    let mapping: serde_json::Map<String, Value> = [
        ("root".to_owned(), json!({ "id": "root", "message": null, "parent": null })),
        node("1", "root", "user", json!({ "content_type": "multimodal_text", "parts": ["which way?", { "content_type": "image_asset_pointer" }] }), json!({})),
        node("2", "1", "assistant", json!({ "content_type": "thoughts", "thoughts": [{ "summary": "hm", "content": "fog" }] }), json!({})),
        node("3", "2", "assistant", json!({ "content_type": "code", "text": "look()" }), json!({ "recipient": "python" })),
        node("4", "3", "tool", json!({ "content_type": "execution_output", "text": "fog" }), json!({ "author": { "role": "tool", "name": "python" } })),
        node("5", "4", "assistant", text("right"), json!({})),
        node("6", "4", "assistant", text("left"), json!({ "metadata": { "model_slug": "m", "finish_details": { "type": "stop" } } })),
    ]
    .into_iter()
    .collect();
    let opened = open(
        &json!([{ "title": "Harbour", "conversation_id": "c", "mapping": mapping, "current_node": "6" }]),
    );
    assert_eq!(opened.format.id, "chats");
    assert_eq!(
        lines(&opened.records[0].trace),
        [
            "> which way?",
            "thinks hm\nfog",
            "says ",
            "calls python look()",
            "python = \"fog\"",
            "says left"
        ]
    );
    assert_eq!(
        notes(&opened),
        [
            "left out: 1 message of branches that are not shown",
            "left out: 1 part of messages of the type `image_asset_pointer`",
        ]
    );
    assert_eq!(opened.records[0].metadata["title"], "Harbour");

    // A pasted text is an attachment, and calls and results stand in one message.
    let opened = open(&json!([{ "uuid": "u", "name": "Harbour", "chat_messages": [
        { "sender": "human", "text": "", "content": [], "created_at": "2026-05-01T10:00:00Z",
          "attachments": [{ "file_name": "", "extracted_content": "the chart" }], "files": [{ "file_name": "a.png" }] },
        { "sender": "assistant", "text": "left", "content": [
            { "type": "thinking", "thinking": "hm" }, { "type": "tool_use", "id": "a", "name": "look", "input": {} },
            { "type": "tool_result", "tool_use_id": "a", "content": [{ "type": "text", "text": "fog" }] },
            { "type": "text", "text": "left" }] },
    ] }]));
    let said = lines(&opened.records[0].trace);
    assert!(said[0].ends_with("[pasted text]\nthe chart"), "{said:?}");
    assert_eq!(said[1..], ["thinks hm", "says ", "calls look {}", "look = \"fog\"", "says left"]);
    assert!(notes(&opened).iter().any(|n| n == "left out: 1 file beside messages `a.png`"));

    let opened = open(&json!({ "id": "s1", "system": "rules", "conversations": [
        { "from": "human", "value": "which way?" },
        { "from": "function_call", "value": "{\"name\": \"look\", \"arguments\": {}}" },
        { "from": "observation", "value": "fog" },
        { "from": "gpt", "value": "left" },
        { "from": "critic", "value": "too late" },
    ] }));
    let said = lines(&opened.records[0].trace);
    assert_eq!(
        said[..6],
        ["> rules", "> which way?", "says ", "calls look {}", "look = \"fog\"", "says left"]
    );
    assert!(said[6].contains("critic: too late"), "{said:?}");
}

#[test]
fn what_stands_beside_the_messages_of_a_conversation_is_kept() {
    let opened = open(&json!({ "id": 7, "score": true, "split": "test", "messages": messages() }));
    let record = &opened.records[0];
    assert_eq!((record.id.as_str(), record.score.as_ref().unwrap().value), ("7", 1.0));
    assert_eq!(record.metadata["split"], "test");
    // Two of one name stay two.
    let twice =
        json!([{ "id": "a", "messages": messages() }, { "id": "a", "messages": messages() }]);
    let ids: Vec<String> = open(&twice).records.into_iter().map(|r| r.id).collect();
    assert_eq!(ids, ["a", "a (2)"]);
}

#[test]
fn results_that_only_a_later_turn_has_are_in_their_place() {
    let m = messages();
    let chat = |n: u64, upto: usize| {
        span(
            n,
            &[
                ("gen_ai.operation.name", "chat"),
                ("gen_ai.input.messages", &Value::from(m[..upto].to_vec()).to_string()),
                ("gen_ai.output.messages", &json!([m[upto]]).to_string()),
            ],
        )
    };
    let tool = |n: u64, id: &str| {
        span(
            n,
            &[
                ("gen_ai.operation.name", "execute_tool"),
                ("gen_ai.tool.name", "look"),
                ("gen_ai.tool.call.id", id),
            ],
        )
    };
    let spans = json!([chat(1, 2), tool(2, "a"), chat(3, 4), chat(4, 6)]);
    let opened = open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] }));
    assert_eq!(lines(&opened.records[0].trace), SAID);
    // Where no turn has it, the call is there, and the note says that its result is not.
    let spans = json!([chat(1, 2), tool(2, "a")]);
    let opened = open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] }));
    assert_eq!(opened.records[0].trace.n_calls(), 1);
    assert_eq!(
        notes(&opened),
        ["left out: 1 result that the file does not have, of calls of `look`"]
    );
    // Calls that an instrumentation leaves out of the history, and their results as one text.
    let bare = json!([m[0], m[1], { "role": "assistant", "content": "" },
        { "role": "tool", "content": "[{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"look\",\"output\":\"fog\"}]" }]);
    let last = span(
        3,
        &[
            ("gen_ai.operation.name", "chat"),
            ("gen_ai.input.messages", &bare.to_string()),
            ("gen_ai.output.messages", r#"[{"role":"assistant","content":"left"}]"#),
        ],
    );
    let spans = json!([chat(1, 2), tool(2, "a"), last]);
    let opened = open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] }));
    let said = lines(&opened.records[0].trace);
    assert!(
        said.contains(&"look = \"fog\"".to_owned())
            && said.last().is_some_and(|l| l == "says left"),
        "{said:?}"
    );
    assert_eq!(opened.records[0].trace.n_calls(), 1);
}

#[test]
fn records_of_a_log_as_sdks_print_them_are_read() {
    let record = |body: Value| {
        json!({ "body": body, "severity_number": null, "attributes": { "gen_ai.system": "openai" },
                "timestamp": null, "observed_timestamp": "2026-05-01T10:00:00Z", "trace_id": "0x1", "span_id": "0x2" })
    };
    let all = [
        record(json!({ "content": "which way?" })),
        record(json!({ "tool_calls": [serde_json::from_str::<Value>(CALL).unwrap()] })),
        record(json!({ "id": "a", "content": "fog" })),
        record(
            json!({ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": "left" } }),
        ),
    ];
    let file = all.map(|r| serde_json::to_string_pretty(&r).unwrap()).join("\n");
    let opened = formats::open(file.as_bytes()).unwrap();
    assert_eq!(
        lines(&opened.records[0].trace),
        ["> which way?", "says ", "calls look {}", "look = \"fog\"", "says left"]
    );
    assert!(notes(&opened).is_empty(), "{:?}", notes(&opened));
}

#[test]
fn the_download_of_one_langfuse_trace_is_read() {
    // Values are JSON in a text, some twice; one list of observations has nothing of them.
    let twice = |value: Value| Value::from(Value::from(value.to_string()).to_string());
    let mut full = observations();
    for observation in &mut full {
        observation["input"] = twice(observation["input"].take());
        observation["output"] = observation["output"].take().to_string().into();
    }
    let mut light = observations();
    for observation in &mut light {
        (observation["input"], observation["output"]) = (Value::Null, Value::Null);
    }
    let trace = json!({ "id": "t", "timestamp": "2026-05-01T10:00:00Z", "projectId": "p",
                        "input": "\"which way?\"", "output": null, "observations": light });
    let opened = open(&json!({ "trace": trace, "observations": full }));
    assert_eq!(opened.format.id, "langfuse");
    assert_eq!(lines(&opened.records[0].trace), SAID);
    // Where nothing else has what was said, the trace itself has its beginning and end.
    let trace = json!({ "id": "t", "timestamp": "2026-05-01T10:00:00Z", "projectId": "p", "input": messages()[..2],
                        "output": "left", "observations": light });
    let opened = open(&trace);
    assert_eq!(lines(&opened.records[0].trace)[..2], ["> rules", "> which way?"]);
    assert!(notes(&opened)[0].contains("left out"), "{:?}", notes(&opened));
}

#[test]
fn messages_that_say_only_whose_they_are_add_nothing() {
    let whole = json!([{ "role": "assistant" }, { "role": "tool" }, { "role": "user", "content": ["which", " way?"] }]);
    let opened = open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [span(1, &[
        ("openinference.span.kind", "LLM"), ("input.value", &whole.to_string()), ("output.value", "left"),
    ])] }] }] }));
    let said = lines(&opened.records[0].trace);
    assert!(
        said.contains(&"> which way?".to_owned()) && !said.iter().any(|l| l.contains("role")),
        "{said:?}"
    );
}

#[test]
fn results_of_tools_that_the_provider_runs_are_read() {
    let output = json!([{ "role": "assistant", "finish_reason": "stop", "parts": [
        { "type": "tool_call", "id": "m1", "name": "mcp.look", "arguments": { "at": 1 } },
        { "type": "tool-result", "toolCallId": "m1", "toolName": "mcp.look", "output": "fog", "providerExecuted": true },
        { "type": "text", "content": "left" }] }]);
    let chat = span(
        1,
        &[("gen_ai.operation.name", "chat"), ("gen_ai.output.messages", &output.to_string())],
    );
    let opened = open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [chat] }] }] }));
    let said = lines(&opened.records[0].trace);
    assert_eq!(said, ["says ", "calls mcp.look {\"at\":1}", "mcp.look = \"fog\"", "says left"]);
}

#[test]
fn one_conversation_that_cannot_be_read_does_not_lose_the_others() {
    let opened = open(&json!([{ "messages": messages() }, { "messages": [{ "hello": 1 }] }]));
    assert_eq!(opened.records.len(), 1);
    assert!(
        notes(&opened)[0].starts_with("could not be read: message 1 of conversation 2"),
        "{:?}",
        notes(&opened)
    );
    let log = json!({ "eval": { "task": "t" }, "samples": [{ "id": 1 }, { "id": 2, "messages": messages() }] });
    let opened = open(&log);
    assert_eq!(opened.records[0].id, "2");
    assert!(notes(&opened)[0].starts_with("could not be read: sample 1"), "{:?}", notes(&opened));
}
