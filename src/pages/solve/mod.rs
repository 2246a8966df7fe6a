//! Solve: one problem, its graph, and what a model, a function or the solver makes of it.

mod graph_panel;
mod import;
mod links;
mod problem_panel;
mod query;
pub(crate) mod room;
mod run_choices;
mod running;
mod story_panel;

use leptos::prelude::*;

use crate::pages::drop_frame::DropFrame;
use crate::routes::{Page, Route};
use graph_panel::GraphPanel;
use import::ImportDialog;
use links::Goal;
use problem_panel::ProblemPanel;
use room::{Draft, Room};
use story_panel::StoryPanel;

/// The page.
#[component]
pub(crate) fn SolvePage(room: Room, route: RwSignal<Route>) -> impl IntoView {
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    // An address that names another problem, typed or followed, makes it.
    Effect::new(move |_| {
        let route = route.get();
        if route.page != Page::Solve {
            return;
        }
        if room.follow(&route) {
            return;
        }
        let nothing_yet = room.problem.with_untracked(Option::is_none);
        if route.keys.contains_key("task") || nothing_yet {
            let wanted = Draft::from_route(&route);
            let now = room.draft.get_untracked();
            let same = (wanted.task, wanted.difficulty, wanted.seed)
                == (now.task, now.difficulty, now.seed);
            if nothing_yet || !same {
                room.draft.set(Draft { wording: now.wording, style: now.style, ..wanted });
                room.generate_then(move || Goal::of(&route).run(room));
            }
        }
    });
    view! {
        <DropFrame class="rooms" on_files=Callback::new(move |files| import::take_files(room, files))>
            <ProblemPanel room dialog/>
            <GraphPanel room/>
            <StoryPanel room/>
            <ImportDialog room node=dialog/>
        </DropFrame>
    }
    .into_any()
}
