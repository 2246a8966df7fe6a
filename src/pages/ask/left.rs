//! The left column: the question.

use leptos::prelude::*;

use super::state::{EXAMPLES, PageState};
use crate::components::form::Area;
use crate::components::needs_model::NeedsModel;
use crate::components::run_or_stop::RunOrStop;
use crate::state::settings::Who;
use crate::workbench::proposing::ProposeChoice;

#[component]
pub(super) fn LeftColumn(state: PageState) -> impl IntoView {
    let has_begun = move || state.trace.with(Option::is_some) && !state.is_example.get();
    let examples = EXAMPLES
        .into_iter()
        .map(|example| {
            view! {
                <button
                    type="button"
                    class="chip"
                    disabled=move || state.session.is_busy()
                    on:click=move |_| state.words.set(example.to_owned())
                >
                    {example}
                </button>
            }
        })
        .collect_view();
    view! {
        <h1>"Your own question"</h1>
        <p class="lede">
            "Ask about things and how they are connected, in your own words. The model builds the graph by calling graph functions and takes its answer from it."
        </p>
        <Area
            label="Question"
            testid="ask-question"
            rows=5
            maxlength="20000"
            placeholder="Tom knows Katy, Katy knows Paul; how can Tom reach Paul?"
            value=state.words
            on_input=move |words| state.words.set(words)
        />
        <ProposeChoice composed=state.composed/>
        <RunOrStop
            is_busy=Signal::derive(move || state.session.is_busy())
            title=Signal::derive(move || {
                if has_begun() { "Ask again" } else { "Ask" }.to_owned()
            })
            disabled=Signal::derive(move || state.words.with(|w| w.trim().is_empty()))
            on_run=Callback::new(move |()| state.ask_anew())
            on_stop=Callback::new(move |()| state.session.stop())
        />
        <NeedsModel
            why=Signal::derive(move || {
                state.settings.with(|s| match s.who {
                    Who::Own => Some("Our own small model answers short English questions about who or what is connected, and declines what it does not understand."),
                    Who::Script => Some("The scripts know the benchmarks' questions alone."),
                    Who::Endpoint | Who::File => None,
                })
            })
            chooses_model=state.chooses_model
            testid="ask-needs-model"
        />
        <h2>"Questions to try"</h2>
        <div class="chips" role="group" aria-label="Questions to try">
            {examples}
        </div>
        <h2>"What is checked"</h2>
        <p class="quiet-text">
            "No right answer is known here. The answer is checked against the graph that the model built: each claim, and where the last call answers a known task, with a certificate. A node that your question never names is made up, and drawn red. Check that the graph is the one you mean: correct it under the drawing, and the answer is checked again."
        </p>
    }
}
