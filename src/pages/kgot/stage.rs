//! The middle column: the graph as it grows, and below it what can be asked and corrected.

use draw::{Mark, Scene};
use leptos::prelude::*;

use super::ask::AskPanel;
use super::picked::{CorrectPanel, PickedPanel};
use super::state::PageState;
use crate::components::graph_view::Gesture;
use crate::workbench::played::Played;
use crate::workbench::stage::Stage;

#[component]
pub(super) fn StageColumn(state: PageState) -> impl IntoView {
    let scene = Memo::new(move |_| state.scene());
    let words = Signal::derive(move || {
        let (n, m) = scene.with(|s: &Scene| (s.nodes.len(), s.edges.len()));
        format!("Knowledge graph, {n} nodes and {m} connections shown")
    });
    let empty = Signal::derive(move || {
        let why = if scene.with(|s| !s.nodes.is_empty()) {
            return None;
        } else if !state.has_graph() {
            "Without a graph: the model has the tools alone. What it does stands on the right."
        } else if state.session.is_busy() {
            "The graph is empty. The model is asked whether it can answer…"
        } else {
            "The graph is empty. It grows here while the task is worked on."
        };
        Some(why.to_owned())
    });
    let on_seek = Callback::new(move |to| state.session.cursor.set(to));
    let player = Played::of_session(state.session, true.into(), on_seek);
    let on_gesture = Callback::new(move |gesture: Gesture| match gesture {
        Gesture::Move(name, at) => state.growing.update(|g| g.places.set(name, at)),
        Gesture::PickNode(name) => {
            let id = state.now().named(&name.to_string()).map(|n| n.id);
            state.picked.update(|p| *p = if *p == id { None } else { id });
        }
        _ => {}
    });
    // A graph that grows is looked at whole; what somebody has zoomed into stays in view.
    let which = Memo::new(move |_| (state.chosen.with(|c| c.picked), state.solved().is_some()));
    view! {
        <Stage
            label="Knowledge graph"
            scene
            words
            empty
            fit_on=Signal::derive(move || which.track())
            on_gesture
            after=move || view! { <Tidy state/> }
            below=move || view! { <Key scene/> }
            under=move || {
                view! {
                    <PickedPanel state/>
                    <AskPanel state/>
                    <CorrectPanel state/>
                }
            }
            player
        />
    }
}

#[component]
fn Tidy(state: PageState) -> impl IntoView {
    view! {
        <button
            title="Places the nodes anew"
            data-testid="kgot-tidy"
            on:click=move |_| state.growing.update(crate::state::kgot::Growing::tidy)
        >
            "Tidy"
        </button>
    }
}

/// What the colours mean, where they are there.
#[component]
fn Key(scene: Memo<Scene>) -> impl IntoView {
    let has = move |mark: Mark| {
        scene.with(|s| {
            s.nodes.iter().any(|n| n.marks.contains(&mark))
                || s.edges.iter().any(|e| e.marks.contains(&mark))
        })
    };
    let key = move |mark: Mark, class: &'static str, words: &'static str| {
        move || has(mark).then(|| view! { <li class=class>{words}</li> })
    };
    view! {
        <ul class="family-key" aria-label="What the colours mean">
            {key(Mark::Written, "written", "new or changed by this step")}
            {key(Mark::Read, "read", "read by this query")}
            {key(Mark::True, "true", "supports the answer")}
        </ul>
    }
}
