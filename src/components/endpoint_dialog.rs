//! Which model answers: a script, or an endpoint that the person types in; and what leaves the
//! machine.

use leptos::html::Dialog;
use leptos::prelude::*;
use systems::grounded::scripted::Script;

use super::endpoint_form::{EndpointForm, Names};
use super::form::{Check, Select};
use crate::state::settings::{ModelSettings, Who};

const NAMES: Names = Names {
    protocol: "dialog-protocol",
    url: "base-url",
    key: "key",
    forget: "forget",
    model: "model",
    models: "endpoint-models",
};

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
    /// The address of the page that says more about endpoints.
    more: String,
    /// The list of model files in this page, made when it is first looked at; with whether the dialog is
    /// open.
    files: Callback<(RwSignal<ModelSettings>, RwSignal<bool>), AnyView>,
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
    // Whoever does not look at the list does not load what it stands on.
    let is_open = RwSignal::new(false);
    let was_looked_at = Memo::new(move |before: Option<&bool>| {
        before == Some(&true) || (is_open.get() && draft.with(ModelSettings::is_file))
    });
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
    let forget = Callback::new(move |()| {
        on_choice.run(Choice::Forget { base_url: address.get_untracked() });
        remember.set(false);
    });
    let test = move |_| {
        on_choice.run(Choice::Test { settings: draft.get_untracked(), key: key.get_untracked() });
    };
    view! {
        <dialog
            node_ref=node
            class="endpoint"
            aria-labelledby="endpoint-title"
            on:focusin=move |_| is_open.set(true)
            on:close=move |_| is_open.set(false)
        >
            <form on:submit=use_it>
                <h2 id="endpoint-title">"Which model answers?"</h2>
                <WhoAnswers draft who=Who::Own/>
                <Show when=move || draft.with(ModelSettings::is_own)>
                    <div class="inset">
                        <OwnFacts/>
                    </div>
                </Show>
                <WhoAnswers draft who=Who::Endpoint/>
                <Show when=move || draft.with(|d| d.who == Who::Endpoint)>
                    <div class="inset">
                        <EndpointForm
                            names=NAMES
                            draft
                            models
                            key
                            has_key=Signal::derive(has_key)
                            on_forget=forget
                            keeping=move || view! { <Remember remember/> }
                        />
                        <button
                            type="button"
                            class="quiet"
                            data-testid="test-endpoint"
                            on:click=test
                        >
                            "Test"
                        </button>
                        <a class="more" href=more.clone() on:click=move |_| close()>
                            "Troubleshoot it, set the context window, see prices"
                        </a>
                    </div>
                </Show>
                <WhoAnswers draft who=Who::File/>
                // What is being loaded goes on while somebody looks at the other choices.
                <div class="inset" hidden=move || !draft.with(ModelSettings::is_file)>
                    {move || was_looked_at.get().then(|| files.run((draft, is_open)))}
                </div>
                <WhoAnswers draft who=Who::Script/>
                <Show when=move || draft.with(|d| d.who == Who::Script)>
                    <div class="inset">
                        <Select
                            label="Script"
                            testid="script"
                            options=Signal::stored(Script::names())
                            value=Signal::derive(move || draft.with(|d| d.script.clone()))
                            on_change=move |name| draft.update(|d| d.script = name)
                        />
                    </div>
                </Show>
                {move || report.get().map(show_report)}
                <Leaves draft origin/>
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

/// What a test of the endpoint said.
fn show_report(report: Result<String, String>) -> impl IntoView {
    let (class, text) = match report {
        Ok(text) => ("report ok", text),
        Err(text) => ("report no", text),
    };
    view! { <p class=class role="status">{text}</p> }
}

/// One of those that may answer.
#[component]
fn WhoAnswers(draft: RwSignal<ModelSettings>, who: Who) -> impl IntoView {
    let (testid, title, words) = match who {
        Who::Own => (
            "use-own",
            "Our own small model, in this page",
            ": a real language model, not a script. It needs no key and no server, and nothing leaves this machine.",
        ),
        Who::Endpoint => ("use-endpoint", "An endpoint", ": a local server, or a service."),
        Who::File => (
            "use-file",
            "A model file, in this page",
            ": one of yours, or one from an address. It needs no server.",
        ),
        Who::Script => (
            "use-script",
            "A script",
            " that plays a model, for a certain mistake. It needs no key, and nothing leaves this machine.",
        ),
    };
    view! {
        <label class="choice">
            <input
                type="radio"
                name="who"
                data-testid=testid
                prop:checked=move || draft.with(|d| d.who) == who
                on:change=move |_| draft.update(|d| d.who = who)
            />
            <span><b>{title}</b> {words}</span>
        </label>
    }
}

/// What our own model is, and where it fails.
#[component]
fn OwnFacts() -> impl IntoView {
    view! {
        <p class="quiet-text" data-testid="own-facts">
            "One million parameters (1 MB), trained by us on generated graph problems. Without tools it mostly guesses wrong; with tools it is mostly right. It reads questions in English, worded like those of the benchmark or in some hundred other ways. It refuses problems with many other words, nodes above 63, weights above 255 or long graphs. Questions of your own go to a second set of weights, 1.7 MB: these read any names, and decline what they do not understand. Both can be wrong."
        </p>
    }
}

/// Whether the key outlives the page.
#[component]
fn Remember(remember: RwSignal<bool>) -> impl IntoView {
    const WORDS: &str =
        "Remember the key in this browser. Otherwise it is gone when the page closes.";
    view! { <Check label=|| WORDS checked=remember on_change=move |on| remember.set(on)/> }
}

/// What a run sends, and to whom.
#[component]
fn Leaves(draft: RwSignal<ModelSettings>, origin: String) -> impl IntoView {
    let words = move || {
        draft.with(|d| {
            let nothing = match d.who {
                Who::Script => "Nothing. Everything runs in this browser.",
                Who::Own => "Nothing: the model runs in this page. Its weights, 1 MB for problems and 1.7 MB for your own questions, come from where the page came from.",
                Who::File => "Nothing: the model runs in this page. Where you load a file from an address, its server is asked for that file alone.",
                Who::Endpoint => "",
            };
            if !nothing.is_empty() {
                return view! { <p>{nothing}</p> }.into_any();
            }
            let to = d.base_url.trim().to_owned();
            view! {
                <p>
                    "With each turn of a run: the system prompt, the question, the conversation so far and the function descriptions, sent to "
                    <code>{to}</code>
                    ", with the key in a header. Nothing else, and nothing to anyone else."
                </p>
            }
            .into_any()
        })
    };
    view! {
        <details class="leaves">
            <summary>"What leaves this machine"</summary>
            {words}
            <p>"A server must allow this page's origin: " <code>{origin}</code></p>
        </details>
    }
}
