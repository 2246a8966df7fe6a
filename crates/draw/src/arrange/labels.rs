//! Labels choose among places.

use super::boxes::{BESIDE, ON_EDGE, Rect, Shape, width};
use super::route::Curve;
use super::words_of;
use crate::scene::Scene;
use crate::{NODE_RADIUS, Point};

/// Above this many labels they only move along their lines, and above the other number each takes its
/// first place: they are unreadable anyway.
const MOST_LABELS: usize = 110;
const MOST_MOVED: usize = 220;
/// Where along a line a label may stand, the middle first.
const SHARES: [f64; 15] =
    [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.26, 0.74, 0.22, 0.78, 0.18, 0.82];
/// Free units around words.
const GAP: f64 = 1.5;
/// How many labels may be asked in turn to move for one.
const DEEPEST: usize = 6;
/// How often one label is held against another in one drawing, at most: a search that does not end is
/// none.
const MOST_HELD: usize = 20_000_000;

/// Whose words they are.
#[derive(Clone, Copy)]
enum Owner {
    Node(usize),
    Edge(usize),
}

struct Label {
    owner: Owner,
    /// Where it may stand, best first.
    places: Vec<Rect>,
    /// Which it has.
    at: usize,
}

/// The boxes of all words that stand outside of nodes.
pub(super) fn boxes(scene: &Scene) -> Vec<Rect> {
    let beside = scene
        .nodes
        .iter()
        .filter_map(|node| Some(Rect::of_words(&node.beside()?, BESIDE, node.tag_at)));
    let on = scene.edges.iter().filter_map(|edge| {
        let (words, at) = words_of(edge)?;
        Some(Rect::of_words(words, ON_EDGE, at))
    });
    beside.chain(on).collect()
}

/// Places beside a node: under it, over it, right, left, and at the corners.
fn beside(shape: &Shape, words: &str) -> Vec<Rect> {
    let half = width(words, BESIDE) / 2.0;
    let (up, out) = (NODE_RADIUS + BESIDE * 0.5 + 3.0, shape.half + half + 4.0);
    let steps = [
        (0.0, up),
        (0.0, -up),
        (out, 0.0),
        (-out, 0.0),
        (half * 0.7, up),
        (-half * 0.7, up),
        (half * 0.7, -up),
        (-half * 0.7, -up),
        (out * 0.9, up * 0.8),
        (-out * 0.9, up * 0.8),
        (out * 0.9, -up * 0.8),
        (-out * 0.9, -up * 0.8),
        (0.0, up + 11.0),
        (0.0, -up - 11.0),
    ];
    let at = |(dx, dy): (f64, f64)| Point { x: shape.at.x + dx, y: shape.at.y + dy };
    steps.iter().map(|step| Rect::of_words(words, BESIDE, at(*step))).collect()
}

/// Places of words along a line: numbers on it, longer words beside it, so that the line is seen.
fn along(curve: &Curve, words: &str, shares: &[f64], n_steps: u32) -> Vec<Rect> {
    let half = width(words, ON_EDGE) / 2.0;
    let is_number = words.chars().count() <= 6;
    let mut places = Vec::new();
    for step in 0..n_steps {
        for share in shares {
            let (p, (nx, ny)) = (curve.at(*share), curve.across(*share));
            // As far as the box is wide in that direction.
            let clear = half * nx.abs() + ON_EDGE * 0.5 * ny.abs() + 3.0;
            let by = match (is_number, step) {
                (true, 0) => vec![0.0],
                (true, n) => vec![clear * 0.5 * f64::from(n), -clear * 0.5 * f64::from(n)],
                (false, n) => vec![clear + 9.0 * f64::from(n), -clear - 9.0 * f64::from(n)],
            };
            for by in by {
                let at = Point { x: p.x + nx * by, y: p.y + ny * by };
                places.push(Rect::of_words(words, ON_EDGE, at));
            }
        }
    }
    places
}

/// Places on a line, and the box around them.
struct Line {
    around: Rect,
    points: Vec<Point>,
}

impl Line {
    fn new(points: Vec<Point>) -> Self {
        let sides = |of: fn(&Point) -> f64| {
            let low = points.iter().map(of).fold(f64::INFINITY, f64::min);
            let high = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
            ((low + high) / 2.0, (high - low) / 2.0)
        };
        let ((x, wide), (y, high)) = (sides(|p| p.x), sides(|p| p.y));
        // A line along an axis has a box, too.
        Self { around: Rect { at: Point { x, y }, half: (wide + 1.0, high + 1.0) }, points }
    }

    fn meets(&self, rect: &Rect) -> bool {
        rect.covered(&self.around) > 0.0 && self.points.iter().any(|p| rect.has(*p))
    }
}

/// Gives every label a place.
pub(super) fn place(scene: &mut Scene, shapes: &[Shape], curves: &[Curve]) {
    let n_labels = boxes(scene).len();
    let mut labels: Vec<Label> = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        if let Some(words) = node.beside() {
            let places = beside(&shapes[i], &words);
            labels.push(Label { owner: Owner::Node(i), places, at: 0 });
        }
    }
    for (i, edge) in scene.edges.iter().enumerate() {
        if let (Some((words, _)), Some(curve)) = (words_of(edge), curves.get(i)) {
            let (shares, n_steps) = match n_labels {
                n if n <= MOST_LABELS => (&SHARES[..], 6),
                n if n <= MOST_MOVED => (&SHARES[..], 1),
                _ => (&SHARES[..1], 1),
            };
            let places = along(curve, words, shares, n_steps);
            labels.push(Label { owner: Owner::Edge(i), places, at: 0 });
        }
    }
    if labels.len() <= MOST_LABELS {
        let lines: Vec<Line> = curves.iter().map(|curve| Line::new(curve.points())).collect();
        for label in &mut labels {
            sort_by_fault(label, shapes, &lines);
        }
        choose(&mut labels, shapes, MOST_HELD);
    } else if labels.len() <= MOST_MOVED {
        choose(&mut labels, shapes, 0);
    }
    for label in labels {
        let Some(rect) = label.places.get(label.at) else { continue };
        match label.owner {
            Owner::Node(i) => scene.nodes[i].tag_at = rect.at,
            Owner::Edge(i) => scene.edges[i].label_at = rect.at,
        }
    }
}

/// Puts places first where words lie over no line of others, and drops those within nodes unless
/// nothing else is left.
fn sort_by_fault(label: &mut Label, shapes: &[Shape], lines: &[Line]) {
    let own = match label.owner {
        Owner::Node(_) => None,
        Owner::Edge(i) => Some(i),
    };
    let depth = |rect: &Rect| shapes.iter().map(|s| s.depth(&rect.grown(GAP))).fold(0.0, f64::max);
    let free: Vec<Rect> = label.places.iter().filter(|r| depth(r) <= 0.0).copied().collect();
    if free.is_empty() {
        // The least deep first.
        label.places.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
        label.places.truncate(6);
        return;
    }
    let over = |rect: &Rect| {
        let others = lines.iter().enumerate().filter(|(i, _)| Some(*i) != own);
        others.filter(|(_, line)| line.meets(rect)).count()
    };
    let mut counted: Vec<(usize, usize, Rect)> =
        free.into_iter().enumerate().map(|(i, rect)| (over(&rect), i, rect)).collect();
    // A crossing is worth some steps along the line.
    counted.sort_by_key(|(n, i, _)| 4 * n + i);
    label.places = counted.into_iter().map(|(.., rect)| rect).collect();
}

/// Lets each label take a place that is free of those before it; where none is, those in the way move.
fn choose(labels: &mut [Label], shapes: &[Shape], most: usize) {
    // Who has least to choose from chooses first, and what has no choice at all last of all.
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by_key(|i| labels[*i].places.len());
    let mut placed: Vec<usize> = Vec::new();
    let mut left = most;
    for i in order {
        if !settle(labels, &mut placed, i, DEEPEST, &mut left) {
            // The place that covers least.
            let cost = |rect: &Rect| {
                let boxes: f64 = placed.iter().map(|j| rect.covered(&now(&labels[*j]))).sum();
                boxes + shapes.iter().map(|s| s.depth(rect)).sum::<f64>() * 0.2
            };
            let best = labels[i].places.iter().enumerate().map(|(k, rect)| (cost(rect), k));
            let best = best.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, k)| k);
            labels[i].at = best;
            placed.push(i);
        }
    }
}

fn now(label: &Label) -> Rect {
    label.places[label.at].grown(GAP)
}

/// Finds a place for a label among those that have one, and moves others up to so many times in turn;
/// says no, and leaves all as it was, where that does not help.
fn settle(
    labels: &mut [Label],
    placed: &mut Vec<usize>,
    i: usize,
    depth: usize,
    left: &mut usize,
) -> bool {
    let in_way = |labels: &[Label], placed: &[usize], rect: &Rect| -> Vec<usize> {
        placed.iter().copied().filter(|j| rect.covered(&now(&labels[*j])) > 0.0).collect()
    };
    let mut tries: Vec<(usize, Vec<usize>)> = Vec::new();
    for k in 0..labels[i].places.len() {
        *left = left.saturating_sub(placed.len());
        let others = in_way(labels, placed, &labels[i].places[k]);
        if others.is_empty() {
            labels[i].at = k;
            placed.push(i);
            return true;
        }
        if others.len() == 1 {
            tries.push((k, others));
        }
    }
    if depth == 0 || *left == 0 {
        return false;
    }
    for (k, others) in tries.into_iter().take(8) {
        let j = others[0];
        let before = labels[j].at;
        labels[i].at = k;
        // As if this one had the place, and the other had none.
        let saved = placed.clone();
        placed.retain(|p| *p != j);
        placed.push(i);
        if settle(labels, placed, j, depth - 1, left) {
            return true;
        }
        labels[j].at = before;
        *placed = saved;
    }
    false
}
