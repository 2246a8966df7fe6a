//! Family: a family's graph, a request that needs it, and two models, one that searches the graph and
//! one that calls a tool.

mod facts;
mod left;
mod paths;
mod stage;
mod state;
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
    path: addresses::FAMILY,
    title: "Family",
    group: "Knowledge",
    styles: &["family.css", "similarity.css"],
    part: part!(knowledge, family, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    // Its engine is that of the knowledge graphs, and so is how names are compared.
    let graph = shell.open_graph();
    Effect::new(move |_| {
        if let Some(keys) = shell.route.with(|r| r.keys_of(PAGE.path).cloned()) {
            state.follow(&keys);
        }
    });
    view! {
        <Columns class="family" on_files=Callback::new(move |files| state.take_files(files))>
            <Left slot label="Request">
                <LeftColumn state graph chooses_model=shell.chooses_model/>
            </Left>
            <Middle slot>
                <StageColumn state/>
            </Middle>
            <Story slot label="What was done">
                <StoryColumn state/>
            </Story>
        </Columns>
        <RunBar
            title="Search and call"
            is_busy=Signal::derive(move || state.session.is_busy())
            on_run=Callback::new(move |()| state.run())
            on_stop=Callback::new(move |()| state.session.stop())
        />
    }
    .into_any()
}
