//! Steps that go on by themselves, as long as somebody wants them to.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;

/// Between two looks at what is due, in milliseconds.
const TICK: f64 = 40.0;

/// Calls `step` once every `pace` milliseconds of the usual speed as long as `playing` holds; a step
/// that answers false was the last.
///
/// The clock runs only while it plays, so a page at rest wakes nobody.
pub(crate) fn play_in_time(
    playing: RwSignal<bool>,
    pace: f64,
    speed: impl Fn() -> f64 + 'static,
    step: impl Fn() -> bool + 'static,
) {
    let (speed, step) = (Rc::new(speed), Rc::new(step));
    Effect::new(move |_| {
        if !playing.get() {
            return;
        }
        let (speed, step, gone) = (Rc::clone(&speed), Rc::clone(&step), Cell::new(0.0));
        let tick = move || {
            gone.set(gone.get() + TICK * speed());
            while gone.get() >= pace && playing.get_untracked() {
                gone.set(gone.get() - pace);
                if !step() {
                    playing.set(false);
                }
            }
        };
        let clock = set_interval_with_handle(tick, Duration::from_millis(TICK as u64));
        // With the next change of `playing`, and with whoever plays.
        on_cleanup(move || {
            if let Ok(clock) = clock {
                clock.clear();
            }
        });
    });
}

/// A step of a cursor over `n` steps: whether there was one to take.
pub(crate) fn forward(cursor: RwSignal<usize>, n: usize) -> bool {
    let at = cursor.get_untracked();
    if at < n {
        cursor.set(at + 1);
    }
    at < n
}
