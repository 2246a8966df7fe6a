//! The page in a frame: the outer page steps what is shown, and is told where it is.

use leptos::prelude::*;

use crate::services::embed;
use crate::shell::Shell;

/// Joins the steps of the page that is shown with the outer page.
pub(crate) fn join(shell: Shell) {
    if !embed::is_on() {
        return;
    }
    let stepped = shell.stepped;
    let place = Memo::new(move |_| stepped.get().map_or((0, 0), |s| s.place.get()));
    let tell = move |(step, steps)| {
        embed::tell(shell.route.with_untracked(|r| r.path), step, steps);
    };
    Effect::new(move |_| tell(place.get()));
    embed::listen(move |order| {
        let (cursor, n) = place.get_untracked();
        let to = order.from(cursor, n);
        match stepped.get_untracked() {
            // The change of the cursor tells by itself.
            Some(stepped) if to != cursor => stepped.seek(to),
            _ => tell((cursor, n)),
        }
    });
}
