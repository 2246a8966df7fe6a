//! Moments as RFC 3339 text, which the formats of others want.

/// Milliseconds since 1970, from text such as `2026-05-01T10:00:00.5Z`.
pub(super) fn parse(text: &str) -> Option<f64> {
    let (date, rest) = text.trim().split_once(['T', ' '])?;
    let mut parts = date.splitn(3, '-');
    let year: i64 = parts.next()?.parse().ok()?;
    let month: i64 = parts.next()?.parse().ok()?;
    let day: i64 = parts.next()?.parse().ok()?;
    let zone_at = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(zone_at);
    let mut parts = clock.splitn(3, ':');
    let hour: i64 = parts.next()?.parse().ok()?;
    let minute: i64 = parts.next()?.parse().ok()?;
    let second: f64 = parts.next().unwrap_or("0").parse().ok()?;
    let is_there = (0..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0.0..61.0).contains(&second);
    if !is_there {
        return None;
    }
    let offset = match zone.get(1..).filter(|_| !zone.eq_ignore_ascii_case("z")) {
        Some(zone_text) if !zone.is_empty() => {
            let (h, m) = zone_text.split_once(':').unwrap_or((zone_text, "0"));
            let minutes: i64 = h.parse::<i64>().ok()? * 60 + m.parse::<i64>().ok()?;
            if zone.starts_with('-') { -minutes } else { minutes }
        }
        _ => 0,
    };
    let minutes = days(year, month, day) * 1440 + hour * 60 + minute - offset;
    Some(minutes as f64 * 60_000.0 + second * 1000.0)
}

/// The text of a moment, to the millisecond, in UTC.
pub(super) fn write(ms: f64) -> String {
    let ms = if ms.is_finite() { ms.clamp(0.0, 253_402_300_799_999.0) as i64 } else { 0 };
    let (day, of_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let (year, month, date) = civil(day);
    let (seconds, ms) = (of_day / 1000, of_day % 1000);
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{date:02}T{h:02}:{m:02}:{s:02}.{ms:03}Z")
}

/// Days from 1970-01-01 in the Gregorian calendar; years begin in March while counting, so that
/// the leap day comes last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The other way round.
fn civil(day: i64) -> (i64, i64, i64) {
    let z = day + 719_468;
    let (era, of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let m = (5 * of_year + 2) / 153;
    let month = if m < 10 { m + 3 } else { m - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_year - (153 * m + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_moments() {
        assert_eq!(parse("1970-01-01T00:00:00Z"), Some(0.0));
        assert_eq!(parse("2000-02-29T12:30:00.250+02:00"), Some(951_820_200_250.0));
        assert_eq!(write(951_820_200_250.0), "2000-02-29T10:30:00.250Z");
        assert_eq!(write(1_767_225_599_000.0), "2025-12-31T23:59:59.000Z");
        for bad in ["", "yesterday", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T25:00:00Z"] {
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
