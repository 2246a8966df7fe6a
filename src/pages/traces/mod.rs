//! Traces: walk through a run step by step, replay it, take it over, and put two beside each other.

mod detail;
mod diff_panel;
mod keys;
mod list_panel;
pub(crate) mod state;
mod steps_panel;

use engine::message::ProblemView;
use leptos::prelude::*;

use crate::components::graph_table::GraphTable;
use crate::components::graph_view::{GraphView, View};
use crate::components::model_seat::ModelSeat;
use crate::components::notice::Notice;
use crate::components::step_player::StepPlayer;
use crate::pages::drop_frame::DropFrame;
use crate::routes::{Page, Route};
use crate::state::settings::ModelSettings;
use crate::state::stored::RunSummary;
use crate::state::viewer::timeline;
use detail::Detail;
use diff_panel::DiffPanel;
use list_panel::ListPanel;
pub(crate) use state::TracesState;
use steps_panel::StepsPanel;

/// Stretches of a timeline: more are narrower than a pixel or two.
const STRETCHES: usize = 300;

/// The page.
#[component]
pub(crate) fn TracesPage(
    state: TracesState,
    kept: RwSignal<Vec<RunSummary>>,
    settings: RwSignal<ModelSettings>,
    route: RwSignal<Route>,
    /// Takes a trace's problem to where tools are called by hand.
    on_problem: Callback<ProblemView>,
) -> impl IntoView {
    keys::listen(state);
    // An address may name a kept run, or have a trace in it.
    Effect::new(move |_| {
        let link = route.with(|r| (r.page == Page::Traces).then(|| r.keys.get("s").cloned()));
        if let Some(link) = link.flatten() {
            let step = route.with(|r| r.keys.get("step").and_then(|s| s.parse().ok()));
            state.open_link(link, step);
        }
        let wanted = route.with(|r| r.keys.get("run").and_then(|r| r.parse::<f64>().ok()));
        if let Some(id) = wanted {
            state.open_kept(id);
        }
    });
    view! {
        <DropFrame class="rooms traces" on_files=Callback::new(move |files| list_panel::take_files(state, files))>
            <ListPanel state kept on_problem/>
            {move || {
                if state.current.with(Option::is_none) {
                    view! { <Empty/> }.into_any()
                } else if let Some(compared) = state.compared.get() {
                    view! { <DiffPanel state compared/> }.into_any()
                } else {
                    view! {
                        <Stage state/>
                        <Story state settings/>
                    }
                        .into_any()
                }
            }}
        </DropFrame>
        <keys::Help/>
    }
    .into_any()
}

#[component]
fn Empty() -> impl IntoView {
    view! {
        <section class="trace-empty">
            <p class="lead">"Open a run, or drop a trace file."</p>
            <p>
                "Every run on the Solve page is kept in this browser and listed here. Files of other programs open too: OpenAI messages, Inspect logs, OpenTelemetry spans, ATIF."
            </p>
            <p>
                "Then step through it with "<kbd>"j"</kbd>" and "<kbd>"k"</kbd>", watch the graph as it was at every step, compute every result again, or take the run over at any step."
            </p>
        </section>
    }
}

/// The graph at the cursor, and the player under it.
#[component]
fn Stage(state: TracesState) -> impl IntoView {
    let entry = Memo::new(move |_| state.entry());
    let scene = Memo::new(move |_| {
        let at = state.cursor.get();
        entry.with(|e| e.as_ref().map(|e| TracesState::scene(e, at)).unwrap_or_default())
    });
    let line = Memo::new(move |_| {
        entry.with(|e| e.as_ref().map(|e| timeline(&e.trace, STRETCHES)).unwrap_or_default())
    });
    let n = Memo::new(move |_| state.n_steps());
    let view_box = RwSignal::new(None::<View>);
    Effect::new(move |_| {
        state.current.track();
        view_box.set(None);
    });
    let as_table = RwSignal::new(false);
    let label = move || {
        scene.with(|s| format!("Graph after {} steps, {} nodes", state.cursor.get(), s.nodes.len()))
    };
    let zoom = move |factor: f64| {
        let now = view_box.get_untracked();
        let now = now.unwrap_or_else(|| scene.with_untracked(|s| s.view).into());
        view_box.set(Some(now.zoomed(now.middle(), factor)));
    };
    view! {
        <section class="stage" aria-label="Graph">
            <div class="tools" role="toolbar" aria-label="Graph tools">
                <button aria-label="Zoom out" on:click=move |_| zoom(1.25)>"−"</button>
                <button aria-label="Zoom in" on:click=move |_| zoom(0.8)>"+"</button>
                <button on:click=move |_| view_box.set(None)>"Fit"</button>
                <button
                    aria-pressed=move || as_table.get().to_string()
                    on:click=move |_| as_table.update(|t| *t = !*t)
                >
                    "Table"
                </button>
            </div>
            <div class="canvas">
                {move || {
                    if scene.with(|s| s.nodes.is_empty()) {
                        let words = if entry.with(|e| e.as_ref().is_some_and(|e| e.graphs.whole().n_nodes() > 0)) {
                            "No graph yet at this step: step on, or play."
                        } else {
                            "This run has no graph of its own: it calls no function that builds one."
                        };
                        view! { <p class="no-graph">{words}</p> }.into_any()
                    } else if as_table.get() {
                        view! { <GraphTable scene/> }.into_any()
                    } else {
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
                    }
                }}
            </div>
            <StepPlayer
                n
                cursor=state.cursor
                line
                playing=state.playing
                speed=state.speed
                on_seek=Callback::new(move |to| state.seek(to))
            />
        </section>
    }
}

/// The list of steps, and the one at the cursor in full.
#[component]
fn Story(state: TracesState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    view! {
        <section class="right" aria-label="Steps">
            <Notice message=state.notice/>
            {move || {
                state
                    .busy
                    .get()
                    .map(|words| {
                        view! {
                            <p class="busy-line" role="status">
                                {words}
                                <button class="quiet" on:click=move |_| state.stop()>"Stop"</button>
                            </p>
                        }
                    })
            }}
            {move || {
                state
                    .asked
                    .get()
                    .map(|tools| {
                        view! { <ModelSeat tools on_say=Callback::new(move |m| state.say(m))/> }
                    })
            }}
            <StepsPanel state/>
            <Detail state settings/>
        </section>
    }
}
