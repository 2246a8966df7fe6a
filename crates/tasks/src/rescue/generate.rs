//! Scenarios and events from a seed. The same seed gives the same scenario, on every machine.

use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use super::{
    DisasterEvent, Hazard, HazardKind, Injury, Location, Place, Road, Robot, RobotStatus, Scenario,
    ScenarioError, Survivor,
};

/// The fewest locations that are generated: as many as in the paper.
pub const MIN_GENERATED: usize = 9;
/// The most locations that are generated.
pub const MAX_GENERATED: usize = Scenario::MAX_LOCATIONS;

/// How much may keep an event from fitting before another kind is tried.
const TRIES: usize = 50;

/// A number below `n`, drawn as u32 so that 32-bit and 64-bit machines agree.
fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    rng.random_range(0..n.max(1) as u32) as usize
}

fn pick<'a, T>(rng: &mut ChaCha8Rng, values: &'a [T]) -> Option<&'a T> {
    values.get(below(rng, values.len()))
}

fn an_injury(rng: &mut ChaCha8Rng) -> Injury {
    Injury::ALL[below(rng, 3)]
}

/// A scenario of `n` locations: places on a jittered grid, a connected net of roads between
/// neighbours with distances as drawn, fires, debris, fallen buildings, survivors and robots in
/// proportion to the size. No robot starts in a fire.
///
/// # Errors
/// `n` is not from [`MIN_GENERATED`] to [`MAX_GENERATED`].
///
/// # Complexity
/// O(n log n).
pub fn generate(n: usize, seed: u64) -> Result<Scenario, ScenarioError> {
    if !(MIN_GENERATED..=MAX_GENERATED).contains(&n) {
        return Err(ScenarioError::Number {
            what: "the number of locations".into(),
            value: n as f64,
            range: "from 9 to 200",
        });
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let columns = (1..).find(|c| c * c >= n).unwrap_or(n);
    let cell = 1000.0 / columns as f64;
    let locations: Vec<Location> = (0..n)
        .map(|i| {
            let mut along = |k: usize| {
                // Whole numbers, so that a file is short and reads back the same.
                let jitter = f64::from(rng.random_range(-22..=22_i32)) / 100.0;
                ((k as f64 + 0.5 + jitter) * cell).round()
            };
            Location { id: format!("L{}", i + 1), x: along(i % columns), y: along(i / columns) }
        })
        .collect();
    let roads = net(&mut rng, &locations, columns, cell);
    let mut order: Vec<usize> = (0..n).collect();
    order.shuffle(&mut rng);
    let id = |i: usize| locations[i].id.clone();
    let n_robots = (2 + n / 25).min(10);
    let n_fires = (n / 10).max(1);
    let (robots, rest) = order.split_at(n_robots);
    let (fires, rest) = rest.split_at(n_fires);
    let debris = &rest[..n / 8 + 1];
    let n_survivors = 3 + n / 8;
    let survivors: Vec<Survivor> = (0..n_survivors)
        .map(|i| Survivor {
            id: format!("S{}", i + 1),
            // Mostly where no fire is; now and then somebody is in one.
            at: if below(&mut rng, 12) == 0 {
                id(fires[below(&mut rng, fires.len())])
            } else {
                id(rest[below(&mut rng, rest.len())])
            },
            injury: an_injury(&mut rng),
        })
        .collect();
    let mut hazards: Vec<Hazard> = Vec::new();
    let at = |kind: HazardKind, i: &usize| Hazard { kind, at: Place::Location(id(*i)) };
    hazards.extend(fires.iter().map(|i| at(HazardKind::Fire, i)));
    hazards.extend(debris.iter().map(|i| at(HazardKind::Debris, i)));
    let mut shut: Vec<usize> = (0..roads.len()).collect();
    shut.shuffle(&mut rng);
    for (place, i) in shut.into_iter().take(n / 9).enumerate() {
        let kind = HazardKind::ALL[place % 3];
        let at = Place::Road(roads[i].from.clone(), roads[i].to.clone());
        hazards.push(Hazard { kind, at });
    }
    let robots = robots
        .iter()
        .enumerate()
        .map(|(i, at)| Robot {
            id: format!("R{}", i + 1),
            at: id(*at),
            status: RobotStatus::Available,
        })
        .collect();
    let name = format!("{n} locations, seed {seed}");
    let scenario = Scenario { version: 1, name, locations, roads, hazards, survivors, robots };
    scenario.check()?;
    Ok(scenario)
}

/// Roads between neighbours on the grid: a random tree first, then a third of the others.
fn net(rng: &mut ChaCha8Rng, locations: &[Location], columns: usize, cell: f64) -> Vec<Road> {
    let n = locations.len();
    let mut pairs = Vec::new();
    for i in 0..n {
        if i % columns + 1 < columns && i + 1 < n {
            pairs.push((i, i + 1));
        }
        if i + columns < n {
            pairs.push((i, i + columns));
            if i % columns + 1 < columns && i + columns + 1 < n && below(rng, 4) == 0 {
                pairs.push((i, i + columns + 1));
            }
        }
    }
    pairs.shuffle(rng);
    let mut part: Vec<usize> = (0..n).collect();
    let mut roads = Vec::new();
    for (a, b) in pairs {
        let joins = part[a] != part[b];
        if joins {
            let (from, to) = (part[b], part[a]);
            part.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
        }
        if joins || below(rng, 3) == 0 {
            let (p, q) = (&locations[a], &locations[b]);
            let apart = (p.x - q.x).hypot(p.y - q.y);
            let distance = (apart / cell * 4.0).round().max(1.0);
            roads.push(Road { from: p.id.clone(), to: q.id.clone(), distance });
        }
    }
    roads
}

/// An event that fits a scenario, from a seed: what a disaster brings, not what the editor does.
/// `None` only for a scenario to which nothing can happen.
pub fn random_event(scenario: &Scenario, seed: u64) -> Option<DisasterEvent> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..TRIES).find_map(|_| draw(&mut rng, scenario).filter(|event| event.apply(scenario).is_ok()))
}

fn draw(rng: &mut ChaCha8Rng, s: &Scenario) -> Option<DisasterEvent> {
    let place = |rng: &mut ChaCha8Rng| {
        if below(rng, 3) == 0 {
            pick(rng, &s.roads).map(|r| Place::Road(r.from.clone(), r.to.clone()))
        } else {
            pick(rng, &s.locations).map(|l| Place::Location(l.id.clone()))
        }
    };
    let at = |rng: &mut ChaCha8Rng| pick(rng, &s.locations).map(|l| l.id.clone());
    let robot = |rng: &mut ChaCha8Rng| pick(rng, &s.robots).map(|r| r.id.clone());
    let survivor = |rng: &mut ChaCha8Rng| pick(rng, &s.survivors).map(|x| x.id.clone());
    let event = match below(rng, 16) {
        0..=3 => DisasterEvent::HazardAppears { kind: HazardKind::Fire, at: place(rng)? },
        4 | 5 => DisasterEvent::HazardAppears { kind: HazardKind::Debris, at: place(rng)? },
        6 => DisasterEvent::HazardAppears { kind: HazardKind::Collapse, at: place(rng)? },
        7 | 8 => {
            let hazard = pick(rng, &s.hazards)?.clone();
            DisasterEvent::HazardEnds { kind: hazard.kind, at: hazard.at }
        }
        9 | 10 => DisasterEvent::SurvivorFound { at: at(rng)?, injury: an_injury(rng) },
        11 => DisasterEvent::SurvivorRescued { id: survivor(rng)? },
        12 => DisasterEvent::InjuryChanges { id: survivor(rng)?, injury: an_injury(rng) },
        13 => DisasterEvent::RobotLost { id: robot(rng)? },
        14 => DisasterEvent::RobotBack { id: robot(rng)? },
        _ => DisasterEvent::RobotMoves { id: robot(rng)?, at: at(rng)? },
    };
    Some(event)
}
