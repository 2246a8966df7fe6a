//! Reads what a person says about a scenario: events, questions, and what to do.
//!
//! A table of words, tried in order, over the names that the scenario has. It reads the sentences
//! that [`DisasterEvent::sentence`] writes, those of the paper, and their like; what it does not read it
//! says so, and a model may still understand it.

use serde::{Deserialize, Serialize};

use super::ids::natural;
use super::read_plan::injury_in;
use super::{DisasterEvent, HazardKind, Injury, Place, Scenario};

/// The longest sentence that is read.
const MAX_SENTENCE: usize = 2000;

/// What a sentence says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "says", rename_all = "snake_case")]
pub enum Said {
    /// Something has happened.
    Event {
        /// The event.
        event: DisasterEvent,
    },
    /// The robots are to be sent.
    Deploy,
    /// Send them to those who are worst hurt first.
    Prioritise,
    /// A question about the scenario.
    Question {
        /// What is asked.
        question: Question,
    },
    /// It is not understood.
    Unclear {
        /// Why, and what would be.
        reason: String,
    },
}

/// A question about a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Question {
    /// Where survivors are; all, or those of a level.
    Survivors {
        /// The level of injury; all where there is none.
        injury: Option<Injury>,
    },
    /// Where the robots are.
    Robots,
    /// Where the hazards are.
    Hazards,
    /// How far it is, and which way.
    Way {
        /// The name of the location where the way starts.
        from: String,
        /// The name of the location where it ends.
        to: String,
    },
    /// Who cannot be reached.
    Unreachable,
    /// What is at a location.
    Location {
        /// The name of what is asked about.
        id: String,
    },
    /// What a robot does in the plan.
    Robot {
        /// The name of what is asked about.
        id: String,
    },
}

/// A sentence as words in small letters, and the names in it in their order.
struct Sentence {
    words: Vec<String>,
    /// The first word, be it a name or not.
    first: Option<String>,
    locations: Vec<String>,
    robots: Vec<String>,
    survivors: Vec<String>,
    /// A name of a location that is not there, such as `L99`.
    stranger: Option<String>,
}

impl Sentence {
    fn new(scenario: &Scenario, text: &str) -> Self {
        let words: Vec<String> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
            .map(|w| w.trim_matches('-').to_lowercase())
            .filter(|w| !w.is_empty())
            .collect();
        let mut s = Self {
            words: Vec::new(),
            first: words.first().cloned(),
            locations: Vec::new(),
            robots: Vec::new(),
            survivors: Vec::new(),
            stranger: None,
        };
        let find = |word: &str, ids: Vec<&String>| -> Option<String> {
            ids.into_iter().find(|id| id.to_lowercase() == word).cloned()
        };
        let mut i = 0;
        while i < words.len() {
            let word = &words[i];
            let next = words.get(i + 1);
            // "robot 2", "location 4" and "survivor 1" mean the one with that number.
            let numbered = |kinds: &[&str], ids: Vec<&String>| {
                let number: u64 = next?.parse().ok()?;
                kinds.contains(&word.as_str()).then_some(())?;
                ids.into_iter().find(|id| natural(id).1 == number).cloned()
            };
            let mut skip = 1;
            let robots = || scenario.robots.iter().map(|r| &r.id).collect::<Vec<_>>();
            let survivors = || scenario.survivors.iter().map(|x| &x.id).collect::<Vec<_>>();
            let locations = || scenario.locations.iter().map(|l| &l.id).collect::<Vec<_>>();
            if let Some(id) = find(word, locations()) {
                s.locations.push(id);
            } else if let Some(id) = find(word, robots()) {
                s.robots.push(id);
            } else if let Some(id) = find(word, survivors()) {
                s.survivors.push(id);
            } else if let Some(id) = numbered(&["robot"], robots()) {
                (s.robots, skip) = ([s.robots, vec![id]].concat(), 2);
                s.words.push(word.clone());
            } else if let Some(id) = numbered(&["survivor", "victim"], survivors()) {
                (s.survivors, skip) = ([s.survivors, vec![id]].concat(), 2);
                s.words.push(word.clone());
            } else if let Some(id) = numbered(&["location"], locations()) {
                (s.locations, skip) = ([s.locations, vec![id]].concat(), 2);
                s.words.push(word.clone());
            } else {
                let (letters, _, _) = natural(word);
                let kinds = [locations(), robots(), survivors()].concat();
                let mut kinds = kinds.iter().map(|id| natural(id).0.to_lowercase());
                if letters != *word && !letters.is_empty() && kinds.any(|k| k == letters) {
                    s.stranger.get_or_insert(word.to_uppercase());
                }
                s.words.push(word.clone());
            }
            i += skip;
        }
        s
    }

    fn any(&self, words: &[&str]) -> bool {
        self.words.iter().any(|w| words.contains(&w.as_str()))
    }

    /// Two locations with a word for a road mean the road, one location the location.
    fn place(&self) -> Option<Place> {
        match self.locations.as_slice() {
            [a, b, ..] if self.any(ROAD) => Some(Place::Road(a.clone(), b.clone())),
            // "From L8 to L3" ends at L3.
            [.., z] if self.any(&["from"]) => Some(Place::Location(z.clone())),
            [a, ..] => Some(Place::Location(a.clone())),
            [] => None,
        }
    }
}

const ROAD: &[&str] = &["road", "street", "way", "path", "between", "edge"];
const FIRE: &[&str] = &["fire", "fires", "flames", "burns", "burning", "blaze"];
const DEBRIS: &[&str] = &["debris", "rubble"];
const COLLAPSE: &[&str] =
    &["collapse", "collapsed", "collapses", "closed", "blocked", "impassable", "reopened", "open"];
const ENDS: &[&str] =
    &["out", "extinguished", "cleared", "gone", "removed", "over", "reopened", "open", "passable"];
const OUTBREAK: &[&str] = &["broke", "broken", "breaks", "break"];
const PERSON: &[&str] =
    &["survivor", "survivors", "victim", "victims", "person", "people", "somebody", "someone"];
const APPEARS: &[&str] = &["new", "found", "another", "more", "discovered", "reported"];
const SAFE: &[&str] = &["rescued", "safe", "saved", "evacuated"];
const LOST: &[&str] =
    &["lost", "broken", "failed", "destroyed", "stuck", "unavailable", "down", "dead", "fails"];
const BACK: &[&str] = &["back", "repaired", "available", "recovered", "again", "works"];
const MOVES: &[&str] = &["moved", "moves", "stands", "reached", "arrived"];
const ASKS: &[&str] =
    &["what", "where", "which", "who", "whom", "how", "why", "list", "show", "tell", "is", "are"];

/// Reads a sentence.
///
/// Paper is silent: it names no level for a new survivor who comes without one; we take serious.
pub fn read_sentence(scenario: &Scenario, text: &str) -> Said {
    if text.len() > MAX_SENTENCE {
        let reason =
            format!("a sentence has at most {MAX_SENTENCE} bytes, this has {}", text.len());
        return Said::Unclear { reason };
    }
    let s = Sentence::new(scenario, text);
    if let Some(stranger) = &s.stranger {
        let reason = format!("there is no {stranger} in this scenario");
        return Said::Unclear { reason };
    }
    let asks = text.trim_end().ends_with('?')
        || s.first.as_ref().is_some_and(|w| ASKS.contains(&w.as_str()));
    if asks {
        if let Some(question) = question(&s) {
            return Said::Question { question };
        }
    } else if let Some(event) = event(&s) {
        return Said::Event { event };
    }
    if s.any(&["prioritise", "prioritize", "priority", "critical", "first", "urgent"]) {
        return Said::Prioritise;
    }
    if s.any(&["deploy", "send", "dispatch", "plan", "replan", "re-plan", "rescue", "help"]) {
        return Said::Deploy;
    }
    let reason = "this is neither an event (such as \"Fire has spread to L2.\"), nor a question \
                  (such as \"Who is critical?\"), nor \"Deploy the robots.\""
        .to_owned();
    Said::Unclear { reason }
}

fn event(s: &Sentence) -> Option<DisasterEvent> {
    // A fire that breaks out begins, and is not out.
    let ends = s.any(ENDS) && !s.any(OUTBREAK);
    for (words, kind) in
        [(FIRE, HazardKind::Fire), (DEBRIS, HazardKind::Debris), (COLLAPSE, HazardKind::Collapse)]
    {
        if !s.any(words) {
            continue;
        }
        let at = s.place()?;
        return Some(if ends {
            DisasterEvent::HazardEnds { kind, at }
        } else {
            DisasterEvent::HazardAppears { kind, at }
        });
    }
    let injury = injury_in(&s.words);
    if let Some(id) = s.survivors.first().cloned() {
        if s.any(SAFE) {
            return Some(DisasterEvent::SurvivorRescued { id });
        }
        return injury.map(|injury| DisasterEvent::InjuryChanges { id, injury });
    }
    if let Some(id) = s.robots.first().cloned() {
        if s.any(LOST) {
            return Some(DisasterEvent::RobotLost { id });
        }
        if let (Some(at), true) = (s.locations.last().cloned(), s.any(MOVES)) {
            return Some(DisasterEvent::RobotMoves { id, at });
        }
        return s.any(BACK).then_some(DisasterEvent::RobotBack { id });
    }
    let at = s.locations.first().cloned()?;
    if s.any(PERSON) && s.any(APPEARS) {
        return Some(DisasterEvent::SurvivorFound { at, injury: injury.unwrap_or(Injury::Medium) });
    }
    (s.any(&["robot"]) && s.any(APPEARS)).then_some(DisasterEvent::RobotArrives { at })
}

fn question(s: &Sentence) -> Option<Question> {
    if let [from, .., to] = s.locations.as_slice() {
        return Some(Question::Way { from: from.clone(), to: to.clone() });
    }
    if let Some(id) = s.locations.first().cloned() {
        return Some(Question::Location { id });
    }
    if let Some(id) = s.robots.first().cloned() {
        return Some(Question::Robot { id });
    }
    let cannot = ["unreachable", "cannot", "can't", "can", "reached", "reach", "cut"];
    if s.any(&cannot) && (s.any(PERSON) || s.any(&["who", "whom", "nobody"])) {
        return Some(Question::Unreachable);
    }
    if s.any(&["robot", "robots"]) {
        return Some(Question::Robots);
    }
    let hazards = ["hazard", "hazards", "danger", "dangers", "dangerous", "obstacles", "roads"];
    if s.any(FIRE) || s.any(DEBRIS) || s.any(&hazards) {
        return Some(Question::Hazards);
    }
    let injury = injury_in(&s.words);
    (s.any(PERSON) || injury.is_some() || s.any(&["hurt", "injured", "waits", "waiting"]))
        .then_some(Question::Survivors { injury })
}
