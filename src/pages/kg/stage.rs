//! The middle column: the types with the plan's way over them, or what was reached, step by step.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::kg::ShowWhole;

use super::sparql::SparqlPanel;
use super::state::PageState;
use crate::services::engine_client;
use crate::state::caption;
use crate::state::whole::LargeGraph;
use crate::workbench::played::Played;
use crate::workbench::stage::{Instead, Stage};
use crate::workbench::whole::WholeGraph;

#[component]
pub(super) fn StageColumn(state: PageState) -> impl IntoView {
    let scene = Memo::new(move |_| state.scene());
    let fit_on = Signal::derive(move || {
        state.on_schema.track();
        state.shown.track();
        state.graph.view.track();
    });
    let run = Memo::new(move |_| state.shown.get());
    let words = Signal::derive(move || {
        let what = if state.on_schema.get() { "Types of the graph" } else { "What was reached" };
        scene.with(|s| format!("{what}, {} nodes, {} edges", s.nodes.len(), s.edges.len()))
    });
    // In the drawing's place: a query and its answer.
    let asks = state.sparql.is_open;
    // Or the whole graph, which the engine tells when it is first wanted.
    let is_whole = RwSignal::new(false);
    let told = RwSignal::new(None::<Result<Arc<LargeGraph>, String>>);
    Effect::new(move |_| {
        state.graph.view.track();
        if !is_whole.get() {
            return;
        }
        told.set(None);
        let (serial, ..) = state.graph.opened();
        spawn_local(async move {
            let whole = engine_client::knowledge().ask(ShowWhole {}).await;
            if state.graph.opened().0 == serial {
                told.try_set(Some(whole.map(|kg| Arc::new(LargeGraph::of_knowledge(kg)))));
            }
        });
    });
    let tab = move |title: &'static str, on: bool, id: &'static str| {
        view! {
            <button
                aria-pressed=move || {
                    (state.on_schema.get() == on && !asks.get() && !is_whole.get()).to_string()
                }
                data-testid=id
                on:click=move |_| {
                    asks.set(false);
                    is_whole.set(false);
                    state.on_schema.set(on);
                }
            >
                {title}
            </button>
        }
    };
    let tabs = move || {
        view! {
            {tab("Schema", true, "kg-schema")}
            {tab("What was reached", false, "kg-reached")}
            <button
                aria-pressed=move || is_whole.get().to_string()
                data-testid="kg-whole"
                on:click=move |_| {
                    asks.set(false);
                    is_whole.set(true);
                }
            >
                "Whole graph"
            </button>
            <button
                aria-pressed=move || asks.get().to_string()
                data-testid="kg-sparql"
                on:click=move |_| {
                    is_whole.set(false);
                    asks.set(true);
                }
            >
                "SPARQL"
            </button>
        }
    };
    let empty = Signal::derive(move || {
        let why = if scene.with(|s| !s.nodes.is_empty()) {
            return None;
        } else if state.graph.opening.get() {
            "Opening the graph…"
        } else if state.graph.view.with(Option::is_none) {
            "No graph is open."
        } else if state.session.is_busy() {
            "The model plans…"
        } else if state.shown.with(Option::is_some) {
            "Nothing was reached up to here. Step on, or look at the plan."
        } else {
            "Run a system: what it reaches is drawn here, step by step."
        };
        Some(why.to_owned())
    });
    let on_seek = Callback::new(move |to| {
        state.on_schema.set(false);
        state.session.cursor.set(to);
    });
    let is_shown = Signal::derive(move || run.with(Option::is_some));
    let player = Played {
        caption: Signal::derive(move || {
            let ran = state.current();
            let at = state.session.cursor.get();
            ran.map(|ran| caption::of_trace(&ran.run.trace, at)).unwrap_or_default()
        }),
        ..Played::of_session(state.session, is_shown, on_seek)
    };
    let instead = Callback::new(move |()| {
        if is_whole.get_untracked() {
            return view! { <WholeGraph source=told.into()/> }.into_any();
        }
        view! { <SparqlPanel state/> }.into_any()
    });
    let is_instead = Signal::derive(move || asks.get() || is_whole.get());
    view! {
        <Stage
            label="Drawing"
            scene
            words
            empty
            instead=Instead { is_on: is_instead, view: instead }
            fit_on
            before=tabs
            player
        />
    }
}
