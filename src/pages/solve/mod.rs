//! Solve: one problem, its graph, and what a model, a function or the solver makes of it.

mod import;
mod left;
mod links;
mod run_choices;
mod runs;
mod stage;
mod state;
mod story;

use leptos::prelude::*;

use super::{PageSpec, part};
use crate::services::open;
use crate::shell::Shell;
use crate::state::setup::{how_keys, how_of_keys};
use crate::workbench::columns::{Columns, Left, Middle, Story};
use crate::workbench::run_bar::RunBar;
use import::{ImportDialog, TableDialog};
use left::LeftColumn;
use links::Goal;
use stage::StageColumn;
use state::PageState;
use story::StoryColumn;

pub(super) static PAGE: PageSpec = PageSpec {
    path: open::PROBLEM,
    title: "One problem",
    group: "Solve",
    styles: &["whole.css"],
    part: part!(solve, solve, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    if let Some(problem) = shell.open.take_problem() {
        state.open.take(problem);
    }
    // An address that names another problem, typed or followed, makes it.
    Effect::new(move |_| {
        let route = shell.route.get();
        if route.path != PAGE.path || state.follow(&route) {
            return;
        }
        if route.keys.contains_key("task") {
            state.how.set(how_of_keys(&route.keys));
        }
        let goal = Goal::of(&route);
        state.open.follow(&route.keys, move || goal.run(state));
    });
    state.open.tell(shell.route, PAGE.path, move || state.how.with(how_keys));
    let on_files = Callback::new(move |files| import::take_files(shell, state, files));
    view! {
        <Columns class="solve" on_files>
            <Left slot label="Problem">
                <LeftColumn state dialog/>
            </Left>
            <Middle slot>
                <StageColumn state/>
            </Middle>
            <Story slot label="What happened">
                <StoryColumn state/>
            </Story>
        </Columns>
        <RunBar
            title="Run with tools"
            is_busy=Signal::derive(move || state.session.is_busy())
            can_run=Signal::derive(move || state.open.can_run())
            on_run=Callback::new(move |()| state.run("grounded"))
            on_stop=Callback::new(move |()| state.session.stop())
        />
        <ImportDialog shell state node=dialog/>
        <TableDialog state/>
    }
    .into_any()
}
