//! Answers beside each other that are played by one cursor. Each shows its verdict with its last step.

use std::sync::Arc;

use draw::Marks;
use leptos::prelude::*;
use trace::{Step, StepBody};

use super::checked_run::CheckedRun;
use super::played::Played;
use crate::services::playback;
use crate::services::screen::wants_no_motion;
use crate::state::viewer::line_of;
use crate::state::{caption, marks};

/// Between two steps at the usual speed, in milliseconds.
const PACE: f64 = 620.0;

/// The answers.
#[derive(Clone, Copy)]
pub(crate) struct PlayedSides {
    sides: StoredValue<Vec<CheckedRun>>,
    pub(crate) cursor: RwSignal<usize>,
    playing: RwSignal<bool>,
    speed: RwSignal<f64>,
    /// Whether all was played to its end, or nobody waits for that.
    is_told: RwSignal<bool>,
}

impl PlayedSides {
    pub(crate) fn new(sides: Vec<CheckedRun>) -> Self {
        let all = Self {
            sides: StoredValue::new(sides),
            cursor: RwSignal::new(0),
            playing: RwSignal::new(false),
            speed: RwSignal::new(1.0),
            is_told: RwSignal::new(false),
        };
        let step = move || {
            let n = untrack(move || all.n());
            let is_last = !playback::forward(all.cursor, n) || all.cursor.get_untracked() == n;
            all.is_told.update(|told| *told |= is_last && !all.is_busy_untracked());
            !is_last || all.is_busy_untracked()
        };
        playback::play_in_time(all.playing, PACE, move || all.speed.get_untracked(), step);
        all
    }

    /// From the beginning: it plays as the steps come, unless the person wants no motion.
    pub(crate) fn begin(self) {
        let is_still = wants_no_motion();
        // Behind the last step, however many there will be.
        self.cursor.set(if is_still { usize::MAX } else { 0 });
        self.playing.set(!is_still);
        self.is_told.set(is_still);
    }

    /// Goes to the end without playing up to there.
    pub(crate) fn skip(self) {
        self.pause_at(usize::MAX);
        self.is_told.set(true);
    }

    /// Goes to a step, and plays no longer.
    pub(crate) fn pause_at(self, at: usize) {
        self.playing.set(false);
        self.seek(at);
    }

    pub(crate) fn seek(self, to: usize) {
        let n = untrack(move || self.n());
        self.cursor.set(to.min(n));
        self.is_told.update(|told| *told |= to >= n && !self.is_busy_untracked());
    }

    /// How many steps the longest of them has.
    pub(crate) fn n(self) -> usize {
        self.each(|side| side.session.steps.with(Vec::len)).into_iter().max().unwrap_or_default()
    }

    /// Where the cursor is in an answer.
    pub(crate) fn place(self, side: CheckedRun) -> usize {
        self.cursor.get().min(side.session.steps.with(Vec::len))
    }

    /// Whether the verdict of an answer may be known.
    pub(crate) fn tells(self, side: CheckedRun) -> bool {
        let n = side.session.steps.with(Vec::len);
        side.answered.with(|a| a.run.is_some()) && (self.is_told.get() || self.cursor.get() >= n)
    }

    /// What the step in view wrote or read, of the first answer that has such a step there; nothing
    /// where all are at their ends.
    pub(crate) fn effects(self) -> Option<Marks> {
        let steps = self.each(|side| self.step(side));
        let steps: Vec<Arc<Step>> = steps.into_iter().flatten().collect();
        let of = |step: &Arc<Step>| match &step.body {
            StepBody::Call { effects, .. } => Some(marks::of_effects(effects)),
            _ => None,
        };
        if steps.is_empty() {
            return None;
        }
        Some(steps.iter().find_map(of).unwrap_or_default())
    }

    /// The step in view of an answer that continues after it.
    fn step(self, side: CheckedRun) -> Option<Arc<Step>> {
        let at = self.cursor.get().checked_sub(1)?;
        side.session.steps.with(|steps| steps.get(at).filter(|_| at + 1 < steps.len()).cloned())
    }

    /// The steps of the longest answer, for the timeline and the caption.
    fn longest(self) -> Vec<Arc<Step>> {
        let all = self.each(|side| side.session.steps.get());
        all.into_iter().max_by_key(Vec::len).unwrap_or_default()
    }

    pub(crate) fn played(self) -> Played {
        Played {
            n: Signal::derive(move || self.n()),
            cursor: Signal::derive(move || self.cursor.get().min(self.n())),
            line: Signal::derive(move || line_of(&self.longest())),
            caption: Signal::derive(move || caption::at(&self.longest(), self.cursor.get())),
            playing: self.playing,
            speed: self.speed,
            on_seek: Callback::new(move |to| self.seek(to)),
        }
    }

    fn is_busy_untracked(self) -> bool {
        untrack(move || self.each(|side| side.session.is_busy()).contains(&true))
    }

    /// Asks each of them; none, once the page is gone.
    fn each<T>(self, ask: impl Fn(CheckedRun) -> T) -> Vec<T> {
        self.sides.try_get_value().unwrap_or_default().into_iter().map(ask).collect()
    }
}

/// In the place of a verdict that has not come yet: how far the play is, and a way to its end.
#[component]
pub(crate) fn PlayingCard(
    #[prop(into)] who: String,
    /// The step in view, and how many there are.
    place: Signal<(usize, usize)>,
    on_skip: Callback<()>,
) -> impl IntoView {
    view! {
        <div class="card busy playing">
            <b>{who}</b>
            <strong>"Playing…"</strong>
            <p>{move || {
                let (at, n) = place.get();
                format!("Step {at} of {n}")
            }}</p>
            <button class="quiet" data-testid="skip" on:click=move |_| on_skip.run(())>
                "Skip"
            </button>
        </div>
    }
}

/// Words that a screen reader says once they come: a verdict that arrives.
#[component]
pub(crate) fn Announced(#[prop(into)] words: Signal<String>) -> impl IntoView {
    view! {
        <p class="sr-only" role="status" aria-live="polite" data-testid="announced">
            {move || words.get()}
        </p>
    }
}
