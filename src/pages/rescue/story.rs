//! The right column: the conversation.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use tasks::rescue::RescueFinding;

use super::state::PageState;
use crate::components::form::{Check, Field};
use crate::components::needs_model::NeedsModel;
use crate::components::notice::Notice;
use crate::components::transcript::Transcript;
use crate::state::rescue::SaidTurn;
use crate::state::settings::ModelSettings;
use crate::state::story;

/// Sentences to begin with: those of the paper's conversation, and their like.
const CHIPS: [&str; 7] = [
    "Deploy the rescue robots.",
    "Which survivors are critical?",
    "Fire has spread to L2.",
    "A new survivor at L6, critical.",
    "Robot 1 is lost.",
    "How far is it from L6 to L3?",
    "Who cannot be reached?",
];

#[component]
pub(super) fn StoryColumn(state: PageState) -> impl IntoView {
    let busy = move || state.session.is_busy();
    let turns = move || {
        state.disaster.with(|d| {
            let last = d.turns.len();
            d.turns.iter().enumerate().rev().map(|(i, t)| turn(t, i + 1 == last)).collect_view()
        })
    };
    view! {
            <Notice message=state.session.notice/>
            <SayForm state/>
            <div class="talked" data-testid="talked" aria-live="polite">
                {move || {
                    state.session.busy
                        .get()
                        .map(|words| {
                            view! {
                                <article class="turn">
                                    <p class="person">{words}</p>
                                    <p class="quiet-text">
                                        {move || format!("{} steps so far …", state.session.steps.with(Vec::len))}
                                    </p>
                                </article>
                            }
                        })
                }}
                {turns}
                <Show when=move || state.disaster.with(|d| d.turns.is_empty()) && !busy()>
                    <div class="empty">
                        <p class="lead">"Begin with: Deploy the rescue robots."</p>
                        <p>
                            "Then say or click what happens. The model reads the map again, changes its graph, and plans anew; its graph and its plan are checked each time."
                        </p>
                    </div>
                </Show>
            </div>
    }
}

/// What a person says: in words of one's own, or a sentence to begin with.
#[component]
fn SayForm(state: PageState) -> impl IntoView {
    let words = RwSignal::new(String::new());
    let busy = move || state.session.is_busy();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let said = words.get_untracked();
        if !busy() {
            words.set(String::new());
            state.say(said);
        }
    };
    view! {
        <form class="say-form" on:submit=submit>
            <Field label="Say what has happened, or ask">
                <textarea
                    rows="2"
                    data-testid="say"
                    maxlength="2000"
                    prop:value=move || words.get()
                    on:input=move |e| words.set(event_target_value(&e))
                    on:keydown=move |e| {
                        if e.key() == "Enter" && !e.shift_key() {
                            e.prevent_default();
                            let said = words.get_untracked();
                            if !busy() {
                                words.set(String::new());
                                state.say(said);
                            }
                        }
                    }
                ></textarea>
            </Field>
            <div class="send">
                {move || {
                    if busy() {
                        view! {
                            <button type="button" class="ghost" on:click=move |_| state.session.stop()>
                                "Stop"
                            </button>
                        }
                            .into_any()
                    } else {
                        view! {
                            <button class="run" data-testid="send">
                                "Send"
                            </button>
                        }
                            .into_any()
                    }
                }}
            </div>
            <div class="chips" role="group" aria-label="Sentences to try">
                {CHIPS
                    .into_iter()
                    .map(|chip| {
                        view! {
                            <button
                                type="button"
                                class="chip"
                                disabled=busy
                                on:click=move |_| state.say(chip.to_owned())
                            >
                                {chip}
                            </button>
                        }
                    })
                    .collect_view()}
                <Show when=move || !state.settings.with(ModelSettings::is_brought)>
                    <button
                        type="button"
                        class="chip errs"
                        data-testid="errs"
                        aria-pressed=move || state.errs.get().to_string()
                        on:click=move |_| state.errs.update(|errs| *errs = !*errs)
                    >
                        "…by a script that makes the paper's mistakes"
                    </button>
                </Show>
            </div>
            <NeedsModel
                why=Signal::derive(move || {
                    (!state.settings.with(ModelSettings::is_brought))
                        .then_some("A script plays the model here, and understands sentences like these.")
                })
                chooses_model=state.chooses_model
            />
            <Check
                label=|| "Send only the functions that every plan needs, and those that fit what you say"
                testid="rescue-few-tools"
                checked=state.few_tools
                on_change=move |on| state.few_tools.set(on)
            />
        </form>
    }
}

fn turn(t: &SaidTurn, is_last: bool) -> impl IntoView + use<> {
    let n_calls = t.steps.iter().filter(|s| matches!(s.body, trace::StepBody::Call { .. })).count();
    let mut steps = story::shared(&t.steps);
    // The answer stands under the calls already.
    if steps.last().is_some_and(|s| matches!(s.body, trace::StepBody::Model { .. })) {
        steps.pop();
    }
    let n_steps = steps.len();
    let title = match n_calls {
        1 => "1 call".to_owned(),
        n => format!("{n} calls"),
    };
    let open = RwSignal::new(false);
    let toggled = move |e: leptos::ev::Event| {
        use wasm_bindgen::JsCast as _;
        let details = e.target().and_then(|t| t.dyn_into::<web_sys::HtmlDetailsElement>().ok());
        open.set(details.is_some_and(|d| d.open()));
    };
    let steps = StoredValue::new(steps);
    view! {
        <article class="turn" class:last=is_last>
            <p class="person">{t.words.clone()}</p>
            {(n_calls > 0)
                .then(|| {
                    view! {
                        <details class="calls" on:toggle=toggled>
                            <summary>{title}</summary>
                            {move || {
                                open.get()
                                    .then(|| {
                                        view! {
                                            <Transcript
                                                steps=Signal::derive(move || steps.get_value())
                                                cursor=Signal::derive(move || n_steps)
                                                on_seek=Callback::new(|_| {})
                                            />
                                        }
                                    })
                            }}
                        </details>
                    }
                })}
            <p class="answer say" data-testid="answer">{t.answer.clone()}</p>
            {verdict("Its graph", &t.graph_findings, false)}
            {verdict("Its plan", &t.findings, t.has_plan)}
        </article>
    }
}

/// What a check found; where nothing is wrong, that is said of a plan only.
fn verdict(what: &'static str, findings: &[RescueFinding], say_good: bool) -> Option<AnyView> {
    let n = findings.len();
    if n == 0 {
        return say_good.then(|| {
            view! {
                <p class="report ok" data-testid="turn-verdict">
                    "✓ Checked: every rule is kept."
                </p>
            }
            .into_any()
        });
    }
    let lines = findings
        .iter()
        .map(|f| {
            view! {
                <li>
                    <b>{f.rule.title()}</b>
                    ": "
                    {f.message.clone()}
                </li>
            }
        })
        .collect_view();
    let head = if n == 1 { "1 mistake".to_owned() } else { format!("{n} mistakes") };
    Some(
        view! {
            <div class="report no" data-testid="turn-verdict">
                <p>"✗ " {what} ": " {head}</p>
                <ul class="findings">{lines}</ul>
            </div>
        }
        .into_any(),
    )
}
