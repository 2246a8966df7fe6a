//! One cursor over the steps of a run of any length: a timeline, a slider, and the speed.

use leptos::prelude::*;

use super::icon::Icon;
use crate::state::viewer::TimeSpan;

/// The speeds, as times the usual one.
const SPEEDS: [f64; 5] = [0.5, 1.0, 2.0, 5.0, 20.0];

/// The player.
#[component]
pub(crate) fn Player(
    #[prop(into)] n: Signal<usize>,
    #[prop(into)] cursor: Signal<usize>,
    #[prop(into)] line: Signal<Vec<TimeSpan>>,
    playing: RwSignal<bool>,
    speed: RwSignal<f64>,
    on_seek: Callback<usize>,
) -> impl IntoView {
    let go = move |to: usize| {
        playing.set(false);
        on_seek.run(to);
    };
    let button = move |label: &'static str, icon: &'static str, to: fn(usize, usize) -> usize| {
        view! {
            <button
                aria-label=label
                title=label
                disabled=move || to(cursor.get(), n.get()) == cursor.get()
                on:click=move |_| go(to(cursor.get_untracked(), n.get_untracked()))
            >
                <Icon name=icon/>
            </button>
        }
    };
    view! {
        <div class="player long" role="group" aria-label="Steps of the run">
            <Timeline line cursor on_pick=Callback::new(go)/>
            <div class="player-row">
                {button("To the start", "start", |_, _| 0)}
                {button("One step back", "back", |at, _| at.saturating_sub(1))}
                <button
                    class="go"
                    aria-label=move || if playing.get() { "Pause" } else { "Play" }
                    data-testid="play"
                    on:click=move |_| {
                        if !playing.get_untracked() && cursor.get_untracked() >= n.get_untracked() {
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
                {button("One step on", "next", |at, n| (at + 1).min(n))}
                {button("To the end", "end", |_, n| n)}
                <input
                    type="range"
                    class="seek"
                    aria-label="Step"
                    min="0"
                    data-testid="seek"
                    prop:max=move || n.get().to_string()
                    prop:value=move || cursor.get().to_string()
                    on:input=move |e| {
                        if let Ok(to) = event_target_value(&e).parse() {
                            go(to);
                        }
                    }
                />
                <select
                    class="speed"
                    aria-label="Speed"
                    on:change=move |e| {
                        if let Ok(s) = event_target_value(&e).parse() {
                            speed.set(s);
                        }
                    }
                >
                    {SPEEDS
                        .iter()
                        .map(|s| {
                            let s = *s;
                            view! {
                                <option value=s.to_string() selected=move || speed.get() == s>
                                    {format!("{s} ×")}
                                </option>
                            }
                        })
                        .collect_view()}
                </select>
                <span class="count" aria-live="polite" data-testid="count">
                    {move || format!("{} of {}", cursor.get(), n.get())}
                </span>
            </div>
        </div>
    }
}

/// The steps along a line, wide where they took long, coloured by what they did.
#[component]
fn Timeline(
    #[prop(into)] line: Signal<Vec<TimeSpan>>,
    #[prop(into)] cursor: Signal<usize>,
    on_pick: Callback<usize>,
) -> impl IntoView {
    let stretches = move || {
        line.with(|list| {
            list.iter()
                .map(|s| {
                    let step = s.step;
                    view! {
                        <rect
                            class=s.kind.class()
                            x=format!("{:.3}", s.from * 1000.0)
                            width=format!("{:.3}", ((s.to - s.from) * 1000.0 - 0.6).max(0.4))
                            y="0"
                            height="14"
                            on:click=move |_| on_pick.run(step + 1)
                        ></rect>
                    }
                })
                .collect_view()
        })
    };
    let needle = move || {
        let at = cursor.get().saturating_sub(1);
        line.with(|list| {
            let i = list.partition_point(|s| s.step <= at).saturating_sub(1);
            list.get(i).map_or(0.0, |s| (s.from + s.to) * 500.0)
        })
    };
    view! {
        <svg
            class="timeline"
            viewBox="0 0 1000 18"
            preserveAspectRatio="none"
            role="img"
            aria-label="Timeline: the steps, as wide as they took"
        >
            {stretches}
            <rect class="needle" x=move || format!("{:.2}", needle() - 1.5) y="0" width="3" height="18"></rect>
        </svg>
    }
}
