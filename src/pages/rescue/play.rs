//! The plan in force, played: the robots go along their routes.

use leptos::prelude::*;
use tasks::rescue::RescuePlan;

use super::state::PageState;
use crate::services::playback;
use crate::services::screen::wants_no_motion;
use crate::state::plan_walk;
use crate::workbench::played::Played;

/// Between two steps at the usual speed, in milliseconds.
const PACE: f64 = 900.0;

/// The walk over the plan. A new plan plays by itself, unless the person wants no motion.
pub(super) fn walk(state: PageState) -> Played {
    let plan = Memo::new(move |_| state.disaster.with(|d| d.plan.clone()));
    let cursor = state.n_gone;
    let n = Memo::new(move |_| plan.with(|p| p.as_ref().map_or(0, plan_walk::n_steps)));
    let of = move |ask: fn(&RescuePlan, usize) -> String| {
        Signal::derive(move || {
            plan.with(|p| p.as_ref().map(|p| ask(p, cursor.get())).unwrap_or_default())
        })
    };
    Effect::new(move |before: Option<Option<RescuePlan>>| {
        let now = plan.get();
        let is_new = before.is_some_and(|before| before != now) && now.is_some();
        if is_new && !wants_no_motion() {
            cursor.set(0);
            state.playing.set(true);
        } else if is_new {
            cursor.set(usize::MAX);
        }
        now
    });
    let (playing, speed) = (state.playing, state.speed);
    let step = move || playback::forward(cursor, n.get_untracked());
    playback::play_in_time(playing, PACE, move || speed.get_untracked(), step);
    Played {
        n: n.into(),
        cursor: Signal::derive(move || cursor.get().min(n.get())),
        line: Signal::derive(move || {
            plan.with(|p| p.as_ref().map(plan_walk::line).unwrap_or_default())
        }),
        caption: of(plan_walk::caption),
        playing,
        speed,
        on_seek: Callback::new(move |to| cursor.set(to)),
    }
}
