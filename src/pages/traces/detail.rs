//! The step at the cursor in full: what was called, what came back, what the model saw, and where the
//! run can be taken over.

use std::sync::Arc;

use leptos::prelude::*;
use llm::ToolCall;
use protocol::runs::ModelChoice;
use serde_json::Value;
use systems::grounded::scripted::Script;
use trace::replay::ReplayFinding;
use trace::{Effects, MistakeKind, StepBody, ToolResult, Trace};

use super::notes::StepNote;
use super::spent::spent;
use super::state::{Entry, Judged, PageState};
use crate::components::certificate::CertificateList;
use crate::components::claimed_text::{ClaimedText, FalseClaims};
use crate::components::findings::findings_view;
use crate::components::form::{Area, Select};
use crate::components::long_text::long_text;
use crate::components::verdict::VerdictCard;
use crate::services::open;
use crate::state::fork::Change;
use crate::state::print::set_out;
use crate::state::records;
use crate::state::run_table::took_words;
use crate::state::settings::ModelSettings;
use crate::workbench::copy::CopyButton;
use crate::workbench::share::Sharing;

/// JSON longer than this is shown as it came: to set it out in lines would take long.
const MOST_SET_OUT: usize = 200_000;
/// The longest text, in bytes, that can be changed in a field.
const MOST_EDITED: usize = 100_000;

#[component]
pub(super) fn Detail(state: PageState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    let tab = RwSignal::new("step");
    let entry = Memo::new(move |_| state.entry());
    let tabs =
        [("step", "This step"), ("raw", "What the model saw"), ("fork", "Fork"), ("spent", "Time")]
            .into_iter()
            .map(|(id, title)| {
                view! {
                    <button
                        role="tab"
                        data-testid=format!("tab-{id}")
                        aria-selected=move || (tab.get() == id).to_string()
                        on:click=move |_| tab.set(id)
                    >
                        {title}
                    </button>
                }
            })
            .collect_view();
    view! {
        <div class="detail" data-testid="detail">
            <div class="tabs" role="tablist">{tabs}</div>
            {move || {
                let Some(entry) = entry.get() else { return ().into_any() };
                if tab.get() == "spent" {
                    return spent(state, &entry);
                }
                let at = state.session.cursor.get();
                let Some(step) = at.checked_sub(1) else {
                    return prompt(&entry.trace);
                };
                match tab.get() {
                    "raw" => raw(&entry.trace, step),
                    "fork" => view! { <Fork state settings entry step/> }.into_any(),
                    _ => body(state, &entry, step),
                }
            }}
        </div>
    }
}

fn long(text: String) -> AnyView {
    long_text(text, "machine")
}

fn prompt(trace: &Trace) -> AnyView {
    let messages = trace
        .prompt
        .iter()
        .map(|m| {
            view! {
                <h3>{format!("{:?}", m.role)}</h3>
                {long(m.content.clone())}
            }
        })
        .collect_view();
    let attached = trace.attached.as_ref().map(|g| {
        view! {
            <p class="remark">
                {format!("A graph of {} nodes and {} edges was handed over.", g.n_nodes(), g.n_edges())}
            </p>
        }
    });
    view! {
        <p class="quiet-text">"Before the first step: the prompt."</p>
        {attached}
        {messages}
    }
    .into_any()
}

fn pretty(text: &str) -> String {
    if text.len() > MOST_SET_OUT {
        return text.to_owned();
    }
    serde_json::from_str::<Value>(text).map_or_else(|_| text.to_owned(), |v| set_out(&v))
}

/// A head with a button that copies what stands under it.
fn headed(title: &'static str, what: &'static str, text: &str) -> impl IntoView + use<> {
    let text: Arc<str> = text.into();
    view! {
        <h3 class="with-copy">{title} <CopyButton what text/></h3>
    }
}

fn facts(entry: &Entry, step: usize) -> String {
    let Some(s) = entry.trace.steps.get(step) else { return String::new() };
    let mut facts = vec![
        format!("Step {} of {}", step + 1, entry.trace.steps.len()),
        format!("at {}", took_words(s.at_ms)),
        format!("took {}", took_words(s.took_ms)),
    ];
    if let StepBody::Model { usage, .. } = &s.body {
        facts.extend(usage.input_tokens.map(|n| format!("{n} input tokens")));
        facts.extend(usage.cached_tokens.map(|n| format!("{n} of them cached")));
        facts.extend(usage.output_tokens.map(|n| format!("{n} output tokens")));
        facts.extend(usage.reasoning_tokens.map(|n| format!("{n} of them reasoning")));
        if usage.total().is_none() {
            facts.push("token count not reported".into());
        }
    }
    if s.by_person {
        facts.push("by you".into());
    }
    facts.join(" · ")
}

fn body(state: PageState, entry: &Entry, step: usize) -> AnyView {
    let Some(s) = entry.trace.steps.get(step) else { return ().into_any() };
    let what = match &s.body {
        StepBody::Model { message, .. } if entry.is_answer(step + 1) => view! {
            {headed("The answer", "the answer", &message.content)}
            <Answer state entry=entry.clone() text=message.content.clone()/>
        }
        .into_any(),
        StepBody::Model { message, .. } => {
            let calls = message
                .tool_calls
                .iter()
                .map(|c| view! { <li><code>{c.name.clone()}</code></li> })
                .collect_view();
            view! {
                {(!message.content.trim().is_empty()).then(|| long(message.content.clone()))}
                {(!message.tool_calls.is_empty())
                    .then(|| {
                        view! {
                            <h3>"It calls"</h3>
                            <ol class="calls">{calls}</ol>
                        }
                    })}
            }
            .into_any()
        }
        StepBody::Call { call, result, effects, told } => {
            called(state, step, call, result, effects, told.as_deref())
        }
        StepBody::Note { text } => long(text.clone()),
        StepBody::Program { code, .. } => view! {
            {long(code.clone())}
            {long(s.body.program_text())}
        }
        .into_any(),
        StepBody::Prompt { messages, .. } => {
            messages.iter().map(|m| long(m.content.clone())).collect_view().into_any()
        }
        StepBody::Findings { stage, findings } => findings_view(stage, findings),
        StepBody::Choice { tools, n_tools, reason, n_tokens } => {
            let tokens = n_tokens.map(|n| format!(", {n} tokens of definitions"));
            view! {
                <p>
                    {format!("{} of {n_tools} functions{}: {reason}.", tools.len(), tokens.unwrap_or_default())}
                </p>
                <p class="machine-list">{tools.join(", ")}</p>
            }
            .into_any()
        }
        StepBody::Vote { tallies, tie } => {
            let rows = tallies
                .iter()
                .map(|t| {
                    let runs: Vec<String> = t.runs.iter().map(|r| (r + 1).to_string()).collect();
                    view! {
                        <li>
                            {format!("{} of the runs ({}): {}", t.runs.len(), runs.join(", "), t.answer)}
                        </li>
                    }
                })
                .collect_view();
            view! {
                <h3>{if *tie { "The vote: a tie" } else { "The vote" }}</h3>
                <ol>{rows}</ol>
            }
            .into_any()
        }
        _ => ().into_any(),
    };
    view! {
        <p class="facts">
            {facts(entry, step)}
            <StepLink state/>
        </p>
        {thoughts(&s.body)}
        {what}
        <StepNote state step/>
    }
    .into_any()
}

/// What the model thought before it spoke, folded.
fn thoughts(body: &StepBody) -> Option<AnyView> {
    let StepBody::Model { message, .. } = body else { return None };
    let thoughts = message.reasoning.clone()?;
    Some(
        view! {
            <details>
                <summary>"What it thought"</summary>
                {long(thoughts)}
            </details>
        }
        .into_any(),
    )
}

/// A link that opens this trace at this step.
#[component]
fn StepLink(state: PageState) -> impl IntoView {
    let sharing = use_context::<Sharing>()?;
    Some(view! {
        <button
            class="quiet"
            data-testid="step-link"
            on:click=move |_| state.share(sharing)
        >
            "Link to this step"
        </button>
    })
}

/// The answer with its claims marked, how right it is, and why.
#[component]
fn Answer(state: PageState, entry: Entry, text: String) -> impl IntoView {
    let Some(judged) = entry.judged else {
        let told = entry.record.score.as_ref().map(|score| {
            view! {
                <p class="remark">
                    {format!("Its file says: {}. ", score.label.replace('_', " "))}
                    {score.explanation.clone()}
                </p>
            }
        });
        return view! { {long(text)} {told} }.into_any();
    };
    let Judged { judgement, claims } = (*judged).clone();
    let certificate = judgement.certificate.clone();
    let of_file = entry
        .record
        .score
        .clone()
        .filter(|s| s.name != "verdict" || s.label != records::label(judgement.verdict).0);
    view! {
        <ClaimedText
            text
            claims=claims.clone()
            picked=state.picked
            on_pick=Callback::new(move |claim| state.picked.set(claim))
        />
        <div class="verdicts one" data-testid="trace-verdict">
            <VerdictCard who="Verdict" judgement/>
        </div>
        {of_file
            .map(|s| {
                view! {
                    <p class="remark">
                        {format!("Its file says {}: {}.", s.name, s.label.replace('_', " "))}
                    </p>
                }
            })}
        <FalseClaims claims/>
        {(!certificate.lines.is_empty())
            .then(|| {
                view! {
                    <details open>
                        <summary>"Why this verdict"</summary>
                        <CertificateList certificate/>
                    </details>
                }
            })}
    }
    .into_any()
}

/// A call: its arguments, what came of it, what the model read, and what comes of it now.
fn called(
    state: PageState,
    step: usize,
    call: &ToolCall,
    result: &ToolResult,
    effects: &Effects,
    told: Option<&str>,
) -> AnyView {
    let outcome = match result {
        ToolResult::Value { value, notes } => {
            let text = pretty(&value.to_string());
            view! {
                {headed("Result", "the result", &text)}
                {long(text)}
                {notes
                    .iter()
                    .map(|n| view! { <p class="remark">{n.clone()}</p> })
                    .collect_view()}
            }
            .into_any()
        }
        ToolResult::Error(e) => view! {
            <h3>
                "Refused"
                {(e.kind != MistakeKind::Library).then(|| format!(": {}", e.kind.title()))}
            </h3>
            <div class="report no">{long_text(e.message.as_str(), "plain")}</div>
            {e.witness.as_ref().map(|w| long(w.to_string()))}
        }
        .into_any(),
    };
    let drift = state.replayed.with(|r| {
        let (_, found) = r.as_ref()?.findings.iter().find(|(i, _)| *i == step)?;
        match found {
            ReplayFinding::Differs { now, effects_differ } => {
                Some((pretty(&now.to_model_text()), *effects_differ))
            }
            _ => None,
        }
    });
    view! {
        <h3>
            <a href=open::function_href(&call.name)>
                <code>{call.name.clone()}</code>
            </a>
        </h3>
        {headed("Arguments", "the arguments", &pretty(&call.arguments))}
        {long(pretty(&call.arguments))}
        {outcome}
        {told
            .map(|t| {
                view! {
                    <details>
                        <summary>"The model read a summary"</summary>
                        {long(pretty(t))}
                    </details>
                }
            })}
        {(!effects.deltas.is_empty())
            .then(|| {
                view! {
                    <p class="remark">
                        {format!("It made {} changes to the graph.", effects.deltas.len())}
                    </p>
                }
            })}
        {drift
            .map(|(now, effects_differ)| {
                view! {
                    <h3>"What comes out now"</h3>
                    {long(now)}
                    {effects_differ
                        .then(|| {
                            view! { <p class="remark">"The change to the graph differs too."</p> }
                        })}
                }
            })}
    }
    .into_any()
}

/// The request of the turn at or before the step, rebuilt and held against its hash.
fn raw(trace: &Trace, step: usize) -> AnyView {
    let turn = (0..=step)
        .rev()
        .find(|i| matches!(trace.steps.get(*i).map(|s| &s.body), Some(StepBody::Model { .. })));
    let Some((turn, rebuilt)) = turn.and_then(|t| Some((t, trace.request_of(t)?))) else {
        return view! { <p class="quiet-text">"The model has not been asked yet."</p> }.into_any();
    };
    let (class, verdict) = match rebuilt.is_same {
        Some(true) => ("report ok", "Rebuilt from the trace; its hash is the one that was kept."),
        Some(false) => (
            "report no",
            "Rebuilt from the trace, but its hash is not the one that was kept: the trace was changed.",
        ),
        None => ("report", "Rebuilt from the trace; its format keeps no hash to hold it against."),
    };
    let request = rebuilt.request;
    // The bytes as they were sent, or, for a script, the question in our own words.
    let (what, text) = match rebuilt.body {
        Some(body) => ("The bytes that were sent", body),
        None => ("A script is sent no bytes; this is what it was asked", {
            serde_json::to_string_pretty(&request).unwrap_or_default()
        }),
    };
    view! {
        <p class="facts">{format!("The request of step {}: {} messages, {} tools", turn + 1, request.messages.len(), request.tools.len())}</p>
        <p class=class data-testid="raw-check">{verdict}</p>
        {headed(what, "the request", &text)}
        {long(text)}
    }
    .into_any()
}

/// Where the run can be taken over.
#[component]
fn Fork(
    state: PageState,
    settings: RwSignal<ModelSettings>,
    entry: Entry,
    step: usize,
) -> impl IntoView {
    let call = entry.trace.steps.get(step).and_then(|s| match &s.body {
        StepBody::Call { call, result, .. } => Some((call.arguments.clone(), result.clone())),
        _ => None,
    });
    let is_long = call.as_ref().is_some_and(|(arguments, result)| {
        arguments.len() > MOST_EDITED || result.to_model_text().len() > MOST_EDITED
    });
    let call = call.filter(|_| !is_long);
    let fault = RwSignal::new(None::<String>);
    let model = RwSignal::new("settings".to_owned());
    let choice = move || match model.get_untracked().as_str() {
        "person" => ModelChoice::Person,
        "settings" => settings.with_untracked(ModelSettings::choice),
        name => ModelChoice::Script { name: name.to_owned() },
    };
    let go = move |change: Change| {
        fault.set(None);
        state.fork(step, &change, choice());
    };
    let models = Signal::derive(move || {
        let in_use = format!("The model in use: {}", settings.with(ModelSettings::words));
        let mut list = vec![
            ("settings".to_owned(), in_use),
            ("person".to_owned(), "You, in the model's place".to_owned()),
        ];
        list.extend(Script::names());
        list
    });
    let can = entry.problem.is_some();
    let editors = call.map(|(arguments, result)| {
        view! { <Editors arguments result fault on_change=Callback::new(go)/> }
    });
    view! {
        <p class="quiet-text">
            "The run continues from here as a new one; what you change is marked as yours."
        </p>
        {(!can)
            .then(|| {
                view! {
                    <p class="report no">
                        "This page cannot score this trace's question, so the run cannot continue here."
                    </p>
                }
            })}
        <Select
            label="Who continues"
            testid="fork-model"
            options=models
            value=model
            on_change=move |name| model.set(name)
        />
        <div class="actions">
            <button
                class="run"
                data-testid="fork-go"
                disabled=!can
                on:click=move |_| go(Change::Nothing)
            >
                "Continue after this step"
            </button>
            <button class="ghost" disabled=!can on:click=move |_| go(Change::Again)>
                "Retry this step"
            </button>
        </div>
        {is_long
            .then(|| {
                view! {
                    <p class="remark">
                        "This call is too long to be changed here. Save the trace to change it in an editor."
                    </p>
                }
            })}
        {editors}
        {move || fault.get().map(|f| view! { <p class="report no" role="alert">{f}</p> })}
    }
}

/// Other arguments, or another result, for the call at the step.
#[component]
fn Editors(
    arguments: String,
    result: ToolResult,
    fault: RwSignal<Option<String>>,
    on_change: Callback<Change>,
) -> impl IntoView {
    let arguments = RwSignal::new(pretty(&arguments));
    let result = RwSignal::new(match &result {
        ToolResult::Value { value, .. } => set_out(value),
        ToolResult::Error(_) => String::new(),
    });
    view! {
        <Area
            label="Its arguments"
            testid="fork-arguments"
            rows=4
            value=arguments
            on_input=move |typed| arguments.set(typed)
        />
        <button
            class="ghost"
            data-testid="fork-call"
            on:click=move |_| on_change.run(Change::Arguments(arguments.get_untracked()))
        >
            "Call with these arguments, and go on"
        </button>
        <Area
            label="Its result, as JSON"
            testid="fork-result"
            rows=4
            value=result
            on_input=move |typed| result.set(typed)
        />
        <button
            class="ghost"
            data-testid="fork-with-result"
            on:click=move |_| {
                match serde_json::from_str::<Value>(&result.get_untracked()) {
                    Ok(value) => on_change.run(Change::Result(value)),
                    Err(e) => fault.set(Some(format!("This is not JSON: {e}"))),
                }
            }
        >
            "Put this result in its place, and go on"
        </button>
    }
}
