//! The endpoint in use, its key, and how it is asked.

use leptos::prelude::*;
use llm::{ApiKey, ToolStyle};

use super::PageState;
use crate::components::endpoint_form::{EndpointForm, Names};
use crate::components::form::{Check, OptionalNumber, Select};
use crate::services::keys::{self, Keep};
use crate::services::storage;
use crate::state::settings::{ModelSettings, SETTINGS, Who};

const FORM: &str = "endpoint-form";

const NAMES: Names = Names {
    protocol: "protocol",
    url: "endpoint-url",
    key: "endpoint-key",
    forget: "forget-key",
    model: "endpoint-model",
    models: "listed-models",
};

/// Brings the form into view, for whoever filled it in from below.
pub(super) fn show() {
    if let Some(form) = document().get_element_by_id(FORM) {
        form.scroll_into_view();
    }
}

/// The form.
#[component]
pub(super) fn Form(state: PageState) -> impl IntoView {
    let PageState { settings, draft, models, .. } = state;
    let key = RwSignal::new(String::new());
    let keep = RwSignal::new(Keep::Memory);
    let fault = RwSignal::new(None::<String>);
    let said = RwSignal::new(None::<String>);
    let address = Memo::new(move |_| draft.with(|d| d.endpoint().base_url));
    Effect::new(move |_| keep.set(keys::place(&address.get())));
    let has_key = move || {
        state.keys.track();
        keys::has(&address.get())
    };
    // A key that is typed in is in memory at once, so that a check can use it.
    let take_key = move || {
        if let Some(typed) = ApiKey::new(&key.get_untracked()) {
            keys::set(&address.get_untracked(), typed);
            key.set(String::new());
        }
        keys::keep(&address.get_untracked(), keep.get_untracked());
        state.keys.update(|k| *k += 1);
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        draft.update(|d| d.who = Who::Endpoint);
        let chosen = draft.get_untracked();
        said.set(None);
        fault.set(chosen.fault());
        if fault.with_untracked(Option::is_some) {
            return;
        }
        take_key();
        storage::remember(SETTINGS, &chosen);
        said.set(Some(format!("Runs now ask {}.", chosen.words())));
        settings.set(chosen);
    };
    view! {
        <form class="sheet" id=FORM on:submit=submit aria-label="The endpoint in use">
            <h2>"The endpoint"</h2>
            <EndpointForm
                names=NAMES
                draft
                models
                key
                has_key=Signal::derive(has_key)
                on_forget=Callback::new(move |()| {
                    keys::forget(&address.get_untracked());
                    keep.set(Keep::Memory);
                    state.keys.update(|k| *k += 1);
                })
                on_key=Callback::new(move |()| take_key())
                keeping=move || view! { <Keeping state address keep/> }
            />
            <Asking draft/>
            {move || fault.get().map(|f| view! { <p class="report no" role="alert">{f}</p> })}
            {move || said.get().map(|s| view! { <p class="report ok" role="status">{s}</p> })}
            <button class="run" type="submit" data-testid="use-this">
                "Use this endpoint"
            </button>
        </form>
    }
}

/// How long the key is kept.
#[component]
fn Keeping(state: PageState, address: Memo<String>, keep: RwSignal<Keep>) -> impl IntoView {
    let keeps = [
        (Keep::Memory, "in memory", "Gone when the page closes or is loaded again."),
        (Keep::Tab, "for this tab", "Written into this tab's storage, and gone when it closes."),
        (
            Keep::Device,
            "on this device",
            "Written into this browser, readable to whoever uses it, until you forget it.",
        ),
    ];
    let choices = keeps
        .into_iter()
        .map(|(place, title, words)| {
            view! {
                <label class="choice small">
                    <input
                        type="radio"
                        name="keep"
                        data-testid=format!("keep-{place:?}").to_lowercase()
                        prop:checked=move || keep.get() == place
                        on:change=move |_| {
                            keep.set(place);
                            // A key that is there already moves at once.
                            keys::keep(&address.get_untracked(), place);
                            state.keys.update(|k| *k += 1);
                        }
                    />
                    <span><b>{title}</b> ". " {words}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset class="keep">
            <legend>"Keep the key"</legend>
            {choices}
        </fieldset>
    }
}

/// How the endpoint is asked.
#[component]
fn Asking(draft: RwSignal<ModelSettings>) -> impl IntoView {
    let whole = |n: Option<f64>| n.map(|n| n as u64);
    let set_max = move |n| draft.update(|d| d.options.max_tokens = whole(n));
    let set_context = move |n| draft.update(|d| d.options.num_ctx = whole(n));
    let words = || {
        view! {
            <b>"No streaming"</b>
            ". Whole answers only, for servers whose streams are broken."
        }
    };
    let styles = ToolStyle::ALL.iter().map(|(_, name, title)| ((*name).into(), (*title).into()));
    let takes_schema = move || {
        draft.with(|d| {
            let provider = llm::providers::find(&d.provider);
            d.options.tool_style == ToolStyle::Json && provider.is_some_and(|p| p.takes_schema)
        })
    };
    view! {
        <Select
            label="How the model calls tools"
            testid="tool-style"
            options=Signal::stored(styles.collect::<Vec<(String, String)>>())
            value=Signal::derive(move || draft.with(|d| d.options.tool_style.name().to_owned()))
            on_change=move |name: String| {
                if let Some(style) = ToolStyle::by_name(&name) {
                    draft.update(|d| {
                        d.options.tool_style = style;
                        d.options.constrain &= style == ToolStyle::Json;
                    });
                }
            }
        />
        <Show when=takes_schema>
            <Check
                label=|| "Force valid tool calls (the server must support it)"
                testid="constrain"
                checked=Signal::derive(move || draft.with(|d| d.options.constrain))
                on_change=move |on| draft.update(|d| d.options.constrain = on)
            />
        </Show>
        <details>
            <summary>"How it is asked"</summary>
            <Check
                label=words
                testid="no-stream"
                checked=Signal::derive(move || draft.with(|d| d.options.no_stream))
                on_change=move |on| draft.update(|d| d.options.no_stream = on)
            />
            <OptionalNumber
                label="Most tokens of a reply (empty: the endpoint's own limit)"
                testid="max-tokens"
                min=1.0
                step="1"
                value=Signal::derive(move || {
                    draft.with(|d| d.options.max_tokens.map(|n| n as f64))
                })
                on_change=set_max
            />
            <Show when=move || draft.with(|d| d.provider == "ollama")>
                <OptionalNumber
                    label="Context window in tokens (num_ctx; empty: the server's own)"
                    testid="num-ctx"
                    min=1024.0
                    step="1024"
                    placeholder="16384"
                    value=Signal::derive(move || draft.with(|d| d.options.num_ctx.map(|n| n as f64)))
                    on_change=set_context
                />
            </Show>
        </details>
    }
}
