//! What the model may call: the environment, and all graph functions over the graph it builds.

use agent::{ToolFailure, ToolOutput, ToolSet};
use graph::Graph;
use llm::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};
use tasks::rescue::{DisasterEvent, HazardKind, Injury, Place, Scenario};
use trace::Effects;

use super::facts;
use crate::grounded::GraphTools;

/// The environment functions and the graph functions, over one scenario and one graph.
///
/// Paper: Graph-Grounded LLMs §V has `get_environment_data` and `get_environment_map_data`. Its
/// model changes the graph alone when the user reports a fire; `update_environment` is ours, so that
/// the data and the graph tell the same.
#[derive(Clone, Debug)]
pub struct RescueTools {
    scenario: Scenario,
    graph: GraphTools,
}

impl RescueTools {
    /// The tools over a scenario, and the graph as the turns before left it.
    pub fn new(scenario: Scenario, graph: Graph) -> Self {
        Self { scenario, graph: GraphTools::over(graph) }
    }

    /// The environment and the graph as the calls have left them.
    pub fn into_parts(self) -> (Scenario, Graph) {
        let graph = self.graph.graph().clone();
        (self.scenario, graph)
    }
}

/// Arguments of `update_environment`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Update {
    event: String,
    #[serde(default)]
    hazard: Option<HazardKind>,
    #[serde(default)]
    location: Option<String>,
    #[serde(default)]
    other_end: Option<String>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    injury_level: Option<Injury>,
}

const EVENTS: [&str; 9] = [
    "hazard_appears",
    "hazard_ends",
    "survivor_found",
    "survivor_rescued",
    "injury_changes",
    "robot_lost",
    "robot_back",
    "robot_moves",
    "robot_arrives",
];

impl Update {
    fn event(self) -> Result<DisasterEvent, String> {
        let name = self.event.clone();
        let missing = |what: &str| format!("{name} needs {what}");
        let id = || self.id.clone().ok_or_else(|| missing("id"));
        let at = || self.location.clone().ok_or_else(|| missing("location"));
        let hazard = || {
            let kind = self.hazard.ok_or_else(|| missing("hazard"))?;
            let place = match (at()?, self.other_end.clone()) {
                (a, Some(b)) => Place::Road(a, b),
                (a, None) => Place::Location(a),
            };
            Ok::<_, String>((kind, place))
        };
        let injury = || self.injury_level.ok_or_else(|| missing("injury_level"));
        Ok(match name.as_str() {
            "hazard_appears" => {
                hazard().map(|(kind, at)| DisasterEvent::HazardAppears { kind, at })?
            }
            "hazard_ends" => hazard().map(|(kind, at)| DisasterEvent::HazardEnds { kind, at })?,
            "survivor_found" => DisasterEvent::SurvivorFound { at: at()?, injury: injury()? },
            "survivor_rescued" => DisasterEvent::SurvivorRescued { id: id()? },
            "injury_changes" => DisasterEvent::InjuryChanges { id: id()?, injury: injury()? },
            "robot_lost" => DisasterEvent::RobotLost { id: id()? },
            "robot_back" => DisasterEvent::RobotBack { id: id()? },
            "robot_moves" => DisasterEvent::RobotMoves { id: id()?, at: at()? },
            "robot_arrives" => DisasterEvent::RobotArrives { at: at()? },
            other => return Err(format!("there is no event {other:?}; there are {EVENTS:?}")),
        })
    }
}

/// The call that reports an event; `None` for the editor's, which no model makes.
pub(super) fn report(event: &DisasterEvent) -> Option<Value> {
    let place = |name: &str, kind: &HazardKind, at: &Place| {
        let mut value = json!({ "event": name, "hazard": kind });
        match at {
            Place::Location(id) => value["location"] = id.as_str().into(),
            Place::Road(a, b) => {
                value["location"] = a.as_str().into();
                value["other_end"] = b.as_str().into();
            }
        }
        value
    };
    Some(match event {
        DisasterEvent::HazardAppears { kind, at } => place("hazard_appears", kind, at),
        DisasterEvent::HazardEnds { kind, at } => place("hazard_ends", kind, at),
        DisasterEvent::SurvivorFound { at, injury } => {
            json!({ "event": "survivor_found", "location": at, "injury_level": injury })
        }
        DisasterEvent::SurvivorRescued { id } => json!({ "event": "survivor_rescued", "id": id }),
        DisasterEvent::InjuryChanges { id, injury } => {
            json!({ "event": "injury_changes", "id": id, "injury_level": injury })
        }
        DisasterEvent::RobotLost { id } => json!({ "event": "robot_lost", "id": id }),
        DisasterEvent::RobotBack { id } => json!({ "event": "robot_back", "id": id }),
        DisasterEvent::RobotMoves { id, at } => {
            json!({ "event": "robot_moves", "id": id, "location": at })
        }
        DisasterEvent::RobotArrives { at } => json!({ "event": "robot_arrives", "location": at }),
        _ => return None,
    })
}

fn own_specs() -> Vec<ToolSpec> {
    let nothing = || json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
    let text = |what: &str| json!({ "type": "string", "description": what });
    let spec = |name: &str, description: &str, parameters| ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
    };
    vec![
        spec(
            "get_environment_data",
            "Tells what is where now: the locations, the hazards at locations and on roads, the \
             survivors with their injury levels, the robots with their status, and the constraints.",
            nothing(),
        ),
        spec(
            "get_environment_map_data",
            "Tells the roads between the locations with their distances, without hazards.",
            nothing(),
        ),
        spec(
            "update_environment",
            "Records something that has happened, so that the environment data tells it from now \
             on. It does not change the graph.",
            json!({
                "type": "object",
                "properties": {
                    "event": {
                        "type": "string",
                        "enum": EVENTS,
                        "description": "What has happened."
                    },
                    "hazard": {
                        "type": "string",
                        "enum": ["fire", "debris", "collapse"],
                        "description": "For hazard_appears and hazard_ends: which."
                    },
                    "location": text("Where; for a hazard on a road, one end of the road."),
                    "other_end": text("For a hazard on a road: the other end."),
                    "id": text("Which robot or survivor."),
                    "injury_level": {
                        "type": "string",
                        "enum": ["high", "medium", "low"],
                        "description": "For survivor_found and injury_changes: how badly hurt."
                    }
                },
                "required": ["event"],
                "additionalProperties": false
            }),
        ),
    ]
}

impl ToolSet for RescueTools {
    fn specs(&self) -> Vec<ToolSpec> {
        let mut specs = own_specs();
        specs.extend(self.graph.specs());
        specs
    }

    fn call(&mut self, name: &str, arguments: Value) -> Result<ToolOutput, ToolFailure> {
        let told = |value| {
            Ok(ToolOutput { value, notes: Vec::new(), effects: Effects::default(), told: None })
        };
        let refuse = |is_schema, code: &str, message: String| ToolFailure {
            is_schema,
            code: code.into(),
            message,
            witness: None,
        };
        match name {
            "get_environment_data" => told(facts::data(&self.scenario)),
            "get_environment_map_data" => told(facts::map(&self.scenario)),
            "update_environment" => {
                let bad = |m: String| refuse(true, "bad_arguments", m);
                let update: Update =
                    serde_json::from_value(arguments).map_err(|e| bad(e.to_string()))?;
                let event = update.event().map_err(bad)?;
                let after = event
                    .apply(&self.scenario)
                    .map_err(|e| refuse(false, "refused", e.to_string()))?;
                self.scenario = after;
                told(json!({ "recorded": event.sentence() }))
            }
            _ => self.graph.call(name, arguments),
        }
    }
}
