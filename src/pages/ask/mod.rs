//! A question in anybody's words: the model builds the graph itself, and its answer is held against it.

mod left;
mod stage;
mod state;
mod story;

use leptos::prelude::*;

use super::{PageSpec, part};
use crate::shell::Shell;
use crate::workbench::columns::{Columns, Left, Middle, Story};
use left::LeftColumn;
use stage::StageColumn;
use state::PageState;
use story::StoryColumn;

pub(super) static PAGE: PageSpec = PageSpec {
    path: "ask",
    title: "Ask",
    group: "Solve",
    styles: &["ask.css"],
    part: part!(lessons, ask, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    state.show_example();
    view! {
        <Columns class="ask" on_files=Callback::new(move |files| state.take_files(files))>
            <Left slot label="Question">
                <LeftColumn state/>
            </Left>
            <Middle slot>
                <StageColumn state/>
            </Middle>
            <Story slot label="Answer and steps">
                <StoryColumn state/>
            </Story>
        </Columns>
    }
    .into_any()
}
