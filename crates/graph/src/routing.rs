//! Who goes to whom, and in which order: routes of several vehicles to targets of several
//! classes of urgency, on a table of distances.
//!
//! Classes are settled one after the other, the most urgent first, and a vehicle serves its
//! targets in that order. Within a class the sum of the arrivals is made smallest; what is settled
//! for a class is never made worse for a later one. A class is searched exactly as long as the
//! budget of steps lasts, and by insertion and local search after that.

use std::collections::BTreeMap;

/// Two sums of arrivals closer than this are equal.
const EPSILON: f64 = 1e-9;
/// Steps of exact search for one plan: some tens of milliseconds in a browser.
const BUDGET: u32 = 30_000;
/// Classes larger than this are not searched exactly: the budget would be lost on them.
const MAX_EXACT: usize = 8;
/// Settlements of a class that are equally good and followed up.
const MAX_TIES: usize = 512;
/// Of these, as many are tried by local search.
const MAX_ROUGH: usize = 16;
/// Rounds of local search; each makes the sum smaller, so this is only a guard.
const MAX_ROUNDS: usize = 200;

/// Distances between vehicles and targets; infinite where there is no way.
pub(crate) struct Table {
    /// Per vehicle: the distance to each target.
    pub(crate) from_start: Vec<Vec<f64>>,
    /// Per target: the distance to each target.
    pub(crate) between: Vec<Vec<f64>>,
    /// Per vehicle: where it starts.
    pub(crate) start_at: Vec<u32>,
    /// Per target: where it is. Targets in one place are told apart by nothing else.
    pub(crate) target_at: Vec<u32>,
}

impl Table {
    fn leg(&self, vehicle: usize, last: Option<usize>, target: usize) -> f64 {
        match last {
            None => self.from_start[vehicle][target],
            Some(last) => self.between[last][target],
        }
    }
}

/// Per vehicle, its targets in order; and whether this is known to be the best.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assignment {
    pub(crate) orders: Vec<Vec<usize>>,
    pub(crate) proven: bool,
}

/// What is settled so far.
#[derive(Clone)]
struct Settled {
    orders: Vec<Vec<usize>>,
    times: Vec<f64>,
}

impl Settled {
    fn last(&self, vehicle: usize) -> Option<usize> {
        self.orders[vehicle].last().copied()
    }

    fn append(&mut self, table: &Table, vehicle: usize, target: usize) {
        self.times[vehicle] += table.leg(vehicle, self.last(vehicle), target);
        self.orders[vehicle].push(target);
    }

    /// Two settlements with the same key leave later classes the same choices: vehicles that stand
    /// in the same places after the same times, whichever of them stands where.
    fn key(&self, table: &Table) -> Key {
        let stands = |v: usize| self.last(v).map_or(table.start_at[v], |t| table.target_at[t]);
        let mut key: Key =
            (0..self.orders.len()).map(|v| (stands(v), self.times[v].to_bits())).collect();
        key.sort_unstable();
        key
    }

    fn total(&self) -> f64 {
        self.times.iter().sum()
    }
}

type Key = Vec<(u32, u64)>;

/// Assigns every target of `classes`, the most urgent class first. Each must be reachable from
/// some vehicle, and where one vehicle reaches two targets, they must reach each other.
///
/// Exact search takes at most a fixed number of steps. After that, with k targets in a class and
/// v vehicles, a round of local search is O(k² · (k + v)).
pub(crate) fn assign(table: &Table, classes: &[Vec<usize>]) -> Assignment {
    let n = table.from_start.len();
    let mut states = vec![Settled { orders: vec![Vec::new(); n], times: vec![0.0; n] }];
    let (mut proven, mut budget) = (true, BUDGET);
    let classes: Vec<&Vec<usize>> = classes.iter().filter(|c| !c.is_empty()).collect();
    for (i, class) in classes.iter().enumerate() {
        let rough: Vec<(f64, Settled)> =
            states.iter().take(MAX_ROUGH).map(|s| improve(table, s, class)).collect();
        let best = rough.iter().map(|(sum, _)| *sum).fold(f64::INFINITY, f64::min);
        let mut search = Exact {
            table,
            best,
            found: BTreeMap::new(),
            is_last: i + 1 == classes.len(),
            budget,
            complete: class.len() <= MAX_EXACT,
        };
        for state in states.iter().filter(|_| class.len() <= MAX_EXACT) {
            let mut rest = class.to_vec();
            search.visit(&mut state.clone(), &mut rest, 0, 0.0);
        }
        budget = search.budget;
        if search.complete {
            states = search.found.into_values().collect();
        } else {
            proven = false;
            // What the search found before it ran out may still beat the local search.
            states = if search.found.is_empty() {
                rough.into_iter().filter(|(sum, _)| *sum <= best + EPSILON).map(|r| r.1).collect()
            } else {
                search.found.into_values().collect()
            };
            states.truncate(1);
        }
    }
    let total = |s: &Settled| s.times.iter().sum::<f64>();
    let best =
        states.into_iter().reduce(|a, b| if total(&b) < total(&a) - EPSILON { b } else { a });
    Assignment { orders: best.map(|s| s.orders).unwrap_or_default(), proven }
}

/// Branch and bound over the orders of one class. Vehicles get their targets one after the other,
/// so that no assignment is met twice.
struct Exact<'a> {
    table: &'a Table,
    best: f64,
    /// In the order of their keys, so that the same comes out every time.
    found: BTreeMap<Key, Settled>,
    /// Whether no class comes after this one, so that one of those equally good is enough.
    is_last: bool,
    budget: u32,
    complete: bool,
}

impl Exact<'_> {
    fn visit(&mut self, state: &mut Settled, rest: &mut Vec<usize>, vehicle: usize, sum: f64) {
        if !self.complete {
            return;
        }
        if rest.is_empty() {
            self.keep(state, sum);
            return;
        }
        if vehicle == state.orders.len() {
            return;
        }
        let Some(left) = self.budget.checked_sub(1) else {
            self.complete = false;
            return;
        };
        self.budget = left;
        // No target can be reached sooner than straight from where some vehicle stands.
        let soonest = |t: &usize| {
            (vehicle..state.orders.len())
                .map(|v| state.times[v] + self.table.leg(v, state.last(v), *t))
                .fold(f64::INFINITY, f64::min)
        };
        if sum + rest.iter().map(soonest).sum::<f64>() > self.best + EPSILON {
            return;
        }
        for i in 0..rest.len() {
            let (target, time) = (rest[i], state.times[vehicle]);
            if self.table.leg(vehicle, state.last(vehicle), target).is_infinite() {
                continue;
            }
            rest.remove(i);
            state.append(self.table, vehicle, target);
            let arrival = state.times[vehicle];
            self.visit(state, rest, vehicle, sum + arrival);
            state.orders[vehicle].pop();
            state.times[vehicle] = time;
            rest.insert(i, target);
        }
        self.visit(state, rest, vehicle + 1, sum);
    }

    fn keep(&mut self, state: &Settled, sum: f64) {
        if sum > self.best + EPSILON {
            return;
        }
        if sum < self.best - EPSILON {
            self.found.clear();
            self.best = sum;
        }
        if self.is_last {
            if self.found.first_key_value().is_none_or(|(_, s)| state.total() < s.total() - EPSILON)
            {
                self.found.clear();
                self.found.insert(Key::new(), state.clone());
            }
            return;
        }
        let key = state.key(self.table);
        if self.found.contains_key(&key) {
            return;
        }
        if self.found.len() == MAX_TIES {
            self.complete = false;
            return;
        }
        self.found.insert(key, state.clone());
    }
}

/// The new part of one vehicle's route, for one class.
type Tour = Vec<usize>;

/// Insertion and local search for one class: a good settlement and the sum of its arrivals.
fn improve(table: &Table, base: &Settled, class: &[usize]) -> (f64, Settled) {
    let cost = |vehicle: usize, tour: &[usize]| -> f64 {
        let (mut time, mut last, mut sum) = (base.times[vehicle], base.last(vehicle), 0.0);
        for &target in tour {
            time += table.leg(vehicle, last, target);
            sum += time;
            last = Some(target);
        }
        sum
    };
    let with = |tour: &Tour, place: usize, target: usize| -> Tour {
        let mut longer = tour.clone();
        longer.insert(place, target);
        longer
    };
    let n = base.orders.len();
    let mut tours: Vec<Tour> = vec![Vec::new(); n];
    let mut rest = class.to_vec();
    // The target that is cheapest to put somewhere goes first.
    while !rest.is_empty() {
        let mut best: Option<(f64, usize, usize, usize)> = None;
        for (i, &target) in rest.iter().enumerate() {
            for (vehicle, tour) in tours.iter().enumerate() {
                let before = cost(vehicle, tour);
                for place in 0..=tour.len() {
                    let more = cost(vehicle, &with(tour, place, target)) - before;
                    if more.is_finite() && best.is_none_or(|b| more < b.0 - EPSILON) {
                        best = Some((more, i, vehicle, place));
                    }
                }
            }
        }
        // Every target is reachable, so there is always a place.
        let Some((_, i, vehicle, place)) = best else { break };
        let target = rest.remove(i);
        tours[vehicle].insert(place, target);
    }
    for _ in 0..MAX_ROUNDS {
        if !relocate(&mut tours, &cost) && !swap(&mut tours, &cost) {
            break;
        }
    }
    let sum = (0..n).map(|v| cost(v, &tours[v])).sum();
    let mut settled = base.clone();
    for (vehicle, tour) in tours.iter().enumerate() {
        for &target in tour {
            settled.append(table, vehicle, target);
        }
    }
    (sum, settled)
}

/// Moves targets to better places, in their own tour or another; whether any moved.
fn relocate(tours: &mut [Tour], cost: &impl Fn(usize, &[usize]) -> f64) -> bool {
    let mut moved = false;
    for a in 0..tours.len() {
        let mut i = 0;
        while i < tours[a].len() {
            let before = cost(a, &tours[a]);
            let mut shorter = tours[a].clone();
            let target = shorter.remove(i);
            let without = cost(a, &shorter);
            let mut best: Option<(f64, usize, usize)> = None;
            for (b, tour) in tours.iter().enumerate() {
                let base = if a == b { &shorter } else { tour };
                let old = if a == b { before } else { before + cost(b, base) };
                for place in 0..=base.len() {
                    let mut longer = base.clone();
                    longer.insert(place, target);
                    let new = cost(b, &longer) + if a == b { 0.0 } else { without };
                    let gain = old - new;
                    if gain > EPSILON && best.is_none_or(|x| gain > x.0 + EPSILON) {
                        best = Some((gain, b, place));
                    }
                }
            }
            if let Some((_, b, place)) = best {
                tours[a] = shorter;
                tours[b].insert(place, target);
                moved = true;
            }
            i += 1;
        }
    }
    moved
}

/// Exchanges two targets where that helps; whether any were exchanged.
fn swap(tours: &mut [Tour], cost: &impl Fn(usize, &[usize]) -> f64) -> bool {
    let mut moved = false;
    for a in 0..tours.len() {
        for b in a..tours.len() {
            for i in 0..tours[a].len() {
                let first = if a == b { i + 1 } else { 0 };
                for j in first..tours[b].len() {
                    let old = sum_of(tours, a, b, cost);
                    exchange(tours, (a, i), (b, j));
                    if sum_of(tours, a, b, cost) < old - EPSILON {
                        moved = true;
                    } else {
                        exchange(tours, (a, i), (b, j));
                    }
                }
            }
        }
    }
    moved
}

fn sum_of(tours: &[Tour], a: usize, b: usize, cost: &impl Fn(usize, &[usize]) -> f64) -> f64 {
    cost(a, &tours[a]) + if a == b { 0.0 } else { cost(b, &tours[b]) }
}

fn exchange(tours: &mut [Tour], (a, i): (usize, usize), (b, j): (usize, usize)) {
    let (x, y) = (tours[a][i], tours[b][j]);
    tours[a][i] = y;
    tours[b][j] = x;
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    /// Points on a square; distances as the crow flies.
    fn table(seed: u64, n_vehicles: usize, n_targets: usize) -> Table {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut points = |n: usize| -> Vec<(f64, f64)> {
            (0..n).map(|_| (rng.random::<f64>() * 100.0, rng.random::<f64>() * 100.0)).collect()
        };
        let (starts, targets) = (points(n_vehicles), points(n_targets));
        let row = |p: &(f64, f64)| -> Vec<f64> {
            targets.iter().map(|q| (p.0 - q.0).hypot(p.1 - q.1)).collect()
        };
        Table {
            from_start: starts.iter().map(row).collect(),
            between: targets.iter().map(row).collect(),
            start_at: (0..n_vehicles as u32).collect(),
            target_at: (0..n_targets as u32).map(|t| n_vehicles as u32 + t).collect(),
        }
    }

    #[test]
    fn local_search_is_never_below_the_best_and_on_the_whole_near_it() {
        let (mut near, mut best) = (0.0, 0.0);
        for seed in 0..150 {
            let (n_vehicles, n_targets) = (1 + seed as usize % 3, 4 + seed as usize % 4);
            let table = table(seed, n_vehicles, n_targets);
            let class: Vec<usize> = (0..n_targets).collect();
            let base =
                Settled { orders: vec![Vec::new(); n_vehicles], times: vec![0.0; n_vehicles] };
            let (rough, settled) = improve(&table, &base, &class);
            assert_eq!(settled.orders.iter().map(Vec::len).sum::<usize>(), n_targets);
            let mut search = Exact {
                table: &table,
                best: f64::INFINITY,
                found: BTreeMap::new(),
                is_last: true,
                budget: u32::MAX,
                complete: true,
            };
            search.visit(&mut base.clone(), &mut class.clone(), 0, 0.0);
            assert!(rough >= search.best - EPSILON, "seed {seed}");
            near += rough;
            best += search.best;
        }
        assert!(near <= best * 1.02, "local search is {near}, the best {best}");
    }

    #[test]
    fn a_large_class_is_planned_without_a_proof_and_a_small_one_with() {
        let class: Vec<usize> = (0..MAX_EXACT + 1).collect();
        let large = assign(&table(1, 3, MAX_EXACT + 1), &[class]);
        assert!(!large.proven);
        assert_eq!(large.orders.iter().map(Vec::len).sum::<usize>(), MAX_EXACT + 1);
        assert!(assign(&table(1, 3, 4), &[vec![0, 1], vec![2, 3]]).proven);
    }
}
