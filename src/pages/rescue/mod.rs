//! Rescue: a disaster on a map, robots, and a model that plans for them.

mod map;
mod menu;
mod plan_bar;
pub(crate) mod room;
mod setup;
mod shapes;
mod talk;

use leptos::prelude::*;

use crate::routes::{Page, Route};
use crate::services::files;
use map::MapPanel;
use room::RescueRoom;
use setup::SetupPanel;
use talk::TalkPanel;

/// The page.
#[component]
pub(crate) fn RescuePage(room: RescueRoom, route: RwSignal<Route>) -> impl IntoView {
    Effect::new(move |_| {
        let link = route.with(|r| (r.page == Page::Rescue).then(|| r.keys.get("s").cloned()));
        if let Some(link) = link.flatten() {
            room.open_link(link);
        }
    });
    let over = RwSignal::new(false);
    view! {
        <main
            class="rooms rescue"
            class:drop-here=move || over.get()
            on:dragover=move |e| {
                e.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=move |e| {
                over.set(false);
                room.take_files(files::dropped(&e));
            }
        >
            <SetupPanel room/>
            <MapPanel room/>
            <TalkPanel room/>
        </main>
    }
    .into_any()
}
