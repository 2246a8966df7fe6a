//! Rescue: a disaster on a map, robots, and a model that plans for them.

mod map;
mod menu;
mod plan_bar;
pub(crate) mod room;
mod setup;
mod shapes;
mod talk;

use leptos::prelude::*;

use crate::pages::drop_frame::DropFrame;
use crate::routes::{Page, Route};
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
    view! {
        <DropFrame class="rooms rescue" on_files=Callback::new(move |files| room.take_files(files))>
            <SetupPanel room/>
            <MapPanel room/>
            <TalkPanel room/>
        </DropFrame>
    }
    .into_any()
}
