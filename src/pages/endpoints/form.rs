//! The endpoint in use, its key, and how it is asked.

use leptos::prelude::*;
use llm::{ApiKey, PROVIDERS, providers};

use super::Desk;
use crate::services::keys::{self, Keep};
use crate::services::storage;
use crate::state::settings::{ModelSettings, SETTINGS};

const FORM: &str = "endpoint-form";

/// Brings the form into view, for whoever filled it in from below.
pub(super) fn show() {
    if let Some(form) = document().get_element_by_id(FORM) {
        form.scroll_into_view();
    }
}

/// The form.
#[component]
pub(super) fn Form(desk: Desk) -> impl IntoView {
    let Desk { settings, draft, models, .. } = desk;
    let key = RwSignal::new(String::new());
    let keep = RwSignal::new(Keep::Memory);
    let fault = RwSignal::new(None::<String>);
    let said = RwSignal::new(None::<String>);
    let address = Memo::new(move |_| draft.with(|d| d.endpoint().base_url));
    Effect::new(move |_| keep.set(keys::place(&address.get())));
    let has_key = move || {
        desk.keys.track();
        keys::has(&address.get())
    };
    // A key that is typed in is in memory at once, so that a check can use it.
    let take_key = move || {
        if let Some(typed) = ApiKey::new(&key.get_untracked()) {
            keys::set(&address.get_untracked(), typed);
            key.set(String::new());
        }
        keys::keep(&address.get_untracked(), keep.get_untracked());
        desk.keys.update(|k| *k += 1);
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        draft.update(|d| d.use_endpoint = true);
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
    let protocols = PROVIDERS
        .iter()
        .map(|p| {
            view! {
                <option value=p.id selected=move || draft.with(|d| d.provider == p.id)>
                    {p.title}
                </option>
            }
        })
        .collect_view();
    let example =
        move || draft.with(|d| providers::find(&d.provider).map_or("", |p| p.example_url));
    let text = move |read: fn(&ModelSettings) -> String, write: fn(&mut ModelSettings, String)| {
        (
            move || draft.with(read),
            move |e: leptos::ev::Event| draft.update(|d| write(d, event_target_value(&e))),
        )
    };
    let (url, on_url) = text(|d| d.base_url.clone(), |d, t| d.base_url = t);
    let (model, on_model) = text(|d| d.model.clone(), |d, t| d.model = t);
    let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
    let keeps = [
        (Keep::Memory, "in memory", "Gone when the page closes or is loaded again."),
        (Keep::Tab, "for this tab", "Written into this tab's storage, and gone when it closes."),
        (
            Keep::Device,
            "on this device",
            "Written into this browser, readable to whoever uses it, until you forget it.",
        ),
    ];
    let keep_choices = keeps
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
                            desk.keys.update(|k| *k += 1);
                        }
                    />
                    <span><b>{title}</b> ". " {words}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <form class="sheet" id=FORM on:submit=submit aria-label="The endpoint in use">
            <h2>"The endpoint"</h2>
            <label class="field">
                <span>"Protocol"</span>
                <select
                    data-testid="protocol"
                    on:change=move |e| draft.update(|d| d.provider = event_target_value(&e))
                >
                    {protocols}
                </select>
            </label>
            <label class="field">
                <span>"Address"</span>
                <input
                    type="url"
                    data-testid="endpoint-url"
                    placeholder=example
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=url
                    on:input=on_url
                />
            </label>
            <label class="field">
                <span>"Model"</span>
                <input
                    type="text"
                    data-testid="endpoint-model"
                    list="listed-models"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=model
                    on:input=on_model
                />
                <datalist id="listed-models">
                    {move || {
                        models
                            .get()
                            .into_iter()
                            .map(|m| view! { <option value=m></option> })
                            .collect_view()
                    }}
                </datalist>
            </label>
            <label class="field">
                // In this line nothing below moves when the button comes.
                <span>
                    "Key, if it wants one "
                    <Show when=has_key>
                        "· one is kept "
                        <button
                            type="button"
                            class="link"
                            data-testid="forget-key"
                            on:click=move |_| {
                                keys::forget(&address.get_untracked());
                                keep.set(Keep::Memory);
                                desk.keys.update(|k| *k += 1);
                            }
                        >
                            "Forget it"
                        </button>
                    </Show>
                </span>
                <input
                    type="password"
                    data-testid="endpoint-key"
                    autocomplete="off"
                    prop:value=move || key.get()
                    on:input=move |e| key.set(event_target_value(&e))
                    on:change=move |_| take_key()
                />
            </label>
            <fieldset class="keep">
                <legend>"Keep the key"</legend>
                {keep_choices}
            </fieldset>
            <details>
                <summary>"How it is asked"</summary>
                <label class="choice small">
                    <input
                        type="checkbox"
                        data-testid="no-stream"
                        prop:checked=move || draft.with(|d| d.options.no_stream)
                        on:change=move |e| {
                            draft.update(|d| d.options.no_stream = event_target_checked(&e));
                        }
                    />
                    <span>
                        <b>"No streaming"</b>
                        ". Whole answers only, for servers whose streams are broken."
                    </span>
                </label>
                <label class="field">
                    <span>"Most tokens of a reply (empty: the endpoint's own limit)"</span>
                    <input
                        type="number"
                        min="1"
                        data-testid="max-tokens"
                        prop:value=move || draft.with(|d| number(d.options.max_tokens))
                        on:input=move |e| {
                            draft.update(|d| d.options.max_tokens = event_target_value(&e).parse().ok());
                        }
                    />
                </label>
                <Show when=move || draft.with(|d| d.provider == "ollama")>
                    <label class="field">
                        <span>"Context window in tokens (num_ctx; empty: the server's own)"</span>
                        <input
                            type="number"
                            min="1024"
                            step="1024"
                            placeholder="16384"
                            data-testid="num-ctx"
                            prop:value=move || draft.with(|d| number(d.options.num_ctx))
                            on:input=move |e| {
                                draft.update(|d| d.options.num_ctx = event_target_value(&e).parse().ok());
                            }
                        />
                    </label>
                </Show>
            </details>
            {move || fault.get().map(|f| view! { <p class="report no" role="alert">{f}</p> })}
            {move || said.get().map(|s| view! { <p class="report ok" role="status">{s}</p> })}
            <button class="run" type="submit" data-testid="use-this">
                "Use this endpoint"
            </button>
        </form>
    }
}
