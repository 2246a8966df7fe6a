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
use crate::pages::traces::state::TracesState;
use crate::routes::Route;
use crate::services::files;
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
    let over = RwSignal::new(false);
    Effect::new(move |_| state.follow(&route.get()));
    view! {
        <main
            class="rooms kg-page"
            class:drop-here=move || over.get()
            on:dragover=move |e| {
                e.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=move |e| {
                over.set(false);
                state.open_files(files::dropped(&e));
            }
        >
            <section class="left" aria-label="Graph and question">
                <Notice message=state.notice/>
                <LeftRoom state/>
            </section>
            <Stage state/>
            <Story state traces prices/>
        </main>
    }
    .into_any()
}
