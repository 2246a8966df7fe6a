//! The list of steps: filtered, searched, and only what is in sight is made.

use leptos::prelude::*;
use trace::replay::ReplayFinding;

use super::state::PageState;
use crate::components::virtual_list::VirtualList;
use crate::state::run_table::took_words;
use crate::state::viewer::{Filter, StepKind, end_words, line, listed};

/// The height of a row, as in the style sheet.
const ROW: f64 = 34.0;

#[component]
pub(super) fn StepsPanel(state: PageState) -> impl IntoView {
    let entry = Memo::new(move |_| state.entry());
    let rows = Memo::new(move |_| {
        let (filter, search) = (state.filter.get(), state.search.get());
        entry.with(|e| e.as_ref().map(|e| listed(&e.trace, filter, &search)).unwrap_or_default())
    });
    let n = Memo::new(move |_| rows.with(Vec::len));
    let at = Memo::new(move |_| {
        let at = state.session.cursor.get().checked_sub(1)?;
        rows.with(|r| r.binary_search(&at).ok())
    });
    let row = move |i: usize| -> AnyView {
        let Some(step) = rows.with(|r| r.get(i).copied()) else { return ().into_any() };
        let found = entry.with(|e| {
            let s = e.as_ref()?.trace.steps.get(step)?;
            let note = e.as_ref()?.notes.steps.get(&(step + 1)).cloned();
            Some((StepKind::of(s), line(s), s.took_ms, s.by_person, note))
        });
        let Some((kind, words, took, by_person, note)) = found else { return ().into_any() };
        let drift = state.replayed.with(|r| {
            let (_, finding) = r.as_ref()?.findings.iter().find(|(i, _)| *i == step)?;
            Some(match finding {
                ReplayFinding::Same => ("same", "same result"),
                ReplayFinding::Differs { .. } => ("drift", "differs now"),
                ReplayFinding::Edited => ("edited", "changed by hand"),
                ReplayFinding::NotOurs => ("edited", "not run again"),
            })
        });
        view! {
            <div
                class=format!("step-row {}", kind.class())
                class:now=move || state.session.cursor.get() == step + 1
                role="listitem"
                aria-current=move || (state.session.cursor.get() == step + 1).then_some("step")
                on:click=move |_| {
                    state.session.playing.set(false);
                    state.seek(step + 1);
                }
            >
                <span class="n">{step + 1}</span>
                <em>{kind.title()}</em>
                <span class="words">{words}</span>
                {note.map(|note| view! { <i class="badge noted" title=note>"note"</i> })}
                {by_person.then(|| view! { <i class="badge edited">"you"</i> })}
                {drift.map(|(class, words)| view! { <i class=format!("badge {class}")>{words}</i> })}
                <time>{took_words(took)}</time>
            </div>
        }
        .into_any()
    };
    view! {
        <div class="steps-tools">
            <select
                aria-label="Which steps"
                data-testid="filter"
                on:change=move |e| {
                    let name = event_target_value(&e);
                    if let Some((filter, _)) = Filter::ALL.iter().find(|(_, n)| *n == name) {
                        state.filter.set(*filter);
                    }
                }
            >
                {Filter::ALL
                    .iter()
                    .map(|(filter, name)| {
                        let filter = *filter;
                        view! {
                            <option selected=move || state.filter.get() == filter>{*name}</option>
                        }
                    })
                    .collect_view()}
            </select>
            <input
                type="search"
                aria-label="Search the steps"
                placeholder="Search…"
                data-testid="search-steps"
                prop:value=move || state.search.get()
                on:input=move |e| state.search.set(event_target_value(&e))
            />
            <span class="count" data-testid="n-listed">{move || format!("{}", n.get())}</span>
        </div>
        <VirtualList n row_height=ROW at label="Steps" row/>
        {move || {
            let words = entry.with(|e| e.as_ref().and_then(|e| end_words(&e.trace)));
            words.map(|words| view! { <p class="report no ended" data-testid="ended">{words}</p> })
        }}
    }
}
