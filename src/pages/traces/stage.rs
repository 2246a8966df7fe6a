//! The middle column: the graph at the cursor, and the player under it.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::PageState;
use crate::state::caption;
use crate::state::viewer::timeline;
use crate::state::whole::LargeGraph;
use crate::workbench::played::Played;
use crate::workbench::stage::{Instead, Stage};
use crate::workbench::whole::{PartNote, WholeGraph};

/// Stretches of a timeline: more are narrower than a pixel or two.
const STRETCHES: usize = 300;

#[component]
pub(super) fn StageColumn(state: PageState) -> impl IntoView {
    let entry = Memo::new(move |_| state.entry());
    let scene = Memo::new(move |_| {
        let (at, picked) = (state.session.cursor.get(), state.picked.get());
        entry.with(|e| e.as_ref().map(|e| PageState::scene(e, at, picked)).unwrap_or_default())
    });
    let line = Memo::new(move |_| {
        entry.with(|e| e.as_ref().map(|e| timeline(&e.trace, STRETCHES)).unwrap_or_default())
    });
    let label = Signal::derive(move || {
        let n = state.session.cursor.get();
        scene.with(|s| format!("Graph after {n} steps, {} nodes", s.nodes.len()))
    });
    // Why nothing is drawn.
    let empty = Signal::derive(move || {
        if scene.with(|s| !s.nodes.is_empty()) {
            return None;
        }
        let grows = entry.with(|e| e.as_ref().is_some_and(|e| e.graphs.whole().n_nodes() > 0));
        Some(if grows {
            "No graph yet at this step: step on, or play.".to_owned()
        } else {
            "This run has no graph of its own: it calls no function that builds one.".to_owned()
        })
    });
    // Of a large graph a part is drawn, or the whole that the run built in its place.
    let is_whole = RwSignal::new(false);
    let n_shown = Signal::derive(move || scene.with(|s| s.nodes.len()));
    let n_all = Signal::derive(move || {
        entry.with(|e| {
            let graph = e.as_ref()?.graphs.whole();
            (!draw::is_drawn_whole(graph)).then(|| graph.n_nodes())
        })
    });
    Effect::new(move |_| {
        state.current.track();
        is_whole.set(false);
    });
    let source = Signal::derive(move || {
        entry.with(|e| e.as_ref().map(|e| Ok(Arc::new(LargeGraph::of_graph(e.graphs.whole())))))
    });
    let whole = Callback::new(move |()| view! { <WholeGraph source/> }.into_any());
    let player = Played {
        n: Signal::derive(move || state.n_steps()),
        cursor: state.session.cursor.into(),
        line: line.into(),
        caption: Signal::derive(move || {
            let at = state.session.cursor.get();
            entry.with(|e| e.as_ref().map(|e| caption::of_trace(&e.trace, at)).unwrap_or_default())
        }),
        playing: state.session.playing,
        speed: state.session.speed,
        on_seek: Callback::new(move |to| state.seek(to)),
    };
    view! {
        <Stage
            label="Graph"
            scene
            words=label
            empty
            instead=Instead { is_on: is_whole.into(), view: whole }
            over=move || view! { <PartNote n_shown n_all is_whole/> }
            fit_on=Signal::derive(move || state.current.track())
            player
        />
    }
}
