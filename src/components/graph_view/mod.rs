//! A graph as SVG: zoom, pan, drag, keyboard, and editing by hand.

mod gestures;
mod shapes;
mod size;

use draw::{Point, Scene, Spread};
use graph::NodeName;
use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent, TouchEvent, WheelEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use crate::state::view::ViewBox;
use gestures::{Grip, neighbour_in};
use shapes::{edge_shape, node_shape};

/// What a person did to the graph.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Gesture {
    /// Moved a node.
    Move(NodeName, Point),
    /// Asked for a new node at a place.
    Add(Point),
    /// Asked to connect two nodes.
    Connect(NodeName, NodeName),
    /// Asked to delete a node.
    Delete(NodeName),
    /// Asked for a new name.
    Rename(NodeName),
    /// Picked an edge.
    PickEdge(NodeName, NodeName),
    /// Picked a node of a graph that is looked at and not edited.
    PickNode(NodeName),
}

/// The view of a graph, spread over the room that it has.
///
/// `view` is the part that is shown (`None`: everything); `editing` turns clicks into changes.
#[component]
pub(crate) fn GraphView(
    #[prop(into)] scene: Signal<Scene>,
    view: RwSignal<Option<ViewBox>>,
    /// What is shown where nobody zoomed, for whoever zooms by other means.
    #[prop(optional)]
    whole: Option<RwSignal<Option<ViewBox>>>,
    #[prop(into)] editing: Signal<bool>,
    #[prop(into)] label: Signal<String>,
    on_gesture: Callback<Gesture>,
) -> impl IntoView {
    let svg = NodeRef::<leptos::svg::Svg>::new();
    let grip = RwSignal::new(None::<Grip>);
    let picked = RwSignal::new(None::<NodeName>);
    let focused = RwSignal::new(None::<NodeName>);
    let pixels = size::of(svg);
    // Of how many nodes one was moved by hand: then the others keep their places.
    let moved_of = RwSignal::new(None::<usize>);
    let spread = Memo::new(move |before: Option<&Spread>| {
        let (now, n) = scene.with(|s| (Spread::new(s, pixels.get()), s.nodes.len()));
        before.copied().filter(|_| moved_of.get() == Some(n)).unwrap_or(now)
    });
    let scene = Memo::new(move |_| scene.with(|s| s.spread(spread.get())));
    if let Some(whole) = whole {
        Effect::new(move |_| whole.set(Some(scene.with(|s| s.view).into())));
    }
    let shown = move || view.get().unwrap_or_else(|| ViewBox::from(scene.with(|s| s.view)));
    let shown_now = move || {
        view.get_untracked().unwrap_or_else(|| ViewBox::from(scene.with_untracked(|s| s.view)))
    };
    let area = move || {
        let area = svg.get_untracked()?.get_bounding_client_rect();
        Some((area.left(), area.top(), area.width(), area.height()))
    };
    let place = move |x: i32, y: i32| Some(shown_now().place(area()?, f64::from(x), f64::from(y)));
    // The finger that came first; a second one pinches with it.
    let first_finger = RwSignal::new(None::<(i32, Point)>);
    let pinches = move |event: &PointerEvent| {
        if event.pointer_type() != "touch" {
            return false;
        }
        let (id, at) = (event.pointer_id(), on_screen(event));
        match first_finger.get_untracked().filter(|(first, _)| *first != id) {
            Some((first, before)) => {
                let fingers = [(first, before), (id, at)];
                hold(event);
                grip.set(Some(Grip::Pinch { fingers, view: shown_now(), begin: [before, at] }));
                true
            }
            None => {
                first_finger.set(Some((id, at)));
                false
            }
        }
    };

    let on_node_down = move |name: NodeName, event: PointerEvent| {
        event.stop_propagation();
        if pinches(&event) {
            return;
        }
        if let Some(at) = place(event.client_x(), event.client_y()) {
            hold(&event);
            grip.set(Some(Grip::Node { name, start: at, moved: false }));
        }
    };
    let on_node_up = move |name: NodeName| {
        let was_held = grip.with_untracked(|g| {
            matches!(g, Some(Grip::Node { moved: true, .. } | Grip::Pinch { .. }))
        });
        if was_held {
            return;
        }
        if !editing.get_untracked() {
            on_gesture.run(Gesture::PickNode(name));
            return;
        }
        match picked.get_untracked() {
            Some(first) if first != name => {
                picked.set(None);
                on_gesture.run(Gesture::Connect(first, name));
            }
            Some(_) => picked.set(None),
            None => picked.set(Some(name)),
        }
    };
    let on_down = move |event: PointerEvent| {
        if pinches(&event) {
            return;
        }
        if let Some(at) = place(event.client_x(), event.client_y()) {
            hold(&event);
            grip.set(Some(Grip::Background { start: at, moved: false }));
        }
    };
    let on_pointer_move = move |event: PointerEvent| {
        if let Some((id, at)) = first_finger.get_untracked()
            && id == event.pointer_id()
            && at != on_screen(&event)
        {
            first_finger.set(Some((id, on_screen(&event))));
        }
        let Some(current) = grip.get_untracked() else { return };
        if let Grip::Pinch { mut fingers, view: from, begin } = current {
            let Some(finger) = fingers.iter_mut().find(|(id, _)| *id == event.pointer_id()) else {
                return;
            };
            finger.1 = on_screen(&event);
            if let Some(area) = area() {
                view.set(Some(from.pinched(area, begin, fingers.map(|(_, at)| at))));
            }
            grip.set(Some(Grip::Pinch { fingers, view: from, begin }));
            return;
        }
        let Some(at) = place(event.client_x(), event.client_y()) else { return };
        match current {
            Grip::Node { name, start, moved } => {
                if !moved && start.distance(at) < 4.0 {
                    return;
                }
                moved_of.set(Some(scene.with_untracked(|s| s.nodes.len())));
                on_gesture.run(Gesture::Move(name.clone(), spread.get_untracked().back(at)));
                grip.set(Some(Grip::Node { name, start, moved: true }));
            }
            Grip::Background { start, moved } => {
                if !moved && start.distance(at) < 4.0 {
                    return;
                }
                // `at` is in today's view; the start is in it too once the view has followed.
                let now = shown_now();
                view.set(Some(now.shifted(start.x - at.x, start.y - at.y)));
                grip.set(Some(Grip::Background { start, moved: true }));
            }
            Grip::Pinch { .. } => {}
        }
    };
    let let_go = move |event: &PointerEvent| {
        if first_finger.get_untracked().is_some_and(|(id, _)| id == event.pointer_id()) {
            first_finger.set(None);
        }
        grip.set(None);
    };
    let on_up = move |event: PointerEvent| {
        match grip.get_untracked() {
            // The drawing holds the pointer, so that a node never hears of its end.
            Some(Grip::Node { name, moved: false, .. }) => on_node_up(name),
            Some(Grip::Background { moved: false, .. }) if editing.get_untracked() => {
                if picked.get_untracked().is_some() {
                    picked.set(None);
                } else if let Some(at) = place(event.client_x(), event.client_y()) {
                    on_gesture.run(Gesture::Add(spread.get_untracked().back(at)));
                }
            }
            _ => {}
        }
        let_go(&event);
    };
    let on_wheel = move |event: WheelEvent| {
        let Some(at) = place(event.client_x(), event.client_y()) else { return };
        event.prevent_default();
        let factor = if event.delta_y() > 0.0 { 1.12 } else { 1.0 / 1.12 };
        view.set(Some(shown_now().zoomed(at, factor)));
    };
    let on_key = move |event: KeyboardEvent| {
        let names = scene
            .with_untracked(|s| s.nodes.iter().map(|n| (n.name.clone(), n.at)).collect::<Vec<_>>());
        let at = focused.get_untracked().or_else(|| names.first().map(|(n, _)| n.clone()));
        let Some(at) = at else { return };
        match event.key().as_str() {
            key @ ("ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown") => {
                event.prevent_default();
                if let Some(next) = neighbour_in(&names, &at, key) {
                    focus(svg, &names, &next);
                    focused.set(Some(next));
                }
            }
            "Enter" | " " => {
                event.prevent_default();
                grip.set(None);
                on_node_up(at);
            }
            "Delete" | "Backspace" if editing.get_untracked() => {
                event.prevent_default();
                picked.set(None);
                on_gesture.run(Gesture::Delete(at));
            }
            "F2" if editing.get_untracked() => on_gesture.run(Gesture::Rename(at)),
            "Escape" => picked.set(None),
            "+" | "=" => view.set(Some(shown_now().zoomed(shown_now().middle(), 1.0 / 1.2))),
            "-" => view.set(Some(shown_now().zoomed(shown_now().middle(), 1.2))),
            "0" => view.set(None),
            _ => {}
        }
    };
    let on_double = move |name: NodeName, event: MouseEvent| {
        event.stop_propagation();
        if editing.get_untracked() {
            picked.set(None);
            on_gesture.run(Gesture::Rename(name));
        }
    };

    view! {
        <svg
            class="graph"
            class:editing=move || editing.get()
            class:zoomed=move || view.with(Option::is_some)
            node_ref=svg
            role="group"
            aria-label=move || label.get()
            viewBox=move || shown().attribute()
            preserveAspectRatio="xMidYMid meet"
            on:pointerdown=on_down
            on:pointermove=on_pointer_move
            on:pointerup=on_up
            on:pointercancel=move |event| let_go(&event)
            on:touchmove=move |event: TouchEvent| {
                // Two fingers zoom the drawing, and scroll nothing.
                if grip.with_untracked(|g| matches!(g, Some(Grip::Pinch { .. }))) {
                    event.prevent_default();
                }
            }
            on:wheel=on_wheel
            on:keydown=on_key
        >
            <g class="edges">
                {move || scene.with(|s| {
                    s.edges.iter().map(|e| edge_shape(e, editing.get(), on_gesture)).collect_view()
                })}
            </g>
            {move || {
                let cut = scene.with(|s| s.cut.clone());
                (!cut.is_empty()).then(|| view! { <path class="cut-line" d=cut></path> })
            }}
            <g class="labels">
                {move || scene.with(|s| s.edges.iter().map(shapes::edge_label).collect_view())}
            </g>
            <g class="nodes">
                {move || {
                    let first = focused.get();
                    let held = picked.get();
                    scene.with(|s| {
                        let is_stop = |i: usize, name: &NodeName| match &first {
                            Some(f) if s.nodes.iter().any(|n| &n.name == f) => f == name,
                            _ => i == 0,
                        };
                        s.nodes
                            .iter()
                            .enumerate()
                            .map(|(i, node)| {
                                let name = node.name.clone();
                                let (down, double) = (name.clone(), name.clone());
                                let is_picked = held.as_ref() == Some(&name);
                                node_shape(
                                    node,
                                    &s.edges,
                                    is_stop(i, &name),
                                    is_picked,
                                    move |e| on_node_down(down.clone(), e),
                                    move |_| focused.set(Some(name.clone())),
                                    move |e| on_double(double.clone(), e),
                                )
                            })
                            .collect_view()
                    })
                }}
            </g>
            // Words of a verdict stand above everything, or a node would cover them.
            <g class="labels">
                {move || scene.with(|s| s.edges.iter().map(shapes::edge_tag).collect_view())}
            </g>
        </svg>
    }
    .into_any()
}

/// Where on the screen a pointer is.
fn on_screen(event: &PointerEvent) -> Point {
    Point { x: f64::from(event.client_x()), y: f64::from(event.client_y()) }
}

/// Keeps the pointer's events coming when it leaves the drawing.
fn hold(event: &PointerEvent) {
    let target = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    let svg = target.and_then(|t| t.closest("svg").ok().flatten());
    if let Some(svg) = svg {
        let _ = svg.set_pointer_capture(event.pointer_id());
    }
}

fn focus(svg: NodeRef<leptos::svg::Svg>, names: &[(NodeName, Point)], name: &NodeName) {
    let Some(index) = names.iter().position(|(n, _)| n == name) else { return };
    let Some(svg) = svg.get_untracked() else { return };
    let Ok(list) = svg.query_selector_all(".node") else { return };
    let node = list.item(index as u32).and_then(|n| n.dyn_into::<web_sys::SvgElement>().ok());
    if let Some(node) = node {
        let _ = node.focus();
    }
}
