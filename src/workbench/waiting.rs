//! What is seen of a run while it goes on: how long it has taken, and what the model is saying.

use std::time::Duration;

use leptos::prelude::*;

use super::session::RunSession;
use crate::components::live_turn::LiveTurn;

/// Seconds after which somebody who waits wants to know that something goes on.
const SILENT_S: u64 = 2;

/// The seconds and the turn that is under way; nothing where no run goes on.
#[component]
pub(crate) fn Waiting(session: RunSession) -> impl IntoView {
    let seconds = RwSignal::new(0_u64);
    let is_busy = Memo::new(move |_| session.is_busy() && session.seat.with(Option::is_none));
    Effect::new(move |_| {
        seconds.set(0);
        if !is_busy.get() {
            return;
        }
        let tick = move || seconds.update(|s| *s += 1);
        let clock = set_interval_with_handle(tick, Duration::from_secs(1));
        on_cleanup(move || {
            if let Ok(clock) = clock {
                clock.clear();
            }
        });
    });
    let is_long = Memo::new(move |_| is_busy.get() && seconds.get() >= SILENT_S);
    view! {
        <Show when=move || is_long.get()>
            // A screen reader would read every second.
            <p class="waiting" role="timer" aria-live="off" data-testid="waiting">
                {move || format!("Running for {} s", seconds.get())}
            </p>
        </Show>
        <LiveTurn live=session.live/>
    }
}
