//! Beside the map: what the plan is worth, what the symbols mean, and all of it as tables.

use leptos::prelude::*;
use tasks::rescue::{HazardKind, Injury, RobotStatus};

use super::shapes;
use super::state::{PageState, Pick};
use crate::services::screen;

/// The routes in words, what the verifier says of them, and what has changed since.
#[component]
pub(super) fn PlanBar(state: PageState) -> impl IntoView {
    let plan = Memo::new(move |_| state.disaster.with(|d| d.plan.clone()));
    let verdict = move || {
        state.disaster.with(|d| {
            let n = d.findings.len();
            let (tone, word) = if n == 0 { ("ok", "No fault") } else { ("no", "Faults") };
            let text = match (n, d.is_stale()) {
                (0, false) => "Every rule is kept.".to_owned(),
                (0, true) => "The map has changed; the plan still keeps every rule.".into(),
                (n, false) => format!("{n} found in this plan."),
                (n, true) => format!("{n} found: the map has changed since the plan."),
            };
            let lines: Vec<_> =
                d.findings.iter().map(|f| view! { <li>{f.message.clone()}</li> }).collect();
            view! {
                <div class=format!("card {tone}") data-testid="plan-verdict" data-verdict=word>
                    <b>"Verifier"</b>
                    <strong>{word}</strong>
                    <p>{text}</p>
                    {(n > 0).then(|| view! { <ul class="findings">{lines}</ul> })}
                </div>
            }
        })
    };
    view! {
        <div class="plan-bar" aria-live="polite">
            {move || {
                plan.with(|p| {
                    p.as_ref().map(|p| {
                        let routes = p
                            .routes
                            .iter()
                            .enumerate()
                            .map(|(k, r)| {
                                let stops: Vec<String> = r
                                    .stops
                                    .iter()
                                    .map(|s| format!("{} at {}", s.survivor, s.arrival))
                                    .collect();
                                let text = if stops.is_empty() {
                                    "stays".to_owned()
                                } else {
                                    format!("{}; {} in all", stops.join(", "), r.length)
                                };
                                view! {
                                    <li>
                                        <svg viewBox="0 0 44 12" aria-hidden="true">
                                            <g class=shapes::route_class(k)>
                                                <g class="step">
                                                    <path class="line" d="M2 6L42 6"></path>
                                                </g>
                                            </g>
                                        </svg>
                                        <b>{r.robot.clone()}</b>
                                        <span>{text}</span>
                                    </li>
                                }
                            })
                            .collect_view();
                        let cut = p
                            .unreachable
                            .iter()
                            .map(|u| {
                                view! {
                                    <li class="cut">
                                        <b>{u.survivor.clone()}</b>
                                        <span>"cannot be reached: " {u.reason.clone()}</span>
                                    </li>
                                }
                            })
                            .collect_view();
                        let best = match (p.optimal, state.took_ms.get()) {
                            (Some(true), Some(ms)) => {
                                Some(format!("Proven best, found in {ms:.1} ms."))
                            }
                            (Some(false), Some(ms)) => {
                                Some(format!("A good plan, found in {ms:.1} ms; too large to prove best."))
                            }
                            _ => None,
                        };
                        view! {
                            <div class="plan">
                                <ul class="routes" data-testid="routes">{routes}{cut}</ul>
                                <div class="verdicts one">{verdict}</div>
                            </div>
                            {best.map(|b| view! { <p class="facts" data-testid="best">{b}</p> })}
                        }
                    })
                })
            }}
            <Key/>
        </div>
    }
}

/// What the symbols mean.
#[component]
fn Key() -> impl IntoView {
    let sign = |drawing: AnyView, words: &'static str| {
        view! {
            <li>
                <svg viewBox="-22 -22 44 44" aria-hidden="true">{drawing}</svg>
                {words}
            </li>
        }
    };
    view! {
        <details class="key" open=!screen::is_narrow()>
            <summary>"What the symbols mean"</summary>
            <ul>
                {sign(shapes::hazard_sign(HazardKind::Fire).into_any(), "fire: no way through")}
                {sign(shapes::hazard_sign(HazardKind::Debris).into_any(), "debris: three times as slow")}
                {sign(shapes::hazard_sign(HazardKind::Collapse).into_any(), "fallen building: closes a road")}
                {sign(shapes::survivor_sign(Injury::High).into_any(), "survivor, critical")}
                {sign(shapes::survivor_sign(Injury::Medium).into_any(), "survivor, serious")}
                {sign(shapes::survivor_sign(Injury::Low).into_any(), "survivor, minor")}
                {sign(shapes::robot_sign(RobotStatus::Available).into_any(), "robot")}
                {sign(shapes::robot_sign(RobotStatus::Lost).into_any(), "robot, lost")}
                {sign(
                    view! { <circle class="changed" r="17"></circle> }.into_any(),
                    "changed since the plan",
                )}
            </ul>
        </details>
    }
}

/// The map as tables.
#[component]
pub(super) fn Tables(state: PageState) -> impl IntoView {
    let rows = move || {
        state.disaster.with(|d| {
            let (s, changed) = (d.scenario(), d.changed());
            s.locations
                .iter()
                .map(|l| {
                    let words = shapes::words(s, &l.id, changed.contains(&l.id));
                    let rest = words.strip_prefix(&format!("{}, ", l.id)).map(str::to_owned);
                    let id = l.id.clone();
                    view! {
                        <tr>
                            <td>
                                <button
                                    class="link"
                                    on:click=move |_| {
                                        state.pick.set(Some(Pick::Location(id.clone())));
                                    }
                                >
                                    {l.id.clone()}
                                </button>
                            </td>
                            <td>{rest}</td>
                        </tr>
                    }
                })
                .collect_view()
        })
    };
    let roads = move || {
        state.disaster.with(|d| {
            let s = d.scenario();
            s.roads
                .iter()
                .map(|r| {
                    let (a, b) = (r.from.clone(), r.to.clone());
                    let (_, words) = shapes::road_state(s, &a, &b);
                    let name = format!("{a} - {b}");
                    view! {
                        <tr>
                            <td>
                                <button
                                    class="link"
                                    on:click=move |_| {
                                        state.pick.set(Some(Pick::Road(a.clone(), b.clone())));
                                    }
                                >
                                    {name}
                                </button>
                            </td>
                            <td>{words}</td>
                        </tr>
                    }
                })
                .collect_view()
        })
    };
    view! {
        <div class="map-tables" tabindex="0">
            <table>
                <thead>
                    <tr>
                        <th>"Location"</th>
                        <th>"What is there"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <table>
                <thead>
                    <tr>
                        <th>"Road"</th>
                        <th>"Distance"</th>
                    </tr>
                </thead>
                <tbody>{roads}</tbody>
            </table>
        </div>
    }
}
