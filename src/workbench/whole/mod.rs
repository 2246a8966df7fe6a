//! The whole of a large graph in the drawing's place: laid out in a worker, with measures, a search for
//! nodes, a filter by type, and pictures. Its code loads when it is first wanted.

mod state;

use std::sync::Arc;

use futures_util::FutureExt as _;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_split_helpers::SplitLoaderError;

use crate::components::whole_view::{Pictures, Shown, WholeView};
use crate::services::clipboard;
use crate::state::numbers::grouped;
use crate::state::whole::look::{By, of_kind};
use crate::state::whole::{Chosen, LargeGraph};
use state::{State, Work};

/// Neighbours of a picked node that are listed.
const MOST_LISTED: usize = 60;
/// Types that are listed to be chosen.
const MOST_TYPES: usize = 40;
/// The graph that is to be drawn whole: nothing while it is on its way.
pub(crate) type Source = Signal<Option<Result<Arc<LargeGraph>, String>>>;

#[wasm_split_helpers::wasm_split(whole, fallible)]
#[allow(unsafe_code)]
fn whole_graph(source: Source) -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <Desk source/> }.into_any())
}

/// The whole graph, once the code for it has come.
#[component]
pub(crate) fn WholeGraph(source: Source) -> impl IntoView {
    let part = RwSignal::new_local(None::<Option<AnyView>>);
    let owner = Owner::current().unwrap_or_default();
    spawn_local(async move {
        let mut coming = std::pin::pin!(whole_graph(source));
        let view =
            std::future::poll_fn(move |context| owner.with(|| coming.as_mut().poll(context)));
        part.try_set(Some(view.map(Result::ok).await));
    });
    (move || match part.try_update(Option::take).flatten() {
        Some(Some(view)) => view,
        Some(None) => view! {
            <p class="report no" role="alert">
                "The part of the page that draws large graphs could not be loaded. Open it again to try again."
            </p>
        }
        .into_any(),
        None => {
            part.track();
            view! { <p class="empty" role="status">"Loading …"</p> }.into_any()
        }
    })
    .into_any()
}

/// Of a drawing that shows a part of a large graph: how much it shows, and the way to all of it.
#[component]
pub(crate) fn PartNote(
    /// Nodes in the drawing.
    n_shown: Signal<usize>,
    /// Nodes of the graph; nothing where all are drawn.
    n_all: Signal<Option<usize>>,
    /// Whether the whole is shown.
    is_whole: RwSignal<bool>,
) -> impl IntoView {
    move || {
        let all = n_all.get()?;
        let (words, button) = if is_whole.get() {
            (format!("All {} nodes", grouped(all)), "Back to the part")
        } else {
            let shown = n_shown.get();
            let words = format!("{shown} of {all} nodes: what was touched, and what is around it");
            (words, "Show the whole graph")
        };
        Some(view! {
            <div class="part">
                <span>{words}</span>
                <button class="ghost" data-testid="whole-graph" on:click=move |_| is_whole.update(|on| *on = !*on)>
                    {button}
                </button>
            </div>
        })
    }
}

/// The drawing with what is chosen beside it.
#[component]
fn Desk(source: Source) -> impl IntoView {
    let state = State::new();
    let pictures = Pictures::default();
    Effect::new(move |_| match source.get() {
        Some(Ok(whole)) => state.open(whole),
        Some(Err(fault)) => state.work.set(Work { fault: Some(fault), ..Work::default() }),
        None => {
            state.work.set(Work { words: "Waiting for the graph…".into(), ..Work::default() })
        }
    });
    // Whoever leaves needs no places.
    on_cleanup(move || {
        state.next_turn();
    });
    let shown = Shown {
        whole: state.whole.into(),
        at: state.at.into(),
        chosen: state.chosen.into(),
        measured: state.measured.into(),
        camera: state.camera,
        picked: state.picked,
    };
    let words = Signal::derive(move || {
        state.whole.with(|whole| {
            format!(
                "The whole graph, {} nodes and {} edges. Arrow keys move it, plus and minus zoom, 0 shows all of it. The search names what a node is joined to.",
                grouped(whole.n_nodes()),
                grouped(whole.edges.len())
            )
        })
    });
    view! {
        <div class="whole" data-testid="whole">
            <Bar state pictures/>
            <Doing state/>
            <WholeView shown pictures words/>
            <Types state/>
            <Picked state/>
        </div>
    }
}

/// Search, colours, sizes, pictures.
#[component]
fn Bar(state: State, pictures: Pictures) -> impl IntoView {
    let choice = move |label: &'static str, id: &'static str, is_size: bool| {
        let of = move |chosen: &Chosen| if is_size { chosen.size } else { chosen.colour };
        let options = move || {
            let has_types = state.whole.with(|w| w.types.len() > 1);
            By::ALL
                .iter()
                .filter(|(by, _)| match by {
                    By::Type => has_types && !is_size,
                    by => !is_size || !by.is_kind(),
                })
                .map(|(by, title)| {
                    let by = *by;
                    let is_it = move || state.chosen.with(|c| of(c) == by);
                    view! { <option prop:selected=is_it>{*title}</option> }
                })
                .collect_view()
        };
        let on_change = move |title: String| {
            let Some((by, _)) = By::ALL.iter().find(|(_, t)| *t == title) else { return };
            state.chosen.update(|chosen| {
                *if is_size { &mut chosen.size } else { &mut chosen.colour } = *by;
            });
            state.want(*by);
        };
        view! {
            <label class="whole-choice">
                <span>{label}</span>
                <select data-testid=id on:change=move |e| on_change(event_target_value(&e))>
                    {options}
                </select>
            </label>
        }
    };
    let found = Memo::new(move |_| {
        let text = state.search.get();
        state.whole.with(|whole| whole.find(&text))
    });
    view! {
        <div class="whole-bar">
            <div class="whole-search">
                <input
                    type="search"
                    placeholder="Find a node"
                    aria-label="Find a node by its name"
                    data-testid="whole-search"
                    prop:value=move || state.search.get()
                    on:input=move |e| state.search.set(event_target_value(&e))
                    on:keydown=move |e| {
                        if e.key() == "Enter" && let Some(&node) = found.get_untracked().first() {
                            state.search.set(String::new());
                            state.go_to(node);
                        }
                    }
                />
                <Show when=move || !state.search.with(|s| s.trim().is_empty())>
                    <ul class="whole-found">
                        {move || {
                            let nodes = found.get();
                            if nodes.is_empty() {
                                return view! { <li class="quiet-text">"No node has this in its name."</li> }
                                    .into_any();
                            }
                            nodes
                                .into_iter()
                                .map(|node| view! { <li><NodeButton state node/></li> })
                                .collect_view()
                                .into_any()
                        }}
                    </ul>
                </Show>
            </div>
            {choice("Colour", "whole-colour", false)}
            {choice("Size", "whole-size", true)}
            <button class="ghost" on:click=move |_| state.camera.set(None)>"Fit"</button>
            <button
                class="ghost"
                data-testid="whole-png"
                on:click=move |_| {
                    if let Some(canvas) = pictures.canvas() {
                        clipboard::save_canvas("graph.png", &canvas);
                    }
                }
            >
                "PNG"
            </button>
            <button
                class="ghost"
                data-testid="whole-svg"
                title="What is in sight as lines, circles and words"
                on:click=move |_| {
                    if let Some(svg) = pictures.svg() {
                        clipboard::save("graph.svg", "image/svg+xml", &svg.text);
                        state.work.update(|work| work.saved = svg.said());
                    }
                }
            >
                "SVG"
            </button>
            <button
                class="ghost"
                data-testid="whole-csv"
                title="The place of each node as a table"
                on:click=move |_| {
                    let at = state.at.get_untracked();
                    let text = state.whole.with_untracked(|whole| whole.csv(&at));
                    clipboard::save("places.csv", "text/csv", &text);
                }
            >
                "CSV"
            </button>
        </div>
    }
}

/// A node as a button that leads to it.
#[component]
fn NodeButton(state: State, node: u32) -> impl IntoView {
    let name = state.whole.with_untracked(|w| w.names.get(node as usize).cloned());
    view! {
        <button
            class="link"
            on:click=move |_| {
                state.search.set(String::new());
                state.go_to(node);
            }
        >
            {name}
        </button>
    }
}

/// What goes on, and what came of it.
#[component]
fn Doing(state: State) -> impl IntoView {
    let counts = move || {
        state.whole.with(|whole| {
            if whole.n_nodes() == 0 {
                return String::new();
            }
            format!("{} nodes, {} edges.", grouped(whole.n_nodes()), grouped(whole.edges.len()))
        })
    };
    view! {
        <div class="whole-doing" role="status">
            {move || {
                let work = state.work.get();
                match (work.fault, work.progress) {
                    (Some(fault), _) => view! { <p class="report no">{fault}</p> }.into_any(),
                    (None, Some(share)) => {
                        view! {
                            <p>{work.words}</p>
                            <progress aria-label="How far it is" max="1000" value=share.to_string()></progress>
                            <button class="ghost" data-testid="whole-stop" on:click=move |_| {
                                if let Some(job) = state.job.get_value() {
                                    job.cancel();
                                }
                            }>"Stop"</button>
                        }
                            .into_any()
                    }
                    (None, None) => {
                        view! {
                            <p data-testid="whole-said">
                                {counts()} " " {work.said} " " {work.words} " " {work.saved}
                            </p>
                        }
                            .into_any()
                    }
                }
            }}
        </div>
    }
}

/// The types with their colours, each to be shown or not.
#[component]
fn Types(state: State) -> impl IntoView {
    move || {
        let whole = state.whole.get();
        if whole.types.len() < 2 {
            return None;
        }
        let (sizes, places) = (whole.type_sizes(), whole.places_of_types());
        let mut order: Vec<usize> = (0..sizes.len()).filter(|&of| sizes[of] > 0).collect();
        order.sort_by_key(|&of| places[of]);
        let more = order.len().saturating_sub(MOST_TYPES);
        order.truncate(MOST_TYPES);
        let rows = order.into_iter().map(|of| {
            let [r, g, b] = of_kind(places[of]);
            let id = of as u32;
            view! {
                <label>
                    <input
                        type="checkbox"
                        prop:checked=move || !state.chosen.with(|c| c.hidden.contains(&id))
                        on:change=move |_| state.chosen.update(|c| {
                            if !c.hidden.remove(&id) {
                                c.hidden.insert(id);
                            }
                        })
                    />
                    <i class="swatch" style=format!("background: rgb({r}, {g}, {b})")></i>
                    {whole.types[of].clone()}
                    <small>{grouped(sizes[of])}</small>
                </label>
            }
        });
        Some(view! {
            <fieldset class="whole-types">
                <legend>"Types shown"</legend>
                {rows.collect_view()}
                {(more > 0).then(|| format!("and {more} more, all shown"))}
            </fieldset>
        })
    }
}

/// What is known of the node that was picked.
#[component]
fn Picked(state: State) -> impl IntoView {
    move || {
        let node = state.picked.get()?;
        let whole = state.whole.get();
        let name = whole.names.get(node as usize)?.clone();
        let near = whole.links.of(node as usize).to_vec();
        let mut facts = Vec::new();
        if let Some(of) = whole.type_name(node) {
            facts.push(of.to_owned());
        }
        facts.push(format!("{} neighbours", grouped(near.len())));
        for (by, title) in By::ALL {
            let value = state.measured.with(|m| m.get(&by)?.values.get(node as usize).copied());
            if let Some(value) = value {
                facts.push(format!("{title} {value:.2e}"));
            }
        }
        let more = near.len().saturating_sub(MOST_LISTED);
        let listed = near.into_iter().take(MOST_LISTED);
        Some(view! {
            <section class="whole-picked" aria-label="The picked node" data-testid="whole-picked">
                <h3>{name}</h3>
                <button aria-label="Close" on:click=move |_| state.picked.set(None)>"×"</button>
                <p>{facts.join(" · ")}</p>
                <ul>
                    {listed.map(|node| view! { <li><NodeButton state node/></li> }).collect_view()}
                </ul>
                {(more > 0).then(|| view! { <p class="quiet-text">{format!("and {} more", grouped(more))}</p> })}
            </section>
        })
    }
}
