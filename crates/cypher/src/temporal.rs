//! Dates, times and lengths of time, as far as language models write them.
//!
//! Times of day with a zone are left out: they are read as times without one.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

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

/// As ISO 8601 writes it.
impl fmt::Display for Temporal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Date(date) => write!(f, "{date}"),
            Self::Time(time) => write!(f, "{time}"),
            Self::LocalDateTime(both) => write!(f, "{}T{}", both.date(), both.time()),
            Self::DateTime(zoned) => {
                let local = zoned.naive_local();
                let offset = zoned.offset();
                write!(f, "{}T{}", local.date(), local.time())?;
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
