//! What can happen to a scenario, by a sentence, by a click, or in the editor.

use serde::{Deserialize, Serialize};

use super::ids::{is_id, natural};
use super::model::check_distance;
use super::{
    Hazard, HazardKind, Injury, Location, Place, Road, Robot, RobotStatus, Scenario, ScenarioError,
    Survivor,
};

/// A change of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum DisasterEvent {
    /// A fire breaks out, debris falls, a road is closed by a fallen building.
    HazardAppears {
        /// Fire, debris or a fallen building.
        kind: HazardKind,
        /// The location or the road that it blocks.
        at: Place,
    },
    /// A fire is out, debris is cleared, a road is open again.
    HazardEnds {
        /// Fire, debris or a fallen building.
        kind: HazardKind,
        /// The location or the road at which it was.
        at: Place,
    },
    /// Somebody is found; the name is the next that is free.
    SurvivorFound {
        /// The name of the location.
        at: String,
        /// The level of injury.
        injury: Injury,
    },
    /// Somebody is safe and needs nobody any more.
    SurvivorRescued {
        /// The name of a survivor of the scenario.
        id: String,
    },
    /// Somebody is worse or better.
    InjuryChanges {
        /// The name of the survivor.
        id: String,
        /// How badly hurt now.
        injury: Injury,
    },
    /// A robot cannot be sent any more.
    RobotLost {
        /// The name of a robot that is not lost yet.
        id: String,
    },
    /// A lost robot can be sent again.
    RobotBack {
        /// The name of a robot that is lost.
        id: String,
    },
    /// A robot stands elsewhere now.
    RobotMoves {
        /// The robot's name.
        id: String,
        /// The location at which it stands now.
        at: String,
    },
    /// One more robot; the name is the next that is free.
    RobotArrives {
        /// The location from which it starts.
        at: String,
    },
    /// The editor: a robot that should not be here at all.
    RobotRemoved {
        /// The name of a robot of the scenario.
        id: String,
    },
    /// The editor: one more location; the name is the next that is free.
    LocationAdded {
        /// From 0 (left) to 1000.
        x: f64,
        /// From 0 (top) to 1000.
        y: f64,
    },
    /// The editor: a location is drawn elsewhere; distances stay.
    LocationMoved {
        /// The location's name.
        id: String,
        /// From 0 to 1000.
        x: f64,
        /// From 0 to 1000.
        y: f64,
    },
    /// The editor: a location goes, with its roads and all that is there.
    LocationRemoved {
        /// The location's name.
        id: String,
    },
    /// The editor: one more road.
    RoadAdded {
        /// The location at one end.
        from: String,
        /// The location at the other end.
        to: String,
        /// The distance, above 0, in the units of the map.
        distance: f64,
    },
    /// The editor: a road goes, with the hazards on it.
    RoadRemoved {
        /// The location at one end.
        from: String,
        /// The location at the other end.
        to: String,
    },
    /// The editor: a road is longer or shorter than thought.
    DistanceChanges {
        /// The location at one end.
        from: String,
        /// The location at the other end.
        to: String,
        /// The distance, above 0, in the units of the map.
        distance: f64,
    },
}

fn no_change(reason: String) -> ScenarioError {
    ScenarioError::NoChange { reason }
}

impl DisasterEvent {
    /// The scenario after the event.
    ///
    /// # Errors
    /// It names what is not there, goes beyond a limit, or would change nothing.
    pub fn apply(&self, before: &Scenario) -> Result<Scenario, ScenarioError> {
        let mut s = before.clone();
        match self {
            Self::HazardAppears { kind, at } => {
                s.require_place(at)?;
                if s.hazards.iter().any(|h| h.kind == *kind && h.at.same(at)) {
                    return Err(no_change(format!("there is {} at {at} already", kind.title())));
                }
                s.hazards.push(Hazard { kind: *kind, at: at.clone() });
            }
            Self::HazardEnds { kind, at } => {
                s.require_place(at)?;
                s.hazards.retain(|h| !(h.kind == *kind && h.at.same(at)));
                if s.hazards.len() == before.hazards.len() {
                    return Err(no_change(format!("there is no {} at {at}", kind.title())));
                }
            }
            Self::SurvivorFound { at, injury } => {
                s.require_location(at)?;
                let id = free(&s, "S");
                s.survivors.push(Survivor { id, at: at.clone(), injury: *injury });
            }
            Self::SurvivorRescued { id } => {
                let place = s.survivor_place(id)?;
                s.survivors.remove(place);
            }
            Self::InjuryChanges { id, injury } => {
                let place = s.survivor_place(id)?;
                if s.survivors[place].injury == *injury {
                    return Err(no_change(format!("{id} is {} already", injury.title())));
                }
                s.survivors[place].injury = *injury;
            }
            Self::RobotLost { id } => set_status(&mut s, id, RobotStatus::Lost)?,
            Self::RobotBack { id } => set_status(&mut s, id, RobotStatus::Available)?,
            Self::RobotMoves { id, at } => {
                let place = s.robot_place(id)?;
                s.require_location(at)?;
                if s.robots[place].at == *at {
                    return Err(no_change(format!("{id} is at {at} already")));
                }
                s.robots[place].at.clone_from(at);
            }
            Self::RobotArrives { at } => {
                s.require_location(at)?;
                let id = free(&s, "R");
                s.robots.push(Robot { id, at: at.clone(), status: RobotStatus::Available });
            }
            Self::RobotRemoved { id } => {
                let place = s.robot_place(id)?;
                s.robots.remove(place);
            }
            Self::LocationAdded { x, y } => {
                let id = free(&s, "L");
                s.locations.push(Location { id, x: *x, y: *y });
            }
            Self::LocationMoved { id, x, y } => {
                s.require_location(id)?;
                for location in s.locations.iter_mut().filter(|l| l.id == *id) {
                    (location.x, location.y) = (*x, *y);
                }
            }
            Self::LocationRemoved { id } => {
                s.require_location(id)?;
                s.locations.retain(|l| l.id != *id);
                s.roads.retain(|r| r.from != *id && r.to != *id);
                s.hazards.retain(|h| !h.at.involves(id));
                s.survivors.retain(|x| x.at != *id);
                s.robots.retain(|r| r.at != *id);
            }
            Self::RoadAdded { from, to, distance } => {
                let road = Road { from: from.clone(), to: to.clone(), distance: *distance };
                s.roads.push(road);
            }
            Self::RoadRemoved { from, to } => {
                s.require_place(&Place::Road(from.clone(), to.clone()))?;
                let goes = |a: &str, b: &str| (a == from && b == to) || (a == to && b == from);
                s.roads.retain(|r| !goes(&r.from, &r.to));
                s.hazards.retain(|h| !h.at.is_road(from, to));
            }
            Self::DistanceChanges { from, to, distance } => {
                s.require_place(&Place::Road(from.clone(), to.clone()))?;
                check_distance(*distance, || format!("the road {from} - {to}"))?;
                let goes = |a: &str, b: &str| (a == from && b == to) || (a == to && b == from);
                for road in s.roads.iter_mut().filter(|r| goes(&r.from, &r.to)) {
                    road.distance = *distance;
                }
            }
        }
        s.check()?;
        Ok(s)
    }

    /// The event as a sentence, which [`read_sentence`](super::read_sentence) reads back where it
    /// is no work of the editor.
    pub fn sentence(&self) -> String {
        match self {
            Self::HazardAppears { kind, at } => match (kind, at) {
                (HazardKind::Fire, Place::Location(_)) => format!("Fire has spread to {at}."),
                (HazardKind::Fire, Place::Road(..)) => format!("There is fire on {at}."),
                (HazardKind::Debris, Place::Location(_)) => format!("There is debris at {at} now."),
                (HazardKind::Debris, Place::Road(..)) => format!("There is debris on {at} now."),
                (HazardKind::Collapse, Place::Location(_)) => {
                    format!("A building has collapsed at {at}.")
                }
                (HazardKind::Collapse, Place::Road(..)) => {
                    format!("A building has collapsed on {at}.")
                }
            },
            Self::HazardEnds { kind, at } => {
                let on = if matches!(at, Place::Road(..)) { "on" } else { "at" };
                match kind {
                    HazardKind::Fire => format!("The fire {on} {at} is out."),
                    HazardKind::Debris => format!("The debris {on} {at} is cleared."),
                    HazardKind::Collapse => format!("The collapsed building {on} {at} is cleared."),
                }
            }
            Self::SurvivorFound { at, injury } => {
                format!("A new survivor at {at}, {}.", injury.title())
            }
            Self::SurvivorRescued { id } => format!("Survivor {id} is rescued."),
            Self::InjuryChanges { id, injury } => {
                format!("Survivor {id} is {} now.", injury.title())
            }
            Self::RobotLost { id } => format!("Robot {id} is lost."),
            Self::RobotBack { id } => format!("Robot {id} is back."),
            Self::RobotMoves { id, at } => format!("Robot {id} has moved to {at}."),
            Self::RobotArrives { at } => format!("A new robot at {at}."),
            Self::RobotRemoved { id } => format!("Robot {id} is taken off the map."),
            Self::LocationAdded { .. } => "A location is added to the map.".into(),
            Self::LocationMoved { id, .. } => format!("{id} is drawn elsewhere."),
            Self::LocationRemoved { id } => format!("{id} is taken off the map."),
            Self::RoadAdded { from, to, distance } => {
                format!("A road {from} - {to} of {distance} is added to the map.")
            }
            Self::RoadRemoved { from, to } => {
                format!("The road {from} - {to} is taken off the map.")
            }
            Self::DistanceChanges { from, to, distance } => {
                format!("The road {from} - {to} takes {distance}.")
            }
        }
    }

    /// Whether it is the editor's: it changes the map, not what happens on it.
    pub fn is_edit(&self) -> bool {
        matches!(
            self,
            Self::LocationAdded { .. }
                | Self::LocationMoved { .. }
                | Self::LocationRemoved { .. }
                | Self::RoadAdded { .. }
                | Self::RoadRemoved { .. }
                | Self::DistanceChanges { .. }
                | Self::RobotRemoved { .. }
        )
    }
}

fn set_status(s: &mut Scenario, id: &str, status: RobotStatus) -> Result<(), ScenarioError> {
    let place = s.robot_place(id)?;
    if s.robots[place].status == status {
        let how = if status == RobotStatus::Lost { "lost" } else { "available" };
        return Err(no_change(format!("{id} is {how} already")));
    }
    s.robots[place].status = status;
    Ok(())
}

/// The next name: the letter and a number above all that are there.
fn free(s: &Scenario, letter: &str) -> String {
    let ids = s.locations.iter().map(|l| &l.id);
    let ids = ids.chain(s.robots.iter().map(|r| &r.id)).chain(s.survivors.iter().map(|x| &x.id));
    let most = ids.map(|id| natural(id)).filter(|(l, ..)| l.eq_ignore_ascii_case(letter));
    let next = most.map(|(_, n, _)| n).max().unwrap_or(0).saturating_add(1);
    let id = format!("{letter}{next}");
    if is_id(&id) { id } else { format!("{letter}1") }
}

/// The locations at which something is other in `after` than in `before`: a hazard, a survivor, a
/// robot, a road, or the location itself. Where they are drawn does not count.
pub fn scenario_changes(before: &Scenario, after: &Scenario) -> Vec<String> {
    let here = |s: &Scenario, id: &str| {
        let hazards: Vec<String> = s
            .hazards
            .iter()
            .filter(|h| h.at.involves(id))
            .map(|h| format!("{:?} {}", h.kind, h.at))
            .collect();
        let survivors: Vec<Survivor> = s.survivors.iter().filter(|x| x.at == id).cloned().collect();
        let robots: Vec<Robot> = s.robots.iter().filter(|r| r.at == id).cloned().collect();
        let roads: Vec<Road> = s.roads_at(id).cloned().collect();
        (s.locations.iter().any(|l| l.id == id), hazards, survivors, robots, roads)
    };
    let mut ids: Vec<&str> = after.locations.iter().map(|l| l.id.as_str()).collect();
    for location in &before.locations {
        if !ids.contains(&location.id.as_str()) {
            ids.push(&location.id);
        }
    }
    ids.retain(|id| here(before, id) != here(after, id));
    ids.into_iter().map(str::to_owned).collect()
}
