//! Answers and streams of endpoints, for every protocol.

use llm::{ChatRequest, Decoder, Endpoint, HttpHead, PROVIDERS, Partial, Provider};
use serde_json::{Value, json};

use crate::seeds::Places;
use crate::{Target, choice, text};

const STATUSES: [u16; 6] = [200, 200, 400, 401, 429, 503];
const KINDS: [Option<&str>; 4] =
    [Some("application/json"), Some("text/event-stream"), None, Some("text/html")];

fn head(which: usize) -> HttpHead {
    HttpHead {
        status: STATUSES[which % STATUSES.len()],
        content_type: KINDS[which / 8 % KINDS.len()].map(str::to_owned),
        retry_after_ms: None,
    }
}

pub(super) fn targets() -> Vec<Target> {
    let answers = PROVIDERS.iter().map(|provider| {
        let run = |data: &[u8]| {
            let (which, rest) = choice(data);
            let http = head(which).with_body(text(rest).into_owned());
            drop(provider.read(&http));
            drop((provider.models)(&http));
        };
        Target::new(format!("answer_{}", provider.id), 4096, run, |places| {
            tapes(places, provider, "response.json").iter().filter_map(|t| body(t)).collect()
        })
    });
    let streams = PROVIDERS.iter().map(|provider| {
        let run = |data: &[u8]| stream(provider, data);
        Target::new(format!("stream_{}", provider.id), 4096, run, |places| {
            let tapes = tapes(places, provider, "stream.txt");
            tapes.iter().map(|bytes| [&[0, 5][..], bytes].concat()).collect()
        })
    });
    let joining = Target::new("joining", 512, joining, |_| {
        let calls: &[u8] =
            &[0, 3, 1, 0, 1, 5, 1, 0, 0, 6, 1, 0, 0, 7, 4, 2, 1, 8, 5, 0, 0, 3, 2, 3, 2, 4];
        PROVIDERS.iter().enumerate().map(|(n, _)| [&[n as u8][..], calls].concat()).collect()
    });
    answers.chain(streams).chain([joining]).collect()
}

fn tapes(places: &Places, provider: &Provider, name: &str) -> Vec<Vec<u8>> {
    places.files(&format!("crates/llm/tests/cassettes/{}", provider.id), name)
}

/// The body of a tape, with its status in front.
fn body(tape: &[u8]) -> Option<Vec<u8>> {
    let tape: Value = serde_json::from_slice(tape).ok()?;
    let status = tape["http"]["status"].as_u64()?;
    let which = STATUSES.iter().position(|s| u64::from(*s) == status).unwrap_or(2) as u8;
    Some([&[which][..], tape["http"]["body"].to_string().as_bytes()].concat())
}

/// Pieces of an answer that are well written and make no sense together. They are put together to
/// the same answer however their bytes are cut, and the answer goes back without a loss.
fn joining(data: &[u8]) {
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
    let play = |size: usize| {
        let mut decoder = Decoder::new(provider, head(0));
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

/// However a stream is cut, it gives the same answer.
fn stream(provider: &'static Provider, data: &[u8]) {
    let (which, rest) = choice(data);
    let (cut, rest) = choice(rest);
    let play = |size: usize| {
        let (mut decoder, mut shown) = (Decoder::new(provider, head(which)), Partial::default());
        for piece in rest.chunks(size.max(1)) {
            let parts = decoder.feed(piece).map_err(|e| e.to_string())?;
            parts.iter().for_each(|part| shown.take(part));
        }
        drop(shown.into_message());
        decoder.finish().map_err(|e| e.to_string())
    };
    let (whole, cut) = (play(rest.len()), play(cut % 64 + 1));
    assert_eq!(whole, cut, "{}", provider.id);
}
