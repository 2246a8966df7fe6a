//! The choice of a ready graph.

use leptos::prelude::*;

use super::form::Select;
use crate::state::ready::READY;

/// The list; what is chosen opens with its first question.
#[component]
pub(crate) fn ReadyGraphs(testid: &'static str, on_pick: Callback<&'static str>) -> impl IntoView {
    let all = READY.iter().map(|ready| (ready.id.to_owned(), ready.title.to_owned()));
    let first = (String::new(), "Choose a ready graph…".to_owned());
    let options = Signal::stored(std::iter::once(first).chain(all).collect::<Vec<_>>());
    // It is a menu: the problem that comes says what is open.
    let chosen = RwSignal::new(String::new());
    view! {
        <Select
            label="Ready graphs"
            testid
            options
            value=chosen
            on_change=move |id: String| {
                chosen.set(id.clone());
                request_animation_frame(move || drop(chosen.try_set(String::new())));
                if let Some(ready) = READY.iter().find(|ready| ready.id == id) {
                    on_pick.run(ready.id);
                }
            }
        />
    }
}
