//! Small drawings of our own.

use leptos::prelude::*;

/// A drawing on a 24 by 24 grid.
#[component]
pub(crate) fn Icon(name: &'static str) -> impl IntoView {
    let d = match name {
        "play" => "M7 5l12 7-12 7z",
        "pause" => "M7 5h4v14H7zM13 5h4v14h-4z",
        "back" => "M17 5L8 12l9 7zM6 5h2v14H6z",
        "next" => "M7 5l9 7-9 7zM16 5h2v14h-2z",
        "start" => "M19 5l-8 7 8 7zM11 5l-8 7 8 7z",
        "end" => "M5 5l8 7-8 7zM13 5l8 7-8 7z",
        "stop" => "M6 6h12v12H6z",
        _ => "",
    };
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d=d></path>
        </svg>
    }
}

/// The mark of Graphground.
#[component]
pub(crate) fn Logo() -> impl IntoView {
    view! {
        <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M5 18 12 5l7 13M5 18h14"></path>
            <circle cx="12" cy="5" r="3"></circle>
            <circle cx="5" cy="18" r="3"></circle>
            <circle cx="19" cy="18" r="3"></circle>
        </svg>
    }
}
