//! Disaster response: scenarios, events, sentences, plans, and an independent verifier.
//!
//! A [`Scenario`] is what the environment functions tell: locations, roads with distances, hazards,
//! survivors, robots. An [`DisasterEvent`] changes it. [`plan`](fn@plan) maps it to a graph and asks
//! `plan_routes`; [`verify_plan`] holds any plan, from whomever, against the scenario and shares
//! no code with what plans.
//!
//! Paper: Graph-Grounded LLMs §V. `docs/rescue.md` tells the format, the measure and the rules.

mod events;
mod findings;
mod generate;
mod graph_check;
mod ids;
mod model;
mod plan;
mod read_plan;
mod sentences;
mod verifier;

pub use events::{DisasterEvent, scenario_changes};
pub use findings::{RescueFinding, RescueRule};
pub use generate::{MAX_GENERATED, MIN_GENERATED, generate, random_event};
pub use graph_check::check_graph;
pub use ids::Place;
pub use model::{
    DEBRIS_FACTOR, Hazard, HazardKind, Injury, Location, Road, Robot, RobotStatus, Scenario,
    ScenarioError, Survivor,
};
pub use plan::{RescuePlan, RescueRoute, RouteStop, UnreachableSurvivor, plan, scenario_graph};
pub use read_plan::{check_text, read_plan};
pub use sentences::{Question, Said, read_sentence};
pub use verifier::verify_plan;

/// The layout of the paper: nine locations, its hazards, survivors and robots.
///
/// Paper: Graph-Grounded LLMs §V; its facts, our words. The card beside the file says more.
pub const NINE_LOCATIONS: &str = include_str!("../../../../assets/scenarios/nine-locations.json");
