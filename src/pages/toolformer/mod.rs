//! Graph-ToolFormer: sentences with calls of graph tools in them, run and filled in.

mod call;
mod hub;
pub(crate) mod room;
mod sentence;
mod setup;
mod stage;
mod story;

use leptos::prelude::*;

use crate::pages::drop_frame::DropFrame;
use room::ToolformerRoom;
use setup::SetupPanel;
use stage::StagePanel;
use story::StoryPanel;

/// The page.
#[component]
pub(crate) fn ToolformerPage(room: ToolformerRoom) -> impl IntoView {
    room.open();
    view! {
        <DropFrame class="rooms toolformer" on_files=Callback::new(move |files| room.take_files(files))>
            <SetupPanel room/>
            <StagePanel room/>
            <StoryPanel room/>
        </DropFrame>
    }
    .into_any()
}
