//! A drawing that fills its canvas.

use crate::arrange::MARGIN;
use crate::{NODE_RADIUS, Point, Scene};

/// The most pixels of a unit: a node is 54 wide then.
const MOST_PIXELS: f64 = 1.5;
/// The most by which places are moved apart.
const MOST_APART: f64 = 4.0;
/// The part of a view around the middles of its outermost nodes.
const RIM: f64 = NODE_RADIUS + MARGIN;

/// By how much the places of a drawing are moved apart, sideways and downwards, and the canvas in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    x: f64,
    y: f64,
    canvas: (f64, f64),
}

impl Default for Spread {
    fn default() -> Self {
        Self { x: 1.0, y: 1.0, canvas: (0.0, 0.0) }
    }
}

impl Spread {
    /// The spread at which a drawing with this view fills a canvas of a size in pixels: as large as it may
    /// be, and then moved apart where there is room left. Nothing is moved together. O(1).
    pub fn new(view: (f64, f64, f64, f64), pixels: (f64, f64)) -> Self {
        let (_, _, width, height) = view;
        if pixels.0 <= 0.0 || pixels.1 <= 0.0 || width <= 0.0 || height <= 0.0 {
            return Self::default();
        }
        let scale = (pixels.0 / width).min(pixels.1 / height).min(MOST_PIXELS);
        let canvas = (pixels.0 / scale, pixels.1 / scale);
        let factor = |room: f64, taken: f64| {
            let inner = taken - 2.0 * RIM;
            if inner <= 0.0 { 1.0 } else { ((room - 2.0 * RIM) / inner).clamp(1.0, MOST_APART) }
        };
        Self { x: factor(canvas.0, width), y: factor(canvas.1, height), canvas }
    }

    /// Where a place of the drawing is then.
    pub fn place(self, at: Point) -> Point {
        Point { x: at.x * self.x, y: at.y * self.y }
    }

    /// The place of the drawing that is there.
    pub fn back(self, at: Point) -> Point {
        Point { x: at.x / self.x, y: at.y / self.y }
    }

    fn view(self, (x, y, width, height): (f64, f64, f64, f64)) -> (f64, f64, f64, f64) {
        let axis = |low: f64, size: f64, factor: f64, room: f64| {
            let (low, size) = ((low + RIM) * factor - RIM, (size - 2.0 * RIM) * factor + 2.0 * RIM);
            let whole = size.max(room);
            (low - (whole - size) / 2.0, whole)
        };
        let (x, width) = axis(x, width, self.x, self.canvas.0);
        let (y, height) = axis(y, height, self.y, self.canvas.1);
        (x, y, width, height)
    }
}

impl Scene {
    /// The same drawing with its places moved apart. What is written on it keeps its size.
    ///
    /// # Complexity
    /// That of [`Scene::arrange`].
    #[must_use]
    pub fn spread(&self, by: Spread) -> Self {
        let mut scene = self.clone();
        // Some keep the view of a larger graph that they grow into.
        let view = by.view(self.view);
        if (by.x - 1.0).abs() > 0.02 || (by.y - 1.0).abs() > 0.02 {
            for node in &mut scene.nodes {
                node.at = by.place(node.at);
            }
            scene.arrange();
        }
        scene.view = view;
        scene
    }
}

#[cfg(test)]
mod tests {
    use graph::Graph;
    use proptest::prelude::*;

    use super::*;
    use crate::{LayoutKind, Marks, Places, layout};

    fn drawn(n: usize, edges: &[(usize, usize)]) -> Scene {
        let mut graph = Graph::undirected();
        for i in 0..n {
            let _ = graph.ensure_node(i);
        }
        for (a, b) in edges {
            graph.link_weighted(*a, *b, 1.0).unwrap();
        }
        let places = layout(&graph, LayoutKind::Force, 1, &Places::default());
        Scene::new(&graph, &places, &Marks::default())
    }

    /// The share of a canvas that the box around the nodes has, as it is shown there.
    fn share(scene: &Scene, pixels: (f64, f64)) -> f64 {
        let (_, _, width, height) = scene.view;
        let scale = (pixels.0 / width).min(pixels.1 / height);
        let span = |of: fn(&Point) -> f64| {
            let all = scene.nodes.iter().map(|n| of(&n.at));
            all.clone().fold(f64::MIN, f64::max) - all.fold(f64::MAX, f64::min) + 2.0 * NODE_RADIUS
        };
        span(|p| p.x) * span(|p| p.y) * scale * scale / (pixels.0 * pixels.1)
    }

    #[test]
    fn a_drawing_fills_seventy_percent_of_every_canvas_that_the_pages_have() {
        let ring: Vec<(usize, usize)> =
            (0..8).map(|i| (i, (i + 1) % 8)).chain([(0, 4), (2, 6)]).collect();
        let scene = drawn(8, &ring);
        for pixels in
            [(513.0, 250.0), (442.0, 250.0), (560.0, 548.0), (350.0, 380.0), (284.0, 220.0)]
        {
            let filled = share(&scene.spread(Spread::new(scene.view, pixels)), pixels);
            assert!(
                filled >= 0.7,
                "{pixels:?}: {filled:.2} after, {:.2} before",
                share(&scene, pixels)
            );
        }
    }

    #[test]
    fn two_nodes_do_not_become_giants_and_none_is_no_fault() {
        let pixels = (560.0, 548.0);
        let two = drawn(2, &[(0, 1)]);
        let shown = two.spread(Spread::new(two.view, pixels));
        assert!(pixels.0 / shown.view.2 <= MOST_PIXELS + 1e-9);
        let none = drawn(0, &[]);
        assert!(none.spread(Spread::new(none.view, pixels)).nodes.is_empty());
        assert_eq!(two.spread(Spread::new(two.view, (0.0, 0.0))), two);
    }

    proptest! {
        #[test]
        fn all_is_inside_and_every_place_comes_back(
            n in 1usize..9,
            edges in prop::collection::vec((0usize..9, 0usize..9), 0..14),
            width in 150.0..1500.0f64,
            height in 150.0..900.0f64,
        ) {
            let edges: Vec<_> = edges.into_iter().filter(|(a, b)| *a < n && *b < n).collect();
            let scene = drawn(n, &edges);
            let spread = Spread::new(scene.view, (width, height));
            let shown = scene.spread(spread);
            let (x, y, w, h) = shown.view;
            for (before, after) in scene.nodes.iter().zip(&shown.nodes) {
                let (at, r) = (after.at, NODE_RADIUS - 1e-6);
                prop_assert!(at.x - r >= x && at.x + r <= x + w && at.y - r >= y && at.y + r <= y + h);
                prop_assert!(spread.back(at).distance(before.at) < 1e-6);
            }
        }
    }
}
