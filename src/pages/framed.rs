//! The page in a frame: the outer page steps what is shown, and is told where it is.

use leptos::prelude::*;

use super::solve::room::Room;
use super::traces::state::TracesState;
use crate::routes::Page;
use crate::services::embed;

/// Joins the cursor of the page that is shown with the outer page.
pub(crate) fn join(page: Memo<Page>, room: Room, traces: TracesState) {
    if !embed::is_on() {
        return;
    }
    let place = Memo::new(move |_| match page.get() {
        Page::Solve => room.read_story(|s| (s.cursor, s.steps.len())).unwrap_or_default(),
        Page::Traces => (traces.cursor.get(), traces.n_steps()),
        _ => (0, 0),
    });
    let tell = move |(step, steps)| embed::tell(page.get_untracked().path(), step, steps);
    Effect::new(move |_| tell(place.get()));
    embed::listen(move |order| {
        let (cursor, n) = place.get_untracked();
        let to = order.from(cursor, n);
        if to == cursor {
            tell((cursor, n));
            return;
        }
        // The change of the cursor tells by itself.
        if page.get_untracked() == Page::Solve {
            room.playing.set(false);
            room.seek(to);
        } else {
            traces.playing.set(false);
            traces.seek(to);
        }
    });
}
