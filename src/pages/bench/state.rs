//! The benchmark that is open, and what can be done with it.

use eval::compare::Differing;
use eval::prices::Prices;
use eval::report::{Report, ReportOptions};
use eval::tables::Table;
use eval::{About, Drift, Estimate, Key};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::Service;
use protocol::bench::{
    BenchEstimate, BenchReport, BenchRow, BenchSpec, CheckRuns, CheckedRuns, CompareSetups,
    ComparedSetups, EstimateBench, ExperimentView, ListExperiments, ListRuns, OpenRun, OpenedRun,
    ReportRuns,
};
use tasks::Verdict;

use super::going::Going;
use super::lines::{Brought, Lines};
use crate::services::engine_client::{self, Beside, JobHandle, NoReply};
use crate::services::{assets, benches, files, screen};
use crate::state::bench::{BenchMeta, View};

/// A report as the page shows it.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) report: Report,
    pub(crate) labels: Vec<String>,
    pub(crate) tables: Vec<Table>,
    pub(crate) plots: Vec<draw::plot::Plot>,
    /// Runs that readers can sort into classes of failures.
    pub(crate) n_sortable: usize,
}

/// What came of a check.
#[derive(Clone)]
pub(crate) struct Checked {
    pub(crate) n_runs: usize,
    pub(crate) n_calls: usize,
    pub(crate) drifts: Vec<Drift>,
    pub(crate) took_ms: f64,
}

/// Runs of small models, which `assets/runs/README.md` describes.
const EXAMPLE: &str = "assets/runs/example.jsonl.gz";
/// The most bytes of them that are read.
const LONGEST_EXAMPLE: i32 = 4_000_000;

/// Runs that are listed in one message: more would hold up the page while it reads them.
const ROWS_AT_ONCE: usize = 500;

/// Two setups beside each other.
pub(crate) type Compared = (Table, Vec<Differing>, String, String);

#[derive(Clone, Copy)]
pub(crate) struct PageState {
    pub(crate) list: RwSignal<Vec<BenchMeta>>,
    pub(crate) open: RwSignal<Option<BenchMeta>>,
    /// What the form says.
    pub(crate) spec: RwSignal<BenchSpec>,
    pub(crate) title: RwSignal<String>,
    /// What its report says of itself besides the title.
    pub(crate) about: RwSignal<About>,
    /// The experiments that there are; empty until the worker has told.
    pub(crate) catalog: RwSignal<Vec<ExperimentView>>,
    pub(crate) estimate: RwSignal<Option<(Estimate, usize)>>,
    pub(crate) going: Going,
    pub(crate) outcome: Outcome,
    /// How far a check or a reading is.
    pub(crate) step: RwSignal<Option<(&'static str, usize, usize)>>,
    pub(crate) notice: RwSignal<Option<String>>,
    /// What was done that is no fault, such as a pause.
    pub(crate) told: RwSignal<Option<String>>,
    /// The run that was opened last: whoever comes back finds the list there.
    pub(crate) last_opened: RwSignal<Option<Key>>,
    /// Whether it came inside the page's own file.
    pub(crate) is_embedded: RwSignal<bool>,
    /// Whether it is the example, which is shown under the list while a person has none of their own.
    pub(crate) is_example: RwSignal<bool>,
    prices: RwSignal<Prices>,
    /// A look, a check or a file that is being made.
    job: StoredValue<Option<JobHandle>, LocalStorage>,
    /// The runs that go on: stopping them must not depend on what is looked at meanwhile.
    pub(super) running: StoredValue<Option<JobHandle>, LocalStorage>,
    pub(super) lines: Lines,
    /// When the runs that go on are added up again, in milliseconds since the page began.
    grows_at: StoredValue<f64>,
    /// The number of the last letter typed about the report, while it is not kept.
    pub(super) typed: StoredValue<Option<u64>>,
}

/// What came of the runs, and which of them are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) shown: RwSignal<Option<Shown>>,
    pub(crate) rows: RwSignal<Vec<BenchRow>>,
    pub(crate) view: RwSignal<View>,
    pub(crate) compared: RwSignal<Option<Compared>>,
    pub(crate) checked: RwSignal<Option<Checked>>,
}

/// Milliseconds since the page began.
pub(super) fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

impl PageState {
    pub(crate) fn new(prices: RwSignal<Prices>) -> Self {
        let notice = RwSignal::new(None);
        let state = Self {
            list: RwSignal::default(),
            open: RwSignal::new(None),
            spec: RwSignal::default(),
            title: RwSignal::default(),
            about: RwSignal::default(),
            catalog: RwSignal::default(),
            estimate: RwSignal::new(None),
            going: Going {
                progress: RwSignal::new(None),
                took_ms: RwSignal::new(0.0),
                n_correct_before: RwSignal::new(0),
                is_running: RwSignal::new(false),
                is_pausing: RwSignal::new(false),
            },
            outcome: Outcome {
                shown: RwSignal::new(None),
                rows: RwSignal::default(),
                view: RwSignal::default(),
                compared: RwSignal::new(None),
                checked: RwSignal::new(None),
            },
            step: RwSignal::new(None),
            notice,
            told: RwSignal::new(None),
            last_opened: RwSignal::new(None),
            is_embedded: RwSignal::new(false),
            is_example: RwSignal::new(false),
            prices,
            job: StoredValue::new_local(None),
            running: StoredValue::new_local(None),
            lines: Lines::new(),
            grows_at: StoredValue::new(0.0),
            typed: StoredValue::new(None),
        };
        window_event_listener(leptos::ev::pagehide, move |_| state.save_draft());
        state.open_embedded();
        state
    }

    /// What models cost.
    pub(super) fn prices(self) -> Prices {
        self.prices.get_untracked()
    }

    pub(super) fn options(self) -> ReportOptions {
        let plot_width = screen::is_narrow().then(screen::width_of_page);
        ReportOptions { prices: self.prices(), plot_width, ..ReportOptions::default() }
    }

    pub(super) fn fail(self, message: String) {
        self.notice.set(Some(message));
    }

    /// Asks the worker that holds the benchmark, and shows how far it is.
    pub(super) async fn ask<S: Service>(
        self,
        ask: S,
        doing: &'static str,
    ) -> Result<S::Reply, NoReply> {
        let show = move |done, total| self.step.set(Some((doing, done, total)));
        let (job, reply) =
            engine_client::bench().start_and_wait(&ask, &Beside::default(), show, |_| ());
        self.job.set_value(Some(job));
        let reply = reply.wait().await;
        self.step.set(None);
        reply
    }

    /// Stops a look, a check or a file.
    pub(crate) fn stop_looking(self) {
        self.job.with_value(|job| job.as_ref().map(JobHandle::cancel));
    }

    /// Asks the same without a word about how far it is: while runs go on, the page looks by itself.
    pub(super) async fn ask_quietly<S: Service>(
        self,
        ask: S,
        doing: Option<&'static str>,
    ) -> Result<S::Reply, String> {
        match doing {
            Some(doing) => Ok(self.ask(ask, doing).await?),
            None => Ok(engine_client::bench().ask(ask).await?),
        }
    }

    /// Looks up what is kept, and which experiments there are.
    pub(crate) fn refresh(self) {
        if self.catalog.with_untracked(Vec::is_empty) {
            spawn_local(async move {
                match self.ask(ListExperiments {}, "Loading").await {
                    Ok(experiments) => self.catalog.set(experiments),
                    Err(why) => self.fail(why.into()),
                }
            });
        }
        spawn_local(async move {
            match self.kept().await {
                Ok(list) => {
                    let is_none = list.is_empty();
                    self.list.set(list);
                    if is_none {
                        self.show_example().await;
                    }
                }
                Err(message) => self.fail(message),
            }
        });
    }

    /// Shows runs that were recorded before, unless a benchmark is open. A page that cannot load them
    /// does without.
    async fn show_example(self) {
        let is_open = move || self.open.try_with_untracked(Option::is_some) != Some(false);
        if is_open() {
            return;
        }
        let text = match assets::file(EXAMPLE).await {
            Ok(file) => files::head(&file, LONGEST_EXAMPLE).await.unwrap_or_default(),
            Err(_) => return,
        };
        if text.is_empty() || is_open() {
            return;
        }
        self.forget_shown();
        self.lines.brought.set_value(Some(Brought::Plain(text)));
        self.is_example.set(true);
        let (title, about) = (String::new(), About::default());
        self.open.set(Some(BenchMeta { id: 0.0, title, spec: None, n_runs: 0, n_jobs: 0, about }));
        // A person may have begun another meanwhile, which has none of these runs.
        if self.hold().await.is_ok() && self.is_example.get_untracked() {
            let _ = self.add_up(false).await;
        }
    }

    /// The benchmark of a person's own that is open.
    pub(super) fn open_id(self) -> Option<f64> {
        let id = self.open.with(|open| open.as_ref().map(|meta| meta.id));
        id.filter(|_| !self.is_example.get())
    }

    pub(super) fn forget_shown(self) {
        self.outcome.shown.set(None);
        self.outcome.rows.set(Vec::new());
        self.outcome.compared.set(None);
        self.outcome.checked.set(None);
        self.going.progress.set(None);
        self.going.took_ms.set(0.0);
        self.estimate.set(None);
        self.outcome.view.set(View::default());
        self.told.set(None);
        self.last_opened.set(None);
    }

    /// Correct runs among those that are listed.
    pub(super) fn n_correct(self) -> usize {
        self.outcome.rows.with(|rows| rows.iter().filter(|r| r.verdict == Verdict::Correct).count())
    }

    /// An empty benchmark with the form's last words.
    pub(crate) fn begin(self) {
        self.keep_typed();
        self.grows_at.set_value(0.0);
        let id = js_sys::Date::now();
        self.forget_shown();
        self.is_embedded.set(false);
        self.is_example.set(false);
        self.title.set(String::new());
        self.about.set(About::default());
        self.spec.update(|s| s.files.clear());
        let (n_runs, n_jobs) = (0, 0);
        let about = About::default();
        let meta = BenchMeta { id, title: String::new(), spec: None, n_runs, n_jobs, about };
        self.open.set(Some(meta));
        self.notice.set(None);
    }

    pub(crate) fn close(self) {
        self.keep_typed();
        self.open.set(None);
        self.is_example.set(false);
        self.forget_shown();
        self.refresh();
    }

    /// Opens what an address names: a benchmark, or the list of them. While runs go on the page stays
    /// as it is, and this gives `false`.
    pub(super) fn follow(self, wanted: Option<f64>) -> bool {
        let open = untrack(|| self.open_id());
        if wanted == open || self.is_embedded.get_untracked() {
            return true;
        }
        if self.going.is_running.get_untracked() {
            self.fail("Runs go on: pause or stop them before you leave the benchmark.".into());
            return false;
        }
        let Some(id) = wanted else {
            self.close();
            return true;
        };
        spawn_local(async move {
            match self.kept().await {
                Ok(list) => match list.into_iter().find(|meta| meta.id == id) {
                    Some(meta) => self.open_kept(meta),
                    None => {
                        self.close();
                        self.fail("This browser keeps no benchmark of this address.".into());
                    }
                },
                Err(message) => self.fail(message),
            }
        });
        true
    }

    /// Opens one that is kept.
    pub(crate) fn open_kept(self, meta: BenchMeta) {
        self.keep_typed();
        self.forget_shown();
        self.is_embedded.set(false);
        self.is_example.set(false);
        self.notice.set(None);
        self.title.set(meta.title.clone());
        self.about.set(meta.about.clone());
        if let Some(spec) = &meta.spec {
            self.spec.set(spec.clone().brought_up_to_date());
        }
        self.open.set(Some(meta));
        self.show();
    }

    /// Adds up the runs and lists them.
    pub(super) async fn look(self) -> Result<(), String> {
        self.hold().await?;
        self.add_up(true).await
    }

    /// Adds up what is there while runs go on, and leaves nine tenths of the time to the runs.
    pub(super) fn grow(self) {
        let id = self.open.with_untracked(|open| open.as_ref().map(|meta| meta.id));
        let held = id.map(|id| (engine_client::bench().epoch(), id));
        if now() < self.grows_at.get_value() || self.lines.held.get_value() != held {
            return;
        }
        self.grows_at.set_value(f64::INFINITY);
        spawn_local(async move {
            let began = now();
            // An engine that was lost is no fault of this look: the runs say so.
            let _ = self.add_up(false).await;
            let ended = now();
            self.grows_at.set_value(ended + (9.0 * (ended - began)).max(1_000.0));
        });
    }

    async fn add_up(self, is_told: bool) -> Result<(), String> {
        let id = self.open.with_untracked(|open| open.as_ref().map(|meta| meta.id));
        let doing = |words: &'static str| is_told.then_some(words);
        let ask = ReportRuns { options: Box::new(self.options()) };
        let BenchReport { report, labels, tables, plots, n_sortable } =
            self.ask_quietly(ask, doing("Adding up")).await?;
        let shown = Shown { report: *report, labels, tables, plots, n_sortable };
        let mut rows = Vec::new();
        let mut from = 0;
        let n_runs = loop {
            let ask = ListRuns { from, n: ROWS_AT_ONCE };
            let listed = self.ask_quietly(ask, doing("Listing")).await?;
            rows.extend(listed.rows);
            from += ROWS_AT_ONCE;
            if from >= listed.n_runs {
                break listed.n_runs;
            }
        };
        if self.open.with_untracked(|open| open.as_ref().map(|meta| meta.id)) != id {
            // Another benchmark was opened meanwhile.
            return Ok(());
        }
        self.outcome.shown.set((!shown.labels.is_empty()).then_some(shown));
        self.outcome.rows.set(rows);
        if self.going.is_running.get_untracked() {
            return Ok(());
        }
        self.open.update(|open| {
            if let Some(meta) = open {
                meta.n_runs = n_runs;
                meta.n_jobs = meta.n_jobs.max(n_runs);
            }
        });
        // After a reload, and after files were put together, the progress is what is there.
        let n_jobs = self.open.with_untracked(|open| open.as_ref().map_or(0, |meta| meta.n_jobs));
        if n_jobs > 0 {
            self.going.progress.update(|progress| {
                let progress = progress.get_or_insert_default();
                (progress.n_done, progress.n_jobs) = (n_runs, n_jobs);
            });
        }
        Ok(())
    }

    /// Adds up and lists.
    pub(crate) fn show(self) {
        spawn_local(async move {
            if let Err(message) = self.look().await {
                self.fail(message);
            }
        });
    }

    /// What a start would take.
    pub(crate) fn guess(self) {
        spawn_local(async move {
            let (spec, prices) = (Box::new(self.spec.get_untracked()), self.prices.get_untracked());
            let asked = async {
                self.hold().await?;
                Ok::<_, String>(self.ask(EstimateBench { spec, prices }, "Estimating").await?)
            };
            match asked.await {
                Ok(BenchEstimate { estimate, n_finished, .. }) => {
                    self.estimate.set(Some((estimate, n_finished)));
                    self.notice.set(None);
                }
                Err(message) => self.fail(message),
            }
        });
    }

    /// Adds up and lists runs that somebody else may have changed, and computes everything again.
    pub(super) async fn show_checked(self) {
        match self.look().await {
            Ok(()) => self.check().await,
            Err(message) => self.fail(message),
        }
    }

    /// Computes everything again.
    pub(crate) async fn check(self) {
        let began = now();
        let asked = async {
            self.hold().await.map_err(NoReply::Failed)?;
            self.ask(CheckRuns {}, "Checking").await
        };
        match asked.await {
            Ok(CheckedRuns { n_runs, n_calls, drifts }) => {
                let took_ms = now() - began;
                self.outcome.checked.set(Some(Checked { n_runs, n_calls, drifts, took_ms }));
            }
            Err(NoReply::Cancelled) => self.fail("The check was stopped before its end.".into()),
            Err(NoReply::Failed(message)) => self.fail(message),
        }
    }

    /// Puts two setups beside each other.
    pub(crate) fn compare(self, left: String, right: String) {
        spawn_local(async move {
            let ask = CompareSetups { left: left.clone(), right: right.clone() };
            let asked = async {
                self.hold().await?;
                Ok::<_, String>(self.ask(ask, "Comparing").await?)
            };
            match asked.await {
                Ok(ComparedSetups { table, differing }) => {
                    self.outcome.compared.set(Some((table, differing, left, right)));
                }
                Err(message) => self.fail(message),
            }
        });
    }

    /// A run with its problem, where it is one of NLGraph's, for the trace view.
    pub(crate) async fn run(
        self,
        key: Key,
    ) -> Option<(trace::Record, Option<protocol::problem::ProblemView>)> {
        let asked = async {
            self.hold().await?;
            Ok::<_, String>(self.ask(OpenRun { key }, "Opening").await?)
        };
        match asked.await {
            Ok(OpenedRun { record, problem }) => Some((*record, problem.map(|p| *p))),
            Err(message) => {
                self.fail(message);
                None
            }
        }
    }

    /// Forgets a benchmark that is kept.
    pub(crate) fn delete(self, id: f64) {
        spawn_local(async move {
            match benches::delete(id).await {
                Ok(()) => self.forget_waiting(id).await,
                Err(why) => self.fail(why.into()),
            }
            self.refresh();
        });
    }
}
