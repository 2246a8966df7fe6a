//! The middle column: the family drawn, the steps of the run, and the paths by each method.

use draw::Scene;
use leptos::prelude::*;
use tasks::family::Family;

use super::paths::PathsPanel;
use super::state::PageState;
use crate::services::screen;
use crate::workbench::played::Played;
use crate::workbench::stage::Stage;

#[component]
pub(super) fn StageColumn(state: PageState) -> impl IntoView {
    // On a phone few names stand in a row, or nobody could read them.
    let per_row = if screen::is_narrow() { 4 } else { 8 };
    let drawn = Memo::new(move |_| state.drawn(per_row));
    let scene = Memo::new(move |_| drawn.with(|d| d.scene.clone()));
    let words = Signal::derive(move || {
        let (n, m) = scene.with(|s: &Scene| (s.nodes.len(), s.edges.len()));
        format!("Family graph, {n} nodes and {m} links shown")
    });
    // Another family is another drawing: the part that was looked at means nothing in it.
    let which =
        Memo::new(move |_| state.household.with(|s| (s.family, s.benchmark.families.len())));
    let on_seek = Callback::new(move |to| state.session.cursor.set(to));
    let player = Played::of_session(state.session, true.into(), on_seek);
    view! {
        <Stage
            label="Family graph"
            scene
            words
            fit_on=Signal::derive(move || which.track())
            before=move || view! { <Looks state/> }
            below=move || view! { <Key drawn/> }
            under=move || view! { <PathsPanel state/> }
            player
        />
    }
}

/// Who is looked at, and whether what is needed is shown.
#[component]
fn Looks(state: PageState) -> impl IntoView {
    let people = move || {
        state.household.with(|s| {
            let of = |f: &Family| f.people().iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
            let names = s.now().map(of).unwrap_or_default();
            names
                .into_iter()
                .map(|n| {
                    let mine = n.clone();
                    let is_it = move || state.person.with(|p| p.as_ref() == Some(&mine));
                    view! { <option value=n.clone() prop:selected=is_it>{n.clone()}</option> }
                })
                .collect_view()
        })
    };
    view! {
        <label class="look-at">
            <span>"Show all facts about"</span>
            <select
                data-testid="person"
                on:change=move |e| {
                    let name = event_target_value(&e);
                    state.person.set((!name.is_empty()).then_some(name));
                }
            >
                <option value="" prop:selected=move || state.person.with(Option::is_none)>
                    "nobody"
                </option>
                {people}
            </select>
        </label>
        <button
            aria-pressed=move || state.shows_gold.get().to_string()
            data-testid="gold"
            disabled=move || state.household.with(|s| s.picked().is_none())
            on:click=move |_| state.shows_gold.update(|g| *g = !*g)
        >
            "What is needed"
        </button>
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
            {move || (!has(Mark::Faded)).then(|| key(Mark::Read, "read", "found"))}
            {key(Mark::Faded, "read faded", "found, not needed")}
            {key(Mark::False, "false", "needed, not found")}
            {hidden}
        </ul>
    }
}
