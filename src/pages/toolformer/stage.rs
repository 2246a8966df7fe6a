//! The middle room: the sentence, and the part of the data that its calls used.

use leptos::prelude::*;

use super::call::CallPanel;
use super::room::ToolformerRoom;
use super::sentence::Sentence;
use crate::components::graph_table::GraphTable;
use crate::components::graph_view::{GraphView, View};
use crate::components::live_turn::LiveTurn;
use crate::components::step_player::StepPlayer;
use crate::state::live::Live;
use crate::state::toolformer::PERSON;
use crate::state::viewer::{Stretch, timeline};

/// The room.
#[component]
pub(super) fn StagePanel(room: ToolformerRoom) -> impl IntoView {
    let scene = Memo::new(move |_| room.scene());
    let view_box = RwSignal::new(None::<View>);
    let as_table = RwSignal::new(false);
    Effect::new(move |_| {
        room.run.track();
        view_box.set(None);
    });
    let n = Signal::derive(move || room.run.get().map_or(0, |r| r.view.trace.steps.len()));
    let line = Signal::derive(move || -> Vec<Stretch> {
        room.run.get().map_or_else(Vec::new, |r| timeline(&r.view.trace, 400))
    });
    let label = move || {
        scene.with(|s| format!("What was used, {} nodes, {} links", s.nodes.len(), s.edges.len()))
    };
    let has_run = move || room.run.with(Option::is_some);
    view! {
        <section class="stage" aria-label="Sentence">
            <Show when=has_run fallback=move || view! { <Waiting room/> }>
                <div class="said">
                    <Sentence room/>
                    <label class="choice small">
                        <input
                            type="checkbox"
                            data-testid="keep-calls"
                            prop:checked=move || room.keeps_calls.get()
                            on:change=move |e| room.keeps_calls.set(event_target_checked(&e))
                        />
                        "Keep the calls beside their results"
                    </label>
                </div>
                <StepPlayer
                    n
                    cursor=room.cursor
                    line
                    playing=room.playing
                    speed=room.speed
                    on_seek=Callback::new(move |to| room.cursor.set(to))
                />
            </Show>
            <Show when=move || scene.with(|s| !s.nodes.is_empty())>
                <div class="tools" role="toolbar" aria-label="What is drawn">
                    <button
                        aria-pressed=move || as_table.get().to_string()
                        data-testid="table"
                        on:click=move |_| as_table.update(|t| *t = !*t)
                    >
                        "Table"
                    </button>
                    <button on:click=move |_| view_box.set(None)>"Fit"</button>
                </div>
            </Show>
            <div class="canvas" data-testid="used">
                {move || {
                    if scene.with(|s| s.nodes.is_empty()) {
                        let words = if has_run() {
                            "No call has used a part of a graph up to here."
                        } else {
                            "The part of the data that a call uses is drawn here."
                        };
                        return view! { <p class="empty">{words}</p> }.into_any();
                    }
                    if as_table.get() {
                        return view! { <GraphTable scene/> }.into_any();
                    }
                    view! {
                        <GraphView
                            scene
                            view=view_box
                            editing=false
                            label=Signal::derive(label)
                            on_gesture=Callback::new(|_| ())
                        />
                    }
                        .into_any()
                }}
            </div>
            <CallPanel room/>
        </section>
    }
}

/// What stands there before a statement has run.
#[component]
fn Waiting(room: ToolformerRoom) -> impl IntoView {
    view! {
        <div class="said">
            <LiveTurn live=room.live/>
            <Show when=move || room.live.with(Live::is_empty)>
                <Sentence room/>
                <p class="quiet-text" role="status">
                    {move || {
                        if room.is_busy.get() {
                            "At work…"
                        } else if room.writer.with(|w| w == PERSON) {
                            "Nothing has run yet. Run the calls, and each gives way to its result; click one for its parts."
                        } else {
                            "Nothing is written yet."
                        }
                    }}
                </p>
            </Show>
        </div>
    }
}
