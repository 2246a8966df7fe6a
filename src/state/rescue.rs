//! What the Rescue page holds of a disaster: the map, the conversation, the plan, what has changed.

use protocol::rescue::RescueRun;
use protocol::runs::{ModelChoice, StartRun};
use serde::{Deserialize, Serialize};
use systems::experiment::MODEL;
use systems::rescue::experiment::{Disaster, case};
use systems::rescue::{self, ALREADY, Dialogue, SaidNext, Turn};
use tasks::rescue::{
    DisasterEvent, HazardKind, RescueFinding, RescuePlan, RobotStatus, Scenario, ScenarioError,
    scenario_changes,
};
use trace::Step;

/// So many steps can be undone.
const MAX_UNDO: usize = 100;
/// So many turns are shown.
const MAX_TURNS: usize = 60;

/// One thing that was said, with what the model did and answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaidTurn {
    /// What the person said.
    pub words: String,
    /// What the model did, its answer last.
    pub steps: Vec<Step>,
    /// Its answer, or why there is none.
    pub answer: String,
    /// Whether it answered with a plan.
    pub has_plan: bool,
    /// What is wrong with the answer.
    pub findings: Vec<RescueFinding>,
    /// What is wrong with its graph.
    pub graph_findings: Vec<RescueFinding>,
}

/// The state that is kept between visits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RescueState {
    /// The map, the model's graph, the conversation.
    pub dialogue: Dialogue,
    /// The plan in force.
    pub plan: Option<RescuePlan>,
    /// The map for which it was made.
    pub planned_for: Option<Scenario>,
    /// What the verifier finds wrong with it on the map as it is now.
    pub findings: Vec<RescueFinding>,
    /// What has happened since, in sentences that the model has not read.
    pub pending: Vec<String>,
    /// What was said.
    pub turns: Vec<SaidTurn>,
    /// Maps to go back to, the latest last.
    #[serde(skip)]
    pub undo: Vec<Scenario>,
}

/// The request for a turn of a conversation.
///
/// # Errors
/// The scenario has a number that JSON has not.
pub fn turn_of(
    dialogue: Dialogue,
    words: &str,
    model: ModelChoice,
) -> Result<StartRun<RescueRun>, String> {
    let disaster = Disaster { scenario: dialogue.scenario.clone(), events: Vec::new() };
    let case = case("own".into(), &disaster)?;
    let mut ask = StartRun::new(rescue::ID, case).with_model(MODEL.id, model);
    ask.by_hand = SaidNext { dialogue: Some(dialogue), words: words.to_owned() };
    Ok(ask)
}

impl RescueState {
    /// A map on which nothing was planned.
    pub fn new(scenario: Scenario) -> Self {
        Self {
            dialogue: Dialogue::new(scenario),
            plan: None,
            planned_for: None,
            findings: Vec::new(),
            pending: Vec::new(),
            turns: Vec::new(),
            undo: Vec::new(),
        }
    }

    /// The map as it is.
    pub fn scenario(&self) -> &Scenario {
        &self.dialogue.scenario
    }

    /// Lets something happen.
    ///
    /// # Errors
    /// It does not fit the map.
    pub fn apply(&mut self, event: &DisasterEvent) -> Result<(), ScenarioError> {
        let after = event.apply(self.scenario())?;
        let before = std::mem::replace(&mut self.dialogue.scenario, after);
        self.remember(before);
        self.pending.push(event.sentence());
        Ok(())
    }

    fn remember(&mut self, before: Scenario) {
        if self.undo.len() == MAX_UNDO {
            self.undo.remove(0);
        }
        self.undo.push(before);
    }

    /// Takes the last change back.
    pub fn undo(&mut self) {
        if let Some(before) = self.undo.pop() {
            self.dialogue.scenario = before;
            // What the model was told of stays told; it reads the map again in any case.
            if self.pending.pop().is_none() {
                self.pending.push("The last change is taken back.".into());
            }
        }
    }

    /// Another map; the conversation begins anew.
    pub fn open(&mut self, scenario: Scenario) {
        let before = self.scenario().clone();
        let mut undo = std::mem::take(&mut self.undo);
        undo.push(before);
        *self = Self { undo, ..Self::new(scenario) };
    }

    /// What to say so that the model plans again for what has happened by click.
    pub fn news(&self) -> String {
        format!("{} {ALREADY}", self.pending.join(" "))
    }

    /// Takes in what came of a turn.
    pub fn take_answer(&mut self, words: String, turn: Turn) {
        let answer = match turn.trace.answer() {
            Some(answer) => answer.to_owned(),
            None => turn.trace.stop.as_ref().map_or_else(String::new, trace::Stop::title),
        };
        let has_plan = turn.plan.is_some();
        if turn.dialogue.scenario != *self.scenario() {
            self.remember(self.dialogue.scenario.clone());
        }
        if let Some(plan) = turn.plan {
            self.plan = Some(plan);
            self.planned_for = Some(turn.dialogue.scenario.clone());
            self.pending.clear();
            self.findings.clone_from(&turn.findings);
        }
        self.turns.push(SaidTurn {
            words,
            steps: turn.trace.steps,
            answer,
            has_plan,
            findings: turn.findings,
            graph_findings: turn.graph_findings,
        });
        if self.turns.len() > MAX_TURNS {
            self.turns.remove(0);
        }
        self.dialogue = turn.dialogue;
    }

    /// Takes in a plan that no model made.
    pub fn take_plan(&mut self, plan: RescuePlan, findings: Vec<RescueFinding>) {
        self.planned_for = Some(self.scenario().clone());
        self.plan = Some(plan);
        self.findings = findings;
        self.pending.clear();
    }

    /// Whether the map has changed since the plan was made.
    pub fn is_stale(&self) -> bool {
        self.planned_for.as_ref().is_some_and(|before| !same_ground(before, self.scenario()))
    }

    /// The locations at which something is other than when the plan was made.
    pub fn changed(&self) -> Vec<String> {
        self.planned_for
            .as_ref()
            .map(|before| scenario_changes(before, self.scenario()))
            .unwrap_or_default()
    }

    /// A map in a few words.
    pub fn facts(&self) -> String {
        let s = self.scenario();
        let n = |kind| s.hazards.iter().filter(|h| h.kind == kind).count();
        let able = s.robots.iter().filter(|r| r.status == RobotStatus::Available).count();
        format!(
            "{} locations, {} roads, {} fires, {} debris, {} collapsed, {} survivors, {able} of {} \
             robots",
            s.locations.len(),
            s.roads.len(),
            n(HazardKind::Fire),
            n(HazardKind::Debris),
            n(HazardKind::Collapse),
            s.survivors.len(),
            s.robots.len(),
        )
    }
}

/// Whether two maps differ in nothing but their names and where things are drawn.
fn same_ground(a: &Scenario, b: &Scenario) -> bool {
    a.roads == b.roads
        && a.hazards == b.hazards
        && a.survivors == b.survivors
        && a.robots == b.robots
        && a.locations.iter().map(|l| &l.id).eq(b.locations.iter().map(|l| &l.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tasks::rescue::{NINE_LOCATIONS, Place, plan};

    fn fire(at: &str) -> DisasterEvent {
        DisasterEvent::HazardAppears { kind: HazardKind::Fire, at: Place::Location(at.into()) }
    }

    fn nine() -> RescueState {
        RescueState::new(Scenario::from_json(NINE_LOCATIONS).unwrap())
    }

    #[test]
    fn an_event_makes_the_plan_stale_and_undo_makes_it_fresh() {
        let mut d = nine();
        let made = plan(d.scenario()).unwrap();
        d.take_plan(made, Vec::new());
        assert!(!d.is_stale() && d.changed().is_empty());
        d.apply(&fire("L7")).unwrap();
        assert!(d.is_stale());
        assert_eq!(d.changed(), ["L7"]);
        assert_eq!(d.news(), format!("Fire has spread to L7. {ALREADY}"));
        d.undo();
        assert!(!d.is_stale() && d.pending.is_empty());
        assert!(d.apply(&fire("L99")).is_err());
    }

    #[test]
    fn moving_a_location_on_the_map_leaves_the_plan_in_force() {
        let mut d = nine();
        let made = plan(d.scenario()).unwrap();
        d.take_plan(made, Vec::new());
        d.apply(&DisasterEvent::LocationMoved { id: "L1".into(), x: 1.0, y: 2.0 }).unwrap();
        assert!(!d.is_stale());
    }

    #[test]
    fn it_survives_json_and_another_map_can_be_undone() {
        let mut d = nine();
        d.apply(&fire("L2")).unwrap();
        let text = serde_json::to_string(&d).unwrap();
        let back: RescueState = serde_json::from_str(&text).unwrap();
        assert_eq!(back.scenario(), d.scenario());
        d.open(tasks::rescue::generate(20, 1).unwrap());
        assert!(d.facts().starts_with("20 locations"));
        d.undo();
        assert_eq!(d.scenario().locations.len(), 9);
    }
}
