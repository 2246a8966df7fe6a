//! Moments as RFC 3339 text, which the formats of others want.

use chrono::{DateTime, Datelike as _, SecondsFormat};

/// As others write them: with or without seconds, and a zone with or without minutes.
const FORMS: [&str; 2] = ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M%#z"];

/// Milliseconds since 1970, from text such as `2026-05-01T10:00:00.5Z`; without a zone it is UTC.
pub(super) fn parse(text: &str) -> Option<f64> {
    let text = text.trim().replacen(' ', "T", 1);
    let read = |text: &str| FORMS.iter().find_map(|form| DateTime::parse_from_str(text, form).ok());
    let at = read(&text).or_else(|| read(&format!("{text}Z")))?;
    let is_there = (0..=9999).contains(&at.year());
    is_there.then(|| at.timestamp() as f64 * 1e3 + f64::from(at.timestamp_subsec_nanos()) / 1e6)
}

/// The text of a moment, to the millisecond, in UTC.
pub(super) fn write(ms: f64) -> String {
    let ms = ms.clamp(0.0, 253_402_300_799_999.0) as i64;
    let at = DateTime::from_timestamp_millis(ms).unwrap_or_default();
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_moments() {
        assert_eq!(parse("1970-01-01T00:00:00Z"), Some(0.0));
        assert_eq!(parse("2000-02-29T12:30:00.250+02:00"), Some(951_820_200_250.0));
        // Without a zone, without seconds, as databases write it, with a second that was inserted.
        for other in ["2000-02-29 10:30", "2000-02-29T10:30z", " 2000-02-29 12:30:00+02 "] {
            assert_eq!(parse(other), Some(951_820_200_000.0), "{other}");
        }
        assert_eq!(parse("1999-12-31T23:59:60.5Z"), parse("2000-01-01T00:00:00.5"));
        assert_eq!(parse("1970-01-01T00:00:00.0015Z"), Some(1.5));
        assert_eq!(write(f64::NAN), "1970-01-01T00:00:00.000Z");
        assert_eq!(write(f64::INFINITY), "9999-12-31T23:59:59.999Z");
        assert_eq!(write(951_820_200_250.0), "2000-02-29T10:30:00.250Z");
        assert_eq!(write(1_767_225_599_000.0), "2025-12-31T23:59:59.000Z");
        for bad in [
            "",
            "yesterday",
            "2026-13-01T00:00:00Z",
            "2026-01-01",
            "2026-01-01T25:00:00Z",
            "2026-02-30T00:00:00Z",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_moment_comes_back(ms in 0_i64..253_402_300_799_999) {
            prop_assert_eq!(parse(&write(ms as f64)), Some(ms as f64));
        }

        #[test]
        fn any_text_is_read_or_not(text in ".{0,40}") {
            let _ = parse(&text);
        }
    }
}
