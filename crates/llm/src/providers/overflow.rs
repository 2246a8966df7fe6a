//! Recognises that a conversation is longer than the model's context window.
//!
//! There is no common code for it; each server says it in words of its own. What they share is the
//! rule here: a word for "too long" in a sentence with words for the window, or with the tokens of
//! the input. The sentences of servers are its tests.

use serde_json::Value;

/// Names of the window, and of the most that may be asked.
const WINDOW: [&str; 10] = [
    "context length",
    "context window",
    "context size",
    "context limit",
    "context token",
    "context overflow",
    "maximum context",
    "model length",
    "max model len",
    "sequence length",
];
/// What is asked.
const INPUT: [&str; 5] = ["prompt", "input", "inputs", "messages", "conversation"];
/// What of it is counted.
const LENGTH: [&str; 4] = ["token", "tokens", "length", "context"];
/// Words for "longer", "at most" and "full".
const LONGER: [&str; 28] = [
    "exceed",
    "exceeds",
    "exceeded",
    "exceeding",
    "longer",
    "larger",
    "greater",
    "bigger",
    "more",
    "less",
    "fewer",
    "long",
    "large",
    "big",
    "many",
    "maximum",
    "max",
    "most",
    "limit",
    "reached",
    "beyond",
    "overflow",
    "overflows",
    "fit",
    "reduce",
    "shorten",
    "<",
    ">",
];
/// Rates, which count tokens too.
const RATE: [&str; 5] = ["rate limit", "per min", "per day", "per hour", "per second"];

/// Whether this error says so; inside, how many tokens fit, where it tells.
pub(super) fn limit(status: u16, body: &Value, message: &str) -> Option<Option<u64>> {
    let error = body.get("error").unwrap_or(body);
    let lower = message.to_ascii_lowercase();
    let by_code = ["code", "type"]
        .iter()
        .filter_map(|field| error.get(*field)?.as_str())
        .any(|code| code_says(&code.to_ascii_lowercase()));
    if !by_code && (matches!(status, 401..=404 | 429) || !words_say(&lower)) {
        return None;
    }
    let told = error.get("n_ctx").and_then(Value::as_u64);
    Some(told.or_else(|| limit_in(&lower)))
}

/// Whether a code says it without words, such as `context_length_exceeded`.
fn code_says(code: &str) -> bool {
    code.contains("context") && ["exceed", "overflow", "too_long"].iter().any(|w| code.contains(w))
}

fn words_say(lower: &str) -> bool {
    if RATE.iter().any(|words| lower.contains(words)) {
        return false;
    }
    // A sentence may say what is asked and the next one what fits.
    let words: Vec<&str> = words(lower);
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    if !has(&LONGER) {
        return false;
    }
    let spaced = format!(" {} ", words.join(" ").replace('_', " "));
    if WINDOW.iter().any(|name| spaced.contains(name)) || spaced.contains("context the overflows") {
        return true;
    }
    let is_too_long = ["too long", "too many tokens"].iter().any(|said| spaced.contains(said));
    let n_numbers = words.iter().filter(|word| number(word).is_some()).count();
    // An image or a name of a tool has a length too, but is no input and has no tokens.
    has(&INPUT) && (is_too_long || has(&LENGTH) && n_numbers >= 2) && !spaced.contains(" output")
}

/// The words of a text, its numbers and signs of comparison among them.
fn words(text: &str) -> Vec<&str> {
    let is_apart = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ',' | '<' | '>'));
    text.split(is_apart).map(|w| w.trim_matches(',')).filter(|w| !w.is_empty()).collect()
}

fn number(word: &str) -> Option<u64> {
    word.starts_with(|c: char| c.is_ascii_digit()).then(|| word.replace(',', "").parse().ok())?
}

/// The size of the window in the words: the number behind a comparison, or nearest to a word for it.
fn limit_in(text: &str) -> Option<u64> {
    const COMPARED: [&str; 6] = ["<", ">", "than", "exceed", "exceeds", "exceeded"];
    const MOST: [&str; 8] =
        ["maximum", "max", "limit", "context", "allowed", "window", "only", "most"];
    let words = words(text);
    // How many words before it one of those stands, and none with another number between.
    let behind = |at: usize, any: &[&str], reach: usize| {
        let before = words[..at].iter().rev().take(reach);
        let mut near = before.take_while(|word| number(word).is_none());
        near.any(|word| any.contains(word))
    };
    let numbers = || (0..words.len()).filter_map(|at| Some((at, number(words[at])?)));
    let found = numbers()
        .find(|(at, _)| behind(*at, &COMPARED, 1))
        .or_else(|| numbers().find(|(at, _)| behind(*at, &MOST, 5)))
        .or_else(|| {
            let ahead = |at: usize| words[at + 1..].iter().take(2).any(|word| MOST.contains(word));
            numbers().find(|(at, _)| ahead(*at))
        });
    found.map(|(_, n)| n)
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
            (
                "This model's maximum prompt length is 131072 but the request contains 140211 tokens",
                Some(131_072),
            ),
            (
                "The decoder prompt (length 9012) is longer than the maximum model length of 8192. \
                 Make sure that `max_model_len` is no smaller than the number of text tokens",
                Some(8192),
            ),
            (
                "The input (41000 tokens) is longer than the model's context length (32768 tokens)",
                Some(32_768),
            ),
            (
                "Reached context length of 4096 tokens with model (arch: qwen3) that does not support",
                Some(4096),
            ),
            ("Input is too long for requested model", None),
            (
                "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: \
                 2100 `inputs` tokens and 20 `max_new_tokens`",
                Some(2048),
            ),
            ("`inputs` must have less than 1024 tokens. Given: 1500", Some(1024)),
            (
                "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received \
                 5006",
                Some(4081),
            ),
            (
                "Requested token count exceeds the model's maximum context length of 131,072 tokens",
                Some(131_072),
            ),
            ("Range of input length should be less than 30720, and it is 30961", Some(30_720)),
            ("Please reduce the length of the messages: the context window is full", None),
            (
                "Input length 131393 exceeds the maximum allowed input length of 131040 tokens",
                Some(131_040),
            ),
            (
                "Input length (265330) exceeds model's maximum context length (262144)",
                Some(262_144),
            ),
            (
                "number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit",
                Some(202_752),
            ),
            (
                "This model's maximum context length is 262144 tokens. However, you requested 128000 \
                 output tokens and your prompt contains at least 134145 input tokens",
                Some(262_144),
            ),
        ] {
            assert_eq!(limit(400, &Value::Null, message), Some(tokens), "{message}");
        }
        let llama = json!({ "error": { "type": "exceed_context_size_error", "n_ctx": 256 } });
        assert_eq!(limit(400, &llama, ""), Some(Some(256)));
        let openai = json!({ "error": { "code": "context_length_exceeded" } });
        assert_eq!(limit(429, &openai, "x"), Some(None));
    }

    #[test]
    fn other_errors_are_not_taken_for_it() {
        for message in [
            "Rate limit reached",
            "model not found",
            "max_tokens must be at least 1",
            "max_tokens is too large: 5000. This model supports at most 4096 completion tokens",
            "max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens",
            "Request too large on tokens per min (TPM): Limit 30000, Requested 40000. The input or \
             output tokens must be reduced",
            "tools[0].function.description: string too long, maximum length 1024, got 2000",
            "the image is too large: at most 5 MB",
            "Invalid type for messages[0].content: expected one of 2 types",
            "unknown field context_length",
        ] {
            let body = json!({ "error": { "message": message } });
            assert_eq!(limit(400, &body, message), None, "{message}");
        }
        assert_eq!(limit(429, &Value::Null, "maximum context length is 10 tokens"), None);
    }
}
