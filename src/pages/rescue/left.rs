//! The left column: which disaster, and its file.

use leptos::prelude::*;
use tasks::rescue::{MAX_GENERATED, MIN_GENERATED};

use super::state::{Mode, PageState};
use crate::components::form::{Field, Number};
use crate::services::files;
use crate::workbench::share::ShareButton;

#[component]
pub(super) fn LeftColumn(state: PageState) -> impl IntoView {
    let facts = move || state.disaster.with(|d| d.facts());
    let name = move || state.disaster.with(|d| d.scenario().name.clone());
    view! {
            <h1>"Rescue"</h1>
            <p class="lede">
                "Robots look for survivors between fires and debris. A model reads the map with functions, builds a graph of it, and plans who goes where: critical first, never through fire."
            </p>
            <h2 data-testid="scenario-name">{name}</h2>
            <p class="facts" data-testid="scenario-facts">{facts}</p>
            <div class="actions">
                <button class="ghost" data-testid="paper" on:click=move |_| state.paper()>
                    "The paper's nine locations"
                </button>
                <ShareButton on_share=Callback::new(move |sharing| state.share(sharing))/>
            </div>
            <details>
                <summary>"Make another map"</summary>
                <Number
                    label="Locations"
                    testid="size"
                    min=MIN_GENERATED as f64
                    max=MAX_GENERATED as f64
                    value=Signal::derive(move || state.size.get() as f64)
                    on_change=move |n: f64| state.size.set(n as usize)
                />
                <Number
                    label="Seed"
                    testid="seed"
                    value=Signal::derive(move || state.seed.get() as f64)
                    on_change=move |n: f64| state.seed.set(n as u64)
                />
                <div class="actions">
                    <button class="ghost" data-testid="generate" on:click=move |_| state.generate()>
                        "Make it"
                    </button>
                </div>
            </details>
            <details>
                <summary>"Open or save a file"</summary>
                <Field label="Open a scenario">
                    <input
                        type="file"
                        data-testid="open-scenario"
                        accept=".json,application/json"
                        on:change=move |e| state.take_files(files::chosen(&e))
                    />
                </Field>
                <div class="actions">
                    <button class="ghost" data-testid="save-scenario" on:click=move |_| state.save()>
                        "Save this one"
                    </button>
                </div>
            </details>
            <details>
                <summary>"Edit the map"</summary>
                <p class="quiet-text">
                    "Pick a location or a road on the map to change what is there."
                </p>
                <div class="actions">
                    <button
                        class="ghost"
                        data-testid="add-location"
                        aria-pressed=move || (state.mode.get() == Mode::AddLocation).to_string()
                        on:click=move |_| {
                            state.mode
                                .update(|m| {
                                    *m = if *m == Mode::AddLocation {
                                        Mode::Pick
                                    } else {
                                        Mode::AddLocation
                                    };
                                });
                        }
                    >
                        "Add a location by click"
                    </button>
                </div>
            </details>
    }
}
