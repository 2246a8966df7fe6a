//! The page inside another page: what it is told, and what it tells.
//!
//! `docs/sharing.md` has the messages. Whoever frames the page can step it, and nothing else: `storage`
//! and `keys` are closed in a frame, so that nothing of the person's is used there.

use std::cell::Cell;
use std::collections::BTreeMap;

use js_sys::{Object, Reflect};
use leptos::ev;
use leptos::prelude::{document, window, window_event_listener};
use wasm_bindgen::JsValue;

use crate::state::embed::{FrameOrder, VERSION, hidden};

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
}

/// Whether the page is a part of another, or was opened to be one.
pub(crate) fn is_on() -> bool {
    ON.get()
}

/// Whether a page is around this one. Its address says nothing of that: the outer page writes it.
fn is_framed() -> bool {
    window().top().ok().flatten().is_none_or(|top| top != window())
}

/// Reads `embed` and `hide` of the address that the page was opened with.
pub(crate) fn begin(keys: &BTreeMap<String, String>) {
    let on = is_framed() || keys.get("embed").is_some_and(|v| v == "1");
    ON.set(on);
    let Some(body) = document().body() else { return };
    if on {
        let _ = body.set_attribute("data-embed", "");
    }
    let parts = keys.get("hide").map(|list| hidden(list)).unwrap_or_default();
    if !parts.is_empty() {
        let _ = body.set_attribute("data-hide", &parts);
    }
}

/// Hears what the outer page asks for; messages of another shape or of others are let go.
pub(crate) fn listen(on_order: impl Fn(FrameOrder) + 'static) {
    if !is_on() {
        return;
    }
    let handle = window_event_listener(ev::message, move |event| {
        let field = |object: &JsValue, name: &str| Reflect::get(object, &name.into()).ok();
        let data = event.data();
        if !data.is_object()
            || field(&event, "source") != window().parent().ok().flatten().map(Into::into)
        {
            return;
        }
        let number = |name: &str| field(&data, name).and_then(|v| v.as_f64());
        let order = field(&data, "order").and_then(|v| v.as_string());
        if let Some(order) =
            FrameOrder::read(number("graphground"), order.as_deref(), number("step"))
        {
            on_order(order);
        }
    });
    // The listener lives as long as the page.
    std::mem::forget(handle);
}

/// Tells the outer page where the cursor is, of how many steps.
pub(crate) fn tell(page: &str, step: usize, steps: usize) {
    let Some(parent) = window().parent().ok().flatten().filter(|p| *p != window()) else { return };
    let message = Object::new();
    let fields: [(&str, JsValue); 4] = [
        ("graphground", VERSION.into()),
        ("page", page.into()),
        ("step", (step as f64).into()),
        ("steps", (steps as f64).into()),
    ];
    for (name, value) in fields {
        let _ = Reflect::set(&message, &name.into(), &value);
    }
    // Anybody may frame the page, so the address of the outer page is not known; the message holds
    // nothing that it may not know.
    let _ = parent.post_message(&message, "*");
}
