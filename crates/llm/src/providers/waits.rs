//! How long an endpoint asks to be left alone: in headers, in fields of its error, or in words.

use serde_json::Value;

/// Longer waits than a day are not believed.
const MAX_WAIT_MS: f64 = 86_400_000.0;
/// A number from here on counts seconds since 1970, and is no length of time.
const EPOCH_S: f64 = 1e9;
/// A number from here on counts milliseconds since 1970.
const EPOCH_MS: f64 = 1e12;
/// The most fields of an error that are looked at.
const MAX_FIELDS: usize = 500;

/// The wait that the headers of an answer ask for, in milliseconds; `now_ms` is the time now since
/// 1970. `retry-after` counts before the limits' own times of reset, and of those only the ones
/// that are not said to have something left.
pub fn wait_of_headers(headers: &[(String, String)], now_ms: f64) -> Option<u64> {
    let get = |name: &str| {
        headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    };
    let in_ms = || Some(wait_ms(get("retry-after-ms")?.parse().ok().filter(|n| !f64::is_nan(*n))?));
    let reset = || {
        let resets = headers.iter().filter_map(|(name, value)| {
            let name = name.to_ascii_lowercase();
            let is_reset = name.contains("limit") && name.contains("reset");
            let left = get(&name.replace("reset", "remaining"));
            let is_over = left.and_then(|n| n.parse::<f64>().ok()).is_none_or(|n| n <= 0.0);
            (is_reset && is_over).then(|| span_ms(value, now_ms)).flatten()
        });
        resets.max()
    };
    in_ms().or_else(|| span_ms(get("retry-after")?, now_ms)).or_else(reset)
}

/// The wait that an error asks for in its body, in milliseconds: a page may not read the headers
/// unless the server allows it.
pub(super) fn wait_of_body(body: &Value, message: &str) -> Option<u64> {
    wait_of_fields(body).or_else(|| wait_of_words(message))
}

/// Reads a header's value: seconds, a length of time, or a date.
fn span_ms(text: &str, now_ms: f64) -> Option<u64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return match number {
            n if n.is_nan() || n.is_infinite() => None,
            n if n >= EPOCH_MS => Some(wait_ms(n - now_ms)),
            n if n >= EPOCH_S => Some(wait_ms(n * 1000.0 - now_ms)),
            n => Some(wait_ms(n * 1000.0)),
        };
    }
    duration_ms(text).or_else(|| {
        let date = chrono::DateTime::parse_from_rfc2822(text)
            .or_else(|_| chrono::DateTime::parse_from_rfc3339(text));
        Some(wait_ms(date.ok()?.timestamp_millis() as f64 - now_ms))
    })
}

/// The first field whose name says that it is a time to ask again.
fn wait_of_fields(body: &Value) -> Option<u64> {
    let mut open = vec![body];
    for _ in 0..MAX_FIELDS {
        let fields: Vec<(&str, &Value)> = match open.pop()? {
            Value::Object(map) => map.iter().map(|(name, value)| (name.as_str(), value)).collect(),
            Value::Array(list) => list.iter().map(|value| ("", value)).collect(),
            _ => continue,
        };
        for (name, value) in &fields {
            let name = name.to_ascii_lowercase().replace(['_', '-'], "");
            if name.contains("retry") && (name.contains("after") || name.contains("delay")) {
                let in_ms = name.ends_with("ms") || name.ends_with("milliseconds");
                let factor = if in_ms { 1.0 } else { 1000.0 };
                let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
                let said = number.filter(|n| !n.is_nan()).map(|n| wait_ms(n * factor));
                if let Some(ms) = said.or_else(|| duration_ms(value.as_str()?)) {
                    return Some(ms);
                }
            }
        }
        open.extend(fields.into_iter().rev().map(|(_, value)| value));
    }
    None
}

/// A length of time in a sentence that asks to come again: behind the word for it, or before
/// "until" and "before". One behind "per" is a rate.
fn wait_of_words(message: &str) -> Option<u64> {
    const AGAIN: [&str; 6] = ["again", "retry", "retrying", "wait", "reset", "resets"];
    const RATE: [&str; 6] = ["per", "every", "each", "last", "past", "a"];
    let lower = message.to_ascii_lowercase();
    let says_again = |text: &str| words(text).any(|word| AGAIN.contains(&word));
    for sentence in lower.split(". ").flat_map(|text| text.split(['\n', ';'])) {
        let is_start = |at: usize| {
            let before = sentence[..at].chars().next_back();
            !before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
        };
        for (at, _) in sentence.match_indices(|c: char| c.is_ascii_digit()) {
            let (before, rest) = sentence.split_at(at);
            if !is_start(at) || words(before).last().is_some_and(|word| RATE.contains(&word)) {
                continue;
            }
            let Some((ms, after)) = read_duration(rest) else { continue };
            let follows = words(after).next();
            let is_until = matches!(follows, Some("until" | "before")) && says_again(after);
            if says_again(before) || is_until {
                return Some(wait_ms(ms));
            }
        }
    }
    None
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// Reads a text that is a length of time, such as `7.5s`, `350ms`, `1m3s` or `2 minutes`.
fn duration_ms(text: &str) -> Option<u64> {
    let (ms, rest) = read_duration(text.trim())?;
    rest.trim().is_empty().then(|| wait_ms(ms))
}

/// Reads the length of time at the start of a text, and gives what follows it.
fn read_duration(text: &str) -> Option<(f64, &str)> {
    let (mut ms, mut rest, mut found) = (0.0, text, None);
    loop {
        let next = rest.trim_start_matches([' ', ',']);
        let next = next.strip_prefix("and ").filter(|_| found.is_some()).unwrap_or(next);
        let end = next.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(next.len());
        let Ok(number) = next[..end].parse::<f64>() else { break };
        let unit = next[end..].trim_start_matches([' ', '-']);
        let length = unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len());
        let factor = match &*unit[..length].to_ascii_lowercase() {
            "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" => 1.0,
            "s" | "sec" | "secs" | "second" | "seconds" => 1e3,
            "m" | "min" | "mins" | "minute" | "minutes" => 60e3,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3600e3,
            "d" | "day" | "days" => 86_400e3,
            _ => break,
        };
        ms += number * factor;
        rest = &unit[length..];
        found = Some(());
    }
    found.map(|()| (ms, rest))
}

fn wait_ms(ms: f64) -> u64 {
    // The range is far inside what both types hold.
    ms.clamp(0.0, MAX_WAIT_MS).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn headers_say_seconds_lengths_of_time_and_dates() {
        let now = 784_111_777_000.0; // Sun, 06 Nov 1994 08:49:37 GMT
        let of = |headers: &[(&str, &str)]| {
            let owned: Vec<_> =
                headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
            wait_of_headers(&owned, now)
        };
        for (value, ms) in [
            (" 2 ", Some(2_000)),
            ("-5", Some(0)),
            ("nan", None),
            ("inf", None),
            ("1e300", Some(86_400_000)),
            ("6s", Some(6_000)),
            ("1m30s", Some(90_000)),
            ("2 minutes", Some(120_000)),
            ("Sun, 06 Nov 1994 08:49:40 GMT", Some(3_000)),
            ("1994-11-06T08:49:41Z", Some(4_000)),
            ("tomorrow", None),
            ("5 models", None),
        ] {
            assert_eq!(of(&[("Retry-After", value)]), ms, "{value:?}");
        }
        assert_eq!(of(&[("retry-after-ms", "350"), ("retry-after", "1")]), Some(350));
        assert_eq!(of(&[("retry-after-ms", ""), ("retry-after", "1")]), Some(1_000));
        // Only a limit that has nothing left counts.
        let limits = [
            ("x-ratelimit-remaining-requests", "9"),
            ("x-ratelimit-reset-requests", "59s"),
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "6m0s"),
        ];
        assert_eq!(of(&limits), Some(360_000));
        assert_eq!(of(&limits[..2]), None);
        assert_eq!(of(&[("x-ratelimit-reset", "1994-11-06T08:49:39Z")]), Some(2_000));
        let in_2026 = [("X-RateLimit-Reset".to_owned(), "1795000002000".to_owned())];
        assert_eq!(wait_of_headers(&in_2026, 1_795_000_000_000.0), Some(2_000));
        let in_2026 = [("x-rate-limit-reset".to_owned(), "1795000002".to_owned())];
        assert_eq!(wait_of_headers(&in_2026, 1_795_000_000_000.0), Some(2_000));
        assert_eq!(of(&[("content-length", "5")]), None);
    }

    #[test]
    fn words_say_when_to_ask_again() {
        for (message, ms) in [
            ("Please try again in 1.5s.", Some(1_500)),
            ("Limit 3, Used 3, Requested 1. Please try again in 1m2.5s. Visit x", Some(62_500)),
            ("… exceeded the rate limit of your tier. Please retry after 6 seconds.", Some(6_000)),
            (
                "Rate limit of 3 requests per 1 minute; wait 20 seconds before the next",
                Some(20_000),
            ),
            ("Too busy: retry in 350ms", Some(350)),
            ("Please try again in 6m0s.", Some(360_000)),
            ("Try again in 20m", Some(1_200_000)),
            (
                "Remaining (req/min): 0. Upgrade your plan at http://a.test/prices or please retry \
                 after 25s, resets at Wed Oct 23 2024 23:13:13",
                Some(25_000),
            ),
            ("try again in 1 minute and 5 seconds", Some(65_000)),
            ("The limit resets in 2 hours", Some(7_200_000)),
            ("40 seconds until the limit resets", Some(40_000)),
            ("please wait 2-3 minutes", None),
            ("The limit is 60 requests per 1 minute, please retry later", None),
            ("We got 20 requests in 60 seconds. Please retry later", None),
            ("model gpt-4s is busy, try again", None),
            ("try again in a few seconds", None),
            ("try again with 5 models", None),
        ] {
            assert_eq!(wait_of_words(message), ms, "{message:?}");
        }
    }

    #[test]
    fn fields_say_it_under_any_name() {
        for (body, ms) in [
            (json!({ "error": { "details": [{ "a": 1 }, { "retryDelay": "3s" }] } }), Some(3_000)),
            (json!({ "message": "slow down", "retry_after": 1.5 }), Some(1_500)),
            (json!({ "error": { "metadata": { "retry_after_ms": 250 } } }), Some(250)),
            (json!([{ "error": { "retryAfterSeconds": "7" } }]), Some(7_000)),
            (json!({ "retryable": false, "retries": 3 }), None),
        ] {
            assert_eq!(wait_of_body(&body, ""), ms, "{body}");
        }
    }
}
