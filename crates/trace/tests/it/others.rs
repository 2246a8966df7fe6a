//! Files as other programs write them: read whole, or with a note of what was left out.

use llm::FinishReason;
use serde_json::{Value, json};
use trace::formats::{self, Opened};
use trace::{StepBody, Stop, ToolResult, Trace};

pub(crate) fn open(value: &Value) -> Opened {
    formats::open(value.to_string().as_bytes()).unwrap()
}

/// What was said, called and answered, step by step, each in a line.
pub(crate) fn lines(trace: &Trace) -> Vec<String> {
    let said = trace.prompt.iter().map(|m| format!("> {}", m.content));
    let steps = trace.steps.iter().flat_map(|step| match &step.body {
        StepBody::Model { message, .. } => {
            let thought = message.reasoning.iter().map(|t| format!("thinks {t}"));
            let calls =
                message.tool_calls.iter().map(|c| format!("calls {} {}", c.name, c.arguments));
            thought.chain([format!("says {}", message.content)]).chain(calls).collect::<Vec<_>>()
        }
        StepBody::Call { call, result, .. } => match result {
            ToolResult::Value { value, .. } => vec![format!("{} = {value}", call.name)],
            ToolResult::Error(error) => vec![format!("{} fails: {}", call.name, error.message)],
        },
        StepBody::Prompt { messages, .. } => {
            messages.iter().map(|m| format!("> {}", m.content)).collect()
        }
        other => vec![format!("{other:?}")],
    });
    said.chain(steps).collect()
}

pub(crate) fn notes(opened: &Opened) -> Vec<String> {
    opened.notes.lines()
}

pub(crate) fn span(n: u64, attributes: &[(&str, &str)]) -> Value {
    let attributes: Vec<Value> = attributes
        .iter()
        .map(|(k, v)| json!({ "key": k, "value": { "stringValue": v } }))
        .collect();
    json!({
        "traceId": "0a", "spanId": n.to_string(), "name": "span", "attributes": attributes,
        "startTimeUnixNano": (n * 1_000_000).to_string(),
        "endTimeUnixNano": (n * 1_000_000 + 1).to_string(),
    })
}

#[test]
fn every_block_of_a_message_is_read_or_named() {
    let opened = open(&json!({
        "system": [{ "type": "text", "text": "rules" }],
        "messages": [
            { "role": "user", "content": "which way?" },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "hm", "signature": "S" },
                { "type": "text", "text": "I look." },
                { "type": "tool_use", "id": "a", "name": "look", "input": { "at": 1 } },
                { "type": "tool_use", "id": "b", "name": "look", "input": { "at": 2 } }] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "b", "content": [{ "type": "text", "text": "2" }, { "type": "image" }] },
                { "type": "tool_result", "tool_use_id": "a", "is_error": true, "content": "too far" },
                { "type": "text", "text": "and now?" }] },
            { "role": "assistant", "stop_reason": "max_tokens", "content": [
                { "type": "redacted_thinking", "data": "X" }, { "type": "text", "text": "Left, then" }] },
        ],
    }));
    let trace = &opened.records[0].trace;
    assert_eq!(
        lines(trace),
        [
            "> rules",
            "> which way?",
            "thinks hm",
            "says I look.",
            "calls look {\"at\":1}",
            "calls look {\"at\":2}",
            "look = 2",
            "look fails: too far",
            "> and now?",
            "says Left, then",
        ]
    );
    assert_eq!((trace.ended(), trace.answer()), (Some(Stop::CutOff), None));
    assert_eq!(
        notes(&opened),
        ["left out: 1 part of results of the type `image`", "left out: 1 thought without the text",]
    );
}

#[test]
fn items_of_one_answer_are_one_turn() {
    let opened = open(&json!({
        "instructions": "rules",
        "input": [
            { "role": "user", "content": [{ "type": "input_text", "text": "which way?" }] },
            { "type": "reasoning", "id": "r", "summary": [{ "type": "summary_text", "text": "hm" }] },
            { "type": "function_call", "call_id": "a", "id": "f", "name": "look", "arguments": "{}" },
            { "type": "function_call", "call_id": "b", "name": "ask", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "a", "output": "1" },
            { "type": "function_call_output", "call_id": "b", "output": "2" },
            { "type": "web_search_call", "status": "completed", "action": { "query": "way" } },
        ],
        "output": [
            { "type": "reasoning", "summary": [] },
            { "type": "message", "role": "assistant", "status": "completed",
              "content": [{ "type": "output_text", "text": "left", "annotations": [] }] },
        ],
    }));
    let trace = &opened.records[0].trace;
    assert_eq!(
        lines(trace),
        [
            "> rules",
            "> which way?",
            "thinks hm",
            "says ",
            "calls look {}",
            "calls ask {}",
            "look = 1",
            "ask = 2",
            "says ",
            "calls web_search {\"query\":\"way\"}",
            "says left",
        ]
    );
    assert_eq!(notes(&opened)[0], "left out: 1 thought without the text");
}

#[test]
fn results_without_ids_join_their_calls_by_name() {
    let opened = open(&json!({ "messages": [
        { "role": "user", "parts": [{ "text": "which way?" }] },
        { "role": "model", "parts": [
            { "thought": true, "text": "hm" },
            { "functionCall": { "name": "look", "args": {} } },
            { "functionCall": { "name": "ask", "args": {} } }] },
        { "role": "user", "parts": [
            { "functionResponse": { "name": "ask", "response": { "result": 2 } } },
            { "functionResponse": { "name": "look", "response": { "error": "dark" } } }] },
        { "role": "model", "finish_reason": "STOP", "parts": [{ "text": "left" }] },
    ]}));
    let all = lines(&opened.records[0].trace);
    assert_eq!(all[5..], ["ask = 2", "look fails: dark", "says left"]);
    assert!(notes(&opened).is_empty(), "{:?}", notes(&opened));
}

#[test]
fn logs_of_agents_with_a_message_a_line_are_read() {
    let line = |id: &str, part: Value| {
        json!({ "type": "assistant", "sessionId": "s", "message": {
            "id": id, "role": "assistant", "content": [part], "usage": { "input_tokens": 3, "output_tokens": 1 } } })
        .to_string()
    };
    let user = |content: Value| {
        json!({ "type": "user", "sessionId": "s", "message": { "role": "user", "content": content } })
            .to_string()
    };
    let file = [
        json!({ "type": "summary", "summary": "a way" }).to_string(),
        user(json!("which way?")),
        line("m1", json!({ "type": "text", "text": "I look." })),
        line("m1", json!({ "type": "tool_use", "id": "a", "name": "look", "input": {} })),
        user(json!([{ "type": "tool_result", "tool_use_id": "a", "content": "1" }])),
        line("m2", json!({ "type": "text", "text": "left" })),
    ]
    .join("\n");
    let opened = formats::open(file.as_bytes()).unwrap();
    let trace = &opened.records[0].trace;
    assert_eq!(
        lines(trace),
        ["> which way?", "says I look.", "calls look {}", "look = 1", "says left"]
    );
    assert_eq!((opened.records[0].id.as_str(), trace.usage().input_tokens), ("s", Some(6)));
    assert!(notes(&opened).iter().any(|n| n.contains("`summary`")), "{:?}", notes(&opened));
    // The payload of a rollout.
    let item = json!({ "type": "response_item", "payload": {
        "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "hi" }] } });
    assert_eq!(open(&item).records[0].input, "hi");
}

#[test]
fn spans_without_their_envelope_and_of_tools_alone_are_read() {
    let chat = span(
        1,
        &[
            ("gen_ai.operation.name", "chat"),
            ("gen_ai.prompt.0.role", "user"),
            ("gen_ai.prompt.0.content", r#"[{"type":"text","text":"which way?"}]"#),
            ("gen_ai.completion.0.content", "I look."),
            ("gen_ai.completion.0.tool_calls.0.name", "look"),
            ("gen_ai.completion.0.tool_calls.0.arguments", "{}"),
            ("gen_ai.completion.0.tool_calls.1.name", "ask"),
            ("gen_ai.completion.0.tool_calls.1.arguments", "{}"),
        ],
    );
    let mut tool = span(2, &[("traceloop.span.kind", "tool"), ("traceloop.entity.name", "ask")]);
    tool["status"] = json!({ "code": 2, "message": "nobody there" });
    let mut last = span(
        3,
        &[
            ("gen_ai.operation.name", "chat"),
            (
                "gen_ai.output.messages",
                r#"[{"role":"assistant","parts":[{"type":"text","content":"le"}],"finish_reason":"content_filter"}]"#,
            ),
        ],
    );
    last["attributes"][0]["key"] = "llm.request.type".into();
    let line =
        |span: &Value| json!({ "resource": {}, "scopeSpans": [{ "spans": [span] }] }).to_string();
    let rest = span(4, &[("http.method", "GET")]);
    let file = [&chat, &tool, &last, &rest].map(line).join("\n");
    let opened = formats::open(file.as_bytes()).unwrap();
    let trace = &opened.records[0].trace;
    assert_eq!(
        lines(trace),
        [
            "> which way?",
            "says I look.",
            "calls look {}",
            "calls ask {}",
            "ask fails: nobody there",
            "says le",
        ]
    );
    assert!(matches!(trace.ended(), Some(Stop::Refused { .. })), "{:?}", trace.stop);
    assert_eq!(notes(&opened), ["left out: 1 span of no model and no tool, named `span`"]);

    // Turns whose messages were not kept are named, and a failed one ends the run.
    let mut failed = span(2, &[("gen_ai.operation.name", "chat")]);
    failed["status"] = json!({ "code": "STATUS_CODE_ERROR", "message": "overloaded" });
    let bare = span(1, &[("gen_ai.operation.name", "chat")]);
    let opened =
        open(&json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [bare, failed] }] }] }));
    assert!(notes(&opened)[0].contains("without the messages"), "{:?}", notes(&opened));
    let stop = opened.records[0].trace.stop.clone();
    assert_eq!(stop, Some(Stop::ModelFailed { message: "overloaded".into(), is_overflow: false }));
}

#[test]
fn how_a_sample_ended_is_kept() {
    let log = |more: Value| {
        let mut sample = json!({ "id": 1, "messages": [
            { "role": "user", "content": "which way?" },
            { "role": "assistant", "content": "left, th" }] });
        sample.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        open(&json!({ "eval": { "task": "t", "model": "m" }, "samples": [sample] }))
    };
    let stop = |more: Value| log(more).records[0].trace.ended();
    let cut = json!({ "output": { "choices": [{ "stop_reason": "max_tokens" }] } });
    assert_eq!(stop(cut), Some(Stop::CutOff));
    let cut = json!({ "output": { "choices": [{ "stop_reason": "model_length" }] } });
    assert_eq!(stop(cut), Some(Stop::CutOff));
    assert_eq!(stop(json!({ "limit": { "type": "token", "limit": 9 } })), Some(Stop::Tokens));
    let failed = stop(json!({ "error": { "message": "gone", "traceback": "" } }));
    assert_eq!(failed, Some(Stop::ModelFailed { message: "gone".into(), is_overflow: false }));
    // Where nothing says it, the text is the answer, and a note says that this is a guess.
    let opened = log(json!({}));
    assert_eq!(opened.records[0].trace.answer(), Some("left, th"));
    assert!(notes(&opened)[0].contains("does not say why it ended"), "{:?}", notes(&opened));
}

#[test]
fn a_cut_answer_stays_cut_in_every_format() {
    let opened = open(&json!({ "messages": [
        { "role": "user", "content": "which way?" },
        { "role": "assistant", "content": "left, th", "finish_reason": "length" },
    ]}));
    for format in formats::FORMATS {
        let Some(write) = format.write else { continue };
        let back = formats::open(write(&opened.records).as_bytes()).unwrap();
        assert_eq!(back.records[0].trace.ended(), Some(Stop::CutOff), "{}", format.id);
        assert!(back.notes.is_empty(), "{}: {:?}", format.id, notes(&back));
    }
    let StepBody::Model { finish, .. } = &opened.records[0].trace.steps[0].body else { panic!() };
    assert_eq!(*finish, FinishReason::Length);
}

/// As τ-bench writes its trajectories: a list of tries, several of each task, with a reward.
#[test]
fn tries_of_a_benchmark_of_agents_have_ids_of_their_own_and_scores() {
    let call = json!({ "id": "c1", "type": "function",
        "function": { "name": "get_user_details", "arguments": "{\"user_id\":\"ann_1\"}" } });
    let trial = |trial: u64, reward: f64| {
        json!({ "task_id": 7, "reward": reward, "info": { "task": { "user_id": "ann_1" } },
        "traj": [
            { "role": "system", "content": "rules" },
            { "role": "user", "content": "Book a flight." },
            { "role": "assistant", "content": null, "tool_calls": [call] },
            { "role": "tool", "tool_call_id": "c1", "name": "get_user_details", "content": "gold" },
            { "role": "assistant", "content": "Done." },
        ], "trial": trial })
    };
    let opened = open(&json!([trial(0, 0.0), trial(1, 1.0)]));
    assert_eq!(notes(&opened).len(), 1, "{:?}", notes(&opened));
    let said: Vec<_> = opened
        .records
        .iter()
        .map(|r| (r.id.as_str(), r.input.as_str(), r.score.as_ref().map(|s| s.value)))
        .collect();
    let asked = "Book a flight.";
    assert_eq!(said, [("7 trial 0", asked, Some(0.0)), ("7 trial 1", asked, Some(1.0))]);
    assert_eq!(opened.records[0].trace.n_calls(), 1);
    assert_eq!(opened.records[0].trace.answer(), Some("Done."));
}

/// As τ²-bench writes its results: the tries of every task in one object, calls without a function around
/// them, results by the id of their call.
#[test]
fn results_of_a_benchmark_of_agents_are_a_trace_for_each_try() {
    let call = json!({ "id": "c1", "name": "get_order", "arguments": { "order_id": "#1" }, "requestor": "assistant" });
    let one = |trial: u64, reward: f64| {
        json!({ "id": format!("sim-{trial}"), "task_id": "3", "trial": trial, "termination_reason": "user_stop",
            "reward_info": { "reward": reward, "db_check": { "db_match": true } },
            "messages": [
                { "role": "assistant", "content": "Hi! How can I help?", "tool_calls": null, "turn_idx": 0 },
                { "role": "user", "content": "Where is it?", "turn_idx": 1 },
                { "role": "assistant", "content": null, "tool_calls": [call], "turn_idx": 2 },
                { "role": "tool", "id": "c1", "content": "shipped", "requestor": "assistant", "error": false },
                { "role": "assistant", "content": "It is on its way.", "turn_idx": 4 },
            ] })
    };
    let file = json!({ "info": { "agent_info": { "llm": "gpt-x" } }, "tasks": [{ "id": "3" }],
        "simulations": [one(0, 1.0), one(1, 0.0)] });
    let opened = open(&file);
    let told =
        |r: &trace::Record| (r.id.clone(), r.score.as_ref().map(|s| s.value), r.trace.n_calls());
    let all: Vec<_> = opened.records.iter().map(told).collect();
    assert_eq!(all, [("sim-0".into(), Some(1.0), 1), ("sim-1".into(), Some(0.0), 1)]);
    let first = &opened.records[0].trace;
    assert_eq!(first.model, "gpt-x");
    assert!(lines(first).contains(&"get_order = \"shipped\"".to_owned()), "{:?}", lines(first));
}
