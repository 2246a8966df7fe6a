//! The middle room: the types with the plan's way over them, or what was reached, step by step.

use leptos::prelude::*;

use super::sparql::SparqlPanel;
use super::state::KgState;
use crate::components::graph_table::GraphTable;
use crate::components::graph_view::{GraphView, View};
use crate::components::step_player::StepPlayer;
use crate::state::viewer::{Stretch, timeline};

/// The room.
#[component]
pub(super) fn Stage(state: KgState) -> impl IntoView {
    let scene = Memo::new(move |_| state.scene());
    let view_box = RwSignal::new(None::<View>);
    let as_table = RwSignal::new(false);
    Effect::new(move |_| {
        state.on_schema.track();
        state.shown.track();
        state.view.track();
        view_box.set(None);
    });
    let n = Signal::derive(move || state.current().map_or(0, |r| r.run.trace.steps.len()));
    let line = Signal::derive(move || -> Vec<Stretch> {
        state.current().map_or_else(Vec::new, |r| timeline(&r.run.trace, 400))
    });
    let label = move || {
        let what = if state.on_schema.get() { "Types of the graph" } else { "What was reached" };
        scene.with(|s| format!("{what}, {} nodes, {} edges", s.nodes.len(), s.edges.len()))
    };
    let zoom = move |factor: f64| {
        let now = view_box.get_untracked();
        let now = now.unwrap_or_else(|| scene.with_untracked(|s| s.view).into());
        view_box.set(Some(now.zoomed(now.middle(), factor)));
    };
    // In the drawing's place: a query and its answer.
    let asks = state.sparql.is_open;
    let tab = move |title: &'static str, on: bool, id: &'static str| {
        view! {
            <button
                aria-pressed=move || (state.on_schema.get() == on && !asks.get()).to_string()
                data-testid=id
                on:click=move |_| {
                    asks.set(false);
                    state.on_schema.set(on);
                }
            >
                {title}
            </button>
        }
    };
    view! {
        <section class="stage" aria-label="Drawing">
            <div class="tools" role="toolbar" aria-label="What is drawn">
                {tab("Plan over the types", true, "kg-schema")}
                {tab("What was reached", false, "kg-reached")}
                <button
                    aria-pressed=move || asks.get().to_string()
                    data-testid="kg-sparql"
                    on:click=move |_| asks.set(true)
                >
                    "SPARQL"
                </button>
                <Show when=move || !asks.get()>
                    <button
                        aria-pressed=move || as_table.get().to_string()
                        on:click=move |_| as_table.update(|t| *t = !*t)
                    >
                        "Table"
                    </button>
                    <button aria-label="Zoom out" on:click=move |_| zoom(1.25)>"−"</button>
                    <button aria-label="Zoom in" on:click=move |_| zoom(0.8)>"+"</button>
                    <button on:click=move |_| view_box.set(None)>"Fit"</button>
                </Show>
            </div>
            <div class="canvas" class:asks=move || asks.get() data-testid="kg-canvas">
                {move || {
                    if asks.get() {
                        return view! { <SparqlPanel state/> }.into_any();
                    }
                    let is_empty = scene.with(|s| s.nodes.is_empty());
                    if as_table.get() && !is_empty {
                        return view! { <GraphTable scene/> }.into_any();
                    }
                    if is_empty {
                        let words = if state.opening.get() {
                            "Opening the graph…"
                        } else if state.view.with(Option::is_none) {
                            "No graph is open."
                        } else if state.busy.with(Option::is_some) {
                            "The model plans…"
                        } else if state.current().is_some() {
                            "Nothing was reached up to here. Step on, or look at the plan."
                        } else {
                            "Run a system: what it reaches is drawn here, step by step."
                        };
                        return view! { <p class="empty" role="status">{words}</p> }.into_any();
                    }
                    view! {
                        <GraphView
                            scene
                            view=view_box
                            editing=false
                            label=Signal::derive(label)
                            on_gesture=Callback::new(|_| {})
                        />
                    }
                        .into_any()
                }}
            </div>
            <Show when=move || n.get() != 0 && !asks.get()>
                <StepPlayer
                    n
                    cursor=state.cursor
                    line
                    playing=state.playing
                    speed=state.speed
                    on_seek=Callback::new(move |to| {
                        state.on_schema.set(false);
                        state.cursor.set(to);
                    })
                />
            </Show>
        </section>
    }
}
