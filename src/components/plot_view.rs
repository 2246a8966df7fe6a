//! A plot, rendered from the shapes of which its file is written too.

use draw::plot::{Plot, Shape};
use leptos::prelude::*;

/// The plot.
#[component]
pub(crate) fn PlotView(plot: Plot) -> impl IntoView {
    let shapes = plot
        .shapes
        .into_iter()
        .map(|shape| match shape {
            Shape::Line { path, ink } => {
                view! { <path class=ink.class() fill="none" d=path></path> }.into_any()
            }
            Shape::Area { path, ink, title } => view! {
                <path class=ink.class() d=path>
                    <title>{title}</title>
                </path>
            }
            .into_any(),
            Shape::Words { x, y, text, anchor, ink } => view! {
                <text class=ink.class() x=x.to_string() y=y.to_string() text-anchor=anchor.as_str()>
                    {text}
                </text>
            }
            .into_any(),
        })
        .collect_view();
    view! {
        <svg
            class="plot"
            role="img"
            aria-label=format!("{}. {}", plot.title, plot.description)
            viewBox=format!("0 0 {} {}", plot.width, plot.height)
        >
            {shapes}
        </svg>
    }
    .into_any()
}
