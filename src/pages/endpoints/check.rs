//! The check: one thing after the other, with the cause and the command where it ends.

use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::ToolStyle;
use web_sys::AbortController;

use super::{Commands, PageState};
use crate::services::doctor;
use crate::state::doctor::{Check, CheckOutcome, Diagnosis, title_of};

#[component]
pub(super) fn CheckPanel(state: PageState) -> impl IntoView {
    let rows = RwSignal::new(all(CheckOutcome::Waiting));
    let has_run = RwSignal::new(false);
    let running = StoredValue::new_local(None::<AbortController>);
    let is_running = RwSignal::new(false);
    // Counts checks, so that the last words of one that was replaced are not heard.
    let turn = StoredValue::new(0u32);
    let stop = move || {
        turn.update_value(|t| *t += 1);
        running.update_value(|r| {
            if let Some(abort) = r.take() {
                abort.abort();
            }
        });
        is_running.set(false);
    };
    on_cleanup(move || {
        running.update_value(|r| {
            if let Some(abort) = r.take() {
                abort.abort();
            }
        });
    });
    let start = move |_| {
        stop();
        let Ok(abort) = AbortController::new() else { return };
        running.set_value(Some(abort.clone()));
        is_running.set(true);
        let mine = turn.get_value();
        has_run.set(true);
        rows.set(all(CheckOutcome::Running));
        let settings = state.draft.get_untracked();
        spawn_local(async move {
            let is_mine = move || turn.try_get_value() == Some(mine);
            let on_outcome = move |check: Check, outcome: CheckOutcome| {
                if is_mine() {
                    rows.update(|rows| {
                        if let Some(row) = rows.iter_mut().find(|r| r.0 == check) {
                            row.1 = outcome;
                        }
                    });
                }
            };
            let on_models = move |list: Vec<String>| {
                if is_mine() {
                    state.models.set(list);
                }
            };
            let on_model = move |model| {
                if is_mine() {
                    state.draft.update(|d| d.model = model);
                }
            };
            let on_style = move |style| {
                if is_mine() {
                    take_style(state, style);
                }
            };
            doctor::examine(&settings, &abort, on_outcome, on_models, on_model, on_style).await;
            if is_mine() {
                is_running.set(false);
            }
        });
    };
    view! {
        <section class="sheet" aria-labelledby="check-title">
            <h2 id="check-title">"Why does it not answer?"</h2>
            <p class="quiet-text">
                "Eight checks, from the address to a streamed tool call. The last three ask the model for a few words, which a service may charge for."
            </p>
            <p class="row-of-buttons">
                <button class="run" data-testid="check" on:click=start>
                    {move || if has_run.get() { "Check again" } else { "Check" }}
                </button>
                <Show when=move || is_running.get()>
                    <button class="quiet" on:click=move |_| stop()>
                        "Stop"
                    </button>
                </Show>
            </p>
            <ol class="checks" aria-live="polite">
                {move || {
                    rows.get()
                        .into_iter()
                        .map(|(check, outcome)| view! { <li>{row(state, check, outcome)}</li> })
                        .collect_view()
                }}
            </ol>
        </section>
    }
}

/// Every check before it has begun, but for the first.
fn all(first: CheckOutcome) -> Vec<(Check, CheckOutcome)> {
    let mut rows: Vec<_> = Check::ALL.into_iter().map(|c| (c, CheckOutcome::Waiting)).collect();
    rows[0].1 = first;
    rows
}

fn take_style(state: PageState, style: ToolStyle) {
    state.draft.update(|d| {
        d.options.tool_style = style;
        d.options.constrain = false;
    });
}

/// A button that sets the tool style; what comes next, once it is set.
fn offer(state: PageState, style: ToolStyle) -> impl IntoView {
    let is_set = Memo::new(move |_| state.draft.with(|d| d.options.tool_style == style));
    let title = title_of(style);
    move || {
        if is_set.get() {
            view! {
                <p role="status">
                    {format!(
                        "The tool style above is now “{title}”; “Use this endpoint” takes it.",
                    )}
                </p>
            }
            .into_any()
        } else {
            view! {
                <p>
                    <button data-testid="take-style" on:click=move |_| take_style(state, style)>
                        {format!("Set the tool style to “{title}”")}
                    </button>
                </p>
            }
            .into_any()
        }
    }
}

fn row(state: PageState, check: Check, outcome: CheckOutcome) -> impl IntoView {
    let (word, class) = match &outcome {
        CheckOutcome::Waiting => ("", "waits"),
        CheckOutcome::Running => ("asking …", "runs"),
        CheckOutcome::Passed(_) => ("OK", "ok"),
        CheckOutcome::Warned(_) => ("doubtful", "doubt"),
        CheckOutcome::Failed(_) => ("failed", "no"),
        CheckOutcome::Skipped(_) => ("skipped", "waits"),
    };
    let body = match outcome {
        CheckOutcome::Waiting | CheckOutcome::Running => ().into_any(),
        CheckOutcome::Passed(words) | CheckOutcome::Skipped(words) => {
            view! { <p class="quiet-text">{words}</p> }.into_any()
        }
        CheckOutcome::Warned(finding) | CheckOutcome::Failed(finding) => {
            let Diagnosis { cause, fix, commands, offers } = finding;
            view! {
                <p class="cause">{cause}</p>
                <p>{fix}</p>
                {offers.map(|style| offer(state, style))}
                <Commands list=commands/>
            }
            .into_any()
        }
    };
    view! {
        <div class="check-head" data-check=format!("{check:?}") data-outcome=class>
            <b>{check.title()}</b>
            <span class=format!("mark {class}")>{word}</span>
        </div>
        {body}
    }
}
