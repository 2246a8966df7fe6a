//! Recognises that a conversation is longer than the model's context window.
//!
//! There is no common code for it; each server says it in words of its own.

use serde_json::Value;

/// Who says it, in lower case and how: all of the words must be there.
const WORDS: [(&str, &[&str]); 9] = [
    ("OpenAI, vLLM, DeepSeek, OpenRouter", &["maximum context length"]),
    ("OpenAI responses", &["exceeds the context window"]),
    ("Anthropic", &["prompt is too long"]),
    ("Anthropic", &["exceed context limit"]),
    ("Gemini", &["input token count", "exceeds the maximum"]),
    ("llama.cpp", &["exceeds the available context size"]),
    ("Mistral", &["too large for model", "maximum context"]),
    ("LM Studio", &["context the overflows"]),
    ("Ollama, LM Studio", &["exceeds", "context length"]),
];

/// Codes and types that say it without words.
const CODES: [&str; 3] =
    ["context_length_exceeded", "exceed_context_size_error", "context_window_exceeded"];

/// Whether this error says so; inside, how many tokens fit, where it tells.
pub(super) fn limit(body: &Value, message: &str) -> Option<Option<u64>> {
    let error = body.get("error").unwrap_or(body);
    let lower = message.to_ascii_lowercase();
    let by_code = ["code", "type"]
        .iter()
        .filter_map(|field| error.get(*field)?.as_str())
        .any(|code| CODES.contains(&code));
    let by_words = WORDS.iter().any(|(_, words)| words.iter().all(|w| lower.contains(w)));
    if !by_code && !by_words {
        return None;
    }
    let told = error.get("n_ctx").and_then(Value::as_u64);
    Some(told.or_else(|| number_at(&lower)))
}

/// The size of the window in the words: the number beside a word for it.
fn number_at(text: &str) -> Option<u64> {
    const BEFORE: [&str; 4] =
        ["maximum context length is", "tokens allowed (", " > ", "context length of"];
    const AFTER: [&str; 2] = ["maximum context length", "maximum"];
    let digits = |t: &str| -> Option<u64> {
        let t = t.trim_start_matches([' ', '(']);
        let end = t.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(t.len());
        t[..end].replace(',', "").parse().ok()
    };
    BEFORE.iter().find_map(|mark| digits(text.split(mark).nth(1)?)).or_else(|| {
        AFTER.iter().find_map(|mark| {
            let before = text.split_once(mark)?.0.trim_end();
            let start = before
                .rfind(|c: char| !c.is_ascii_digit())
                .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
            before[start..].parse().ok()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_servers_words_are_known() {
        // The words of each server as its issues and documents quote them, shortened.
        for (message, tokens) in [
            (
                "This model's maximum context length is 4096 tokens. However, you requested 5000",
                Some(4096),
            ),
            ("Your input exceeds the context window of this model. Please adjust", None),
            ("prompt is too long: 210000 tokens > 200000 maximum", Some(200_000)),
            (
                "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
                Some(200_000),
            ),
            (
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                Some(1_048_576),
            ),
            ("the request exceeds the available context size. try increasing it", None),
            (
                "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
                Some(32_768),
            ),
            ("Trying to keep the first 5000 tokens when context the overflows. However", None),
            ("the input length exceeds the context length", None),
        ] {
            assert_eq!(limit(&Value::Null, message), Some(tokens), "{message}");
        }
        let llama = json!({ "error": { "type": "exceed_context_size_error", "n_ctx": 256 } });
        assert_eq!(limit(&llama, ""), Some(Some(256)));
        let openai = json!({ "error": { "code": "context_length_exceeded" } });
        assert_eq!(limit(&openai, "x"), Some(None));
    }

    #[test]
    fn other_errors_are_not_taken_for_it() {
        for message in ["Rate limit reached", "model not found", "max_tokens must be at least 1"] {
            assert_eq!(limit(&json!({ "error": { "message": message } }), message), None);
        }
    }
}
