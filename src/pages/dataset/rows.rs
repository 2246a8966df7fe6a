//! The problems of one level, as a list that renders only what is seen.

use leptos::html::Div;
use leptos::prelude::*;

use tasks::dataset::CheckFailure;

use super::state::PageState;

/// The height of a row, in CSS pixels; the style sheet has the same.
const ROW: f64 = 36.0;
/// Rows rendered above and below what is seen.
const SPARE: usize = 6;

/// The list; a click opens a problem.
#[component]
pub(super) fn Rows(state: PageState, on_open: Callback<(usize, String)>) -> impl IntoView {
    let rows = Memo::new(move |_| state.picked.get().map(|l| state.rows(&l)).unwrap_or_default());
    let scrolled = RwSignal::new(0.0);
    let frame = NodeRef::<Div>::new();
    let seen = move || {
        let first = (scrolled.get() / ROW) as usize;
        let height = frame.get().map_or(400.0, |f| f64::from(f.client_height()));
        let n = rows.with(Vec::len);
        let from = first.saturating_sub(SPARE).min(n);
        (from, (first + (height / ROW) as usize + 2 * SPARE).min(n))
    };
    let title = move || {
        let n = rows.with(Vec::len);
        state
            .picked
            .get()
            .map(|l| {
                let task =
                    tasks::TaskId::from_name(&l.task).map_or("Not recognised", |t| t.title());
                format!("{task}, {}: {n} problems", l.difficulty)
            })
            .unwrap_or_default()
    };
    view! {
        <section class="problems">
            <h2>{title}</h2>
            <div
                class="frame"
                node_ref=frame
                tabindex="0"
                on:scroll=move |_| {
                    if let Some(f) = frame.get_untracked() {
                        scrolled.set(f64::from(f.scroll_top()));
                    }
                }
            >
                <div
                    class="all"
                    style:height=move || format!("{}px", rows.with(Vec::len) as f64 * ROW)
                >
                    {move || {
                        let (from, to) = seen();
                        rows.with(|list| {
                            list[from..to]
                                .iter()
                                .enumerate()
                                .map(|(i, (file, row))| {
                                    let (file, key) = (*file, row.key.clone());
                                    let what = if row.failures.is_empty() {
                                        "agrees".to_owned()
                                    } else {
                                        row.failures
                                            .iter()
                                            .map(words)
                                            .collect::<Vec<_>>()
                                            .join("; ")
                                    };
                                    let failed = !row.failures.is_empty();
                                    view! {
                                        <button
                                            class="problem"
                                            class:fault=failed
                                            style:top=format!("{}px", (from + i) as f64 * ROW)
                                            on:click=move |_| on_open.run((file, key.clone()))
                                        >
                                            <b>{format!("#{}", row.key)}</b>
                                            <span>
                                                {format!("{} nodes, {} edges", row.n_nodes, row.n_edges)}
                                            </span>
                                            <span>{what}</span>
                                        </button>
                                    }
                                })
                                .collect_view()
                        })
                    }}
                </div>
            </div>
        </section>
    }
}

fn words(failure: &CheckFailure) -> &str {
    match failure {
        CheckFailure::Parse { message }
        | CheckFailure::Disagreement { message }
        | CheckFailure::ReferenceRejected { message }
        | CheckFailure::SolutionRejected { message } => message,
    }
}
