//! The middle state: the graph, its tools, and the player under it.

use std::sync::Arc;

use draw::{LayoutKind, Mark};
use graph::{Delta, NodeName};
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use super::state::PageState;
use crate::components::graph_view::Gesture;
use crate::state::caption;
use crate::state::editor::free_name;
use crate::state::viewer::line_of;
use crate::state::whole::LargeGraph;
use crate::workbench::played::Played;
use crate::workbench::share::ShareButton;
use crate::workbench::stage::{Instead, Stage};
use crate::workbench::whole::{PartNote, WholeGraph};

/// What is being edited in the little form over the graph.
#[derive(Clone, Debug, PartialEq)]
enum Target {
    Name(NodeName),
    Edge(NodeName, NodeName),
}

#[component]
pub(super) fn StageColumn(state: PageState) -> impl IntoView {
    let scene = Memo::new(move |_| state.scene());
    let editing = RwSignal::new(false);
    let target = RwSignal::new(None::<Target>);
    let problem = state.open.problem;
    // Another problem is seen whole.
    let which = Memo::new(move |_| {
        problem.with(|p| p.as_ref().map(|p| (p.task, p.seed, p.graph.n_nodes())))
    });
    Effect::new(move |_| {
        which.track();
        target.set(None);
    });
    let words = Signal::derive(move || {
        scene.with(|s| {
            let n_edges = s.edges.iter().filter(|e| !e.is_ghost).count();
            format!(
                "Graph, {} nodes, {n_edges} edges. Arrow keys walk over the nodes.",
                s.nodes.len()
            )
        })
    });
    let empty = Signal::derive(move || {
        let none = problem.with(Option::is_none);
        none.then(|| "Starting the engine and making the problem…".to_owned())
    });
    let player = Played {
        n: Signal::derive(move || state.read_story(|s| s.steps.len()).unwrap_or_default()),
        cursor: Signal::derive(move || state.read_story(|s| s.cursor).unwrap_or_default()),
        line: Signal::derive(move || state.read_story(|s| line_of(&s.steps)).unwrap_or_default()),
        caption: Signal::derive(move || {
            state.read_story(|s| caption::at(&s.steps, s.cursor)).unwrap_or_default()
        }),
        playing: state.session.playing,
        speed: state.session.speed,
        on_seek: Callback::new(move |k| state.seek(k)),
    };
    // Of a large graph a part is drawn, or the whole in its place.
    let is_whole = RwSignal::new(false);
    let n_shown = Signal::derive(move || scene.with(|s| s.nodes.len()));
    let n_all = Signal::derive(move || {
        problem.with(|p| {
            p.as_ref().filter(|p| !draw::is_drawn_whole(&p.graph)).map(|p| p.graph.n_nodes())
        })
    });
    Effect::new(move |_| {
        which.track();
        is_whole.set(false);
    });
    let source = Signal::derive(move || {
        which.track();
        let graph = problem.with_untracked(|p| p.as_ref().map(|p| LargeGraph::of_graph(&p.graph)));
        graph.map(|graph| Ok(Arc::new(graph)))
    });
    let whole = Callback::new(move |()| view! { <WholeGraph source/> }.into_any());
    view! {
        <Stage
            label="Graph"
            scene
            words
            empty
            instead=Instead { is_on: is_whole.into(), view: whole }
            fit_on=Signal::derive(move || which.track())
            editing
            on_gesture=Callback::new(move |gesture: Gesture| act(state, target, gesture))
            after=move || view! {
                // The whole of a large graph has tools of its own.
                <Show when=move || !is_whole.get()>
                    <Tools state editing target/>
                </Show>
            }
            above=move || {
                view! {
                    <Show when=move || editing.get()>
                        <EditBar state target/>
                    </Show>
                }
            }
            over=move || view! { <PartNote n_shown n_all is_whole/> }
            below=move || view! { <Legend scene/> }
            player
        />
    }
}

/// Layout, editing, sharing.
#[component]
fn Tools(
    state: PageState,
    editing: RwSignal<bool>,
    target: RwSignal<Option<Target>>,
) -> impl IntoView {
    let undoing = window_event_listener(leptos::ev::keydown, move |event| {
        let is_it = (event.ctrl_key() || event.meta_key()) && !event.alt_key();
        if !is_it || !editing.get_untracked() || is_typed(&event) {
            return;
        }
        match (event.key().to_ascii_lowercase().as_str(), event.shift_key()) {
            ("z", false) => state.undo(),
            ("z", true) | ("y", false) => state.redo(),
            _ => return,
        }
        event.prevent_default();
    });
    on_cleanup(move || undoing.remove());
    let layouts = LayoutKind::ALL
        .iter()
        .map(|(kind, name)| {
            let kind = *kind;
            let is_it =
                move || state.open.problem.with(|p| p.as_ref().is_some_and(|p| p.layout == kind));
            view! { <option prop:selected=is_it>{*name}</option> }
        })
        .collect_view();
    view! {
        <select
            aria-label="Layout"
            data-testid="layout"
            on:change=move |e| {
                let name = event_target_value(&e);
                if let Some((kind, _)) = LayoutKind::ALL.iter().find(|(_, n)| *n == name) {
                    state.place(*kind);
                }
            }
        >
            {layouts}
        </select>
        <button
            aria-pressed=move || editing.get().to_string()
            data-testid="edit"
            on:click=move |_| {
                editing.update(|e| *e = !*e);
                target.set(None);
            }
        >
            "Edit"
        </button>
        <Show when=move || editing.get()>
            <button
                data-testid="undo"
                disabled=move || !state.editor.with(|e| e.can().0)
                on:click=move |_| state.undo()
            >
                "Undo"
            </button>
            <button
                disabled=move || !state.editor.with(|e| e.can().1)
                on:click=move |_| state.redo()
            >
                "Redo"
            </button>
        </Show>
        <ShareButton on_share=Callback::new(move |sharing| state.share(sharing))/>
    }
}

/// Whether a key goes into a field, which undoes by itself.
fn is_typed(event: &leptos::ev::KeyboardEvent) -> bool {
    let element = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    element.is_some_and(|e| matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"))
}

fn act(state: PageState, target: RwSignal<Option<Target>>, gesture: Gesture) {
    let Some(problem) = state.open.problem.get_untracked() else { return };
    match gesture {
        Gesture::Move(name, at) => state.open.problem.update(|p| {
            if let Some(p) = p {
                p.places.set(name, at);
            }
        }),
        Gesture::Add(at) => {
            let side = matches!(problem.query, tasks::Query::Matching(_)).then(|| {
                let middle = problem.places.iter().map(|(_, p)| p.x).sum::<f64>()
                    / problem.graph.n_nodes().max(1) as f64;
                if at.x < middle { 'a' } else { 'j' }
            });
            let name = free_name(&problem.graph, side);
            state.open.problem.update(|p| {
                if let Some(p) = p {
                    p.places.set(name.clone(), at);
                }
            });
            state.edit(vec![Delta::AddNode { node: name }]);
        }
        Gesture::Connect(source, target_node) => {
            if problem.graph.edge(&source, &target_node).is_none() {
                let has_capacity = problem.graph.edges().any(|e| e.capacity.is_some());
                let weight = (problem.graph.is_weighted()).then_some(1.0);
                let capacity = has_capacity.then_some(1.0);
                let (s, t) = (source.clone(), target_node.clone());
                state.edit(vec![Delta::AddEdge { source, target: target_node, weight, capacity }]);
                target.set(Some(Target::Edge(s, t)));
            } else {
                target.set(Some(Target::Edge(source, target_node)));
            }
        }
        Gesture::Delete(node) => {
            state.edit(vec![Delta::RemoveNode { node }]);
            target.set(None);
        }
        Gesture::Rename(node) => target.set(Some(Target::Name(node))),
        Gesture::PickEdge(source, end) => target.set(Some(Target::Edge(source, end))),
        Gesture::PickNode(_) => {}
    }
}

/// Changes what is picked to what was typed; tells whether that could be.
fn change(state: PageState, target: Option<Target>, typed: &str) -> bool {
    match target {
        Some(Target::Name(from)) => {
            let to = NodeName::from(typed);
            let at =
                state.open.problem.with_untracked(|p| p.as_ref().and_then(|p| p.places.get(&from)));
            if let Some(at) = at {
                state.open.problem.update(|p| {
                    if let Some(p) = p {
                        p.places.set(to.clone(), at);
                    }
                });
            }
            !typed.is_empty() && state.edit(vec![Delta::RenameNode { from, to }])
        }
        Some(Target::Edge(source, end)) => {
            let has_capacity = state.open.problem.with_untracked(|p| {
                p.as_ref().is_some_and(|p| p.graph.edges().any(|e| e.capacity.is_some()))
            });
            match typed {
                "" => state.edit(vec![Delta::AddEdge {
                    source,
                    target: end,
                    weight: None,
                    capacity: None,
                }]),
                number => match number.parse::<f64>() {
                    Ok(value) => state.edit(vec![Delta::AddEdge {
                        source,
                        target: end,
                        weight: (!has_capacity).then_some(value),
                        capacity: has_capacity.then_some(value),
                    }]),
                    Err(_) => {
                        state.open.notice.set(Some(format!("{number:?} is no number")));
                        false
                    }
                },
            }
        }
        None => true,
    }
}

/// What can be done by hand, and the form for what is picked.
#[component]
fn EditBar(state: PageState, target: RwSignal<Option<Target>>) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let field = NodeRef::<leptos::html::Input>::new();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            let _ = field.focus();
            field.select();
        }
    });
    Effect::new(move |_| {
        let initial = match target.get() {
            Some(Target::Name(name)) => name.to_string(),
            Some(Target::Edge(s, t)) => state
                .open
                .problem
                .get_untracked()
                .and_then(|p| {
                    let edge = p.graph.edge(&s, &t)?;
                    edge.capacity.or(edge.weight).map(|w| w.to_string())
                })
                .unwrap_or_default(),
            None => String::new(),
        };
        text.set(initial);
    });
    let apply = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let typed = text.get_untracked();
        let done = change(state, target.get_untracked(), typed.trim());
        if done {
            target.set(None);
        }
    };
    view! {
        <div class="edit-bar">
            {move || match target.get() {
                None => {
                    view! {
                        <p class="quiet-text">
                            "Click the paper to add a node, one node and then another to connect them, an edge to change it. Double-click or F2 renames, Delete deletes, Ctrl+Z undoes."
                        </p>
                    }
                        .into_any()
                }
                Some(what) => {
                    let (title, delete) = match what {
                        Target::Name(node) => {
                            (format!("Name of {node}"), Delta::RemoveNode { node })
                        }
                        Target::Edge(source, target) => {
                            (
                                format!("Weight of ({source}, {target})"),
                                Delta::RemoveEdge { source, target },
                            )
                        }
                    };
                    view! {
                        <form on:submit=apply>
                            <label>
                                <span>{title}</span>
                                <input
                                    type="text"
                                    node_ref=field
                                    data-testid="edit-value"
                                    prop:value=move || text.get()
                                    on:input=move |e| text.set(event_target_value(&e))
                                />
                            </label>
                            <button type="submit" class="quiet">"Set"</button>
                            <button
                                type="button"
                                class="quiet"
                                on:click=move |_| {
                                    if state.edit(vec![delete.clone()]) {
                                        target.set(None);
                                    }
                                }
                            >
                                "Delete"
                            </button>
                            <button type="button" class="quiet" on:click=move |_| target.set(None)>
                                "Cancel"
                            </button>
                        </form>
                    }
                        .into_any()
                }
            }}
        </div>
    }
}

/// What the colours and strokes that are on the drawing mean.
#[component]
fn Legend(#[prop(into)] scene: Signal<draw::Scene>) -> impl IntoView {
    let entries = move || {
        const WORDS: [(Mark, &str); 10] = [
            (Mark::Path, "the right answer"),
            (Mark::True, "in the answer and in the graph"),
            (Mark::Aside, "in the graph, but not what was asked"),
            (Mark::False, "in the answer, not in the graph"),
            (Mark::Pair, "one stands for the other"),
            (Mark::Written, "written"),
            (Mark::Read, "read"),
            (Mark::Flow, "flow / capacity"),
            (Mark::Cut, "full: part of the minimum cut"),
            (Mark::Side(0), "one side"),
        ];
        // Rows of numbers are in no graph.
        const ROWS: [(Mark, &str); 2] =
            [(Mark::True, "the row is right"), (Mark::False, "the row is wrong or missing")];
        scene.with(|s| {
            let has_rows = s.nodes.iter().any(|n| n.result.is_some());
            let has_cut = !s.cut.is_empty();
            let list = if has_rows { &ROWS[..] } else { &WORDS[..] };
            let line = has_cut.then(|| {
                view! { <li class="cut-line">"minimum cut: all flow has to cross this line"</li> }
            });
            let marked = list
                .iter()
                .filter(|(mark, _)| {
                    s.nodes.iter().any(|n| n.marks.contains(mark))
                        || s.edges.iter().any(|e| e.marks.contains(mark))
                })
                .map(|(mark, words)| {
                    let is_side = has_cut && *mark == Mark::Side(0);
                    let words = if is_side { "the source's side" } else { words };
                    view! { <li class=mark.class()>{words}</li> }
                })
                .collect_view();
            (marked, line)
        })
    };
    view! { <ul class="legend">{entries}</ul> }
}
