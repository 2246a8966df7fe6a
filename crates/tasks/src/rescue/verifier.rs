//! Holds a plan against a scenario. Shares no code with what plans: it reads the scenario's own
//! lists, walks every route step by step, and finds reach and shortest ways by plain relaxation.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::ids::number;
use super::{
    HazardKind, Place, RescueFinding, RescuePlan, RescueRoute, RescueRule, RobotStatus, Scenario,
    Survivor,
};

/// Numbers this close, in parts of the larger, are the same.
const TOLERANCE: f64 = 1e-6;
/// The most findings that are reported.
const MAX_FINDINGS: usize = 200;

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0)
}

/// Everything that is wrong with a plan; empty for one that keeps all rules.
///
/// The rules: a robot that can be sent starts where it stands and has one route; every step is a
/// road, outside fire and not closed; lengths and arrivals are the distances, tripled where a road
/// touches debris; nobody is served before somebody worse hurt by the same robot; between two stops
/// no safe way is shorter; everybody whom a robot can reach is served once; the others, and only
/// they, are named as unreachable.
///
/// # Complexity
/// O(l · (n + r · h)) for l steps of all routes, r roads and h hazards, and a relaxation of all
/// roads per stop.
pub fn verify_plan(scenario: &Scenario, plan: &RescuePlan) -> Vec<RescueFinding> {
    let ground = Ground::new(scenario);
    let mut found = Vec::new();
    let mut served: BTreeMap<&str, usize> = BTreeMap::new();
    let mut sent = BTreeSet::new();
    for route in &plan.routes {
        if !sent.insert(route.robot.as_str()) {
            let message = format!("{} has two routes; a robot has one", route.robot);
            found.push(RescueFinding::new(RescueRule::WrongRobot, message));
        }
        ground.walk(route, &mut served, &mut found);
        if found.len() > MAX_FINDINGS {
            return found;
        }
    }
    let reach = ground.reach();
    for survivor in &scenario.survivors {
        let id = survivor.id.as_str();
        let times = served.get(id).copied().unwrap_or(0);
        let named = plan.unreachable.iter().any(|u| u.survivor == id);
        let can = reach.contains(survivor.at.as_str());
        let at = survivor.at.as_str();
        let mut tell =
            |rule, message: String| found.push(RescueFinding::new(rule, message).at(&[at]));
        if times > 1 {
            tell(RescueRule::ServedTwice, format!("{id} is served {times} times; once is enough"));
        }
        if can && times == 0 {
            tell(RescueRule::Unserved, format!("{id} at {at} can be reached and is not served"));
        }
        if can && named {
            tell(
                RescueRule::WrongUnreachable,
                format!("{id} at {at} is called unreachable and is not"),
            );
        }
        if !can && times == 0 && !named {
            let message = format!("{id} at {at} cannot be reached, and the plan does not say so");
            tell(RescueRule::WrongUnreachable, message);
        }
    }
    for u in &plan.unreachable {
        if !scenario.survivors.iter().any(|s| s.id == u.survivor) {
            let message = format!("there is no survivor {:?}", u.survivor);
            found.push(RescueFinding::new(RescueRule::UnknownName, message));
        }
    }
    found
}

/// The scenario, looked up by name.
struct Ground<'a> {
    scenario: &'a Scenario,
    fires: BTreeSet<&'a str>,
    rubble: BTreeSet<&'a str>,
    distances: BTreeMap<(&'a str, &'a str), f64>,
    /// Where a safe step leads from each location, and what it takes.
    safe: BTreeMap<&'a str, Vec<(&'a str, f64)>>,
    on_roads: BTreeMap<(&'a str, &'a str), Vec<HazardKind>>,
}

impl<'a> Ground<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        let mut ground = Self {
            scenario,
            fires: BTreeSet::new(),
            rubble: BTreeSet::new(),
            distances: BTreeMap::new(),
            safe: BTreeMap::new(),
            on_roads: BTreeMap::new(),
        };
        for hazard in &scenario.hazards {
            match &hazard.at {
                Place::Location(id) => match hazard.kind {
                    HazardKind::Fire => _ = ground.fires.insert(id),
                    HazardKind::Debris => _ = ground.rubble.insert(id),
                    HazardKind::Collapse => {}
                },
                Place::Road(a, b) => {
                    for pair in [(a.as_str(), b.as_str()), (b.as_str(), a.as_str())] {
                        ground.on_roads.entry(pair).or_default().push(hazard.kind);
                    }
                }
            }
        }
        for road in &scenario.roads {
            for (a, b) in [(&road.from, &road.to), (&road.to, &road.from)] {
                ground.distances.insert((a, b), road.distance);
            }
        }
        for road in &scenario.roads {
            for (a, b) in [(&road.from, &road.to), (&road.to, &road.from)] {
                if let (None, Some(time)) = (ground.forbidden(a, b), ground.time(a, b)) {
                    ground.safe.entry(a).or_default().push((b, time));
                }
            }
        }
        ground
    }

    fn on(&self, a: &'a str, b: &'a str) -> &[HazardKind] {
        self.on_roads.get(&(a, b)).map_or(&[], Vec::as_slice)
    }

    /// What a step takes, whatever forbids it; `None` where there is no road.
    fn time(&self, a: &'a str, b: &'a str) -> Option<f64> {
        let distance = *self.distances.get(&(a, b))?;
        let slow = self.rubble.contains(a)
            || self.rubble.contains(b)
            || self.on(a, b).contains(&HazardKind::Debris);
        // The number of the paper's sentence, written out here so that a slip in the constant that
        // the planner uses is noticed.
        Some(if slow { 3.0 * distance } else { distance })
    }

    fn forbidden(&self, a: &'a str, b: &'a str) -> Option<RescueFinding> {
        for end in [a, b] {
            if self.fires.contains(end) {
                let message = format!("the step {a} -> {b} touches {end}, which burns");
                return Some(RescueFinding::new(RescueRule::ThroughFire, message).at(&[a, b]));
            }
        }
        let on = self.on(a, b);
        if on.contains(&HazardKind::Fire) {
            let message = format!("the road {a} - {b} burns");
            return Some(RescueFinding::new(RescueRule::ThroughFire, message).at(&[a, b]));
        }
        if on.contains(&HazardKind::Collapse) {
            let message = format!("the road {a} - {b} is closed by a fallen building");
            return Some(RescueFinding::new(RescueRule::ClosedRoad, message).at(&[a, b]));
        }
        None
    }

    /// Shortest safe times from a location, by relaxing all roads until nothing changes.
    fn times_from(&self, start: &'a str) -> BTreeMap<&'a str, f64> {
        let mut times = BTreeMap::new();
        if self.fires.contains(start) {
            return times;
        }
        times.insert(start, 0.0);
        // Whoever got a better time tells its neighbours, until nobody has news.
        let mut news = VecDeque::from([start]);
        while let Some(a) = news.pop_front() {
            let before = times.get(a).copied().unwrap_or(f64::INFINITY);
            for &(b, time) in self.safe.get(a).into_iter().flatten() {
                let after = before + time;
                if times.get(b).is_none_or(|t| after < *t) {
                    times.insert(b, after);
                    news.push_back(b);
                }
            }
        }
        times
    }

    /// Every location that some robot that can be sent reaches.
    fn reach(&self) -> BTreeSet<&'a str> {
        let scenario = self.scenario;
        let able = scenario.robots.iter().filter(|r| r.status == RobotStatus::Available);
        let mut queue: Vec<&str> =
            able.map(|r| r.at.as_str()).filter(|at| !self.fires.contains(at)).collect();
        let mut seen: BTreeSet<&str> = queue.iter().copied().collect();
        while let Some(a) = queue.pop() {
            for &(b, _) in self.safe.get(a).into_iter().flatten() {
                if seen.insert(b) {
                    queue.push(b);
                }
            }
        }
        seen
    }

    fn walk(
        &self,
        route: &'a RescueRoute,
        served: &mut BTreeMap<&'a str, usize>,
        found: &mut Vec<RescueFinding>,
    ) {
        let robot = &route.robot;
        match self.scenario.robots.iter().find(|r| r.id == *robot) {
            None => {
                let message = format!("there is no robot {robot:?}");
                found.push(RescueFinding::new(RescueRule::UnknownName, message));
            }
            Some(r) => {
                let starts = route.path.first().is_none_or(|p| *p == r.at);
                if !starts {
                    let first = route.path.first().map_or("", String::as_str);
                    let message = format!("{robot} is at {}, its route starts at {first:?}", r.at);
                    found.push(RescueFinding::new(RescueRule::WrongRobot, message).at(&[&r.at]));
                }
                if r.status == RobotStatus::Lost && route.path.len() > 1 {
                    let message = format!("{robot} is lost and cannot be sent");
                    found.push(RescueFinding::new(RescueRule::WrongRobot, message).at(&[&r.at]));
                }
            }
        }
        for id in &route.path {
            if !self.scenario.locations.iter().any(|l| l.id == *id) {
                let message = format!("{robot} goes by {id:?}, and there is no such location");
                found.push(RescueFinding::new(RescueRule::UnknownName, message));
            }
        }
        // The time at each place of the path, as far as there are roads.
        let mut times = vec![0.0];
        let mut broken = false;
        for step in route.path.windows(2) {
            let (a, b) = (step[0].as_str(), step[1].as_str());
            let before = times.last().copied().unwrap_or(0.0);
            match self.time(a, b) {
                Some(time) => times.push(before + time),
                None => {
                    let message = format!("{robot} goes {a} -> {b}, and there is no such road");
                    found.push(RescueFinding::new(RescueRule::NoSuchRoad, message).at(&[a, b]));
                    times.push(before);
                    broken = true;
                }
            }
            found.extend(self.forbidden(a, b).map(|mut f| {
                f.message = format!("{robot}: {}", f.message);
                f
            }));
        }
        let walked = times.last().copied().unwrap_or(0.0);
        if !broken && !same(walked, route.length) {
            let message = format!(
                "the way of {robot} takes {}, the plan says {}",
                number(walked),
                number(route.length)
            );
            found.push(RescueFinding::new(RescueRule::WrongDistance, message));
        }
        self.stops(route, &times, broken, served, found);
    }

    fn stops(
        &self,
        route: &'a RescueRoute,
        times: &[f64],
        broken: bool,
        served: &mut BTreeMap<&'a str, usize>,
        found: &mut Vec<RescueFinding>,
    ) {
        let robot = &route.robot;
        let mut place = 0;
        let mut worst: Option<&Survivor> = None;
        for stop in &route.stops {
            *served.entry(stop.survivor.as_str()).or_default() += 1;
            let Some(survivor) = self.scenario.survivors.iter().find(|s| s.id == stop.survivor)
            else {
                let message = format!("{robot} serves {:?}, who is not here", stop.survivor);
                found.push(RescueFinding::new(RescueRule::UnknownName, message));
                continue;
            };
            let at = survivor.at.as_str();
            if stop.at != survivor.at {
                let message = format!("{} is at {at}, not at {:?}", survivor.id, stop.at);
                found.push(RescueFinding::new(RescueRule::WrongStop, message).at(&[at]));
                continue;
            }
            if let Some(before) = worst.filter(|w| w.injury > survivor.injury) {
                let message = format!(
                    "{robot} serves {} ({}) before {} ({})",
                    before.id,
                    before.injury.title(),
                    survivor.id,
                    survivor.injury.title()
                );
                found.push(
                    RescueFinding::new(RescueRule::CriticalFirst, message).at(&[&before.at, at]),
                );
            }
            worst = Some(survivor);
            // A way may cross the same place twice; the stop is at the crossing whose time it says,
            // or else at the next.
            let crossings: Vec<usize> =
                (place..route.path.len()).filter(|&i| route.path[i] == at).collect();
            let said = crossings.iter().find(|&&i| same(times[i], stop.arrival));
            let Some(&here) = said.or(crossings.first()) else {
                let message =
                    format!("the way of {robot} does not come to {at} for {}", stop.survivor);
                found.push(RescueFinding::new(RescueRule::WrongStop, message).at(&[at]));
                continue;
            };
            if !broken && !same(times[here], stop.arrival) {
                let message = format!(
                    "{robot} is at {at} for {} after {}, the plan says {}",
                    stop.survivor,
                    number(times[here]),
                    number(stop.arrival)
                );
                found.push(RescueFinding::new(RescueRule::WrongDistance, message).at(&[at]));
            }
            if !broken {
                let from = route.path[place].as_str();
                let took = times[here] - times[place];
                if let Some(&best) = self.times_from(from).get(at)
                    && best < took
                    && !same(best, took)
                {
                    let message = format!(
                        "{robot} takes {} from {from} to {at}; a safe way takes {}",
                        number(took),
                        number(best)
                    );
                    found.push(RescueFinding::new(RescueRule::Detour, message).at(&[from, at]));
                }
            }
            place = here;
        }
    }
}
