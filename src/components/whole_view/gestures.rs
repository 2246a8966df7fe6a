//! Fingers, the mouse and keys on the drawing of a large graph.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use super::Drawing;
use crate::state::whole::camera::Pixel;

/// How far a pointer goes, in pixels, before it drags.
const STILL: f64 = 4.0;

pub(super) fn press(drawing: Drawing, event: &PointerEvent) {
    let pixel = drawing.pixel(event.client_x(), event.client_y());
    if let Some(canvas) = drawing.canvas.get_untracked() {
        let _ = canvas.unchecked_ref::<web_sys::Element>().set_pointer_capture(event.pointer_id());
    }
    drawing.held.update_value(|held| {
        held.has_moved = held.has_moved && !held.pointers.is_empty();
        held.pointers.push((event.pointer_id(), pixel));
    });
}

pub(super) fn drag(drawing: Drawing, event: &PointerEvent) {
    let pixel = drawing.pixel(event.client_x(), event.client_y());
    let held = drawing.held.get_value();
    let Some(place) = held.pointers.iter().position(|(id, _)| *id == event.pointer_id()) else {
        if event.pointer_type() != "touch" {
            drawing.hovered.set(drawing.node_at(pixel));
        }
        return;
    };
    let before = held.pointers[place].1;
    let (dx, dy) = (pixel.0 - before.0, pixel.1 - before.1);
    if !held.has_moved && held.pointers.len() == 1 && dx.hypot(dy) < STILL {
        return;
    }
    drawing.held.update_value(|held| {
        held.pointers[place].1 = pixel;
        held.has_moved = true;
    });
    if let Some(&(_, other)) = held.pointers.iter().find(|(id, _)| *id != event.pointer_id()) {
        // Two fingers: what is between them goes with them, and grows as they part.
        let length = |a: Pixel| (a.0 - other.0).hypot(a.1 - other.1).max(1.0);
        let middle = ((pixel.0 + other.0) / 2.0, (pixel.1 + other.1) / 2.0);
        drawing.set_camera(drawing.camera().panned(dx / 2.0, dy / 2.0));
        drawing.zoom(middle, length(pixel) / length(before));
    } else if event.pointer_type() != "touch"
        || drawing.shown.camera.with_untracked(Option::is_some)
    {
        // One finger scrolls the page while everything is in sight.
        drawing.set_camera(drawing.camera().panned(dx, dy));
    }
}

pub(super) fn release(drawing: Drawing, event: &PointerEvent, picks: bool) {
    let mut was_still = false;
    drawing.held.update_value(|held| {
        let n = held.pointers.len();
        held.pointers.retain(|(id, _)| *id != event.pointer_id());
        was_still = n == 1 && held.pointers.is_empty() && !held.has_moved;
        if held.pointers.is_empty() {
            held.has_moved = false;
        }
    });
    if picks && was_still {
        let pixel = drawing.pixel(event.client_x(), event.client_y());
        drawing.shown.picked.set(drawing.node_at(pixel));
    }
}

pub(super) fn press_key(drawing: Drawing, event: &KeyboardEvent) {
    let camera = drawing.camera();
    let middle = (camera.size.0 / 2.0, camera.size.1 / 2.0);
    const STEP: f64 = 60.0;
    match event.key().as_str() {
        "ArrowLeft" => drawing.set_camera(camera.panned(STEP, 0.0)),
        "ArrowRight" => drawing.set_camera(camera.panned(-STEP, 0.0)),
        "ArrowUp" => drawing.set_camera(camera.panned(0.0, STEP)),
        "ArrowDown" => drawing.set_camera(camera.panned(0.0, -STEP)),
        "+" | "=" => drawing.zoom(middle, 1.25),
        "-" => drawing.zoom(middle, 0.8),
        "0" => drawing.shown.camera.set(None),
        "Escape" if drawing.shown.picked.with_untracked(Option::is_some) => {
            drawing.shown.picked.set(None);
        }
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}
