//! Rescue: a disaster on a map, robots, and a model that plans for them.

mod map;
mod menu;
mod plan_bar;
pub(crate) mod room;
mod setup;
mod shapes;
mod talk;

use leptos::prelude::*;

use crate::services::files;
use map::MapPanel;
use room::RescueRoom;
use setup::SetupPanel;
use talk::TalkPanel;

/// The page.
#[component]
pub(crate) fn RescuePage(room: RescueRoom) -> impl IntoView {
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
