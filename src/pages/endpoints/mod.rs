//! Models: which endpoint is in use, what is wrong with it, what it costs, what leaves the page.

mod check;
mod form;
mod only;
mod prices;

use leptos::prelude::*;

use super::{PageSpec, part};
use crate::services::{clipboard, open, single_file};
use crate::shell::Shell;
use crate::state::presets::{PRESETS, Preset, commands};
use crate::state::prices::Prices;
use crate::state::settings::{ModelSettings, Who};

/// What the page holds; it outlives a visit to another page.
#[derive(Clone, Copy)]
struct PageState {
    /// What is in use.
    settings: RwSignal<ModelSettings>,
    /// What is typed in.
    draft: RwSignal<ModelSettings>,
    /// What the endpoint listed.
    models: RwSignal<Vec<String>>,
    /// Counts changes to keys, which are no signals.
    keys: RwSignal<u32>,
    prices: RwSignal<Prices>,
}

impl PageState {
    fn new(shell: Shell) -> Self {
        let settings = shell.settings;
        let state = Self {
            settings,
            draft: RwSignal::new(settings.get_untracked()),
            models: RwSignal::default(),
            keys: RwSignal::new(0),
            prices: shell.prices,
        };
        // The dialog in the header may change what is in use.
        Effect::new(move |_| state.draft.set(settings.get()));
        state
    }
}

pub(super) static PAGE: PageSpec = PageSpec {
    path: open::ENDPOINT,
    title: "Models",
    group: "Library",
    styles: &["endpoints.css"],
    // Nobody is to be led there to change where runs and keys go.
    in_frames: false,
    part: part!(library, endpoints, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(PageState::new);
    let needs_reload = shell.needs_reload;
    let origin = single_file::origin();
    let presets = PRESETS.iter().map(|preset| row(preset, &origin, state)).collect_view();
    view! {
        <main class="page endpoints">
            <div class="page-head">
                <h1>"Models"</h1>
                <p class="lede">
                    "A model can answer from a server on this machine or from a service. Here you choose it, find out why it does not answer, and see what leaves this page."
                </p>
                {single_file::is_from_disk()
                    .then(|| {
                        view! {
                            <p class="from-disk" data-testid="from-disk">
                                "This page was opened from a disk. Endpoints work where the server allows the origin "
                                <code>"null"</code>
                                ", as the commands below have it. The browser lets other files on this disk read what this one keeps, so leave a key in memory."
                            </p>
                        }
                    })}
            </div>
            <div class="desk">
                <form::Form state/>
                <check::CheckPanel state/>
            </div>
            <section aria-labelledby="known">
                <h2 id="known">"Known endpoints"</h2>
                <p class="quiet-text">
                    "The commands have this page's origin in them: " <code>{origin}</code>
                </p>
                <ul class="presets">{presets}</ul>
            </section>
            <only::OnlyPanel state needs_reload/>
            <prices::PricesPanel state/>
        </main>
    }
    .into_any()
}

fn row(preset: &'static Preset, origin: &str, state: PageState) -> impl IntoView + use<> {
    let start = commands(preset.start, origin);
    let take = move |_| {
        state.draft.update(|d| {
            d.who = Who::Endpoint;
            d.provider = preset.provider.to_owned();
            d.set_address(preset.base_url.to_owned());
            d.model.clear();
        });
        state.models.set(Vec::new());
        form::show();
    };
    let title = preset.title;
    view! {
        <li>
            <div class="preset">
                <div>
                    <b>{title}</b>
                    <code>{preset.base_url}</code>
                    <p>{preset.expect}</p>
                </div>
                <button class="quiet" aria-label=format!("Fill in {title}") on:click=take>
                    "Fill in"
                </button>
            </div>
            {(!start.is_empty())
                .then(|| {
                    view! {
                        <details>
                            <summary>"How to start it"</summary>
                            <Commands list=start/>
                        </details>
                    }
                })}
        </li>
    }
}

/// Commands, each with where it is for and a button that copies it.
#[component]
pub(super) fn Commands(list: Vec<(String, String)>) -> impl IntoView {
    list.into_iter()
        .map(|(place, command)| {
            view! {
                <p class="place">{place}</p>
                <crate::components::code::Code
                    text=command
                    on_copy=Callback::new(|text: String| clipboard::copy(&text))
                />
            }
        })
        .collect_view()
}
