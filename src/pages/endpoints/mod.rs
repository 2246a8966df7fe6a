//! Endpoints: which one is in use, what is wrong with it, what it costs, what leaves the page.

mod check;
mod form;
mod only;
mod prices;

use leptos::prelude::*;

use crate::services::{clipboard, single_file};
use crate::state::presets::{PRESETS, Preset, commands};
use crate::state::prices::Prices;
use crate::state::settings::ModelSettings;

/// What the page and its panels share.
#[derive(Clone, Copy)]
pub(crate) struct Desk {
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

/// The page.
#[component]
pub(crate) fn EndpointsPage(
    settings: RwSignal<ModelSettings>,
    prices: RwSignal<Prices>,
    needs_reload: RwSignal<bool>,
) -> impl IntoView {
    let desk = Desk {
        settings,
        draft: RwSignal::new(settings.get_untracked()),
        models: RwSignal::default(),
        keys: RwSignal::new(0),
        prices,
    };
    // The dialog in the header may change what is in use.
    Effect::new(move |_| desk.draft.set(settings.get()));
    let origin = single_file::origin();
    let presets = PRESETS.iter().map(|preset| row(preset, &origin, desk)).collect_view();
    view! {
        <main class="page endpoints">
            <div class="page-head">
                <h1>"Endpoints"</h1>
                <p class="lede">
                    "A model can answer from a server on this machine or from a service. Here you choose it, find out why it does not answer, and see what leaves this page."
                </p>
                {single_file::is_from_disk()
                    .then(|| {
                        view! {
                            <p class="from-disk" data-testid="from-disk">
                                "This page was opened from a disk. Endpoints work, where the server allows the origin "
                                <code>"null"</code>
                                ", as the commands below have it. The browser lets other files on this disk read what this one keeps, so leave a key in memory."
                            </p>
                        }
                    })}
            </div>
            <div class="desk">
                <form::Form desk/>
                <check::CheckPanel desk/>
            </div>
            <section aria-labelledby="known">
                <h2 id="known">"Known endpoints"</h2>
                <p class="quiet-text">
                    "The commands have this page's origin in them: " <code>{origin}</code>
                </p>
                <ul class="presets">{presets}</ul>
            </section>
            <only::OnlyPanel desk needs_reload/>
            <prices::PricesPanel desk/>
        </main>
    }
}

fn row(preset: &'static Preset, origin: &str, desk: Desk) -> impl IntoView + use<> {
    let start = commands(preset.start, origin);
    let take = move |_| {
        desk.draft.update(|d| {
            d.use_endpoint = true;
            d.provider = preset.provider.to_owned();
            d.base_url = preset.base_url.to_owned();
            d.model.clear();
        });
        desk.models.set(Vec::new());
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
