//! Machine text with a button that copies it.

use leptos::prelude::*;

/// A block of machine text.
#[component]
pub(crate) fn Code(#[prop(into)] text: Signal<String>, on_copy: Callback<String>) -> impl IntoView {
    let copied = RwSignal::new(false);
    view! {
        <div class="code">
            <button
                class="quiet copy"
                on:click=move |_| {
                    on_copy.run(text.get_untracked());
                    copied.set(true);
                    set_timeout(
                        move || {
                            copied.try_set(false);
                        },
                        std::time::Duration::from_millis(1500),
                    );
                }
            >
                {move || if copied.get() { "Copied" } else { "Copy" }}
            </button>
            <pre tabindex="0">{move || text.get()}</pre>
        </div>
    }
}
