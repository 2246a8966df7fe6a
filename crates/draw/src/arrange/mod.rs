//! Where words stand and lines run, so that nothing covers what it must not: no words over a node or
//! over words, no line through a node that is none of its ends.
//!
//! Each label has a list of places where it may stand, best first, and takes one that is free; where
//! none is, those in the way are asked to move to another of theirs, and that again in turn. It is the
//! discrete model of point and line labels of Christensen, Marks and Shieber, "An empirical study of
//! algorithms for point-feature label placement" (ACM Transactions on Graphics 14, 1995), with a search
//! that takes back what does not help, and without chance: a drawing that is dragged must not flicker.

pub(crate) mod boxes;
mod labels;
mod route;

use std::collections::BTreeMap;

use graph::NodeName;

use crate::scene::{MOST_NODES, Mark, Scene, SceneEdge};
use crate::{NODE_RADIUS, Point, cut};
use boxes::{BESIDE, Rect, Shape, half_width};

/// The room around a drawing's outermost nodes.
pub(crate) const MARGIN: f64 = 12.0;

/// The most nodes times edges of a drawing whose lines run around nodes: of denser ones no line is
/// followed by eye.
const MOST_BENT: usize = 4_000;
impl Scene {
    /// Finds a place for all words and lines anew: for whoever changed words of a scene, or moved nodes.
    ///
    /// O(edges · nodes + labels²) where nodes times edges are at most 4,000; denser drawings keep straight
    /// lines, and labels of drawings with more than 110 of them only move along their lines.
    pub fn arrange(&mut self) {
        for node in &mut self.nodes {
            node.half = half_width(&node.label);
        }
        let shapes: Vec<Shape> =
            self.nodes.iter().map(|n| Shape { at: n.at, half: n.half }).collect();
        let places: BTreeMap<&NodeName, usize> =
            self.nodes.iter().enumerate().map(|(i, n)| (&n.name, i)).collect();
        let bends = shapes.len() * self.edges.len() <= MOST_BENT;
        // In a dense drawing a wide bow runs into other nodes.
        let n_bows = if self.edges.len() <= 90 { 14 } else { 3 };
        let mut curves = Vec::new();
        for edge in &mut self.edges {
            let ends = (places.get(&edge.source), places.get(&edge.target));
            let (Some(&a), Some(&b)) = ends else {
                curves.push(route::Curve::default());
                continue;
            };
            let foreign: Vec<Shape> = match bends {
                true => {
                    let others = shapes.iter().enumerate().filter(|(i, _)| *i != a && *i != b);
                    others.map(|(_, shape)| *shape).collect()
                }
                false => Vec::new(),
            };
            let (curve, is_clear) =
                route::route(&shapes[a], &shapes[b], &foreign, edge.is_pair, n_bows);
            edge.is_clear = is_clear;
            (edge.line, edge.arrow) =
                route::drawn(&curve, &shapes[a], &shapes[b], edge.is_directed);
            curves.push(curve);
        }
        if shapes.len() <= MOST_NODES {
            labels::place(self, &shapes, &curves);
        }
        let is_cut = self.edges.iter().any(|edge| edge.marks.contains(&Mark::Cut));
        self.cut = if is_cut { cut::path(&self.nodes) } else { String::new() };
        self.view = self.usual_view();
    }

    /// The view of all that is drawn, at least as large as that of a small graph.
    pub(crate) fn usual_view(&self) -> (f64, f64, f64, f64) {
        self.view_of(crate::scene::LEAST_VIEW)
    }

    /// The view of all that is drawn, and no more.
    pub(crate) fn tight_view(&self) -> (f64, f64, f64, f64) {
        self.view_of(1.0)
    }

    /// How many pairs of words, or of words and nodes, cover each other, and how many lines run through
    /// nodes.
    pub(crate) fn n_faults(&self) -> usize {
        let shapes: Vec<Shape> =
            self.nodes.iter().map(|n| Shape { at: n.at, half: n.half }).collect();
        let boxes = labels::boxes(self);
        let on_nodes = boxes.iter().map(|b| shapes.iter().filter(|s| s.depth(b) > 0.5).count());
        let on_boxes = boxes
            .iter()
            .enumerate()
            .map(|(i, b)| boxes[..i].iter().filter(|other| b.covered(other) > 0.02).count());
        let through = self.edges.iter().filter(|edge| !edge.is_clear).count();
        on_nodes.sum::<usize>() + on_boxes.sum::<usize>() + through
    }

    /// Takes away the room around a small drawing, so that it fills the box that it is shown in.
    ///
    /// # Complexity
    /// O(nodes + edges).
    pub fn close_up(&mut self) {
        self.view = self.tight_view();
    }

    /// The corner and the size of all that is drawn, at least so many units each way.
    fn view_of(&self, least: f64) -> (f64, f64, f64, f64) {
        let mut rects: Vec<Rect> = labels::boxes(self).iter().map(|b| b.grown(8.0)).collect();
        let margin = MARGIN;
        rects.extend(
            self.nodes
                .iter()
                .map(|n| Rect { at: n.at, half: (n.half + margin, NODE_RADIUS + margin) }),
        );
        let low = |f: fn(&Rect) -> f64| rects.iter().map(f).reduce(f64::min).unwrap_or_default();
        let high = |f: fn(&Rect) -> f64| rects.iter().map(f).reduce(f64::max).unwrap_or_default();
        let widen = |low: f64, high: f64| {
            let size = (high - low).max(least);
            ((low + high - size) / 2.0, size)
        };
        let (x, width) = widen(low(|r| r.at.x - r.half.0), high(|r| r.at.x + r.half.0));
        let (y, height) = widen(low(|r| r.at.y - r.half.1), high(|r| r.at.y + r.half.1));
        (x, y, width, height)
    }
}

/// What is written on an edge, where, and how large.
pub(crate) fn words_of(edge: &SceneEdge) -> Option<(&str, Point)> {
    match (&edge.tag, &edge.label) {
        (Some(tag), _) => Some((tag, edge.label_at)),
        (None, Some(label)) => Some((label, edge.label_at)),
        _ => None,
    }
}

/// The baseline of words beside a node, of which the middle is known.
pub(crate) const BASELINE: f64 = BESIDE * 0.35;
