//! Graph-ToolFormer: runs the tool calls inside sentences and fills in their results.

mod call;
mod hub;
mod left;
mod sentence;
mod stage;
mod state;
mod story;

use leptos::prelude::*;

use super::{PageSpec, part};
use crate::shell::Shell;
use crate::workbench::columns::{Columns, Left, Middle, Story};
use crate::workbench::run_bar::RunBar;
use left::LeftColumn;
use stage::StageColumn;
use state::PageState;
use story::StoryColumn;

pub(super) static PAGE: PageSpec = PageSpec {
    path: "toolformer",
    title: "Graph-ToolFormer",
    group: "Knowledge",
    styles: &["toolformer.css"],
    part: part!(toolformer, toolformer, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    view! {
        <Columns class="toolformer" on_files=Callback::new(move |files| state.take_files(files))>
            <Left slot label="Statement">
                <LeftColumn state/>
            </Left>
            <Middle slot>
                <StageColumn state/>
            </Middle>
            <Story slot label="Memory and steps">
                <StoryColumn state/>
            </Story>
        </Columns>
        <RunBar
            title="Run the calls"
            is_busy=Signal::derive(move || state.session.is_busy())
            can_run=Signal::derive(move || state.input.with(|t| !t.trim().is_empty()))
            on_run=Callback::new(move |()| state.start())
            on_stop=Callback::new(move |()| state.session.stop())
        />
    }
    .into_any()
}
