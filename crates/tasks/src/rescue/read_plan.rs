//! Reads a plan out of an answer, and checks any text that speaks of ways.

use std::collections::BTreeSet;

use super::ids::{is_id, natural};
use super::{
    HazardKind, Injury, RescueFinding, RescuePlan, RescueRoute, RescueRule, RouteStop, Scenario,
    UnreachableSurvivor, verify_plan,
};

/// The longest text that is read.
const MAX_TEXT: usize = 100_000;
/// The most steps of a way that are read.
const MAX_STEPS: usize = 2000;

/// The lines of a text without the marks that models put round them.
fn lines(text: &str) -> impl Iterator<Item = String> + '_ {
    let end = (0..=text.len().min(MAX_TEXT)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    text[..end].lines().map(|line| {
        let plain: String = line.chars().filter(|c| !matches!(c, '*' | '`' | '|')).collect();
        plain.trim_start_matches(|c: char| !c.is_alphanumeric()).trim().replace('→', "->")
    })
}

/// The plan that an answer states, or `None` if no line of it is a route.
///
/// A route is a line `R1: L5 -> L3; serves S1 at 3; length 3` or `R2: stays at L6`; a survivor who
/// cannot be reached is a line `UnreachableSurvivor: S4 (why)`. Marks of Markdown, `→`, a word `Robot`
/// before the name and a full stop at the end do no harm. What is not such a line is passed over.
///
/// Names are kept as they are written: whether they exist is for the verifier.
pub fn read_plan(text: &str) -> Option<RescuePlan> {
    let mut plan = RescuePlan::default();
    for line in lines(text) {
        let Some((head, tail)) = line.split_once(':') else { continue };
        let head = head.trim();
        if head.eq_ignore_ascii_case("unreachable") {
            for part in split_outside(tail) {
                let (id, reason) = part.split_once('(').unwrap_or((part, ""));
                let id = id.trim().trim_end_matches('.').trim();
                if is_id(id) && !id.eq_ignore_ascii_case("none") {
                    let reason = reason.trim_end_matches(['.', ')', ' ']).to_owned();
                    plan.unreachable.push(UnreachableSurvivor { survivor: id.to_owned(), reason });
                }
            }
            continue;
        }
        let robot = head.strip_prefix("Robot ").or_else(|| head.strip_prefix("robot "));
        let robot = robot.unwrap_or(head).trim();
        if !is_id(robot) {
            continue;
        }
        if let Some(route) = route(robot, tail.trim().trim_end_matches('.')) {
            plan.routes.push(route);
        }
    }
    (!plan.routes.is_empty()).then_some(plan)
}

/// The parts of a list, split at commas that stand outside brackets.
fn split_outside(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_usize, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

fn route(robot: &str, text: &str) -> Option<RescueRoute> {
    let mut parts = text.split(';').map(str::trim);
    let way = parts.next()?;
    let mut route =
        RescueRoute { robot: robot.to_owned(), path: Vec::new(), stops: Vec::new(), length: 0.0 };
    if let Some(at) = way.strip_prefix("stays at ") {
        let at = at.trim();
        route.path = vec![at.to_owned()];
        return is_id(at).then_some(route);
    }
    if !way.contains("->") {
        // A robot may serve somebody where it stands.
        if !is_id(way) || !text.contains("serves") {
            return None;
        }
    }
    route.path = way.split("->").take(MAX_STEPS).map(|id| id.trim().to_owned()).collect();
    if !route.path.iter().all(|id| is_id(id)) {
        return None;
    }
    for part in parts {
        if let Some(list) = part.strip_prefix("serves ") {
            for stop in list.split(',') {
                let (who, when) = stop.split_once(" at ")?;
                let arrival = when.trim().parse().ok().filter(|n: &f64| n.is_finite())?;
                let survivor = who.trim().to_owned();
                route.stops.push(RouteStop { survivor, at: String::new(), arrival });
            }
        } else if let Some(length) = part.strip_prefix("length ") {
            route.length = length.trim().parse().ok().filter(|n: &f64| n.is_finite())?;
        }
    }
    Some(route)
}

impl RescuePlan {
    /// Fills in where each survivor is, which a text does not say twice.
    fn place_stops(mut self, scenario: &Scenario) -> Self {
        for stop in self.routes.iter_mut().flat_map(|r| &mut r.stops) {
            if let Some(s) = scenario.survivors.iter().find(|s| s.id == stop.survivor) {
                stop.at.clone_from(&s.at);
            }
        }
        self
    }
}

/// Everything that is wrong with what a text says about ways in a scenario: the plan in it, if
/// there is one, held by [`verify_plan`]; and in any sentence a location that the scenario does not
/// have, or a step `A -> B` (also in a list `[A, B, C]`) that is no road, burns or is closed.
///
/// The second value is the plan, with the places of its survivors filled in.
pub fn check_text(scenario: &Scenario, text: &str) -> (Vec<RescueFinding>, Option<RescuePlan>) {
    let plan = read_plan(text).map(|p| p.place_stops(scenario));
    let mut found = plan.as_ref().map(|p| verify_plan(scenario, p)).unwrap_or_default();
    let mut told: BTreeSet<String> = found.iter().flat_map(|f| f.locations.clone()).collect();
    for line in lines(text) {
        for word in words(&line) {
            let known = found.iter().any(|f| f.message.contains(&format!("{word:?}")));
            if looks_like_location(scenario, word) && !known && told.insert(word.to_owned()) {
                let message = format!("the text names {word:?}, and there is no such location");
                found.push(RescueFinding::new(RescueRule::UnknownName, message));
            }
        }
        if read_plan(&line).is_some() {
            continue;
        }
        for way in ways(&line) {
            steps(scenario, &way, &mut found);
        }
    }
    (found, plan)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
}

/// Letters and a number, the letters being those of the scenario's locations, and none of them.
fn looks_like_location(scenario: &Scenario, word: &str) -> bool {
    let (letters, _, _) = natural(word);
    if !is_id(word) || letters.is_empty() || letters == word {
        return false;
    }
    let known = scenario.locations.iter().map(|l| &l.id);
    let known = known.chain(scenario.robots.iter().map(|r| &r.id));
    let mut known = known.chain(scenario.survivors.iter().map(|s| &s.id));
    let kind = scenario.locations.iter().any(|l| natural(&l.id).0 == letters);
    kind && !known.any(|id| id == word)
}

/// The ways in a line: names joined by arrows, or in square brackets with commas.
fn ways(line: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for bracket in line.split('[').skip(1).filter_map(|rest| rest.split_once(']')) {
        let names: Vec<String> = bracket.0.split(',').map(|id| id.trim().to_owned()).collect();
        if names.iter().all(|id| is_id(id)) {
            all.push(names);
        }
    }
    if line.contains("->") {
        let mut way: Vec<String> = Vec::new();
        for part in line.split("->") {
            let mut ends = words(part);
            let first = ends.next();
            let last = ends.last().or(first);
            if let Some(first) = first.filter(|_| !way.is_empty()) {
                way.push(first.to_owned());
            }
            // Words between two arrows break the way into two.
            if way.is_empty() || first != last {
                all.push(std::mem::take(&mut way));
                way.extend(last.map(str::to_owned));
            }
        }
        all.push(way);
    }
    all.retain(|way| way.len() > 1);
    all
}

fn steps(scenario: &Scenario, way: &[String], found: &mut Vec<RescueFinding>) {
    let there = |id: &str| scenario.locations.iter().any(|l| l.id == id);
    for step in way.windows(2).take(MAX_STEPS) {
        let (a, b) = (step[0].as_str(), step[1].as_str());
        if !there(a) || !there(b) {
            continue;
        }
        let fire = [a, b].into_iter().find(|id| scenario.has_at(HazardKind::Fire, id));
        let finding = if scenario.road(a, b).is_none() {
            let message = format!("the text goes {a} -> {b}, and there is no such road");
            RescueFinding::new(RescueRule::NoSuchRoad, message)
        } else if let Some(end) = fire {
            let message = format!("the text goes {a} -> {b}, and {end} burns");
            RescueFinding::new(RescueRule::ThroughFire, message)
        } else if scenario.has_on(HazardKind::Fire, a, b) {
            let message = format!("the text goes {a} -> {b}, and that road burns");
            RescueFinding::new(RescueRule::ThroughFire, message)
        } else if scenario.has_on(HazardKind::Collapse, a, b) {
            let message = format!("the text goes {a} -> {b}, and that road is closed");
            RescueFinding::new(RescueRule::ClosedRoad, message)
        } else {
            continue;
        };
        let finding = finding.at(&[a, b]);
        if !found.contains(&finding) {
            found.push(finding);
        }
    }
}

/// Reads a level of injury out of words, as people and files say it.
pub(super) fn injury_in(words: &[String]) -> Option<Injury> {
    const WORDS: [(&str, Injury); 14] = [
        ("critical", Injury::High),
        ("critically", Injury::High),
        ("high", Injury::High),
        ("severe", Injury::High),
        ("severely", Injury::High),
        ("worst", Injury::High),
        ("serious", Injury::Medium),
        ("seriously", Injury::Medium),
        ("medium", Injury::Medium),
        ("moderate", Injury::Medium),
        ("minor", Injury::Low),
        ("low", Injury::Low),
        ("light", Injury::Low),
        ("lightly", Injury::Low),
    ];
    words.iter().find_map(|w| WORDS.iter().find(|(known, _)| known == w).map(|(_, i)| *i))
}
