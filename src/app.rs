//! Mounts the page.
use leptos::prelude::*;

/// Mounts the page into the document.
pub fn mount() {
    mount_to_body(|| view! { <main><h1>"Graphground"</h1></main> });
}
