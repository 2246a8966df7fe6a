//! Requests in a simpler form, for an endpoint that refuses a part of them by its name.
//!
//! Servers know different fields, and tell by name which one they do not know. That field is left out,
//! or said under the name that the server wants, and the question is asked again.

use serde_json::{Map, Value};

use crate::{HttpRequest, ModelError};

/// Fields without which there is no question.
const NEEDED: [&str; 9] = [
    "model",
    "messages",
    "contents",
    "input",
    "stream",
    "tools",
    "system",
    "instructions",
    "systemInstruction",
];
/// Words that refuse a name, whatever stands under it.
const REFUSED: [&str; 18] = [
    "unsupported",
    "not support",
    "unknown",
    "unrecognized",
    "unrecognised",
    "unexpected",
    "not permitted",
    "not allowed",
    "forbidden",
    "extra ",
    "invalid",
    "cannot be used",
    "deprecated",
    "not available",
    "not implemented",
    "not enabled",
    "only the default",
    "additional propert",
];
/// Words that refuse a value, which another one would fix.
const VALUE: [&str; 7] =
    ["must be", "at least", "at most", "between", "less than", "greater than", "out of range"];
/// Words beside which a name needs no quotes.
const FIELD: [&str; 5] = ["parameter", "argument", "field", "propert", "inputs"];
/// Words of schemas that some servers do not read, or not in every form.
const KEYWORDS: [&str; 19] = [
    "type",
    "additionalproperties",
    "anyof",
    "oneof",
    "allof",
    "$ref",
    "$defs",
    "default",
    "const",
    "format",
    "pattern",
    "title",
    "minitems",
    "maxitems",
    "prefixitems",
    "minimum",
    "maximum",
    "exclusiveminimum",
    "uniqueitems",
];
/// The words that every reader of schemas knows.
const PLAIN: [&str; 6] = ["type", "description", "properties", "required", "items", "enum"];
/// Under which names protocols send the schema of a tool's arguments.
const SCHEMAS: [&str; 3] = ["parameters", "input_schema", "parametersJsonSchema"];
/// Under which names protocols send the most tokens of a reply.
const LIMITS: [&str; 5] =
    ["max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "num_predict"];
/// Fewer tokens than this are no room for a reply.
const LEAST_REPLY: u64 = 64;
/// The most levels of a schema that are looked through.
const MAX_DEPTH: usize = 64;

/// What is left out of the requests to an endpoint, or said in another way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simpler {
    /// Fields of the body, and the names under which they are sent instead.
    fields: Vec<(String, Option<String>)>,
    has_plain_schemas: bool,
    has_tools_in_text: bool,
    is_whole: bool,
    /// The most tokens of a reply, where the endpoint says so.
    most_reply: Option<u64>,
}

impl Simpler {
    /// Whether the endpoint streams no answers.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether tools are described in the text, because the endpoint takes none of its protocol's.
    pub fn has_tools_in_text(&self) -> bool {
        self.has_tools_in_text
    }

    /// Learns from a refusal what to send in another way, and says it in words; nothing where it is
    /// about no part that can be sent so.
    pub fn learn(&mut self, error: &ModelError, request: &HttpRequest) -> Option<String> {
        let (ModelError::Status { status: 400 | 404 | 422 | 500 | 501, message, .. }
        | ModelError::ContextOverflow { message, .. }) = error
        else {
            return None;
        };
        let body: Map<String, Value> = serde_json::from_str(&request.body).ok()?;
        let lower = message.to_ascii_lowercase();
        if let Some(most) = limit_of(&body).and_then(|asked| room_in(&lower, asked)) {
            self.most_reply = Some(most);
            return Some(format!("asked again for at most {most} tokens"));
        }
        if matches!(error, ModelError::ContextOverflow { .. }) {
            return None;
        }
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let has_tools = body.contains_key("tools");
        let is_schema = has(&["schema", "tools[", "tools.", "function_declarations", "parameters"])
            && KEYWORDS.iter().any(|word| place(&lower, word).is_some());
        if has_tools && !self.has_plain_schemas && is_schema && has(&REFUSED) {
            self.has_plain_schemas = true;
            return Some("asked again with simpler schemas of the tools".into());
        }
        if body.contains_key("stream")
            && has(&REFUSED)
            && place(&lower, "stream").is_some_and(|(_, is_quoted)| is_quoted)
        {
            self.is_whole = true;
            return Some("asked again for a whole answer".into());
        }
        if has(&REFUSED) && !has(&VALUE) {
            let names = body.iter().flat_map(|(name, value)| {
                let inner = value.as_object().into_iter().flat_map(Map::keys);
                std::iter::once(name).chain(inner)
            });
            let known = names.filter(|name| !NEEDED.contains(&name.as_str()));
            let marked = |name: &&String| {
                let (at, is_quoted) = place(&lower, &name.to_ascii_lowercase())?;
                (is_quoted || name.contains('_') || has(&FIELD)).then_some(at)
            };
            // The first that is named is the one that is refused; others may be offered.
            if let Some((_, name)) = known.filter_map(|n| Some((marked(&n)?, n))).min() {
                // Not the one that was refused before.
                let is_new = |other: &String| self.fields.iter().all(|(known, _)| known != other);
                let instead = other_limit(&lower, name).filter(is_new);
                let words = match &instead {
                    Some(other) => format!("asked again with {other} for {name}"),
                    None => format!("asked again without {name}"),
                };
                self.fields.push((name.clone(), instead));
                return Some(words);
            }
        }
        let names_tools = ["tools", "tool use", "tool calling", "tool choice", "function calling"];
        if has_tools && has(&names_tools) && (has(&REFUSED) || has(&["requires", "no endpoints"])) {
            self.has_tools_in_text = true;
            return Some("asked again with the tools described in the text".into());
        }
        None
    }

    /// Puts a request into the form that the endpoint takes.
    pub fn apply(&self, request: &mut HttpRequest) {
        if *self == Self::default() {
            return;
        }
        let Ok(mut body) = serde_json::from_str::<Map<String, Value>>(&request.body) else {
            return;
        };
        if let Some(most) = self.most_reply {
            lower_limits(&mut body, most);
        }
        for (name, instead) in &self.fields {
            take(&mut body, name, instead.as_deref());
            for value in body.values_mut().filter_map(Value::as_object_mut) {
                take(value, name, instead.as_deref());
            }
            body.retain(|_, value| value.as_object().is_none_or(|map| !map.is_empty()));
        }
        if self.has_plain_schemas
            && let Some(tools) = body.get_mut("tools")
        {
            simplify_schemas(tools, 0);
        }
        request.body = Value::Object(body).to_string();
    }
}

/// The limit on the reply that a request sets, in a field of its own or of an object in it.
fn limit_of(body: &Map<String, Value>) -> Option<u64> {
    let of = |map: &Map<String, Value>| LIMITS.iter().find_map(|name| map.get(*name)?.as_u64());
    of(body).or_else(|| body.values().filter_map(Value::as_object).find_map(of))
}

fn lower_limits(map: &mut Map<String, Value>, most: u64) {
    for (name, value) in map {
        if LIMITS.contains(&name.as_str()) && value.as_u64() > Some(most) {
            *value = most.into();
        } else if let Some(inner) = value.as_object_mut() {
            lower_limits(inner, most);
        }
    }
}

/// How many tokens of a reply an endpoint takes that refuses a request for so many: the limit that it
/// names, or what the question leaves of the context window.
fn room_in(lower: &str, asked: u64) -> Option<u64> {
    // Words that are numbers as a whole: a model's name may have a date in it.
    let numbers: Vec<u64> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).replace(',', ""))
        .filter_map(|word| word.parse().ok())
        .collect();
    let names_limit = LIMITS.iter().any(|name| lower.contains(&name.to_ascii_lowercase()));
    if !numbers.contains(&asked) && !names_limit {
        return None;
    }
    // Not the limit that was asked for, nor a sum with it.
    let is_sum = |n: u64| n.checked_sub(asked).is_some_and(|rest| numbers.contains(&rest));
    let mut others: Vec<u64> =
        numbers.iter().copied().filter(|n| *n != asked && !is_sum(*n)).collect();
    others.sort_unstable();
    others.dedup();
    let most = others.pop()?;
    let room = match others.last() {
        Some(question) if lower.contains("context") => most.checked_sub(*question)?,
        _ => most,
    };
    (LEAST_REPLY..asked).contains(&room).then_some(room)
}

fn take(map: &mut Map<String, Value>, name: &str, instead: Option<&str>) {
    let value = map.remove(name);
    if let (Some(value), Some(other)) = (value, instead) {
        map.insert(other.to_owned(), value);
    }
}

/// Where a name stands as a word of its own, and whether it is quoted or part of a path.
fn place(text: &str, name: &str) -> Option<(usize, bool)> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_mark = |c: char| matches!(c, '\'' | '"' | '`' | '.');
    text.match_indices(name).find_map(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let is_whole = !before.is_some_and(is_name) && !after.is_some_and(is_name);
        is_whole.then(|| (at, before.is_some_and(is_mark)))
    })
}

/// Another name for the limit of a reply, where the words offer one.
fn other_limit(text: &str, name: &str) -> Option<String> {
    let is_limit = |word: &str| word.starts_with("max_") && word.ends_with("_tokens");
    if name != "max_tokens" && !is_limit(name) {
        return None;
    }
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.find(|word| *word != name && (*word == "max_tokens" || is_limit(word))).map(str::to_owned)
}

fn simplify_schemas(value: &mut Value, depth: usize) {
    match value {
        _ if depth > MAX_DEPTH => {}
        Value::Object(map) => {
            for (name, value) in map.iter_mut() {
                if SCHEMAS.contains(&name.as_str()) && value.is_object() {
                    simplify(value, 0);
                } else {
                    simplify_schemas(value, depth + 1);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| simplify_schemas(value, depth + 1)),
        _ => {}
    }
}

/// Keeps of a schema what every reader knows: of several types the one that takes the most, of
/// several schemas the first that is one.
fn simplify(schema: &mut Value, depth: usize) {
    let Some(map) = schema.as_object_mut().filter(|_| depth <= MAX_DEPTH) else { return };
    if !map.contains_key("type")
        && let Some(first) = ["anyOf", "oneOf", "allOf"].iter().find_map(|name| {
            let list = map.get(*name)?.as_array()?;
            list.iter().find(|one| one["type"] != "null")?.as_object().cloned()
        })
    {
        for (name, value) in first {
            map.entry(name).or_insert(value);
        }
    }
    if let Some(Value::Array(types)) = map.get("type") {
        let has = |name: &str| types.iter().any(|one| one == name);
        let widest = ["array", "object", "string", "number", "integer", "boolean"];
        let one = widest.into_iter().find(|name| has(name)).unwrap_or("string");
        map.insert("type".into(), one.into());
    }
    map.retain(|name, _| PLAIN.contains(&name.as_str()));
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(|schema| simplify(schema, depth + 1));
    }
    if let Some(items) = map.get_mut("items") {
        simplify(items, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Retry;
    use serde_json::json;

    fn refused(status: u16, message: &str) -> ModelError {
        let (message, hint) = (message.to_owned(), String::new());
        ModelError::Status { status, message, hint, retry: Retry::Never }
    }

    fn request() -> HttpRequest {
        let body = json!({
            "model": "m", "messages": [], "temperature": 0.5, "max_tokens": 9, "seed": 1,
            "stop": ["x"], "stream": true, "stream_options": { "include_usage": true },
            "options": { "num_ctx": 5 }, "tool_choice": "required",
            "tools": [{ "type": "function", "function": { "name": "f", "parameters": {
                "type": "object", "additionalProperties": false, "properties": {
                    "type": { "type": ["integer", "string"], "minimum": 0 },
                    "nodes": { "anyOf": [{ "type": "null" }, { "type": "array", "minItems": 1,
                        "items": { "type": ["number", "null"] } }] },
                },
                "required": ["type"] } } }],
        });
        HttpRequest {
            method: "POST".into(),
            url: "http://a.test/chat/completions".into(),
            headers: Vec::new(),
            body: body.to_string(),
        }
    }

    #[test]
    fn what_is_refused_by_name_is_left_out_or_renamed() {
        let without = |name: &str| Some(format!("asked again without {name}"));
        for (status, message, words) in [
            (
                400,
                "Unrecognized request argument supplied: stream_options",
                without("stream_options"),
            ),
            (422, "body.seed: Extra inputs are not permitted", without("seed")),
            (
                400,
                "Unsupported value: 'temperature' does not support 0.5 with this model. Only the \
                   default (1) value is supported",
                without("temperature"),
            ),
            (
                400,
                "property 'stop' is unsupported, use model, messages, max_tokens",
                without("stop"),
            ),
            (
                400,
                "Invalid tool_choice, tool_choice=required is not supported",
                without("tool_choice"),
            ),
            (400, "unknown option \"num_ctx\"", without("num_ctx")),
            (
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use \
                   'max_completion_tokens' instead",
                Some("asked again with max_completion_tokens for max_tokens".into()),
            ),
            (
                400,
                "this model does not support tools",
                Some("asked again with the tools described in the text".into()),
            ),
            (
                400,
                "\"auto\" tool choice requires a parser to be set",
                Some("asked again with the tools described in the text".into()),
            ),
            (
                404,
                "No endpoints found that support tool use",
                Some("asked again with the tools described in the text".into()),
            ),
            (
                400,
                "Invalid JSON payload received. Unknown name \"type\" at 'tools[0].function_declarations\
                   [1].parameters': Proto field is not repeating",
                Some("asked again with simpler schemas of the tools".into()),
            ),
            (
                400,
                "Invalid schema for function 'f': 'minItems' is not permitted",
                Some("asked again with simpler schemas of the tools".into()),
            ),
            (
                400,
                "Unsupported value: 'stream' does not support true with this model. Only the default \
                   (false) value is supported",
                Some("asked again for a whole answer".into()),
            ),
            (
                400,
                "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs \
                   are not permitted', 'input': {}}]",
                without("stream_options"),
            ),
            (
                400,
                "Extra parameters ['stream_options'] are not allowed when extra-parameters is not set",
                without("stream_options"),
            ),
            (
                422,
                "{\"detail\":[{\"loc\":[\"body\",\"stream_options\",\"include_usage\"],\"msg\":\
                   \"Extra inputs are not permitted\"}]}",
                without("stream_options"),
            ),
            (400, "temperature must be at most 1; unsupported value", None),
            (400, "the model is unknown", None),
            (400, "messages: unexpected role", None),
            (401, "unknown parameter: seed", None),
            (400, "please stop: this is not allowed", None),
        ] {
            let mut simpler = Simpler::default();
            assert_eq!(simpler.learn(&refused(status, message), &request()), words, "{message}");
        }
    }

    #[test]
    fn a_limit_on_the_reply_is_lowered_to_what_the_endpoint_takes() {
        let asked = |limit: u64| {
            let body = json!({ "model": "m", "options": { "num_predict": limit } }).to_string();
            HttpRequest { body, ..request() }
        };
        for (message, limit, most) in [
            (
                "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for \
              claude-3-5-haiku-20241022",
                64_000,
                Some(8_192),
            ),
            (
                "max_tokens is too large: 65536. This model supports at most 16384 completion tokens, \
              whereas you provided 65536.",
                65_536,
                Some(16_384),
            ),
            ("Range of max_tokens should be [1, 8192]", 64_000, Some(8_192)),
            (
                "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
                64_000,
                Some(8_192),
            ),
            (
                "`max_tokens` must be less than or equal to `4,096`, the maximum value for `max_tokens` is \
              less than the `context_window` for this model",
                64_000,
                Some(4_096),
            ),
            (
                "'max_tokens' or 'max_completion_tokens' is too large: 64000. This model's maximum context \
              length is 32768 tokens and your request has 512 input tokens (64000 > 32768 - 512).",
                64_000,
                Some(32_256),
            ),
            (
                "This model's maximum context length is 4097 tokens, however you requested 5020 tokens (1020 \
              in your prompt; 4000 for the completion). Please reduce your prompt; or completion length.",
                4_000,
                Some(3_077),
            ),
            (
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 9012 \
              tokens.",
                4_000,
                None,
            ),
            (
                "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input \
              length or `max_tokens` and try again",
                21_333,
                Some(11_760),
            ),
            ("max_tokens must be positive", 4_000, None),
        ] {
            let mut simpler = Simpler::default();
            let learnt = simpler.learn(&refused(400, message), &asked(limit)).is_some();
            assert_eq!((learnt, simpler.most_reply), (most.is_some(), most), "{message}");
            let mut again = asked(limit);
            simpler.apply(&mut again);
            let body: Value = serde_json::from_str(&again.body).unwrap();
            assert_eq!(body["options"]["num_predict"], json!(most.unwrap_or(limit)));
        }
    }

    #[test]
    fn a_field_is_refused_once_and_then_sent_no_more() {
        let mut simpler = Simpler::default();
        let mut asked = request();
        let error = refused(400, "unknown field \"include_usage\"");
        assert!(simpler.learn(&error, &asked).is_some());
        simpler.fields.push(("max_tokens".into(), Some("max_completion_tokens".into())));
        simpler.apply(&mut asked);
        let body: Value = serde_json::from_str(&asked.body).unwrap();
        assert!(body.get("stream_options").is_none(), "nothing is left in it");
        assert_eq!(
            (&body["max_completion_tokens"], &body["max_tokens"]),
            (&json!(9), &Value::Null)
        );
        assert_eq!(simpler.learn(&error, &asked), None, "it is sent no more");
        let back = refused(400, "unknown parameter 'max_completion_tokens', use max_tokens");
        let words = simpler.learn(&back, &asked);
        assert_eq!(words.as_deref(), Some("asked again without max_completion_tokens"));
    }

    #[test]
    fn simple_schemas_have_one_type_each_and_keep_names() {
        let simpler = Simpler { has_plain_schemas: true, ..Simpler::default() };
        let mut asked = request();
        simpler.apply(&mut asked);
        let body: Value = serde_json::from_str(&asked.body).unwrap();
        assert_eq!(
            body["tools"][0]["function"]["parameters"],
            json!({ "type": "object", "required": ["type"], "properties": {
                "type": { "type": "string" },
                "nodes": { "type": "array", "items": { "type": "number" } },
            } })
        );
    }
}
