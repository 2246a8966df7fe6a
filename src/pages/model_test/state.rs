//! What the page of the first look at a model holds: the eight problems and what became of them.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::problem::{GenerateProblem, ProblemView};
use protocol::runs::ModelChoice;

use crate::services::engine_client;
use crate::shell::Shell;
use crate::state::daily::Day;
use crate::state::home::count_false;
use crate::state::model_card::{ModelCard, Outcome, TestRow, problems};
use crate::state::problem_run;
use crate::state::settings::{ModelSettings, OWN_LABEL, Who};
use crate::state::stored::Keeping;
use crate::workbench::checked_run::claims_of;
use crate::workbench::session::RunSession;

/// Without tools, and with them.
const SYSTEMS: [&str; 2] = ["standalone", "grounded"];

#[derive(Clone, Copy)]
pub(super) struct PageState {
    pub(super) shell: Shell,
    pub(super) rows: RwSignal<Vec<TestRow>>,
    /// Which answer is under way: the row, and the side.
    pub(super) at: RwSignal<Option<(usize, usize)>>,
    pub(super) notice: RwSignal<Option<String>>,
    /// The key of each run in the browser's own list, to open it.
    pub(super) kept: RwSignal<Vec<[Option<f64>; 2]>>,
    /// Seconds since the start.
    pub(super) seconds: RwSignal<f64>,
    session: RunSession,
    /// Counts tests, so that one that was stopped asks no more.
    turn: StoredValue<u64>,
}

fn empty() -> Vec<TestRow> {
    problems().iter().map(|p| (p.task, [Outcome::default(); 2])).collect()
}

impl PageState {
    pub(super) fn new(shell: Shell) -> Self {
        let session = RunSession::new();
        let state = Self {
            shell,
            rows: RwSignal::new(empty()),
            at: RwSignal::new(None),
            notice: session.notice,
            kept: RwSignal::new(vec![[None; 2]; problems().len()]),
            seconds: RwSignal::new(0.0),
            session,
            turn: StoredValue::new(0),
        };
        // Another model has answered nothing yet.
        let model = Memo::new(move |_| shell.settings.with(ModelSettings::choice));
        Effect::new(move |before: Option<ModelChoice>| {
            let now = model.get();
            if before.is_some_and(|before| before != now) {
                state.stop();
                state.clear();
            }
            now
        });
        state
    }

    fn clear(self) {
        self.rows.set(empty());
        self.kept.set(vec![[None; 2]; problems().len()]);
        self.notice.set(None);
    }

    /// How the model is called on the card.
    fn model(self) -> String {
        self.shell.settings.with(|s| match s.who {
            Who::Own => OWN_LABEL.to_owned(),
            Who::Endpoint => s.model.trim().to_owned(),
            Who::File => s.file.clone(),
            Who::Script => s.words(),
        })
    }

    /// The card of what is answered so far.
    pub(super) fn card(self) -> ModelCard {
        let here = window().location().href().unwrap_or_default();
        ModelCard {
            model: self.model(),
            is_script: self.shell.settings.with(|s| s.who == Who::Script),
            date: Day::of_ms(js_sys::Date::now()).to_string(),
            address: here.split('#').next().unwrap_or_default().to_owned(),
            rows: self.rows.get(),
        }
    }

    /// Has the missing answers given, one after the other; all of them where none is missing.
    pub(super) fn start(self) {
        if let Some(fault) = self.shell.settings.with_untracked(ModelSettings::fault) {
            self.notice.set(Some(fault));
            return;
        }
        self.notice.set(None);
        if untrack(|| self.card()).is_whole() {
            self.clear();
        }
        self.turn.update_value(|t| *t += 1);
        let turn = self.turn.get_value();
        let goes_on = move || self.turn.try_get_value() == Some(turn);
        let began = js_sys::Date::now();
        spawn_local(async move {
            for (place, setup) in problems().into_iter().enumerate() {
                let missing =
                    self.rows.with_untracked(|rows| rows[place].1.map(|s| s.verdict.is_none()));
                if missing == [false; 2] {
                    continue;
                }
                let ask = GenerateProblem {
                    task: setup.task,
                    difficulty: setup.difficulty,
                    seed: setup.seed,
                    wording: setup.wording,
                    style: setup.style,
                };
                let made = engine_client::interactive().ask(ask).await;
                for side in (0..2).filter(|side| missing[*side]) {
                    if !goes_on() {
                        return;
                    }
                    self.at.set(Some((place, side)));
                    let answered = match &made {
                        Ok(Exact(problem)) => self.answer(problem, place, side, goes_on).await,
                        Err(message) => Err(message.clone()),
                    };
                    if !goes_on() {
                        return;
                    }
                    self.seconds.set((js_sys::Date::now() - began) / 1e3);
                    if let Err(message) = answered {
                        self.notice.set(Some(message));
                        self.at.set(None);
                        return;
                    }
                }
            }
            self.at.set(None);
        });
    }

    async fn answer(
        self,
        problem: &ProblemView,
        place: usize,
        side: usize,
        goes_on: impl Fn() -> bool,
    ) -> Result<(), String> {
        let model = self.shell.settings.with_untracked(ModelSettings::choice);
        let ask = problem_run::ask(SYSTEMS[side], problem, model)?;
        let engine = engine_client::interactive();
        let ended = self.session.ask(&engine, &ask, Keeping::problem(problem), "answer").await?;
        let run = problem_run::ended(problem, ended);
        let kept_as = self.session.kept_as();
        let text = run.trace.answer().unwrap_or_default().to_owned();
        let claims = claims_of(problem.clone(), text).await;
        if !goes_on() {
            return Ok(());
        }
        let outcome = Outcome {
            verdict: Some(run.judgement.verdict),
            n_calls: run.trace.n_calls(),
            n_false: count_false(&claims),
        };
        self.rows.update(|rows| rows[place].1[side] = outcome);
        self.kept.update(|kept| kept[place][side] = kept_as);
        Ok(())
    }

    /// Stops; what is answered stays.
    pub(super) fn stop(self) {
        self.turn.update_value(|t| *t += 1);
        self.at.set(None);
        self.session.stop();
    }
}
