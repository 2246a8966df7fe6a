//! The dialog in which the model is chosen, with what it needs of the browser.

use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::{ApiKey, providers};

use super::model_files::ModelFiles;
use crate::components::endpoint_dialog::{Choice, EndpointDialog};
use crate::routes;
use crate::services::keys::{self, Keep};
use crate::services::{open, single_file, storage, transport};
use crate::state::settings::{ModelSettings, SETTINGS, Who};

#[component]
pub(super) fn Endpoint(
    settings: RwSignal<ModelSettings>,
    dialog: NodeRef<Dialog>,
) -> impl IntoView {
    let report = RwSignal::new(None::<Result<String, String>>);
    let models = RwSignal::new(Vec::<String>::new());
    let changes = RwSignal::new(0u32);
    let has_key = Callback::new(move |base_url: String| {
        changes.track();
        keys::has(&base_url)
    });
    let is_remembered = Callback::new(|base_url: String| keys::place(&base_url) == Keep::Device);
    let on_choice = Callback::new(move |choice: Choice| match choice {
        Choice::Use { settings: chosen, key, remember } => {
            // A model in this page has no key.
            if chosen.who == Who::Endpoint {
                let base_url = chosen.endpoint().base_url;
                if let Some(key) = ApiKey::new(&key) {
                    keys::set(&base_url, key);
                }
                // A key that is kept for this tab stays there unless the tick says more.
                if remember || keys::place(&base_url) == Keep::Device {
                    keys::keep(&base_url, if remember { Keep::Device } else { Keep::Memory });
                }
            }
            changes.update(|k| *k += 1);
            storage::remember(SETTINGS, &chosen);
            settings.set(chosen);
            report.set(None);
        }
        Choice::Forget { base_url } => {
            keys::forget(&base_url);
            changes.update(|k| *k += 1);
        }
        Choice::Test { settings: chosen, key } => {
            let endpoint = chosen.endpoint();
            let url = endpoint.base_url.clone();
            if !url.starts_with("http://") && !url.starts_with("https://") {
                report.set(chosen.fault().map(Err));
                return;
            }
            if let Some(key) = ApiKey::new(&key) {
                keys::set(&url, key);
                changes.update(|k| *k += 1);
            }
            report.set(Some(Ok(format!("Asking {url} …"))));
            spawn_local(async move {
                let Some(provider) = providers::find(&endpoint.provider) else { return };
                let Ok(abort) = web_sys::AbortController::new() else { return };
                let answer =
                    transport::send(&endpoint, (provider.list_models)(&endpoint), &abort).await;
                report.set(Some(match answer.and_then(|a| (provider.models)(&a)) {
                    Ok(list) => {
                        let words = match list.len() {
                            0 => "It answers, and lists no models; type the model's name.".into(),
                            1 => format!("It answers, and has one model: {}.", list[0]),
                            n => format!("It answers, and has {n} models, such as {}.", list[0]),
                        };
                        models.set(list);
                        Ok(words)
                    }
                    Err(error) => Err(capitalised(&error.to_string())),
                }));
            });
        }
    });
    view! {
        <EndpointDialog
            node=dialog
            current=settings.into()
            has_key
            is_remembered
            report
            models
            origin=single_file::origin()
            more=routes::href(open::ENDPOINT, &[])
            files=Callback::new(|(draft, is_open)| view! { <ModelFiles draft is_open/> }.into_any())
            on_choice
        />
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
