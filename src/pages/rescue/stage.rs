//! The middle column: the map, the routes on it, and what they are worth.

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use tasks::rescue::{DisasterEvent as Happening, HazardKind, Scenario};
use wasm_bindgen::JsCast as _;

use super::menu::Menu;
use super::plan_bar::{PlanBar, Tables};
use super::play;
use super::shapes;
use super::state::{Mode, PageState, Pick};
use crate::workbench::presenting::PresentMenu;
use crate::workbench::stage::PlayedBar;

/// Above this many locations the distances are shown when the map is larger, and in the table.
const MOST_LABELLED: usize = 60;
/// So many times as large as the place for it, which scrolls.
const MOST_ZOOM: u8 = 4;

#[component]
pub(super) fn StageColumn(state: PageState) -> impl IntoView {
    let as_table = RwSignal::new(false);
    let play = play::walk(state);
    let zoom = RwSignal::new(1_u8);
    // Another map is seen whole.
    let n_locations = Memo::new(move |_| state.disaster.with(|d| d.scenario().locations.len()));
    Effect::new(move |_| {
        n_locations.track();
        zoom.set(1);
    });
    view! {
        <section class="stage" aria-label="Map">
            <div class="tools" role="toolbar" aria-label="Map tools">
                <button
                    aria-label="Zoom out"
                    disabled=move || zoom.get() == 1
                    on:click=move |_| set_zoom(zoom, zoom.get_untracked() - 1)
                >
                    "−"
                </button>
                <button
                    aria-label="Zoom in"
                    data-testid="zoom-in"
                    disabled=move || zoom.get() == MOST_ZOOM
                    on:click=move |_| set_zoom(zoom, zoom.get_untracked() + 1)
                >
                    "+"
                </button>
                <button
                    data-testid="undo-event"
                    disabled=move || state.disaster.with(|d| d.undo.is_empty())
                    on:click=move |_| state.undo()
                >
                    "Undo"
                </button>
                <button data-testid="plan-exact" on:click=move |_| state.plan()>
                    "Plan without a model"
                </button>
                <button
                    aria-pressed=move || as_table.get().to_string()
                    data-testid="map-table"
                    on:click=move |_| as_table.update(|t| *t = !*t)
                >
                    "Table"
                </button>
                <PresentMenu/>
            </div>
            <Hint state/>
            <div class="canvas">
                {move || {
                    if as_table.get() {
                        view! { <Tables state/> }.into_any()
                    } else {
                        view! { <Map state zoom=zoom.into() n_gone=play.cursor/> }.into_any()
                    }
                }}
            </div>
            <PlayedBar player=play/>
            <News state/>
            <Menu state/>
            <PlanBar state/>
        </section>
    }
}

/// Changes the size of the map; what is in the middle stays there.
fn set_zoom(zoom: RwSignal<u8>, to: u8) {
    let canvas = document().query_selector(".rescue .canvas").ok().flatten();
    let middle = canvas.as_ref().map(|c| {
        let half = |room: i32, at: i32, whole: i32| {
            (f64::from(at) + f64::from(room) / 2.0) / f64::from(whole.max(1))
        };
        (
            half(c.client_width(), c.scroll_left(), c.scroll_width()),
            half(c.client_height(), c.scroll_top(), c.scroll_height()),
        )
    });
    zoom.set(to.clamp(1, MOST_ZOOM));
    request_animation_frame(move || {
        if let (Some(canvas), Some((x, y))) = (canvas, middle) {
            let at = |part: f64, whole: i32, room: i32| {
                (part * f64::from(whole) - f64::from(room) / 2.0).max(0.0) as i32
            };
            canvas.set_scroll_left(at(x, canvas.scroll_width(), canvas.client_width()));
            canvas.set_scroll_top(at(y, canvas.scroll_height(), canvas.client_height()));
        }
    });
}

/// What the next click does, where that is not picking.
#[component]
fn Hint(state: PageState) -> impl IntoView {
    let words = move || match state.mode.get() {
        Mode::Pick => None,
        Mode::AddLocation => Some("Click where the new location is.".to_owned()),
        Mode::Join(id) => Some(format!("Click the other end of the road from {id}.")),
        Mode::Move(id) => Some(format!("Click where {id} is to be drawn.")),
    };
    move || {
        words().map(|text| {
            view! {
                <p class="hint" role="status">
                    {text}
                    <button class="quiet" on:click=move |_| state.mode.set(Mode::Pick)>
                        "Leave it"
                    </button>
                </p>
            }
        })
    }
}

#[component]
fn Map(state: PageState, zoom: Signal<u8>, n_gone: Signal<usize>) -> impl IntoView {
    let svg = NodeRef::<leptos::svg::Svg>::new();
    let scenario = Memo::new(move |_| state.disaster.with(|d| d.scenario().clone()));
    let changed = Memo::new(move |_| state.disaster.with(|d| d.changed()));
    // The frame stays while nothing is added, so that nothing jumps.
    let frame = Memo::new(move |_| scenario.with(shapes::frame));
    let on_ground = move |event: MouseEvent| {
        let at = svg
            .get_untracked()
            .and_then(|svg| spot(&svg.get_bounding_client_rect(), frame.get_untracked(), &event));
        let Some((x, y)) = at else { return };
        match state.mode.get_untracked() {
            Mode::AddLocation => {
                state.happen(Happening::LocationAdded { x, y });
                state.mode.set(Mode::Pick);
            }
            Mode::Move(id) => {
                state.happen(Happening::LocationMoved { id, x, y });
                state.mode.set(Mode::Pick);
            }
            Mode::Pick | Mode::Join(_) => state.pick.set(None),
        }
    };
    let label = move || {
        state.disaster.with(|d| format!("Map: {}. Arrow keys walk over the locations.", d.facts()))
    };
    view! {
        <svg
            node_ref=svg
            class=move || {
                let aims = if state.mode.get() == Mode::Pick { "" } else { " aiming" };
                let many = scenario.with(|s| s.locations.len() > MOST_LABELLED);
                format!("map zoom-{}{aims}{}", zoom.get(), if many { " many" } else { "" })
            }
            data-testid="map"
            viewBox=move || {
                let (x, y, w, h) = frame.get();
                format!("{x:.0} {y:.0} {w:.0} {h:.0}")
            }
            role="group"
            aria-label=label
            on:click=on_ground
        >
            <g>{move || scenario.with(|s| roads(s, state))}</g>
            <g>
                {move || {
                    state.disaster
                        .with(|d| {
                            d.plan.as_ref().map(|plan| {
                                plan.routes
                                    .iter()
                                    .enumerate()
                                    .map(|(k, r)| shapes::route(d.scenario(), r, k, n_gone))
                                    .collect_view()
                            })
                        })
                }}
            </g>
            <g>{move || scenario.with(|s| labels(s, zoom.get() > 1))}</g>
            <g>{move || scenario.with(|s| changed.with(|c| locations(s, c, state)))}</g>
            <g>
                {move || {
                    state.disaster.with(|d| {
                        let routes = d.plan.iter().flat_map(|plan| plan.routes.iter().enumerate());
                        routes
                            .map(|(k, r)| shapes::under_way(d.scenario(), r, k, n_gone))
                            .collect_view()
                    })
                }}
            </g>
        </svg>
    }
}

/// Where on the map a click is.
fn spot(
    area: &web_sys::DomRect,
    (x, y, w, h): (f64, f64, f64, f64),
    event: &MouseEvent,
) -> Option<(f64, f64)> {
    let scale = (w / area.width().max(1.0)).max(h / area.height().max(1.0));
    let dx = f64::from(event.client_x()) - area.left() - area.width() / 2.0;
    let dy = f64::from(event.client_y()) - area.top() - area.height() / 2.0;
    let at = (x + w / 2.0 + dx * scale, y + h / 2.0 + dy * scale);
    let within = |v: f64| v.round().clamp(0.0, 1000.0);
    (at.0.is_finite() && at.1.is_finite()).then(|| (within(at.0), within(at.1)))
}

fn roads(s: &Scenario, state: PageState) -> impl IntoView + use<> {
    s.roads
        .iter()
        .filter_map(|r| {
            let (p, q) = (shapes::place(s, &r.from)?, shapes::place(s, &r.to)?);
            let line = format!("M{} {}L{} {}", p.0, p.1, q.0, q.1);
            let (class, _) = shapes::road_state(s, &r.from, &r.to);
            let (a, b) = (r.from.clone(), r.to.clone());
            let name = format!("{a}-{b}");
            Some(view! {
                <g class=class data-road=name>
                    <path class="line" d=line.clone()></path>
                    <path
                        class="grab"
                        d=line
                        on:click=move |e: MouseEvent| {
                            if state.mode.get_untracked() == Mode::Pick {
                                e.stop_propagation();
                                state.pick.set(Some(Pick::Road(a.clone(), b.clone())));
                            }
                        }
                    ></path>
                </g>
            })
        })
        .collect_view()
}

fn labels(s: &Scenario, all: bool) -> impl IntoView + use<> {
    let size = shapes::scale(s.locations.len());
    let n = s.locations.len();
    s.roads
        .iter()
        .filter_map(|r| {
            let (p, q) = (shapes::place(s, &r.from)?, shapes::place(s, &r.to)?);
            let (_, words) = shapes::road_state(s, &r.from, &r.to);
            let (x, y) = ((p.0 + q.0) / 2.0, (p.1 + q.1) / 2.0);
            let on = HazardKind::ALL.into_iter().find(|k| s.has_on(*k, &r.from, &r.to)).map(
                |kind| view! { <g transform="translate(0 -20)">{shapes::hazard_sign(kind)}</g> },
            );
            Some(view! {
                <g class="distance" transform=format!("translate({x:.1} {y:.1}) scale({size:.3})")>
                    {on}
                    {(all || n <= MOST_LABELLED).then(|| view! { <text y="5">{words}</text> })}
                </g>
            })
        })
        .collect_view()
}

fn locations(s: &Scenario, changed: &[String], state: PageState) -> impl IntoView + use<> {
    let size = shapes::scale(s.locations.len());
    let first = s.locations.first().map(|l| l.id.clone());
    s.locations
        .iter()
        .map(|l| {
            let id = l.id.clone();
            let is_changed = changed.contains(&id);
            let (x, y) = (l.x, l.y);
            let picked = {
                let id = id.clone();
                move || state.pick.with(|p| *p == Some(Pick::Location(id.clone())))
            };
            let (is_picked, is_first) = (picked.clone(), first.as_ref() == Some(&id));
            let nothing = move || state.pick.with(|p| !matches!(p, Some(Pick::Location(_))));
            let (click_id, key_id) = (id.clone(), id.clone());
            view! {
                <g
                    id=format!("at-{id}")
                    class="location"
                    class:picked=picked.clone()
                    transform=format!("translate({x} {y}) scale({size:.3})")
                    role="button"
                    data-location=id.clone()
                    aria-label=shapes::words(s, &id, is_changed)
                    aria-pressed=move || picked().to_string()
                    tabindex=move || {
                        if is_picked() || (is_first && nothing()) { "0" } else { "-1" }
                    }
                    on:click=move |e: MouseEvent| {
                        e.stop_propagation();
                        choose(state, &click_id);
                    }
                    on:keydown=move |e: KeyboardEvent| on_key(state, &key_id, &e)
                >
                    {shapes::location(s, l, is_changed)}
                </g>
            }
        })
        .collect_view()
}

fn choose(state: PageState, id: &str) {
    match state.mode.get_untracked() {
        Mode::Join(from) if from != id => {
            let distance = state.disaster.with_untracked(|d| {
                let s = d.scenario();
                let (p, q) = (shapes::place(s, &from)?, shapes::place(s, id)?);
                // As long as it is drawn, in units of a hundredth of the map.
                Some(((p.0 - q.0).hypot(p.1 - q.1) / 100.0).round().max(1.0))
            });
            let to = id.to_owned();
            state.mode.set(Mode::Pick);
            state.happen(Happening::RoadAdded {
                from: from.clone(),
                to: to.clone(),
                distance: distance.unwrap_or(1.0),
            });
            state.pick.set(Some(Pick::Road(from, to)));
        }
        _ => {
            state.mode.set(Mode::Pick);
            state.pick.set(Some(Pick::Location(id.to_owned())));
        }
    }
}

fn on_key(state: PageState, id: &str, event: &KeyboardEvent) {
    let key = event.key();
    match key.as_str() {
        "Enter" | " " => choose(state, id),
        "Escape" => {
            state.mode.set(Mode::Pick);
            state.pick.set(None);
        }
        "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" => {
            let next = state.disaster.with_untracked(|d| neighbour(d.scenario(), id, &key));
            if let Some(next) = next {
                state.pick.set(Some(Pick::Location(next.clone())));
                let element = document().get_element_by_id(&format!("at-{next}"));
                if let Some(element) =
                    element.and_then(|e| e.dyn_into::<web_sys::SvgElement>().ok())
                {
                    let _ = element.focus();
                }
            }
        }
        _ => return,
    }
    event.prevent_default();
}

/// The nearest location in the direction of an arrow key.
fn neighbour(s: &Scenario, id: &str, key: &str) -> Option<String> {
    let from = shapes::place(s, id)?;
    let others = s.locations.iter().filter(|l| l.id != id);
    let ahead = others.filter_map(|l| {
        let (dx, dy) = (l.x - from.0, l.y - from.1);
        let (along, across) = match key {
            "ArrowLeft" => (-dx, dy),
            "ArrowRight" => (dx, dy),
            "ArrowUp" => (-dy, dx),
            _ => (dy, dx),
        };
        (along > 1.0).then(|| (along + 2.0 * across.abs(), &l.id))
    });
    ahead.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id.clone())
}

/// What has happened by click since the plan, and how to tell it.
#[component]
fn News(state: PageState) -> impl IntoView {
    move || {
        state.disaster.with(|d| {
            (d.is_stale() && !d.pending.is_empty()).then(|| {
                view! {
                    <div class="news">
                        <p>
                            <b>"Since the plan: "</b>
                            {d.pending.join(" ")}
                        </p>
                        <button
                            class="run"
                            data-testid="replan"
                            disabled=move || state.session.is_busy()
                            on:click=move |_| {
                                state.say(state.disaster.with_untracked(|d| d.news()));
                            }
                        >
                            "Tell the model"
                        </button>
                    </div>
                }
            })
        })
    }
}
