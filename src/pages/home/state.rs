//! What the first page holds: the problem that is shown, both answers, and the strip of problems.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::problem::{AskAboutPeople, GenerateProblem, ProblemView, facts_and_question};
use protocol::runs::ModelChoice;
use protocol::share::Shared;
use systems::Run;
use tasks::Verdict;

use crate::services::engine_client::{self, Beside, JobHandle};
use crate::services::screen::wants_no_motion;
use crate::services::{open, own_model, playback};
use crate::shell::Shell;
use crate::state::home::{self, AnswerFacts, N_STRIP};
use crate::state::problem_run;
use crate::state::settings::ModelSettings;
use crate::state::setup::ProblemSetup;
use crate::workbench::checked_run::CheckedRun;
use crate::workbench::share::Sharing;

/// Without tools, and with them.
pub(super) const SYSTEMS: [&str; 2] = ["standalone", "grounded"];

/// Milliseconds between two steps of a graph that grows, and the steps in which it is there.
const PACE_MS: f64 = 40.0;
const N_STEPS: usize = 24;

/// What is known of both sides of a problem.
pub(super) type Row = [Option<Verdict>; 2];

#[derive(Clone, Copy)]
pub(super) struct PageState {
    pub(super) shell: Shell,
    /// Which problem is shown, in the order in which the page asks.
    pub(super) place: RwSignal<usize>,
    pub(super) problem: RwSignal<Option<ProblemView>>,
    pub(super) sides: [CheckedRun; 2],
    /// How many changes of its graph are drawn.
    pub(super) n_grown: RwSignal<usize>,
    pub(super) notice: RwSignal<Option<String>>,
    /// What somebody typed about people of their own.
    pub(super) people: RwSignal<String>,
    /// What they asked, where the problem that is shown is theirs.
    pub(super) theirs: RwSignal<Option<String>>,
    pub(super) rows: RwSignal<[Row; N_STRIP]>,
    /// Which problem of the strip is being answered.
    pub(super) in_strip: RwSignal<Option<usize>>,
    grows: RwSignal<bool>,
    job: StoredValue<Option<JobHandle>, LocalStorage>,
    /// Counts problems, so that one that comes late is not shown.
    turn: StoredValue<u64>,
    /// Counts strips, so that one that was stopped asks no more.
    strip_turn: StoredValue<u64>,
}

impl PageState {
    pub(super) fn new(shell: Shell) -> Self {
        let state = Self {
            shell,
            place: RwSignal::new(0),
            problem: RwSignal::new(None),
            sides: [CheckedRun::unkept(), CheckedRun::unkept()],
            n_grown: RwSignal::new(0),
            notice: RwSignal::new(None),
            people: RwSignal::default(),
            theirs: RwSignal::new(None),
            rows: RwSignal::default(),
            in_strip: RwSignal::new(None),
            grows: RwSignal::new(false),
            job: StoredValue::new_local(None),
            turn: StoredValue::new(0),
            strip_turn: StoredValue::new(0),
        };
        playback::play_in_time(state.grows, PACE_MS, || 1.0, move || state.grow());
        // Another model has answered nothing yet.
        let model = Memo::new(move |_| shell.settings.with(ModelSettings::choice));
        Effect::new(move |before: Option<ModelChoice>| {
            let now = model.get();
            if before.is_none_or(|before| before != now) {
                state.stop_strip();
                state.rows.set(Default::default());
                state.show(state.place.get_untracked());
            }
            now
        });
        Effect::new(move |_| state.take_answers());
        state
    }

    /// Whether who answers takes no time and costs nothing, so that nobody has to ask for it.
    pub(super) fn is_at_once(self) -> bool {
        !self.shell.settings.with(ModelSettings::is_brought)
    }

    fn is_at_once_untracked(self) -> bool {
        untrack(|| self.is_at_once())
    }

    pub(super) fn is_busy(self) -> bool {
        self.sides.iter().any(|side| side.session.is_busy())
    }

    /// One step more of a graph that grows; whether more may come.
    fn grow(self) -> bool {
        let run = self.sides[1].session;
        let n = run.steps.with_untracked(home::n_changes);
        let at = self.n_grown.get_untracked();
        if at < n {
            self.n_grown.set((at + n.div_ceil(N_STEPS)).min(n));
        }
        at < n || run.is_busy_untracked()
    }

    /// Whether the graph of the run with tools is drawn as far as it is made.
    pub(super) fn is_grown(self) -> bool {
        let n = self.sides[1].session.steps.with(home::n_changes);
        self.n_grown.get() >= n
    }

    /// Shows a problem; a model that somebody brought answers it when it is asked to, others at once.
    pub(super) fn show(self, place: usize) {
        self.place.set(place);
        self.show_made(make(place), |state| state.theirs.set(None));
    }

    /// Asks about the people that somebody typed. What cannot be read is said, and the problem stays.
    pub(super) fn ask_about_people(self) {
        self.stop_strip();
        let text = self.people.get_untracked();
        let (_, asked) = facts_and_question(&text);
        let made = async move {
            let Exact(problem) = engine_client::interactive().ask(AskAboutPeople { text }).await?;
            Ok(problem)
        };
        self.show_made(made, move |state| state.theirs.set(asked));
    }

    fn show_made(
        self,
        made: impl Future<Output = Result<ProblemView, String>> + 'static,
        then: impl FnOnce(Self) + 'static,
    ) {
        self.turn.update_value(|t| *t += 1);
        let turn = self.turn.get_value();
        self.notice.set(None);
        if self.shell.settings.with_untracked(ModelSettings::is_own) {
            own_model::begin();
        }
        spawn_local(async move {
            let made = made.await;
            if self.turn.try_get_value() != Some(turn) {
                return;
            }
            match made {
                Ok(problem) => {
                    self.clear();
                    then(self);
                    self.problem.set(Some(problem));
                    mark_painted("home drawn");
                    if self.is_at_once_untracked() {
                        self.answer();
                    }
                }
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    fn clear(self) {
        self.sides.iter().for_each(|side| side.clear());
        self.grows.set(false);
        self.n_grown.set(0);
        self.notice.set(None);
    }

    /// Lets both sides answer the problem that is shown.
    pub(super) fn answer(self) {
        let Some(problem) = self.problem.get_untracked() else { return };
        if let Some(fault) = self.shell.settings.with_untracked(ModelSettings::fault) {
            self.notice.set(Some(fault));
            return;
        }
        self.clear();
        for (system, side) in SYSTEMS.into_iter().zip(self.sides) {
            side.start(system, self.model(system), problem.clone(), false);
        }
        if wants_no_motion() {
            self.n_grown.set(usize::MAX);
        } else {
            self.grows.set(true);
        }
    }

    /// The model in use; of our own, without tools, the one that was trained for that.
    fn model(self, system: &str) -> ModelChoice {
        match self.shell.settings.with_untracked(ModelSettings::choice) {
            ModelChoice::Own if system == SYSTEMS[0] => ModelChoice::Alone,
            model => model,
        }
    }

    /// What each side came to, once both have.
    pub(super) fn told(self) -> Option<[AnswerFacts; 2]> {
        let of = |side: CheckedRun| {
            side.answered.with(|a| {
                a.run.as_ref().map(|run| AnswerFacts {
                    verdict: Some(run.judgement.verdict),
                    n_calls: run.trace.n_calls(),
                    n_false: home::count_false(&a.claims),
                })
            })
        };
        Some([of(self.sides[0])?, of(self.sides[1])?])
    }

    /// Offers one link to somebody's own people with both answers, which opens on the page Compare.
    pub(super) fn share(self, sharing: Sharing) {
        let Some(problem) = self.problem.get_untracked() else { return };
        let runs: Vec<Run> =
            self.sides.iter().filter_map(|side| side.answered.get_untracked().run).collect();
        let ProblemSetup { wording, style, .. } = ProblemSetup::default();
        let shared = Shared::Pair { problem: Box::new(problem), wording, style, runs };
        sharing.packed(open::BOTH, shared, None);
    }

    /// Takes both answers into the strip; after the first ones the strip begins.
    fn take_answers(self) {
        let Some(told) = self.told() else { return };
        mark_painted("home answered");
        if self.theirs.with_untracked(Option::is_some) {
            return;
        }
        let place = self.place.get_untracked();
        if let Some(row) = self.rows.with_untracked(|rows| rows.get(place).copied())
            && row.contains(&None)
        {
            self.rows.update(|rows| rows[place] = told.map(|t| t.verdict));
        }
        let is_untouched =
            self.in_strip.with_untracked(Option::is_none) && self.strip_turn.get_value() == 0;
        if self.is_at_once_untracked() && is_untouched {
            self.run_strip();
        }
    }

    /// Lets the problems of the strip be answered one after the other.
    pub(super) fn run_strip(self) {
        if let Some(fault) = self.shell.settings.with_untracked(ModelSettings::fault) {
            self.notice.set(Some(fault));
            return;
        }
        self.strip_turn.update_value(|t| *t += 1);
        let turn = self.strip_turn.get_value();
        let goes_on = move || self.strip_turn.try_get_value() == Some(turn);
        // What is answered is answered once more only where nothing is missing.
        if self.rows.with_untracked(|rows| rows.iter().all(|row| !row.contains(&None))) {
            self.rows.set(Default::default());
        }
        self.in_strip.set(Some(0));
        spawn_local(async move {
            for place in 0..N_STRIP {
                let is_missing = self.rows.with_untracked(|rows| rows[place].contains(&None));
                if !is_missing {
                    continue;
                }
                self.in_strip.set(Some(place));
                if let Err(message) = self.answer_row(place, goes_on).await {
                    if goes_on() {
                        self.notice.set(Some(message));
                    }
                    break;
                }
            }
            if goes_on() {
                self.in_strip.set(None);
            }
        });
    }

    async fn answer_row(self, place: usize, goes_on: impl Fn() -> bool) -> Result<(), String> {
        let problem = make(place).await?;
        for (which, system) in SYSTEMS.into_iter().enumerate() {
            if !goes_on() {
                return Err("stopped".into());
            }
            let engine = engine_client::interactive();
            let ask = problem_run::ask(system, &problem, self.model(system))?;
            let (job, reply) = engine.start_and_wait(&ask, &Beside::default(), |_, _| (), |_| ());
            self.job.set_value(Some(job));
            let verdict = reply.wait().await?.run.outcome.verdict;
            if goes_on() {
                self.rows.update(|rows| rows[place][which] = Some(verdict));
            }
        }
        Ok(())
    }

    pub(super) fn stop_strip(self) {
        if self.in_strip.with_untracked(Option::is_none) {
            return;
        }
        self.strip_turn.update_value(|t| *t += 1);
        self.in_strip.set(None);
        if let Some(job) = self.job.try_update_value(Option::take).flatten() {
            job.cancel();
        }
    }
}

/// The problem of a place.
async fn make(place: usize) -> Result<ProblemView, String> {
    let ProblemSetup { task, difficulty, seed, wording, style } = home::problem_at(place);
    let ask = GenerateProblem { task, difficulty, seed, wording, style };
    let Exact(problem) = engine_client::interactive().ask(ask).await?;
    Ok(problem)
}

/// Notes when something was on the screen, for whoever measures.
fn mark_painted(name: &'static str) {
    request_animation_frame(move || {
        if let Some(performance) = window().performance() {
            let _ = performance.mark(name);
        }
    });
}
