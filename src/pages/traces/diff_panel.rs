//! Two traces beside each other: aligned rows, their first difference, what differs in the chosen row,
//! and the graphs of those that have one.

use draw::Scene;
use leptos::prelude::*;
use trace::StepBody;
use trace::diff::{DiffRow, Difference, RowKind, changes};

use super::state::{Compared, Entry, PageState};
use crate::components::graph_view::GraphView;
use crate::components::virtual_list::VirtualList;
use crate::state::viewer::{cut, line};

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

/// Places that a row names; the others stand below the list.
const IN_A_ROW: usize = 3;

impl Compared {
    /// Where the steps of a row differ.
    fn changes(&self, row: DiffRow) -> Vec<Difference> {
        let step = |entry: &Entry, at: Option<usize>| entry.trace.steps.get(at?).cloned();
        let (left, right) = (step(&self.left, row.left), step(&self.right, row.right));
        left.zip(right).map(|(left, right)| changes(&left, &right)).unwrap_or_default()
    }
}

/// The name of a call with what it has where the other side has something else; other steps as in every
/// list.
fn differing(entry: &Entry, step: Option<usize>, changes: &[Difference], is_left: bool) -> String {
    let Some(step) = step.and_then(|s| entry.trace.steps.get(s)) else { return String::new() };
    let StepBody::Call { call, .. } = &step.body else { return line(step) };
    let side = |c: &Difference| if is_left { c.left.clone() } else { c.right.clone() };
    let shown = changes.iter().take(IN_A_ROW);
    let mut parts: Vec<String> =
        shown.map(|c| format!("{}: {}", c.at, side(c).unwrap_or_else(|| "–".into()))).collect();
    if changes.len() > IN_A_ROW {
        parts.push(format!("{} more", changes.len() - IN_A_ROW));
    }
    cut(&format!("{} {}", call.name, parts.join(", ")))
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
    let at = move |side: fn(&DiffRow) -> Option<usize>| {
        let row = state.row.get();
        compared.with_value(|c| {
            c.diff.rows.iter().take(row + 1).rev().find_map(side).map_or(0, |s| s + 1)
        })
    };
    let row = move |i: usize| -> AnyView {
        compared.with_value(|c| {
            let Some(found) = c.diff.rows.get(i).copied() else { return ().into_any() };
            let changes = match found.kind {
                RowKind::OtherArguments | RowKind::OtherResult => c.changes(found),
                _ => Vec::new(),
            };
            let text = |entry: &Entry, step: Option<usize>, is_left: bool| match changes.as_slice()
            {
                [] => step.and_then(|s| entry.trace.steps.get(s)).map(line).unwrap_or_default(),
                changes => differing(entry, step, changes, is_left),
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
                    <span class="words">{text(&c.left, found.left, true)}</span>
                    <i class="badge">{kind}</i>
                    <span class="n">{number(found.right)}</span>
                    <span class="words">{text(&c.right, found.right, false)}</span>
                </div>
            }
            .into_any()
        })
    };
    let side = move |name: String, scene: Memo<Scene>, has_graph: bool| {
        let graph = has_graph.then(|| {
            view! {
                <GraphView
                    scene
                    view=RwSignal::new(None)
                    editing=false
                    label="The graph of one side"
                    on_gesture=Callback::new(|_| {})
                />
            }
        });
        view! {
            <figure class="canvas small">
                <figcaption>{name}</figcaption>
                {graph}
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
    let has_graph = |entry: &Entry| entry.graphs.whole().n_nodes() > 0 || entry.problem.is_some();
    let (left_graph, right_graph) =
        compared.with_value(|c| (has_graph(&c.left), has_graph(&c.right)));
    // What differs in the chosen row, in full.
    let differs = move || {
        compared.with_value(|c| {
            let changes = c.changes(*c.diff.rows.get(state.row.get())?);
            let mark = |side: Option<String>| match side {
                Some(text) => view! { <td><pre>{text}</pre></td> }.into_any(),
                None => view! { <td class="quiet-text">"not there"</td> }.into_any(),
            };
            let rows = changes.into_iter().map(|c| {
                view! { <tr><th scope="row">{c.at}</th>{mark(c.left)}{mark(c.right)}</tr> }
            });
            let rows = rows.collect_view();
            (!rows.is_empty()).then(|| {
                view! {
                    <div class="diff-changes" data-testid="diff-changes" tabindex="0" role="region" aria-label="What differs in this row">
                        <table>
                            <thead>
                                <tr><th scope="col">"Differs in"</th><th scope="col">"Left"</th><th scope="col">"Right"</th></tr>
                            </thead>
                            <tbody>{rows}</tbody>
                        </table>
                    </div>
                }
            })
        })
    };
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
            <div class="diff-graphs" class:none=!left_graph && !right_graph>
                {side(left_name, left, left_graph)} {side(right_name, right, right_graph)}
            </div>
            <VirtualList
                n=Signal::derive(move || n)
                row_height=ROW
                at=Signal::derive(move || Some(state.row.get()))
                label="Rows"
                row
            />
            {differs}
        </section>
    }
}
