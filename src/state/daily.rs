//! The problem of the day: which one it is, and how a result is told.

use std::fmt;

use tasks::{TaskId, Verdict};
use trace::{Step, StepBody, ToolResult};

use super::setup::ProblemSetup;
use super::story::Steps;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    year: i64,
    month: i64,
    day: i64,
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Day {
    /// The day of a moment in UTC, in milliseconds since 1970.
    pub fn of_ms(ms: f64) -> Self {
        let first = Self { year: 1970, month: 1, day: 1 };
        Self::from_text(trace::formats::moment(ms).get(..10).unwrap_or_default()).unwrap_or(first)
    }

    /// Reads `2026-11-25`.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-').map(|part| {
            let is_number =
                !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| part.parse::<i64>().ok()).flatten()
        });
        let day = Self { year: parts.next()??, month: parts.next()??, day: parts.next()?? };
        let is_leap = (day.year % 4 == 0 && day.year % 100 != 0) || day.year % 400 == 0;
        let n_days = match day.month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        (day.year >= 1970 && (1..=n_days).contains(&day.day)).then_some(day)
    }

    /// Days since 1970-01-01. Years begin in March while counting, so that the leap day comes last.
    pub fn number(self) -> u64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        let days = year * 365 + year / 4 - year / 100 + year / 400 + of_year - 719_468;
        u64::try_from(days).unwrap_or_default()
    }

    /// The day before; none before the first.
    pub fn before(self) -> Option<Self> {
        let days = self.number().checked_sub(1)?;
        Some(Self::of_ms(days as f64 * 86_400_000.0))
    }
}

/// The tasks in turn. Graph convolution is left out, for its question needs a paper.
const TURNS: [TaskId; 7] = [
    TaskId::ShortestPath,
    TaskId::Cycle,
    TaskId::Hamilton,
    TaskId::Flow,
    TaskId::Connectivity,
    TaskId::Matching,
    TaskId::Topology,
];

/// The problem of a day, the same for everybody.
pub fn problem_of(day: Day) -> ProblemSetup {
    let number = day.number();
    let task = TURNS[(number % TURNS.len() as u64) as usize];
    // The first page and the examples have the small seeds.
    ProblemSetup { task, seed: 1_000_000 + number, ..ProblemSetup::default() }
}

/// What of a run its result needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayResult {
    /// How right the answer is.
    pub verdict: Verdict,
    /// For each call of a graph function whether it worked.
    pub calls: Vec<bool>,
}

impl DayResult {
    /// The result of a run with these steps.
    pub fn of(verdict: Verdict, steps: &[Step]) -> Self {
        let worked = |step: &Step| match &step.body {
            StepBody::Call { result, .. } => Some(matches!(result, ToolResult::Value { .. })),
            _ => None,
        };
        Self { verdict, calls: steps.iter().filter_map(worked).collect() }
    }
}

fn calls(n: usize) -> String {
    if n == 1 { "1 call".to_owned() } else { format!("{n} calls") }
}

/// The calls among some steps.
pub fn n_calls(steps: &Steps) -> usize {
    steps.iter().filter(|step| matches!(step.body, StepBody::Call { .. })).count()
}

/// How many calls were made so far, in words.
pub fn so_far(n: usize) -> String {
    match n {
        0 => "No calls so far.".to_owned(),
        n => format!("{} so far.", calls(n)),
    }
}

/// How a run compares with par, the calls of the script that knows every function, in a sentence.
pub fn told(played: &DayResult, script: Option<usize>) -> String {
    let n_calls = played.calls.len();
    let n = calls(n_calls);
    if played.verdict != Verdict::Correct {
        return format!("Your answer is not right, after {n}. Try again.");
    }
    if n_calls == 0 {
        return "Right, but without a call it does not count. Solve it with calls.".to_owned();
    }
    match script {
        None => format!("Right, with {n}."),
        Some(best) if n_calls < best => format!("Right, with {n}: {} under par.", best - n_calls),
        Some(best) if n_calls == best => format!("Right, with {n}: par."),
        Some(best) => format!("Right, with {n}. Par is {best}."),
    }
}

/// The most squares of a result.
const MOST_SQUARES: usize = 12;

/// The result in a line: a square for each call, empty where it failed, and whether the answer is right.
pub fn line(day: Day, played: &DayResult, script: Option<usize>) -> String {
    let n_calls = played.calls.len();
    let (word, sign) = match played.verdict {
        Verdict::Correct if n_calls == 0 => ("guessed,", ""),
        Verdict::Correct => ("solved with", " ✓"),
        _ => ("not solved,", " ✗"),
    };
    let square = |worked: &bool| if *worked { '■' } else { '□' };
    let squares: String = played.calls.iter().take(MOST_SQUARES).map(square).collect();
    let more = if n_calls > MOST_SQUARES { "…" } else { "" };
    let best = script.map_or_else(String::new, |best| format!(" (par {best})"));
    let gap = if squares.is_empty() { "" } else { " " };
    format!(
        "Graphground · be the model · {day} · {word} {}{best}{gap}{squares}{more}{sign}",
        calls(n_calls)
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn day(text: &str) -> Day {
        Day::from_text(text).unwrap()
    }

    #[test]
    fn days_are_counted_and_read_back() {
        assert_eq!(day("1970-01-01").number(), 0);
        assert_eq!(day("2000-03-01").number(), 11_017);
        assert_eq!(day("2026-11-25").number(), 20_782);
        assert_eq!(day("1970-01-01").before(), None);
        assert_eq!(day("2024-03-01").before(), Some(day("2024-02-29")));
        for number in (0..40_000_u64).step_by(13) {
            let there = Day::of_ms(number as f64 * 86_400_000.0 + 86_399_999.0);
            assert_eq!((there.number(), day(&there.to_string())), (number, there));
        }
    }

    #[test]
    fn what_is_no_day_is_not_read() {
        for text in [
            "",
            "2026",
            "2026-11",
            "2026-13-01",
            "2026-02-29",
            "2026-11-31",
            "2026-11-00",
            "1969-01-01",
            "2026-11-25x",
            "+026-11-25",
            "99999-01-01",
        ] {
            assert_eq!(Day::from_text(text), None, "{text}");
        }
        assert!(Day::from_text("2028-02-29").is_some());
    }

    #[test]
    fn a_week_has_every_task_and_every_day_its_own_problem() {
        let first = day("2026-12-28").number();
        let of = |number: u64| problem_of(Day::of_ms(number as f64 * 86_400_000.0));
        let week: Vec<ProblemSetup> = (first..first + 7).map(of).collect();
        let tasks: BTreeSet<TaskId> = week.iter().map(|setup| setup.task).collect();
        assert_eq!(tasks.len(), TURNS.len());
        assert_ne!(of(first), of(first + 7));
        assert_eq!(problem_of(day("2026-11-25")), problem_of(day("2026-11-25")));
    }

    #[test]
    fn a_result_says_calls_and_the_scripts() {
        let right = |n| DayResult { verdict: Verdict::Correct, calls: vec![true; n] };
        let of = |played| line(day("2026-11-25"), &played, Some(4));
        assert_eq!(
            of(right(2)),
            "Graphground · be the model · 2026-11-25 · solved with 2 calls (par 4) ■■ ✓"
        );
        assert!(of(right(30)).ends_with("■■■■■■■■■■■■… ✓"));
        assert!(of(right(0)).contains("guessed, 0 calls (par 4)"));
        let wrong = DayResult { verdict: Verdict::Incorrect, calls: vec![true, false] };
        assert_eq!(
            of(wrong.clone()),
            "Graphground · be the model · 2026-11-25 · not solved, 2 calls (par 4) ■□ ✗"
        );
        assert!(told(&right(2), Some(4)).contains("2 under par"));
        assert!(told(&right(4), Some(4)).ends_with("4 calls: par."));
        assert!(told(&right(1), None).contains("with 1 call."));
        assert!(told(&right(0), Some(4)).contains("does not count"));
        assert!(told(&wrong, Some(4)).contains("not right"));
    }
}
