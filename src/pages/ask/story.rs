//! The right column: how the answer stands to the graph, the reply, and the steps.

use std::sync::Arc;

use leptos::prelude::*;
use systems::free::{FreeCheck, Standing};
use trace::{Step, StepBody};

use super::state::{EXAMPLES, PageState};
use crate::components::certificate::CertificateList;
use crate::components::claimed_text::ClaimedText;
use crate::components::notice::Notice;
use crate::components::reply_form::ReplyForm;
use crate::components::transcript::Transcript;
use crate::workbench::waiting::Waiting;

#[component]
pub(super) fn StoryColumn(state: PageState) -> impl IntoView {
    let has_trace = move || state.trace.with(Option::is_some);
    let has_steps = move || has_trace() && !state.session.steps.with(Vec::is_empty);
    view! {
        <Notice message=state.session.notice/>
        <Show when=move || state.is_example.get() && has_trace()>
            <div class="evidence" data-testid="ask-example">
                <p class="quiet-text">"An example, answered by our own small model:"</p>
                <p>{EXAMPLES[0]}</p>
            </div>
        </Show>
        {move || state.check.get().map(|check| view! { <Checked state check/> })}
        // Where nothing was said there is nothing to reply to.
        <Show when=move || has_steps() && !state.session.is_busy() && !state.is_example.get()>
            <Reply state/>
        </Show>
        <Transcript
            own_words=own_words
            steps=state.session.steps
            cursor=state.session.cursor
            playing=state.session.playing
            on_seek=Callback::new(move |k| state.session.cursor.set(k))
        />
        <Waiting session=state.session/>
        <Show when=move || state.session.steps.with(Vec::is_empty) && !state.session.is_busy()>
            <div class="empty">
                <p class="lead">"Write a question, and press Ask."</p>
                <p>
                    "You see each call that builds the graph or asks it. If the model asks back, reply; or ask further about the same graph."
                </p>
            </div>
        </Show>
        <Show when=move || has_trace() && !state.session.is_busy()>
            <div class="exports">
                <button class="quiet" data-testid="to-traces" on:click=move |_| state.open_trace()>
                    "Open it in Traces"
                </button>
            </div>
        </Show>
    }
}

fn own_words(step: &Step) -> Option<&'static str> {
    match &step.body {
        StepBody::Prompt { .. } if step.by_person => Some("You"),
        _ => None,
    }
}

/// How the answer stands, in a word and a tone.
fn words(standing: Standing) -> (&'static str, &'static str) {
    match standing {
        Standing::Consistent => ("Follows from this graph", "ok"),
        Standing::Contradicts => ("Does not agree with its own graph", "no"),
        Standing::MadeUp => ("Made up", "no"),
        Standing::Unchecked => ("Nothing to check", "none"),
        Standing::NoGraph => ("No graph", "no"),
        Standing::AsksBack => ("Asks back", "none"),
        Standing::NoAnswer => ("No answer", "none"),
    }
}

#[component]
fn Checked(state: PageState, check: Arc<FreeCheck>) -> impl IntoView {
    let (word, tone) = words(check.standing);
    let answer = state.trace.with_untracked(|t| {
        t.as_ref().and_then(|t| t.answer()).map(str::to_owned).unwrap_or_default()
    });
    let has_answer = !answer.trim().is_empty();
    let claims = check.claims.clone();
    let certificate = check.certificate.clone();
    let has_lines = !certificate.lines.is_empty();
    view! {
        <div class="verdicts">
            <div class=format!("card {tone}") data-testid="ask-standing">
                <strong>{word}</strong>
                <p>{check.words.clone()}</p>
            </div>
        </div>
        {has_answer
            .then(|| {
                view! {
                    <div class="evidence ask-answer" data-testid="ask-answer">
                        <ClaimedText
                            text=answer
                            claims
                            picked=state.picked
                            on_pick=Callback::new(move |at| {
                                let n = state.session.steps.with_untracked(Vec::len);
                                state.session.cursor.set(n);
                                state.picked.set(at);
                            })
                        />
                    </div>
                }
            })}
        {has_lines
            .then(|| {
                view! {
                    <details class="evidence">
                        <summary>"How it was checked"</summary>
                        <CertificateList certificate/>
                    </details>
                }
            })}
    }
}

/// A reply to a question back, or a further question.
#[component]
fn Reply(state: PageState) -> impl IntoView {
    let label = Signal::derive(move || {
        let is_asked =
            state.check.with(|c| c.as_ref().is_some_and(|c| c.standing == Standing::AsksBack));
        if is_asked { "Reply to the model" } else { "Ask a follow-up" }.to_owned()
    });
    view! { <ReplyForm label on_send=Callback::new(move |says| state.send_reply(says))/> }
}
