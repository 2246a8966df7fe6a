//! Keys: in memory, and in the browser only where the person ticked that.
//!
//! The only places that know a key are this one and the header that `transport` writes.

use std::cell::RefCell;
use std::collections::BTreeMap;

use leptos::prelude::window;
use llm::ApiKey;
use web_sys::Storage;

use super::embed;

/// Where a key is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Until the page closes or is loaded again.
    #[default]
    Memory,
    /// Until the tab closes.
    Tab,
    /// Until it is forgotten.
    Device,
}

/// Keys that the person asked to keep, by address.
const NAME: &str = "graphground.keys";

thread_local! {
    // By base address: a key is never sent anywhere but where it was typed in for.
    static KEYS: RefCell<BTreeMap<String, ApiKey>> = const { RefCell::new(BTreeMap::new()) };
}

/// Where such keys are; to a frame it is closed.
fn store(keep: Keep) -> Option<Storage> {
    match keep {
        _ if embed::is_on() => None,
        Keep::Memory => None,
        Keep::Tab => window().session_storage().ok().flatten(),
        Keep::Device => window().local_storage().ok().flatten(),
    }
}

fn read_kept(keep: Keep) -> BTreeMap<String, String> {
    store(keep)
        .and_then(|s| s.get_item(NAME).ok().flatten())
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}

fn write(keep: Keep, keys: &BTreeMap<String, String>) {
    let Some(store) = store(keep) else { return };
    if keys.is_empty() {
        let _ = store.remove_item(NAME);
    } else if let Ok(text) = serde_json::to_string(keys) {
        let _ = store.set_item(NAME, &text);
    }
}

/// Reads what was kept; done once, when the page starts.
pub(crate) fn recall() {
    for keep in [Keep::Device, Keep::Tab] {
        for (base_url, key) in read_kept(keep) {
            if let Some(key) = ApiKey::new(&key) {
                KEYS.with_borrow_mut(|keys| keys.insert(base_url, key));
            }
        }
    }
}

/// Puts a key into memory.
pub(crate) fn set(base_url: &str, key: ApiKey) {
    KEYS.with_borrow_mut(|keys| keys.insert(base_url.to_owned(), key));
}

/// Keeps the key of an address there, and nowhere else.
pub(crate) fn keep(base_url: &str, place: Keep) {
    let key = get(base_url);
    for each in [Keep::Tab, Keep::Device] {
        let mut keys = read_kept(each);
        match &key {
            Some(key) if each == place => {
                keys.insert(base_url.to_owned(), key.expose().to_owned());
            }
            _ => {
                keys.remove(base_url);
            }
        }
        write(each, &keys);
    }
}

/// Where the key of an address is kept.
pub(crate) fn place(base_url: &str) -> Keep {
    [Keep::Device, Keep::Tab]
        .into_iter()
        .find(|keep| read_kept(*keep).contains_key(base_url))
        .unwrap_or_default()
}

/// Forgets the key of an address everywhere.
pub(crate) fn forget(base_url: &str) {
    KEYS.with_borrow_mut(|keys| keys.remove(base_url));
    keep(base_url, Keep::Memory);
}

/// The key of an address, for the header.
pub(crate) fn get(base_url: &str) -> Option<ApiKey> {
    KEYS.with_borrow(|keys| keys.get(base_url).cloned())
}

/// Whether there is a key for an address.
pub(crate) fn has(base_url: &str) -> bool {
    KEYS.with_borrow(|keys| keys.contains_key(base_url))
}
