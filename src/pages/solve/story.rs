//! The right state: verdicts, evidence, and the story of the run.

use leptos::prelude::*;
use systems::nlgraph::SYSTEMS;
use trace::{Step, StepBody, Stop};

use super::state::{PageState, Shown};
use crate::components::certificate::CertificateList;
use crate::components::claimed_text::{ClaimedText, FalseClaims};
use crate::components::long_text::long_text;
use crate::components::model_seat::ModelSeat;
use crate::components::notice::Notice;
use crate::components::reply_form::ReplyForm;
use crate::components::transcript::Transcript;
use crate::components::verdict::{VerdictCard, spoken};
use crate::state::numbers::plural;
use crate::state::prices::{self, Prices};
use crate::state::story::Story;
use crate::workbench::played_sides::{Announced, PlayingCard};
use crate::workbench::waiting::Waiting;

#[component]
pub(super) fn StoryColumn(state: PageState) -> impl IntoView {
    view! {
            <Announced words=Signal::derive(move || state.announced())/>
            <Notice message=state.session.notice/>
            <Notice message=state.kept.fault/>
            <Notice message=state.open.notice on_again=Callback::new(move |()| state.open.generate())/>
            {move || {
                state.session.seat
                    .get()
                    .map(|tools| {
                        view! { <ModelSeat tools on_say=Callback::new(move |m| state.session.say(m))/> }
                    })
            }}
            {move || match state.shown.get() {
                Shown::Problem if state.stories.with(|s| s.is_empty()) => {
                    view! { <Empty/> }.into_any()
                }
                Shown::Judged { who, text, judgement, claims, .. } => {
                    let picked = Signal::derive(move || match state.shown.get() {
                        Shown::Judged { picked, .. } => picked,
                        _ => None,
                    });
                    view! {
                        <div class="verdicts one">
                            <VerdictCard who judgement=judgement.clone() is_current=true/>
                        </div>
                        <div class="evidence">
                            <CertificateList certificate=judgement.certificate/>
                            <details open=claims.iter().any(|c| !c.is_true)>
                                <summary>"The answer"</summary>
                                <ClaimedText
                                    text
                                    claims=claims.clone()
                                    picked
                                    on_pick=Callback::new(move |claim| state.pick_claim(claim))
                                />
                            </details>
                            <FalseClaims claims/>
                        </div>
                    }
                        .into_any()
                }
                Shown::Called { function, result } => called(function, result).into_any(),
                Shown::Problem | Shown::Story(_) => {
                    view! {
                        <Verdicts state/>
                        <Evidence state/>
                        <Reply state/>
                        <Transcript
                            steps=Signal::derive(move || {
                                state.read_story(|s| s.steps.clone()).unwrap_or_default()
                            })
                            cursor=Signal::derive(move || state.read_story(|s| s.cursor).unwrap_or_default())
                            own_words=|step| is_program(step).then_some("Writes a program")
                            playing=state.session.playing
                            unfolds=Signal::derive(move || {
                                state.read_story(|s| !s.is_told).unwrap_or_default()
                            })
                            on_seek=Callback::new(move |k| {
                                state.session.playing.set(false);
                                state.seek(k);
                            })
                            claims=Signal::derive(move || {
                                state.read_story(|s| s.claims.clone()).unwrap_or_default()
                            })
                            picked=Signal::derive(move || state.read_story(|s| s.picked).flatten())
                            on_pick=Callback::new(move |claim| state.pick_claim(claim))
                        />
                        <Waiting session=state.session/>
                    }
                        .into_any()
                }
            }}
    }
}

impl PageState {
    /// The verdict that has come last, in words.
    fn announced(self) -> String {
        match self.shown.get() {
            Shown::Judged { who, judgement, .. } => spoken(&who, &judgement),
            Shown::Story(system) => {
                let title = systems::nlgraph::find(&system).map_or("", |s| s.title);
                let told = self.read_story(|s| s.told().map(|run| spoken(title, &run.judgement)));
                told.flatten().unwrap_or_default()
            }
            _ => String::new(),
        }
    }
}

#[component]
fn Empty() -> impl IntoView {
    view! {
        <div class="empty">
            <p class="lead">"Ask the model."</p>
            <p>
                "Run with graph tools lets it build the graph by function calls and read its answer off them. Run without tools lets it guess from the text. Run a program lets it write Python, whose output is the answer."
            </p>
            <p>"Every call appears here, and the graph grows beside it."</p>
        </div>
    }
}

/// Whether a model says a program in a step.
fn is_program(step: &Step) -> bool {
    matches!(&step.body, StepBody::Model { message, .. } if message.content.contains("```python"))
}

/// A reply to the model of the run that is shown, where it asks back.
#[component]
fn Reply(state: PageState) -> impl IntoView {
    let is_asked = Memo::new(move |_| {
        let asks =
            state.read_story(|story| Some(story.told()?.trace.stop == Some(Stop::AskedBack)));
        asks.flatten().unwrap_or(false) && !state.session.is_busy()
    });
    view! {
        <Show when=move || is_asked.get()>
            <ReplyForm
                label="Reply to the model"
                on_send=Callback::new(move |says| state.reply(says))
            />
        </Show>
    }
}

/// One card for each system that ran; a click shows its story.
#[component]
fn Verdicts(state: PageState) -> impl IntoView {
    let current = move || match state.shown.get() {
        Shown::Story(system) => Some(system),
        _ => None,
    };
    let cards = move || {
        SYSTEMS
            .iter()
            .rev()
            .filter_map(|system| {
                let story = state.stories.with(|s| s.get(system.id).cloned())?;
                let is_current = current().as_deref() == Some(system.id);
                if story.run.is_some() && !story.is_told {
                    let place = Signal::stored((story.cursor, story.steps.len()));
                    let on_skip = Callback::new(move |()| state.skip());
                    return Some(
                        view! { <PlayingCard who=system.title place on_skip/> }.into_any(),
                    );
                }
                Some(
                    view! {
                        <button
                            class="pick"
                            aria-pressed=is_current.to_string()
                            on:click=move |_| state.show_story(system.id)
                        >
                            {card(system.title, &story, is_current)}
                        </button>
                    }
                    .into_any(),
                )
            })
            .collect_view()
    };
    view! { <div class="verdicts">{cards}</div> }
}

fn card(title: &'static str, story: &Story, is_current: bool) -> AnyView {
    match &story.run {
        Some(run) => {
            let judgement = run.judgement.clone();
            view! { <VerdictCard who=title judgement is_current/> }.into_any()
        }
        None => view! {
            <div class="card busy" class:current=is_current>
                <b>{title}</b>
                <strong>"Running"</strong>
                <p>{format!("{} steps so far", story.steps.len())}</p>
            </div>
        }
        .into_any(),
    }
}

/// Evidence and counts of the run that is shown.
#[component]
fn Evidence(state: PageState) -> impl IntoView {
    // Not made again as the cursor moves.
    let run = Memo::new(move |_| state.read_story(|s| s.told().cloned()).flatten());
    move || {
        let run = run.get()?;
        let trace = &run.trace;
        let mut facts = vec![
            trace.model.clone(),
            plural(trace.n_rounds(), "turn"),
            plural(trace.n_calls(), "call"),
        ];
        facts.extend(trace.usage().total().map(|t| format!("{t} tokens")));
        facts.extend(cost(trace));
        let mistakes: Vec<String> = trace
            .mistakes()
            .into_iter()
            .map(|(kind, n)| format!("{n} × {}", kind.title()))
            .collect();
        let certificate = run.judgement.certificate.clone();
        let has_lines = !certificate.lines.is_empty();
        Some(view! {
            <div class="evidence">
                <p class="facts">{facts.join(" · ")}</p>
                {(!mistakes.is_empty())
                    .then(|| {
                        view! {
                            <p class="mistakes" data-testid="mistakes">
                                "Mistakes: "
                                {mistakes.join(", ")}
                            </p>
                        }
                    })}
                {has_lines
                    .then(|| {
                        view! {
                            <details>
                                <summary>"Why this verdict"</summary>
                                <CertificateList certificate/>
                            </details>
                        }
                    })}
            </div>
        })
    }
}

/// What a run cost; nothing for scripts, which report no tokens and cost none.
fn cost(trace: &trace::Trace) -> Option<String> {
    let usage = trace.usage();
    usage.total()?;
    let prices = use_context::<RwSignal<Prices>>()?;
    Some(prices::dollars(prices.with(|p| p.cost(&trace.model, &usage))))
}

fn called(
    function: String,
    result: Result<protocol::problem::CallOutput, graph::functions::FunctionError>,
) -> impl IntoView {
    let body = match result {
        Ok(call) => view! {
            <div data-testid="call-result">
                {long_text(serde_json::to_string_pretty(&call.value).unwrap_or_default(), "machine")}
            </div>
            {call.notes.into_iter().map(|n| view! { <p class="remark">{n}</p> }).collect_view()}
        }
        .into_any(),
        Err(error) => view! {
            <p class="report no" data-testid="call-result">{error.message}</p>
            {error
                .witness
                .map(|w| long_text(w.to_string(), "machine"))}
        }
        .into_any(),
    };
    view! {
        <div class="evidence">
            <h2><code>{function}</code> " gave"</h2>
            {body}
        </div>
    }
}
