//! Pieces of answers, put together.

use llm::{ChatRequest, Decoder, Endpoint, HttpHead, PROVIDERS};
use serde_json::{Value, json};

use crate::{Target, choice};

pub(super) fn targets() -> Vec<Target> {
    let target = Target::new("joining", 512, join, |_| {
        let calls: &[u8] =
            &[0, 3, 1, 0, 1, 5, 1, 0, 0, 6, 1, 0, 0, 7, 4, 2, 1, 8, 5, 0, 0, 3, 2, 3, 2, 4];
        PROVIDERS.iter().enumerate().map(|(n, _)| [&[n as u8][..], calls].concat()).collect()
    });
    vec![target]
}

/// Pieces of an answer that are well written and make no sense together. They are put together to
/// the same answer however their bytes are cut, and the answer goes back without a loss.
fn join(data: &[u8]) {
    let (which, rest) = choice(data);
    let provider = &PROVIDERS[which % PROVIDERS.len()];
    let mut bytes = String::new();
    for piece in rest.chunks(4) {
        let at = |n: usize, of: &[&str]| {
            let byte = usize::from(piece.get(n).copied().unwrap_or_default());
            of.get(byte % (of.len() + 1)).map_or(Value::Null, |word| json!(word))
        };
        let id = at(0, &["a", "b", "", "null", "f"]);
        let index = match at(1, &["0", "1", "2"]) {
            Value::String(text) => json!(text.parse::<u64>().unwrap_or_default()),
            other => other,
        };
        let name = at(2, &["f", "g", "", "f_g"]);
        let words = [
            "",
            "{}",
            "{",
            "{\"a\":",
            "{\"a\":1}",
            "1",
            "}",
            "\"",
            ",\"b\":[",
            "null",
            "\\ud83d",
            "an answer",
            "an answer that is long enough",
            "an answer that is long enough to be sure of it",
        ];
        let words = at(3, &words);
        let function = json!({ "name": name, "arguments": words });
        let call = json!({ "id": id, "index": index, "function": function, "extra": words });
        let message = json!({ "content": words, "thinking": words, "tool_calls": [call],
                              "reasoning_details": [{ "index": index, "text": words }] });
        let form = piece.first().map_or(0, |byte| byte / 8 % 4);
        let event = match (provider.id, form) {
            ("openai", 0) => json!({ "choices": [{ "message": message }] }),
            ("openai", 1) => json!({ "choices": [{ "delta": { "function_call": function } }] }),
            ("openai", _) => json!({ "choices": [{ "index": index, "delta": message }] }),
            ("anthropic", 0) => json!({ "type": "content_block_start", "index": index,
                "content_block": { "type": "tool_use", "id": id, "name": name, "input": {} } }),
            ("anthropic", 1) => json!({ "type": "content_block_start", "index": index,
                "content_block": { "type": "thinking", "thinking": words } }),
            ("anthropic", 2) => json!({ "type": "content_block_delta", "index": index,
                "delta": { "type": "input_json_delta", "partial_json": words } }),
            ("anthropic", _) => json!({ "type": "content_block_delta", "index": index,
                "delta": { "type": "text_delta", "text": words } }),
            ("gemini", 0) => json!({ "candidates": [{ "content": { "parts": [
                { "text": words, "thoughtSignature": id }] } }] }),
            ("gemini", _) => json!({ "candidates": [{ "content": { "parts": [
                { "functionCall": { "id": id, "name": name, "args": {} }, "thoughtSignature": id },
                { "text": words, "thought": form == 1 }] } }] }),
            ("ollama", _) => json!({ "message": message }),
            (_, 0) => json!({ "type": "response.output_item.done", "output_index": index, "item":
                { "type": "function_call", "call_id": id, "name": name, "arguments": words } }),
            (_, 1) => json!({ "type": "response.output_text.done", "text": words }),
            (_, _) => json!({ "type": "response.function_call_arguments.delta",
                "output_index": index, "delta": words }),
        };
        bytes += &match provider.id {
            "ollama" => format!("{event}\n"),
            _ => format!("data: {event}\n\n"),
        };
    }
    bytes += match provider.id {
        "ollama" => "{\"done\":true}\n",
        "anthropic" => "data: {\"type\":\"message_stop\"}\n\n",
        "gemini" => "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n",
        _ => "data: [DONE]\n\n",
    };
    let head = HttpHead { status: 200, ..HttpHead::default() };
    let play = |size: usize| {
        let mut decoder = Decoder::new(provider, head.clone());
        for piece in bytes.as_bytes().chunks(size) {
            decoder.feed(piece).map_err(|e| e.to_string())?;
        }
        decoder.finish().map_err(|e| e.to_string())
    };
    let whole = play(bytes.len());
    assert_eq!(whole, play(usize::from(*data.last().unwrap_or(&1)) % 7 + 1), "{bytes}");
    let Ok(answer) = whole else { return };
    let names: Vec<String> = answer.message.tool_calls.iter().map(|c| c.name.clone()).collect();
    let request = ChatRequest { messages: vec![answer.message], ..ChatRequest::default() };
    let sent = (provider.request)(&Endpoint::new(provider.id, "http://localhost"), &request, true);
    for name in names.iter().filter(|name| !name.is_empty()) {
        assert!(sent.body.contains(&format!("\"{name}\"")), "{name}: {}", sent.body);
    }
}
