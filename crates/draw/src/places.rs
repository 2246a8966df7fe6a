//! Places of nodes on a drawing.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use graph::NodeName;
use serde::{Deserialize, Serialize};

use crate::scene::LEAST_VIEW;

/// The distance between neighbours that a layout aims at, in the units of the drawing.
pub(crate) const SPACING: f64 = 92.0;

/// A place on the drawing; neighbours are about 92 units apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Units to the right.
    pub x: f64,
    /// Units downwards.
    pub y: f64,
}

impl Point {
    pub(crate) fn times(self, by: f64) -> Self {
        Self { x: self.x * by, y: self.y * by }
    }

    /// The distance to another place.
    pub fn distance(self, other: Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// Where each node stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(NodeName, Point)>", into = "Vec<(NodeName, Point)>")]
pub struct Places(BTreeMap<NodeName, Point>);

impl From<Vec<(NodeName, Point)>> for Places {
    fn from(list: Vec<(NodeName, Point)>) -> Self {
        Self(list.into_iter().collect())
    }
}

impl From<Places> for Vec<(NodeName, Point)> {
    fn from(places: Places) -> Self {
        places.0.into_iter().collect()
    }
}

impl Places {
    /// Where a node stands, if it has a place.
    pub fn get(&self, node: &NodeName) -> Option<Point> {
        self.0.get(node).copied()
    }

    /// Puts a node somewhere.
    pub fn set(&mut self, node: NodeName, at: Point) {
        self.0.insert(node, at);
    }

    /// Gives a node's place to another name.
    pub fn rename(&mut self, from: &NodeName, to: NodeName) {
        if let Some(at) = self.0.remove(from) {
            self.0.insert(to, at);
        }
    }

    /// The same places for a box that is `ratio` times as wide as it is high: moved apart sideways, to
    /// twice the distance at most. Nothing is moved together.
    ///
    /// # Complexity
    /// O(nodes).
    #[must_use]
    pub fn widened(&self, ratio: f64) -> Self {
        let span = |of: fn(Point) -> f64| {
            let ends = self.0.values().fold((f64::MAX, f64::MIN), |(low, high), at| {
                (low.min(of(*at)), high.max(of(*at)))
            });
            (ends.1 - ends.0).max(0.0)
        };
        let (width, height) = (span(|at| at.x), span(|at| at.y).max(LEAST_VIEW / 2.0));
        if width <= 0.0 {
            return self.clone();
        }
        let factor = (ratio * height / width).clamp(1.0, 2.0);
        let moved =
            |(name, at): (&NodeName, &Point)| (name.clone(), Point { x: at.x * factor, y: at.y });
        Self(self.0.iter().map(moved).collect())
    }

    /// All places, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&NodeName, Point)> {
        self.0.iter().map(|(name, at)| (name, *at))
    }
}

/// The nearest place to `near`, on growing rings, that is clear of what is there.
pub(crate) fn free_spot(near: Point, taken: &[Point]) -> Point {
    let clear = |p: Point| taken.iter().all(|t| t.distance(p) >= SPACING * 0.75);
    if clear(near) {
        return near;
    }
    for ring in 1..=60 {
        let radius = f64::from(ring) * SPACING * 0.5;
        let steps = 6 * ring;
        for step in 0..steps {
            let angle = TAU * f64::from(step) / f64::from(steps);
            let p = Point { x: near.x + radius * angle.cos(), y: near.y + radius * angle.sin() };
            if clear(p) {
                return p;
            }
        }
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(of: &[(f64, f64)]) -> Places {
        let at = |(i, &(x, y)): (usize, &(f64, f64))| {
            (NodeName::from(i.to_string().as_str()), Point { x, y })
        };
        Places::from(of.iter().enumerate().map(at).collect::<Vec<_>>())
    }

    #[test]
    fn a_drawing_is_widened_to_twice_its_width_at_most_and_never_made_narrower() {
        let xs = |p: &Places| p.iter().map(|(_, at)| at.x).collect::<Vec<_>>();
        let square = places(&[(-200.0, -200.0), (200.0, -200.0), (0.0, 200.0)]);
        assert_eq!(xs(&square.widened(1.5)), [-300.0, 300.0, 0.0]);
        assert_eq!(xs(&square.widened(9.0)), [-400.0, 400.0, 0.0]);
        assert_eq!(square.widened(0.5), square);
        // Nodes one above the other have no width that could grow.
        let column = places(&[(5.0, 0.0), (5.0, 90.0)]);
        assert_eq!(column.widened(2.0), column);
        assert_eq!(Places::default().widened(2.0), Places::default());
    }
}
