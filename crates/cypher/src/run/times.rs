//! Dates, times and durations: reading, adding, taking the difference.

use chrono::{
    DateTime, Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Utc,
};

use super::{Ran, fault, type_fault};
use crate::error::{Cause, CypherErrorKind};
use crate::functions::Function;
use crate::temporal::{Duration, Temporal, parts_of_text, utc};
use crate::value::{CypherValue, float_text};

fn unreadable<T>(what: &str, text: &str, example: &str) -> Ran<T> {
    let message = format!("{text:?} is no {what}; expected for example '{example}'");
    fault(CypherErrorKind::ArgumentError, Cause::InvalidArgumentValue, message)
}

/// `date(…)` and its like: of a text, a map of parts, another time, or now (UTC).
pub(super) fn read(function: Function, of: Option<&CypherValue>, now_ms: i64) -> Ran<CypherValue> {
    let now = DateTime::<Utc>::from_timestamp_millis(now_ms).unwrap_or_default();
    let (date, time, zone) = match of {
        None => (Some(now.date_naive()), Some(now.time()), None),
        Some(CypherValue::Null) => return Ok(CypherValue::Null),
        Some(CypherValue::Text(text)) => parts_of_text(text),
        Some(CypherValue::Map(map)) => {
            let part = |name: &str| match map.get(name) {
                Some(CypherValue::Int(n)) => u32::try_from(*n).ok(),
                _ => None,
            };
            let year = match map.get("year") {
                Some(CypherValue::Int(n)) => i32::try_from(*n).ok(),
                _ => None,
            };
            let date = year.and_then(|year| {
                NaiveDate::from_ymd_opt(year, part("month").unwrap_or(1), part("day").unwrap_or(1))
            });
            let time = NaiveTime::from_hms_opt(
                part("hour").unwrap_or(0),
                part("minute").unwrap_or(0),
                part("second").unwrap_or(0),
            );
            (date, time, None)
        }
        Some(CypherValue::Temporal(temporal)) => match temporal {
            Temporal::Date(date) => (Some(*date), None, None),
            Temporal::Time(time) => (None, Some(*time), None),
            Temporal::LocalDateTime(both) => (Some(both.date()), Some(both.time()), None),
            Temporal::DateTime(zoned) => {
                let local = zoned.naive_local();
                (Some(local.date()), Some(local.time()), Some(*zoned.offset()))
            }
            Temporal::Duration(_) => (None, None, None),
        },
        Some(other) => return type_fault(format!("no date can be made of {}", other.sort())),
    };
    let text = match of {
        Some(CypherValue::Text(text)) => text.to_string(),
        Some(other) => other.sort().to_owned(),
        None => String::new(),
    };
    let midnight = NaiveTime::default();
    Ok(CypherValue::Temporal(match function {
        Function::Date => match date {
            Some(date) => Temporal::Date(date),
            None => return unreadable("date", &text, "2024-05-31"),
        },
        Function::Time => match time {
            Some(time) => Temporal::Time(time),
            None => return unreadable("time", &text, "14:30:00"),
        },
        _ => {
            let Some(date) = date else {
                return unreadable("date with a time", &text, "2024-05-31T14:30:00");
            };
            let both = NaiveDateTime::new(date, time.unwrap_or(midnight));
            if function == Function::LocalDateTime {
                Temporal::LocalDateTime(both)
            } else {
                let zone = zone.unwrap_or_else(utc);
                match both.and_local_timezone(zone).single() {
                    Some(zoned) => Temporal::DateTime(zoned),
                    None => return unreadable("date with a time", &text, "2024-05-31T14:30:00Z"),
                }
            }
        }
    }))
}

/// `duration('P1Y2M3DT4H5M6S')` or `duration({days: 3})`.
pub(super) fn duration(of: &CypherValue) -> Ran<CypherValue> {
    let duration = match of {
        CypherValue::Temporal(Temporal::Duration(_)) => return Ok(of.clone()),
        CypherValue::Map(map) => {
            let mut sum = Duration::default();
            for (unit, n) in map.iter() {
                let n = match n {
                    CypherValue::Int(n) => *n as f64,
                    CypherValue::Float(x) => *x,
                    other => {
                        return type_fault(format!("{unit} needs a number, not {}", other.sort()));
                    }
                };
                if !add_unit(&mut sum, unit, n) {
                    let message = format!("a duration has no {unit}; it has years to seconds");
                    return fault(
                        CypherErrorKind::ArgumentError,
                        Cause::InvalidArgumentValue,
                        message,
                    );
                }
            }
            Some(sum)
        }
        CypherValue::Text(text) => duration_of_text(text),
        other => return type_fault(format!("no duration can be made of {}", other.sort())),
    };
    match duration {
        Some(duration) => Ok(CypherValue::Temporal(Temporal::Duration(duration))),
        None => {
            let text = plain_text(of);
            unreadable("duration", &text, "P1Y2M10DT2H30M")
        }
    }
}

fn add_unit(sum: &mut Duration, unit: &str, n: f64) -> bool {
    let whole = n.trunc() as i64;
    match unit {
        "years" => sum.months = sum.months.saturating_add((n * 12.0) as i64),
        "months" => sum.months = sum.months.saturating_add(whole),
        "weeks" => sum.days = sum.days.saturating_add((n * 7.0) as i64),
        "days" => sum.days = sum.days.saturating_add(whole),
        "hours" => sum.seconds = sum.seconds.saturating_add((n * 3600.0) as i64),
        "minutes" => sum.seconds = sum.seconds.saturating_add((n * 60.0) as i64),
        "seconds" => {
            sum.seconds = sum.seconds.saturating_add(n.floor() as i64);
            sum.nanos = ((n - n.floor()) * 1e9).round() as i64;
        }
        "milliseconds" => {
            sum.seconds = sum.seconds.saturating_add(whole / 1000);
            sum.nanos += whole % 1000 * 1_000_000;
        }
        _ => return false,
    }
    true
}

fn duration_of_text(text: &str) -> Option<Duration> {
    let (days, clock) = match text.trim().strip_prefix('P')?.split_once('T') {
        Some((days, clock)) => (days, clock),
        None => (text.trim().strip_prefix('P')?, ""),
    };
    let mut sum = Duration::default();
    let units = [
        (days, [('Y', "years"), ('M', "months"), ('W', "weeks"), ('D', "days")].as_slice()),
        (clock, &[('H', "hours"), ('M', "minutes"), ('S', "seconds")]),
    ];
    for (mut rest, units) in units {
        while !rest.is_empty() {
            let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
            let n: f64 = rest[..end].parse().ok()?;
            let letter = rest[end..].chars().next()?;
            let (_, unit) = units.iter().find(|(known, _)| *known == letter)?;
            add_unit(&mut sum, unit, n);
            rest = &rest[end + 1..];
        }
    }
    Some(sum)
}

fn too_far<T>() -> Ran<T> {
    let message = "the date or the duration is farther away than they go";
    fault(CypherErrorKind::ArithmeticError, Cause::NumberOutOfRange, message)
}

fn move_date(date: NaiveDate, by: &Duration, sign: i64) -> Option<NaiveDate> {
    let months = by.months.checked_mul(sign)?;
    let count = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
    let date =
        if months < 0 { date.checked_sub_months(count)? } else { date.checked_add_months(count)? };
    let days = by.days.checked_mul(sign)?;
    let count = Days::new(days.unsigned_abs());
    if days < 0 { date.checked_sub_days(count) } else { date.checked_add_days(count) }
}

fn move_both(both: NaiveDateTime, by: &Duration, sign: i64) -> Option<NaiveDateTime> {
    let date = move_date(both.date(), by, sign)?;
    let delta = TimeDelta::try_seconds(by.seconds.checked_mul(sign)?)?
        .checked_add(&TimeDelta::nanoseconds(by.nanos * sign))?;
    NaiveDateTime::new(date, both.time()).checked_add_signed(delta)
}

/// A time and a duration, or two durations; `sign` is -1 for the difference.
pub(super) fn add(a: &Temporal, b: &Temporal, sign: i64) -> Ran<CypherValue> {
    let moved = match (a, b) {
        (Temporal::Duration(a), Temporal::Duration(b)) => sum(a, b, sign).map(Temporal::Duration),
        (Temporal::Date(date), Temporal::Duration(by)) => {
            // Hours that make a day count; what is left of them a date does not show.
            let days = by.days.saturating_add(by.seconds / 86_400);
            let by = Duration { days, ..*by };
            move_date(*date, &by, sign).map(Temporal::Date)
        }
        (Temporal::Time(time), Temporal::Duration(by)) => {
            let delta = TimeDelta::try_seconds(by.seconds.saturating_mul(sign));
            delta.map(|delta| Temporal::Time(time.overflowing_add_signed(delta).0))
        }
        (Temporal::LocalDateTime(both), Temporal::Duration(by)) => {
            move_both(*both, by, sign).map(Temporal::LocalDateTime)
        }
        (Temporal::DateTime(zoned), Temporal::Duration(by)) => {
            move_both(zoned.naive_local(), by, sign)
                .and_then(|both| both.and_local_timezone(*zoned.offset()).single())
                .map(Temporal::DateTime)
        }
        (Temporal::Duration(_), _) if sign > 0 => return add(b, a, 1),
        _ => {
            let word = if sign > 0 { "added to" } else { "taken from" };
            let message = format!("{} cannot be {word} {}", b.sort(), a.sort());
            return type_fault(message);
        }
    };
    match moved {
        Some(temporal) => Ok(CypherValue::Temporal(temporal)),
        None => too_far(),
    }
}

pub(super) fn negate(of: &Temporal) -> Ran<CypherValue> {
    add(&Temporal::Duration(Duration::default()), of, -1)
}

pub(super) fn multiply(of: &Temporal, n: i64) -> Ran<CypherValue> {
    let Temporal::Duration(d) = of else {
        return type_fault(format!("{} cannot be multiplied", of.sort()));
    };
    let times = |part: i64| part.checked_mul(n);
    let product = times(d.months).zip(times(d.days)).zip(times(d.seconds));
    match product {
        Some(((months, days), seconds)) => {
            let duration = Duration { months, days, seconds, nanos: d.nanos };
            Ok(CypherValue::Temporal(Temporal::Duration(duration)))
        }
        None => too_far(),
    }
}

fn sum(a: &Duration, b: &Duration, sign: i64) -> Option<Duration> {
    let add = |a: i64, b: i64| a.checked_add(b.checked_mul(sign)?);
    Some(Duration {
        months: add(a.months, b.months)?,
        days: add(a.days, b.days)?,
        seconds: add(a.seconds, b.seconds)?,
        nanos: add(a.nanos, b.nanos)?,
    })
}

/// The length of time from one to another.
pub(super) fn between(from: &CypherValue, to: &CypherValue, in_days: bool) -> Ran<CypherValue> {
    let local = |value: &CypherValue| match value {
        CypherValue::Temporal(Temporal::Date(date)) => {
            Some(NaiveDateTime::new(*date, NaiveTime::default()))
        }
        CypherValue::Temporal(Temporal::LocalDateTime(both)) => Some(*both),
        CypherValue::Temporal(Temporal::DateTime(zoned)) => Some(zoned.naive_utc()),
        _ => None,
    };
    let (Some(a), Some(b)) = (local(from), local(to)) else {
        let message = format!("expected two dates, not {} and {}", from.sort(), to.sort());
        return type_fault(message);
    };
    let mut duration = Duration::default();
    if in_days {
        duration.days = (b - a).num_days();
    } else {
        let (early, late, sign) = if a <= b { (a, b, 1) } else { (b, a, -1) };
        let year_months = |t: &NaiveDateTime| i64::from(t.year()) * 12 + i64::from(t.month0());
        let mut months = year_months(&late) - year_months(&early);
        let by = |months: i64| Duration { months, ..Duration::default() };
        if move_both(early, &by(months), 1).is_none_or(|moved| moved > late) {
            months -= 1;
        }
        let moved = move_both(early, &by(months), 1).unwrap_or(early);
        let rest = late - moved;
        let seconds = rest.num_seconds() - rest.num_days() * 86_400;
        duration = Duration {
            months: months * sign,
            days: rest.num_days() * sign,
            seconds: seconds * sign,
            nanos: i64::from(late.nanosecond().saturating_sub(moved.nanosecond())),
        };
    }
    Ok(CypherValue::Temporal(Temporal::Duration(duration)))
}

/// A value without quotes, for texts that are put together.
pub(super) fn plain_text(value: &CypherValue) -> String {
    match value {
        CypherValue::Text(text) => text.to_string(),
        CypherValue::Float(x) => float_text(*x),
        CypherValue::Temporal(temporal) => temporal.to_string(),
        other => other.to_text(&kg::property::PropertyGraph::default()),
    }
}
