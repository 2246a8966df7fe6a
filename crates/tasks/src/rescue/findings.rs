//! What a check found.

use serde::{Deserialize, Serialize};

/// A rule that a plan, a graph or a text broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RescueRule {
    /// It names a location, robot or survivor that the scenario does not have.
    UnknownName,
    /// It walks or holds a road that the scenario does not have.
    NoSuchRoad,
    /// It goes into, out of or through fire.
    ThroughFire,
    /// It uses a road that is closed.
    ClosedRoad,
    /// A distance, an arrival or a weight is not what the scenario says, debris included.
    WrongDistance,
    /// A robot serves somebody before somebody who is worse hurt.
    CriticalFirst,
    /// Somebody who can be reached is not served.
    Unserved,
    /// Somebody is served twice.
    ServedTwice,
    /// Somebody is called unreachable who is not, or is not named though unreachable.
    WrongUnreachable,
    /// A route starts where its robot is not, is given twice, or is for a lost robot.
    WrongRobot,
    /// A stop is not where its survivor is, or not on the route.
    WrongStop,
    /// There is a shorter safe way between two stops.
    Detour,
    /// A graph lacks a location or a road that is open.
    Missing,
}

impl RescueRule {
    /// Every rule that a plan can break.
    pub const ALL: [Self; 13] = [
        Self::UnknownName,
        Self::NoSuchRoad,
        Self::ThroughFire,
        Self::ClosedRoad,
        Self::WrongDistance,
        Self::CriticalFirst,
        Self::Unserved,
        Self::ServedTwice,
        Self::WrongUnreachable,
        Self::WrongRobot,
        Self::WrongStop,
        Self::Detour,
        Self::Missing,
    ];

    /// Its name in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::UnknownName => "unknown_name",
            Self::NoSuchRoad => "no_such_road",
            Self::ThroughFire => "through_fire",
            Self::ClosedRoad => "closed_road",
            Self::WrongDistance => "wrong_distance",
            Self::CriticalFirst => "critical_first",
            Self::Unserved => "unserved",
            Self::ServedTwice => "served_twice",
            Self::WrongUnreachable => "wrong_unreachable",
            Self::WrongRobot => "wrong_robot",
            Self::WrongStop => "wrong_stop",
            Self::Detour => "detour",
            Self::Missing => "missing",
        }
    }

    /// In a few words for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::UnknownName => "a name that is not there",
            Self::NoSuchRoad => "a road that is not there",
            Self::ThroughFire => "a way through fire",
            Self::ClosedRoad => "a closed road",
            Self::WrongDistance => "a wrong distance",
            Self::CriticalFirst => "not critical first",
            Self::Unserved => "somebody is left out",
            Self::ServedTwice => "somebody is served twice",
            Self::WrongUnreachable => "wrong about who can be reached",
            Self::WrongRobot => "wrong about a robot",
            Self::WrongStop => "a stop in the wrong place",
            Self::Detour => "a detour",
            Self::Missing => "something is missing",
        }
    }
}

/// One thing that is wrong, with what to mark on the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RescueFinding {
    /// The rule that is broken.
    pub rule: RescueRule,
    /// What is wrong and what would be right.
    pub message: String,
    /// Locations to mark.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<String>,
}

impl RescueFinding {
    /// A finding without places.
    pub fn new(rule: RescueRule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), locations: Vec::new() }
    }

    /// Names the locations to mark.
    #[must_use]
    pub fn at(mut self, locations: &[&str]) -> Self {
        self.locations = locations.iter().map(|l| (*l).to_owned()).collect();
        self
    }
}
