//! JSON as programs write it: with a byte order mark, Python's `NaN`, halves of letters, one value
//! a line, and a last line that was never finished.

use serde_json::Value;

use super::FormatError;
use super::report::Report;

/// The values of a file: one, or one a line. Lines that are no JSON are left out and reported, as
/// long as the first line is a value.
pub(super) fn values(text: &str, report: &mut Report) -> Result<Vec<Value>, FormatError> {
    let text = text.trim_start_matches('\u{feff}');
    let error = match value(text, "the file") {
        Ok(value) => return Ok(vec![value]),
        Err(error) => error,
    };
    let mut values = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}');
        if line.trim().is_empty() {
            continue;
        }
        match value(line, &format!("line {}", i + 1)) {
            Ok(value) if value.is_object() || value.is_array() || !values.is_empty() => {
                values.push(value);
            }
            Err(bad) if !values.is_empty() => report.bad_line(&bad),
            // One value over several lines, and the mistake is in it.
            _ => return Err(error),
        }
    }
    if values.is_empty() { Err(error) } else { Ok(values) }
}

/// Parses one value. Lone halves of surrogate pairs become U+FFFD, numbers that are none become
/// null; more than 128 levels of nesting are an error.
pub(super) fn value(text: &str, place: &str) -> Result<Value, FormatError> {
    serde_json::from_str(text)
        .or_else(|error| serde_json::from_str(&repaired(text).ok_or(error)?))
        .map_err(|e| {
            let mut reason = e.to_string();
            // The parser counts the lines of what it was given.
            if place.starts_with("line") {
                reason = reason.replace(" at line 1 column ", " at column ");
            }
            FormatError::NotJson { place: place.to_owned(), reason }
        })
}

/// What Python writes for numbers that JSON does not have.
const NO_NUMBERS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

/// The text with what JSON does not allow replaced; nothing where there is none of it. O(n).
fn repaired(text: &str) -> Option<String> {
    let unit = |at: usize| -> Option<u32> {
        let hex = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(hex, 16).ok()
    };
    let bytes = text.as_bytes();
    let (mut out, mut in_string) = (String::new(), false);
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        let found = match bytes[at] {
            b'"' => {
                in_string = !in_string;
                None
            }
            b'\\' => match unit(at) {
                Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => {
                    at += 12;
                    continue;
                }
                Some(0xD800..=0xDFFF) => Some((6, "\\uFFFD")),
                // The character after a backslash is not the start of another escape. It may be
                // the start of a longer character, whose further bytes are no backslashes.
                _ => {
                    at += 2;
                    continue;
                }
            },
            b'N' | b'I' | b'-' if !in_string => NO_NUMBERS
                .iter()
                .find(|word| bytes[at..].starts_with(word.as_bytes()))
                .map(|word| (word.len(), "null")),
            _ => None,
        };
        match found {
            Some((n, instead)) => {
                out.push_str(&text[copied..at]);
                out.push_str(instead);
                at += n;
                copied = at;
            }
            None => at += 1,
        }
    }
    (copied > 0).then(|| out + &text[copied..])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_json_does_not_allow_is_replaced() {
        let read = value(r#"{"a":"\ud83d\ude00 \ud800x \\ud800 \udc00"}"#, "it").unwrap();
        assert_eq!(read["a"], "😀 \u{fffd}x \\ud800 \u{fffd}");
        let read = value(r#"{"NaN":"-Infinity \" NaN","b":[NaN,-Infinity,Infinity,-1]}"#, "it");
        assert_eq!(
            read.unwrap(),
            json!({ "NaN": "-Infinity \" NaN", "b": [null, null, null, -1] })
        );
        assert!(value("NaNx", "it").is_err());
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let text = "[".repeat(100_000);
        assert!(value(&text, "it").unwrap_err().to_string().contains("recursion limit"));
    }

    #[test]
    fn lines_that_are_no_values_are_reported() {
        let mut report = Report::default();
        let read =
            values("\u{feff}{\"a\":1}\r\n\n{\"a\":{\"a\":2}\n{\"a\":3}\n{\"a\":", &mut report);
        assert_eq!(read.unwrap(), [json!({ "a": 1 }), json!({ "a": 3 })]);
        let notes = report.notes();
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].starts_with("left out: 2 lines that are not JSON"), "{notes:?}");
        assert!(notes[0].contains("line 3"), "{notes:?}");
        // A value over several lines is no list of lines.
        assert!(values("{\n\"a\": 1,\n", &mut Report::default()).is_err());
        assert!(values("", &mut Report::default()).is_err());
    }
}
