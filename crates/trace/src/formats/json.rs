//! JSON as programs write it: with a byte order mark, Python's `NaN`, halves of letters, one value a
//! line or one behind the other, and an end that was never written.

use std::borrow::Cow;

use serde_json::{Deserializer, Value};

use super::FormatError;
use super::report::Report;

/// A file with more broken values than this, and fewer whole ones, is refused.
const MAX_BAD: usize = 50;

/// The values of a file: one, one a line, or one behind the other. A value that is broken is left
/// out with a note, and the next line that begins one is looked for; of a list that breaks off the
/// whole items are taken.
///
/// O(n): a broken value is read at most as often as values nest.
pub(super) fn values(text: &str, report: &mut Report) -> Result<Vec<Value>, FormatError> {
    let text = text.trim_start_matches('\u{feff}');
    let error = match value(text, "the file") {
        Ok(value) => return Ok(vec![value]),
        Err(error) => error,
    };
    let text = repaired(text).map_or(Cow::Borrowed(text), Cow::Owned);
    let mut values = Vec::new();
    let (mut at, mut line, mut n_bad) = (0, 1, 0);
    let mut step = |at: &mut usize, to: usize| {
        line += text[*at..to].matches('\n').count();
        *at = to;
        line
    };
    loop {
        let rest =
            text[at..].trim_start_matches(|c: char| c.is_whitespace() || "\u{feff},\0".contains(c));
        if rest.is_empty() {
            break;
        }
        let start = text.len() - rest.len();
        let line = step(&mut at, start);
        let bad = match next(rest) {
            Ok((value, n)) if value.is_object() || value.is_array() => {
                values.push(value);
                at += n;
                continue;
            }
            Ok(_) => "is no object".to_owned(),
            Err(bad) => {
                // A value begins its line: what is indented is a part of another.
                let mut ends = rest.match_indices('\n').map(|(i, _)| i + 1);
                let end =
                    ends.find(|end| rest[*end..].starts_with(['{', '['])).unwrap_or(rest.len());
                if let Some(value) = unbroken(&rest[..end], &bad) {
                    values.push(value);
                    report.changed("line break| within a text", "");
                    at += end;
                    continue;
                }
                if let Some((place, value, n)) = behind(rest, &bad) {
                    values.push(value);
                    report.bad_line(
                        line,
                        "it breaks off, and another value follows on the line".into(),
                    );
                    at += place + n;
                    continue;
                }
                without_line(&bad.to_string())
            }
        };
        if values.is_empty()
            && let Some(items) = items_before_the_end(rest)
        {
            report.torn(line + rest.matches('\n').count());
            return Ok(vec![items]);
        }
        report.bad_line(line, bad);
        n_bad += 1;
        if n_bad > MAX_BAD && n_bad > values.len() {
            return Err(error);
        }
        // A value begins its line: what is indented is a part of another.
        match rest.match_indices('\n').find(|(i, _)| rest[i + 1..].starts_with(['{', '['])) {
            Some((i, _)) => _ = step(&mut at, start + i + 1),
            None => break,
        }
    }
    match report.refusal(values.len()) {
        Some(_) => Err(error),
        None if values.is_empty() => Err(error),
        None => Ok(values),
    }
}

/// The value that a text begins with, and how long it is.
fn next(text: &str) -> Result<(Value, usize), serde_json::Error> {
    let mut stream = Deserializer::from_str(text).into_iter::<Value>();
    match stream.next() {
        Some(value) => Ok((value?, stream.byte_offset())),
        None => Ok((Value::Null, text.len())),
    }
}

/// A value in whose texts line breaks stand as they are, which JSON does not allow.
fn unbroken(text: &str, error: &serde_json::Error) -> Option<Value> {
    if !error.to_string().contains("control character") {
        return None;
    }
    let (mut out, mut in_string, mut is_escaped) = (String::new(), false, false);
    for c in text.trim_end().chars() {
        if in_string && c.is_control() {
            out += &format!("\\u{:04x}", c as u32);
        } else {
            in_string ^= c == '"' && !is_escaped;
            out.push(c);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    serde_json::from_str(&out).ok().filter(Value::is_object)
}

/// The value that begins where another one was broken off, in the same line: its place, itself, and
/// its length.
fn behind(text: &str, error: &serde_json::Error) -> Option<(usize, Value, usize)> {
    let line = text.lines().next().filter(|_| error.line() == 1)?;
    let mut end = error.column().min(line.len());
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let place = line[..end].rfind("{\"").filter(|place| *place > 0)?;
    let (value, n) = next(&line[place..]).ok()?;
    value.is_object().then_some((place, value, n))
}

/// The whole items of a list that was never finished.
fn items_before_the_end(text: &str) -> Option<Value> {
    let mut rest = text.strip_prefix('[')?;
    let mut items = Vec::new();
    loop {
        rest = rest.trim_start();
        match next(rest) {
            Ok((value, n)) if n > 0 => {
                items.push(value);
                rest = rest[n..].trim_start();
            }
            Ok(_) => break,
            Err(error) if error.is_eof() => break,
            Err(_) => return None,
        }
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None if rest.is_empty() => break,
            None => return None,
        }
    }
    (!items.is_empty()).then(|| items.into())
}

/// A parser's words without the line that it counted in what it was given.
fn without_line(words: &str) -> String {
    match words.rfind(" at line ") {
        Some(at) => words[..at].to_owned(),
        None => words.to_owned(),
    }
}

/// Parses one value. Lone halves of surrogate pairs become U+FFFD, numbers that are none become
/// null; more than 128 levels of nesting are an error.
pub(super) fn value(text: &str, place: &str) -> Result<Value, FormatError> {
    serde_json::from_str(text)
        .or_else(|error| serde_json::from_str(&repaired(text).ok_or(error)?))
        .map_err(|e| FormatError::NotJson { place: place.to_owned(), reason: e.to_string() })
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
            // No string goes over a line: one that does was never finished.
            b'\n' => {
                in_string = false;
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

    fn read(text: &str) -> (Option<Vec<Value>>, Vec<String>) {
        let mut report = Report::default();
        let read = values(text, &mut report).ok();
        (read, report.finish().lines())
    }

    #[test]
    fn lines_that_are_no_values_are_reported() {
        let (found, notes) =
            read("\u{feff}{\"a\":1}\r\n\n{\"a\":{\"a\":2}\n{\"a\":3}\n{\"a\":NaN}\n{\"a\":\"\n");
        let all = [json!({ "a": 1 }), json!({ "a": 3 }), json!({ "a": null })];
        assert_eq!(found.unwrap(), all);
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].starts_with("could not be read: line 3: "), "{notes:?}");
        assert!(notes[1].starts_with("could not be read: line 6: "), "{notes:?}");
        // A value over several lines is no list of lines.
        assert_eq!(read("{\n\"a\": 1,\n").0, None);
        assert_eq!(read("{\n  \"a\": [\n  {\"b\": 1},\n  {\"b\":\n").0, None);
        assert_eq!(read("").0, None);
        assert_eq!(read("1\n2\n3\n").0, None);
    }

    #[test]
    fn values_follow_each_other_in_any_way() {
        let all = Some(vec![json!({ "a": 1 }), json!({ "a": [2] })]);
        for text in [
            "{\"a\":1}{\"a\":[2]}",
            "{\n  \"a\": 1\n}\n{\n  \"a\": [\n    2\n  ]\n}\n",
            "{\"a\":1},\n{\"a\":[2]},\n",
        ] {
            assert_eq!(read(text), (all.clone(), Vec::new()), "{text}");
        }
    }

    #[test]
    fn values_are_found_beside_what_writers_left_when_they_were_stopped() {
        let all = Some(vec![json!({ "a": 1 }), json!({ "b": "x\ny" }), json!({ "c": 3 })]);
        // Zeros of a block that was never written, a text with line breaks as they are.
        let (found, notes) = read("{\"a\":1}\n\0\0\0\0{\"b\":\"x\ny\"}\n{\"c\":3}\n");
        assert_eq!(
            (found, notes),
            (all.clone(), vec!["changed: 1 line break within a text".to_owned()])
        );
        // A value that was cut off, and the next one behind it on the same line.
        let (found, notes) =
            read("{\"a\":1}\n{\"t\":\"text\",\"b\":\"zz{\"b\":\"x\\ny\"}\n{\"c\":3}\n");
        assert_eq!(found, all);
        assert!(notes[0].starts_with("could not be read: line 2: it breaks off"), "{notes:?}");
        // The first line may be the one that is broken.
        let (found, notes) = read("{\"head\":\n{\"a\":1}\n{\"b\":\"x\\ny\"}\n{\"c\":3}");
        assert_eq!((found, notes.len()), (all, 1), "{notes:?}");
    }

    #[test]
    fn of_a_list_that_breaks_off_the_whole_items_are_read() {
        let (found, notes) = read("[\n  {\"a\": 1},\n  {\"a\": NaN},\n  {\"a\": \"x");
        assert_eq!(found.unwrap(), [json!([{ "a": 1 }, { "a": null }])]);
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].contains("breaks off (first: line 4)"), "{notes:?}");
    }
}
