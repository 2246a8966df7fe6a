//! What the scripts say in the end.

use graph::Graph;
use llm::Message;
use serde_json::{Value, json};
use tasks::rescue::{
    HazardKind, Injury, Question, RescuePlan, RescueRoute, RobotStatus, RouteStop, Scenario,
    UnreachableSurvivor, read_plan,
};

use super::mapping::{changes, graph_so_far, taking_part};
use super::{Played, ask};

/// States the plan that `plan_routes` gave, in the form that the prompt asks for.
pub(super) fn plan(now: &Scenario, graph: &Graph, result: &Value, mistaken: bool) -> Message {
    let (robots, survivors) = taking_part(now, graph);
    let Some(routes) = read_routes(now, &robots, &survivors, result) else {
        return Message::assistant("The planner gave nothing that I can read.");
    };
    let mut stated = RescuePlan { routes, unreachable: Vec::new(), optimal: None };
    for robot in now.robots.iter().filter(|r| r.status == RobotStatus::Available) {
        if !robots.contains(&robot.id.as_str()) {
            let path = vec![robot.at.clone()];
            let route =
                RescueRoute { robot: robot.id.clone(), path, stops: Vec::new(), length: 0.0 };
            stated.routes.push(route);
        }
    }
    for survivor in &now.survivors {
        let served = stated.routes.iter().flat_map(|r| &r.stops);
        if served.into_iter().any(|s| s.survivor == survivor.id) {
            continue;
        }
        let at = &survivor.at;
        let reason = if now.has_at(HazardKind::Fire, at) {
            format!("{at} burns")
        } else if robots.is_empty() {
            "no robot can leave".into()
        } else {
            format!("no safe way leads from any robot to {at}")
        };
        stated.unreachable.push(UnreachableSurvivor { survivor: survivor.id.clone(), reason });
    }
    let optimal = result.get("optimal").and_then(Value::as_bool).unwrap_or(false);
    let head = if mistaken {
        "The graph has the locations L0 and up. All robots are on their shortest ways:"
    } else if stated.routes.is_empty() {
        "There is no robot that can be sent."
    } else if optimal {
        "The plan, critical first; no plan reaches the critical sooner:"
    } else {
        "The plan, critical first; a good one, which may not be the best:"
    };
    Message::assistant(format!("{head}\n\n{}", stated.to_text()).trim_end())
}

fn read_routes(
    now: &Scenario,
    robots: &[&str],
    survivors: &[usize],
    result: &Value,
) -> Option<Vec<RescueRoute>> {
    let mut routes = Vec::new();
    for route in result.get("routes")?.as_array()? {
        let robot = robots.get(route.get("vehicle")?.as_u64()? as usize)?;
        let path = route.get("path")?.as_array()?;
        let path = path.iter().map(|id| Some(id.as_str()?.to_owned())).collect::<Option<_>>()?;
        let mut stops = Vec::new();
        for stop in route.get("stops")?.as_array()? {
            let place = *survivors.get(stop.get("target")?.as_u64()? as usize)?;
            let survivor = now.survivors.get(place)?;
            let arrival = stop.get("arrival")?.as_f64()?;
            stops.push(RouteStop {
                survivor: survivor.id.clone(),
                at: survivor.at.clone(),
                arrival,
            });
        }
        let length = route.get("length")?.as_f64()?;
        routes.push(RescueRoute { robot: (*robot).to_owned(), path, stops, length });
    }
    Some(routes)
}

/// Answers a question, from the data or with a call of a graph function.
pub(super) fn answer(
    question: &Question,
    now: &Scenario,
    messages: &[Message],
    turn: &Played<'_>,
) -> Message {
    let text = match question {
        Question::Survivors { injury } => survivors(now, *injury),
        Question::Robots => robots(now),
        Question::Hazards => hazards(now),
        Question::Location { id } => location(now, id),
        Question::Way { from, to } => return way(now, from, to, messages, turn),
        Question::Unreachable | Question::Robot { .. } => from_plan(question, messages),
    };
    Message::assistant(text)
}

fn list(items: Vec<String>, none: &str) -> String {
    if items.is_empty() { none.to_owned() } else { format!("{}.", items.join("; ")) }
}

fn survivors(now: &Scenario, injury: Option<Injury>) -> String {
    let which = now.survivors.iter().filter(|s| injury.is_none_or(|i| s.injury == i));
    let lines = which.map(|s| format!("{} at {}, {}", s.id, s.at, s.injury.title()));
    let none = match injury {
        Some(i) => format!("No survivor is {}.", i.title()),
        None => "No survivor waits.".into(),
    };
    list(lines.collect(), &none)
}

fn robots(now: &Scenario) -> String {
    let lines = now.robots.iter().map(|r| {
        let how = if r.status == RobotStatus::Lost { "lost" } else { "available" };
        format!("{} at {}, {how}", r.id, r.at)
    });
    list(lines.collect(), "There is no robot.")
}

fn hazards(now: &Scenario) -> String {
    let lines = now.hazards.iter().map(|h| format!("{} at {}", h.kind.title(), h.at));
    list(lines.collect(), "There is no hazard.")
}

fn location(now: &Scenario, id: &str) -> String {
    let mut lines: Vec<String> = now
        .hazards
        .iter()
        .filter(|h| h.at.involves(id))
        .map(|h| format!("{} at {}", h.kind.title(), h.at))
        .collect();
    let here = now.survivors.iter().filter(|s| s.at == id);
    lines.extend(here.map(|s| format!("survivor {}, {}", s.id, s.injury.title())));
    lines.extend(now.robots.iter().filter(|r| r.at == id).map(|r| format!("robot {}", r.id)));
    let roads: Vec<String> = now
        .roads_at(id)
        .map(|r| format!("{} ({})", if r.from == id { &r.to } else { &r.from }, r.distance))
        .collect();
    lines.push(format!(
        "roads to {}",
        if roads.is_empty() { "nowhere".into() } else { roads.join(", ") }
    ));
    format!("{id}: {}.", lines.join("; "))
}

/// From the last plan of the conversation.
fn from_plan(question: &Question, messages: &[Message]) -> String {
    let Some(plan) = messages.iter().rev().find_map(|m| read_plan(&m.content)) else {
        return "There is no plan yet: tell me to deploy the robots.".into();
    };
    match question {
        Question::Robot { id } => {
            let only = RescuePlan {
                routes: plan.routes.into_iter().filter(|r| r.robot == *id).collect(),
                unreachable: Vec::new(),
                optimal: None,
            };
            let text = only.to_text();
            if text.is_empty() { format!("{id} is not in the last plan.") } else { text }
        }
        _ => {
            let lines = plan.unreachable.iter().map(|u| format!("{}: {}", u.survivor, u.reason));
            list(lines.collect(), "By the last plan, everybody can be reached.")
        }
    }
}

fn way(now: &Scenario, from: &str, to: &str, messages: &[Message], turn: &Played<'_>) -> Message {
    if let Some(id) = [from, to].into_iter().find(|id| now.has_at(HazardKind::Fire, id)) {
        return Message::assistant(format!("{id} burns, so no safe way leads there."));
    }
    let changes = changes(now, &graph_so_far(messages));
    if !changes.is_empty() && !turn.has_mapped() {
        return ask(messages, "For that I need the graph.", changes);
    }
    match turn.result("find_shortest_path") {
        None => {
            let calls = vec![("find_shortest_path", json!({ "start": from, "end": to }))];
            ask(messages, "I ask the graph.", calls)
        }
        Some(Ok(result)) => {
            let path: Vec<&str> = result
                .get("path")
                .and_then(Value::as_array)
                .map(|p| p.iter().filter_map(Value::as_str).collect())
                .unwrap_or_default();
            Message::assistant(match result.get("length").and_then(Value::as_f64) {
                Some(length) => {
                    format!("{length} units of distance, by the way {}.", path.join(" -> "))
                }
                None => format!("No safe way leads from {from} to {to}."),
            })
        }
        Some(Err(error)) => Message::assistant(format!("I could not find that: {error}.")),
    }
}
