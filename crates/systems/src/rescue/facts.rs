//! A scenario as the environment functions tell it, and read back from what they told.

use serde_json::{Value, json};
use tasks::rescue::{
    DEBRIS_FACTOR, Hazard, HazardKind, Injury, Location, Place, Road, Robot, RobotStatus, Scenario,
    Survivor,
};

/// What `get_environment_data` tells.
///
/// Paper: Graph-Grounded LLMs §V; the names of survivors and robots and hazards on roads are ours.
pub(super) fn data(s: &Scenario) -> Value {
    let hazards = s.hazards.iter().map(|h| {
        let at = match &h.at {
            Place::Location(id) => json!({ "location": id }),
            Place::Road(a, b) => json!({ "road": [a, b] }),
        };
        let mut entry = json!({ "type": "obstacle", "hazard": h.kind.title() });
        if let (Some(entry), Some(at)) = (entry.as_object_mut(), at.as_object()) {
            entry.extend(at.clone());
        }
        entry
    });
    let survivors = s.survivors.iter().map(|x| {
        let level = x.injury.level();
        json!({ "type": "survivor", "id": x.id, "location": x.at, "injury_level": level })
    });
    let robots = s.robots.iter().map(|r| {
        let status = if r.status == RobotStatus::Lost { "lost" } else { "available" };
        json!({ "type": "robot", "id": r.id, "location": r.at, "status": status })
    });
    let relationships: Vec<Value> = hazards.chain(survivors).chain(robots).collect();
    json!({
        "entities": ["rescue robots", "collapsed building", "survivors", "fire hazards"],
        "locations": s.locations.iter().map(|l| &l.id).collect::<Vec<_>>(),
        "relationships": relationships,
        "constraints": [
            format!("Passing through debris takes {DEBRIS_FACTOR} times longer"),
            "Can't go through fire",
            "A road with a collapsed building on it is closed",
        ],
    })
}

/// What `get_environment_map_data` tells.
pub(super) fn map(s: &Scenario) -> Value {
    let terrain: Vec<Value> = s
        .roads
        .iter()
        .map(|r| json!({ "location1": r.from, "location2": r.to, "distance": r.distance }))
        .collect();
    json!({
        "terrain": terrain,
        "description": ["each terrain can be traversed in both directions"],
    })
}

/// The scenario that both functions told of, without the places on the map.
pub(super) fn read(data: &Value, map: &Value) -> Option<Scenario> {
    let text = |v: &Value, key: &str| v.get(key)?.as_str().map(str::to_owned);
    let mut s = Scenario {
        version: 1,
        name: String::new(),
        locations: Vec::new(),
        roads: Vec::new(),
        hazards: Vec::new(),
        survivors: Vec::new(),
        robots: Vec::new(),
    };
    for id in data.get("locations")?.as_array()? {
        s.locations.push(Location { id: id.as_str()?.to_owned(), x: 0.0, y: 0.0 });
    }
    for entry in data.get("relationships")?.as_array()? {
        match entry.get("type")?.as_str()? {
            "obstacle" => {
                let title = text(entry, "hazard")?;
                let kind = HazardKind::ALL.into_iter().find(|k| k.title() == title)?;
                let at = match text(entry, "location") {
                    Some(id) => Place::Location(id),
                    None => {
                        let ends = entry.get("road")?.as_array()?;
                        let end = |i: usize| ends.get(i)?.as_str().map(str::to_owned);
                        Place::Road(end(0)?, end(1)?)
                    }
                };
                s.hazards.push(Hazard { kind, at });
            }
            "survivor" => {
                let level = text(entry, "injury_level")?;
                let injury = Injury::ALL.into_iter().find(|i| i.level() == level)?;
                let (id, at) = (text(entry, "id")?, text(entry, "location")?);
                s.survivors.push(Survivor { id, at, injury });
            }
            _ => {
                let lost = text(entry, "status")? == "lost";
                let status = if lost { RobotStatus::Lost } else { RobotStatus::Available };
                let (id, at) = (text(entry, "id")?, text(entry, "location")?);
                s.robots.push(Robot { id, at, status });
            }
        }
    }
    for entry in map.get("terrain")?.as_array()? {
        let (from, to) = (text(entry, "location1")?, text(entry, "location2")?);
        s.roads.push(Road { from, to, distance: entry.get("distance")?.as_f64()? });
    }
    Some(s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_functions_tell_is_the_whole_scenario_but_for_the_places_on_the_map() {
        for seed in 0..20 {
            let mut scenario = tasks::rescue::generate(9 + seed as usize * 9, seed).unwrap();
            let told = read(&data(&scenario), &map(&scenario)).unwrap();
            scenario.name.clear();
            for l in &mut scenario.locations {
                (l.x, l.y) = (0.0, 0.0);
            }
            assert_eq!(told, scenario);
        }
    }
}
