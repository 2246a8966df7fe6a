//! A benchmark as the page holds it: its name, its form, the list of its runs.

use eval::About;
use protocol::bench::{BenchProgress, BenchRow, BenchSpec};
use serde::{Deserialize, Serialize};
use tasks::Verdict;

use super::numbers::grouped;
use super::prices::dollars;

/// What a benchmark is called and does; its lines are kept apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchMeta {
    /// Milliseconds since 1970 at which it was made; also its key.
    pub id: f64,
    /// The title that a person gave it.
    pub title: String,
    /// What it does; absent for one that was read from a file.
    pub spec: Option<BenchSpec>,
    /// Finished runs, when it was last looked at.
    pub n_runs: usize,
    /// The number of runs in all.
    pub n_jobs: usize,
    /// What its report says of itself besides the title.
    #[serde(default)]
    pub about: About,
}

/// What of it stands in a list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BenchName {
    /// Its key.
    pub id: f64,
    /// The title that a person gave it.
    pub title: String,
    /// Finished runs, when it was last looked at.
    pub n_runs: usize,
}

/// What a benchmark of a title is called where it stands in a list.
pub fn name(title: &str) -> &str {
    match title.trim() {
        "" => "A benchmark",
        title => title,
    }
}

/// What a person typed about a report, for a page that goes before it is kept with its benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AboutDraft {
    /// The benchmark's id.
    pub id: f64,
    /// The report's title, and what else it says of itself.
    pub about: About,
}

impl AboutDraft {
    /// The benchmark that it is about, with it.
    pub fn put_into(self, list: &mut [BenchMeta]) -> Option<&BenchMeta> {
        let meta = list.iter_mut().find(|meta| meta.id == self.id)?;
        meta.title.clone_from(&self.about.title);
        meta.about = self.about;
        Some(meta)
    }
}

/// By what the list of runs is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// The order of the file.
    #[default]
    File,
    /// The problem's name.
    Problem,
    /// The setup.
    Setup,
    /// The verdict, best first.
    Verdict,
    /// Nodes of the graph.
    Nodes,
    /// Tool calls.
    Calls,
    /// Calls that went wrong.
    Mistakes,
    /// Seconds.
    Seconds,
    /// Tokens; those that nobody told come last.
    Tokens,
}

/// Which runs are listed, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// By what they are sorted.
    pub by: SortBy,
    /// The other way round.
    pub is_reversed: bool,
    /// Only with this verdict.
    pub verdict: Option<Verdict>,
    /// Only of this setup.
    pub setup: Option<usize>,
    /// Only those whose problem's name has this in it.
    pub words: String,
}

impl View {
    /// The places of the rows that are listed, in their order.
    pub fn places(&self, rows: &[BenchRow]) -> Vec<usize> {
        let words = self.words.trim().to_lowercase();
        let is_in = |row: &BenchRow| {
            self.verdict.is_none_or(|v| v == row.verdict)
                && self.setup.is_none_or(|s| s == row.setup)
                && (words.is_empty() || row.key.case.to_lowercase().contains(&words))
        };
        let mut places: Vec<usize> = (0..rows.len()).filter(|i| is_in(&rows[*i])).collect();
        let verdict = |row: &BenchRow| Verdict::ALL.iter().position(|v| *v == row.verdict);
        places.sort_by(|a, b| {
            let (a, b) = (&rows[*a], &rows[*b]);
            match self.by {
                SortBy::File => std::cmp::Ordering::Equal,
                SortBy::Problem => natural(&a.key.case, &b.key.case),
                SortBy::Setup => a.setup.cmp(&b.setup),
                SortBy::Verdict => verdict(a).cmp(&verdict(b)),
                SortBy::Nodes => a.n_nodes.cmp(&b.n_nodes),
                SortBy::Calls => a.n_calls.cmp(&b.n_calls),
                SortBy::Mistakes => a.n_mistakes.cmp(&b.n_mistakes),
                SortBy::Seconds => a.seconds.total_cmp(&b.seconds),
                SortBy::Tokens => a.tokens.unwrap_or(u64::MAX).cmp(&b.tokens.unwrap_or(u64::MAX)),
            }
        });
        if self.is_reversed {
            places.reverse();
        }
        places
    }

    /// A click on a column: sorts by it, or the other way round if it is that already.
    pub fn sort(&mut self, by: SortBy) {
        self.is_reversed = self.by == by && !self.is_reversed;
        self.by = by;
    }
}

/// Compares names so that numbers in them count as numbers: `a-2` comes before `a-10`.
fn natural(a: &str, b: &str) -> std::cmp::Ordering {
    let parts = |text: &str| -> Vec<(String, u64)> {
        let mut parts = vec![(String::new(), 0_u64)];
        let mut in_number = false;
        for c in text.chars() {
            match (c.to_digit(10), parts.last_mut()) {
                (Some(d), Some((_, n))) => {
                    *n = n.saturating_mul(10).saturating_add(u64::from(d));
                    in_number = true;
                }
                (None, _) if in_number => {
                    parts.push((c.to_string(), 0));
                    in_number = false;
                }
                (None, Some((word, _))) => word.push(c),
                _ => {}
            }
        }
        parts
    };
    parts(a).cmp(&parts(b))
}

/// How far a benchmark is, in words: runs, the rate, what is correct, what was used up. `n_correct` is
/// of all runs that are finished.
pub fn progress_words(
    p: &BenchProgress,
    n_correct: usize,
    took_ms: f64,
    is_running: bool,
) -> String {
    let mut facts = vec![format!("{} of {} runs", grouped(p.n_done), grouped(p.n_jobs))];
    if is_running {
        facts.extend(time_left(p, took_ms));
        facts.push(format!("{} running (limit {})", p.n_running, p.concurrency));
    } else if took_ms > 0.0 {
        facts.push(format!("{} new in {:.1} s", grouped(p.n_new), took_ms / 1e3));
    }
    if p.n_done > 0 {
        facts.push(format!("{} correct", grouped(n_correct)));
    }
    if p.n_failed > 0 {
        facts.push(format!("{} failed", p.n_failed));
    }
    if p.n_retries > 0 {
        facts.push(format!("{} questions asked again", p.n_retries));
    }
    if p.spent.tokens > 0 {
        let sum = (p.spent.n_unpriced == 0).then_some(p.spent.dollars);
        facts.push(format!("{} tokens, {}", grouped(p.spent.tokens as usize), dollars(sum)));
    }
    facts.join(" · ")
}

/// How many runs are in lines of a runs file.
pub fn runs_in(lines: &str) -> usize {
    lines.lines().filter(|line| line.starts_with("{\"type\":\"run\"")).count()
}

/// What is said of lines that the browser's storage does not take, and why it does not.
pub fn unkept_words(why: &str, n_runs: usize) -> String {
    let what = match n_runs {
        0 => "the last changes of this benchmark are not kept".to_owned(),
        1 => "1 run is not kept".to_owned(),
        n => format!("{} runs are not kept", grouped(n)),
    };
    format!(
        "{why}: {what} and only in this tab. Save the runs file, or delete kept runs or benchmarks and \
         press “Keep them now”."
    )
}

/// How long it will take, in words, from how long it took until now.
pub fn time_left(progress: &BenchProgress, took_ms: f64) -> Option<String> {
    let left = progress.n_jobs.saturating_sub(progress.n_done + progress.n_failed);
    if progress.n_new == 0 || took_ms <= 0.0 {
        return None;
    }
    let rate = progress.n_new as f64 / (took_ms / 1e3);
    let seconds = left as f64 / rate;
    let words = match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5_400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    };
    let rate = if rate >= 10.0 {
        format!("{rate:.0} a second")
    } else {
        format!("{:.1} a minute", rate * 60.0)
    };
    Some(format!("{rate}, {words} left"))
}

#[cfg(test)]
mod tests {
    use eval::Key;
    use proptest::prelude::*;

    use super::*;

    fn row(
        case: &str,
        setup: usize,
        verdict: Verdict,
        n_calls: u32,
        tokens: Option<u64>,
    ) -> BenchRow {
        BenchRow {
            key: Key { setup: "a".into(), case: case.into(), sample: 0 },
            setup,
            group: "cycle".into(),
            level: String::new(),
            verdict,
            n_nodes: 3,
            n_calls,
            n_mistakes: 0,
            seconds: 1.0,
            tokens,
        }
    }

    #[test]
    fn what_was_typed_goes_into_its_own_benchmark() {
        let meta = |id| BenchMeta {
            id,
            title: "Before".into(),
            spec: None,
            n_runs: 1,
            n_jobs: 1,
            about: About::default(),
        };
        let mut list = [meta(1.0), meta(2.0)];
        let draft = AboutDraft { id: 2.0, about: About::from("After") };
        assert_eq!(draft.clone().put_into(&mut list).map(|m| m.title.as_str()), Some("After"));
        assert_eq!(list[0], meta(1.0));
        assert_eq!(AboutDraft { id: 3.0, ..draft }.put_into(&mut list), None);
    }

    #[test]
    fn runs_are_sorted_and_filtered() {
        let rows = [
            row("cycle-10", 0, Verdict::Incorrect, 3, None),
            row("cycle-2", 1, Verdict::Correct, 5, Some(7)),
            row("flow-1", 0, Verdict::Correct, 1, Some(9)),
        ];
        let mut view = View::default();
        assert_eq!(view.places(&rows), [0, 1, 2]);
        view.sort(SortBy::Problem);
        assert_eq!(view.places(&rows), [1, 0, 2], "2 comes before 10");
        view.sort(SortBy::Problem);
        assert_eq!(view.places(&rows), [2, 0, 1]);
        view.sort(SortBy::Tokens);
        assert_eq!(view.places(&rows), [1, 2, 0], "what nobody told comes last");
        view = View { verdict: Some(Verdict::Correct), words: " CYCLE".into(), ..View::default() };
        assert_eq!(view.places(&rows), [1]);
        view = View { setup: Some(0), ..View::default() };
        assert_eq!(view.places(&rows), [0, 2]);
    }

    proptest! {
        #[test]
        fn numbers_in_names_count_as_numbers(a in 0u64..100_000, b in 0u64..100_000, name in "[a-z-]{0,6}") {
            prop_assert_eq!(natural(&format!("{name}{a}"), &format!("{name}{b}")), a.cmp(&b));
        }
    }

    #[test]
    fn what_is_not_kept_is_counted_in_runs() {
        let lines =
            "{\"type\":\"bench\"}\n{\"type\":\"run\",\"a\":\"{\\\"type\\\":\\\"run\\\"}\"}\n";
        assert_eq!(runs_in(lines), 1);
        let words = unkept_words("Storage is full", runs_in(&lines.repeat(1877)));
        assert!(words.starts_with("Storage is full: 1,877 runs are not kept"), "{words}");
        assert!(unkept_words("Storage is full", 1).contains(": 1 run is not kept"));
        assert!(unkept_words("Storage is full", 0).contains("the last changes"));
    }

    #[test]
    fn all_runs_are_counted_and_not_only_the_new_ones() {
        let progress =
            BenchProgress { n_jobs: 40, n_done: 30, n_new: 10, ..BenchProgress::default() };
        let words = progress_words(&progress, 25, 2_000.0, false);
        assert_eq!(words, "30 of 40 runs · 10 new in 2.0 s · 25 correct");
        let reloaded = BenchProgress { n_new: 0, ..progress };
        assert_eq!(progress_words(&reloaded, 25, 0.0, false), "30 of 40 runs · 25 correct");
    }

    #[test]
    fn what_is_left_is_told_once_there_is_a_rate() {
        let mut progress = BenchProgress { n_jobs: 100, ..BenchProgress::default() };
        assert_eq!(time_left(&progress, 1_000.0), None);
        (progress.n_done, progress.n_new) = (50, 50);
        assert_eq!(time_left(&progress, 1_000.0).unwrap(), "50 a second, 1 s left");
        (progress.n_done, progress.n_new) = (1, 1);
        assert_eq!(time_left(&progress, 60_000.0).unwrap(), "1.0 a minute, 1.6 h left");
    }
}
