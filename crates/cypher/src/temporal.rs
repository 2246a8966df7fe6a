//! Dates, times and lengths of time, as far as language models write them.
//!
//! Times of day with a zone are left out: they are read as times without one.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Timelike, Utc};

/// A date, a time or a length of time.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Temporal {
    /// A day.
    Date(NaiveDate),
    /// A time of a day.
    Time(NaiveTime),
    /// A day and a time, without a zone.
    LocalDateTime(NaiveDateTime),
    /// A day and a time in a zone.
    DateTime(DateTime<FixedOffset>),
    /// A length of time.
    Duration(Duration),
}

/// A length of time. Months and days are kept apart, because their lengths differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Duration {
    /// Months.
    pub months: i64,
    /// Days.
    pub days: i64,
    /// Seconds.
    pub seconds: i64,
    /// Billionths of a second, 0 to 999,999,999.
    pub nanos: i64,
}

impl Duration {
    /// Seconds with a month of 30.436875 days, for comparing.
    fn about_seconds(&self) -> i128 {
        let days = i128::from(self.months) * 2_629_746 + i128::from(self.days) * 86_400;
        (days + i128::from(self.seconds)) * 1_000_000_000 + i128::from(self.nanos)
    }
}

impl Temporal {
    /// What a text says that was a date or a time before it was stored: a whole day, with a time or
    /// without. A year alone is a number, and no day.
    pub(crate) fn of_stored(text: &str) -> Option<Self> {
        let is_day = |text: &str| text.len() == 10 && text.as_bytes()[4] == b'-';
        if !is_day(text.get(..10)?) {
            return None;
        }
        match parts_of_text(text) {
            (Some(date), None, None) if text.len() == 10 => Some(Self::Date(date)),
            (Some(date), Some(time), None) => {
                Some(Self::LocalDateTime(NaiveDateTime::new(date, time)))
            }
            (Some(date), Some(time), Some(zone)) => {
                let both = NaiveDateTime::new(date, time);
                both.and_local_timezone(zone).single().map(Self::DateTime)
            }
            _ => None,
        }
    }

    pub(crate) fn sort(&self) -> &'static str {
        match self {
            Self::Date(_) => "a date",
            Self::Time(_) => "a time",
            Self::LocalDateTime(_) | Self::DateTime(_) => "a date with a time",
            Self::Duration(_) => "a duration",
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Date(_) => 0,
            Self::Time(_) => 1,
            Self::LocalDateTime(_) => 2,
            Self::DateTime(_) => 3,
            Self::Duration(_) => 4,
        }
    }

    pub(crate) fn compare(&self, other: &Self) -> Option<Ordering> {
        // Of two durations nobody knows which is longer: a month has 28 to 31 days.
        let is_duration = matches!(self, Self::Duration(_));
        (self.rank() == other.rank() && !is_duration).then(|| self.order(other))
    }

    pub(crate) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Date(a), Self::Date(b)) => a.cmp(b),
            (Self::Time(a), Self::Time(b)) => a.cmp(b),
            (Self::LocalDateTime(a), Self::LocalDateTime(b)) => a.cmp(b),
            (Self::DateTime(a), Self::DateTime(b)) => a.cmp(b),
            (Self::Duration(a), Self::Duration(b)) => {
                let parts = |d: &Duration| (d.months, d.days, d.seconds, d.nanos);
                a.about_seconds().cmp(&b.about_seconds()).then_with(|| parts(a).cmp(&parts(b)))
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }

    /// A part by its name, as in `date('2022-06-27').year`.
    pub(crate) fn part(&self, name: &str) -> Option<i64> {
        if let Self::Duration(d) = self {
            return Some(match name {
                "years" => d.months / 12,
                "months" => d.months,
                "weeks" => d.days / 7,
                "days" => d.days,
                "hours" => d.seconds / 3600,
                "minutes" => d.seconds / 60,
                "seconds" => d.seconds,
                "milliseconds" => d.seconds * 1000 + d.nanos / 1_000_000,
                _ => return None,
            });
        }
        let (date, time) = match self {
            Self::Date(date) => (Some(*date), None),
            Self::Time(time) => (None, Some(*time)),
            Self::LocalDateTime(both) => (Some(both.date()), Some(both.time())),
            Self::DateTime(zoned) => {
                let local = zoned.naive_local();
                match name {
                    "epochSeconds" => return Some(zoned.timestamp()),
                    "epochMillis" => return Some(zoned.timestamp_millis()),
                    "offsetSeconds" => return Some(zoned.offset().local_minus_utc().into()),
                    _ => (Some(local.date()), Some(local.time())),
                }
            }
            Self::Duration(_) => return None,
        };
        if let Some(date) = date {
            let found = match name {
                "year" => Some(i64::from(date.year())),
                "weekYear" => Some(i64::from(date.iso_week().year())),
                "quarter" => Some(i64::from(date.month0() / 3 + 1)),
                "month" => Some(i64::from(date.month())),
                "week" => Some(i64::from(date.iso_week().week())),
                "day" => Some(i64::from(date.day())),
                "dayOfWeek" | "weekDay" => Some(i64::from(date.weekday().number_from_monday())),
                "ordinalDay" => Some(i64::from(date.ordinal())),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        let time = time?;
        Some(match name {
            "hour" => time.hour().into(),
            "minute" => time.minute().into(),
            "second" => time.second().into(),
            "millisecond" => (time.nanosecond() / 1_000_000).into(),
            "microsecond" => (time.nanosecond() / 1_000).into(),
            "nanosecond" => time.nanosecond().into(),
            _ => return None,
        })
    }
}

impl Hash for Temporal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Date(date) => date.hash(state),
            Self::Time(time) => time.hash(state),
            Self::LocalDateTime(both) => both.hash(state),
            Self::DateTime(zoned) => zoned.hash(state),
            Self::Duration(duration) => duration.hash(state),
        }
    }
}

/// A time of day, with seconds only where there are some.
struct Clock(NaiveTime);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.second() == 0 && self.0.nanosecond() == 0 {
            return write!(f, "{:02}:{:02}", self.0.hour(), self.0.minute());
        }
        write!(f, "{}", self.0)
    }
}

/// As ISO 8601 writes it.
impl fmt::Display for Temporal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Date(date) => write!(f, "{date}"),
            Self::Time(time) => Clock(*time).fmt(f),
            Self::LocalDateTime(both) => write!(f, "{}T{}", both.date(), Clock(both.time())),
            Self::DateTime(zoned) => {
                let local = zoned.naive_local();
                let offset = zoned.offset();
                write!(f, "{}T{}", local.date(), Clock(local.time()))?;
                if offset.local_minus_utc() == 0 { f.write_str("Z") } else { write!(f, "{offset}") }
            }
            Self::Duration(d) => {
                f.write_str("P")?;
                let (years, months) = (d.months / 12, d.months % 12);
                for (n, unit) in [(years, 'Y'), (months, 'M'), (d.days, 'D')] {
                    if n != 0 {
                        write!(f, "{n}{unit}")?;
                    }
                }
                let (hours, minutes) = (d.seconds / 3600, d.seconds / 60 % 60);
                let seconds = d.seconds % 60;
                if d.seconds == 0 && d.nanos == 0 {
                    return if d.months == 0 && d.days == 0 { f.write_str("T0S") } else { Ok(()) };
                }
                f.write_str("T")?;
                for (n, unit) in [(hours, 'H'), (minutes, 'M')] {
                    if n != 0 {
                        write!(f, "{n}{unit}")?;
                    }
                }
                if d.nanos != 0 {
                    let digits = format!("{:09}", d.nanos);
                    write!(f, "{seconds}.{}S", digits.trim_end_matches('0'))?;
                } else if seconds != 0 {
                    write!(f, "{seconds}S")?;
                }
                Ok(())
            }
        }
    }
}

pub(crate) fn utc() -> FixedOffset {
    DateTime::<Utc>::default().fixed_offset().timezone()
}

pub(crate) type Parts = (Option<NaiveDate>, Option<NaiveTime>, Option<FixedOffset>);

/// `2024`, `2024-05`, `2024-05-31`, `20240531`, with `T14:30`, `T14:30:00.5` and `Z`, `+02:00`
/// behind; or a time alone.
pub(crate) fn parts_of_text(text: &str) -> Parts {
    let text = text.trim();
    let (day, rest) = match text.split_once(['T', ' ']) {
        Some((day, rest)) => (day, Some(rest)),
        None if text.contains(':') => ("", Some(text)),
        None => (text, None),
    };
    let number = |text: &str| text.parse::<u32>().ok();
    let parts: Vec<&str> = day.split('-').collect();
    let date = match parts[..] {
        [year] if year.len() == 8 => NaiveDate::parse_from_str(year, "%Y%m%d").ok(),
        [year] if year.len() == 4 => {
            year.parse().ok().and_then(|year| NaiveDate::from_ymd_opt(year, 1, 1))
        }
        [year, month] => year
            .parse()
            .ok()
            .zip(number(month))
            .and_then(|(year, month)| NaiveDate::from_ymd_opt(year, month, 1)),
        [_, _, _] => NaiveDate::parse_from_str(day, "%Y-%m-%d").ok(),
        _ => None,
    };
    let Some(rest) = rest else { return (date, None, None) };
    let rest = rest.split('[').next().unwrap_or(rest);
    let zone_at = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(zone_at);
    let formats = ["%H:%M:%S%.f", "%H:%M", "%H%M%S"];
    let time = formats.iter().find_map(|format| NaiveTime::parse_from_str(clock, format).ok());
    let zone = match zone {
        "" => None,
        "Z" => Some(utc()),
        zone => zone.parse().ok(),
    };
    (date, time, zone)
}
