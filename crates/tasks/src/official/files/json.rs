//! JSON as Python writes it.

use std::borrow::Cow;

use serde_json::Value;

use super::BenchmarkFileError;

/// Python writes `NaN`, `Infinity` and `-Infinity`, which are no JSON; they become `null`.
fn with_nulls(text: &str) -> Cow<'_, str> {
    const WORDS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];
    if !WORDS.iter().any(|word| text.contains(word)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut at, mut kept) = (false, 0, 0);
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'-' | b'I' | b'N' if !in_string => {
                if let Some(word) = WORDS.into_iter().find(|word| text[at..].starts_with(word)) {
                    out.push_str(&text[kept..at]);
                    out.push_str("null");
                    at += word.len();
                    kept = at;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// Reads a value whose first line is this line of the file.
pub(super) fn parse(
    text: &str,
    line: usize,
    expected: &'static str,
) -> Result<Value, BenchmarkFileError> {
    serde_json::from_str(&with_nulls(text)).map_err(|error| {
        let place = format!("line {}, column {}", line + error.line().max(1) - 1, error.column());
        // The error repeats the place.
        let message = error.to_string();
        let what = message.split(" at line ").next().unwrap_or(&message).to_owned();
        BenchmarkFileError::wrong(place, what, expected)
    })
}

/// A text as it is, anything else as JSON, nothing for null.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_no_json_become_null() {
        let text = r#"{"a": NaN, "b": [-Infinity, Infinity], "c": "NaN \" Infinity"}"#;
        let fixed = r#"{"a": null, "b": [null, null], "c": "NaN \" Infinity"}"#;
        assert_eq!(with_nulls(text), fixed);
        assert_eq!(with_nulls("[1]"), "[1]");
        assert_eq!(with_nulls("é NaN"), "é null");
    }
}
