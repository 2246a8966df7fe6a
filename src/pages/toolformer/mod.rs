//! Graph-ToolFormer: sentences with calls of graph tools in them, run and filled in.

mod call;
mod hub;
pub(crate) mod room;
mod sentence;
mod setup;
mod stage;
mod story;

use leptos::prelude::*;

use crate::services::files;
use room::ToolformerRoom;
use setup::SetupPanel;
use stage::StagePanel;
use story::StoryPanel;

/// The page.
#[component]
pub(crate) fn ToolformerPage(room: ToolformerRoom) -> impl IntoView {
    room.open();
    let over = RwSignal::new(false);
    view! {
        <main
            class="rooms toolformer"
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
            <StagePanel room/>
            <StoryPanel room/>
        </main>
    }
    .into_any()
}
