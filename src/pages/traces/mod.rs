//! Traces: walk through a run step by step, replay it, fork it, and compare two.

mod detail;
mod diff_panel;
mod keys;
mod left;
mod notes;
mod opening;
mod spent;
mod stage;
mod state;
mod steps_panel;
mod table;

use leptos::prelude::*;

use super::{PageSpec, part};
use crate::components::model_seat::ModelSeat;
use crate::components::notice::Notice;
use crate::services::open;
use crate::shell::Shell;
use crate::state::settings::ModelSettings;
use crate::workbench::columns::{Columns, Left, Middle, Story};
use detail::Detail;
use diff_panel::DiffPanel;
use left::LeftColumn;
use stage::StageColumn;
use state::PageState;
use steps_panel::StepsPanel;
use table::RunTable;

pub(super) static PAGE: PageSpec = PageSpec {
    path: open::TRACE,
    title: "Traces",
    group: "Library",
    styles: &["traces.css", "plot.css", "whole.css"],
    data: Some(state::EMBEDDED),
    part: part!(traces, traces, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    keys::listen(state);
    // An address may name a kept run, or have a trace in it.
    Effect::new(move |_| {
        let Some(keys) = shell.route.with(|r| r.keys_of(PAGE.path).cloned()) else { return };
        state.follow(&keys);
        if !keys.contains_key("s") && !keys.contains_key("run") {
            state.show_examples();
        }
    });
    Effect::new(move |_| {
        let id = state.current.get();
        let name =
            state.entries.with(|l| l.iter().find(|e| Some(e.id) == id).map(|e| e.name.clone()));
        shell.detail.set(name);
    });
    let on_files = Callback::new(move |files| left::take_files(state, files));
    // Another trace has a story of its own, read from its beginning.
    let story = move || {
        let is_one = state.current.with(Option::is_some)
            && state.compared.with(Option::is_none)
            && !state.is_table.get();
        is_one.then(|| view! { <StoryColumn state settings=shell.settings/> })
    };
    view! {
        <Columns class="traces" on_files>
            <Left slot label="Traces">
                <LeftColumn state kept=shell.kept_runs open=shell.open/>
            </Left>
            <Middle slot>
                {move || {
                    if let Some(compared) = state.compared.get() {
                        view! { <DiffPanel state compared/> }.into_any()
                    } else if state.is_table.get() {
                        view! { <RunTable state kept=shell.kept_runs/> }.into_any()
                    } else if state.current.with(Option::is_none) {
                        view! { <Empty/> }.into_any()
                    } else {
                        view! { <StageColumn state/> }.into_any()
                    }
                }}
            </Middle>
            <Story slot label="Steps">
                {story}
            </Story>
        </Columns>
    }
    .into_any()
}

#[component]
fn Empty() -> impl IntoView {
    view! {
        <section class="trace-empty">
            <p class="lead">"Open a run, or drop a trace file."</p>
            <p>
                "Every run that you start on a page is kept in this browser and listed here. Files of other programs open too: OpenAI messages, Inspect logs, exports of Langfuse and LangSmith, OpenTelemetry spans, ATIF. A file of many traces is a table of what its scorer says and what the graph says."
            </p>
            <p>
                "Then step through it with "<kbd>"j"</kbd>" and "<kbd>"k"</kbd>", watch the graph as it was at every step, compute every result again, or fork the run at any step."
            </p>
        </section>
    }
}

/// The list of steps, and the one at the cursor in full.
#[component]
fn StoryColumn(state: PageState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    view! {
        <Notice message=state.session.notice/>
        <Notice message=state.kept.fault/>
        {move || {
            state
                .session
                .busy
                .get()
                .map(|words| {
                    view! {
                        <p class="busy-line" role="status">
                            {words}
                            <button class="quiet" on:click=move |_| state.session.stop()>
                                "Stop"
                            </button>
                        </p>
                    }
                })
        }}
        {move || {
            state
                .session
                .seat
                .get()
                .map(|tools| {
                    let on_say = Callback::new(move |m| state.session.say(m));
                    view! { <ModelSeat tools on_say/> }
                })
        }}
        <StepsPanel state/>
        <Detail state settings/>
    }
}
