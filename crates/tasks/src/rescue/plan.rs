//! From a scenario to a graph, and from the graph to a plan.

use std::fmt::Write as _;

use graph::functions::FunctionError;
use graph::functions::plan_routes::{Args, plan_routes};
use graph::{Graph, GraphError, NodeName};
use serde::{Deserialize, Serialize};

use super::ids::number;
use super::{DEBRIS_FACTOR, HazardKind, Robot, RobotStatus, Scenario, Survivor};

/// Who goes where, in which order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RescuePlan {
    /// One route for each robot that can be sent.
    pub routes: Vec<RescueRoute>,
    /// Who cannot be reached, and why.
    pub unreachable: Vec<UnreachableSurvivor>,
    /// Whether the planner knows that no plan is better; absent where a text does not say.
    #[serde(default)]
    pub optimal: Option<bool>,
}

/// What one robot does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RescueRoute {
    /// The name of the robot.
    pub robot: String,
    /// Every location from where it stands to its last survivor.
    pub path: Vec<String>,
    /// Whom it serves, in order.
    pub stops: Vec<RouteStop>,
    /// The length of the path in units of distance, debris counted.
    pub length: f64,
}

/// A survivor whom a route serves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteStop {
    /// The name of the survivor.
    pub survivor: String,
    /// The location of the survivor.
    pub at: String,
    /// The length of the path up to here.
    pub arrival: f64,
}

/// A survivor whom nobody can reach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnreachableSurvivor {
    /// The name of the survivor.
    pub survivor: String,
    /// Why nobody can reach the survivor.
    pub reason: String,
}

impl RescuePlan {
    /// The plan in the words that the system asks a model for, which
    /// [`read_plan`](super::read_plan) reads back.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for route in &self.routes {
            let first = route.path.first().map_or("", String::as_str);
            let _ = if route.stops.is_empty() {
                writeln!(text, "{}: stays at {first}", route.robot)
            } else {
                let serves: Vec<String> = route
                    .stops
                    .iter()
                    .map(|s| format!("{} at {}", s.survivor, number(s.arrival)))
                    .collect();
                writeln!(
                    text,
                    "{}: {}; serves {}; length {}",
                    route.robot,
                    route.path.join(" -> "),
                    serves.join(", "),
                    number(route.length)
                )
            };
        }
        for u in &self.unreachable {
            let _ = writeln!(text, "Unreachable: {} ({})", u.survivor, u.reason);
        }
        text
    }
}

/// The graph of a scenario: its safe locations, and its open roads with the time they take.
///
/// A location in flames is no node, and a road that burns or is closed is no edge. A road that
/// touches debris, at an end or on it, weighs [`DEBRIS_FACTOR`] times its distance, once.
///
/// Paper: Graph-Grounded LLMs §V. Departs from it: its transcript keeps burning locations as nodes
/// and only means to avoid them, because what is not in the graph cannot be walked by mistake.
///
/// # Errors
/// None for a scenario that is whole.
pub fn scenario_graph(scenario: &Scenario) -> Result<Graph, GraphError> {
    let mut graph = Graph::undirected();
    let burns = |id: &str| scenario.has_at(HazardKind::Fire, id);
    for location in scenario.locations.iter().filter(|l| !burns(&l.id)) {
        graph.ensure_node(location.id.as_str())?;
    }
    for road in &scenario.roads {
        let (a, b) = (road.from.as_str(), road.to.as_str());
        let closed = [HazardKind::Fire, HazardKind::Collapse];
        if burns(a) || burns(b) || closed.iter().any(|k| scenario.has_on(*k, a, b)) {
            continue;
        }
        let debris = scenario.has_on(HazardKind::Debris, a, b)
            || [a, b].iter().any(|id| scenario.has_at(HazardKind::Debris, id));
        let factor = if debris { DEBRIS_FACTOR } else { 1.0 };
        graph.link_weighted(a, b, road.distance * factor)?;
    }
    Ok(graph)
}

/// The best plan that `plan_routes` finds on the scenario's graph.
///
/// # Errors
/// None for a scenario that is whole.
///
/// # Complexity
/// As `plan_routes`.
pub fn plan(scenario: &Scenario) -> Result<RescuePlan, FunctionError> {
    let graph = scenario_graph(scenario)?;
    let stands = |at: &str| graph.has_node(&NodeName::from(at));
    let robots: Vec<&Robot> =
        scenario.robots.iter().filter(|r| r.status == RobotStatus::Available).collect();
    let free: Vec<&Robot> = robots.iter().copied().filter(|r| stands(&r.at)).collect();
    let waiting: Vec<&Survivor> = scenario.survivors.iter().filter(|s| stands(&s.at)).collect();
    let found = plan_routes(
        &graph,
        &Args {
            starts: free.iter().map(|r| r.at.as_str().into()).collect(),
            targets: waiting.iter().map(|s| s.at.as_str().into()).collect(),
            priorities: Some(waiting.iter().map(|s| s.injury.priority()).collect()),
            blocked_nodes: Vec::new(),
            blocked_edges: Vec::new(),
        },
    )?;
    let mut routes = Vec::new();
    for robot in robots {
        let route = free
            .iter()
            .position(|r| r.id == robot.id)
            .and_then(|place| found.routes.get(place))
            .map(|r| RescueRoute {
                robot: robot.id.clone(),
                path: r.path.iter().map(ToString::to_string).collect(),
                stops: r
                    .stops
                    .iter()
                    .map(|s| RouteStop {
                        survivor: waiting[s.target].id.clone(),
                        at: s.node.to_string(),
                        arrival: s.arrival,
                    })
                    .collect(),
                length: r.length,
            });
        routes.push(route.unwrap_or_else(|| RescueRoute {
            robot: robot.id.clone(),
            path: vec![robot.at.clone()],
            stops: Vec::new(),
            length: 0.0,
        }));
    }
    let lost = |s: &&Survivor| found.unreachable.iter().any(|u| waiting[u.target].id == s.id);
    let unreachable = scenario
        .survivors
        .iter()
        .filter(|s| !stands(&s.at) || lost(s))
        .map(|s| UnreachableSurvivor {
            survivor: s.id.clone(),
            reason: why(s, &stands, free.is_empty()),
        })
        .collect();
    Ok(RescuePlan { routes, unreachable, optimal: Some(found.optimal) })
}

fn why(survivor: &Survivor, stands: &dyn Fn(&str) -> bool, nobody: bool) -> String {
    let at = &survivor.at;
    if !stands(at) {
        format!("{at} burns")
    } else if nobody {
        "no robot can leave".into()
    } else {
        format!("no safe way leads from any robot to {at}")
    }
}
