//! What the script is that plays the model where a visitor has chosen none.

use leptos::prelude::*;

use crate::state::settings::ModelSettings;

/// A line that says so, as long as that script is in use.
#[component]
pub(crate) fn DemoNote(#[prop(into)] settings: Signal<ModelSettings>) -> impl IntoView {
    move || {
        settings.with(ModelSettings::is_demo).then(|| {
            view! {
                <p class="demo-note" data-testid="demo-note">
                    "The model is a script, written to show both: it guesses alone, and is careful with tools. Choose another one at the top right."
                </p>
            }
        })
    }
}
