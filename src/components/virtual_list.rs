//! A list of any length, of which only the rows in sight are made.

use leptos::html::Div;
use leptos::prelude::*;

use crate::state::viewer::in_sight;

/// The list. Every row is `row_height` pixels high; `at` is kept in sight as it changes.
#[component]
pub(crate) fn VirtualList<F>(
    /// How many rows there are.
    #[prop(into)]
    n: Signal<usize>,
    /// The height of each, in pixels.
    row_height: f64,
    /// The row that the list scrolls to.
    #[prop(into)]
    at: Signal<Option<usize>>,
    /// Its name for those who do not see it.
    label: &'static str,
    /// Makes a row.
    row: F,
) -> impl IntoView
where
    F: Fn(usize) -> AnyView + Copy + Send + Sync + 'static,
{
    let node = NodeRef::<Div>::new();
    let scroll = RwSignal::new(0.0);
    let height = RwSignal::new(800.0);
    let measure = move || {
        // The list may be gone by the time that the frame comes.
        if let Some(node) = node.try_get_untracked().flatten() {
            let _ = scroll.try_set(f64::from(node.scroll_top()));
            let _ = height.try_set(f64::from(node.client_height()).max(100.0));
        }
    };
    Effect::new(move |_| {
        if node.get().is_some() {
            request_animation_frame(measure);
        }
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    Effect::new(move |_| {
        let (Some(at), Some(node)) = (at.get(), node.get()) else { return };
        let (top, view) = (f64::from(node.scroll_top()), f64::from(node.client_height()));
        let (from, to) = (at as f64 * row_height, (at + 1) as f64 * row_height);
        // Only as far as needed: what is in sight does not jump.
        if from < top {
            node.set_scroll_top(from as i32);
        } else if to > top + view {
            node.set_scroll_top((to - view) as i32);
        }
        measure();
    });
    let range = Memo::new(move |_| in_sight(scroll.get(), height.get(), row_height, n.get()));
    view! {
        <div
            class="virtual"
            node_ref=node
            role="list"
            aria-label=label
            tabindex="0"
            on:scroll=move |_| measure()
        >
            <div class="virtual-all" style:height=move || format!("{}px", n.get() as f64 * row_height)>
                <div
                    class="virtual-some"
                    style:transform=move || {
                        format!("translateY({}px)", range.get().start as f64 * row_height)
                    }
                >
                    {move || range.get().map(row).collect_view()}
                </div>
            </div>
        </div>
    }
}
