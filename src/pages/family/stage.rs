//! The middle room: the family drawn, the steps of the run, and the paths by each method.

use draw::Scene;
use leptos::prelude::*;

use super::paths::PathsPanel;
use super::room::FamilyRoom;
use crate::components::graph_table::GraphTable;
use crate::components::graph_view::{GraphView, View};
use crate::components::player::Player;
use crate::services::screen;

/// The panel.
#[component]
pub(super) fn StagePanel(room: FamilyRoom) -> impl IntoView {
    let view_box = RwSignal::new(None::<View>);
    let as_table = RwSignal::new(false);
    // On a phone few names stand in a row, or nobody could read them.
    let per_row = if screen::is_narrow() { 4 } else { 8 };
    let drawn = Memo::new(move |_| room.drawn(per_row));
    let scene = Memo::new(move |_| drawn.with(|d| d.scene.clone()));
    // Another family is another drawing: the part that was looked at means nothing in it.
    Effect::new(move |_| {
        room.state.with(|s| (s.family, s.benchmark.families.len()));
        view_box.set(None);
    });
    let label = move || {
        let (n, m) = scene.with(|s: &Scene| (s.nodes.len(), s.edges.len()));
        format!("Family graph, {n} nodes and {m} links shown")
    };
    let people = move || {
        room.state.with(|s| {
            let names: Vec<String> = s
                .now()
                .map(|f| f.people().iter().map(|p| (*p).to_owned()).collect())
                .unwrap_or_default();
            let now = room.person.get();
            names
                .into_iter()
                .map(|n| {
                    let is_it = now.as_deref() == Some(n.as_str());
                    view! { <option value=n.clone() selected=is_it>{n.clone()}</option> }
                })
                .collect_view()
        })
    };
    view! {
        <section class="stage" aria-label="Family graph">
            <div class="tools">
                <label class="look-at">
                    <span>"All of"</span>
                    <select
                        data-testid="person"
                        on:change=move |e| {
                            let name = event_target_value(&e);
                            room.person.set((!name.is_empty()).then_some(name));
                        }
                    >
                        <option value="" selected=move || room.person.with(Option::is_none)>
                            "nobody"
                        </option>
                        {people}
                    </select>
                </label>
                <button
                    aria-pressed=move || room.shows_gold.get().to_string()
                    data-testid="gold"
                    disabled=move || room.state.with(|s| s.picked().is_none())
                    on:click=move |_| room.shows_gold.update(|g| *g = !*g)
                >
                    "What is needed"
                </button>
                <button
                    aria-pressed=move || as_table.get().to_string()
                    data-testid="table"
                    on:click=move |_| as_table.update(|t| *t = !*t)
                >
                    "Table"
                </button>
            </div>
            <div class="canvas">
                <Show
                    when=move || !as_table.get()
                    fallback=move || view! { <GraphTable scene/> }
                >
                    <GraphView
                        scene
                        view=view_box
                        editing=false
                        label=Signal::derive(label)
                        on_gesture=Callback::new(|_| ())
                    />
                </Show>
            </div>
            <Key drawn/>
            <Show when=move || room.steps.with(|s| !s.is_empty())>
                <Player
                    ticks=Signal::derive(move || room.ticks())
                    cursor=room.cursor
                    playing=room.playing
                    on_seek=Callback::new(move |k| room.cursor.set(k))
                />
            </Show>
            <PathsPanel room/>
        </section>
    }
}

/// What the lines mean, and what has no place on the drawing.
#[component]
fn Key(drawn: Memo<crate::state::family::drawing::Drawn>) -> impl IntoView {
    use draw::Mark;
    let has =
        move |mark: Mark| drawn.with(|d| d.scene.edges.iter().any(|e| e.marks.contains(&mark)));
    let key = move |mark: Mark, class: &'static str, words: &'static str| {
        move || has(mark).then(|| view! { <li class=class>{words}</li> })
    };
    let hidden = move || {
        let n = drawn.with(|d| d.n_hidden);
        (n > 0).then(|| view! { <li>{format!("{n} more values are in the lists")}</li> })
    };
    view! {
        <ul class="family-key" aria-label="What the lines mean">
            {key(Mark::True, "true", "found and needed")}
            {key(Mark::Read, "read", "found")}
            {key(Mark::False, "false", "needed, not found")}
            {hidden}
        </ul>
    }
}
