//! What the Compare page holds.

use std::rc::Rc;

use agent::Limits;
use engine::Request;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tasks::Marks;

use super::side::{self, Side, Told};
use crate::pages::solve::room::Room;
use crate::services::engine_client::JobHandle;
use crate::services::storage;
use crate::state::settings::ModelSettings;

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
            let told = Told {
                is_current: Rc::new(move || self.run.get_value() == turn),
                on_run: Rc::new(move |stored| {
                    spawn_local(async move {
                        let _ = storage::save_run(&stored).await;
                        room.list_runs();
                    });
                }),
                on_fault: Rc::new(move |message| self.notice.set(Some(message))),
            };
            let handle = side::run(&request, problem.clone(), side, told);
            handles.push(handle);
        }
        self.jobs.set_value(handles);
    }
}
