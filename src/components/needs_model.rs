//! Why what is asked needs a larger model, and the way to one.

use leptos::prelude::*;

/// One sentence before a run, with a button that opens the dialog of models.
#[component]
pub(crate) fn NeedsModel(
    /// Why, in a sentence; nothing where who answers now will do.
    #[prop(into)]
    why: Signal<Option<&'static str>>,
    /// Opens the dialog of models.
    chooses_model: RwSignal<bool>,
    #[prop(default = "needs-larger")] testid: &'static str,
) -> impl IntoView {
    view! {
        <Show when=move || why.with(Option::is_some)>
            <p class="quiet-text" role="status" data-testid=testid>
                {move || why.get()} " "
                <button type="button" class="link" on:click=move |_| chooses_model.set(true)>
                    "Choose a larger model"
                </button>
            </p>
        </Show>
    }
}
