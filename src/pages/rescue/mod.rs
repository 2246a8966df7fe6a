//! Rescue: a disaster on a map, robots, and a model that plans for them.

mod left;
mod menu;
mod plan_bar;
mod play;
mod shapes;
mod stage;
mod state;
mod story;

use leptos::prelude::*;

use super::{PageSpec, addresses, part};
use crate::shell::Shell;
use crate::workbench::columns::{Columns, Left, Middle, Story};
use left::LeftColumn;
use stage::StageColumn;
use state::PageState;
use story::StoryColumn;

pub(super) static PAGE: PageSpec = PageSpec {
    path: addresses::RESCUE,
    title: "Rescue",
    group: "Rescue",
    styles: &["rescue.css"],
    part: part!(rescue, rescue, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    Effect::new(move |_| {
        if let Some(link) = shell.route.with(|r| r.key_of(PAGE.path, "s")) {
            state.open_link(link);
        }
    });
    view! {
        <Columns class="rescue" on_files=Callback::new(move |files| state.take_files(files))>
            <Left slot label="Scenario">
                <LeftColumn state/>
            </Left>
            <Middle slot>
                <StageColumn state/>
            </Middle>
            <Story slot label="Conversation" class="talk">
                <StoryColumn state/>
            </Story>
        </Columns>
    }
    .into_any()
}
