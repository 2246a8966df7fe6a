//! What can happen at the place that is picked.

use leptos::prelude::*;
use tasks::rescue::{DisasterEvent as Happening, HazardKind, Injury, Place, RobotStatus, Scenario};

use super::state::{Mode, PageState, Pick};

/// A button that lets something happen.
fn act(state: PageState, words: String, event: Happening) -> AnyView {
    view! {
        <button class="ghost" on:click=move |_| state.happen(event.clone())>
            {words}
        </button>
    }
    .into_any()
}

/// Hazards that can come or go at a place.
fn hazards(state: PageState, place: &Place, has: impl Fn(HazardKind) -> bool) -> Vec<AnyView> {
    HazardKind::ALL
        .into_iter()
        .map(|kind| {
            let at = place.clone();
            let is_road = matches!(place, Place::Road(..));
            if has(kind) {
                let words = match kind {
                    HazardKind::Fire => "Fire is out",
                    HazardKind::Debris => "Debris is cleared",
                    HazardKind::Collapse if is_road => "Road is open again",
                    HazardKind::Collapse => "Building is cleared",
                };
                act(state, words.into(), Happening::HazardEnds { kind, at })
            } else {
                let words = match kind {
                    HazardKind::Fire => "Fire here",
                    HazardKind::Debris => "Debris here",
                    HazardKind::Collapse if is_road => "Road is closed",
                    HazardKind::Collapse => "Building collapses",
                };
                act(state, words.into(), Happening::HazardAppears { kind, at })
            }
        })
        .collect()
}

/// The menu of what is picked.
#[component]
pub(super) fn Menu(state: PageState) -> impl IntoView {
    move || {
        let pick = state.pick.get()?;
        let body = state.disaster.with(|d| match &pick {
            Pick::Location(id) => at_location(state, d.scenario(), id),
            Pick::Road(a, b) => on_road(state, d.scenario(), a, b),
        })?;
        let title = match &pick {
            Pick::Location(id) => id.clone(),
            Pick::Road(a, b) => format!("Road {a} - {b}"),
        };
        let label = title.clone();
        Some(view! {
            <div class="menu" data-testid="menu" role="group" aria-label=label>
                <div class="heading">
                    <h2>{title}</h2>
                    <button
                        class="quiet"
                        aria-label="Close the menu"
                        on:click=move |_| state.pick.set(None)
                    >
                        "Close"
                    </button>
                </div>
                {body}
            </div>
        })
    }
}

fn at_location(state: PageState, s: &Scenario, id: &str) -> Option<AnyView> {
    s.locations.iter().find(|l| l.id == id)?;
    let at = || id.to_owned();
    let place = Place::Location(at());
    let mut events = hazards(state, &place, |kind| s.has_at(kind, id));
    events.extend(Injury::ALL.into_iter().map(|injury| {
        let words = format!("Survivor, {}", injury.title());
        act(state, words, Happening::SurvivorFound { at: at(), injury })
    }));
    events.push(act(state, "New robot".into(), Happening::RobotArrives { at: at() }));
    let mut people = Vec::new();
    for x in s.survivors.iter().filter(|x| x.at == id) {
        let who = || x.id.clone();
        let rescued = Happening::SurvivorRescued { id: who() };
        people.push(act(state, format!("{} is rescued", x.id), rescued));
        for injury in Injury::ALL.into_iter().filter(|i| *i != x.injury) {
            let words = format!("{} is {}", x.id, injury.title());
            people.push(act(state, words, Happening::InjuryChanges { id: who(), injury }));
        }
    }
    for r in s.robots.iter().filter(|r| r.at == id) {
        let which = || r.id.clone();
        people.push(if r.status == RobotStatus::Lost {
            act(state, format!("{} is back", r.id), Happening::RobotBack { id: which() })
        } else {
            act(state, format!("{} is lost", r.id), Happening::RobotLost { id: which() })
        });
        let gone = Happening::RobotRemoved { id: which() };
        people.push(act(state, format!("Take {} off the map", r.id), gone));
    }
    for r in s.robots.iter().filter(|r| r.at != id && r.status == RobotStatus::Available).take(6) {
        let event = Happening::RobotMoves { id: r.id.clone(), at: at() };
        people.push(act(state, format!("{} is here now", r.id), event));
    }
    let roads: Vec<_> = s
        .roads_at(id)
        .map(|r| {
            let other = if r.from == id { r.to.clone() } else { r.from.clone() };
            let (a, b) = (r.from.clone(), r.to.clone());
            let words = format!("Road to {other}");
            let pick = move |_| state.pick.set(Some(Pick::Road(a.clone(), b.clone())));
            view! { <button class="ghost" on:click=pick>{words}</button> }
        })
        .collect();
    let (join, shift, gone) = (at(), at(), at());
    Some(
        view! {
            <div class="choices">{events}</div>
            {(!people.is_empty()).then(|| view! { <div class="choices">{people}</div> })}
            <div class="choices">
                {roads}
                <button class="ghost" on:click=move |_| state.mode.set(Mode::Join(join.clone()))>
                    "New road from here"
                </button>
                <button class="ghost" on:click=move |_| state.mode.set(Mode::Move(shift.clone()))>
                    "Draw it elsewhere"
                </button>
                <button
                    class="ghost"
                    on:click=move |_| {
                        state.happen(Happening::LocationRemoved { id: gone.clone() });
                        state.pick.set(None);
                    }
                >
                    "Take it off the map"
                </button>
            </div>
        }
        .into_any(),
    )
}

fn on_road(state: PageState, s: &Scenario, a: &str, b: &str) -> Option<AnyView> {
    let road = s.road(a, b)?;
    let place = Place::Road(a.to_owned(), b.to_owned());
    let events = hazards(state, &place, |kind| s.has_on(kind, a, b));
    let distance = road.distance;
    let ends = (a.to_owned(), b.to_owned());
    let gone = ends.clone();
    Some(
        view! {
            <div class="choices">{events}</div>
            <div class="choices">
                <label class="row">
                    <span>"Distance"</span>
                    <input
                        type="number"
                        min="0"
                        step="any"
                        data-testid="distance"
                        prop:value=distance.to_string()
                        on:change=move |e| {
                            if let Ok(distance) = event_target_value(&e).parse::<f64>() {
                                let (from, to) = ends.clone();
                                state.happen(Happening::DistanceChanges { from, to, distance });
                            }
                        }
                    />
                </label>
                <button
                    class="ghost"
                    on:click=move |_| {
                        let (from, to) = gone.clone();
                        state.happen(Happening::RoadRemoved { from, to });
                        state.pick.set(None);
                    }
                >
                    "Take it off the map"
                </button>
            </div>
        }
        .into_any(),
    )
}
