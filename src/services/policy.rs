//! "Only these endpoints": a further security policy that names the hosts this page may ask.
//!
//! Policies only ever narrow, so one that was too narrow goes with the page: a change offers to
//! load it again.

use std::cell::RefCell;

use leptos::prelude::{document, window};

use super::storage;

/// The hosts that the person allowed, kept between visits.
const NAME: &str = "graphground.only";

thread_local! {
    static APPLIED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// The origins that are to be allowed, if the switch is on.
pub(crate) fn read_wanted() -> Option<Vec<String>> {
    storage::recall(NAME)
}

/// The origins that are allowed in this page's life, if any policy is on.
pub(crate) fn applied() -> Option<Vec<String>> {
    APPLIED.with_borrow(Clone::clone)
}

/// Changes what is wanted; `None` switches it off.
pub(crate) fn want(origins: Option<&[String]>) {
    match origins {
        Some(origins) => storage::remember(NAME, &origins),
        None => storage::forget(NAME),
    }
    if applied().is_none() {
        apply();
    }
}

/// Whoever uses another endpoint while the switch is on means that one.
pub(crate) fn follow(origins: &[String]) {
    if read_wanted().is_some_and(|wanted| wanted != origins) {
        want(Some(origins));
    }
}

/// Applies what is wanted; done when the page starts, before anything is asked.
pub(crate) fn apply() {
    let Some(origins) = read_wanted() else { return };
    // What is kept in a browser is not trusted with the grammar of a policy.
    let is_origin = |text: &&String| {
        text.starts_with("http")
            && text.chars().all(|c| c.is_ascii_alphanumeric() || ":/.-[]_".contains(c))
    };
    let origins: Vec<String> = origins.iter().filter(is_origin).cloned().collect();
    let Ok(meta) = document().create_element("meta") else { return };
    let _ = meta.set_attribute("http-equiv", "Content-Security-Policy");
    let policy = format!("connect-src 'self' {}", origins.join(" "));
    let _ = meta.set_attribute("content", policy.trim());
    if let Some(head) = document().head() {
        let _ = head.append_child(&meta);
        APPLIED.with_borrow_mut(|applied| *applied = Some(origins));
    }
}

/// Whether what is applied is what is wanted.
pub(crate) fn needs_reload() -> bool {
    applied() != read_wanted()
}

/// Loads the page again.
pub(crate) fn reload() {
    let _ = window().location().reload();
}
