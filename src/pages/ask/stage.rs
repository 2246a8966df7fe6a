//! The middle column: the graph that the model builds, which a person may correct.

use leptos::prelude::*;

use super::state::PageState;
use crate::workbench::played::Played;
use crate::workbench::stage::Stage;

#[component]
pub(super) fn StageColumn(state: PageState) -> impl IntoView {
    let scene = Memo::new(move |_| state.scene());
    let words = Signal::derive(move || {
        let (n, m) = scene.with(|s| (s.nodes.len(), s.edges.len()));
        format!("The model's graph, {n} nodes and {m} edges")
    });
    let empty = Signal::derive(move || {
        let is_empty = scene.with(|s| s.nodes.is_empty());
        let why = if state.session.is_busy() {
            "The model has built no graph yet."
        } else {
            "The graph that the model builds appears here."
        };
        (is_empty && !state.editing.get()).then(|| why.to_owned())
    });
    let on_seek = Callback::new(move |to| state.session.cursor.set(to));
    let player = Played::of_session(state.session, true.into(), on_seek);
    let may_edit = move || state.trace.with(Option::is_some) && !state.session.is_busy();
    view! {
        <Stage
            label="Graph"
            scene
            words
            empty
            fit_on=Signal::derive(move || state.trace.track())
            editing=state.editing
            on_gesture=Callback::new(move |gesture| state.act(gesture))
            after=move || {
                view! {
                    <button
                        data-testid="ask-correct"
                        aria-pressed=move || state.editing.get().to_string()
                        disabled=move || !may_edit()
                        on:click=move |_| {
                            let n = state.session.steps.with_untracked(Vec::len);
                            state.session.cursor.set(n);
                            state.editing.update(|on| *on = !*on);
                        }
                    >
                        "Correct the graph"
                    </button>
                    <Show when=move || state.corrections.with(|all| !all.is_empty())>
                        <button data-testid="ask-undo" on:click=move |_| state.undo()>
                            "Undo"
                        </button>
                    </Show>
                }
            }
            above=move || {
                view! {
                    <Show when=move || state.editing.get()>
                        <p class="ask-hint" role="status">
                            "Click the paper to add a node, one node and then another to connect them, an edge to drop it; Delete drops a node. The answer is checked again each time."
                        </p>
                    </Show>
                }
            }
            player
        />
    }
}
