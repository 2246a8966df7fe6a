//! The frame of a page with three columns: what is set up on the left, the stage in the middle, the
//! story on the right. It owns widths, folding and scrolling; the style sheet has the widths.

use leptos::prelude::*;
use web_sys::File;

use super::drop_frame::DropFrame;

/// What is set up.
#[slot]
pub(crate) struct Left {
    label: &'static str,
    children: Children,
}

/// What is looked at.
#[slot]
pub(crate) struct Middle {
    children: Children,
}

/// The column on the right: what happened.
#[slot]
pub(crate) struct Story {
    label: &'static str,
    #[prop(optional)]
    class: &'static str,
    children: Children,
}

/// The frame.
#[component]
pub(crate) fn Columns(
    /// The page's own class.
    class: &'static str,
    /// Takes files that are dropped anywhere on the page.
    on_files: Callback<Vec<File>>,
    left: Left,
    middle: Middle,
    story: Story,
) -> impl IntoView {
    // On a screen of middling width the form makes way for the drawing where somebody wants it to.
    let folded = RwSignal::new(false);
    view! {
        <DropFrame class=format!("columns {class}") folded on_files>
            <section class="left" id="setup" aria-label=left.label>
                {(left.children)()}
            </section>
            <button
                class="fold quiet"
                data-testid="fold"
                aria-expanded=move || (!folded.get()).to_string()
                aria-controls="setup"
                on:click=move |_| folded.update(|f| *f = !*f)
            >
                {move || if folded.get() { "Show the form" } else { "Hide the form" }}
            </button>
            {(middle.children)()}
            <section class=format!("right {}", story.class) aria-label=story.label>
                {(story.children)()}
            </section>
        </DropFrame>
    }
}
