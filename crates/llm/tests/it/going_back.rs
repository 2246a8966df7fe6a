//! A turn with calls, read and sent back: what came with it stands in the next request where it stood,
//! whatever the endpoint is called.

use llm::{ChatRequest, ChatResponse, Echo, Endpoint, Message, providers};
use serde_json::{Value, json};

use crate::pieces::{frames, read};

/// The body of the request after an answer, with a result for each call.
fn next(provider: &str, answer: &ChatResponse) -> Value {
    let results = answer.message.tool_calls.iter().map(|c| Message::tool(&c.id, "true"));
    let mut messages = vec![Message::user("Well?"), answer.message.clone()];
    messages.extend(results);
    // What a trace keeps must be all that is needed.
    let kept = serde_json::to_string(&messages).unwrap();
    let messages = serde_json::from_str(&kept).unwrap();
    let request = ChatRequest { messages, ..ChatRequest::default() };
    let endpoint = Endpoint::new(provider, "http://localhost:8000/v1");
    let request = (providers::find(provider).unwrap().request)(&endpoint, &request, true);
    serde_json::from_str(&request.body).unwrap()
}

/// The body after a stream of these events.
fn after(provider: &str, events: &[Value]) -> Value {
    next(provider, &read(provider, "text/event-stream", &frames(events)).unwrap())
}

/// The assistant's message after these pieces of one, and after the same in one whole message.
fn chat(deltas: &[Value], whole: &Value) -> Value {
    let piece = |delta: &Value| json!({ "choices": [{ "index": 0, "delta": delta }] });
    let mut events: Vec<Value> = deltas.iter().map(piece).collect();
    events.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] }));
    let back = after("openai", &events)["messages"][1].clone();
    let body = json!({ "choices": [{ "message": whole, "finish_reason": "tool_calls" }] });
    let answer = read("openai", "application/json", &body.to_string()).unwrap();
    assert_eq!(next("openai", &answer)["messages"][1], back);
    back
}

fn call(more: &Value) -> Value {
    let mut call = json!({ "id": "a", "type": "function",
                           "function": { "name": "f", "arguments": "{}" } });
    for (name, value) in more.as_object().unwrap() {
        call[name] = value.clone();
    }
    call
}

#[test]
fn thoughts_go_back_with_calls_under_their_own_name() {
    for name in ["reasoning_content", "reasoning"] {
        let calls = json!([call(&json!({}))]);
        let back = chat(
            &[json!({ name: "First " }), json!({ name: "build." }), json!({ "tool_calls": calls })],
            &json!({ name: "First build.", "content": null, "tool_calls": calls }),
        );
        assert_eq!(back[name], "First build.", "{back}");
    }
    // Those of an answer are wanted nowhere.
    let said = json!({ "reasoning_content": "So.", "content": "Yes." });
    assert_eq!(
        chat(std::slice::from_ref(&said), &said),
        json!({ "role": "assistant", "content": "Yes." })
    );
}

#[test]
fn unknown_fields_of_messages_and_calls_go_back() {
    let signed = json!({ "extra_content": { "vendor": { "signature": "S-1" } } });
    let calls = json!([call(&signed)]);
    let back = chat(
        &[
            json!({ "role": "assistant", "content": null, "state": "T-1", "prefix": false }),
            json!({ "tool_calls": calls }),
        ],
        &json!({ "content": null, "state": "T-1", "annotations": [], "refusal": null,
                 "tool_calls": calls }),
    );
    assert_eq!(back["tool_calls"], calls);
    assert_eq!(back["state"], "T-1");
    let fields: Vec<&String> = back.as_object().unwrap().keys().collect();
    assert_eq!(fields.len(), 4, "{fields:?}");
    // Fields that are read here are not overwritten by what comes back.
    let mut message = Message::assistant("Yes.");
    let items =
        vec![json!({ "message": { "role": "system", "content": "x" }, "thoughts": "role" })];
    message.echo = Some(Echo { provider: "openai".into(), items });
    message.reasoning = Some("x".into());
    let request = ChatRequest { messages: vec![message], ..ChatRequest::default() };
    let endpoint = Endpoint::new("openai", "http://localhost:8000/v1");
    let body = (providers::find("openai").unwrap().request)(&endpoint, &request, false).body;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(body["messages"][0], json!({ "role": "assistant", "content": "Yes." }));
}

#[test]
fn thoughts_that_came_in_pieces_go_back_in_one() {
    let detail = |more: Value| {
        let mut detail = json!({ "type": "reasoning.text", "format": "v1", "index": 0 });
        detail.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "reasoning_details": [detail] })
    };
    let whole = json!([{ "type": "reasoning.text", "format": "v1", "index": 0,
                         "text": "First build.", "signature": "S-1" }]);
    let calls = json!([call(&json!({}))]);
    let back = chat(
        &[
            detail(json!({ "text": "First" })),
            detail(json!({ "text": " build." })),
            detail(json!({ "signature": "S-1" })),
            json!({ "tool_calls": calls }),
        ],
        &json!({ "content": null, "reasoning_details": whole, "tool_calls": calls }),
    );
    assert_eq!(back["reasoning_details"], whole);
}

/// A block in a stream of the Messages protocol: how it starts, and what comes of it.
fn block(index: u8, start: &Value, deltas: &[Value]) -> Vec<Value> {
    let mut events =
        vec![json!({ "type": "content_block_start", "index": index, "content_block": start })];
    events.extend(
        deltas.iter().map(|d| json!({ "type": "content_block_delta", "index": index, "delta": d })),
    );
    events
}

#[test]
fn blocks_go_back_in_their_order() {
    let thought = |index: u8, text: &str, signature: &str| {
        let start = json!({ "type": "thinking", "thinking": "", "signature": "" });
        let thinking = json!({ "type": "thinking_delta", "thinking": text });
        let signature = json!({ "type": "signature_delta", "signature": signature });
        block(index, &start, &[thinking, signature])
    };
    let calls = |index: u8, id: &str| {
        let start = json!({ "type": "tool_use", "id": id, "name": "f", "input": {} });
        block(index, &start, &[json!({ "type": "input_json_delta", "partial_json": "{\"x\":1}" })])
    };
    let text = |index: u8, text: &str| {
        let delta = json!({ "type": "text_delta", "text": text });
        block(index, &json!({ "type": "text", "text": "" }), &[delta])
    };
    let redacted = json!({ "type": "redacted_thinking", "data": "D" });
    let blocks = [
        thought(0, "One.", "S0"),
        calls(1, "a"),
        // A signed thought whose words are withheld.
        thought(2, "", "S2"),
        text(3, "I go on. "),
        block(4, &redacted, &[]),
        text(5, "And on."),
        calls(6, "b"),
    ];
    let mut events = blocks.concat();
    events.push(json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" } }));
    events.push(json!({ "type": "message_stop" }));
    let thinking =
        |text: &str, s: &str| json!({ "type": "thinking", "thinking": text, "signature": s });
    let call = |id: &str| json!({ "type": "tool_use", "id": id, "name": "f", "input": { "x": 1 } });
    let said = |text: &str| json!({ "type": "text", "text": text });
    let wanted = json!([
        thinking("One.", "S0"),
        call("a"),
        thinking("", "S2"),
        said("I go on. "),
        redacted,
        said("And on."),
        call("b"),
    ]);
    assert_eq!(after("anthropic", &events)["messages"][1]["content"], wanted);
    let body = json!({ "content": wanted, "stop_reason": "tool_use" });
    let answer = read("anthropic", "application/json", &body.to_string()).unwrap();
    assert_eq!(next("anthropic", &answer)["messages"][1]["content"], wanted);
    // Thoughts between calls alone.
    let wanted = json!([call("a"), thinking("Two.", "S1"), call("b")]);
    let body = json!({ "content": wanted, "stop_reason": "tool_use" });
    let answer = read("anthropic", "application/json", &body.to_string()).unwrap();
    assert_eq!(next("anthropic", &answer)["messages"][1]["content"], wanted);
}

#[test]
fn signatures_go_back_on_the_parts_that_had_them() {
    let parts = [
        json!({ "text": "I look.", "thoughtSignature": "S0" }),
        json!({ "functionCall": { "id": "a", "name": "f", "args": { "x": 1 } },
                "thoughtSignature": "S1" }),
        json!({ "functionCall": { "id": "b", "name": "f", "args": { "x": 2 } } }),
        json!({ "text": "", "thoughtSignature": "S2" }),
    ];
    let of = |parts: &[Value]| json!({ "candidates": [{ "content": { "parts": parts } }] });
    let mut events: Vec<Value> = parts.iter().map(|part| of(std::slice::from_ref(part))).collect();
    events.push(json!({ "candidates": [{ "finishReason": "STOP" }] }));
    let back = after("gemini", &events);
    assert_eq!(back["contents"][1]["parts"], json!(parts));
    assert_eq!(back["contents"][2]["parts"][1]["functionResponse"]["id"], "b");
    // A stream that is not cut into events is a list.
    let answer = read("gemini", "application/json", &json!(events).to_string()).unwrap();
    assert_eq!(next("gemini", &answer)["contents"][1]["parts"], json!(parts));
}

#[test]
fn items_of_a_response_go_back_with_their_fields() {
    let said = |text: &str, phase: &str| {
        json!({ "type": "message", "role": "assistant", "phase": phase,
                "content": [{ "type": "output_text", "text": text }] })
    };
    let thoughts = |id: &str| json!({ "type": "reasoning", "id": id, "encrypted_content": "E" });
    let call = json!({ "type": "function_call", "call_id": "a", "name": "f", "arguments": "{}" });
    let output = json!([
        thoughts("r1"),
        said("I look. ", "commentary"),
        thoughts("r2"),
        call,
        said("Soon.", "commentary"),
    ]);
    let response = json!({ "status": "completed", "output": output });
    let events = [json!({ "type": "response.completed", "response": response })];
    let back = after("responses", &events);
    let items = back["input"].as_array().unwrap();
    assert_eq!(items[1..6], output.as_array().unwrap()[..]);
}
