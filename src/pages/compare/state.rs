//! What the Compare page holds.

use agent::Limits;
use engine::{Event, Output, Request};
use leptos::prelude::*;
use leptos::task::spawn_local;
use systems::Run;
use tasks::Marks;
use tasks::claims::Claim;
use trace::StepBody;

use crate::pages::solve::room::Room;
use crate::services::engine_client::{self, JobHandle};
use crate::services::storage;
use crate::state::prices::{self, Prices};
use crate::state::settings::ModelSettings;
use crate::state::stored::StoredRun;

/// One of the two answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Side {
    pub(crate) busy: bool,
    pub(crate) n_steps: usize,
    pub(crate) run: Option<Run>,
    pub(crate) claims: Vec<Claim>,
}

impl Side {
    /// The words in which the model answered.
    pub(crate) fn answer(&self) -> String {
        let Some(run) = &self.run else { return String::new() };
        run.trace.answer().map_or_else(|| run.judgement.explanation.clone(), str::to_owned)
    }

    /// Time, tokens and cost; what was not told is not a zero.
    pub(crate) fn facts(&self, prices: &Prices) -> String {
        let Some(run) = &self.run else { return String::new() };
        let trace = &run.trace;
        let ms: f64 = trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
        let time =
            if ms >= 1000.0 { format!("{:.1} s", ms / 1000.0) } else { format!("{ms:.0} ms") };
        let n_calls = trace.n_calls();
        let calls = if n_calls == 1 { "1 call".to_owned() } else { format!("{n_calls} calls") };
        let tokens = trace
            .usage()
            .total()
            .map_or_else(|| "tokens not told".to_owned(), |t| format!("{t} tokens"));
        let cost = prices::dollars(prices.cost(&trace.model, &trace.usage()));
        let mistakes: usize = trace.mistakes().iter().map(|(_, n)| n).sum();
        let mut facts = vec![trace.model.clone(), time, calls, tokens, cost];
        if mistakes > 0 {
            facts.push(format!("{mistakes} mistakes, {} corrected", trace.n_corrections()));
        }
        facts.join(" · ")
    }
}

/// The state; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct CompareState {
    pub(crate) left: RwSignal<Side>,
    pub(crate) right: RwSignal<Side>,
    /// Whose claims are drawn: 0 the left ones, 1 both, 2 the right ones.
    pub(crate) whose: RwSignal<usize>,
    /// The claim that is drawn alone: whose, and which.
    pub(crate) picked: RwSignal<Option<(usize, usize)>>,
    pub(crate) notice: RwSignal<Option<String>>,
    question: StoredValue<Option<String>>,
    jobs: StoredValue<Vec<JobHandle>, LocalStorage>,
    run: StoredValue<u64>,
}

impl CompareState {
    pub(crate) fn new() -> Self {
        Self {
            left: RwSignal::default(),
            right: RwSignal::default(),
            whose: RwSignal::new(1),
            picked: RwSignal::new(None),
            notice: RwSignal::new(None),
            question: StoredValue::new(None),
            jobs: StoredValue::new_local(Vec::new()),
            run: StoredValue::new(0),
        }
    }

    pub(crate) fn is_busy(self) -> bool {
        self.left.with(|s| s.busy) || self.right.with(|s| s.busy)
    }

    /// What was run on another problem is forgotten.
    pub(crate) fn belongs_to(self, question: Option<String>) {
        if self.question.get_value() != question {
            self.stop();
            self.question.set_value(question);
            self.left.set(Side::default());
            self.right.set(Side::default());
            self.picked.set(None);
        }
    }

    pub(crate) fn marks(self) -> Marks {
        let sides = [self.left.get(), self.right.get()];
        if let Some(picked) = self.picked.get() {
            return super::merged(&sides, Some(picked));
        }
        match self.whose.get() {
            0 => super::merged(&sides[..1], None),
            2 => super::merged(&sides[1..], None),
            _ => super::merged(&sides, None),
        }
    }

    fn stop(self) {
        self.run.update_value(|r| *r += 1);
        self.jobs.update_value(|jobs| jobs.drain(..).for_each(|j| j.cancel()));
        for side in [self.left, self.right] {
            side.update(|s| s.busy = false);
        }
    }

    /// Runs both systems at once, or stops what runs.
    pub(crate) fn run_both(self, room: Room, settings: RwSignal<ModelSettings>) {
        if self.left.with_untracked(|s| s.busy) || self.right.with_untracked(|s| s.busy) {
            self.stop();
            return;
        }
        let Some(problem) = room.problem.get_untracked() else { return };
        if let Some(fault) = settings.with_untracked(ModelSettings::fault) {
            self.notice.set(Some(fault));
            return;
        }
        self.stop();
        self.notice.set(None);
        self.picked.set(None);
        let turn = self.run.get_value();
        let mut handles = Vec::new();
        for (system, side) in [("standalone", self.left), ("grounded", self.right)] {
            side.set(Side { busy: true, ..Side::default() });
            let request = Request::Run {
                system: system.to_owned(),
                problem: Box::new(problem.clone()),
                model: settings.with_untracked(ModelSettings::choice),
                limits: Limits::default(),
                options: Box::default(),
                n_runs: 1,
            };
            let of = problem.clone();
            let handle = engine_client::interactive().start(&request, move |event| {
                if self.run.get_value() != turn {
                    return;
                }
                match event {
                    Event::Step { step } => side.update(|s| {
                        s.n_steps += usize::from(!matches!(step.body, StepBody::Note { .. }));
                    }),
                    Event::Done { output } => {
                        let Output::Run { run, .. } = *output else { return };
                        let stored =
                            StoredRun::new(js_sys::Date::now(), of.clone(), (*run).clone());
                        let of = of.clone();
                        spawn_local(async move {
                            let text = run.trace.answer().unwrap_or_default().to_owned();
                            let request = Request::Claims { problem: Box::new(of), text };
                            let claims = match engine_client::interactive().ask(request).await {
                                Ok(Output::Claims { claims }) => claims,
                                _ => Vec::new(),
                            };
                            if self.run.get_value() == turn {
                                side.set(Side { run: Some(*run), claims, ..Side::default() });
                            }
                            let _ = storage::save_run(&stored).await;
                            room.list_runs();
                        });
                    }
                    Event::Failed { message } => {
                        side.update(|s| s.busy = false);
                        self.notice.set(Some(message));
                    }
                    _ => {}
                }
            });
            handles.push(handle);
        }
        self.jobs.set_value(handles);
    }
}
