//! The frame of a page that takes files dropped anywhere on it.

use leptos::prelude::*;
use web_sys::File;

use crate::services::files;

/// The frame; it shows that files may be let go as long as they are held over it.
#[component]
pub(crate) fn DropFrame(
    #[prop(into)] class: String,
    /// Whether the column with the form is folded away.
    #[prop(optional, into)]
    folded: Signal<bool>,
    on_files: Callback<Vec<File>>,
    children: Children,
) -> impl IntoView {
    let over = RwSignal::new(false);
    view! {
        <main
            class=class
            class:drop-here=move || over.get()
            class:folded=move || folded.get()
            on:dragover=move |e| {
                e.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=move |e| {
                over.set(false);
                on_files.run(files::dropped(&e));
            }
        >
            {children()}
        </main>
    }
    .into_any()
}
