//! Whether this page is still the one that its server has.

use gloo_net::http::Request;
use leptos::prelude::{ArcRwSignal, Set as _, document};
use wasm_bindgen_futures::spawn_local;
use web_sys::RequestCache;

use super::single_file;
use crate::state::lost::is_of_build;

/// What the server's page is made of, with the name of its build.
const BUNDLES: &str = "wasm/bundles.js";

thread_local! {
    static OUTDATED: ArcRwSignal<bool> = ArcRwSignal::new(false);
}

/// Whether the server has another page than this one.
pub(crate) fn is_outdated() -> ArcRwSignal<bool> {
    OUTDATED.with(Clone::clone)
}

/// Notes that something came from the server that is not of this page.
pub(crate) fn note_outdated() {
    is_outdated().set(true);
}

/// Looks whether something did not come from the server because it has another page by now.
pub(crate) fn look() {
    if single_file::is_from_disk() {
        return;
    }
    spawn_local(async {
        let asked = Request::get(BUNDLES).cache(RequestCache::NoStore).send().await;
        let Ok(response) = asked else { return };
        let Ok(bundles) = response.text().await else { return };
        // boot.js notes what the page was started from.
        let own = document().document_element().and_then(|root| root.get_attribute("data-build"));
        if response.ok() && own.is_some_and(|own| is_of_build(&bundles, &own) == Some(false)) {
            note_outdated();
        }
    });
}
