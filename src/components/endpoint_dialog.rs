//! Which model answers: a script, or an endpoint that the person types in; and what leaves the
//! machine.

use leptos::html::Dialog;
use leptos::prelude::*;
use systems::grounded::scripted::Script;

use crate::routes::Page;
use crate::state::settings::ModelSettings;

/// What the dialog hands out.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// Use these settings; with a key, and whether to remember it.
    Use { settings: ModelSettings, key: String, remember: bool },
    /// Forget the key of an address, in memory and in the browser.
    Forget { base_url: String },
    /// Ask the endpoint for its models.
    Test { settings: ModelSettings, key: String },
}

/// The dialog. `report` is what the last test said; `models` what it listed.
#[component]
pub(crate) fn EndpointDialog(
    node: NodeRef<Dialog>,
    current: Signal<ModelSettings>,
    /// Whether a key is in memory for an address.
    has_key: Callback<String, bool>,
    /// Whether the browser remembers the key of an address.
    is_remembered: Callback<String, bool>,
    report: RwSignal<Option<Result<String, String>>>,
    models: RwSignal<Vec<String>>,
    /// What a server is told to be this page's origin.
    origin: String,
    on_choice: Callback<Choice>,
) -> impl IntoView {
    let draft = RwSignal::new(current.get_untracked());
    let key = RwSignal::new(String::new());
    let remember = RwSignal::new(false);
    Effect::new(move |_| draft.set(current.get()));
    let address = Memo::new(move |_| draft.with(|d| d.endpoint().base_url));
    Effect::new(move |_| remember.set(is_remembered.run(address.get())));
    let has_key = move || has_key.run(address.get());
    let close = move || {
        if let Some(dialog) = node.get_untracked() {
            dialog.close();
        }
    };
    let fault = move || draft.with(ModelSettings::fault);
    let use_it = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if let Some(fault) = draft.with_untracked(ModelSettings::fault) {
            report.set(Some(Err(fault)));
            return;
        }
        on_choice.run(Choice::Use {
            settings: draft.get_untracked(),
            key: key.get_untracked(),
            remember: remember.get_untracked(),
        });
        key.set(String::new());
        close();
    };
    let scripts = move || {
        Script::names()
            .into_iter()
            .map(|(name, label)| {
                let value = name.clone();
                view! {
                    <option value=value selected=move || draft.with(|d| d.script == name)>
                        {label}
                    </option>
                }
            })
            .collect_view()
    };
    let protocols = move || {
        llm::PROVIDERS
            .iter()
            .map(|p| {
                view! {
                    <option value=p.id selected=move || draft.with(|d| d.provider == p.id)>
                        {p.title}
                    </option>
                }
            })
            .collect_view()
    };
    view! {
        <dialog node_ref=node class="endpoint" aria-labelledby="endpoint-title">
            <form on:submit=use_it>
                <h2 id="endpoint-title">"Which model answers?"</h2>
                <label class="choice">
                    <input
                        type="radio"
                        name="who"
                        prop:checked=move || !draft.with(|d| d.use_endpoint)
                        on:change=move |_| draft.update(|d| d.use_endpoint = false)
                    />
                    <span>
                        <b>"A script"</b>
                        " that plays a model. It needs no key, and nothing leaves this machine."
                    </span>
                </label>
                <Show when=move || !draft.with(|d| d.use_endpoint)>
                    <label class="field inset">
                        <span>"Script"</span>
                        <select
                            data-testid="script"
                            on:change=move |e| draft.update(|d| d.script = event_target_value(&e))
                        >
                            {scripts()}
                        </select>
                    </label>
                </Show>
                <label class="choice">
                    <input
                        type="radio"
                        name="who"
                        data-testid="use-endpoint"
                        prop:checked=move || draft.with(|d| d.use_endpoint)
                        on:change=move |_| draft.update(|d| d.use_endpoint = true)
                    />
                    <span>
                        <b>"An endpoint"</b>
                        ": a local server, or a service."
                    </span>
                </label>
                <Show when=move || draft.with(|d| d.use_endpoint)>
                    <div class="inset">
                        <label class="field">
                            <span>"Protocol"</span>
                            <select on:change=move |e| {
                                draft.update(|d| d.provider = event_target_value(&e));
                            }>{protocols()}</select>
                        </label>
                        <label class="field">
                            <span>"Address"</span>
                            <input
                                type="url"
                                data-testid="base-url"
                                placeholder="http://127.0.0.1:8190/v1"
                                autocomplete="off"
                                spellcheck="false"
                                prop:value=move || draft.with(|d| d.base_url.clone())
                                on:input=move |e| {
                                    draft.update(|d| d.base_url = event_target_value(&e));
                                }
                            />
                        </label>
                        <label class="field">
                            <span>
                                "Key (if it wants one) "
                                {move || {
                                    has_key()
                                        .then(|| {
                                            view! {
                                                "· one is in memory "
                                                <button
                                                    type="button"
                                                    class="link"
                                                    data-testid="forget"
                                                    on:click=move |_| {
                                                        let base_url = address.get_untracked();
                                                        on_choice.run(Choice::Forget { base_url });
                                                        remember.set(false);
                                                    }
                                                >
                                                    "Forget it"
                                                </button>
                                            }
                                        })
                                }}
                            </span>
                            <input
                                type="password"
                                data-testid="key"
                                autocomplete="off"
                                prop:value=move || key.get()
                                on:input=move |e| key.set(event_target_value(&e))
                            />
                        </label>
                        <label class="choice small">
                            <input
                                type="checkbox"
                                prop:checked=move || remember.get()
                                on:change=move |e| remember.set(event_target_checked(&e))
                            />
                            <span>
                                "Remember the key in this browser. Otherwise it is gone when the page closes."
                            </span>
                        </label>
                        <label class="field">
                            <span>"Model"</span>
                            <input
                                type="text"
                                data-testid="model"
                                list="endpoint-models"
                                autocomplete="off"
                                spellcheck="false"
                                prop:value=move || draft.with(|d| d.model.clone())
                                on:input=move |e| draft.update(|d| d.model = event_target_value(&e))
                            />
                            <datalist id="endpoint-models">
                                {move || {
                                    models
                                        .get()
                                        .into_iter()
                                        .map(|m| view! { <option value=m></option> })
                                        .collect_view()
                                }}
                            </datalist>
                        </label>
                        <button
                            type="button"
                            class="quiet"
                            data-testid="test-endpoint"
                            on:click=move |_| {
                                on_choice
                                    .run(Choice::Test {
                                        settings: draft.get_untracked(),
                                        key: key.get_untracked(),
                                    });
                            }
                        >
                            "Test"
                        </button>
                        <a class="more" href=Page::Endpoints.href() on:click=move |_| close()>
                            "Find out why it does not answer, set the context window, see prices"
                        </a>
                    </div>
                </Show>
                {move || {
                    report
                        .get()
                        .map(|r| match r {
                            Ok(text) => view! { <p class="report ok" role="status">{text}</p> },
                            Err(text) => view! { <p class="report no" role="status">{text}</p> },
                        })
                }}
                <details class="leaves">
                    <summary>"What leaves this machine"</summary>
                    {move || {
                        draft
                            .with(|d| {
                                if d.use_endpoint {
                                    let to = d.base_url.trim().to_owned();
                                    view! {
                                        <p>
                                            "With each turn of a run: the system prompt, the question, the conversation so far and the function descriptions, sent to "
                                            <code>{to}</code>
                                            ", with the key in a header. Nothing else, and nothing to anyone else."
                                        </p>
                                    }
                                        .into_any()
                                } else {
                                    view! { <p>"Nothing. Everything runs in this browser."</p> }
                                        .into_any()
                                }
                            })
                    }}
                    <p>
                        "A server must allow this page's origin: " <code>{origin.clone()}</code>
                    </p>
                </details>
                <footer>
                    <button type="button" class="quiet" on:click=move |_| close()>
                        "Cancel"
                    </button>
                    <button class="run" type="submit" data-testid="use" aria-disabled=move || fault().map(|_| "true")>
                        "Use this"
                    </button>
                </footer>
            </form>
        </dialog>
    }
}
