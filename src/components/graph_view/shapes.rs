//! One edge, one label, one node.

use draw::{ARROW, Mark, NODE_RADIUS, Point, SceneEdge, SceneNode};
use leptos::ev::{FocusEvent, MouseEvent, PointerEvent};
use leptos::prelude::*;

use super::Gesture;
use crate::components::pointing::{is_pointed_at, point_at};
use crate::state::pointing::ends;

fn classes(base: &str, marks: &[Mark]) -> String {
    let mut out = base.to_owned();
    for mark in marks {
        out.push(' ');
        out.push_str(mark.class());
    }
    out
}

pub(super) fn edge_shape(
    edge: &SceneEdge,
    editing: bool,
    on_gesture: Callback<Gesture>,
) -> impl IntoView + use<> {
    let class = classes(if edge.is_ghost { "edge ghost" } else { "edge" }, &edge.marks);
    let arrow = edge.arrow.map(|[a, b, c]| {
        format!("M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z", a.x, a.y, b.x, b.y, c.x, c.y)
    });
    let (source, target) = (edge.source.clone(), edge.target.clone());
    let it = [ends(&source, &target)];
    let points_at = it.to_vec();
    view! {
        <g
            class=class
            class:lit=move || is_pointed_at(&it)
            on:pointerenter=move |_| point_at(points_at.clone())
            on:pointerleave=move |_| point_at(Vec::new())
        >
            <path class="line" d=edge.line.clone()></path>
            {(!editing).then(|| view! { <path class="near" d=edge.line.clone()></path> })}
            {arrow.map(|d| view! { <path class="arrow" d=d></path> })}
            {editing
                .then(|| {
                    view! {
                        <path
                            class="grab"
                            d=edge.line.clone()
                            on:pointerdown=move |e: PointerEvent| {
                                e.stop_propagation();
                                on_gesture
                                    .run(Gesture::PickEdge(source.clone(), target.clone()));
                            }
                        ></path>
                    }
                })}
        </g>
    }
}

/// A weight or capacity; where a verdict has words for the edge, they stand there instead.
pub(super) fn edge_label(edge: &SceneEdge) -> impl IntoView + use<> {
    let words = edge.label.clone().filter(|_| edge.tag.is_none());
    words.map(|words| text("weight", edge.label_at, words))
}

/// What a verdict says of an edge.
pub(super) fn edge_tag(edge: &SceneEdge) -> impl IntoView + use<> {
    edge.tag.clone().map(|words| text("tag", edge.label_at, words))
}

fn text(class: &'static str, at: Point, words: String) -> impl IntoView {
    view! {
        <text class=class x=format!("{:.1}", at.x) y=format!("{:.1}", at.y) dy=".35em">
            {words}
        </text>
    }
}

pub(super) fn node_shape(
    node: &SceneNode,
    edges: &[SceneEdge],
    is_stop: bool,
    is_picked: bool,
    on_down: impl Fn(PointerEvent) + 'static,
    on_focus: impl Fn(FocusEvent) + 'static,
    on_double: impl Fn(MouseEvent) + 'static,
) -> AnyView {
    let mut class = classes("node", &node.marks);
    if is_picked {
        class.push_str(" picked");
    }
    let joined: Vec<String> = edges
        .iter()
        .filter(|e| !e.is_ghost)
        .filter_map(|e| {
            if e.source == node.name {
                Some(e.target.to_string())
            } else if e.target == node.name {
                Some(e.source.to_string())
            } else {
                None
            }
        })
        .collect();
    let about = if joined.is_empty() {
        format!("node {}, no edges", node.name)
    } else {
        format!("node {}, joined to {}", node.name, joined.join(", "))
    };
    let (x, y) = (node.at.x, node.at.y);
    let title = node.name.to_string();
    let half = node.half;
    let result = node.result.as_ref().map(|result| format!("{ARROW}{result}"));
    let beside = Point { x: node.tag_at.x - x, y: node.tag_at.y - y };
    view! {
        <g
            class=class
            tabindex=if is_stop { "0" } else { "-1" }
            role="img"
            aria-label=about
            transform=format!("translate({x:.1} {y:.1})")
            on:pointerdown=on_down
            on:focus=on_focus
            on:dblclick=on_double
        >
            <title>{title}</title>
            <rect
                class="hit"
                x=-half
                y=-NODE_RADIUS
                width=2.0 * half
                height=2.0 * NODE_RADIUS
                rx=NODE_RADIUS
            ></rect>
            <rect
                class="body"
                x=-half
                y=-NODE_RADIUS
                width=2.0 * half
                height=2.0 * NODE_RADIUS
                rx=NODE_RADIUS
            ></rect>
            <text dy=".35em">{node.label.clone()}</text>
            {node
                .tag
                .clone()
                .map(|tag| {
                    view! {
                        <text class="beside" x=beside.x y=beside.y dy=".35em">
                            {tag}
                            {result.clone().map(|words| view! { <tspan class="result">{words}</tspan> })}
                        </text>
                    }
                })}
        </g>
    }
    .into_any()
}
