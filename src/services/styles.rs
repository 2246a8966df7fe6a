//! Style sheets of pages: all are loaded with the first page, and those of the page that is shown
//! count. So no page's rules reach into another.

use js_sys::{Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Element;

/// What names the page's sheets among all that the document has.
const NAME: &str = "data-styles";

fn sheets() -> Vec<Element> {
    let Ok(list) = document().query_selector_all(&format!("[{NAME}]")) else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.item(i)?.dyn_into().ok()).collect()
}

fn name_of(sheet: &Element) -> String {
    sheet.get_attribute(NAME).unwrap_or_default()
}

/// Adds the sheets of pages in their order; the page as one file has them in it already.
pub(crate) fn add(names: impl IntoIterator<Item = &'static str>) {
    let Some(head) = document().head() else { return };
    let there: Vec<String> = sheets().iter().map(name_of).collect();
    for name in names {
        if there.iter().any(|n| n == name) || sheets().iter().any(|s| name_of(s) == name) {
            continue;
        }
        let Ok(link) = document().create_element("link") else { continue };
        let href = format!("styles/{name}");
        for (key, value) in
            [("rel", "stylesheet"), ("href", &href), (NAME, name), ("media", "not all")]
        {
            let _ = link.set_attribute(key, value);
        }
        let _ = head.append_child(&link);
    }
}

/// Whether a sheet has come: a link has none before.
fn has_come(sheet: &Element) -> bool {
    Reflect::get(sheet, &"sheet".into()).is_ok_and(|s| !s.is_null() && !s.is_undefined())
}

/// Comes with a link, also where it cannot be loaded: a page without its style is better than none.
fn coming(sheet: &Element) -> Promise {
    Promise::new(&mut |resolve, _| {
        for event in ["load", "error"] {
            let _ = sheet.add_event_listener_with_callback(event, &resolve);
        }
    })
}

/// Lets the named sheets count and, once they have come, no others; then calls `then`.
pub(crate) fn show(names: &'static [&'static str], then: impl FnOnce() + 'static) {
    let (wanted, others): (Vec<Element>, Vec<Element>) =
        sheets().into_iter().partition(|s| names.contains(&name_of(s).as_str()));
    for sheet in &wanted {
        let _ = sheet.set_attribute("media", "all");
    }
    let end = move || {
        for sheet in &others {
            let _ = sheet.set_attribute("media", "not all");
        }
        then();
    };
    // All of them are listened to at once: one may come while another is waited for.
    let late: Vec<Promise> = wanted.iter().filter(|s| !has_come(s)).map(coming).collect();
    if late.is_empty() {
        return end();
    }
    spawn_local(async move {
        for promise in late {
            let _: Result<JsValue, JsValue> = JsFuture::from(promise).await;
        }
        end();
    });
}
