//! How a run goes about it: which functions are sent, the graph beside the question, votes.

use leptos::prelude::*;

use super::state::PageState;
use crate::components::form::{Check, Number, Text};
use crate::state::how::{How, MOST_RUNS};
use crate::state::settings::ModelSettings;
use crate::workbench::proposing::ProposeChoice;

/// The choices, folded away behind a line that says what is chosen.
#[component]
pub(super) fn RunChoices(state: PageState) -> impl IntoView {
    let how = state.how;
    let model = move || state.open.settings.with(ModelSettings::choice);
    let sends_few = Signal::derive(move || how.with(|h| h.sends_few(&model())));
    view! {
        <details class="how" data-testid="run-choices">
            <summary>"Run settings: " {move || how.with(How::words)}</summary>
            <Check
                label=|| "Send only the functions that fit the question"
                testid="few-tools"
                checked=sends_few
                on_change=move |on| how.update(|h| h.few_tools = Some(on))
            />
            <Show when=move || sends_few.get()>
                <Number
                    label="How many, beside those that build a graph"
                    min=1.0
                    max=20.0
                    value=Signal::derive(move || how.with(|h| h.n_tools as f64))
                    on_change=move |n: f64| how.update(|h| h.n_tools = n as usize)
                />
                <Text
                    label="Always send (names)"
                    placeholder="pagerank, bfs_order"
                    value=Signal::derive(move || how.with(|h| h.pinned.clone()))
                    on_input=move |names| how.update(|h| h.pinned = names)
                />
            </Show>
            <Check
                label=|| "The model has to call until a function has answered"
                testid="hold"
                checked=Signal::derive(move || how.with(|h| h.holds(&model())))
                on_change=move |on| how.update(|h| h.hold = Some(on))
            />
            <Check
                label=|| "Hand the graph over beside the question, not in its words"
                testid="attach"
                checked=Signal::derive(move || how.with(|h| h.attach))
                on_change=move |on| how.update(|h| h.attach = on)
            />
            <ProposeChoice composed=state.composed/>
            <Number
                label="Runs, of which the majority counts"
                testid="n-runs"
                min=1.0
                max=f64::from(MOST_RUNS)
                value=Signal::derive(move || how.with(|h| f64::from(h.n_runs)))
                on_change=move |n: f64| how.update(|h| h.n_runs = n as u32)
            />
        </details>
    }
}
