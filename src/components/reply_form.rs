//! What a person says to a model that asks back.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use super::form::Area;

/// A field with a button behind it.
#[component]
pub(crate) fn ReplyForm(
    #[prop(into)] label: Signal<String>,
    on_send: Callback<String>,
) -> impl IntoView {
    let words = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let said = words.get_untracked();
        if !said.trim().is_empty() {
            words.set(String::new());
            on_send.run(said);
        }
    };
    view! {
        <form class="reply-form" on:submit=submit>
            <Area
                label
                testid="reply"
                rows=2
                maxlength="20000"
                value=words
                on_input=move |typed| words.set(typed)
            />
            <button
                class="ghost"
                data-testid="send-reply"
                disabled=move || words.with(|w| w.trim().is_empty())
            >
                "Send"
            </button>
        </form>
    }
}
