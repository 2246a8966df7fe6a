//! A scenario, read from a file that anybody may have written.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Place;
use super::ids::{MAX_ID, is_id};

/// Ways through debris take this many times longer.
///
/// Paper: Graph-Grounded LLMs §V, "Passing through debris takes 3 times longer".
pub const DEBRIS_FACTOR: f64 = 3.0;

/// The version of the file format that this crate writes.
const VERSION: u32 = 1;
/// The largest scenario file, in bytes.
const MAX_BYTES: usize = 1_000_000;
/// The longest distance of a road.
const MAX_DISTANCE: f64 = 1e6;
/// Coordinates go from 0 to this.
const MAX_COORDINATE: f64 = 1000.0;
const MAX_NAME: usize = 80;

/// Why a text is no scenario, or an event does not fit one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The text is not JSON of this shape.
    #[error("this is no scenario: {reason}; docs/rescue.md tells the format")]
    Format {
        /// What the reader met.
        reason: String,
    },
    /// There is too much of something.
    #[error("{found} {what} are too many: a scenario has at most {limit}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many may be.
        limit: usize,
    },
    /// A number is out of its range.
    #[error("{what} is {value}; it must be {range}")]
    Number {
        /// The name of the number.
        what: String,
        /// The value that was given.
        value: f64,
        /// What would be right.
        range: &'static str,
    },
    /// A name cannot be one.
    #[error("{id:?} is no name: 1 to {MAX_ID} letters, digits, _ or -")]
    BadId {
        /// The text that is no name.
        id: String,
    },
    /// A name is there twice.
    #[error("there is {what} {id:?} already")]
    Duplicate {
        /// A location, a robot, a survivor, a road.
        what: &'static str,
        /// The name that is there twice.
        id: String,
    },
    /// A name that the scenario does not have.
    #[error("there is no {what} {id:?}; there is {known}")]
    Unknown {
        /// A location, a robot, a survivor, a road.
        what: &'static str,
        /// The name that is not known.
        id: String,
        /// Those that are there, or the first of them.
        known: String,
    },
    /// The event would change nothing.
    #[error("{reason}, so nothing changes")]
    NoChange {
        /// How it is already.
        reason: String,
    },
}

/// A disaster area at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The version of the format: 1.
    pub version: u32,
    /// A name for people.
    pub name: String,
    /// The places, with where they are drawn.
    pub locations: Vec<Location>,
    /// The ways between them.
    pub roads: Vec<Road>,
    /// What is in the way.
    #[serde(default)]
    pub hazards: Vec<Hazard>,
    /// The people who wait for help.
    #[serde(default)]
    pub survivors: Vec<Survivor>,
    /// The robots that can be sent.
    #[serde(default)]
    pub robots: Vec<Robot>,
}

/// A location on the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// The name, such as `L1`.
    pub id: String,
    /// Where it is drawn, from 0 (left) to 1000.
    pub x: f64,
    /// Where it is drawn, from 0 (top) to 1000.
    pub y: f64,
}

/// A way between two places; it can be gone in both directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Road {
    /// The location at one end.
    pub from: String,
    /// The location at the other end.
    pub to: String,
    /// How long it takes without debris, in units of distance, above 0.
    pub distance: f64,
}

/// A danger and where it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hazard {
    /// The kind of hazard.
    pub kind: HazardKind,
    /// A location, or a road as a pair of locations.
    pub at: Place,
}

/// What is in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HazardKind {
    /// No way through. Paper: §V, "Can't go through fire".
    Fire,
    /// Three times as slow. Paper: §V.
    Debris,
    /// A fallen building: on a road it closes the road, at a location it is where survivors lie.
    ///
    /// Paper is silent: it names collapsed buildings, but no rule for them.
    Collapse,
}

impl HazardKind {
    /// Every kind of hazard.
    pub const ALL: [Self; 3] = [Self::Fire, Self::Debris, Self::Collapse];

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Fire => "fire",
            Self::Debris => "debris",
            Self::Collapse => "collapse",
        }
    }
}

/// Somebody who waits for a robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survivor {
    /// A name, such as `S1`.
    pub id: String,
    /// The location where the person waits.
    pub at: String,
    /// The level of injury.
    pub injury: Injury,
}

/// How badly somebody is hurt. The order is the order of help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Injury {
    /// Critical: served first.
    High,
    /// Serious: served after the critical.
    Medium,
    /// Minor: served last.
    Low,
}

impl Injury {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 3] = [Self::High, Self::Medium, Self::Low];

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::High => "critical",
            Self::Medium => "serious",
            Self::Low => "minor",
        }
    }

    /// Its name in a file.
    pub fn level(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }

    /// The priority for a planner: 1 is the most urgent.
    pub fn priority(self) -> u32 {
        match self {
            Self::High => 1,
            Self::Medium => 2,
            Self::Low => 3,
        }
    }
}

/// A rescue robot. All go one unit of distance in one unit of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Robot {
    /// A name, such as `R1`.
    pub id: String,
    /// The location where it stands.
    pub at: String,
    /// Whether it can be sent.
    #[serde(default = "available")]
    pub status: RobotStatus,
}

fn available() -> RobotStatus {
    RobotStatus::Available
}

/// Whether a robot can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RobotStatus {
    /// It can be sent.
    Available,
    /// It cannot: broken, or out of touch.
    Lost,
}

impl Scenario {
    /// The most locations of a map.
    pub const MAX_LOCATIONS: usize = 200;
    /// The most roads of a map.
    pub const MAX_ROADS: usize = 1000;
    /// The most hazards at one moment.
    pub const MAX_HAZARDS: usize = 400;
    /// The most survivors who wait.
    pub const MAX_SURVIVORS: usize = 100;
    /// The most robots of a map.
    pub const MAX_ROBOTS: usize = 20;

    /// Nothing at all, to begin a map of one's own.
    pub fn empty() -> Self {
        Self {
            version: VERSION,
            name: "A map of your own".into(),
            locations: Vec::new(),
            roads: Vec::new(),
            hazards: Vec::new(),
            survivors: Vec::new(),
            robots: Vec::new(),
        }
    }

    /// Reads a scenario file.
    ///
    /// # Errors
    /// A [`ScenarioError`] that says what is wrong and what would be right.
    pub fn from_json(text: &str) -> Result<Self, ScenarioError> {
        if text.len() > MAX_BYTES {
            return Err(ScenarioError::TooMany {
                what: "bytes",
                found: text.len(),
                limit: MAX_BYTES,
            });
        }
        let scenario: Self = serde_json::from_str(text)
            .map_err(|e| ScenarioError::Format { reason: e.to_string() })?;
        scenario.check()?;
        Ok(scenario)
    }

    /// The file of a scenario, for people to read.
    pub fn to_json(&self) -> String {
        // A scenario has only finite numbers and text keys, so writing it cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Whether a scenario is whole: every name known and unique, every number in its range.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), ScenarioError> {
        if self.version != VERSION {
            let reason = format!("version {} is not {VERSION}", self.version);
            return Err(ScenarioError::Format { reason });
        }
        if self.name.chars().count() > MAX_NAME || self.name.chars().any(char::is_control) {
            let reason = format!("the name is longer than {MAX_NAME} characters or not plain text");
            return Err(ScenarioError::Format { reason });
        }
        for (what, found, limit) in [
            ("locations", self.locations.len(), Self::MAX_LOCATIONS),
            ("roads", self.roads.len(), Self::MAX_ROADS),
            ("hazards", self.hazards.len(), Self::MAX_HAZARDS),
            ("survivors", self.survivors.len(), Self::MAX_SURVIVORS),
            ("robots", self.robots.len(), Self::MAX_ROBOTS),
        ] {
            if found > limit {
                return Err(ScenarioError::TooMany { what, found, limit });
            }
        }
        let mut ids = BTreeSet::new();
        let all = self.locations.iter().map(|l| ("a location", &l.id));
        let all = all.chain(self.robots.iter().map(|r| ("a robot", &r.id)));
        for (what, id) in all.chain(self.survivors.iter().map(|s| ("a survivor", &s.id))) {
            if !is_id(id) {
                return Err(ScenarioError::BadId { id: id.clone() });
            }
            // One name for one thing, whatever it is, so that a sentence is never ambiguous.
            if !ids.insert(id.to_ascii_lowercase()) {
                return Err(ScenarioError::Duplicate { what, id: id.clone() });
            }
        }
        for location in &self.locations {
            for value in [location.x, location.y] {
                let what = || format!("a coordinate of {}", location.id);
                in_range(value, what, 0.0, MAX_COORDINATE, "from 0 to 1000")?;
            }
        }
        let mut pairs = BTreeSet::new();
        for road in &self.roads {
            self.require_location(&road.from)?;
            self.require_location(&road.to)?;
            let pair = (road.from.as_str().min(&road.to), road.from.as_str().max(&road.to));
            if pair.0 == pair.1 {
                let reason = format!("a road goes from {} to itself", road.from);
                return Err(ScenarioError::Format { reason });
            }
            if !pairs.insert(pair) {
                let id = format!("{} - {}", pair.0, pair.1);
                return Err(ScenarioError::Duplicate { what: "a road", id });
            }
            check_distance(road.distance, || format!("the road {} - {}", road.from, road.to))?;
        }
        for (i, hazard) in self.hazards.iter().enumerate() {
            self.require_place(&hazard.at)?;
            let again = |h: &Hazard| h.kind == hazard.kind && h.at.same(&hazard.at);
            if self.hazards[..i].iter().any(again) {
                let id = format!("{} at {}", hazard.kind.title(), hazard.at);
                return Err(ScenarioError::Duplicate { what: "a hazard", id });
            }
        }
        for at in self.survivors.iter().map(|s| &s.at).chain(self.robots.iter().map(|r| &r.at)) {
            self.require_location(at)?;
        }
        Ok(())
    }

    pub(super) fn require_place(&self, place: &Place) -> Result<(), ScenarioError> {
        match place {
            Place::Location(id) => self.require_location(id),
            Place::Road(a, b) => {
                self.require_location(a)?;
                self.require_location(b)?;
                self.road(a, b).map(|_| ()).ok_or_else(|| ScenarioError::Unknown {
                    what: "road",
                    id: format!("{a} - {b}"),
                    known: list(self.roads_at(a).map(|r| format!("{} - {}", r.from, r.to))),
                })
            }
        }
    }

    pub(super) fn require_location(&self, id: &str) -> Result<(), ScenarioError> {
        if self.locations.iter().any(|l| l.id == id) {
            return Ok(());
        }
        let known = list(self.locations.iter().map(|l| l.id.clone()));
        Err(ScenarioError::Unknown { what: "location", id: id.to_owned(), known })
    }

    pub(super) fn robot_place(&self, id: &str) -> Result<usize, ScenarioError> {
        self.robots.iter().position(|r| r.id == id).ok_or_else(|| ScenarioError::Unknown {
            what: "robot",
            id: id.to_owned(),
            known: list(self.robots.iter().map(|r| r.id.clone())),
        })
    }

    pub(super) fn survivor_place(&self, id: &str) -> Result<usize, ScenarioError> {
        self.survivors.iter().position(|s| s.id == id).ok_or_else(|| ScenarioError::Unknown {
            what: "survivor",
            id: id.to_owned(),
            known: list(self.survivors.iter().map(|s| s.id.clone())),
        })
    }

    /// The road between two locations, in either direction.
    pub fn road(&self, a: &str, b: &str) -> Option<&Road> {
        self.roads.iter().find(|r| (r.from == a && r.to == b) || (r.from == b && r.to == a))
    }

    /// The roads at a location.
    pub fn roads_at<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Road> + 'a {
        self.roads.iter().filter(move |r| r.from == id || r.to == id)
    }

    /// Whether a hazard of a kind is at a location.
    pub fn has_at(&self, kind: HazardKind, id: &str) -> bool {
        self.hazards
            .iter()
            .any(|h| h.kind == kind && matches!(&h.at, Place::Location(at) if at == id))
    }

    /// Whether a hazard of a kind is on a road.
    pub fn has_on(&self, kind: HazardKind, a: &str, b: &str) -> bool {
        self.hazards.iter().any(|h| h.kind == kind && h.at.is_road(a, b))
    }
}

pub(super) fn check_distance(
    value: f64,
    what: impl FnOnce() -> String,
) -> Result<(), ScenarioError> {
    let range = "above 0 and at most 1,000,000";
    in_range(value, what, f64::MIN_POSITIVE, MAX_DISTANCE, range)
}

fn in_range(
    value: f64,
    what: impl FnOnce() -> String,
    low: f64,
    high: f64,
    range: &'static str,
) -> Result<(), ScenarioError> {
    if value >= low && value <= high {
        return Ok(());
    }
    Err(ScenarioError::Number { what: what(), value, range })
}

/// The first few of some names.
pub(super) fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    match names.len() {
        0 => "none".into(),
        n if n > 12 => format!("{}, … ({n} in all)", names[..12].join(", ")),
        _ => names.join(", "),
    }
}
