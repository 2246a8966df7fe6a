//! Names over the drawing of a large graph, and the two as one picture.

use leptos::prelude::document;
use wasm_bindgen::JsCast as _;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::theme_of;
use crate::state::whole::labels::WrittenName;
use crate::state::whole::look::{PageColours, Rgb};

fn plane(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

fn css(rgb: Rgb) -> String {
    format!("rgb({}, {}, {})", rgb[0], rgb[1], rgb[2])
}

/// Writes names on a canvas, with a rim in the colour of the page so that edges do not strike them
/// out.
pub(super) fn write(
    canvas: &HtmlCanvasElement,
    labels: &[WrittenName],
    theme: PageColours,
    density: f64,
    pointed: Option<u32>,
) {
    let Some(plane) = plane(canvas) else { return };
    let _ = plane.set_transform(density, 0.0, 0.0, density, 0.0, 0.0);
    plane.clear_rect(0.0, 0.0, f64::from(canvas.width()), f64::from(canvas.height()));
    plane.set_text_baseline("middle");
    plane.set_line_join("round");
    plane.set_line_width(4.0);
    plane.set_stroke_style_str(&css(theme.paper));
    plane.set_fill_style_str(&css(theme.ink));
    for label in labels {
        let weight = if Some(label.node) == pointed { "600" } else { "400" };
        plane.set_font(&format!("{weight} 12px ui-sans-serif, system-ui, sans-serif"));
        let _ = plane.stroke_text(&label.text, label.at.0, label.at.1);
        let _ = plane.fill_text(&label.text, label.at.0, label.at.1);
    }
}

/// A drawing as one canvas: the page's colour, nodes and edges, names.
pub(super) fn picture(
    drawn: &HtmlCanvasElement,
    names: &HtmlCanvasElement,
) -> Option<HtmlCanvasElement> {
    let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(drawn.width());
    canvas.set_height(drawn.height());
    let plane = plane(&canvas)?;
    plane.set_fill_style_str(&css(theme_of(drawn)?.paper));
    plane.fill_rect(0.0, 0.0, f64::from(drawn.width()), f64::from(drawn.height()));
    for layer in [drawn, names] {
        plane.draw_image_with_html_canvas_element(layer, 0.0, 0.0).ok()?;
    }
    Some(canvas)
}
