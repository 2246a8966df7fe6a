//! A call in its parts: how it was read, what it loaded, what answered, what came of it.

use leptos::prelude::*;
use protocol::toolformer::{CallView, StepView};

use super::state::PageState;
use crate::state::toolformer::{Branch, calls_of, tree};

/// The bracket that is chosen.
#[component]
pub(super) fn CallPanel(state: PageState) -> impl IntoView {
    let call = Memo::new(move |_| {
        let index = state.chosen.get()?;
        calls_of(&state.pieces()).nth(index).cloned().map(|call| (index, call))
    });
    move || call.get().map(|(index, call)| view! { <Parts index call/> })
}

#[component]
fn Parts(index: usize, call: CallView) -> impl IntoView {
    let parts = call.bracket.as_ref().map(tree);
    let error = call.error;
    view! {
        <section class="call-parts" data-testid="call-parts" aria-label=format!("Call {}", index + 1)>
            <h2>{format!("Call {}", index + 1)}</h2>
            <p class="source">
                <code>{call.source}</code>
            </p>
            {error.map(|words| view! { <p class="err" data-testid="call-error">{words}</p> })}
            {parts
                .map(|parts| {
                    view! {
                        <details open>
                            <summary>"How it was read"</summary>
                            <ul class="parse-tree" data-testid="parse-tree">{branches(parts)}</ul>
                        </details>
                    }
                })}
            <ol class="call-steps">{call.steps.into_iter().map(step_view).collect_view()}</ol>
        </section>
    }
}

fn branches(all: Vec<Branch>) -> impl IntoView {
    let one = |branch: Branch| {
        let Branch { kind, words, parts } = branch;
        let inner = (!parts.is_empty()).then(|| view! { <ul>{branches(parts).into_any()}</ul> });
        view! {
            <li>
                <em>{kind}</em>
                " "
                <span>{words}</span>
                {inner}
            </li>
        }
    };
    all.into_iter().map(one).collect_view()
}

fn step_view(step: StepView) -> impl IntoView {
    let StepView { call, result, notes, scores, hits, .. } = step;
    let again = (!hits.is_empty()).then(|| {
        let words = format!("From the working memory: {}", hits.join(", "));
        view! { <p class="quiet-text" data-testid="hit">{words}</p> }
    });
    view! {
        <li>
            <code>{call}</code>
            {result.map(|words| view! { <p class="gives">"gives " <b>{words}</b></p> })}
            {again}
            {(!scores.is_empty()).then(|| weighed(scores))}
            {notes.into_iter().map(|n| view! { <p class="quiet-text">{n}</p> }).collect_view()}
        </li>
    }
}

/// What a model weighed, with bars beside the numbers.
fn weighed(scores: Vec<(String, f64)>) -> impl IntoView {
    let most = scores.iter().map(|(_, s)| s.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let row = move |(name, score): (String, f64)| {
        let share = (100.0 * score.abs() / most).round();
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="num" data-score=score.to_string()>{format!("{score:.4}")}</td>
                <td>
                    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                        <rect width=share.to_string() height="8"/>
                    </svg>
                </td>
            </tr>
        }
    };
    view! {
        <details open>
            <summary>"What the model weighed"</summary>
            <table class="weighed" data-testid="weighed">
                <tbody>{scores.into_iter().take(12).map(row).collect_view()}</tbody>
            </table>
        </details>
    }
}
