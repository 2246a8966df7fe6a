//! Knowledge Graph of Thoughts: a task in plain words, and the graph that grows until it can answer.

mod ask;
mod how;
mod left;
mod picked;
mod stage;
mod state;
mod store;
mod story;

use leptos::prelude::*;

use super::{PageSpec, addresses, part};
use crate::shell::Shell;
use crate::workbench::columns::{Columns, Left, Middle, Story};
use crate::workbench::run_bar::RunBar;
use left::LeftColumn;
use stage::StageColumn;
use state::PageState;
use story::StoryColumn;

pub(super) static PAGE: PageSpec = PageSpec {
    path: addresses::KGOT,
    title: "KGoT",
    group: "Knowledge",
    styles: &["family.css", "kgot.css"],
    part: part!(kgot, kgot, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    Effect::new(move |_| {
        if let Some(keys) = shell.route.with(|r| r.keys_of(PAGE.path).cloned()) {
            state.follow(&keys);
        }
    });
    view! {
        <Columns class="kgot family" on_files=Callback::new(move |files| state.take_files(files))>
            <Left slot label="Task">
                <LeftColumn state chooses_model=shell.chooses_model/>
            </Left>
            <Middle slot>
                <StageColumn state/>
            </Middle>
            <Story slot label="What was done">
                <StoryColumn state prices=shell.prices/>
            </Story>
        </Columns>
        <RunBar
            title="Solve the task"
            is_busy=Signal::derive(move || state.session.is_busy())
            on_run=Callback::new(move |()| state.run())
            on_stop=Callback::new(move |()| state.session.stop())
        />
    }
    .into_any()
}
