//! All runs, open ones and kept ones, in one table: what their files and our rules say, filtered,
//! picked, compared, saved.

use std::collections::BTreeSet;

use draw::plot::WIDTH;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::state::PageState;
use crate::components::form::{Select, Text};
use crate::components::plot_view::PlotView;
use crate::services::kept_runs::KeptRuns;
use crate::services::{clipboard, screen};
use crate::state::numbers::grouped;
use crate::state::prices::Prices;
use crate::state::run_table::{
    Disagreement, RunColumn, RunField, RunPlace, RunRow, choices, columns, csv, disagreements,
    figure,
};

/// Rows that are made at first, and each time that the end of the table comes into sight.
const AT_ONCE: usize = 100;
/// Pixels above the end at which more rows are made.
const AHEAD: i32 = 800;

/// The rows, all and those that are shown.
#[derive(Clone, Copy)]
struct Rows {
    all: Memo<Vec<RunRow>>,
    shown: Memo<Vec<usize>>,
}

impl Rows {
    fn new(state: PageState, kept: KeptRuns) -> Self {
        let prices = use_context::<RwSignal<Prices>>();
        let all = Memo::new(move |_| {
            let prices = prices.map(|p| p.get()).unwrap_or_default();
            let mut open_kept = BTreeSet::new();
            let mut rows: Vec<RunRow> = state.entries.with(|list| {
                let rows = list.iter().map(|e| {
                    open_kept.extend(e.kept.map(f64::to_bits));
                    let ours = (e.verdict, &e.notes);
                    let facts = (*e.facts).clone();
                    RunRow::of_open(e.id, &e.name, &e.record, ours, e.is_of_file, facts, &prices)
                });
                rows.collect()
            });
            kept.list.with(|list| {
                let others = list.iter().filter(|run| !open_kept.contains(&run.id.to_bits()));
                rows.extend(others.map(|run| RunRow::of_kept(run, &prices)));
            });
            rows
        });
        let shown =
            Memo::new(move |_| all.with(|rows| state.listed.with(|shown| shown.rows(rows))));
        Self { all, shown }
    }

    /// The rows that are picked, or all that are shown where none is.
    fn meant(self, state: PageState) -> Vec<RunRow> {
        let picked = state.picked_rows.get();
        self.all.with(|all| {
            let shown = self.shown.get();
            let shown = shown.into_iter().filter_map(|i| all.get(i));
            let is_meant = |row: &&RunRow| picked.is_empty() || picked.contains(&row.place);
            shown.filter(is_meant).cloned().collect()
        })
    }

    fn places(self) -> Vec<RunPlace> {
        self.all.with_untracked(|all| {
            let shown = self.shown.get_untracked();
            shown.into_iter().filter_map(|i| Some(all.get(i)?.place)).collect()
        })
    }
}

#[component]
pub(super) fn RunTable(state: PageState, kept: KeptRuns) -> impl IntoView {
    let rows = Rows::new(state, kept);
    let n_made = RwSignal::new(AT_ONCE);
    let heads = Memo::new(move |_| rows.all.with(|all| columns(all)));
    let made = move || {
        let heads = heads.get();
        rows.all.with(|all| {
            let shown = rows.shown.get();
            let made = shown.into_iter().take(n_made.get()).filter_map(|i| all.get(i));
            made.map(|row| (row.clone(), heads.clone())).collect::<Vec<_>>()
        })
    };
    // A row that says something else is another row.
    let key = |(row, heads): &(RunRow, Vec<_>)| {
        format!("{:?} {:?} {:?} {}", row.place, row.verdict, row.tags, heads.len())
    };
    let on_scroll = move |event: web_sys::Event| {
        let area: web_sys::Element = event_target(&event);
        if area.scroll_top() + area.client_height() + AHEAD > area.scroll_height()
            && n_made.get_untracked() < rows.shown.with_untracked(Vec::len)
        {
            n_made.update(|n| *n += AT_ONCE);
        }
    };
    view! {
        <section class="run-table" aria-label="Table of all runs">
            <div class="table-head">
                <h2>"All runs"</h2>
                <p class="facts" data-testid="n-runs" role="status">
                    {move || format!("{} of {}", rows.shown.with(Vec::len), rows.all.with(Vec::len))}
                </p>
                <button class="quiet" on:click=move |_| state.is_table.set(false)>"Close"</button>
            </div>
            <Disagreements state rows/>
            <Filters state all=rows.all/>
            <Acts state rows/>
            <div class="scroll" tabindex="0" role="region" aria-label="Runs" on:scroll=on_scroll>
                <table data-testid="all-runs">
                    <thead>
                        <tr>
                            <th scope="col"><span class="visually-hidden">"Pick"</span></th>
                            {move || heads.get().into_iter().map(|h| head(state, h)).collect_view()}
                        </tr>
                    </thead>
                    <tbody>
                        <For each=made key=key children=move |(row, heads)| line(state, rows, row, &heads)/>
                    </tbody>
                </table>
            </div>
        </section>
    }
}

/// About how many runs the file and the graph contradict each other; one click shows them alone.
#[component]
fn Disagreements(state: PageState, rows: Rows) -> impl IntoView {
    let counts = Memo::new(move |_| rows.all.with(|all| disagreements(all)));
    let line = move |i: usize, (of, words): (Disagreement, &'static str)| {
        let n = move || counts.with(|(_, n)| n[i]);
        let is_on = move || state.listed.with(|s| s.disagreement == Some(of));
        let toggle = move |_| {
            state.listed.update(|s| s.disagreement = (s.disagreement != Some(of)).then_some(of));
        };
        view! {
            <Show when=move || n() != 0>
                <button
                    class="disagreement"
                    data-testid=format!("disagreement-{i}")
                    aria-pressed=move || is_on().to_string()
                    on:click=toggle
                >
                    {move || format!("{words}: {} of {}", grouped(n()), grouped(counts.with(|c| c.0)))}
                </button>
            </Show>
        }
    };
    let agree = move || {
        let (n, found) = counts.get();
        let has_scores = rows.all.with(|all| all.iter().any(|row| !row.file_score.is_empty()));
        let words = match n {
            0 if has_scores => {
                "Only the file's scores: no question here can be held against its graph.".to_owned()
            }
            0 => return None,
            n if found == [0, 0] => {
                let n = grouped(n);
                format!(
                    "Your scorer and the graph contradict each other nowhere: {n} runs judged by both."
                )
            }
            _ => return None,
        };
        Some(view! { <p class="quiet-text" data-testid="no-disagreement">{words}</p> })
    };
    let lines = Disagreement::ALL.into_iter().enumerate().map(|(i, of)| line(i, of));
    view! { <div class="disagreements">{lines.collect_view()} {agree}</div> }
}

/// What can be done with the rows that are picked, or with all that are shown.
#[component]
fn Acts(state: PageState, rows: Rows) -> impl IntoView {
    let plot = RwSignal::new(None);
    let formats = Signal::derive(move || {
        let n = rows.meant(state).len();
        let first = (String::new(), format!("{} as…", grouped(n)));
        let own = [("csv", "Table (CSV)"), ("svg", "Figure (SVG)")];
        let all = own.into_iter().chain(trace::formats::TITLES);
        std::iter::once(first).chain(all.map(|(id, title)| (id.into(), title.into()))).collect()
    });
    let width = move || if screen::is_narrow() { screen::width_of_page() } else { WIDTH };
    let draw = move || {
        let meant = untrack(|| rows.meant(state));
        let drawn = figure(&meant.iter().collect::<Vec<_>>(), width());
        if drawn.is_none() {
            let words = "No run that is shown has both a score in its file and our verdict.";
            state.session.notice.set(Some(words.into()));
        }
        drawn
    };
    let save = move |format: String| match format.as_str() {
        "" => {}
        "csv" => {
            clipboard::save("runs.csv", "text/csv", &csv(untrack(|| rows.meant(state)).iter()));
        }
        "svg" => {
            if let Some(plot) = draw() {
                clipboard::save("scorers.svg", "image/svg+xml", &plot.file());
            }
        }
        format => {
            let places = untrack(|| rows.meant(state)).iter().map(|row| row.place).collect();
            state.export_all(places, format.to_owned());
        }
    };
    let n_picked = move || state.picked_rows.with(Vec::len);
    view! {
        <div class="table-acts">
            <Select
                label="Save"
                testid="save-all"
                options=Signal::derive(move || formats.get())
                value=""
                on_change=save
            />
            <button
                class="ghost"
                data-testid="figure"
                aria-pressed=move || plot.with(Option::is_some).to_string()
                on:click=move |_| {
                    let drawn = if plot.with_untracked(Option::is_some) { None } else { draw() };
                    plot.set(drawn);
                }
            >
                "Figure"
            </button>
            <button
                class="ghost"
                data-testid="keep-all"
                title="With what you write about them"
                on:click=move |_| {
                    let places = untrack(|| rows.meant(state)).iter().map(|row| row.place).collect();
                    spawn_local(state.keep_all(places));
                }
            >
                "Keep in this browser"
            </button>
            <button
                class="ghost"
                data-testid="compare-two"
                title="Pick two rows"
                disabled=move || n_picked() != 2
                on:click=move |_| {
                    if let [left, right] = state.picked_rows.get_untracked()[..] {
                        spawn_local(state.compare_places(left, right));
                    }
                }
            >
                "Compare two"
            </button>
            <Show when=move || n_picked() != 0>
                <button class="quiet" on:click=move |_| state.picked_rows.set(Vec::new())>
                    {move || format!("{} picked: pick none", n_picked())}
                </button>
            </Show>
        </div>
        {move || plot.get().map(|plot| view! { <figure data-testid="scorers"><PlotView plot/></figure> })}
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
                    testid=format!("by-{}", title.to_lowercase().replace([' ', '\''], "-"))
                    options=Signal::derive(move || options.get())
                    value=Signal::derive(move || state.listed.with(|s| s.wanted(field).to_owned()))
                    on_change=move |word: String| state.listed.update(|s| s.want(field, &word))
                />
            </Show>
        }
    };
    view! {
        <div class="filter-row">
            <Text
                label="Search"
                testid="search-runs"
                value=Signal::derive(move || state.listed.with(|s| s.words.clone()))
                on_input=move |typed| state.listed.update(|s| s.words = typed)
            />
            <details open=!screen::is_narrow()>
                <summary>"Filters"</summary>
                <div class="filters">
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
            </details>
        </div>
    }
}

fn head(
    state: PageState,
    (column, title, is_number): (RunColumn, &'static str, bool),
) -> impl IntoView {
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
        <th scope="col" data-column=title class:num=is_number aria-sort=sorted>
            <button class="quiet" on:click=move |_| state.listed.update(|s| s.sort_by(column))>
                {title}
                {move || match sorted() {
                    "ascending" => " ▲",
                    "descending" => " ▼",
                    _ => "",
                }}
            </button>
        </th>
    }
}

fn line(
    state: PageState,
    rows: Rows,
    row: RunRow,
    heads: &[(RunColumn, &'static str, bool)],
) -> impl IntoView + use<> {
    let place = row.place;
    let open = move |_| {
        state.walk.set(rows.places());
        state.open_place(place);
    };
    let tone = |verdict: &str| match verdict {
        "Correct" => "correct",
        "Wrong" | "No answer" => "incorrect",
        _ => "",
    };
    let kinds: Vec<String> =
        row.facts.mistakes.iter().map(|(kind, n)| format!("{n} × {kind}")).collect();
    let cell = |(column, _, is_number): &(RunColumn, &'static str, bool)| {
        let text = row.text(*column);
        let text = if text.is_empty() { "–".to_owned() } else { text };
        match column {
            RunColumn::Name => {
                let tags = row.tags.iter().map(|t| view! { <i class="badge">{t.clone()}</i> });
                view! {
                    <th scope="row">
                        <button class="quiet name" title=text.clone() on:click=open>{text.clone()}</button>
                        {tags.collect_view()}
                    </th>
                }
                .into_any()
            }
            RunColumn::Verdict => view! { <td class=tone(&text)>{text.clone()}</td> }.into_any(),
            RunColumn::Mistakes => {
                view! { <td class="num" title=kinds.join(", ")>{text}</td> }.into_any()
            }
            RunColumn::Model => {
                view! { <td class="model" title=text.clone()>{text.clone()}</td> }.into_any()
            }
            _ => view! { <td class:num=*is_number>{text}</td> }.into_any(),
        }
    };
    let cells = heads.iter().map(cell).collect_view();
    let label = format!("Pick {}", row.name);
    let pick = move |_| {
        state.picked_rows.update(|picked| {
            let n_before = picked.len();
            picked.retain(|p| *p != place);
            if picked.len() == n_before {
                picked.push(place);
            }
        });
    };
    view! {
        <tr class:disagrees=row.disagreement().is_some()>
            <td>
                <input
                    type="checkbox"
                    aria-label=label
                    prop:checked=move || state.picked_rows.with(|p| p.contains(&place))
                    on:change=pick
                />
            </td>
            {cells}
        </tr>
    }
}
