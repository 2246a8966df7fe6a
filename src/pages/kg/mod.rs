//! GraphRunner: a question about a knowledge graph, planned, verified, executed, answered; and the
//! same question given to the baselines.

mod left;
mod opening;
mod questions;
mod sparql;
mod stage;
mod state;
mod store;
mod story;

use leptos::prelude::*;
use systems::kgqa::SYSTEMS;

use super::{PageSpec, addresses, part};
use crate::components::columns_dialog::ColumnsDialog;
use crate::shell::Shell;
use crate::workbench::columns::{Columns, Left, Middle, Story};
use crate::workbench::run_bar::RunBar;
use left::LeftColumn;
use stage::StageColumn;
use state::PageState;
use story::StoryColumn;

pub(super) static PAGE: PageSpec = PageSpec {
    path: addresses::KG,
    title: "GraphRunner",
    group: "Knowledge",
    styles: &["compare.css", "kg.css", "similarity.css", "whole.css"],
    part: part!(knowledge, kg, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    Effect::new(move |_| state.follow(&shell.route.get()));
    let first = &SYSTEMS[0];
    view! {
        <Columns class="kg-page" on_files=Callback::new(move |files| state.open_files(files))>
            <Left slot label="Graph and question">
                <LeftColumn state chooses_model=shell.chooses_model/>
            </Left>
            <Middle slot>
                <StageColumn state/>
            </Middle>
            <Story slot label="What happened">
                <StoryColumn state open=shell.open prices=shell.prices/>
            </Story>
        </Columns>
        <RunBar
            title=format!("Run {}", first.title)
            is_busy=Signal::derive(move || state.session.is_busy())
            can_run=Signal::derive(move || state.graph.view.with(Option::is_some))
            on_run=Callback::new(move |()| state.run(first.id))
            on_stop=Callback::new(move |()| state.session.stop())
        />
        <ColumnsDialog
            table=Signal::derive(move || state.table.get().map(|(view, _)| view))
            has_relations=true
            on_open=move |columns| state.open_table(columns)
            on_cancel=move |()| state.table.set(None)
        />
    }
    .into_any()
}
