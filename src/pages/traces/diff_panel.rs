//! Two traces beside each other: aligned rows, their first difference, and both graphs.

use draw::Scene;
use leptos::prelude::*;
use trace::diff::RowKind;

use super::state::{Compared, Entry, PageState};
use crate::components::graph_view::GraphView;
use crate::components::virtual_list::VirtualList;
use crate::state::viewer::line;

const ROW: f64 = 44.0;

fn words(kind: RowKind) -> (&'static str, &'static str) {
    match kind {
        RowKind::Same => ("same", "="),
        RowKind::OtherResult => ("other", "other result"),
        RowKind::OtherArguments => ("other", "other arguments"),
        RowKind::OtherWords => ("other", "other words"),
        RowKind::SameCalls => ("same", "same call, other words"),
        RowKind::OnlyLeft => ("left-only", "left only"),
        RowKind::OnlyRight => ("right-only", "right only"),
    }
}

#[component]
pub(super) fn DiffPanel(state: PageState, compared: Compared) -> impl IntoView {
    let compared = StoredValue::new(compared);
    let n = compared.with_value(|c| c.diff.rows.len());
    let first = compared.with_value(|c| c.diff.first_divergence);
    let summary = compared.with_value(|c| {
        let of_kind = |kind| c.diff.rows.iter().filter(|r| r.kind == kind).count();
        let (n_same, n_worded) = (of_kind(RowKind::Same), of_kind(RowKind::SameCalls));
        let worded = match n_worded {
            0 => String::new(),
            n => format!(", {n} more make the same calls in other words"),
        };
        match c.diff.first_divergence {
            None if n_worded == 0 => format!("All {n} rows are the same."),
            None => format!("{n_same} of {n} rows are the same{worded}."),
            Some(at) => format!(
                "{n_same} of {n} rows are the same{worded}; first difference in row {}.",
                at + 1
            ),
        }
    });
    // The step of each side at the chosen row: the last one that stands at or above it.
    let at = move |side: fn(&trace::diff::DiffRow) -> Option<usize>| {
        let row = state.row.get();
        compared.with_value(|c| {
            c.diff.rows.iter().take(row + 1).rev().find_map(side).map_or(0, |s| s + 1)
        })
    };
    let row = move |i: usize| -> AnyView {
        compared.with_value(|c| {
            let Some(found) = c.diff.rows.get(i).copied() else { return ().into_any() };
            let text = |entry: &Entry, step: Option<usize>| {
                step.and_then(|s| entry.trace.steps.get(s)).map(line).unwrap_or_default()
            };
            let number = |step: Option<usize>| step.map_or(String::new(), |s| (s + 1).to_string());
            let (class, kind) = words(found.kind);
            view! {
                <div
                    class=format!("diff-row {class}")
                    class:now=move || state.row.get() == i
                    role="listitem"
                    on:click=move |_| state.row.set(i)
                >
                    <span class="n">{number(found.left)}</span>
                    <span class="words">{text(&c.left, found.left)}</span>
                    <i class="badge">{kind}</i>
                    <span class="n">{number(found.right)}</span>
                    <span class="words">{text(&c.right, found.right)}</span>
                </div>
            }
            .into_any()
        })
    };
    let side = move |name: String, scene: Memo<Scene>| {
        view! {
            <figure class="canvas small">
                <figcaption>{name}</figcaption>
                <GraphView
                    scene
                    view=RwSignal::new(None)
                    editing=false
                    label="The graph of one side"
                    on_gesture=Callback::new(|_| {})
                />
            </figure>
        }
    };
    let left = Memo::new(move |_| {
        let n = at(|r| r.left);
        compared.with_value(|c| PageState::scene(&c.left, n, None))
    });
    let right = Memo::new(move |_| {
        let n = at(|r| r.right);
        compared.with_value(|c| PageState::scene(&c.right, n, None))
    });
    let (left_name, right_name) =
        compared.with_value(|c| (c.left.name.clone(), c.right.name.clone()));
    view! {
        <section class="diff" aria-label="Two traces">
            <div class="diff-head">
                <div>
                    <h2>"Two traces"</h2>
                    <p class="facts" data-testid="diff-summary">{summary}</p>
                </div>
                <button
                    class="quiet"
                    disabled=first.is_none()
                    on:click=move |_| state.row.set(first.unwrap_or(0))
                >
                    "To the first difference"
                </button>
                <button class="quiet" on:click=move |_| state.compared.set(None)>"Close"</button>
            </div>
            <div class="diff-graphs">{side(left_name, left)} {side(right_name, right)}</div>
            <VirtualList
                n=Signal::derive(move || n)
                row_height=ROW
                at=Signal::derive(move || Some(state.row.get()))
                label="Rows"
                row
            />
        </section>
    }
}
