//! The line of a cut: it parts the nodes on the source's side from all others.
//!
//! It runs where the nearest node of the one side is as far away as the nearest of the other. So it
//! passes through no node, every edge from one side to the other crosses it, and one between two
//! nodes that are nearest to each other crosses it in its middle. Where the sides stand within each other,
//! it has several pieces.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::scene::{Mark, SceneNode};
use crate::{NODE_RADIUS, Point};

/// How far beyond the outermost nodes it is drawn.
const MARGIN: f64 = NODE_RADIUS * 2.2;
/// The sides of the cells in which it is looked for, at least; and how many there are in a row, at most.
const CELL: f64 = 8.0;
const MOST_CELLS: f64 = 110.0;
/// How far nodes that are about as near as the nearest one count: it rounds the corners.
const SOFT: f64 = 10.0;
/// The most nodes of a drawing that has such a line: in a denser one nobody follows it.
const MOST_PARTED: usize = 120;

/// How far away the nearest of some nodes is, smoothly.
fn nearest(nodes: &[Point], p: Point) -> f64 {
    let least = nodes.iter().map(|n| n.distance(p)).fold(f64::INFINITY, f64::min);
    let sum: f64 = nodes.iter().map(|n| ((least - n.distance(p)) / SOFT).exp()).sum();
    least - SOFT * sum.ln()
}

/// The two sides of the line.
fn sides(nodes: &[SceneNode]) -> (Vec<Point>, Vec<Point>) {
    let (ours, others): (Vec<_>, Vec<_>) =
        nodes.iter().partition(|n| n.marks.contains(&Mark::Side(0)));
    let at = |list: Vec<&SceneNode>| list.into_iter().map(|n| n.at).collect();
    (at(ours), at(others))
}

/// A grid over the drawing with how much nearer the one side is than the other at each corner.
struct Grid {
    corner: Point,
    cell: f64,
    width: usize,
    height: usize,
    values: Vec<f64>,
}

/// A side of a cell, by its first corner and whether it runs down.
type CellSide = (usize, usize, bool);

impl Grid {
    fn new(nodes: &[SceneNode], ours: &[Point], others: &[Point]) -> Self {
        let low = |of: fn(&SceneNode) -> f64| nodes.iter().map(of).fold(f64::INFINITY, f64::min);
        let high =
            |of: fn(&SceneNode) -> f64| nodes.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let corner = Point { x: low(|n| n.at.x) - MARGIN, y: low(|n| n.at.y) - MARGIN };
        let size = (high(|n| n.at.x) + MARGIN - corner.x, high(|n| n.at.y) + MARGIN - corner.y);
        let cell = (size.0.max(size.1) / MOST_CELLS).max(CELL);
        let count = |length: f64| (length / cell).ceil() as usize + 1;
        let (width, height) = (count(size.0), count(size.1));
        let mut grid = Self { corner, cell, width, height, values: Vec::new() };
        for y in 0..height {
            for x in 0..width {
                let p = grid.place(x, y);
                grid.values.push(nearest(others, p) - nearest(ours, p));
            }
        }
        grid
    }

    fn place(&self, x: usize, y: usize) -> Point {
        Point { x: self.corner.x + x as f64 * self.cell, y: self.corner.y + y as f64 * self.cell }
    }

    fn value(&self, x: usize, y: usize) -> f64 {
        self.values[y * self.width + x]
    }

    /// Where the line crosses a side of a cell, if it does.
    fn crossing(&self, (x, y, down): CellSide) -> Option<Point> {
        let (x2, y2) = if down { (x, y + 1) } else { (x + 1, y) };
        let (from, to) = (self.value(x, y), self.value(x2, y2));
        if (from > 0.0) == (to > 0.0) {
            return None;
        }
        let share = from / (from - to);
        let (a, b) = (self.place(x, y), self.place(x2, y2));
        Some(Point { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share })
    }

    /// The pairs of sides that the line joins in each cell.
    fn joins(&self) -> Vec<(CellSide, CellSide)> {
        let mut joins = Vec::new();
        for y in 0..self.height - 1 {
            for x in 0..self.width - 1 {
                // Around the cell: over it, right, under it, left.
                let around = [(x, y, false), (x + 1, y, true), (x, y + 1, false), (x, y, true)];
                let met: Vec<CellSide> =
                    around.into_iter().filter(|side| self.crossing(*side).is_some()).collect();
                match met[..] {
                    [a, b] => joins.push((a, b)),
                    [a, b, c, d] => {
                        // Two corners that lie across are on the one side; the middle says whether
                        // they hang together.
                        let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)];
                        let middle: f64 = corners.iter().map(|(x, y)| self.value(*x, *y)).sum();
                        let first = self.value(x, y) > 0.0;
                        if (middle > 0.0) == first {
                            joins.extend([(a, b), (c, d)]);
                        } else {
                            joins.extend([(a, d), (b, c)]);
                        }
                    }
                    _ => {}
                }
            }
        }
        joins
    }
}

/// The pieces of the line as places close to each other; none where a side is empty.
pub(crate) fn lines(nodes: &[SceneNode]) -> Vec<Vec<Point>> {
    let (ours, others) = sides(nodes);
    if ours.is_empty() || others.is_empty() || nodes.len() > MOST_PARTED {
        return Vec::new();
    }
    let grid = Grid::new(nodes, &ours, &others);
    let mut next: BTreeMap<CellSide, Vec<CellSide>> = BTreeMap::new();
    for (a, b) in grid.joins() {
        next.entry(a).or_default().push(b);
        next.entry(b).or_default().push(a);
    }
    // Pieces that leave the drawing begin at its edge, and what is left goes round.
    let (open, round): (Vec<CellSide>, Vec<CellSide>) =
        next.keys().copied().partition(|side| next[side].len() == 1);
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    for start in open.into_iter().chain(round) {
        if seen.contains(&start) {
            continue;
        }
        let mut line = Vec::new();
        let mut at = Some(start);
        while let Some(side) = at {
            seen.insert(side);
            line.extend(grid.crossing(side));
            at = next[&side].iter().copied().find(|other| !seen.contains(other));
        }
        if next[&start].len() == 2
            && let Some(first) = line.first().copied()
        {
            line.push(first);
        }
        lines.push(line);
    }
    lines
}

/// The line as an SVG path, rounded; empty where there is none.
pub(crate) fn path(nodes: &[SceneNode]) -> String {
    let mut path = String::new();
    for line in lines(nodes) {
        let last = line.len().saturating_sub(1);
        // Every third place is enough for a curve.
        let places: Vec<Point> = line
            .iter()
            .enumerate()
            .filter(|(i, _)| i % 3 == 0 || *i == last)
            .map(|(_, p)| *p)
            .collect();
        let [first, .., end] = places[..] else { continue };
        // Writing to a string cannot fail.
        let _ = write!(path, "M{:.1} {:.1}", first.x, first.y);
        for pair in places[1..].windows(2) {
            let (x, y) = ((pair[0].x + pair[1].x) / 2.0, (pair[0].y + pair[1].y) / 2.0);
            let _ = write!(path, "Q{:.1} {:.1} {x:.1} {y:.1}", pair[0].x, pair[0].y);
        }
        let _ = write!(path, "L{:.1} {:.1}", end.x, end.y);
    }
    path
}

#[cfg(test)]
mod tests {
    use graph::{Graph, NodeName};

    use super::*;
    use crate::{LayoutKind, Marks, Places, Scene, layout};

    /// A pipeline in layers; nodes up to `n_left` are on the source's side.
    fn pipes(n: usize, n_left: usize, kind: LayoutKind) -> Scene {
        let mut graph = Graph::directed();
        let mut marks = Marks::default();
        for a in 0..n {
            for b in a + 1..(a + 4).min(n) {
                graph.link_weighted(a, b, 1.0).unwrap();
                if a < n_left && b >= n_left {
                    marks.edges.push((a.into(), b.into(), Mark::Cut, None));
                }
            }
        }
        marks.nodes = (0..n_left).map(|i| (NodeName::from(i), Mark::Side(0), None)).collect();
        let places = layout(&graph, kind, 3, &Places::default());
        Scene::new(&graph, &places, &marks)
    }

    fn is_left_of(a: Point, b: Point, p: Point) -> bool {
        (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0.0
    }

    fn meet(a: &[Point], b: &[Point]) -> bool {
        is_left_of(a[0], a[1], b[0]) != is_left_of(a[0], a[1], b[1])
            && is_left_of(b[0], b[1], a[0]) != is_left_of(b[0], b[1], a[1])
    }

    /// Places on a path of straight lines and of curves of three points.
    fn followed(path: &str) -> Vec<Vec<Point>> {
        let mut lines: Vec<Vec<Point>> = Vec::new();
        let starts = path.char_indices().filter(|(_, c)| c.is_ascii_uppercase()).map(|(i, _)| i);
        let starts: Vec<usize> = starts.chain([path.len()]).collect();
        for piece in starts.windows(2) {
            let (kind, numbers) = path[piece[0]..piece[1]].split_at(1);
            let n: Vec<f64> = numbers.split(' ').map(|n| n.parse().unwrap()).collect();
            let point = |i: usize| Point { x: n[i], y: n[i + 1] };
            match kind {
                "M" => lines.push(vec![point(0)]),
                "L" => lines.last_mut().unwrap().push(point(0)),
                "Q" => {
                    let line = lines.last_mut().unwrap();
                    let (a, b, c) = (*line.last().unwrap(), point(0), point(2));
                    for i in 1..=4 {
                        let t = f64::from(i) / 4.0;
                        let mix = |a: f64, b: f64, c: f64| {
                            (1.0 - t).powi(2) * a + 2.0 * t * (1.0 - t) * b + t * t * c
                        };
                        line.push(Point { x: mix(a.x, b.x, c.x), y: mix(a.y, b.y, c.y) });
                    }
                }
                other => panic!("{other}"),
            }
        }
        lines
    }

    #[test]
    fn it_crosses_every_edge_of_the_cut_and_no_node() {
        for (kind, _) in LayoutKind::ALL {
            for (n, n_left) in [(5, 1), (6, 3), (8, 5), (12, 4), (14, 13)] {
                let scene = pipes(n, n_left, kind);
                let lines = followed(&scene.cut);
                let at = |name: &NodeName| scene.nodes.iter().find(|n| n.name == *name).unwrap().at;
                let cut = scene.edges.iter().filter(|e| e.marks.contains(&Mark::Cut));
                let mut n_cut = 0;
                for edge in cut {
                    let ends = [at(&edge.source), at(&edge.target)];
                    let crossings =
                        lines.iter().flat_map(|l| l.windows(2)).filter(|piece| meet(&ends, piece));
                    assert!(crossings.count() % 2 == 1, "{kind:?} {n} {n_left}: {edge:?}");
                    n_cut += 1;
                }
                assert!(n_cut > 0);
                for node in &scene.nodes {
                    let least = lines.iter().flatten().map(|p| p.distance(node.at));
                    let least = least.fold(f64::INFINITY, f64::min);
                    assert!(least > NODE_RADIUS, "{kind:?} {n} {n_left}: {node:?} {least}");
                }
            }
        }
    }

    #[test]
    fn two_nodes_are_parted_in_the_middle() {
        let scene = pipes(2, 1, LayoutKind::Circle);
        let (a, b) = (scene.nodes[0].at, scene.nodes[1].at);
        let lines = lines(&scene.nodes);
        assert_eq!(lines.len(), 1);
        for p in &lines[0] {
            assert!((p.distance(a) - p.distance(b)).abs() < 1.0, "{p:?}");
        }
    }

    #[test]
    fn a_drawing_without_a_cut_has_no_line() {
        let scene = pipes(6, 0, LayoutKind::Circle);
        assert_eq!(scene.cut, "");
        assert!(
            crate::svg(&pipes(6, 3, LayoutKind::Circle), crate::Theme::Dark, "cut")
                .contains("stroke-dasharray=\"12 7\"")
        );
    }
}
