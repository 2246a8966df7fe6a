//! A result in a line or two, to be pasted somewhere else.

use leptos::prelude::*;

use super::form::Field;

/// The text, and the button that copies it.
#[component]
pub(crate) fn ResultLine(#[prop(into)] text: String, on_copy: Callback<String>) -> impl IntoView {
    let copied = RwSignal::new(false);
    let copy = text.clone();
    view! {
        <div class="result-line">
            <Field label="Your result, to paste">
                <textarea rows="2" readonly data-testid="result-line" prop:value=text></textarea>
            </Field>
            <button
                class="ghost"
                data-testid="copy-result"
                on:click=move |_| {
                    on_copy.run(copy.clone());
                    copied.set(true);
                }
            >
                {move || if copied.get() { "Copied" } else { "Copy it" }}
            </button>
        </div>
    }
}
