//! Lines of edges: straight, and around nodes that are none of their ends.

use super::boxes::Shape;
use crate::{NODE_RADIUS, Point};

/// The least distance from a line to the rim of a foreign node.
pub(super) const CLEAR: f64 = 4.0;
/// How far two arcs between the same nodes bow to opposite sides.
const PAIR: f64 = 22.0;
/// The length of an arrowhead, and half of its width.
const HEAD: (f64, f64) = (10.0, 4.5);
/// How far apart the places on a line are at which it is held against nodes, and how many there are.
const STEP: f64 = 8.0;
const LEAST_SAMPLES: usize = 24;

/// A curve of four points, as Bézier has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Curve {
    points: [Point; 4],
    is_straight: bool,
}

fn between(a: Point, b: Point, t: f64) -> Point {
    Point { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t }
}

impl Curve {
    /// From `a` to `b`; its control points stand off the chord by two widths.
    fn bowed(a: Point, b: Point, (first, second): (f64, f64)) -> Self {
        let length = a.distance(b).max(1e-9);
        let (nx, ny) = (-(b.y - a.y) / length, (b.x - a.x) / length);
        let off = |t: f64, by: f64| {
            let p = between(a, b, t);
            // A control point draws a line three quarters of the way where both do.
            Point { x: p.x + nx * by * 4.0 / 3.0, y: p.y + ny * by * 4.0 / 3.0 }
        };
        let points = [a, off(1.0 / 3.0, first), off(2.0 / 3.0, second), b];
        Self { points, is_straight: first == 0.0 && second == 0.0 }
    }

    /// A loop at a node, towards a side.
    fn looped(at: Point, (ux, uy): (f64, f64)) -> Self {
        let r = NODE_RADIUS;
        let corner = |along: f64, across: f64| Point {
            x: at.x + (ux * along - uy * across) * r,
            y: at.y + (uy * along + ux * across) * r,
        };
        let points = [corner(0.8, -0.6), corner(3.0, -1.8), corner(3.0, 1.8), corner(0.8, 0.6)];
        Self { points, is_straight: false }
    }

    pub(super) fn at(&self, t: f64) -> Point {
        let [a, b, c, d] = self.points;
        let (ab, bc, cd) = (between(a, b, t), between(b, c, t), between(c, d, t));
        between(between(ab, bc, t), between(bc, cd, t), t)
    }

    /// The unit vector across the line.
    pub(super) fn across(&self, t: f64) -> (f64, f64) {
        let (p, q) = (self.at((t - 0.02).max(0.0)), self.at((t + 0.02).min(1.0)));
        let length = p.distance(q).max(1e-9);
        (-(q.y - p.y) / length, (q.x - p.x) / length)
    }

    /// The part up to `t`.
    fn first(&self, t: f64) -> Self {
        let [a, b, c, d] = self.points;
        let (ab, bc, cd) = (between(a, b, t), between(b, c, t), between(c, d, t));
        let (abc, bcd) = (between(ab, bc, t), between(bc, cd, t));
        Self { points: [a, ab, abc, between(abc, bcd, t)], ..*self }
    }

    fn turned(&self) -> Self {
        let [a, b, c, d] = self.points;
        Self { points: [d, c, b, a], ..*self }
    }

    /// Where it is the given distance away from its last end's shape, searched by halves.
    fn leaves(&self, shape: &Shape, distance: f64) -> f64 {
        let (mut low, mut high) = (0.5, 1.0);
        for _ in 0..24 {
            let middle = (low + high) / 2.0;
            if shape.distance(self.at(middle)) > distance { low = middle } else { high = middle }
        }
        low
    }

    /// How little room is between it and foreign nodes, up to what is enough; not looked at further
    /// where it is not more than `least`.
    fn room(&self, foreign: &[Shape], least: f64) -> f64 {
        let mut room = CLEAR;
        let reach = self.points[0].distance(self.points[3]);
        let n = ((reach / STEP) as usize).clamp(LEAST_SAMPLES, 200);
        for i in 1..n {
            let p = self.at(i as f64 / n as f64);
            for shape in foreign {
                room = room.min(shape.distance(p));
            }
            if room <= least {
                return room;
            }
        }
        room
    }

    /// Places on it, close to each other.
    pub(super) fn points(&self) -> Vec<Point> {
        (1..20).map(|i| self.at(f64::from(i) / 20.0)).collect()
    }

    fn path(&self) -> String {
        let [a, b, c, d] = self.points;
        if self.is_straight {
            return format!("M{:.1} {:.1}L{:.1} {:.1}", a.x, a.y, d.x, d.y);
        }
        format!(
            "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y
        )
    }
}

/// Where a line runs between two nodes. `is_pair` says that another runs the other way, `n_bows` how many
/// bows are tried.
///
/// The straight line, else the one that bows least of those that keep clear of all foreign nodes;
/// where none does, the one that comes closest to it. Says whether it touches none. O(nodes).
pub(super) fn route(
    from: &Shape,
    to: &Shape,
    foreign: &[Shape],
    is_pair: bool,
    n_bows: u32,
) -> (Curve, bool) {
    let (a, b) = (from.at, to.at);
    if a == b {
        let sides = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
        let all = sides.map(|side| Curve::looped(a, side));
        return best(all.into_iter(), foreign);
    }
    let first = if is_pair { PAIR } else { 0.0 };
    let reach = a.distance(b);
    // Near nodes only can be in the way.
    let near: Vec<Shape> = foreign
        .iter()
        .filter(|s| s.at.distance(between(a, b, 0.5)) < reach * 1.2 + 160.0)
        .copied()
        .collect();
    let bows = (1..=n_bows).map(|i| f64::from(i) * 11.0).flat_map(move |bow| {
        let one = [(first + bow, first + bow), (first - bow, first - bow)];
        // Lines that swing to one side first, or to both.
        let (half, third) = (bow * 0.5, bow * 1.6);
        let two = [
            (bow, 0.0),
            (-bow, 0.0),
            (0.0, bow),
            (0.0, -bow),
            (bow, -bow),
            (-bow, bow),
            (third, -half),
            (-third, half),
            (-half, third),
            (half, -third),
            (third, half),
            (-third, -half),
            (half, third),
            (-half, -third),
        ];
        one.into_iter().chain(two)
    });
    let all = std::iter::once((first, first)).chain(bows);
    best(all.map(|bow| Curve::bowed(a, b, bow)), &near)
}

fn best(all: impl Iterator<Item = Curve>, foreign: &[Shape]) -> (Curve, bool) {
    let mut found: Option<(f64, Curve)> = None;
    for curve in all {
        let least = found.map_or(f64::NEG_INFINITY, |(least, _)| least);
        let room = curve.room(foreign, least);
        if room >= CLEAR {
            return (curve, true);
        }
        if room > least {
            found = Some((room, curve));
        }
    }
    // There is always a first one.
    found.map_or_else(Default::default, |(room, curve)| (curve, room > 0.0))
}

/// A line as it is drawn: from rim to rim, with an arrowhead where it has a direction.
pub(super) fn drawn(
    curve: &Curve,
    from: &Shape,
    to: &Shape,
    directed: bool,
) -> (String, Option<[Point; 3]>) {
    if from.at == to.at {
        return (curve.path(), None);
    }
    let whole = curve.turned().first(curve.turned().leaves(from, 0.0)).turned();
    if !directed {
        return (whole.first(whole.leaves(to, 0.0)).path(), None);
    }
    let tip = whole.at(whole.leaves(to, 1.0));
    let base_at = whole.leaves(to, 1.0 + HEAD.0);
    let base = whole.at(base_at);
    let d = base.distance(tip).max(1e-9);
    let (wx, wy) = ((tip.x - base.x) / d, (tip.y - base.y) / d);
    let wing = |side: f64| Point { x: base.x - wy * side, y: base.y + wx * side };
    // The line ends within its head.
    let line = whole.first(whole.leaves(to, HEAD.0 - 1.0)).path();
    (line, Some([tip, wing(HEAD.1), wing(-HEAD.1)]))
}
