//! Addresses: `#/<page>?<readable keys>`; `state::fragment` reads them, `pages::PAGES` lists the pages.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use leptos::ev;
use leptos::prelude::{RwSignal, Set, window, window_event_listener};
use wasm_bindgen::JsValue;

use crate::state::fragment::Fragment;

/// The paths of all pages, the first one's first.
static PATHS: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Takes the paths that there are; every other path leads to the first of them.
pub(crate) fn know(paths: impl IntoIterator<Item = &'static str>) {
    let _ = PATHS.set(paths.into_iter().collect());
}

/// Where the page is: the path of a page that there is, and readable keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) keys: BTreeMap<String, String>,
    /// The path that was asked for, where there is no such page.
    pub(crate) lost: Option<String>,
}

impl Route {
    /// Reads an address; whatever cannot be read is left out.
    fn parse(hash: &str) -> Self {
        let Fragment { path, keys } = Fragment::parse(hash);
        let paths = PATHS.get().map(Vec::as_slice).unwrap_or_default();
        let found = paths.iter().find(|p| **p == path);
        // No path at all is the first page.
        let is_lost = found.is_none() && !path.is_empty();
        let lost = is_lost.then(|| path.chars().take(40).collect());
        let found = found.or(paths.first());
        Self { path: found.copied().unwrap_or_default(), keys, lost }
    }

    /// The keys, where the address is that of a page.
    pub(crate) fn keys_of(&self, path: &str) -> Option<&BTreeMap<String, String>> {
        (self.path == path).then_some(&self.keys)
    }

    /// A key, where the address is that of a page.
    pub(crate) fn key_of(&self, path: &str, key: &str) -> Option<String> {
        self.keys_of(path).and_then(|keys| keys.get(key).cloned())
    }
}

/// The address of a page with keys.
pub(crate) fn href(path: &str, keys: &[(&str, &str)]) -> String {
    let query: Vec<String> = keys
        .iter()
        .map(|(k, v)| format!("{k}={}", String::from(js_sys::encode_uri_component(v))))
        .collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("#/{path}{mark}{}", query.join("&"))
}

/// The address now.
pub(crate) fn current() -> Route {
    Route::parse(&window().location().hash().unwrap_or_default())
}

/// Whether an address was given at all.
pub(crate) fn is_given() -> bool {
    window().location().hash().is_ok_and(|hash| hash.len() > 2)
}

/// Follows the address.
pub(crate) fn follow(route: RwSignal<Route>) {
    let handle = window_event_listener(ev::hashchange, move |_| route.set(current()));
    // The listener lives as long as the page.
    std::mem::forget(handle);
}

/// Goes to an address. Whoever asks for the address that is there gets it once more: what it names may
/// not be what is shown by now.
pub(crate) fn go(href: &str) {
    if window().location().hash().is_ok_and(|hash| hash == href) {
        if let Ok(event) = web_sys::Event::new("hashchange") {
            let _ = window().dispatch_event(&event);
        }
        return;
    }
    let _ = window().location().set_hash(href);
}

/// Changes the keys of the address without a step in the history. In a frame it stays what the outer
/// page set. Where it has just become that of another page it stays too: the page that is left is
/// told so a moment later.
pub(crate) fn replace(href: &str) {
    if let Some(history) = history_for(href) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(href));
    }
}

/// The same with a step in the history, so that "Back" shows what was there before.
pub(crate) fn push(href: &str) {
    if let Some(history) = history_for(href) {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(href));
    }
}

/// The history, where this page may write the address.
fn history_for(href: &str) -> Option<web_sys::History> {
    if crate::services::embed::is_on() || Route::parse(href).path != current().path {
        return None;
    }
    window().history().ok()
}
