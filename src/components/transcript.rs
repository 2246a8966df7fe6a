//! The steps of a run in words.

use std::sync::Arc;

use leptos::html::Ol;
use leptos::prelude::*;
use llm::{FinishReason, Message, TurnEnd};
use serde_json::Value;
use tasks::claims::Claim;
use trace::{NO_PROGRAM, Step, StepBody, TOOLS_DROPPED, TOOLS_UNUSED, ToolResult};
use web_sys::Element;

use super::claimed_text::ClaimedText;
use super::findings::findings_view;
use super::long_text::long_text;
use crate::state::story::Steps;

/// Texts longer than this fold.
const FOLD: usize = 420;
/// Texts longer than this are shown as they came: to read and to write them again would take long.
const MOST_READ: usize = 50_000;

/// The steps, the one at the cursor highlighted; a click moves the cursor.
#[component]
pub(crate) fn Transcript(
    #[prop(into)] steps: Signal<Steps>,
    #[prop(into)] cursor: Signal<usize>,
    on_seek: Callback<usize>,
    /// The page's own words for who does a step, where the usual ones say too little.
    #[prop(default = |_| None)]
    own_words: fn(&Step) -> Option<&'static str>,
    /// The title under which the words of a step are folded, for what is read only by who asks for it.
    #[prop(default = |_| None)]
    folds: fn(&Step) -> Option<&'static str>,
    /// Whether the cursor walks by itself: then the step at it is kept in sight.
    #[prop(optional, into)]
    playing: Signal<bool>,
    /// Whether steps behind the cursor are not to be known yet.
    #[prop(optional, into)]
    unfolds: Signal<bool>,
    /// What the last answer claims: marked in its text.
    #[prop(optional, into)]
    claims: Signal<Vec<Claim>>,
    /// The claim that is shown alone.
    #[prop(optional, into)]
    picked: Signal<Option<usize>>,
    /// Called with the claim that a person picks.
    #[prop(optional)]
    on_pick: Option<Callback<Option<usize>>>,
) -> impl IntoView {
    let at = Memo::new(move |_| cursor.get());
    let list = NodeRef::<Ol>::new();
    Effect::new(move |was_playing: Option<bool>| {
        at.track();
        let is_playing = playing.get();
        // The last step ends the play.
        if is_playing || was_playing == Some(true) {
            request_animation_frame(move || {
                if let Some(list) = list.try_get_untracked().flatten() {
                    keep_in_sight(&list);
                }
            });
        }
        is_playing
    });
    let rows = move || steps.get().into_iter().enumerate().collect::<Vec<_>>();
    // A row is made once and stays: as the cursor moves and steps come, its class alone changes. It
    // holds its step, so that no other can stand at the address that is its key.
    view! {
        <ol class="steps" class:unfolds=move || unfolds.get() node_ref=list>
            <For each=rows key=|(i, step)| (*i, Arc::as_ptr(step) as usize) let:row>
                {
                    let (i, step) = row;
                    let (who, class) = who(&step);
                    let who = own_words(&step).unwrap_or(who);
                    let took = took(&step);
                    let body = match (on_pick, answer_of(&step)) {
                        (_, Some(text)) if folds(&step).is_some() => {
                            view! {
                                <details on:click=|e| e.stop_propagation()>
                                    <summary>{folds(&step)}</summary>
                                    {long_text(text, "machine")}
                                </details>
                            }
                                .into_any()
                        }
                        (Some(on_pick), Some(text)) => {
                            let plain = step.clone();
                            // Claims are those of the last answer.
                            let mine = move || {
                                let is_last = steps.with(|s| s.len() == i + 1);
                                if is_last { claims.get() } else { Vec::new() }
                            };
                            let said = move || match mine() {
                                list if list.is_empty() => body(&plain),
                                claims => {
                                    let text = text.clone();
                                    view! { <ClaimedText text claims picked on_pick/> }.into_any()
                                }
                            };
                            said.into_any()
                        }
                        _ => body(&step),
                    };
                    let held = StoredValue::new(step);
                    view! {
                        <li
                            class=class
                            class:now=move || i + 1 == at.get()
                            class:later=move || at.get() <= i
                            aria-current=move || (i + 1 == at.get()).then_some("step")
                            on:click=move |_| {
                                held.with_value(|_| on_seek.run(i + 1));
                            }
                        >
                            <div class="who">
                                <em>{who}</em>
                                <time>{took}</time>
                            </div>
                            {body}
                        </li>
                    }
                }
            </For>
        </ol>
    }
}

/// Scrolls whatever the list stands in until the step at the cursor is seen, and nothing else: where
/// the page scrolls as a whole, it stays with the drawing.
fn keep_in_sight(list: &Element) {
    let Ok(Some(now)) = list.query_selector(":scope > .now") else { return };
    let mut around = list.parent_element();
    while let Some(element) = around {
        if element.tag_name() == "MAIN" || element.tag_name() == "BODY" {
            return;
        }
        if element.scroll_height() > element.client_height() + 1 && element.client_height() > 0 {
            let (row, frame) = (now.get_bounding_client_rect(), element.get_bounding_client_rect());
            // What stays at the top of the frame covers some of it.
            let head = element.query_selector(".verdicts").ok().flatten();
            let head = head.map_or(0.0, |h| h.get_bounding_client_rect().height());
            let below = row.bottom() - frame.bottom();
            let above = row.top() - frame.top() - head;
            if below > 0.0 || above < 0.0 {
                // A row taller than the frame is read from its beginning.
                let by = if below > 0.0 { below.min(above) } else { above };
                element.set_scroll_top(element.scroll_top() + by.round() as i32);
            }
            return;
        }
        around = element.parent_element();
    }
}

/// The words of a step that answers.
fn answer_of(step: &Step) -> Option<String> {
    match &step.body {
        StepBody::Program { output, fault: None, .. } => Some(output.clone()),
        StepBody::Model { message, .. } if message.tool_calls.is_empty() => {
            Some(message.content.clone())
        }
        _ => None,
    }
}

fn who(step: &Step) -> (&'static str, &'static str) {
    match &step.body {
        StepBody::Model { finish: FinishReason::Stopped, .. } => ("Model, stopped", "model"),
        StepBody::Model { message, finish, .. } => match TurnEnd::of(message, finish) {
            TurnEnd::Answered => ("Answer", "model"),
            TurnEnd::CutOff => ("Model, cut off", "model"),
            TurnEnd::Refused { .. } => ("Model, refused", "model"),
            TurnEnd::Empty => ("Model, empty", "model"),
            _ => ("Model", "model"),
        },
        StepBody::Call { result: ToolResult::Error(_), .. } => ("Tool refuses", "call bad"),
        StepBody::Call { effects, .. } if effects.deltas.is_empty() => {
            ("Asks the graph", "call reads")
        }
        StepBody::Call { .. } => ("Changes the graph", "call writes"),
        StepBody::Choice { .. } => ("Tools", "note"),
        StepBody::Vote { .. } => ("Vote", "note"),
        StepBody::Program { fault: None, .. } => ("Program runs", "call reads"),
        StepBody::Program { .. } => ("Program fails", "call bad"),
        StepBody::Prompt { .. } => ("Asked", "note"),
        StepBody::Findings { findings, .. } if findings.iter().any(|f| f.rule == TOOLS_DROPPED) => {
            ("Endpoint", "call bad")
        }
        StepBody::Findings { findings, .. } if findings.iter().any(|f| f.rule == TOOLS_UNUSED) => {
            ("Tools", "call bad")
        }
        StepBody::Findings { findings, .. } if findings.iter().any(|f| f.rule == NO_PROGRAM) => {
            ("Program", "call bad")
        }
        StepBody::Findings { findings, .. } if findings.iter().any(|f| f.is_error) => {
            ("Verifier", "call bad")
        }
        StepBody::Findings { .. } => ("Verifier", "note"),
        _ => ("Note", "note"),
    }
}

fn took(step: &Step) -> String {
    let ms = step.took_ms;
    let time = if ms >= 1000.0 { format!("{:.1} s", ms / 1000.0) } else { format!("{ms:.1} ms") };
    match &step.body {
        StepBody::Model { usage, .. } => match usage.total() {
            Some(tokens) => format!("{time} · {tokens} tok"),
            None => time,
        },
        _ => time,
    }
}

fn body(step: &Step) -> AnyView {
    match &step.body {
        StepBody::Model { message, .. } => show_message(message),
        StepBody::Call { call, result, .. } => {
            let outcome = match result {
                ToolResult::Value { value, notes } => {
                    let notes = notes
                        .iter()
                        .map(|n| view! { <p class="remark">{n.clone()}</p> })
                        .collect_view();
                    view! {
                        <div class="res">{folded(compact(value))}</div>
                        {notes}
                    }
                    .into_any()
                }
                ToolResult::Error(error) => view! {
                    <div class="err">
                        <span class="kind">{error.kind.title()}</span>
                        {folded(error.message.clone())}
                    </div>
                }
                .into_any(),
            };
            view! {
                <div class="fn">
                    <b>{call.name.clone()}</b>
                    {folded(arguments(&call.arguments))}
                </div>
                {outcome}
            }
            .into_any()
        }
        StepBody::Note { text } => {
            view! { <div class="say">{folded(text.clone())}</div> }.into_any()
        }
        StepBody::Prompt { messages, .. } => messages
            .iter()
            .map(|m| view! { <div class="say quiet-text">{folded(m.content.clone())}</div> })
            .collect_view()
            .into_any(),
        StepBody::Findings { stage, findings } => findings_view(stage, findings),
        StepBody::Program { output, errors, fault, .. } => {
            let output = (!output.trim().is_empty())
                .then(|| view! { <div class="res">{folded(output.clone())}</div> });
            let errors = (!errors.trim().is_empty())
                .then(|| view! { <div class="say quiet-text">{folded(errors.clone())}</div> });
            let fault = fault
                .as_ref()
                .map(|fault| view! { <div class="err">{folded(fault.clone())}</div> });
            view! {
                {output}
                {errors}
                {fault}
            }
            .into_any()
        }
        StepBody::Choice { tools, n_tools, reason, n_tokens } => {
            let tokens = n_tokens.map(|n| format!(", {n} tokens")).unwrap_or_default();
            view! {
                <p class="say">{format!("{} of {n_tools} functions{tokens}: {reason}.", tools.len())}</p>
                <p class="say quiet-text">{tools.join(", ")}</p>
            }
            .into_any()
        }
        StepBody::Vote { tallies, tie } => {
            let rows = tallies
                .iter()
                .map(|t| view! { <li>{format!("{} × {}", t.runs.len(), t.answer)}</li> })
                .collect_view();
            view! {
                <p class="say">
                    {if *tie { "A tie; the answer that came first is taken." } else { "The majority:" }}
                </p>
                <ul class="tallies" data-testid="tallies">{rows}</ul>
            }
            .into_any()
        }
        _ => ().into_any(),
    }
}

fn show_message(message: &Message) -> AnyView {
    if let Some(thoughts) = &message.reasoning {
        let mut rest = message.clone();
        rest.reasoning = None;
        return view! {
            <details class="thoughts" on:click=|e| e.stop_propagation()>
                <summary>"Thoughts"</summary>
                {long_text(thoughts.as_str(), "plain")}
            </details>
            {show_message(&rest)}
        }
        .into_any();
    }
    if message.content.trim().is_empty() {
        let names: Vec<&str> = message.tool_calls.iter().map(|c| c.name.as_str()).collect();
        let more = names.len().saturating_sub(MOST_NAMES);
        let mut words = names[..names.len() - more].join(", ");
        if more > 0 {
            words += &format!(" and {more} more");
        }
        return view! { <p class="say quiet-text">"calls " {words}</p> }.into_any();
    }
    let said = match in_words(&message.content) {
        Some(words) => words,
        None => message.content.clone(),
    };
    view! { <div class="say">{folded(said)}</div> }.into_any()
}

/// An answer that is one JSON object, as words.
fn in_words(content: &str) -> Option<String> {
    let text = content.trim();
    if !text.starts_with('{') || text.len() > MOST_READ {
        return None;
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value @ Value::Object(_)) => Some(compact(&value)),
        _ => None,
    }
}

/// Arguments as a person would write a call; what is no JSON is shown as it came.
fn arguments(text: &str) -> String {
    if text.len() > MOST_READ {
        return format!("({text})");
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(map)) => {
            let list: Vec<String> =
                map.iter().map(|(name, value)| format!("{name}: {}", compact(value))).collect();
            format!("({})", list.join(", "))
        }
        _ => format!("({text})"),
    }
}

/// The names of calls that one line tells.
const MOST_NAMES: usize = 20;

fn compact(value: &Value) -> String {
    match value {
        Value::Object(map) => map
            .iter()
            .filter(|(_, v)| !v.is_null())
            .map(|(name, value)| format!("{name}: {}", compact(value)))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Number(n) => {
            // 7.0 is 7 to a person.
            n.as_f64()
                .filter(|f| f.fract() == 0.0 && f.abs() < 1e15)
                .map_or_else(|| n.to_string(), |f| format!("{f:.0}"))
        }
        Value::Array(list) => {
            let inner: Vec<String> = list
                .iter()
                .map(|v| if v.is_object() { format!("{{{}}}", compact(v)) } else { compact(v) })
                .collect();
            format!("[{}]", inner.join(", "))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Long text behind a fold; nothing is cut.
fn folded(text: String) -> AnyView {
    if text.len() <= FOLD {
        return text.into_any();
    }
    let head: String = text.chars().take(160).collect();
    let is_open = RwSignal::new(false);
    let text: Arc<str> = text.into();
    // The rest is made when it is wanted.
    view! {
        <details
            on:click=|e| e.stop_propagation()
            on:toggle=move |e| is_open.set(event_target::<web_sys::HtmlDetailsElement>(&e).open())
        >
            <summary>{head} "…"</summary>
            {move || is_open.get().then(|| long_text(text.clone(), "plain"))}
        </details>
    }
    .into_any()
}
