//! All runs, open ones and kept ones, in one table with filters.

use std::collections::BTreeSet;

use leptos::prelude::*;

use super::state::PageState;
use super::steps_panel::took_words;
use crate::components::form::{Select, Text};
use crate::services::kept_runs::KeptRuns;
use crate::state::prices::{Prices, dollars};
use crate::state::run_table::{RunColumn, RunField, RunPlace, RunRow, choices};

/// Rows that are made: filters find the others.
const MOST_ROWS: usize = 300;

#[component]
pub(super) fn RunTable(state: PageState, kept: KeptRuns) -> impl IntoView {
    let prices = use_context::<RwSignal<Prices>>();
    let all = Memo::new(move |_| {
        let prices = prices.map(|p| p.get()).unwrap_or_default();
        let mut open_kept = BTreeSet::new();
        let mut rows: Vec<RunRow> = state.entries.with(|list| {
            list.iter()
                .map(|e| {
                    open_kept.extend(e.kept.map(f64::to_bits));
                    let mut row = RunRow::of_record(e.id, &e.name, &e.record, &prices);
                    row.tags.clone_from(&e.notes.tags);
                    row
                })
                .collect()
        });
        kept.list.with(|list| {
            let others = list.iter().filter(|run| !open_kept.contains(&run.id.to_bits()));
            rows.extend(others.map(|run| RunRow::of_kept(run, &prices)));
        });
        rows
    });
    let places = Memo::new(move |_| all.with(|rows| state.listed.with(|shown| shown.rows(rows))));
    let n_hidden = move || places.with(Vec::len).saturating_sub(MOST_ROWS);
    let body = move || {
        all.with(|rows| {
            let shown = places.get();
            shown.iter().take(MOST_ROWS).map(|i| row(state, &rows[*i])).collect_view()
        })
    };
    view! {
        <section class="run-table" aria-label="Table of all runs">
            <div class="table-head">
                <h2>"All runs"</h2>
                <p class="facts" data-testid="n-runs" role="status">
                    {move || format!("{} of {}", places.with(Vec::len), all.with(Vec::len))}
                </p>
                <button class="quiet" on:click=move |_| state.is_table.set(false)>"Close"</button>
            </div>
            <Filters state all/>
            <div class="scroll" tabindex="0" role="region" aria-label="Runs">
                <table data-testid="all-runs">
                    <thead>
                        <tr>{heads(state)}</tr>
                    </thead>
                    <tbody>{body}</tbody>
                </table>
            </div>
            {move || {
                let n = n_hidden();
                (n > 0)
                    .then(|| {
                        view! { <p class="quiet-text">{format!("{n} more are not shown: filter to find them.")}</p> }
                    })
            }}
        </section>
    }
}

/// What is filtered by; a field that says the same of every run is left out.
#[component]
fn Filters(state: PageState, all: Memo<Vec<RunRow>>) -> impl IntoView {
    let filter = move |(field, title): (RunField, &'static str)| {
        let options = Memo::new(move |_| {
            let words = all.with(|rows| choices(rows, field));
            let any = (String::new(), "any".to_owned());
            std::iter::once(any)
                .chain(words.into_iter().map(|w| (w.clone(), w)))
                .collect::<Vec<_>>()
        });
        let is_of_use = move || {
            options.with(|o| o.len() > 1) && !state.listed.with(|s| s.wanted(field).is_empty())
                || options.with(|o| o.len() > 2)
                || (matches!(field, RunField::Tag | RunField::Mistake | RunField::Tool)
                    && options.with(|o| o.len() > 1))
        };
        let is_of_use = Memo::new(move |_| is_of_use());
        view! {
            <Show when=move || is_of_use.get()>
                <Select
                    label=title
                    testid=format!("by-{}", title.to_lowercase())
                    options=Signal::derive(move || options.get())
                    value=Signal::derive(move || state.listed.with(|s| s.wanted(field).to_owned()))
                    on_change=move |word: String| state.listed.update(|s| s.want(field, &word))
                />
            </Show>
        }
    };
    view! {
        <div class="filters">
            <Text
                label="Search"
                testid="search-runs"
                value=Signal::derive(move || state.listed.with(|s| s.words.clone()))
                on_input=move |typed| state.listed.update(|s| s.words = typed)
            />
            {RunField::ALL.map(filter).into_iter().collect_view()}
            <label class="field">
                <span>"Steps, at least"</span>
                <input
                    type="number"
                    min="0"
                    data-testid="by-steps"
                    prop:value=move || {
                        state.listed.with(|s| s.n_least.map_or(String::new(), |n| n.to_string()))
                    }
                    on:input=move |e| {
                        let n = event_target_value(&e).parse().ok();
                        state.listed.update(|s| s.n_least = n);
                    }
                />
            </label>
        </div>
    }
}

fn heads(state: PageState) -> impl IntoView {
    let head = move |(column, title, is_number): (RunColumn, &'static str, bool)| {
        let sorted = move || {
            state.listed.with(|s| match s.sort {
                (by, is_falling) if by == column => {
                    if is_falling {
                        "descending"
                    } else {
                        "ascending"
                    }
                }
                _ => "none",
            })
        };
        view! {
            <th scope="col" class:num=is_number aria-sort=sorted>
                <button
                    class="quiet"
                    on:click=move |_| state.listed.update(|s| s.sort_by(column))
                >
                    {title}
                    {move || match sorted() {
                        "ascending" => " ▲",
                        "descending" => " ▼",
                        _ => "",
                    }}
                </button>
            </th>
        }
    };
    RunColumn::SHOWN.map(head).into_iter().collect_view()
}

fn row(state: PageState, row: &RunRow) -> impl IntoView + use<> {
    let place = row.place;
    let open = move |_| match place {
        RunPlace::Kept(id) => state.open_kept(id, None),
        RunPlace::Open(id) => state.show_start(id),
    };
    let facts = &row.facts;
    let n_mistakes: usize = facts.mistakes.iter().map(|(_, n)| n).sum();
    let kinds: Vec<String> = facts.mistakes.iter().map(|(k, n)| format!("{n} × {k}")).collect();
    let tokens = facts.usage.total().map_or_else(|| "–".to_owned(), |n| n.to_string());
    let cost = row.cost.map_or_else(|| "–".to_owned(), |cost| dollars(Some(cost)));
    let tags = row.tags.iter().map(|t| view! { <i class="badge">{t.clone()}</i> }).collect_view();
    view! {
        <tr>
            <td>
                <button class="quiet name" on:click=open>{row.name.clone()}</button>
                {tags}
            </td>
            <td class="model" title=row.model.clone()>{row.model.clone()}</td>
            <td>{row.system.clone()}</td>
            <td class=format!("verdict {}", row.verdict.replace(' ', "-"))>{row.verdict.clone()}</td>
            <td class="num">{facts.n_steps}</td>
            <td class="num">{facts.n_calls}</td>
            <td class="num" title=kinds.join(", ")>{n_mistakes}</td>
            <td class="num">{tokens}</td>
            <td class="num">{cost}</td>
            <td class="num">{took_words(facts.ms)}</td>
        </tr>
    }
}
