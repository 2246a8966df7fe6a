//! From the environment to a graph: which calls bring the graph up to date.

use agent::ToolSet as _;
use graph::Graph;
use llm::Message;
use serde_json::{Value, json};
use tasks::rescue::{HazardKind, Place, RobotStatus, Scenario, scenario_graph};

use super::{node, result_of};
use crate::grounded::GraphTools;

/// Calls to make: function and arguments.
pub(super) type Calls = Vec<(&'static str, Value)>;

/// The functions that build or change the graph.
pub(super) const BUILDS: [&str; 5] =
    ["create_graph", "add_nodes", "add_edges", "delete_nodes", "delete_edges"];

/// The graph that the calls of the conversation have built, played again.
pub(super) fn graph_so_far(messages: &[Message]) -> Graph {
    let mut tools = GraphTools::default();
    for call in messages.iter().flat_map(|m| &m.tool_calls) {
        let told = messages.iter().find(|m| m.tool_call_id.as_deref() == Some(call.id.as_str()));
        let worked = told.and_then(|m| result_of(&m.content)).is_some_and(|r| r.is_ok());
        if worked && BUILDS.contains(&call.name.as_str()) {
            // It worked when it was made, so it works again.
            let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
            let _ = tools.call(&call.name, arguments);
        }
    }
    tools.graph().clone()
}

/// The calls that make a graph out of the environment, or change one that is there.
pub(super) fn changes(now: &Scenario, graph: &Graph) -> Calls {
    // A scenario that was read back is whole.
    let Ok(wanted) = scenario_graph(now) else { return Vec::new() };
    let mut calls = Calls::new();
    if graph.n_nodes() == 0 {
        calls.push(("create_graph", json!({ "directed": false, "weighted": true })));
    }
    let gone: Vec<_> = graph.names().filter(|n| !wanted.has_node(n)).collect();
    if !gone.is_empty() {
        calls.push(("delete_nodes", json!({ "nodes": gone })));
    }
    let shut: Vec<_> = graph
        .edges()
        .filter(|e| wanted.has_node(e.source) && wanted.has_node(e.target))
        .filter(|e| wanted.edge(e.source, e.target).is_none())
        .map(|e| (e.source, e.target))
        .collect();
    if !shut.is_empty() {
        calls.push(("delete_edges", json!({ "edges": shut })));
    }
    let fresh: Vec<_> = wanted.names().filter(|n| !graph.has_node(n)).collect();
    if !fresh.is_empty() {
        calls.push(("add_nodes", json!({ "nodes": fresh })));
    }
    let (mut edges, mut weights) = (Vec::new(), Vec::new());
    for e in wanted.edges() {
        let same = graph.edge(e.source, e.target).is_some_and(|old| old.weight == e.weight);
        if !same {
            edges.push((e.source, e.target));
            weights.push(e.weight_or_one());
        }
    }
    if !edges.is_empty() {
        calls.push(("add_edges", json!({ "edges": edges, "weights": weights })));
    }
    calls
}

/// What a careless model makes of the environment: a node before the first, fires with the factor
/// of debris, debris without it, a road that ends elsewhere, and a short cut for the first robot.
/// When a location burns, it deletes the node; every other change it forgets.
pub(super) fn mistaken_changes(now: &Scenario, graph: &Graph) -> Calls {
    let burns = |id: &str| now.has_at(HazardKind::Fire, id);
    if graph.n_nodes() > 0 {
        // The data tell the newest fire last; older ones it never took out.
        let news: Vec<&str> = now
            .hazards
            .iter()
            .filter_map(|h| match (&h.at, h.kind) {
                (Place::Location(id), HazardKind::Fire) => Some(id.as_str()),
                _ => None,
            })
            .filter(|id| graph.has_node(&node(id)))
            .collect();
        return match news.last() {
            Some(id) => vec![("delete_nodes", json!({ "nodes": [id] }))],
            None => Vec::new(),
        };
    }
    let mut nodes = vec!["L0".to_owned()];
    nodes.extend(now.locations.iter().map(|l| l.id.clone()));
    let (mut edges, mut weights) = (Vec::new(), Vec::new());
    let slow = |a: &str| now.has_at(HazardKind::Debris, a);
    // The last road into debris keeps its distance.
    let forgot = now.roads.iter().rposition(|r| slow(&r.from) || slow(&r.to));
    for (i, road) in now.roads.iter().enumerate() {
        let last = i + 1 == now.roads.len();
        let elsewhere = now
            .locations
            .iter()
            .map(|l| l.id.as_str())
            .rfind(|id| burns(id) && *id != road.from && now.road(&road.from, id).is_none());
        let to = elsewhere.filter(|_| last).unwrap_or(&road.to);
        let factor = [road.from.as_str(), to].iter().any(|id| slow(id) || burns(id));
        let factor = if factor && forgot != Some(i) { 3.0 } else { 1.0 };
        edges.push((road.from.clone(), to.to_owned()));
        weights.push(road.distance * factor);
    }
    if let Some(robot) = now.robots.iter().find(|r| r.status == RobotStatus::Available) {
        let far = now
            .survivors
            .iter()
            .map(|s| &s.at)
            .find(|at| **at != robot.at && now.road(at, &robot.at).is_none());
        if let Some(at) = far {
            edges.push((robot.at.clone(), at.clone()));
            weights.push(1.0);
        }
    }
    vec![
        ("create_graph", json!({ "directed": false, "weighted": true })),
        ("add_nodes", json!({ "nodes": nodes })),
        ("add_edges", json!({ "edges": edges, "weights": weights })),
    ]
}

/// The robots that can leave and the survivors whose location is in the graph, in the order in which
/// the plan numbers them.
pub(super) fn taking_part<'a>(now: &'a Scenario, graph: &Graph) -> (Vec<&'a str>, Vec<usize>) {
    let robots = now
        .robots
        .iter()
        .filter(|r| r.status == RobotStatus::Available && graph.has_node(&node(&r.at)))
        .map(|r| r.id.as_str())
        .collect();
    let survivors =
        (0..now.survivors.len()).filter(|&i| graph.has_node(&node(&now.survivors[i].at))).collect();
    (robots, survivors)
}

pub(super) fn plan_call(now: &Scenario, graph: &Graph) -> Value {
    let (robots, survivors) = taking_part(now, graph);
    let at = |id: &&str| now.robots.iter().find(|r| r.id == **id).map(|r| r.at.clone());
    let starts: Vec<String> = robots.iter().filter_map(at).collect();
    let targets: Vec<&str> = survivors.iter().map(|&i| now.survivors[i].at.as_str()).collect();
    let priorities: Vec<u32> =
        survivors.iter().map(|&i| now.survivors[i].injury.priority()).collect();
    json!({ "starts": starts, "targets": targets, "priorities": priorities })
}
