//! Numbers of cells as Excel shows them: dates, times, percentages.

/// How a cell's number is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Format {
    /// As a number.
    #[default]
    Plain,
    /// Times 100, with `%`.
    Percent,
    /// As a date, a time of day, or both.
    Moment {
        /// Whether the date is shown.
        has_date: bool,
        /// Whether the time is shown.
        has_time: bool,
    },
    /// As hours, minutes and seconds that go beyond a day.
    Duration,
}

const DATE: Format = Format::Moment { has_date: true, has_time: false };
const TIME: Format = Format::Moment { has_date: false, has_time: true };
const BOTH: Format = Format::Moment { has_date: true, has_time: true };

/// The format of a number that all workbooks know.
pub(crate) fn built_in(id: usize) -> Format {
    match id {
        9 | 10 => Format::Percent,
        14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58 => DATE,
        18..=21 | 32..=35 | 45 | 47 | 55 | 56 => TIME,
        22 => BOTH,
        46 => Format::Duration,
        _ => Format::Plain,
    }
}

/// What a code such as `yyyy-mm-dd` shows. In time that grows with the code.
pub(crate) fn of_code(code: &str) -> Format {
    let (mut has_date, mut has_time, mut has_month) = (false, false, false);
    // The first section is that of positive numbers.
    let mut chars = code.chars();
    while let Some(char) = chars.next() {
        match char {
            ';' => break,
            '"' => {
                chars.by_ref().find(|char| *char == '"');
            }
            '\\' | '_' | '*' => {
                chars.next();
            }
            '[' => {
                let inner: String = chars.by_ref().take_while(|char| *char != ']').collect();
                let inner = inner.to_ascii_lowercase();
                if !inner.is_empty() && inner.bytes().all(|byte| matches!(byte, b'h' | b'm' | b's'))
                {
                    return Format::Duration;
                }
            }
            '%' => return Format::Percent,
            'y' | 'Y' | 'd' | 'D' => has_date = true,
            'h' | 'H' | 's' | 'S' => has_time = true,
            'm' | 'M' => has_month = true,
            // "General".
            'g' | 'G' if !has_date && !has_time && !has_month => return Format::Plain,
            _ => {}
        }
    }
    has_date |= has_month && !has_time;
    if has_date || has_time { Format::Moment { has_date, has_time } } else { Format::Plain }
}

/// A number as text. `is_1904` says that days are counted from 1904.
pub(crate) fn show(number: f64, format: Format, is_1904: bool) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    match format {
        Format::Plain => plain(number),
        Format::Percent => format!("{}%", plain(number * 100.0)),
        Format::Duration if number.abs() < 1e9 => {
            let seconds = (number.abs() * 86_400.0).round();
            let (hours, rest) = ((seconds / 3600.0).floor(), seconds % 3600.0);
            let sign = if number < 0.0 { "-" } else { "" };
            format!("{sign}{hours}:{:02}:{:02}", (rest / 60.0).floor(), rest % 60.0)
        }
        Format::Moment { has_date, has_time } => {
            moment(number, has_date, has_time, is_1904).unwrap_or_else(|| plain(number))
        }
        Format::Duration => plain(number),
    }
}

/// A number with the 15 digits that Excel keeps.
fn plain(number: f64) -> String {
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    if rounded != 0.0 && !(1e-9..1e21).contains(&rounded.abs()) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

fn moment(number: f64, has_date: bool, has_time: bool, is_1904: bool) -> Option<String> {
    // The last day that Excel knows is the last of the year 9999.
    if !(0.0..2_958_466.0).contains(&number) {
        return None;
    }
    let mut days = number.floor();
    let mut seconds = ((number - days) * 86_400.0).round();
    if seconds >= 86_400.0 {
        (days, seconds) = (days + 1.0, 0.0);
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked above")]
    let (days, seconds) = (days as i64, seconds as i64);
    let time = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if !has_date && (days == 0 || !has_time) {
        return Some(time);
    }
    // Excel takes 1900 for a leap year, so days before March 1900 are one off.
    let since_1970 = match (is_1904, days) {
        (true, days) => days - 24_107,
        (false, ..60) => days - 25_568,
        (false, days) => days - 25_569,
    };
    let (year, month, day) = civil(since_1970);
    let date = format!("{year:04}-{month:02}-{day:02}");
    Some(if has_time && (seconds != 0 || !has_date) { format!("{date} {time}") } else { date })
}

/// Year, month and day of a day since 1970, by Howard Hinnant's algorithm.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_say_what_is_shown() {
        for (code, format) in [
            ("yyyy-mm-dd", DATE),
            ("dd/mm/yyyy hh:mm", BOTH),
            ("h:mm AM/PM", TIME),
            ("mmm", DATE),
            ("[h]:mm:ss", Format::Duration),
            ("0.00%", Format::Percent),
            ("General", Format::Plain),
            ("#,##0.00", Format::Plain),
            ("[Red]0.0\"days\"", Format::Plain),
            ("[$-409]d-mmm-yy;@", DATE),
            ("\"y\"0", Format::Plain),
        ] {
            assert_eq!(of_code(code), format, "{code}");
        }
    }

    #[test]
    fn moments_are_those_of_excel() {
        for (number, format, text) in [
            (1.0, DATE, "1900-01-01"),
            (59.0, DATE, "1900-02-28"),
            (61.0, DATE, "1900-03-01"),
            (45_292.0, DATE, "2024-01-01"),
            (45_351.5, BOTH, "2024-02-29 12:00:00"),
            (0.75, TIME, "18:00:00"),
            (1.5, Format::Duration, "36:00:00"),
            (0.125, Format::Percent, "12.5%"),
            (0.1 + 0.2, Format::Plain, "0.3"),
            (-4.0, DATE, "-4"),
        ] {
            assert_eq!(show(number, format, false), text);
        }
        assert_eq!(show(0.0, DATE, true), "1904-01-01");
    }
}
