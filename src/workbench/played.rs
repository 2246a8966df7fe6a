//! The walk over the steps of a run: what the player, the keys and the caption follow.

use leptos::prelude::*;

use super::session::RunSession;
use crate::shell::Stepped;
use crate::state::caption;
use crate::state::viewer::{TimeSpan, line_of};

/// The walk over the steps of what is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Played {
    pub(crate) n: Signal<usize>,
    pub(crate) cursor: Signal<usize>,
    pub(crate) line: Signal<Vec<TimeSpan>>,
    /// The step in view in one sentence.
    pub(crate) caption: Signal<String>,
    pub(crate) playing: RwSignal<bool>,
    pub(crate) speed: RwSignal<f64>,
    pub(crate) on_seek: Callback<usize>,
}

impl Played {
    /// The walk over the steps of a session, as long as they are shown.
    pub(crate) fn of_session(
        session: RunSession,
        is_shown: Signal<bool>,
        on_seek: Callback<usize>,
    ) -> Self {
        let steps = move || if is_shown.get() { session.steps.get() } else { Vec::new() };
        Self {
            n: Signal::derive(
                move || {
                    if is_shown.get() { session.steps.with(Vec::len) } else { 0 }
                },
            ),
            cursor: session.cursor.into(),
            line: Signal::derive(move || line_of(&steps())),
            caption: Signal::derive(move || caption::at(&steps(), session.cursor.get())),
            playing: session.playing,
            speed: session.speed,
            on_seek,
        }
    }

    /// What keys, a bar and an outer page step through.
    fn stepped(self) -> Stepped {
        let Self { n, cursor, playing, on_seek, .. } = self;
        Stepped { place: Signal::derive(move || (cursor.get(), n.get())), on_seek, playing }
    }
}

/// The steps that are walked through from outside of their page; in the context of every page.
#[derive(Clone, Copy)]
pub(crate) struct SteppedNow(pub(crate) RwSignal<Option<Stepped>>);

/// Lets keys, a bar and an outer page walk through these steps as long as what shows them is there, or
/// until others are offered.
pub(crate) fn offer(played: Played) {
    let Some(SteppedNow(now)) = use_context::<SteppedNow>() else { return };
    let stepped = played.stepped();
    now.set(Some(stepped));
    on_cleanup(move || {
        let is_mine = now
            .try_with_untracked(|n| n.as_ref().is_some_and(|n| n.playing == stepped.playing))
            .unwrap_or_default();
        if is_mine {
            now.try_set(None);
        }
    });
}
