//! What all protocols share in reading: JSON or something else, errors, hints, waiting times.

use serde_json::Value;

use super::{credit, overflow, waits};
use crate::{HttpResponse, ModelError, Retry};

/// The largest answer that is read, in bytes.
pub(crate) const MAX_BODY: usize = 8_000_000;
/// The most letters of an error's words that are looked at.
const MAX_WORDS: usize = 4_000;

/// The body as JSON, or what the endpoint says is wrong.
pub(super) fn body_json(http: &HttpResponse) -> Result<Value, ModelError> {
    if http.body.len() > MAX_BODY {
        return Err(ModelError::TooLarge { size: http.body.len(), limit: MAX_BODY });
    }
    let parsed = parse(&http.body);
    if !http.head().is_ok() {
        let body = parsed.unwrap_or(Value::Null);
        let look = || look(&http.body, http.content_type.as_deref());
        return Err(fault(http.status, &body, http.retry_after_ms, look));
    }
    let value = parsed.ok_or_else(|| ModelError::NotJson {
        found: look(&http.body, http.content_type.as_deref()),
    })?;
    // Some servers say 200 and mean an error.
    if has_error(&value) { Err(fault_within(&value)) } else { Ok(value) }
}

/// Reads JSON, in which half a letter, of those that `\u` escapes write in two halves, is `\u{fffd}`:
/// a server that cuts its text anywhere puts the halves into two pieces.
pub(crate) fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&whole_letters(text)?).ok())
}

/// The text without half letters, if there are any.
fn whole_letters(text: &str) -> Option<String> {
    let half = |at: usize| {
        let hex = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(hex, 16).ok().filter(|unit| (0xd800..0xe000).contains(unit))
    };
    let (mut out, mut from, mut at) = (String::new(), 0, 0);
    while let Some(next) = text[at..].find('\\') {
        at += next;
        at += match (half(at), half(at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..)) => 12,
            (Some(_), _) => {
                out.push_str(&text[from..at]);
                out.push_str("\\ufffd");
                from = at + 6;
                6
            }
            // Whatever is escaped here, the letter after it is a part of that.
            (None, _) => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    (from > 0).then(|| out + &text[from..])
}

/// Whether an answer, or a piece of one, is an error in truth.
pub(crate) fn has_error(value: &Value) -> bool {
    // A list of one error, as Gemini sends it where a stream was asked for.
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    // Zero is how some say that there is none.
    let says = |name: &str| value.get(name).is_some_and(|e| says_something(e) && *e != 0);
    says("error") || says("errors") || value["type"] == "error" || value["object"] == "error"
}

/// Whether a piece in which there is no answer is an error that nothing wraps: words beside a code.
pub(super) fn is_bare_error(value: &Value) -> bool {
    let is_fault = |code: &Value| says_something(code) && *code != 0 && *code != 200;
    let has_code = CODES.iter().any(|name| value.get(*name).is_some_and(is_fault));
    has_code && WORDS.iter().any(|name| value.get(*name).is_some_and(Value::is_string))
}

/// Fields in which an error has its code.
const CODES: [&str; 5] = ["code", "status", "status_code", "error_code", "errcode"];
/// Fields in which an error has its words, best first.
const WORDS: [&str; 10] = [
    "message",
    "msg",
    "error_msg",
    "errmsg",
    "detail",
    "error_description",
    "faultstring",
    "description",
    "reason",
    "title",
];
/// Fields in which an error is wrapped, outermost first.
const WRAPS: [&str; 4] = ["error", "errors", "fault", "response"];
/// An error within an error in a list of a field is as deep as anybody looks.
const DEPTH: usize = 6;

/// An error that came where an answer was expected, in a stream or under the status 200.
pub(super) fn fault_within(body: &Value) -> ModelError {
    let status = status_of(body, DEPTH);
    // Whatever stops a stream that had begun well is taken to be the server's own trouble.
    fault(status.unwrap_or(500), body, None, || shorten(&body.to_string()))
}

/// The status that an error has within it, as a number, as a text or as a word.
fn status_of(value: &Value, depth: usize) -> Option<u16> {
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    let number = |code: &Value| match code {
        Value::String(text) => text.trim().parse().ok(),
        code => code.as_u64(),
    };
    let status =
        |code: &Value| u16::try_from(number(code)?).ok().filter(|c| (400..600).contains(c));
    let word = |name: &str| status_of_word(value.get(name)?.as_str()?);
    let within = || {
        let wraps = WRAPS.iter().filter(|_| depth > 0);
        wraps.into_iter().find_map(|name| status_of(value.get(*name)?, depth - 1))
    };
    let here = CODES.iter().find_map(|name| status(value.get(*name)?));
    here.or_else(within).or_else(|| ["type", "code", "status"].into_iter().find_map(word))
}

/// The status that a word stands for, such as `rate_limit_error` or `UNAUTHENTICATED`.
fn status_of_word(word: &str) -> Option<u16> {
    let word = word.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
    Some(match () {
        () if has(&["overloaded"]) => 529,
        () if has(&["rate_limit", "too_many", "exhausted", "quota", "throttl"]) => 429,
        () if has(&["authentic", "unauthorized", "api_key"]) => 401,
        () if has(&["permission", "forbidden"]) => 403,
        () if has(&["not_found"]) => 404,
        () if has(&["unavailable"]) => 503,
        () if has(&["invalid_request", "invalid_argument", "bad_request", "context_"]) => 400,
        () => return None,
    })
}

/// What an error status means.
fn fault(
    status: u16,
    body: &Value,
    retry_after_ms: Option<u64>,
    look: impl Fn() -> String,
) -> ModelError {
    // Gemini puts an error into a list when a stream was asked for.
    let body = body.as_array().and_then(|list| list.first()).unwrap_or(body);
    let words = error_text(body).unwrap_or_else(look);
    let message = shorten(words.trim_end_matches('.'));
    if let Some(limit) = overflow::limit(status, body, &words) {
        let hint = "; use a model with a larger one, start the server with a larger one, or ask \
                    with fewer tools";
        return ModelError::ContextOverflow { message, limit, hint: hint.into() };
    }
    let lower = words.to_ascii_lowercase();
    let told_ms = waits::wait_of_body(body, &words);
    let is_spent = credit::is_spent(status, body, &words, told_ms.is_some());
    let is_passing = !is_spent && matches!(status, 408 | 425 | 429 | 500..=599);
    let retry = match retry_after_ms.or(told_ms) {
        _ if !is_passing => Retry::Never,
        Some(ms) => Retry::After(ms),
        None => Retry::Soon,
    };
    let hint = match status {
        _ if is_spent => "; the account has no credit left",
        _ if lower.contains("cors requests are not allowed") => {
            "; this organisation does not allow requests from a page: an administrator can, or use \
             a key of another one"
        }
        400 if lower.contains("api key") => "; check the key",
        401 | 403 => "; check the key, and that the server allows this page's origin",
        404 => "; check the address and the model's name",
        429 => "; the endpoint wants fewer requests: wait, or lower the rate",
        500..=599 => "; the fault is on the endpoint's side",
        _ => "",
    };
    ModelError::Status { status, message, hint: hint.into(), retry }
}

/// The endpoint's own words, whole but for what is longer than any that is read: with the field that
/// they are about, and with those of a server behind the endpoint.
fn error_text(value: &Value) -> Option<String> {
    let mut text = words(value, DEPTH)?.trim().to_owned();
    if let Some(field) = field_of(value, DEPTH).filter(|field| !text.contains(field.as_str())) {
        text = format!("{field}: {text}");
    }
    let raw = within(value, DEPTH, &|error| error.get("metadata")?.get("raw")?.as_str());
    if let Some(raw) = raw {
        let behind = parse(raw).and_then(|raw| Some(words(&raw, DEPTH)?.to_owned()));
        text = format!("{}: {}", text.trim_end_matches('.'), behind.as_deref().unwrap_or(raw));
    }
    Some(text.chars().take(MAX_WORDS).collect())
}

fn words(value: &Value, depth: usize) -> Option<&str> {
    let depth = depth.checked_sub(1)?;
    match value {
        Value::String(text) => {
            Some(text).filter(|text| !text.trim().is_empty()).map(String::as_str)
        }
        // FastAPI lists what is wrong with a request.
        Value::Array(list) => words(list.first()?, depth),
        Value::Object(fields) => {
            WRAPS.iter().chain(&WORDS).find_map(|name| words(fields.get(*name)?, depth))
        }
        _ => None,
    }
}

/// The name of the field that an error is about, where it stands beside its words.
fn field_of(value: &Value, depth: usize) -> Option<String> {
    within(value, depth, &|error| error.get("param")?.as_str()).map(str::to_owned).or_else(|| {
        let path = within(value, depth, &|error| error.get("loc")?.as_array())?;
        let names: Vec<&str> = path.iter().filter_map(Value::as_str).collect();
        Some(names.join("."))
    })
}

/// What there is in an error, or in one that is wrapped in it.
fn within<'a, T>(
    value: &'a Value,
    depth: usize,
    look: &impl Fn(&'a Value) -> Option<T>,
) -> Option<T> {
    let depth = depth.checked_sub(1)?;
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    look(value).or_else(|| {
        let mut inner = WRAPS.iter().chain(&WORDS).filter_map(|name| value.get(*name));
        inner.find_map(|inner| within(inner, depth, look))
    })
}

/// A text on one line, of a length that fits a message.
pub(crate) fn shorten(text: &str) -> String {
    let text = text.split_whitespace().take(200).collect::<Vec<_>>().join(" ");
    if text.chars().count() <= 200 {
        return text;
    }
    format!("{}…", text.chars().take(200).collect::<String>())
}

/// What something looks like that is not JSON.
fn look(body: &str, content_type: Option<&str>) -> String {
    let start = body.trim_start();
    if start.is_empty() {
        return "an empty body".into();
    }
    let is_html = content_type.is_some_and(|t| t.contains("html"))
        || start.get(..9).is_some_and(|s| s.eq_ignore_ascii_case("<!doctype"))
        || start.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("<html"));
    if is_html {
        let title = start
            .find("<title>")
            .and_then(|at| start[at + 7..].split('<').next())
            .map(|t| format!(" titled \"{}\"", shorten(t)));
        return format!("an HTML page{}", title.unwrap_or_default());
    }
    format!("\"{}\"", shorten(&start.chars().take(400).collect::<String>()))
}

/// Something that the protocol has and this answer has not. An endpoint that says why is quoted.
pub(super) fn missing(body: &Value, field: &str, protocol: &str) -> ModelError {
    if error_text(body).is_some() {
        return fault_within(body);
    }
    ModelError::Shape { missing: field.into(), protocol: protocol.into() }
}

/// The names of models, wherever a server has their list, as objects or as plain names.
pub(super) fn names(body: &Value, fields: &[&str]) -> Option<Vec<String>> {
    let of_object = |m: &Value| fields.iter().find_map(|f| Some(m.get(*f)?.as_str()?.to_owned()));
    let name = |m: &Value| m.as_str().map(str::to_owned).or_else(|| of_object(m));
    Some(models(body)?.iter().filter_map(name).take(1000).collect())
}

/// The list of models.
pub(super) fn models(body: &Value) -> Option<&Vec<Value>> {
    let lists = || ["data", "models", "result", "items"].iter().find_map(|f| models(body.get(*f)?));
    body.as_array().or_else(lists)
}

/// A name that a server gave, of a length that can be shown.
pub(super) fn word(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A text in an object; empty if it is not there.
pub(super) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A number in an object, down a path.
pub(super) fn number(value: &Value, path: &[&str]) -> Option<u64> {
    path.iter().try_fold(value, |v, name| v.get(*name))?.as_u64()
}

/// Whether a value says anything.
pub(crate) fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_may_pass_is_told_from_what_will_not() {
        let told = |status, body: Value, after| fault(status, &body, after, String::new).retry();
        assert_eq!(told(429, json!({}), Some(1500)), Retry::After(1500));
        assert_eq!(told(503, json!({}), None), Retry::Soon);
        assert_eq!(told(401, json!({}), Some(1500)), Retry::Never);
        let delay = json!({ "error": { "details": [{ "retryDelay": "3s" }] } });
        assert_eq!(told(429, delay, None), Retry::After(3_000));
        let spent = json!({ "error": { "code": "insufficient_quota", "message": "x" } });
        assert_eq!(told(429, spent, Some(1)), Retry::Never);
        let words = json!({ "error": { "message": "Please try again in 1.5s." } });
        assert_eq!(told(429, words, None), Retry::After(1_500));
    }

    #[test]
    fn the_field_and_the_server_behind_the_endpoint_are_named() {
        let behind = json!({ "error": { "message": "Provider returned error", "code": 400,
            "metadata": { "raw": r#"{"error":{"message":"This model's maximum context length is 9 tokens."}}"# } } });
        assert!(matches!(
            fault(400, &behind, None, String::new),
            ModelError::ContextOverflow { limit: Some(9), .. }
        ));
        for body in [
            json!({ "detail": [{ "loc": ["body", "seed"], "msg": "Extra inputs are not permitted" }] }),
            json!({ "message": { "detail": [{ "loc": ["body", "seed"], "msg": "Extra inputs" }] } }),
            json!({ "error": { "message": "Unsupported value", "param": "seed" } }),
        ] {
            let error = fault(422, &body, None, String::new).to_string();
            assert!(error.contains("seed: "), "{error}");
        }
    }

    #[test]
    fn a_refusal_of_pages_is_told_as_that() {
        let body = json!({ "error": { "type": "authentication_error",
            "message": "CORS requests are not allowed for this Organization" } });
        let error = fault(401, &body, None, String::new).to_string();
        assert!(error.contains("does not allow requests from a page"), "{error}");
    }
}
