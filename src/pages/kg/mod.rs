//! GraphRunner: a question about a knowledge graph, planned, verified, executed, answered; and the
//! same question given to the baselines.

mod left;
pub(crate) mod likeness;
pub(crate) mod names;
mod sparql;
mod stage;
pub(crate) mod state;
mod store;
mod story;

use leptos::prelude::*;

use crate::components::notice::Notice;
use crate::pages::drop_frame::DropFrame;
use crate::pages::traces::state::TracesState;
use crate::routes::Route;
use crate::state::prices::Prices;
use left::LeftRoom;
use stage::Stage;
use state::KgState;
use story::Story;

/// The page.
#[component]
pub(crate) fn KgPage(
    state: KgState,
    route: RwSignal<Route>,
    traces: TracesState,
    prices: RwSignal<Prices>,
) -> impl IntoView {
    Effect::new(move |_| state.follow(&route.get()));
    view! {
        <DropFrame class="rooms kg-page" on_files=Callback::new(move |files| state.open_files(files))>
            <section class="left" aria-label="Graph and question">
                <Notice message=state.notice on_again=Callback::new(move |()| state.open_again())/>
                <LeftRoom state/>
            </section>
            <Stage state/>
            <Story state traces prices/>
        </DropFrame>
    }
    .into_any()
}
