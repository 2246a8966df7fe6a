//! Holds a graph that a model built against the scenario that it should map.

use graph::{Graph, NodeName};

use super::ids::number;
use super::{HazardKind, RescueFinding, RescueRule, Scenario, scenario_graph};

/// The location that a node stands for: its name, or its number where a model writes 3 for L3.
fn location<'a>(scenario: &'a Scenario, node: &NodeName) -> Option<&'a str> {
    let text = node.to_string();
    let ids = || scenario.locations.iter().map(|l| l.id.as_str());
    if let Some(id) = ids().find(|id| *id == text) {
        return Some(id);
    }
    node.as_int()?;
    let mut numbered = ids().filter(|id| {
        let digits = id.trim_start_matches(|c: char| !c.is_ascii_digit());
        !digits.is_empty() && digits == text
    });
    numbered.next().filter(|_| numbered.next().is_none())
}

/// What is wrong with a graph as a map of a scenario: nodes and edges that the data do not have,
/// edges into fire, weights without the debris factor or with one too many, open roads left out.
///
/// A node that stands alone in flames does no harm and is no finding.
pub fn check_graph(scenario: &Scenario, graph: &Graph) -> Vec<RescueFinding> {
    let mut found = Vec::new();
    for node in graph.names() {
        if location(scenario, node).is_none() {
            let message = format!("node {node} of the graph is no location of the scenario");
            found.push(RescueFinding::new(RescueRule::UnknownName, message));
        }
    }
    for edge in graph.edges() {
        let (Some(a), Some(b)) = (location(scenario, edge.source), location(scenario, edge.target))
        else {
            continue;
        };
        let Some(road) = scenario.road(a, b) else {
            let message = format!("edge {a} - {b} of the graph is no road of the scenario");
            found.push(RescueFinding::new(RescueRule::NoSuchRoad, message).at(&[a, b]));
            continue;
        };
        if let Some(end) = [a, b].into_iter().find(|id| scenario.has_at(HazardKind::Fire, id)) {
            let message = format!("edge {a} - {b} of the graph leads into the fire at {end}");
            found.push(RescueFinding::new(RescueRule::ThroughFire, message).at(&[a, b]));
            continue;
        }
        if scenario.has_on(HazardKind::Fire, a, b) {
            let message = format!("edge {a} - {b} of the graph is a road that burns");
            found.push(RescueFinding::new(RescueRule::ThroughFire, message).at(&[a, b]));
            continue;
        }
        if scenario.has_on(HazardKind::Collapse, a, b) {
            let message = format!("edge {a} - {b} of the graph is a closed road");
            found.push(RescueFinding::new(RescueRule::ClosedRoad, message).at(&[a, b]));
            continue;
        }
        let debris = scenario.has_on(HazardKind::Debris, a, b)
            || [a, b].iter().any(|id| scenario.has_at(HazardKind::Debris, id));
        let right = if debris { 3.0 * road.distance } else { road.distance };
        let weight = edge.weight_or_one();
        if (weight - right).abs() > 1e-6 * right.max(1.0) {
            let why = if debris {
                format!("3 times {} for the debris", number(road.distance))
            } else {
                "its distance, without debris".into()
            };
            let message = format!(
                "edge {a} - {b} of the graph weighs {}; it takes {} ({why})",
                number(weight),
                number(right)
            );
            found.push(RescueFinding::new(RescueRule::WrongDistance, message).at(&[a, b]));
        }
    }
    found.extend(missing(scenario, graph));
    found
}

fn missing(scenario: &Scenario, graph: &Graph) -> Vec<RescueFinding> {
    let mut found = Vec::new();
    // A scenario that is whole always has a graph.
    let Ok(whole) = scenario_graph(scenario) else { return found };
    let names: Vec<(&NodeName, Option<&str>)> =
        graph.names().map(|n| (n, location(scenario, n))).collect();
    let node = |id: &str| names.iter().find(|(_, l)| *l == Some(id)).map(|(n, _)| *n);
    for name in whole.names() {
        let id = name.to_string();
        if node(&id).is_none() {
            let message = format!("location {id} is not in the graph");
            found.push(RescueFinding::new(RescueRule::Missing, message).at(&[&id]));
        }
    }
    for edge in whole.edges() {
        let (a, b) = (edge.source.to_string(), edge.target.to_string());
        if let (Some(x), Some(y)) = (node(&a), node(&b))
            && graph.edge(x, y).is_none()
        {
            let message = format!("the road {a} - {b} is open and not in the graph");
            found.push(RescueFinding::new(RescueRule::Missing, message).at(&[&a, &b]));
        }
    }
    found
}
