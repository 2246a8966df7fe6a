//! One road, one route, one location with what is there.

use leptos::prelude::*;
use tasks::rescue::{HazardKind, Injury, Location, RescueRoute, RobotStatus, Scenario};

/// How many colours and how many dashes the routes have; together they tell thirty apart.
const N_COLOURS: usize = 5;
const N_DASHES: usize = 6;

/// The class of the route of the k-th robot.
pub(super) fn route_class(k: usize) -> String {
    format!("route c{} d{}", k % N_COLOURS, k % N_DASHES)
}

/// A place on the map.
pub(super) type Point = (f64, f64);

pub(super) fn place(scenario: &Scenario, id: &str) -> Option<Point> {
    scenario.locations.iter().find(|l| l.id == id).map(|l| (l.x, l.y))
}

/// The size of everything: smaller where there is more.
pub(super) fn scale(n_locations: usize) -> f64 {
    (1000.0 / (n_locations.max(1) as f64).sqrt() * 0.17).clamp(11.0, 36.0) / 26.0
}

/// The part of the plane that shows the whole map.
pub(super) fn frame(scenario: &Scenario) -> (f64, f64, f64, f64) {
    let pad = 90.0 * scale(scenario.locations.len()).max(0.6);
    let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (0.0_f64, 0.0_f64));
    for l in &scenario.locations {
        low = (low.0.min(l.x), low.1.min(l.y));
        high = (high.0.max(l.x), high.1.max(l.y));
    }
    if !low.0.is_finite() {
        return (0.0, 0.0, 1000.0, 1000.0);
    }
    let width = (high.0 - low.0 + 2.0 * pad).max(300.0);
    let height = (high.1 - low.1 + 2.0 * pad).max(300.0);
    (low.0 - pad, low.1 - pad, width, height)
}

/// The kinds of hazard that count for a road, its own and its ends'.
pub(super) fn road_state(s: &Scenario, a: &str, b: &str) -> (&'static str, String) {
    let ends = |kind| s.has_at(kind, a) || s.has_at(kind, b);
    let distance = s.road(a, b).map_or(0.0, |r| r.distance);
    if s.has_on(HazardKind::Collapse, a, b) {
        ("road closed", format!("{distance}, closed"))
    } else if s.has_on(HazardKind::Fire, a, b) || ends(HazardKind::Fire) {
        ("road fire", format!("{distance}, fire"))
    } else if s.has_on(HazardKind::Debris, a, b) || ends(HazardKind::Debris) {
        ("road debris", format!("{distance} × 3"))
    } else {
        ("road", distance.to_string())
    }
}

/// A step of a route, beside the road so that several routes can be seen, with its direction.
pub(super) fn step(from: Point, to: Point, side: f64, size: f64) -> (String, String) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // The right hand of whoever walks, so that the way there and the way back lie apart.
    let (ox, oy) = (-uy * side, ux * side);
    let gap = (24.0 * size).min(length / 3.0);
    let (ax, ay) = (from.0 + ux * gap + ox, from.1 + uy * gap + oy);
    let (bx, by) = (to.0 - ux * gap + ox, to.1 - uy * gap + oy);
    let (tx, ty) = (bx - ux * 2.0, by - uy * 2.0);
    let wing = 8.0 * size.max(0.55);
    let (wx, wy) = (tx - ux * wing * 1.4, ty - uy * wing * 1.4);
    (
        format!("M{ax:.1} {ay:.1}L{bx:.1} {by:.1}"),
        format!(
            "M{:.1} {:.1}L{tx:.1} {ty:.1}L{:.1} {:.1}Z",
            wx - uy * wing * 0.7,
            wy + ux * wing * 0.7,
            wx + uy * wing * 0.7,
            wy - ux * wing * 0.7
        ),
    )
}

/// The way of a robot; steps that the map does not allow are drawn as false. `n_gone` tells how many
/// steps are behind it; those to come are faint.
pub(super) fn route(
    s: &Scenario,
    route: &RescueRoute,
    k: usize,
    n_gone: Signal<usize>,
) -> impl IntoView + use<> {
    let size = scale(s.locations.len());
    let side = (5.0 + 6.0 * (k % 4) as f64) * size;
    let steps: Vec<_> = route
        .path
        .windows(2)
        .enumerate()
        .filter_map(|(i, pair)| {
            let (from, to) = (place(s, &pair[0])?, place(s, &pair[1])?);
            let (line, arrow) = step(from, to, side, size);
            let state = road_state(s, &pair[0], &pair[1]).0;
            let bad = s.road(&pair[0], &pair[1]).is_none()
                || state.contains("fire")
                || state.contains("closed");
            let class = if bad { "step bad" } else { "step" };
            Some(view! {
                <g class=class class:later=move || n_gone.get() <= i>
                    <path class="line" d=line></path>
                    <path class="arrow" d=arrow></path>
                </g>
            })
        })
        .collect();
    view! {
        <g class=route_class(k) data-robot=route.robot.clone()>
            {steps}
        </g>
    }
}

/// A robot that is under way, where it stands. One that has come to its end is not drawn over the
/// survivor there.
pub(super) fn under_way(
    s: &Scenario,
    route: &RescueRoute,
    k: usize,
    n_gone: Signal<usize>,
) -> impl IntoView + use<> {
    let size = scale(s.locations.len());
    let places: Vec<Point> = route.path.iter().filter_map(|id| place(s, id)).collect();
    let last = places.len().saturating_sub(1);
    let name = route.robot.clone();
    move || {
        let at = n_gone.get();
        let (x, y) = places.get(at).copied().filter(|_| at > 0 && at < last)?;
        let (x, y) = (x + 30.0 * size, y - 24.0 * size);
        Some(view! {
            <g
                class=format!("{} now", route_class(k))
                transform=format!("translate({x:.1} {y:.1}) scale({size:.3})")
            >
                {robot_sign(RobotStatus::Available)}
                <text y="5">{name.clone()}</text>
            </g>
        })
    }
}

/// The sign of a hazard, about its own middle.
pub(super) fn hazard_sign(kind: HazardKind) -> impl IntoView {
    let d = match kind {
        HazardKind::Fire => {
            "M0 -15C5 -7 11 -3 9 5C7 12 -7 12 -9 5C-10 0 -5 -2 -5 -8C-2 -6 0 -9 0 -15Z"
        }
        HazardKind::Debris => "M-12 9L-9 1L-2 2L0 9ZM2 9L4 -1L12 1L13 9ZM-5 0L-2 -8L6 -7L7 -2Z",
        HazardKind::Collapse => "M-11 10L-11 -4L-4 -9L-2 -3L3 -7L11 2L11 10Z",
    };
    view! { <path class=format!("sign {}", kind.title()) d=d></path> }
}

/// The sign of a level of injury: its shape says it without its colour.
pub(super) fn survivor_sign(injury: Injury) -> impl IntoView {
    let d = match injury {
        Injury::High => "M0 -19L19 0L0 19L-19 0Z",
        Injury::Medium => "M-14 -14L14 -14L14 14L-14 14Z",
        Injury::Low => "M-15 0A15 15 0 1 0 15 0A15 15 0 1 0 -15 0Z",
    };
    view! { <path class=format!("survivor {}", injury.level()) d=d></path> }
}

/// The sign of a robot.
pub(super) fn robot_sign(status: RobotStatus) -> impl IntoView {
    let lost = status == RobotStatus::Lost;
    view! {
        <g class="robot" class:lost=lost>
            <path d="M-17 -10Q-17 -13 -14 -13L14 -13Q17 -13 17 -10L17 10Q17 13 14 13L-14 13Q-17 13 -17 10ZM0 -13L0 -19M-4 -19L4 -19"></path>
            {lost.then(|| view! { <path class="cross" d="M-17 13L17 -13"></path> })}
        </g>
    }
}

/// What is at a location, in words.
pub(super) fn words(s: &Scenario, id: &str, changed: bool) -> String {
    // It begins with what is written there, in its order, so that a voice can name it as it is seen.
    let robots = s.robots.iter().filter(|r| r.at == id).map(|r| r.id.as_str());
    let survivors = s.survivors.iter().filter(|x| x.at == id).map(|x| x.id.as_str());
    let written: Vec<&str> = std::iter::once(id).chain(robots).chain(survivors).collect();
    let mut parts = vec![written.join(" ")];
    let kinds = HazardKind::ALL.into_iter().filter(|k| s.has_at(*k, id));
    parts.extend(kinds.map(|k| k.title().to_owned()));
    let here = s.survivors.iter().filter(|x| x.at == id);
    parts.extend(here.map(|x| format!("survivor {} {}", x.id, x.injury.title())));
    parts.extend(s.robots.iter().filter(|r| r.at == id).map(|r| {
        let how = if r.status == RobotStatus::Lost { " lost" } else { "" };
        format!("robot {}{how}", r.id)
    }));
    parts.push(format!("{} roads", s.roads_at(id).count()));
    if changed {
        parts.push("changed since the plan".into());
    }
    parts.join(", ")
}

/// A location with its signs, as a drawing of its own size.
pub(super) fn location(s: &Scenario, l: &Location, changed: bool) -> impl IntoView + use<> {
    let id = &l.id;
    let hazards: Vec<HazardKind> =
        HazardKind::ALL.into_iter().filter(|k| s.has_at(*k, id)).collect();
    let above = hazards.len();
    let hazards = hazards
        .into_iter()
        .enumerate()
        .map(|(i, kind)| {
            let x = (i as f64 - (above as f64 - 1.0) / 2.0) * 28.0;
            view! { <g transform=format!("translate({x} -38)")>{hazard_sign(kind)}</g> }
        })
        .collect_view();
    let robots: Vec<_> = s.robots.iter().filter(|r| r.at == *id).collect();
    let survivors: Vec<_> = s.survivors.iter().filter(|x| x.at == *id).collect();
    let below = robots.len() + survivors.len();
    let mut signs: Vec<(AnyView, String)> = Vec::new();
    signs.extend(robots.iter().map(|r| (robot_sign(r.status).into_any(), r.id.clone())));
    signs.extend(survivors.iter().map(|x| (survivor_sign(x.injury).into_any(), x.id.clone())));
    let signs = signs
        .into_iter()
        .enumerate()
        .map(|(i, (sign, name))| {
            let x = (i as f64 - (below as f64 - 1.0) / 2.0) * 42.0;
            view! {
                <g aria-hidden="true" transform=format!("translate({x} 46)")>
                    {sign}
                    <text class="name" y="4.5">{format!(" {name}")}</text>
                </g>
            }
        })
        .collect_view();
    let burns = s.has_at(HazardKind::Fire, id);
    view! {
        <circle class="hit" r="36"></circle>
        {changed.then(|| view! { <circle class="changed" r="31"></circle> })}
        <circle class="spot" class:burns=burns r="24"></circle>
        <text class="id" y="6">{id.clone()}</text>
        {hazards}
        {signs}
    }
}
