//! What servers make of the pieces of an answer, and what must come of it: one call for one call, each
//! word once, and the words of the server where something failed. Every stream is read whole and byte
//! by byte.

use llm::{ChatResponse, Decoder, FinishReason, HttpHead, ModelError, providers};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Reads these bytes under a content type, whole and byte by byte.
pub(crate) fn read(
    provider: &str,
    content_type: &str,
    bytes: &str,
) -> Result<ChatResponse, ModelError> {
    let provider = providers::find(provider).unwrap();
    let play = |size: usize| {
        let content_type = Some(content_type.to_owned());
        let head = HttpHead { status: 200, content_type, retry_after_ms: None };
        let mut decoder = Decoder::new(provider, head);
        for piece in bytes.as_bytes().chunks(size) {
            decoder.feed(piece)?;
        }
        decoder.finish()
    };
    let (whole, cut) = (play(bytes.len().max(1)), play(1));
    assert_eq!(whole, cut, "{bytes}");
    whole
}

pub(crate) fn frames(data: &[Value]) -> String {
    data.iter().map(|data| format!("data: {data}\n\n")).collect()
}

/// A stream of these pieces of a message, which ends well.
fn chat(deltas: &[Value]) -> ChatResponse {
    let piece = |delta: &Value| json!({ "choices": [{ "index": 0, "delta": delta }] });
    let mut data: Vec<Value> = deltas.iter().map(piece).collect();
    data.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }));
    read("openai", "text/event-stream", &(frames(&data) + "data: [DONE]\n\n")).unwrap()
}

fn calls_of(answer: &ChatResponse) -> Vec<String> {
    let calls = answer.message.tool_calls.iter();
    calls.map(|c| format!("{} {} {}", c.id, c.name, c.arguments)).collect()
}

/// The calls that come of these, each in a piece of its own: id, index, name, arguments. What is
/// null is not sent.
fn calls(pieces: &[Value]) -> Vec<String> {
    let deltas = pieces.iter().map(|piece| {
        let mut call = json!({ "type": "function", "function": {} });
        for (at, value) in piece.as_array().unwrap().iter().enumerate() {
            match at {
                _ if value.is_null() => {}
                0 => call["id"] = value.clone(),
                1 => call["index"] = value.clone(),
                2 => call["function"]["name"] = value.clone(),
                _ => call["function"]["arguments"] = value.clone(),
            }
        }
        json!({ "tool_calls": [call] })
    });
    calls_of(&chat(&deltas.collect::<Vec<_>>()))
}

const NONE: Value = Value::Null;

#[test]
fn pieces_of_a_call_are_one_call_whatever_their_ids_say() {
    let whole = ["a f {\"x\":1}"];
    for second in ["b", "null", "", "None", "f"] {
        let pieces = [
            json!(["a", 0, "f", ""]),
            json!([second, 0, NONE, "{\"x\""]),
            json!([second, 0, "", ":1}"]),
        ];
        assert_eq!(calls(&pieces), whole, "{second:?}");
    }
    // Another id with each piece, and the name with each.
    let pieces =
        [json!(["a", 0, "f", "{\"x\""]), json!(["b", 0, "f", ":"]), json!(["c", 0, "f", "1}"])];
    assert_eq!(calls(&pieces), whole);
    // The same without an index.
    let pieces = [
        json!(["a", NONE, "f", ""]),
        json!(["b", NONE, NONE, "{\"x\""]),
        json!(["c", NONE, NONE, ":1}"]),
    ];
    assert_eq!(calls(&pieces), whole);
    // Another index with each piece.
    let pieces =
        [json!(["a", 0, "f", ""]), json!([NONE, 1, NONE, "{\"x\""]), json!([NONE, 2, NONE, ":1}"])];
    assert_eq!(calls(&pieces), whole);
}

#[test]
fn two_calls_are_two_though_a_server_numbers_them_alike() {
    let (one, two) = ("{\"x\":1}", "{\"x\":2}");
    for (first, second) in [
        (json!(["", 0, "f", one]), json!(["", 0, "f", two])),
        (json!([NONE, NONE, "f", one]), json!([NONE, NONE, "f", two])),
        (json!(["null", 0, "f", one]), json!(["null", 0, "f", two])),
        // The name of the function as the id of its calls.
        (json!(["f", 0, "f", one]), json!(["f", 0, "f", two])),
        (json!(["", 0, "f", one]), json!(["", 1, "f", two])),
    ] {
        let found = calls(&[first.clone(), second.clone()]);
        assert_eq!(found, [" f {\"x\":1}", " f {\"x\":2}"], "{first} {second}");
    }
    // One id and one index for all; then the function tells them apart.
    let found = calls(&[json!(["a", 0, "f", one]), json!(["a", 0, "g", two])]);
    assert_eq!(found, ["a f {\"x\":1}", "a g {\"x\":2}"]);
    // One id for all at an index each.
    let found = calls(&[json!(["a", 0, "f", one]), json!(["a", 1, "f", two])]);
    assert_eq!(found, ["a f {\"x\":1}", "a f {\"x\":2}"]);
    // Ids that differ make two calls even of the same.
    let found = calls(&[json!(["a", 0, "f", one]), json!(["b", 0, "f", one])]);
    assert_eq!(found.len(), 2, "{found:?}");
    // Several that come in turns, by their index alone.
    let found = calls(&[
        json!(["a", 0, "f", "{\"x\""]),
        json!(["b", 1, "f", "{\"x\""]),
        json!([NONE, 0, NONE, ":1}"]),
        json!([NONE, 1, NONE, ":2}"]),
    ]);
    assert_eq!(found, ["a f {\"x\":1}", "b f {\"x\":2}"]);
    // Announced first, filled later.
    let found = calls(&[
        json!(["a", 0, "f", ""]),
        json!(["b", 0, "f", ""]),
        json!(["b", 0, NONE, two]),
        json!(["a", 0, NONE, one]),
    ]);
    assert_eq!(found, ["a f {\"x\":1}", "b f {\"x\":2}"]);
}

#[test]
fn arguments_that_come_twice_are_there_once() {
    let whole = ["a f {\"x\":1}"];
    let named = |pieces: &[&str]| {
        let mut all = vec![json!(["a", 0, "f", ""])];
        all.extend(pieces.iter().map(|piece| json!([NONE, 0, NONE, piece])));
        calls(&all)
    };
    // All of them behind their pieces.
    assert_eq!(named(&["{\"x\"", ":1}", "{\"x\":1}"]), whole);
    // All that has come so far with each piece.
    assert_eq!(named(&["{", "{\"x\":", "{\"x\":1", "{\"x\":1}"]), whole);
    // A place for what comes.
    assert_eq!(named(&["{}", "{\"x\"", ":1}"]), whole);
    assert_eq!(named(&["{}"]), ["a f {}"]);
    // The same call under several indexes, first without its arguments.
    let found = calls(&[
        json!(["a", 0, "f", ""]),
        json!(["a", 1, "f", "{\"x\":1}"]),
        json!(["a", 2, "f", "{\"x\":1}"]),
    ]);
    assert_eq!(found, whole);
    // A place as an object, and the name with each piece.
    assert_eq!(calls(&[json!(["a", 0, "f", {}]), json!([NONE, 0, "f", { "x": 1 }])]), whole);
}

#[test]
fn a_whole_message_behind_its_pieces_counts_once() {
    let message = |text: &str, calls: Value| {
        json!({ "choices": [{ "index": 0, "finish_reason": "stop",
                              "message": { "content": text, "tool_calls": calls } }],
                "usage": { "prompt_tokens": 7 } })
    };
    let call = |id: &str, arguments: &str| json!({ "id": id, "index": 0, "function": { "name": "f", "arguments": arguments } });
    let delta = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta }] });
    let data = [
        delta(json!({ "content": "I " })),
        delta(json!({ "content": "call." })),
        delta(json!({ "tool_calls": [call("a", "{\"x\":")] })),
        delta(json!({ "tool_calls": [call("a", "1}")] })),
        // The whole has an id of its own and another way to write the same.
        message("I call.", json!([call("z", "{\"x\": 1}")])),
    ];
    let answer = read("openai", "text/event-stream", &frames(&data)).unwrap();
    assert_eq!(answer.message.content, "I call.");
    assert_eq!(calls_of(&answer), ["a f {\"x\": 1}"]);
    assert_eq!(answer.usage.input_tokens, Some(7));
    // A server that calls each piece a message.
    let said = |text: &str| json!({ "choices": [{ "message": { "content": text } }] });
    let answer = read(
        "openai",
        "text/event-stream",
        &(frames(&[said("No, "), said("never.")]) + "data: [DONE]\n"),
    );
    assert_eq!(answer.unwrap().message.content, "No, never.");
}

#[test]
fn text_that_is_sent_whole_each_time_is_there_once() {
    let grown = ["No", "No, there", "No, there is no path", "No, there is no path."];
    let answer = chat(&grown.map(|text| json!({ "content": text, "reasoning": text })));
    assert_eq!(answer.message.content, "No, there is no path.");
    assert_eq!(answer.message.reasoning.as_deref(), Some("No, there is no path."));
    let part =
        |text: &str| json!({ "candidates": [{ "content": { "parts": [{ "text": text }] } }] });
    let mut data = grown.map(part).to_vec();
    data.push(json!({ "candidates": [{ "finishReason": "STOP" }] }));
    let answer = read("gemini", "text/event-stream", &frames(&data)).unwrap();
    assert_eq!(answer.message.content, "No, there is no path.");
    // A model may say something twice.
    let answer = chat(&["\n", "\n", "So."].map(|text| json!({ "content": text })));
    assert_eq!(answer.message.content, "\n\nSo.");
}

#[test]
fn calls_are_read_from_every_place_that_has_them() {
    // The elder form, in pieces, and beside the other.
    let old = |call: Value| json!({ "function_call": call });
    let answer = chat(&[
        old(json!({ "name": "f", "arguments": "" })),
        old(json!({ "arguments": "{\"x\"" })),
        old(json!({ "arguments": ":1}" })),
    ]);
    assert_eq!(
        (calls_of(&answer), &answer.finish),
        (vec![" f {\"x\":1}".into()], &FinishReason::ToolCalls)
    );
    let both = |arguments: &str| {
        json!({ "function_call": { "name": "f", "arguments": arguments },
                "tool_calls": [{ "id": "a", "index": 0,
                                 "function": { "name": "f", "arguments": arguments } }] })
    };
    assert_eq!(calls_of(&chat(&[both("{\"x\""), both(":1}")])), ["a f {\"x\":1}"]);
    // A choice for the text and one for each call.
    let call = |id: &str, x: u8| {
        json!({ "role": "assistant", "content": "", "tool_calls": [
            { "id": id, "type": "function", "function": { "name": "f", "arguments": { "x": x } } }] })
    };
    let body = json!({ "choices": [
        { "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": "I call." } },
        { "index": 1, "message": call("a", 1) },
        { "index": 2, "message": call("b", 2) },
    ] });
    let answer = read("openai", "application/json", &body.to_string()).unwrap();
    assert_eq!(answer.message.content, "I call.");
    assert_eq!(calls_of(&answer), ["a f {\"x\":1}", "b f {\"x\":2}"]);
}

/// A stream of the Responses protocol whose end repeats nothing.
fn responses(events: &[Value]) -> ChatResponse {
    let mut data = events.to_vec();
    let response = json!({ "status": "completed", "output": [], "usage": { "input_tokens": 7 } });
    data.push(json!({ "type": "response.completed", "response": response }));
    read("responses", "text/event-stream", &frames(&data)).unwrap()
}

#[test]
fn what_was_seen_of_a_response_counts_where_its_end_has_no_output() {
    let message = json!({ "type": "message", "role": "assistant",
                          "content": [{ "type": "output_text", "text": "Yes, by 1." }] });
    let done = |index: u8, item: &Value| json!({ "type": "response.output_item.done", "output_index": index, "item": item });
    let delta =
        json!({ "type": "response.output_text.delta", "output_index": 0, "delta": "Yes, by 1." });
    let text_done =
        json!({ "type": "response.output_text.done", "output_index": 0, "text": "Yes, by 1." });
    for events in [
        vec![delta.clone(), text_done.clone(), done(0, &message)],
        vec![delta],
        vec![text_done],
        vec![done(0, &message)],
    ] {
        let answer = responses(&events);
        assert_eq!(answer.message.content, "Yes, by 1.", "{events:?}");
        assert_eq!(answer.usage.input_tokens, Some(7));
    }
    // Text in pieces, and a call only as an item.
    let call = json!({ "type": "function_call", "call_id": "a", "name": "f", "arguments": "{}" });
    let thoughts = json!({ "type": "reasoning", "id": "r", "encrypted_content": "E" });
    let events = [
        done(0, &thoughts),
        json!({ "type": "response.output_text.delta", "output_index": 1, "delta": "I call." }),
        done(2, &call),
    ];
    let answer = responses(&events);
    assert_eq!(
        (answer.message.content.as_str(), calls_of(&answer)),
        ("I call.", vec!["a f {}".into()])
    );
    assert_eq!(answer.message.echo.unwrap().items[0], thoughts);
}

/// What is said of a stream that fails.
fn fault(provider: &str, content_type: &str, bytes: &str) -> String {
    read(provider, content_type, bytes).unwrap_err().to_string()
}

#[test]
fn a_failure_is_told_in_the_words_of_the_server() {
    let words = "the model is not loaded";
    for (bytes, status) in [
        // An event that is words, with and without a name.
        (format!("event: error\ndata: {words}\n\n"), "500"),
        (format!("data: {words}\n\n"), ""),
        (format!("{words}\n"), ""),
        // JSON that is no event, in one line and in several.
        (json!({ "error": { "message": words, "code": "401" } }).to_string(), "401"),
        (
            format!("{{\n \"error\": {{\n  \"message\": \"{words}\", \"code\": 403\n }}\n}}\n"),
            "403",
        ),
        (format!("data: {{\"choices\":[]}}\n\n{{\"error\":\"{words}\",\"status\":429}}\n"), "429"),
        // Envelopes.
        (frames(&[json!({ "error": words, "code": 404 })]), "404"),
        (frames(&[json!({ "errors": [{ "message": words, "code": "model_not_found" }] })]), "404"),
        (
            frames(&[
                json!({ "error": { "error": { "message": words, "type": "authentication_error" } } }),
            ]),
            "401",
        ),
        (frames(&[json!({ "code": 503, "msg": words })]), "503"),
        (frames(&[json!({ "error_code": 17, "error_msg": words })]), "500"),
        (
            frames(&[json!({ "type": "error", "message": words, "code": "rate_limit_exceeded" })]),
            "429",
        ),
        (
            frames(&[json!([{ "error": { "message": words, "status": "PERMISSION_DENIED" } }])]),
            "403",
        ),
        // An error behind an event that was not finished, and events that nothing parts.
        (
            format!(
                "data: {{\"choices\":[{{\"delta\"\ndata: {{\"error\":{{\"message\":\"{words}\"}}}}\n\n"
            ),
            "500",
        ),
    ] {
        for provider in ["openai", "responses", "gemini", "anthropic"] {
            let told = fault(provider, "text/event-stream", &bytes);
            assert!(told.contains(words), "{provider} {bytes}: {told}");
            assert!(told.contains(status), "{provider} {bytes}: {told}");
        }
    }
    for (body, told) in [
        (json!({ "detail": [{ "loc": ["body"], "msg": words }] }), words),
        (json!({ "code": 1001, "msg": words, "success": false }), words),
        (json!({ "Fault": 1, "message": words }), words),
        (json!({ "choices": [], "error": false }), "`choices[0]`"),
        (json!({ "code": 0 }), "`choices[0]`"),
    ] {
        let found = fault("openai", "application/json", &body.to_string());
        assert!(found.contains(told), "{body}: {found}");
    }
}

#[test]
fn the_bytes_say_what_an_answer_is_and_not_its_type() {
    let whole =
        json!({ "choices": [{ "message": { "content": "Yes." }, "finish_reason": "stop" }] });
    let piece = json!({ "choices": [{ "delta": { "content": "Yes." }, "finish_reason": "stop" }] });
    for bytes in [
        whole.to_string(),
        serde_json::to_string_pretty(&whole).unwrap(),
        frames(std::slice::from_ref(&piece)),
        // A line each, without what makes them events, or without what parts them.
        format!("{}\n{piece}\n", json!({ "choices": [{ "delta": { "role": "assistant" } }] })),
        format!("data: {}\ndata: {piece}\ndata: [DONE]\n\n", json!({ "choices": [] })),
        format!("\u{feff}data:{piece}\r\n\r\n"),
    ] {
        for kind in ["application/json", "text/event-stream", "text/plain", "text/html"] {
            let answer = read("openai", kind, &bytes);
            assert_eq!(answer.unwrap().message.content, "Yes.", "{kind}: {bytes}");
        }
        let http = HttpHead { status: 200, ..HttpHead::default() }.with_body(bytes.clone());
        let answer = providers::find("openai").unwrap().read(&http);
        assert_eq!(answer.unwrap().message.content, "Yes.", "as a whole answer: {bytes}");
    }
}

#[test]
fn half_letters_do_not_void_an_answer() {
    let piece = |text: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    };
    for (pieces, text) in [
        (&["\\ud83d", "\\ude00 yes"][..], "\u{fffd}\u{fffd} yes"),
        (&["\\ud83d\\ude00 yes"], "\u{1f600} yes"),
        (&["\\ude00\\ud83d\\\\ud83d yes"], "\u{fffd}\u{fffd}\\ud83d yes"),
        (&["\\ud83dx\\ud83d\\ude00"], "\u{fffd}x\u{1f600}"),
    ] {
        let bytes = pieces.iter().map(|text| piece(text)).collect::<String>() + "data: [DONE]\n\n";
        assert_eq!(read("openai", "text/event-stream", &bytes).unwrap().message.content, text);
    }
}

#[test]
fn what_fails_behind_the_end_is_no_failure_and_an_unknown_end_may_be_one() {
    let end = |reason: &str| json!({ "choices": [{ "delta": { "content": "Yes." }, "finish_reason": reason }] });
    let failed = json!({ "error": { "message": "no credit" } });
    let answer = read("openai", "text/event-stream", &frames(&[end("stop"), failed.clone()]));
    assert_eq!(answer.unwrap().message.content, "Yes.");
    assert!(
        fault("openai", "text/event-stream", &frames(&[end("error"), failed]))
            .contains("no credit")
    );
}

#[test]
fn models_are_found_wherever_their_list_is() {
    for body in [
        json!([{ "id": "a" }, { "id": "b" }]),
        json!(["a", "b"]),
        json!({ "data": [{ "id": "a" }, { "id": "b" }] }),
        json!({ "models": [{ "name": "a" }, { "model": "b" }] }),
        json!({ "data": { "models": ["a", "b"] } }),
    ] {
        let http = HttpHead { status: 200, ..HttpHead::default() }.with_body(body.to_string());
        for provider in ["openai", "ollama"] {
            let models = (providers::find(provider).unwrap().models)(&http);
            assert_eq!(models.unwrap(), ["a", "b"], "{body}");
        }
    }
}

/// How a server that keeps to the protocol marks the pieces of its calls.
#[derive(Clone, Copy, Debug)]
enum Marks {
    /// The id and the name with the first piece, the index with each.
    First,
    /// All of them with each piece.
    Each,
    /// No ids.
    Index,
    /// No index, and the id with the first piece.
    Id,
}

fn arguments() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i8>().prop_map(Value::from),
        "[ab{}\"\\\\:, ]{0,6}".prop_map(Value::from),
        Just(json!({})),
    ];
    let value = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[ab]{1,2}", inner, 0..3).prop_map(|m| json!(m)),
        ]
    });
    prop::collection::btree_map("[ab]{1,2}", value, 0..4).prop_map(|m| json!(m))
}

proptest! {
    /// Whatever is tolerated of others, a server that keeps to the protocol is read to the letter.
    #[test]
    fn calls_of_a_server_that_keeps_to_the_protocol_are_read_to_the_letter(
        wanted in prop::collection::vec((arguments(), 1usize..9), 1..4),
        marks in prop::sample::select(vec![Marks::First, Marks::Each, Marks::Index, Marks::Id]),
        in_turns in any::<bool>(),
    ) {
        let mut pieces = Vec::new();
        for (at, (arguments, size)) in wanted.iter().enumerate() {
            let letters: Vec<char> = arguments.to_string().chars().collect();
            for (n, letters) in letters.chunks(*size).enumerate() {
                let text: String = letters.iter().collect();
                let is_first = n == 0;
                let id = |is_there: bool| if is_there { json!(format!("id{at}")) } else { NONE };
                let name = |is_there: bool| if is_there { json!("f") } else { NONE };
                let piece = match marks {
                    Marks::First => json!([id(is_first), at, name(is_first), text]),
                    Marks::Each => json!([id(true), at, name(true), text]),
                    Marks::Index => json!([NONE, at, name(is_first), text]),
                    Marks::Id => json!([id(is_first), NONE, name(is_first), text]),
                };
                pieces.push((n, piece));
            }
        }
        // Without an index, one call ends before the next begins.
        if in_turns && !matches!(marks, Marks::Id) {
            pieces.sort_by_key(|(n, _)| *n);
        }
        let pieces: Vec<Value> = pieces.into_iter().map(|(_, piece)| piece).collect();
        let has_ids = !matches!(marks, Marks::Index);
        let expected: Vec<String> = wanted.iter().enumerate().map(|(at, (arguments, _))| {
            format!("{} f {arguments}", if has_ids { format!("id{at}") } else { String::new() })
        }).collect();
        prop_assert_eq!(calls(&pieces), expected);
    }
}
