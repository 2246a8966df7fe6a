//! One cursor over the steps of a run: back, play, next, and a tick for each step.

use leptos::prelude::*;

use super::icon::Icon;

/// What a tick shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tick {
    /// Whether the step is a mistake of the model.
    pub(crate) is_bad: bool,
}

/// The player.
#[component]
pub(crate) fn Player(
    #[prop(into)] ticks: Signal<Vec<Tick>>,
    #[prop(into)] cursor: Signal<usize>,
    playing: RwSignal<bool>,
    on_seek: Callback<usize>,
) -> impl IntoView {
    let n = move || ticks.with(Vec::len);
    view! {
        <div class="player" role="group" aria-label="Steps of the run">
            <button
                aria-label="One step back"
                disabled=move || cursor.get() == 0
                on:click=move |_| {
                    playing.set(false);
                    on_seek.run(cursor.get_untracked().saturating_sub(1));
                }
            >
                <Icon name="back"/>
            </button>
            <button
                class="go"
                aria-label=move || if playing.get() { "Pause" } else { "Play" }
                on:click=move |_| {
                    if !playing.get_untracked() && cursor.get_untracked() >= n() {
                        on_seek.run(0);
                    }
                    playing.update(|p| *p = !*p);
                }
            >
                {move || {
                    if playing.get() {
                        view! { <Icon name="pause"/> }
                    } else {
                        view! { <Icon name="play"/> }
                    }
                }}
            </button>
            <button
                aria-label="One step on"
                disabled=move || n() <= cursor.get()
                on:click=move |_| {
                    playing.set(false);
                    on_seek.run((cursor.get_untracked() + 1).min(n()));
                }
            >
                <Icon name="next"/>
            </button>
            <div class="ticks">
                {move || {
                    let at = cursor.get();
                    ticks.with(|list| {
                        list.iter()
                            .enumerate()
                            .map(|(i, tick)| {
                                view! {
                                    <button
                                        class:done={i + 1 < at}
                                        class:now={i + 1 == at}
                                        class:bad=tick.is_bad
                                        aria-label=format!("Step {}", i + 1)
                                        tabindex="-1"
                                        on:click=move |_| {
                                            playing.set(false);
                                            on_seek.run(i + 1);
                                        }
                                    ></button>
                                }
                            })
                            .collect_view()
                    })
                }}
            </div>
            <span class="count" aria-live="polite">
                {move || format!("{} of {}", cursor.get(), n())}
            </span>
        </div>
    }
}
