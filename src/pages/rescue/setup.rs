//! The left room: which disaster, and its file.

use leptos::prelude::*;
use tasks::rescue::{MAX_GENERATED, MIN_GENERATED};

use super::room::{Mode, RescueRoom};
use crate::pages::sharing::ShareButton;
use crate::services::files;

/// The panel.
#[component]
pub(super) fn SetupPanel(room: RescueRoom) -> impl IntoView {
    let facts = move || room.disaster.with(|d| d.facts());
    let name = move || room.disaster.with(|d| d.scenario().name.clone());
    view! {
        <section class="left" aria-label="Scenario">
            <h1>"Rescue"</h1>
            <p class="lede">
                "Robots look for survivors between fires and debris. A model reads the map with functions, builds a graph of it, and plans who goes where: critical first, never through fire."
            </p>
            <h2 data-testid="scenario-name">{name}</h2>
            <p class="facts" data-testid="scenario-facts">{facts}</p>
            <div class="actions">
                <button class="ghost" data-testid="paper" on:click=move |_| room.paper()>
                    "The paper's nine locations"
                </button>
                <ShareButton on_share=Callback::new(move |sharing| room.share(sharing))/>
            </div>
            <details>
                <summary>"Make another map"</summary>
                <label class="field">
                    <span>"Locations"</span>
                    <input
                        type="number"
                        data-testid="size"
                        min=MIN_GENERATED
                        max=MAX_GENERATED
                        prop:value=move || room.size.get().to_string()
                        on:change=move |e| {
                            if let Ok(n) = event_target_value(&e).parse::<usize>() {
                                room.size.set(n.clamp(MIN_GENERATED, MAX_GENERATED));
                                room.size.notify();
                            }
                        }
                    />
                </label>
                <label class="field">
                    <span>"Seed"</span>
                    <input
                        type="number"
                        data-testid="seed"
                        min="0"
                        prop:value=move || room.seed.get().to_string()
                        on:change=move |e| {
                            if let Ok(n) = event_target_value(&e).parse() {
                                room.seed.set(n);
                            }
                        }
                    />
                </label>
                <div class="actions">
                    <button class="ghost" data-testid="generate" on:click=move |_| room.generate()>
                        "Make it"
                    </button>
                </div>
            </details>
            <details>
                <summary>"Open or save a file"</summary>
                <label class="field">
                    <span>"Open a scenario"</span>
                    <input
                        type="file"
                        data-testid="open-scenario"
                        accept=".json,application/json"
                        on:change=move |e| room.take_files(files::chosen(&e))
                    />
                </label>
                <div class="actions">
                    <button class="ghost" data-testid="save-scenario" on:click=move |_| room.save()>
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
                        aria-pressed=move || (room.mode.get() == Mode::AddLocation).to_string()
                        on:click=move |_| {
                            room.mode
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
        </section>
    }
}
