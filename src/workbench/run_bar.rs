//! On a phone, where form and drawing stand far apart: a bar at the bottom that runs and steps.

use leptos::prelude::*;

use super::played::SteppedNow;
use crate::components::icon::Icon;
use crate::services::screen;
use crate::state::stepping::StepOrder;

/// The bar; on wider screens it is not shown.
#[component]
pub(crate) fn RunBar(
    /// What the button does that runs.
    #[prop(into)]
    title: Signal<String>,
    is_busy: Signal<bool>,
    #[prop(default = true.into(), into)] can_run: Signal<bool>,
    on_run: Callback<()>,
    /// Stops what runs.
    on_stop: Callback<()>,
) -> impl IntoView {
    let now = use_context::<SteppedNow>().map(|now| now.0);
    let place = Memo::new(move |_| now?.get().map(|stepped| stepped.place.get()));
    let leads = move |order: StepOrder| place.get().and_then(|(at, n)| order.leads(at, n));
    let step = move |label: &'static str, icon: &'static str, order: StepOrder| {
        view! {
            <button
                class="step"
                aria-label=label
                data-testid=format!("bar-{icon}")
                disabled=move || leads(order).is_none()
                on:click=move |_| {
                    let stepped = now.and_then(|now| now.get_untracked());
                    if let (Some(stepped), Some(to)) = (stepped, untrack(move || leads(order))) {
                        stepped.seek(to);
                    }
                }
            >
                <Icon name=icon/>
                {(order == StepOrder::Forward).then_some("Step")}
            </button>
        }
    };
    // Where the page's own button is in sight, a second one would cover what stands there.
    let is_needless = RwSignal::new(false);
    let look = move || {
        is_needless.try_set(screen::is_in_sight(".left .actions .run, .compare-act .run"));
    };
    Effect::new(move |_| {
        can_run.track();
        is_busy.track();
        request_animation_frame(look);
    });
    let scrolled = window_event_listener(leptos::ev::scroll, move |_| look());
    on_cleanup(move || scrolled.remove());
    view! {
        <div class="run-bar" class:needless=move || is_needless.get() role="region" aria-label="Run and step" data-testid="run-bar">
            <button
                class="run"
                data-testid="bar-run"
                disabled=move || !is_busy.get() && !can_run.get()
                on:click=move |_| {
                    if is_busy.get_untracked() {
                        on_stop.run(());
                    } else {
                        on_run.run(());
                        screen::show_stage();
                    }
                }
            >
                {move || if is_busy.get() { "Stop".to_owned() } else { title.get() }}
            </button>
            {step("One step back", "back", StepOrder::Back)}
            {step("One step on", "next", StepOrder::Forward)}
        </div>
    }
}
