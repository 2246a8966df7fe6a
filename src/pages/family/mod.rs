//! Family: a family's graph, a request that needs it, and two models, one that searches the graph and
//! one that calls a tool.

mod facts;
mod paths;
pub(crate) mod room;
mod setup;
mod stage;
mod story;

use leptos::prelude::*;

use crate::pages::drop_frame::DropFrame;
use crate::pages::kg::state::KgState;
use crate::routes::{Page, Route};
use room::FamilyRoom;
use setup::SetupPanel;
use stage::StagePanel;
use story::StoryPanel;

/// The page.
#[component]
pub(crate) fn FamilyPage(
    room: FamilyRoom,
    route: RwSignal<Route>,
    /// Its engine is this page's too, and so is how names are compared.
    knowledge: KgState,
) -> impl IntoView {
    Effect::new(move |_| {
        let keys = route.with(|r| (r.page == Page::Family).then(|| r.keys.clone()));
        if let Some(keys) = keys {
            room.follow(&keys);
        }
    });
    view! {
        <DropFrame class="rooms family" on_files=Callback::new(move |files| room.take_files(files))>
            <SetupPanel room knowledge/>
            <StagePanel room/>
            <StoryPanel room/>
        </DropFrame>
    }
    .into_any()
}
