//! A number between bounds.

use leptos::prelude::*;
use web_sys::HtmlInputElement;

use super::Field;

/// A number; what lies outside of the bounds is taken to the nearest one, and what is none is refused.
#[component]
pub(crate) fn Number(
    #[prop(into)] label: Signal<String>,
    #[prop(optional, into)] testid: Option<String>,
    #[prop(optional)] min: f64,
    #[prop(default = f64::MAX)] max: f64,
    #[prop(default = "1")] step: &'static str,
    #[prop(into)] value: Signal<f64>,
    #[prop(into)] on_change: Callback<f64>,
) -> impl IntoView {
    let shown = move || ((value.get() * 1e6).round() / 1e6).to_string();
    view! {
        <Field label>
            <input
                type="number"
                min=min.to_string()
                max=(max < f64::MAX).then(|| max.to_string())
                step=step
                data-testid=testid
                prop:value=shown
                on:change=move |e| {
                    let typed = event_target_value(&e).parse::<f64>().ok();
                    if let Some(typed) = typed.filter(|v| v.is_finite()) {
                        on_change.run(typed.clamp(min, max));
                    }
                    // Also where the number stays the one that it was; an emptied field waits for one.
                    let field = event_target::<HtmlInputElement>(&e);
                    if !field.value().is_empty() {
                        field.set_value(&untrack(shown));
                    }
                }
            />
        </Field>
    }
}

/// A number that may be left out.
#[component]
pub(crate) fn OptionalNumber(
    #[prop(into)] label: Signal<String>,
    #[prop(optional, into)] testid: Option<String>,
    #[prop(optional)] min: f64,
    #[prop(default = "any")] step: &'static str,
    #[prop(optional)] placeholder: &'static str,
    #[prop(into)] value: Signal<Option<f64>>,
    #[prop(into)] on_change: Callback<Option<f64>>,
) -> impl IntoView {
    view! {
        <Field label>
            <input
                type="number"
                min=min.to_string()
                step=step
                placeholder=placeholder
                data-testid=testid
                prop:value=move || value.get().map(|v| v.to_string()).unwrap_or_default()
                on:change=move |e| {
                    let typed = event_target_value(&e).parse::<f64>().ok();
                    on_change.run(typed.filter(|v| v.is_finite() && *v >= min));
                }
            />
        </Field>
    }
}
