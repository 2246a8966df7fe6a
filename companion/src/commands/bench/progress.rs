//! What a person sees while a benchmark runs.

use std::time::{Duration, Instant};

use eval::Queue;
use indicatif::ProgressBar;
use tasks::Verdict;

use crate::output;

/// So often a line is written where no bar can be drawn.
const LINE: Duration = Duration::from_secs(10);

/// A bar on a terminal, a line now and then elsewhere.
pub(super) struct Progress {
    bar: ProgressBar,
    n_correct: usize,
    n_retries: usize,
    start: Instant,
    told: Instant,
}

/// The monotonic clock.
pub(super) fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let now = Instant::now();
    now
}

impl Progress {
    pub(super) fn new(queue: &Queue) -> Self {
        let bar = output::bar(queue.n_jobs() - queue.n_skipped());
        Self { bar, n_correct: 0, n_retries: 0, start: now(), told: now() }
    }

    /// There is more to do than before.
    pub(super) fn more(&self, n: usize) {
        self.bar.inc_length(n as u64);
    }

    pub(super) fn finished(&mut self, queue: &Queue, verdict: Verdict) {
        self.n_correct += usize::from(verdict == Verdict::Correct);
        self.bar.inc(1);
        self.tell(queue);
    }

    pub(super) fn failed(&mut self, queue: &Queue, reason: &str) {
        self.bar.inc(1);
        self.bar.println(output::shown(&format!("failed: {reason}")));
        if self.bar.is_hidden() {
            output::complain(&format!("failed: {reason}"));
        }
        self.tell(queue);
    }

    pub(super) fn retried(&mut self, queue: &Queue, reason: &str) {
        self.n_retries += 1;
        if self.n_retries == 1 {
            let line = format!("asked again: {reason}");
            if self.bar.is_hidden() {
                output::complain(&line)
            } else {
                self.bar.println(output::shown(&line))
            }
        }
        self.tell(queue);
    }

    fn tell(&mut self, queue: &Queue) {
        if self.bar.is_hidden() && self.told.elapsed() < LINE {
            return;
        }
        let spent = queue.spent();
        let tokens = match spent.tokens {
            0 => String::new(),
            n => format!(", {n} tokens"),
        };
        let line = format!(
            "correct {}, failed {}, asked again {}, {} at once{tokens}",
            self.n_correct,
            queue.n_failed(),
            self.n_retries,
            queue.concurrency(),
        );
        if self.bar.is_hidden() {
            self.told = now();
            let rate = queue.n_finished() as f64 / self.start.elapsed().as_secs_f64().max(1e-9);
            let (done, all) = (queue.n_skipped() + queue.n_finished(), queue.n_jobs());
            let left = (all - done) as f64 / rate.max(1e-9);
            output::complain(&format!("{done}/{all} {rate:.1}/s left {left:.0} s {line}"));
        } else {
            self.bar.set_message(line);
        }
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
        let seconds = self.start.elapsed().as_secs_f64();
        output::complain(&format!("took {seconds:.2} s{}", peak_memory()));
    }
}

/// The most memory that this process had, where the system tells it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kb = line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kb.map_or_else(String::new, |kb| format!(", peak memory {:.0} MB", kb / 1e3))
}
