//! A drawing that fills its canvas.

use crate::arrange::MARGIN;
use crate::{NODE_RADIUS, Point, Scene};

/// The most pixels of a unit: a node is 54 wide then.
const MOST_PIXELS: f64 = 1.5;
/// The most by which places are moved apart.
const MOST_APART: f64 = 4.0;
/// The part of a view around the middles of its outermost nodes.
const RIM: f64 = NODE_RADIUS + MARGIN;

/// By how much the places of a drawing are moved apart, sideways and downwards, and what is seen of it then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    x: f64,
    y: f64,
    /// The corner and the size of what is seen; the drawing's own where there is no canvas.
    view: Option<(f64, f64, f64, f64)>,
}

/// One direction of a drawing: the middles of its outermost nodes, and what sticks out beyond their rims.
struct Extent {
    low: f64,
    high: f64,
    out: [f64; 2],
}

impl Extent {
    fn size(&self) -> f64 {
        self.high - self.low + 2.0 * RIM + self.out[0] + self.out[1]
    }

    /// The factor that fills so many units, and the first of them and how many are seen then.
    fn fill(&self, room: f64) -> (f64, f64, f64) {
        let taken = self.high - self.low;
        let free = room - (self.size() - taken);
        let factor = if taken > 0.0 { (free / taken).clamp(1.0, MOST_APART) } else { 1.0 };
        // Not worth another look for a place for every word.
        let factor = if factor < 1.02 { 1.0 } else { factor };
        let size = self.size() + taken * (factor - 1.0);
        let seen = size.max(room);
        (factor, self.low * factor - RIM - self.out[0] - (seen - size) / 2.0, seen)
    }
}

impl Spread {
    /// The spread at which a drawing fills a canvas of a size in pixels: as large as it may be, and then
    /// moved apart where there is room left. Nothing is moved together.
    ///
    /// # Complexity
    /// O(nodes + edges).
    pub fn new(scene: &Scene, pixels: (f64, f64)) -> Self {
        let [x, y] = scene.extents();
        let (width, height) = (x.size(), y.size());
        if pixels.0 <= 0.0 || pixels.1 <= 0.0 || width <= 0.0 || height <= 0.0 {
            return Self { x: 1.0, y: 1.0, view: None };
        }
        let scale = (pixels.0 / width).min(pixels.1 / height).min(MOST_PIXELS);
        let (x_factor, left, width) = x.fill(pixels.0 / scale);
        let (y_factor, top, height) = y.fill(pixels.1 / scale);
        Self { x: x_factor, y: y_factor, view: Some((left, top, width, height)) }
    }

    /// Where a place of the drawing is then.
    pub fn place(self, at: Point) -> Point {
        Point { x: at.x * self.x, y: at.y * self.y }
    }

    /// The place of the drawing that is there.
    pub fn back(self, at: Point) -> Point {
        Point { x: at.x / self.x, y: at.y / self.y }
    }
}

impl Scene {
    /// The extent of what is drawn, or of the view, where that is kept for a graph that is still to grow.
    fn extents(&self) -> [Extent; 2] {
        let (x, y, width, height) = self.view;
        if self.nodes.is_empty() || self.view != self.usual_view() {
            let kept = |low: f64, size: f64| Extent {
                low: low + RIM,
                high: low + size - RIM,
                out: [0.0; 2],
            };
            return [kept(x, width), kept(y, height)];
        }
        let (x, y, width, height) = self.tight_view();
        let extent = |of: fn(&Point) -> f64, low: f64, size: f64| {
            let all = || self.nodes.iter().map(|node| of(&node.at));
            let (first, last) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
            Extent { low: first, high: last, out: [first - RIM - low, low + size - last - RIM] }
        };
        [extent(|p| p.x, x, width), extent(|p| p.y, y, height)]
    }

    /// The same drawing with its places moved apart. What is written on it keeps its size.
    ///
    /// # Complexity
    /// That of [`Scene::arrange`].
    #[must_use]
    pub fn spread(&self, by: Spread) -> Self {
        let mut scene = self.clone();
        if by.x > 1.0 || by.y > 1.0 {
            for node in &mut scene.nodes {
                node.at = by.place(node.at);
            }
            scene.arrange();
        }
        scene.view = by.view.unwrap_or(self.view);
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
            let filled = share(&scene.spread(Spread::new(&scene, pixels)), pixels);
            assert!(
                filled >= 0.7,
                "{pixels:?}: {filled:.2} after, {:.2} before",
                share(&scene, pixels)
            );
        }
    }

    #[test]
    fn words_that_stick_out_leave_no_room_on_the_other_side() {
        let mut scene = drawn(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
        let plain = share(&scene.spread(Spread::new(&scene, (513.0, 250.0))), (513.0, 250.0));
        let right =
            (0..5).max_by(|a, b| scene.nodes[*a].at.x.total_cmp(&scene.nodes[*b].at.x)).unwrap();
        scene.nodes[right].tag = Some("no such node".into());
        scene.arrange();
        let shown = scene.spread(Spread::new(&scene, (513.0, 250.0)));
        assert!(share(&shown, (513.0, 250.0)) > plain - 0.2);
        let (x, _, width, _) = shown.view;
        let ends = shown
            .nodes
            .iter()
            .map(|n| n.at.x)
            .fold((f64::MAX, f64::MIN), |e, x| (e.0.min(x), e.1.max(x)));
        assert!(ends.0 - x < RIM + 1.0 && ends.1 < x + width - RIM, "{ends:?} in {x} + {width}");
    }

    #[test]
    fn two_nodes_do_not_become_giants_and_none_is_no_fault() {
        let pixels = (560.0, 548.0);
        let two = drawn(2, &[(0, 1)]);
        let shown = two.spread(Spread::new(&two, pixels));
        assert!(pixels.0 / shown.view.2 <= MOST_PIXELS + 1e-9);
        let none = drawn(0, &[]);
        assert!(none.spread(Spread::new(&none, pixels)).nodes.is_empty());
        assert_eq!(two.spread(Spread::new(&two, (0.0, 0.0))), two);
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
            let spread = Spread::new(&scene, (width, height));
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
