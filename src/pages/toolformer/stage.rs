//! The middle column: the sentence, and the part of the data that its calls used.

use leptos::prelude::*;

use super::call::CallPanel;
use super::sentence::Sentence;
use super::state::PageState;
use crate::components::form::Check;
use crate::state::live::Live;
use crate::state::toolformer::PERSON;
use crate::workbench::played::Played;
use crate::workbench::stage::Stage;
use crate::workbench::waiting::Waiting;

#[component]
pub(super) fn StageColumn(state: PageState) -> impl IntoView {
    let scene = Memo::new(move |_| state.scene());
    let words = Signal::derive(move || {
        scene.with(|s| format!("What was used, {} nodes, {} links", s.nodes.len(), s.edges.len()))
    });
    let has_run = move || state.run.with(Option::is_some);
    let empty = Signal::derive(move || {
        scene.with(|s| s.nodes.is_empty()).then(|| {
            if has_run() {
                "No call has used a part of a graph up to here."
            } else {
                "The part of the data that a call uses is drawn here."
            }
            .to_owned()
        })
    });
    let on_seek = Callback::new(move |to| state.session.cursor.set(to));
    let player = Played::of_session(state.session, Signal::derive(has_run), on_seek);
    view! {
        <Stage
            label="Sentence"
            scene
            words
            empty
            fit_on=Signal::derive(move || state.run.track())
            above=move || {
                view! {
                    <Show when=has_run fallback=move || view! { <Writing state/> }>
                        <div class="said">
                            <Sentence state/>
                            <Check
                                label=|| "Keep the calls beside their results"
                                testid="keep-calls"
                                checked=state.keeps_calls
                                on_change=move |on| state.keeps_calls.set(on)
                            />
                        </div>
                    </Show>
                }
            }
            player
            under=move || view! { <CallPanel state/> }
        />
    }
}

/// What stands there before a statement has run.
#[component]
fn Writing(state: PageState) -> impl IntoView {
    view! {
        <div class="said">
            <Waiting session=state.session/>
            <Show when=move || state.session.live.with(Live::is_empty)>
                <Sentence state/>
                <p class="quiet-text" role="status">
                    {move || {
                        if state.session.is_busy() {
                            "At work…"
                        } else if state.writer.with(|w| w == PERSON) {
                            "Nothing has run yet. Run the calls, and its result replaces each; click one for its parts."
                        } else {
                            "Nothing is written yet."
                        }
                    }}
                </p>
            </Show>
        </div>
    }
}
