//! Opens the dialog in which the model is chosen. A first visit needs nothing of it: its code loads when
//! somebody reaches for it.

use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_split_helpers::SplitLoaderError;

use super::endpoint::Endpoint;
use crate::services::screen;
use crate::shell::Shell;

#[wasm_split_helpers::wasm_split(model_dialog, fallible, preload(#[allow(unsafe_code)] load))]
#[allow(unsafe_code)]
fn endpoint_dialog(shell: Shell, node: NodeRef<Dialog>) -> Result<AnyView, SplitLoaderError> {
    Ok(view! { <Endpoint settings=shell.settings dialog=node/> }.into_any())
}

/// Loads the dialog's code before it is asked for.
pub(super) fn preload() {
    spawn_local(async {
        // Whoever opens the dialog tries again, and is told.
        let _ = load().await;
    });
}

/// The dialog, once somebody chooses a model; before, nothing.
#[component]
pub(super) fn ModelDialog(shell: Shell) -> impl IntoView {
    let node = NodeRef::<Dialog>::new();
    let view = StoredValue::new_local(None::<AnyView>);
    let is_here = RwSignal::new(false);
    let is_loading = StoredValue::new(false);
    let fault = RwSignal::new(None::<String>);
    let owner = Owner::current().unwrap_or_default();
    Effect::new(move |_| {
        if !shell.chooses_model.get() {
            return;
        }
        shell.chooses_model.set(false);
        if let Some(dialog) = node.get_untracked() {
            let _ = dialog.show_modal();
            return;
        }
        if is_loading.get_value() {
            return;
        }
        is_loading.set_value(true);
        fault.set(None);
        let owner = owner.clone();
        spawn_local(async move {
            let mut coming = std::pin::pin!(endpoint_dialog(shell, node));
            // What the view makes is owned by the page, which stays.
            let made = std::future::poll_fn(|context| owner.with(|| coming.as_mut().poll(context)));
            match made.await {
                Ok(made) => {
                    view.set_value(Some(made));
                    is_here.set(true);
                }
                Err(_) => fault.set(Some(format!(
                    "The choice of models could not be loaded; {}.",
                    screen::why_not_loaded()
                ))),
            }
            is_loading.set_value(false);
        });
    });
    // It opens as soon as it stands.
    Effect::new(move |_| {
        if let Some(dialog) = node.get() {
            let _ = dialog.show_modal();
        }
    });
    view! {
        {move || {
            fault.get().map(|why| view! { <p class="lost" role="alert" data-testid="dialog-fault">{why}</p> })
        }}
        {move || is_here.get().then(|| view.try_update_value(Option::take).flatten())}
    }
}
