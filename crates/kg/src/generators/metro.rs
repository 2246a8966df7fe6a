//! A made-up city with a metro: lines, stations, zones, operators, sights.

use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use crate::{Kg, KgBuilder, KgError};

const COLOURS: &[&str] = &[
    "Amber", "Jade", "Scarlet", "Indigo", "Copper", "Ivory", "Violet", "Teal", "Crimson", "Olive",
    "Silver", "Cobalt", "Coral", "Saffron", "Umber", "Pearl",
];
const FIRST: &[&str] = &[
    "Lantern", "Mill", "Harbour", "Orchard", "Foundry", "Willow", "Granite", "Heron", "Chapel",
    "Quarry", "Meadow", "Beacon", "Weaver", "Juniper", "Anchor", "Falcon", "Cedar", "Ferry",
    "Thistle", "Linden",
];
const SECOND: &[&str] = &[
    "Gate", "Square", "Bridge", "Cross", "Hill", "Park", "Row", "Junction", "Wharf", "Green",
    "Market", "Terrace",
];
const OPERATORS: &[&str] =
    &["Northway Transit", "Tidewater Rail", "Civic Metro", "Halden Lines", "Orbit Transport"];
const KINDS: &[(&str, &str)] = &[
    ("Museum of Clocks", "museum"),
    ("Glass Observatory", "viewpoint"),
    ("Puppet Theatre", "theatre"),
    ("Botanic Dome", "garden"),
    ("Tram Depot Gallery", "museum"),
    ("Singing Fountain", "monument"),
    ("Old Waterworks", "museum"),
    ("Lighthouse Walk", "viewpoint"),
    ("Night Market", "market"),
    ("Marble Arcade", "market"),
    ("Bell Tower", "viewpoint"),
    ("Rose Garden", "garden"),
    ("Chess Pavilion", "monument"),
    ("Cinema Aurora", "theatre"),
    ("Moon Library", "museum"),
    ("River Baths", "garden"),
    ("Sculpture Yard", "museum"),
    ("Silent Film House", "theatre"),
    ("Giant's Stair", "monument"),
    ("Spice Hall", "market"),
    ("Herbarium", "garden"),
    ("Dome of Maps", "museum"),
    ("Wind Organ", "monument"),
    ("Balloon Field", "viewpoint"),
];
const N_ZONES: usize = 4;

/// The title of these graphs.
pub const METRO: &str = "Metro";

/// A metro network with `n_lines` lines, 2 to 16.
///
/// Nodes: `Line` (colour), `Station` (opened, platforms), `Zone`, `Operator` (founded), `Sight`
/// (kind). Edges: `stops_at` Line → Station, `next_stop` Station → Station, `in_zone` Station →
/// Zone, `runs` and `maintains` Operator → Line, `near` Sight → Station. `runs` and `maintains`
/// join the same types and differ in meaning, so a plan can take one for the other and still be
/// well-formed.
///
/// O(n_lines²) stations at most.
///
/// # Errors
/// None that its own names could cause.
pub fn metro(n_lines: usize, seed: u64) -> Result<Kg, KgError> {
    let n_lines = n_lines.clamp(2, COLOURS.len());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut kg = KgBuilder::new(METRO);
    let attributes = |pairs: &[(&str, Value)]| -> Map<String, Value> {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect()
    };

    let mut names: Vec<String> =
        FIRST.iter().flat_map(|a| SECOND.iter().map(move |b| format!("{a} {b}"))).collect();
    names.shuffle(&mut rng);
    // Where lines cross; every line takes some of these and some of its own.
    let n_hubs = (n_lines * 3 / 2).max(3);
    let mut stations: Vec<String> = names.split_off(names.len() - n_hubs);
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for _ in 0..n_lines {
        let n_own = rng.random_range(4..=7);
        let mut stops: Vec<usize> = (0..n_hubs).collect();
        stops.shuffle(&mut rng);
        stops.truncate(rng.random_range(2..=4));
        for _ in 0..n_own {
            if let Some(name) = names.pop() {
                stops.push(stations.len());
                stations.push(name);
            }
        }
        stops.shuffle(&mut rng);
        lines.push(stops);
    }
    let id = |i: usize| format!("station:{i}");
    for zone in 1..=N_ZONES {
        kg.node(&format!("zone:{zone}"), "Zone", &format!("Zone {zone}"), Map::new())?;
    }
    for (i, name) in stations.iter().enumerate() {
        let opened = rng.random_range(1890..2020);
        let known = [("opened", json!(opened)), ("platforms", json!(rng.random_range(2..=6)))];
        kg.node(&id(i), "Station", name, attributes(&known))?;
        let zone = rng.random_range(1..=N_ZONES);
        kg.edge(&id(i), "in_zone", &format!("zone:{zone}"))?;
    }
    for (i, name) in OPERATORS.iter().enumerate() {
        let known = [("founded", json!(rng.random_range(1880..2000)))];
        kg.node(&format!("operator:{i}"), "Operator", name, attributes(&known))?;
    }
    for (i, stops) in lines.iter().enumerate() {
        let line = format!("line:{i}");
        let colour = COLOURS[i];
        let known = [("colour", json!(colour.to_lowercase()))];
        kg.node(&line, "Line", &format!("{colour} Line"), attributes(&known))?;
        for stop in stops {
            kg.edge(&line, "stops_at", &id(*stop))?;
        }
        for pair in stops.windows(2) {
            kg.edge(&id(pair[0]), "next_stop", &id(pair[1]))?;
        }
        let runner = rng.random_range(0..OPERATORS.len());
        kg.edge(&format!("operator:{runner}"), "runs", &line)?;
        // Another one than it is run by, so that the two edges never mean the same.
        let other = (runner + rng.random_range(1..OPERATORS.len())) % OPERATORS.len();
        kg.edge(&format!("operator:{other}"), "maintains", &line)?;
    }
    for (i, (name, kind)) in KINDS.iter().enumerate() {
        let sight = format!("sight:{i}");
        kg.node(&sight, "Sight", name, attributes(&[("kind", json!(kind))]))?;
        let mut near: Vec<usize> = (0..stations.len()).collect();
        near.shuffle(&mut rng);
        for station in near.iter().take(rng.random_range(1..=2)) {
            kg.edge(&sight, "near", &id(*station))?;
        }
    }
    kg.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;

    #[test]
    fn a_city_is_whole_whatever_the_seed() {
        for seed in 0..30 {
            let kg = metro(2 + seed as usize % 15, seed).unwrap_or_else(|e| panic!("{e}"));
            let schema = kg.schema();
            let edge = |name| schema.find_edge_type(name).unwrap_or(crate::EdgeTypeIx(0));
            let of = |name: &str| {
                kg.nodes_of_type(schema.find_node_type(name).unwrap_or(crate::NodeTypeIx(0)))
            };
            for line in of("Line") {
                let stops = kg.neighbors(*line, edge("stops_at"), Direction::Out);
                assert!(stops.len() >= 6);
                let runs = kg.neighbors(*line, edge("runs"), Direction::In);
                let maintains = kg.neighbors(*line, edge("maintains"), Direction::In);
                assert!(runs.len() == 1 && maintains.len() == 1 && runs != maintains);
            }
            for station in of("Station") {
                assert_eq!(kg.neighbors(*station, edge("in_zone"), Direction::Out).len(), 1);
            }
            assert!(kg.nodes().all(|n| kg.named(kg.name(n)).len() == 1));
        }
    }

    #[test]
    fn the_same_seed_makes_the_same_city() {
        let text = |seed| {
            let kg = metro(6, seed).unwrap_or_else(|e| panic!("{e}"));
            crate::formats::find("jsonl").map(|f| (f.write)(&kg))
        };
        assert_eq!(text(3), text(3));
        assert_ne!(text(3), text(4));
    }
}
