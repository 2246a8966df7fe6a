//! Every run on a line: sorted, filtered, opened.

use eval::Key;
use leptos::prelude::*;

use super::state::PageState;
use crate::components::verdict::{VerdictSelect, words};
use crate::components::virtual_list::VirtualList;
use crate::state::bench::SortBy;
use crate::state::numbers::grouped;

const COLUMNS: [(SortBy, &str); 8] = [
    (SortBy::Problem, "Problem"),
    (SortBy::Setup, "Model and system"),
    (SortBy::Verdict, "Verdict"),
    (SortBy::Nodes, "Nodes"),
    (SortBy::Calls, "Calls"),
    (SortBy::Mistakes, "Mistakes"),
    (SortBy::Seconds, "Seconds"),
    (SortBy::Tokens, "Tokens"),
];

/// The list.
#[component]
pub(super) fn RunsPanel(state: PageState, on_open: Callback<Key>) -> impl IntoView {
    let places = Memo::new(move |_| {
        state.outcome.rows.with(|rows| state.outcome.view.with(|view| view.places(rows)))
    });
    let labels = Memo::new(move |_| {
        state.outcome.shown.with(|s| s.as_ref().map(|s| s.labels.clone()).unwrap_or_default())
    });
    // A place in the list shows another run when the order changes.
    let shown = move |i: usize| {
        let Some(row) = places
            .with(|p| p.get(i).copied())
            .and_then(|p| state.outcome.rows.with(|r| r.get(p).cloned()))
        else {
            return ().into_any();
        };
        let (word, tone) = words(row.verdict);
        let label = labels.with(|l| l.get(row.setup).cloned().unwrap_or_default());
        let problem = match row.key.sample {
            0 => row.key.case.clone(),
            n => format!("{} #{}", row.key.case, n + 1),
        };
        let seconds = if row.seconds < 0.1 {
            format!("{:.4}", row.seconds)
        } else {
            format!("{:.2}", row.seconds)
        };
        let key = row.key.clone();
        let is_last = state.last_opened.with(|last| *last == Some(row.key.clone()));
        view! {
            <div role="listitem">
            <button class="bench-row" class:now=is_last on:click=move |_| on_open.run(key.clone())>
                <span>{problem}</span>
                <span>{label}</span>
                <span class=format!("tone {tone}")>{word}</span>
                <span class="num">{row.n_nodes}</span>
                <span class="num">{row.n_calls}</span>
                <span class="num">{row.n_mistakes}</span>
                <span class="num">{seconds}</span>
                <span class="num">{row.tokens.map_or_else(|| "–".to_owned(), |t| grouped(t as usize))}</span>
            </button>
            </div>
        }
        .into_any()
    };
    let row = move |i: usize| view! { {move || shown(i)} }.into_any();
    // Whoever comes back from a run finds the list where it was.
    let at = Memo::new(move |_| {
        let last = state.last_opened.get()?;
        let row = state.outcome.rows.with(|rows| rows.iter().position(|r| r.key == last))?;
        places.with(|places| places.iter().position(|p| *p == row))
    });
    let section = NodeRef::<leptos::html::Section>::new();
    Effect::new(move |_| {
        if let Some(section) = section.get()
            && state.last_opened.with_untracked(Option::is_some)
        {
            request_animation_frame(move || section.scroll_into_view());
        }
    });
    let heads = COLUMNS
        .into_iter()
        .map(|(by, title)| {
            let arrow = move || {
                state.outcome.view.with(|v| match (v.by == by, v.is_reversed) {
                    (false, _) => "",
                    (true, false) => " ↑",
                    (true, true) => " ↓",
                })
            };
            view! {
                <button class="quiet" on:click=move |_| state.outcome.view.update(|v| v.sort(by))>
                    {title}{arrow}
                </button>
            }
        })
        .collect_view();
    view! {
        <section aria-label="Runs" data-testid="bench-runs" node_ref=section>
            <h2>{move || format!("Runs: {} of {}", places.with(Vec::len), state.outcome.rows.with(Vec::len))}</h2>
            <div class="bench-act">
                <label class="field">
                    <span>"Problem"</span>
                    <input
                        type="search"
                        data-testid="runs-search"
                        prop:value=move || state.outcome.view.with(|v| v.words.clone())
                        on:input=move |e| state.outcome.view.update(|v| v.words = event_target_value(&e))
                    />
                </label>
                <VerdictSelect testid="runs-verdict" on_pick=Callback::new(move |v| state.outcome.view.update(|view| view.verdict = v))/>
                <label class="field">
                    <span>"Model and system"</span>
                    <select on:change=move |e| {
                        let place = event_target_value(&e).parse::<usize>().ok();
                        state.outcome.view.update(|v| v.setup = place);
                    }>
                        <option value="">"any"</option>
                        {move || {
                            labels
                                .get()
                                .into_iter()
                                .enumerate()
                                .map(|(i, l)| view! { <option value=i.to_string()>{l}</option> })
                                .collect_view()
                        }}
                    </select>
                </label>
            </div>
            <div class="bench-table">
                <div class="bench-row bench-heads">{heads}</div>
                <VirtualList
                    n=Signal::derive(move || places.with(Vec::len))
                    row_height=36.0
                    at
                    label="Runs"
                    row
                />
            </div>
        </section>
    }
}
