//! The runs of a benchmark while they are made: started, paused, stopped, resumed by themselves where an
//! engine was lost.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::bench::{BenchLines, BenchProgress, BenchSpec, EndedBench, StartBench};
use tasks::Verdict;

use super::state::{PageState, now};
use crate::services::engine_client::{self, Beside, JobHandle, NoReply};
use crate::services::lock;
use crate::state::lost::GONE;

/// The runs that go on.
#[derive(Clone, Copy)]
pub(crate) struct Going {
    pub(crate) progress: RwSignal<Option<BenchProgress>>,
    /// Milliseconds since the start, when the progress came.
    pub(crate) took_ms: RwSignal<f64>,
    /// Correct runs before the last start.
    pub(crate) n_correct_before: RwSignal<usize>,
    pub(crate) is_running: RwSignal<bool>,
    pub(crate) is_pausing: RwSignal<bool>,
}

/// Engines that may be lost one after the other before a benchmark waits for a person.
const MOST_LOST: u32 = 3;

impl PageState {
    /// Stops the runs that go on.
    pub(crate) fn stop(self) {
        let is_there = self.running.with_value(|job| job.as_ref().map(JobHandle::cancel).is_some());
        if !is_there {
            self.going.is_pausing.set(true);
        }
    }

    /// Lets the runs that go on come to their end.
    pub(crate) fn pause(self) {
        self.going.is_pausing.set(true);
        self.running.with_value(|job| job.as_ref().map(JobHandle::pause));
    }

    /// Makes the runs that are missing.
    pub(crate) fn start(self) {
        if self.going.is_running.get_untracked() {
            return;
        }
        self.going.is_running.set(true);
        self.going.is_pausing.set(false);
        self.running.set_value(None);
        self.notice.set(None);
        self.told.set(None);
        self.outcome.checked.set(None);
        self.going.n_correct_before.set(
            self.outcome.rows.with_untracked(|rows| {
                rows.iter().filter(|r| r.verdict == Verdict::Correct).count()
            }),
        );
        spawn_local(async move {
            if self.lines.unkept.with_untracked(Option::is_some) && !self.keep_waiting().await {
                self.going.is_running.set(false);
                return;
            }
            let id = self.open.with_untracked(|open| open.as_ref().map_or(0.0, |meta| meta.id));
            let Some(_lock) = lock::take(&format!("graphground-bench-{id}")).await else {
                self.going.is_running.set(false);
                self.fail("Another tab makes runs of this benchmark; stop it there first.".into());
                return;
            };
            if !self.is_embedded.get_untracked() {
                // What another tab has kept since this one looked is among the lines.
                self.lines.held.set_value(None);
            }
            let mut n_lost = 0;
            loop {
                let n_done =
                    || self.going.progress.with_untracked(|p| p.as_ref().map_or(0, |p| p.n_done));
                let before = n_done();
                match self.make().await {
                    Err(message) if message == GONE => {
                        // One after the other without a run between them would go on for good.
                        n_lost = if n_done() > before { 1 } else { n_lost + 1 };
                        if n_lost < MOST_LOST {
                            self.fail(
                                "The engine ended and was restarted; the benchmark continues."
                                    .into(),
                            );
                            continue;
                        }
                        self.fail(format!("{message}. Resume runs what is missing."));
                    }
                    Err(message) => self.fail(message),
                    Ok(()) => {}
                }
                break;
            }
            self.going.is_running.set(false);
            self.show();
        });
    }

    async fn make(self) -> Result<(), String> {
        self.hold().await?;
        let spec = self.spec.get_untracked();
        self.open.update(|open| {
            if let Some(meta) = open {
                // Texts of files are in the lines from here on.
                meta.spec = Some(BenchSpec { files: Vec::new(), ..spec.clone() });
            }
        });
        let ask = StartBench { spec: Box::new(spec), prices: self.prices() };
        let began = now();
        let on_lines = move |BenchLines { text, progress }| {
            self.going.took_ms.set(now() - began);
            let (n_runs, n_jobs) = (progress.n_done, progress.n_jobs);
            self.open.update(|open| {
                if let Some(meta) = open {
                    (meta.n_runs, meta.n_jobs) = (n_runs, n_jobs);
                }
            });
            self.going.progress.set(Some(progress));
            self.keep(text);
            self.grow();
        };
        let engine = engine_client::bench();
        let (job, ended) = engine.start_and_wait(&ask, &Beside::default(), |_, _| (), on_lines);
        // Whoever pressed Pause or Stop before there was a job to hear it is heard now.
        if self.going.is_pausing.get_untracked() {
            job.pause();
        }
        self.running.set_value(Some(job));
        // A worker that died has lost its lines; they are kept, and the next start reads them.
        let EndedBench { progress, reason } = match ended.wait().await {
            Ok(ended) => ended,
            Err(NoReply::Cancelled) => return Ok(()),
            Err(NoReply::Failed(message)) => return Err(message),
        };
        self.going.took_ms.set(now() - began);
        let n_failed = progress.n_failed;
        self.going.progress.set(Some(progress.clone()));
        if let Some(reason) = reason {
            if self.going.is_pausing.get_untracked() {
                self.told.set(Some("Paused. Resume runs what is missing.".into()));
            } else {
                self.fail(format!("Stopped: {reason}. Resume runs what is missing."));
            }
        } else if n_failed > 0 {
            self.fail(format!(
                "{n_failed} runs failed: {}. Start tries them again.",
                progress.last_trouble
            ));
        }
        Ok(())
    }
}
